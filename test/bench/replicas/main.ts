// `npm run replicas`: what durable commands cost in each store, what further processes of one world add in reads, and what readers
// of events at standbys cost the leader. It starts PostgreSQL itself, and prints tables or JSON.
import { Command, Option } from 'commander';
import { BenchFailed, runProgram } from '../../../bench/bench-failed.js';
import { type ClosedLoop, closedLoop } from '../../../bench/end-to-end/closed-loop.js';
import { seconds, wholeNumber } from '../../../bench/option-values.js';
import type { ChildServer } from '../../../bench/processes/child-server.js';
import { inTemporaryFolder } from '../../../bench/processes/clean-up.js';
import { failed } from '../../../bench/reports/faults.js';
import { thisMachine } from '../../../bench/reports/machine.js';
import { number, table } from '../../../bench/reports/tables.js';
import { ReadWorld } from '../../../bench/websocket/read-world.js';
import { Postgres } from '../../support/postgres/postgres.js';
import { PostgresPrograms } from '../../support/postgres/programs.js';
import { type DurableReading, durableCommands, type StoredWorld } from './durable-commands.js';
import { type FanOutReading, fanOut } from './fan-out.js';
import * as limits from './limits.js';
import { type ReadsReading, replicaReads } from './replica-reads.js';

const NOT_FOUND = 127;

interface Options {
  readonly players: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly rate: number;
  readonly json: boolean;
}

const whole = (flags: string, description: string, standard: number, most: number): Option =>
  new Option(flags, description).default(standard).argParser(wholeNumber(1, most));

const options = new Command('replicas')
  .description(
    'Measures durable commands over LMDB, PostgreSQL and PostgreSQL with a synchronous standby; reads from one, two and three ' +
      'processes of one world; and the events that its standbys send while the leader takes commands.',
  )
  .addOption(whole('--players <number>', 'players of the world', limits.PLAYERS_DEFAULT, limits.PLAYERS_MAX))
  .addOption(whole('--rounds <number>', 'how often each is measured', limits.ROUNDS_DEFAULT, limits.ROUNDS_MAX))
  .addOption(
    new Option('--seconds <number>', 'of each load')
      .default(limits.SECONDS_DEFAULT)
      .argParser(seconds(limits.SECONDS_MAX)),
  )
  .addOption(whole('--rate <number>', 'commands a second beside readers', limits.RATE_DEFAULT, limits.RATE_MAX))
  .addOption(new Option('--json', 'prints one JSON object').default(false))
  .allowExcessArguments(false)
  .parse()
  .opts<Options>();

const programs = PostgresPrograms.find();
if (typeof programs === 'string') {
  console.error(`replicas: ${programs}`);
  process.exitCode = NOT_FOUND;
} else await runProgram('replicas', () => measureAndPrint(programs));

/** What was measured is printed even if something later fails. */
async function measureAndPrint(programs: PostgresPrograms): Promise<void> {
  const loop = closedLoop();
  const report: Report = { machine: thisMachine(), loader: loop.loader, options, durable: [], reads: [], events: [] };
  const undo: (() => unknown)[] = [];
  try {
    await measure(programs, loop, report, { teardown: (step) => undo.push(step) });
  } finally {
    for (const step of undo.reverse()) await step();
    print(report);
  }
  const [fault] = faultsOf(report);
  if (fault !== undefined) throw new BenchFailed(fault);
}

/** @param report gets what is measured */
async function measure(
  programs: PostgresPrograms,
  loop: ClosedLoop,
  report: Report,
  owner: { teardown: (step: () => unknown) => unknown },
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const say = (text: string): void => console.error(`replicas: ${text}`);
    say('starting PostgreSQL without and with a synchronous standby');
    const single = await Postgres.start(owner, programs);
    const pair = await Postgres.start(owner, programs, { standby: true });
    const begin = async (store: string, postgres: Postgres | null): Promise<StoredWorld> => {
      say(`setting up a world of ${options.players} players: ${store}`);
      const url = postgres === null ? {} : { store: postgres.url() };
      const world = await ReadWorld.start(folder, { players: options.players, durability: 'durable', ...url });
      owner.teardown(() => world.stop());
      return { store, world, postgres };
    };
    const worlds = [
      await begin('LMDB', null),
      await begin('PostgreSQL', single),
      await begin('PostgreSQL with a synchronous standby', pair),
    ];
    const pace = { rounds: options.rounds, seconds: options.seconds };
    await durableCommands(worlds, {
      ...pace,
      onRound: (round) => say(`durable commands: round ${round} of ${pace.rounds}`),
      keep: (readings) => report.durable.push(...readings),
    });
    const shared = worlds[2]?.world;
    if (shared === undefined) throw new Error('there are three worlds');
    say('starting two standbys of the last world');
    const standbys = [await shared.join(), await shared.join()];
    for (const standby of standbys) owner.teardown(() => standby.stop());
    await caughtUp(shared.server, standbys);
    const ids = shared.players().map(({ playerId }) => playerId);
    const onReads = (): void => say('reads: a round is over');
    report.reads.push(...(await replicaReads([shared.server, ...standbys], ids, { loop, ...pace, onRound: onReads })));
    const onRound = (): void => say('events: a round is over');
    const beside = { ratePerSecond: options.rate, onRound };
    report.events.push(...(await fanOut({ world: shared, standbys, ...pace, ...beside })));
  });
}

/** Settles when standbys show what the leader shows. */
async function caughtUp(leader: ChildServer, standbys: readonly ChildServer[]): Promise<void> {
  const reply = await fetch(`${leader.url}/api/status`);
  const seq = ((await reply.json()) as { seq: number }).seq;
  const deadlineMs = performance.now() + limits.CATCH_UP_MS;
  for (const { url } of standbys) {
    for (;;) {
      const { ok } = await fetch(`${url}/api/leaderboard`, { headers: { 'x-min-seq': String(seq) } });
      if (ok) break;
      if (performance.now() > deadlineMs)
        throw new BenchFailed(`the standby at ${url} does not catch up with seq ${seq}`);
    }
  }
}

interface Report {
  readonly machine: object;
  readonly loader: string;
  readonly options: Options;
  readonly durable: DurableReading[];
  readonly reads: ReadsReading[];
  readonly events: FanOutReading[];
}

/** @returns a sentence for each thing that must not be */
function faultsOf({ durable, reads, events }: Report): string[] {
  return [
    ...durable.flatMap((one) => failed(`durable commands in ${one.store}`, one)),
    ...reads.flatMap((one) => failed(`reads from ${one.replicas} processes`, one)),
    ...events.flatMap((one) => failed(`commands while events are read ${one.readers}`, one)),
    ...events.flatMap(({ readers, missing }) =>
      missing === 0 ? [] : [`readers ${readers}: ${missing} events are missing`],
    ),
  ];
}

/** Prints what there is. */
function print(report: Report): void {
  const { durable, reads, events } = report;
  if (durable.length === 0) return;
  const tables = [
    durableTable(report),
    ...(reads.length === 0 ? [] : [readsTable(report)]),
    ...(events.length === 0 ? [] : [eventsTable(report)]),
  ];
  console.log(options.json ? JSON.stringify(report) : tables.join('\n\n'));
}

function durableTable({ durable }: Report): string {
  return table(
    [
      'durable commands',
      'commands/s',
      'to LMDB',
      'p50 ms',
      'p99 ms',
      'alone p50',
      'alone p99',
      'CPU µs',
      'WAL bytes',
      'alone',
      'failures',
    ],
    durable.map(({ store, commandsPerSecond, ratio, many, alone, processorUs, walBytes, walBytesAlone, failures }) => [
      store,
      number(commandsPerSecond.median),
      number(ratio),
      ...[many.p50Ms, many.p99Ms, alone.p50Ms, alone.p99Ms, processorUs].map(number),
      ...[walBytes, walBytesAlone].map((bytes) => (bytes === null ? '' : number(bytes))),
      number(failures),
    ]),
  );
}

function readsTable({ reads }: Report): string {
  return table(
    ['processes', 'reads/s', 'to one', 'p50 ms', 'p99 ms', 'CPU µs', 'cores of servers', 'failures'],
    reads.map(({ replicas, requestsPerSecond, ratio, latencies, processorUs, serverCores, failures }) => [
      String(replicas),
      ...[requestsPerSecond.median, ratio, latencies.p50Ms, latencies.p99Ms, processorUs, serverCores, failures].map(
        number,
      ),
    ]),
  );
}

function eventsTable({ events }: Report): string {
  return table(
    [
      'readers',
      'command p50 ms',
      'p99 ms',
      'ratio of p99',
      'answered/s',
      'events',
      'event p50 ms',
      'event p99 ms',
      'cores of leader',
      'missing',
    ],
    events.map(({ readers, commands, p99Ratio, answeredPerSecond, events: read, leaderCores, missing }) => [
      readers,
      ...[commands.p50Ms, commands.p99Ms, p99Ratio, answeredPerSecond].map(number),
      ...(read === null ? ['', '', ''] : [read.received, read.dueP50Ms, read.dueP99Ms].map(number)),
      ...[leaderCores, missing].map(number),
    ]),
  );
}
