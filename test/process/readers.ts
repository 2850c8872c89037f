// `npm run readers -- --rounds N --seed S`: what readers.test.ts does, as often as requested. It prints its progress, the figures at the
// end, and exits with 1 if it found a fault.
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { wholeNumber } from '../../bench/option-values.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { OPTION_MAX, seedOption } from '../support/process/drawn-options.js';
import type { Owner } from '../support/process/galaxyd-process.js';
import { ReaderRun } from '../support/process/reader-run.js';
import { withOwner } from '../support/process/with-owner.js';

const ROUNDS = 1_000;
const PROGRESS_EVERY_MS = 5_000;
/** Faults after which it stops. */
const FAULTS_MAX = 20;

const { rounds, seed, json } = new Command('readers')
  .description(
    'Follows the events of a world that is killed, stopped, restored and forked, and compares them with its log.',
  )
  .addOption(new Option('--rounds <number>', 'lives of a server').default(ROUNDS).argParser(wholeNumber(1, OPTION_MAX)))
  .addOption(seedOption('what happens when'))
  .addOption(new Option('--json', 'prints one JSON object').default(false))
  .allowExcessArguments(false)
  .parse()
  .opts<{ rounds: number; seed: number; json: boolean }>();
process.exitCode = (await withOwner(liveAll)) ? 0 : 1;

/** @returns whether it found no fault */
async function liveAll(owner: Owner): Promise<boolean> {
  const folder = await temporaryFolder(owner);
  const run = new ReaderRun({ owner, seed, folder: join(folder, 'world') });
  const startedMs = performance.now();
  const faults: string[] = [];
  let toldMs = 0;
  let lives = 0;
  console.error(`readers: ${rounds} lives of a server; --seed ${seed} draws the same again`);
  while (lives < rounds && faults.length < FAULTS_MAX) {
    for (const ending of run.round()) {
      if (lives === rounds || faults.length >= FAULTS_MAX) break;
      lives += 1;
      for (const fault of await run.live(ending)) {
        console.error(`readers: ${lives}, ${ending}: ${fault}`);
        faults.push(fault);
      }
      if (performance.now() - toldMs < PROGRESS_EVERY_MS) continue;
      toldMs = performance.now();
      const { connections, events, entries } = run.figures;
      const counted = `${entries} entries, ${connections} connections, ${events} events, ${faults.length} faults`;
      console.error(`readers: ${lives} of ${rounds} in ${Math.round((toldMs - startedMs) / 1000)} s; ${counted}`);
    }
  }
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const figures = { seed, seconds, ...run.figures, faults: faults.length };
  if (json) console.log(JSON.stringify(figures));
  else for (const [what, count] of Object.entries(figures)) console.log(`${what}: ${JSON.stringify(count)}`);
  return faults.length === 0;
}
