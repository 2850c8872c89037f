// `npm run documents`: writes what is generated, all of it or the named files. `--check` writes nothing and exits with 1 if a file
// that is in git is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GENERATED } from './generated.js';

const repository = new URL('../../../', import.meta.url);
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.filter((path) => !(path in GENERATED));
if (unknown.length > 0) {
  console.error(`not generated: ${unknown.join(', ')}; there are: ${Object.keys(GENERATED).join(', ')}`);
  process.exit(2);
}

for (const [path, { isInGit, render }] of Object.entries(GENERATED)) {
  if (positionals.length > 0 && !positionals.includes(path)) continue;
  if (values.check === true && !isInGit) continue;
  const current = currentText(path);
  const text = await render(current);
  if (text === current) continue;
  if (values.check === true) process.exitCode = 1;
  else writeFileSync(new URL(path, repository), text);
  console.log(values.check === true ? `${path} is not up to date: npm run documents` : `${path} is written`);
}

/** @returns '' if there is no file yet */
function currentText(path: string): string {
  try {
    return readFileSync(new URL(path, repository), 'utf8');
  } catch {
    return '';
  }
}
