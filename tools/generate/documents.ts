// Writes what is generated: docs/api.md, the tables of docs/events.md and docs/rules.md, and the modules of clients/python that come from
// the OpenAPI document. `--check` writes nothing and exits with 1 if something is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { apiDocument } from '../../http/documents/api-document.js';
import { renewEvents } from './events-document.js';
import { pythonModules } from './python-client.js';
import { renewRules } from './rules-document.js';

const repository = new URL('../../../', import.meta.url);
const isCheck = process.argv.includes('--check');

const documents = {
  'docs/api.md': () => apiDocument(),
  'docs/events.md': () => renewEvents(readFileSync(new URL('docs/events.md', repository), 'utf8')),
  'docs/rules.md': () => renewRules(readFileSync(new URL('docs/rules.md', repository), 'utf8')),
  ...Object.fromEntries(Object.entries(pythonModules()).map(([path, text]) => [path, () => text])),
};

for (const [name, render] of Object.entries(documents)) {
  const file = new URL(name, repository);
  const rendered = render();
  if (rendered === currentText(file)) continue;
  console.log(isCheck ? `${name} is not up to date: npm run documents` : `${name} is written`);
  if (isCheck) process.exitCode = 1;
  else writeFileSync(file, rendered);
}

function currentText(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
