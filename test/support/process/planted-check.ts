// Holds a planted row to the real thing: the operator's commands in one process, the server in another.
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { temporaryFolder } from '../../persistence/temporary-folder.js';
import { GalaxydProcess, runGalaxyd } from './galaxyd-process.js';
import { refused, serveArgs } from './operator.js';
import type { PlantedRow } from './planted-rows.js';
import type { CommandEnding } from './reading-commands.js';
import type { SnapshotWorld } from './snapshot-worlds.js';

const READING_COMMANDS = fileURLToPath(new URL('./reading-commands.js', import.meta.url));
/** A hang becomes a failure after this; nothing passes or fails by being faster. */
const DEADLINE_MS = 60_000;
const SERVE_FLAGS = ['--clock', 'manual', '--min-free-mib', '0'];

/** Plants it in a copy of the world, and tries every command. */
export async function holdToPlanted(
  t: Test,
  { plant, codes, sentence }: PlantedRow,
  world: SnapshotWorld,
): Promise<void> {
  const folder = join(await temporaryFolder(t), 'world');
  await cp(world.folder, folder, { recursive: true });
  await plant({ ...world, folder });
  const reading = readingCommands(folder, await temporaryFolder(t));
  const args = serveArgs(folder, ...SERVE_FLAGS);
  // A server that refuses changes nothing, so that both can look at once.
  if (codes.serve !== undefined) refused(t, await runGalaxyd(t, { args }), codes.serve, sentence);
  for (const { name, code, stderr } of await reading) {
    const expected = codes[name] ?? 0;
    t.equal(code, expected, `${name}: ${stderr}`);
    if (expected !== 0) t.match(stderr, sentence, name);
  }
  if (codes.serve !== undefined) return;
  const galaxyd = await GalaxydProcess.start(t, { args });
  t.equal((await galaxyd.stop()).code, 0, 'it serves');
}

/** Runs all commands that read, in a process of their own. @throws Error where it hangs or is killed */
async function readingCommands(folder: string, place: string): Promise<CommandEnding[]> {
  const { NODE_OPTIONS: _loader, ...env } = process.env;
  const options = { env, timeout: DEADLINE_MS, killSignal: 'SIGKILL' } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [READING_COMMANDS, folder, place], options);
  return JSON.parse(stdout) as CommandEnding[];
}
