// Checks planted rows with the real program: the operator's commands and each server that refuses run in one process,
// each server that serves runs in its own.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { type Ending, GalaxydProcess, runInTurn } from './galaxyd-process.js';
import { refused, serveArgs } from './operator.js';
import { type CommandName, type PlantedRow, READING_COMMANDS } from './planted-rows.js';
import type { SnapshotWorld } from './snapshot-worlds.js';

/** The test of one row, in a folder of its own. */
interface Trial {
  readonly row: PlantedRow;
  readonly serve: string[];
  readonly lines: readonly (readonly [name: CommandName, line: string[]])[];
}

/** Plants each row in a copy of the world of its own, and tries every command there. */
export async function holdToPlanted(t: Test, rows: readonly PlantedRow[], world: SnapshotWorld): Promise<void> {
  const trials: Trial[] = [];
  for (const row of rows) {
    const folder = join(await temporaryFolder(t), 'world');
    await cp(world.folder, folder, { recursive: true });
    await row.plant({ ...world, folder });
    trials.push(trialOf(row, folder, await temporaryFolder(t)));
  }
  const lines = trials.flatMap((trial) => trial.lines.map(([, line]) => line));
  // No command hangs, dies of a signal or leaves something behind that keeps the process alive.
  const endings = await runInTurn(t, lines);
  for (const { row, serve, lines } of trials) {
    const own = endings.splice(0, lines.length);
    t.test(`${row.place}: ${row.thing}`, async (t) => {
      for (const [index, [name]] of lines.entries()) requireEnding(t, row, name, own[index]);
      if (row.codes.serve !== undefined) return;
      const galaxyd = await GalaxydProcess.start(t, { args: serve });
      t.equal((await galaxyd.stop()).code, 0, 'it serves');
    });
  }
}

function trialOf(row: PlantedRow, folder: string, place: string): Trial {
  const serve = serveArgs(folder, '--clock', 'manual', '--min-free-mib', '0');
  const reading = READING_COMMANDS.map((name): [CommandName, string[]] => {
    const to = name === 'restore' || name === 'fork' ? ['--to', join(place, name)] : [];
    return [name, [name, '--data', folder, ...to]];
  });
  return { row, serve, lines: row.codes.serve === undefined ? reading : [...reading, ['serve', serve]] };
}

function requireEnding(t: Test, { codes, sentence }: PlantedRow, name: CommandName, ending?: Ending): void {
  const expected = codes[name] ?? 0;
  if (name === 'serve' && ending !== undefined) refused(t, ending, expected, sentence);
  t.equal(ending?.code, expected, `${name}: ${ending?.stderr}`);
  if (expected !== 0) t.match(ending?.stderr, sentence, name);
}
