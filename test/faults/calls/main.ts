// `npm run faults`: makes each system call of each operation fail, or breaks the connection to PostgreSQL after each message, and prints
// the table of outcomes. It exits with 1 if a promise was not kept.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { wholeNumber } from '../../../bench/option-values.js';
import { Progress } from '../../../bench/runner/progress.js';
import { tableText } from '../../../bench/runner/table.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { Postgres } from '../../support/postgres/postgres.js';
import { PostgresPrograms } from '../../support/postgres/programs.js';
import { OPTION_MAX, seedOption } from '../../support/process/drawn-options.js';
import { Draws } from '../../support/process/draws.js';
import type { Owner } from '../../support/process/galaxyd-process.js';
import { withOwner } from '../../support/process/with-owner.js';
import { FolderOpener } from '../folder-opener.js';
import { CUT_OPERATIONS, CutRuns } from '../message-cuts/cut-runs.js';
import { type FaultOutcome, FaultRuns, type FaultSource, type PlannedFault } from './fault-run.js';
import { OPERATION_NAMES, type OperationName } from './operations.js';
import { compiledLibrary } from './watched-calls.js';

/** Progress is shown this often. */
const FAULTS_PER_STEP = 20;

interface Judged {
  readonly fault: PlannedFault;
  readonly outcome: FaultOutcome;
}

const { seed, seconds, operation, postgres, json } = new Command('faults')
  .description(
    'Makes each system call of each operation on a data folder fail, or cuts each message, and judges what is left.',
  )
  .addOption(seedOption('the order of the faults'))
  .addOption(
    new Option('--seconds <number>', 'ends after this time (default: all faults)').argParser(
      wholeNumber(1, OPTION_MAX),
    ),
  )
  .addOption(new Option('--operation <name>', 'only this operation').choices(OPERATION_NAMES))
  .option('--postgres', 'breaks connections to a PostgreSQL, which it starts', false)
  .option('--json', 'prints JSON', false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ seed: number; seconds?: number; operation?: OperationName; postgres: boolean; json: boolean }>();

process.exitCode = await withOwner(runAll);

async function runAll(owner: Owner): Promise<number> {
  const startedMs = performance.now();
  const source = await (postgres ? cutSource(owner) : callSource(owner));
  if (typeof source === 'string') {
    console.error(`faults: ${source}`);
    return 1;
  }
  const offered: readonly OperationName[] = postgres ? CUT_OPERATIONS : OPERATION_NAMES;
  const names = offered.filter((name) => operation === undefined || name === operation);
  const all: PlannedFault[] = [];
  for (const name of names) all.push(...(await source.faultsOf(name)));
  const order = new Draws(seed).shuffled(all);
  const progress = new Progress(Math.ceil(order.length / FAULTS_PER_STEP), process.stderr, 'faults');
  progress.say(`${order.length} faults of ${names.length} operations; --seed ${seed} draws the same order`);
  const judged: Judged[] = [];
  const isOver = (): boolean => seconds !== undefined && performance.now() - startedMs >= seconds * 1_000;
  const work = async (): Promise<void> => {
    const opener = new FolderOpener(owner);
    for (let fault = order.shift(); fault !== undefined && !isOver(); fault = order.shift()) {
      const outcome = await source.run(fault, opener).catch(hanging);
      judged.push({ fault, outcome });
      for (const sentence of outcome.faults) console.error(`faults: ${named(fault)}: ${sentence}`);
      if (judged.length % FAULTS_PER_STEP === 0)
        progress.step(`${judged.length} faults, ${broken(judged).length} promises not kept`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  progress.end();
  const figures = {
    seed,
    faults: judged.length,
    of: all.length,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
  };
  const rows = rowsOf(judged);
  const notKept = broken(judged).map(({ fault, outcome }) => ({ fault, faults: outcome.faults }));
  if (json) console.log(JSON.stringify({ ...figures, rows, notKept }, null, 2));
  else
    console.log(
      `${tableText(rows)}\n${figures.faults} of ${figures.of} faults in ${figures.seconds} s: ${notKept.length} with promises not kept`,
    );
  return notKept.length === 0 ? 0 : 1;
}

/** @returns the reason if there is none here */
async function callSource(owner: Owner): Promise<FaultSource<PlannedFault> | string> {
  const place = await temporaryFolder(owner);
  const library = await compiledLibrary(place);
  if ('reason' in library) return library.reason;
  return (await FaultRuns.prepare(library.path, join(place, 'prepared'))) as FaultSource<PlannedFault>;
}

/** @returns the reason if there is none here */
async function cutSource(owner: Owner): Promise<FaultSource<PlannedFault> | string> {
  const programs = PostgresPrograms.find();
  if (!(programs instanceof PostgresPrograms)) return programs;
  return await CutRuns.prepare(await Postgres.start(owner, programs));
}

/** The test harness has waited for a program in vain. */
function hanging(error: unknown): FaultOutcome {
  return { failed: 1, ending: 'hangs', faults: [String(error)] };
}

function broken(judged: readonly Judged[]): Judged[] {
  return judged.filter(({ outcome }) => outcome.faults.length > 0);
}

function named({ operation: name, call, nth, error, fromThenOn }: PlannedFault): string {
  return `${name}, ${call} ${nth}${fromThenOn ? ' and later' : ''}, ${error}`;
}

/** A row for each operation and call. */
function rowsOf(judged: readonly Judged[]) {
  const keys = [...new Set(judged.map(({ fault }) => `${fault.operation}|${fault.call}`))].sort();
  return keys.map((key) => {
    const [operationOf = '', call = ''] = key.split('|');
    const group = judged.filter(({ fault }) => fault.operation === operationOf && fault.call === call);
    const ended = (ending: RegExp): number => group.filter(({ outcome }) => ending.test(outcome.ending)).length;
    return {
      operation: operationOf,
      call,
      places: Math.max(...group.map(({ fault }) => fault.nth)),
      faults: group.length,
      'calls failed': group.filter(({ outcome }) => outcome.failed > 0).length,
      'goes on': ended(/^goes on|exit code 0/),
      'ends itself': ended(/^ends itself/),
      'reports it': ended(/^exit code [^0]/),
      'dies in lmdb': ended(/^signal/),
      'not kept': broken(group).length,
    };
  });
}
