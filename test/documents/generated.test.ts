// The generated files that are in git are what their sources say now, and the others can be made.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { DISTANCE } from '../../engine/map/universe.js';
import * as limits from '../../engine/rules/limits.js';
import { buildingBaseMs, researchBaseMs } from '../../engine/rules/rules.js';
import { ROUTES } from '../../http/routes/table.js';
import { GENERATED } from '../../tools/generate/generated.js';
import { pythonModules } from '../../tools/generate/python-client.js';
import { renewRules } from '../../tools/generate/rules-document.js';

const repository = new URL('../../../', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, repository), 'utf8');

for (const [path, { isInGit, render }] of Object.entries(GENERATED)) {
  t.test(`${path} is ${isInGit ? 'in git and up to date' : 'made when it is needed'}`, async (t) => {
    t.equal(text('.gitignore').includes(`\n/${path}\n`), !isInGit);
    if (isInGit) t.equal(await render(text(path)), text(path), 'npm run documents renews it');
  });
}

t.test('what is generated is marked in git, and has at most 11,000 lines', async (t) => {
  const attributes = text('.gitattributes').split('\n');
  const marked = attributes.flatMap((line) => /^(\S+) linguist-generated$/.exec(line)?.[1] ?? []);
  const ours = marked.filter((path) => path !== 'package-lock.json');
  const modules = Object.keys(pythonModules());
  t.same(new Set(ours), new Set([...modules, 'http/documents/recorded-examples.ts', 'bench/results/chosen.jsonl']));
  const lines = ours.map((path) => text(path).split('\n').length - 1);
  t.ok(lines.reduce((sum, count) => sum + count, 0) <= 11_000, lines.join());
});

t.test('docs/api.md has a chapter for each operation', async (t) => {
  const document = await GENERATED['docs/api.md']?.render('');
  for (const { operationId } of ROUTES) t.match(document, `\n### ${operationId}\n`);
});

t.test('the build has made the types of the TypeScript client', async (t) => {
  const path = 'clients/typescript/src/api.ts';
  t.equal(text(path), await GENERATED[path]?.render(''));
});

t.test('renewing the rules repairs a table that was changed by hand', async (t) => {
  const tampered = text('docs/rules.md').replace('| scout |', '| ghost |');
  t.not(tampered, text('docs/rules.md'));
  t.equal(renewRules(tampered), text('docs/rules.md'));
});

/** Numbers in the sentences of docs/rules.md. A number of a rule set is none of them: it belongs into a generated line. */
const SAME_UNDER_ALL_RULES: ReadonlySet<string> = new Set(
  [
    ...[0, 1, 2],
    ...[200, 201, 400, 403, 409],
    ...[limits.NAME_LENGTH_MAX, limits.LEADERBOARD_ENTRIES_MAX],
    ...Object.values(DISTANCE),
    ...[buildingBaseMs(0) / 1_000, researchBaseMs(0) / 1_000],
    // What a level of the shipyard leaves of the time of an order, and a section of the specification.
    ...[0.9, 8],
  ].map(String),
);

t.test('the sentences of docs/rules.md name no number that a rule set may change', async (t) => {
  const sentences = text('docs/rules.md')
    .replace(/<!-- begin (\S+) -->[\s\S]*?<!-- end \1 -->/g, '')
    .replace(/\]\([^)]*\)|\d{4}-\d{2}-\d{2}T[\d:]+Z|standard-\d/g, '');
  const found = sentences.match(/(?<![\w-])\d+(?:\.\d+)?|\b(?:half|third|tenth|six)\b/g) ?? [];
  t.ok(found.length > 20);
  t.same(new Set(found.filter((number) => !SAME_UNDER_ALL_RULES.has(number))), new Set());
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
