// Writes the generated parts of docs/: all of api.md, and the tables of rules.md. `--check` writes nothing and exits
// with 1 if something is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { apiDocument } from '../http/documents/api-document.js';
import { renewRules } from './rules-document.js';

const folder = new URL('../../docs/', import.meta.url);
const isCheck = process.argv.includes('--check');

const documents = {
  'api.md': () => apiDocument(),
  'rules.md': () => renewRules(readFileSync(new URL('rules.md', folder), 'utf8')),
};

for (const [name, render] of Object.entries(documents)) {
  const file = new URL(name, folder);
  const rendered = render();
  if (rendered === currentText(file)) continue;
  console.log(isCheck ? `docs/${name} is not up to date: npm run documents` : `docs/${name} is written`);
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
