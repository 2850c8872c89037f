// The generated documents are what their sources say now.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { apiDocument } from '../../http/documents/api-document.js';
import { renewEvents } from '../../tools/generate/events-document.js';
import { pythonModules } from '../../tools/generate/python-client.js';
import { renewRules } from '../../tools/generate/rules-document.js';

const repository = new URL('../../../', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, repository), 'utf8');

t.test('docs/api.md is what the route table says', async (t) => {
  t.equal(text('docs/api.md'), apiDocument(), 'npm run documents renews it');
});

t.test('the tables of docs/rules.md are what the catalogue says', async (t) => {
  t.equal(text('docs/rules.md'), renewRules(text('docs/rules.md')), 'npm run documents renews them');
});

t.test('the tables of docs/events.md are what the tables of events and frames say', async (t) => {
  t.equal(text('docs/events.md'), renewEvents(text('docs/events.md')), 'npm run documents renews them');
});

t.test('the shapes and operations of the Python client are what the OpenAPI document says', async (t) => {
  for (const [path, module] of Object.entries(pythonModules()))
    t.equal(text(path), module, 'npm run documents renews it');
});

t.test('renewing the rules repairs a table that was changed by hand', async (t) => {
  const tampered = text('docs/rules.md').replace('| scout |', '| ghost |');
  t.not(tampered, text('docs/rules.md'));
  t.equal(renewRules(tampered), text('docs/rules.md'));
});

t.test('every path that ARCHITECTURE.md names exists', async (t) => {
  const architecture = text('ARCHITECTURE.md');
  const named = [...architecture.matchAll(/`((?:text|engine|persistence|http|cli|test|tools|docs)\/[\w./-]*)`/g)];
  t.ok(named.length > 5);
  for (const [, path = ''] of named) t.ok(existsSync(new URL(path, repository)), path);
});

t.test('the README of the decisions lists every chapter, in order', async (t) => {
  const chapters = readdirSync(new URL('docs/decisions', repository)).filter((file) => file !== 'README.md');
  const listed = [...text('docs/decisions/README.md').matchAll(/^(\d+)\. \[[^\]]+\]\((.+?)\)/gm)];
  t.same(
    listed.map(([, , file]) => file),
    chapters.sort(),
  );
  for (const [, number = '', file = ''] of listed) {
    t.equal(Number(file.slice(0, 2)), Number(number), file);
    t.match(text(`docs/decisions/${file}`), `# ${number}. `, 'its title has its number');
  }
});
