// `npm run failovers -- --kills N --rounds N --seed S`: what failover.test.ts does, as often as requested, and everything else
// that can happen to two processes and their database. It prints its progress, the figures at the end, and exits with 1 if it
// found a fault.
import { Command, Option } from 'commander';
import { wholeNumber } from '../../bench/option-values.js';
import { EVENTS, type EventFigures, type FailoverEvent, FailoverRun } from '../support/failover/failover-run.js';
import { PostgresPrograms } from '../support/postgres/programs.js';
import { LOST, UNASKED } from '../support/process/deed-ledger.js';
import { OPTION_MAX, seedOption } from '../support/process/drawn-options.js';
import { Draws } from '../support/process/draws.js';
import type { Owner } from '../support/process/galaxyd-process.js';
import { withOwner } from '../support/process/with-owner.js';

const KILLS = 20;
const ROUNDS = 2;
const NOT_FOUND = 127;

interface Options {
  readonly kills: number;
  readonly rounds: number;
  readonly only?: FailoverEvent;
  readonly program?: string;
  readonly older?: string;
  readonly seed: number;
  readonly json: boolean;
}

const options = new Command('failovers')
  .description(
    'Serves a world of a PostgreSQL with a synchronous standby by two processes under load, kills, stops and cuts them off, ' +
      'restarts and loses the database, and looks for everything that was acknowledged.',
  )
  .addOption(new Option('--kills <number>', 'kills of the leader').default(KILLS).argParser(wholeNumber(0, OPTION_MAX)))
  .addOption(
    new Option('--rounds <number>', 'how often each other event comes')
      .default(ROUNDS)
      .argParser(wholeNumber(0, OPTION_MAX)),
  )
  .addOption(new Option('--only <event>', 'this event alone, --rounds times').choices(EVENTS))
  .option('--program <path>', 'dist/cli/main.js of another build, which is tested instead of this one')
  .option('--older <path>', 'dist/cli/main.js of an older release, which a rolling upgrade begins with')
  .addOption(seedOption('what happens when'))
  .addOption(new Option('--json', 'prints one JSON object').default(false))
  .allowExcessArguments(false)
  .parse()
  .opts<Options>();
const { seed, json } = options;
const programs = PostgresPrograms.find();
if (typeof programs === 'string') {
  console.error(`failovers: ${programs}`);
  process.exitCode = NOT_FOUND;
} else process.exitCode = (await withOwner((owner) => happenAll(programs, owner))) ? 0 : 1;

/** @returns whether it found no fault */
async function happenAll(programs: PostgresPrograms, owner: Owner): Promise<boolean> {
  const startedMs = performance.now();
  const secondsSoFar = (): number => Math.round((performance.now() - startedMs) / 1000);
  const events = drawnOrder();
  console.error(`failovers: ${events.length} events; --seed ${seed} draws the same again`);
  const { program, older } = options;
  const builds = {
    ...(program === undefined ? {} : { program }),
    ...(older === undefined ? {} : { olderProgram: older }),
  };
  const run = await FailoverRun.begin({ owner, seed, programs, ...builds });
  const faults: string[] = [];
  const note = (what: string, found: readonly string[]): void => {
    for (const fault of found) console.error(`failovers: ${what}: ${fault}`);
    if (found.length > 0)
      for (const words of run.lastWords.slice(-2)) console.error(`failovers: it had said: ${words}`);
    faults.push(...found);
  };
  for (const [index, event] of events.entries()) {
    const what = `${index + 1} of ${events.length}, ${event}`;
    note(what, await run.happen(event));
    const { acknowledged, entries, events: figures } = run.figures;
    const lastMs = figures[event]?.firstAcknowledgedMs.at(-1);
    const measured = lastMs === undefined ? '' : `acknowledged again after ${Math.round(lastMs)} ms; `;
    const counted = `${entries} entries, ${acknowledged} acknowledged, ${faults.length} faults`;
    console.error(`failovers: ${what}, ${secondsSoFar()} s; ${measured}${counted}`);
  }
  note('at the end', await run.finish());
  note('verify', await run.verify());
  const count = (sentence: string): number => faults.filter((fault) => fault.startsWith(sentence)).length;
  const { events: figures, ...totals } = run.figures;
  const byEvent = Object.fromEntries(Object.entries(figures).map(([event, found]) => [event, summary(found)]));
  const lies = { lost: count(LOST), doneTwice: count(UNASKED), faults: faults.length };
  const result = { seed, seconds: secondsSoFar(), events: byEvent, ...totals, ...lies };
  if (json) console.log(JSON.stringify(result));
  else console.log(JSON.stringify(result, null, 2));
  return faults.length === 0;
}

/** All events, in an order of their own. */
function drawnOrder(): FailoverEvent[] {
  const draws = new Draws(seed + 2);
  const timesOf = (event: FailoverEvent): number => {
    if (options.only !== undefined) return options.only === event ? options.rounds : 0;
    return event === 'leader killed' ? options.kills : options.rounds;
  };
  const left = EVENTS.flatMap((event) => Array.from({ length: timesOf(event) }, () => event));
  const order: FailoverEvent[] = [];
  while (left.length > 0) order.push(...left.splice(draws.below(left.length), 1));
  return order;
}

function summary({ times, firstAcknowledgedMs, failedCommands }: EventFigures): object {
  const sorted = firstAcknowledgedMs.map(Math.round).sort((a, b) => a - b);
  const measured = { p50Ms: sorted[Math.floor((sorted.length - 1) / 2)], maxMs: sorted.at(-1) };
  return { times, ...(sorted.length > 0 ? measured : {}), failedCommands };
}
