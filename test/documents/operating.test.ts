// Runs the commands of docs/operating.md block by block, as a newcomer would, and checks the names and sentences in it
// against their sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { LOG_EVENTS } from '../../cli/log-events.js';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import { freePort } from '../support/process/free-port.js';

const repository = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8');
const PROGRAM = fileURLToPath(new URL('dist/cli/main.js', repository));
const DOCUMENT = read('docs/operating.md');
const BLOCKS = [...DOCUMENT.matchAll(/```sh\n([^`]+)```/g)].map(([, block = '']) => block);
/** Stops at the first command that fails and names its block. Everything it started ends with it. */
const OPENING = 'set -euo pipefail; trap "kill \\$(jobs -p) 2>/dev/null || true" EXIT; ';
/** A hang becomes a failure after this. */
const DEADLINE_MS = 300_000;

t.test('every command of docs/operating.md does what it should, in this order', async (t) => {
  const folder = await temporaryFolder(t);
  const ports = [await freePort(), await freePort()];
  const script = BLOCKS.map((block, index) => `echo "--- block ${index + 1}"\n${block}`)
    .join('\n')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports[0]}`)
    .replaceAll('galaxyd serve --data world', `galaxyd serve --data world --port ${ports[0]} --min-free-mib 0`)
    .replaceAll('3001', `${ports[1]}`)
    .replaceAll('--data experiment', '--data experiment --min-free-mib 0');
  const ending = await bash(t, folder, OPENING + script);
  if (ending === null) {
    t.pass('not tested', { skip: 'there is no bash, or no curl' });
    return;
  }
  t.equal(ending.code, 0, `${ending.stdout}\n${ending.stderr}`);
  t.equal(ending.stdout.split('--- block').length - 1, BLOCKS.length);
  t.match(ending.stdout, /"origin":\{"kind":"restore","from":"snapshot-\d{16}"/, 'the status reports the restore');
  const made = (await readdir(folder)).filter((name) => !name.endsWith('.log')).sort();
  t.same(made, ['at-a-snapshot', 'backup', 'earlier', 'experiment', 'later', 'world']);
});

t.test('the sentences that it explains are those that the program prints', async (t) => {
  const sources = ['cli', 'persistence'].flatMap((folder) =>
    readdirSources(folder).map((name) => read(`${folder}/${name}`)),
  );
  // As the program composes them, without the values that it fills in.
  const said = sources.join('\n').replaceAll(/'\s*\+\s*\n\s*['`]/g, '');
  const rows = DOCUMENT.split('## When something is damaged')[1]?.split('\n## ')[0]?.split('\n').slice(3) ?? [];
  const told = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
  );
  t.ok(told.length >= 14);
  for (const sentence of told) {
    for (const words of sentence.split(/…| N |: (?=the )/)) {
      const plain = words.trim();
      t.ok(plain.length < 4 || said.includes(plain), plain);
    }
  }
});

t.test('events and metrics that it names exist, and no event is left out', async (t) => {
  for (const event of Object.keys(LOG_EVENTS)) t.match(DOCUMENT, `\`${event}\``, event);
  const interfaceDocument = read('docs/api.md');
  for (const [name] of DOCUMENT.matchAll(/galaxyd_[a-z_]+/g)) t.ok(interfaceDocument.includes(`\`${name}`), name);
});

interface ShellEnding {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @returns null if there is no bash or no curl */
async function bash(t: Test, folder: string, script: string): Promise<ShellEnding | null> {
  const programs = await temporaryFolder(t);
  await writeFile(join(programs, 'galaxyd'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  await chmod(join(programs, 'galaxyd'), 0o755);
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GALAXYD_') && name !== 'NODE_OPTIONS');
  const env = { ...Object.fromEntries(own), PATH: `${programs}${delimiter}${process.env['PATH']}` };
  const shell = spawn('bash', ['-m', '-c', `command -v curl >/dev/null || exit 99; ${script}`], { cwd: folder, env });
  let stdout = '';
  let stderr = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const deadline = setTimeout(() => shell.kill(), DEADLINE_MS);
  try {
    const [code] = await once(shell, 'close');
    return code === 99 ? null : { code, stdout, stderr };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

function readdirSources(folder: string): string[] {
  return readdirSync(new URL(folder, repository), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
}
