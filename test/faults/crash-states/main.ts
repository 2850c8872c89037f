// `npm run crash-states`: records plays on a real server, opens the states that a power cut may leave of them, and prints the outcomes. It
// exits with 1 if a promise was not kept.
import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import { wholeNumber } from '../../../bench/option-values.js';
import { Progress } from '../../../bench/runner/progress.js';
import { tableText } from '../../../bench/runner/table.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { OPTION_MAX, seedOption } from '../../support/process/drawn-options.js';
import { Draws } from '../../support/process/draws.js';
import type { Owner } from '../../support/process/galaxyd-process.js';
import { withOwner } from '../../support/process/with-owner.js';
import { compiledLibrary } from '../calls/watched-calls.js';
import { FolderOpener } from '../folder-opener.js';
import { CrashRun, drawStates, type StateOutcome } from './crash-run.js';
import { record } from './recording.js';

const RECORDINGS = 10;
const STATES = 10_000;
/** One state in this many is also served by the real program. */
const SERVED_ONE_IN = 50;
/** Progress is shown this often. */
const STATES_PER_STEP = 100;

interface Row {
  readonly recording: number;
  readonly calls: number;
  readonly states: number;
  readonly opened: number;
  readonly 'not begun': number;
  readonly refused: number;
  readonly broken: number;
  readonly served: number;
  readonly 'not kept': number;
}

const { seed, seconds, recordings, states, json } = new Command('crash-states')
  .description('Records plays on a real server and opens the states that a power cut may leave of them.')
  .addOption(seedOption('plays and states'))
  .addOption(new Option('--seconds <number>', 'ends after this time').argParser(wholeNumber(1, OPTION_MAX)))
  .addOption(new Option('--recordings <number>', 'plays').default(RECORDINGS).argParser(wholeNumber(1, OPTION_MAX)))
  .addOption(
    new Option('--states <number>', 'states of all plays').default(STATES).argParser(wholeNumber(1, OPTION_MAX)),
  )
  .option('--json', 'prints JSON', false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ seed: number; seconds?: number; recordings: number; states: number; json: boolean }>();

const startedMs = performance.now();
process.exitCode = await withOwner(runAll);

async function runAll(owner: Owner): Promise<number> {
  const library = await compiledLibrary(await temporaryFolder(owner));
  if ('reason' in library) {
    console.error(`crash-states: ${library.reason}`);
    return 1;
  }
  const progress = new Progress(Math.ceil(states / STATES_PER_STEP), process.stderr, 'crash-states');
  progress.say(`${states} states of ${recordings} plays; --seed ${seed} draws the same ones`);
  const rows: Row[] = [];
  for (let recording = 1; recording <= recordings && !isOver(); recording += 1)
    rows.push(await withOwner((player) => judgeRecording(player, library.path, recording, progress)));
  progress.end();
  const notKept = rows.reduce((sum, row) => sum + row['not kept'], 0);
  const figures = { seed, states: rows.reduce((sum, row) => sum + row.states, 0), seconds: secondsPassed() };
  if (json) console.log(JSON.stringify({ ...figures, rows }, null, 2));
  else
    console.log(
      `${tableText(rows.map((row) => ({ ...row })))}\n${figures.states} states in ${figures.seconds} s: ${notKept} with promises not kept`,
    );
  return notKept === 0 ? 0 : 1;
}

async function judgeRecording(owner: Owner, library: string, recording: number, progress: Progress): Promise<Row> {
  const draws = new Draws(seed + recording);
  const recorded = await record(library, owner, await temporaryFolder(owner), draws);
  const drawn = drawStates(recorded, Math.ceil(states / recordings), draws);
  const hashes = new Map<number, string>();
  const outcomes: StateOutcome[] = [];
  let served = 0;
  let notKept = 0;
  const work = async (): Promise<void> => {
    const opener = new FolderOpener(owner);
    const run = await CrashRun.begin(owner, opener, hashes);
    for (const state of drawn) {
      if (isOver()) break;
      const { outcome, faults } = await run.judge(state);
      outcomes.push(outcome);
      if (outcomes.length % STATES_PER_STEP === 0) progress.step(`recording ${recording}, ${outcomes.length} states`);
      if (outcomes.length % SERVED_ONE_IN === 0) {
        served += 1;
        faults.push(...(await run.serve(owner, state)));
      }
      if (faults.length > 0) notKept += 1;
      for (const fault of faults.slice(0, 3))
        console.error(
          `crash-states: recording ${recording}, call ${state.callIndex} of ${recorded.calls.length}: ${fault}`,
        );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const count = (wanted: StateOutcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  return {
    recording,
    calls: recorded.calls.length,
    states: outcomes.length,
    opened: count('opened'),
    'not begun': count('not begun'),
    refused: count('refused'),
    broken: count('broken'),
    served,
    'not kept': notKept,
  };
}

function isOver(): boolean {
  return seconds !== undefined && secondsPassed() >= seconds;
}

function secondsPassed(): number {
  return Math.round((performance.now() - startedMs) / 1_000);
}
