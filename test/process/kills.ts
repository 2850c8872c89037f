// `npm run kills -- --kills N --seed S`: what kill.test.ts does, as often as requested. It prints its progress, the
// figures at the end, and exits with 1 if it found a fault.
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { wholeNumber } from '../../bench/option-values.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { LOST, UNASKED } from '../support/process/deed-ledger.js';
import { OPTION_MAX, seedOption } from '../support/process/drawn-options.js';
import type { Owner } from '../support/process/galaxyd-process.js';
import { type KillKind, KillRun } from '../support/process/kill-run.js';
import { withOwner } from '../support/process/with-owner.js';

const KILLS = 200;
const PROGRESS_EVERY_MS = 5_000;

const { kills: serverKills, seed } = new Command('kills')
  .description('Kills a server under load again and again, and looks for everything that it acknowledged.')
  .addOption(
    new Option('--kills <number>', 'deaths of the server').default(KILLS).argParser(wholeNumber(1, OPTION_MAX)),
  )
  .addOption(seedOption('what dies when'))
  .allowExcessArguments(false)
  .parse()
  .opts<{ kills: number; seed: number }>();
process.exitCode = (await withOwner(killAll)) ? 0 : 1;

/** @returns whether it found no fault */
async function killAll(owner: Owner): Promise<boolean> {
  const folder = await temporaryFolder(owner);
  const run = new KillRun({ owner, seed, folder: join(folder, 'world') });
  const startedMs = performance.now();
  const faults: string[] = [];
  let toldMs = 0;
  let deaths = 0;
  const note = (what: string, found: readonly string[]): void => {
    for (const fault of found) console.error(`kills: ${what}: ${fault}`);
    faults.push(...found);
  };
  console.error(`kills: ${serverKills} deaths of the server; --seed ${seed} draws the same again`);
  while (deaths < serverKills) {
    for (const kind of run.round()) {
      if (deaths === serverKills) break;
      if (isOfServer(kind)) deaths += 1;
      note(`${deaths}, ${kind}`, await run.kill(kind));
      if (performance.now() - toldMs < PROGRESS_EVERY_MS) continue;
      toldMs = performance.now();
      const { acknowledged, entries } = run.figures;
      const counted = `${entries} entries, ${acknowledged} acknowledged, ${faults.length} faults`;
      console.error(`kills: ${deaths} of ${serverKills} in ${Math.round((toldMs - startedMs) / 1000)} s; ${counted}`);
    }
  }
  note('at the end', await run.finish());
  const count = (sentence: string): number => faults.filter((fault) => fault.startsWith(sentence)).length;
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const lies = { lost: count(LOST), doneTwice: count(UNASKED), faults: faults.length };
  console.log(JSON.stringify({ seed, seconds, ...run.figures, ...lies }, null, 2));
  return faults.length === 0;
}

function isOfServer(kind: KillKind): boolean {
  return kind.startsWith('server');
}
