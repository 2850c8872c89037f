// Runs the commands of docs/operating.md block by block, as a newcomer would, and checks the names and sentences in it
// against their sources.
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import t from 'tap';
import { LOG_EVENTS } from '../../cli/output/log.js';
import { apiDocument } from '../../tools/generate/api-document.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { freePort } from '../support/process/free-port.js';
import { runBlocks, shellBlocks } from '../support/shell.js';

const repository = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8');
const DOCUMENT = read('docs/operating.md');
/** What follows is run by operating-postgres.test.ts. */
const [FOLDERS = ''] = DOCUMENT.split('\n# A world in PostgreSQL\n');
const BLOCKS = shellBlocks(FOLDERS);

t.test('every command of docs/operating.md does what it should, in this order', async (t) => {
  const folder = await temporaryFolder(t);
  const ports = [await freePort(), await freePort()];
  const blocks = BLOCKS.map((block) =>
    block
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports[0]}`)
      .replaceAll('galaxyd serve --data world', `galaxyd serve --data world --port ${ports[0]} --min-free-mib 0`)
      .replaceAll('3001', `${ports[1]}`)
      .replaceAll('--data experiment', '--data experiment --min-free-mib 0'),
  );
  const ending = await runBlocks(t, folder, blocks);
  if (ending === null) {
    t.pass('not tested', { skip: 'there is no bash, or no curl' });
    return;
  }
  t.equal(ending.code, 0, `${ending.stdout}\n${ending.stderr}`);
  t.equal(ending.stdout.split('--- block').length - 1, BLOCKS.length);
  t.match(ending.stdout, /"origin":\{"kind":"restore","from":"snapshot-\d{16}"/, 'the status reports the restore');
  const made = (await readdir(folder)).filter((name) => !name.endsWith('.log')).sort();
  t.same(made, [
    'admin-keys',
    'at-a-snapshot',
    'backup',
    'earlier',
    'experiment',
    'galaxyd.toml',
    'history.json',
    'later',
    'world',
  ]);
});

t.test('the sentences that it explains are those that the program prints', async (t) => {
  const sources = ['cli', 'persistence'].flatMap((folder) =>
    readdirSources(folder).map((name) => read(`${folder}/${name}`)),
  );
  // Sentences as the program composes them, without the values that it fills in.
  const said = sources.join('\n').replaceAll(/'\s*\+\s*\n\s*['`]/g, '');
  const rows = ['## When something is damaged\n', '## When something is wrong\n'].flatMap(
    (heading) => DOCUMENT.split(heading)[1]?.split('\n## ')[0]?.split('\n').slice(2) ?? [],
  );
  const told = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
  );
  t.ok(told.length >= 22);
  for (const sentence of told) {
    for (const words of sentence.split(/…| N |: (?=the )/)) {
      const plain = words.trim();
      t.ok(plain.length < 4 || said.includes(plain), plain);
    }
  }
});

t.test('events and metrics that it names exist, and no event is left out', async (t) => {
  for (const event of Object.keys(LOG_EVENTS)) t.match(DOCUMENT, `\`${event}\``, event);
  const interfaceDocument = apiDocument();
  for (const [name] of DOCUMENT.matchAll(/galaxyd_[a-z_]+/g)) t.ok(interfaceDocument.includes(`\`${name}`), name);
});

function readdirSources(folder: string): string[] {
  return readdirSync(new URL(folder, repository), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
}
