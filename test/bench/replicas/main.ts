// `npm run replicas`: what durable commands cost in each store, what further processes of one world add in reads, and what readers
// of events at standbys cost the leader. It starts PostgreSQL itself, and prints tables or JSON.
import { Command, Option } from 'commander';
import { BenchFailed, runProgram } from '../../../bench/bench-failed.js';
import { closedLoop } from '../../../bench/loads/closed-loop.js';
import { seconds, wholeNumber } from '../../../bench/option-values.js';
import type { ChildServer } from '../../../bench/processes/child-server.js';
import { inTemporaryFolder } from '../../../bench/processes/clean-up.js';
import { Progress } from '../../../bench/runner/progress.js';
import { thisMachine } from '../../../bench/runner/results.js';
import { Run } from '../../../bench/runner/run.js';
import { tableText } from '../../../bench/runner/table.js';
import { ReadWorld } from '../../../bench/sockets/read-world.js';
import { Postgres } from '../../support/postgres/postgres.js';
import { PostgresPrograms } from '../../support/postgres/programs.js';
import type { Owner } from '../../support/process/galaxyd-process.js';
import { withOwner } from '../../support/process/with-owner.js';
import { durableCommands, type StoredWorld } from './durable-commands.js';
import { fanOut } from './fan-out.js';
import * as limits from './limits.js';
import { replicaReads } from './replica-reads.js';

const NOT_FOUND = 127;
/** Durable commands, reads and events. */
const PARTS = 3;

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
  const run = new Run(loop, new Progress(PARTS * options.rounds, process.stderr, 'replicas'));
  try {
    await withOwner((owner) => measure(programs, run, owner));
  } finally {
    run.end();
    const { tables } = run;
    const report = { machine: thisMachine(), loader: loop.loader, options, tables };
    if (tables.length > 0)
      console.log(options.json ? JSON.stringify(report) : tables.map(({ rows }) => tableText(rows)).join('\n\n'));
  }
  const [fault] = run.tables.flatMap(({ faults }) => faults);
  if (fault !== undefined) throw new BenchFailed(fault);
}

async function measure(programs: PostgresPrograms, run: Run, owner: Owner): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    run.say('starting PostgreSQL without and with a synchronous standby');
    const single = await Postgres.start(owner, programs);
    const pair = await Postgres.start(owner, programs, { standby: true });
    const begin = async (store: string, postgres: Postgres | null): Promise<StoredWorld> => {
      run.say(`setting up a world of ${options.players} players: ${store}`);
      const url = postgres === null ? {} : { store: postgres.url() };
      const world = await ReadWorld.start(folder, { players: options.players, durability: 'durable', ...url });
      owner.teardown(() => world.stop());
      return { store, world, postgres };
    };
    const shared = await begin('PostgreSQL with a synchronous standby', pair);
    const worlds = [await begin('LMDB', null), await begin('PostgreSQL', single), shared];
    await durableCommands(run, worlds, options);
    run.say('starting two standbys of the last world');
    const { world } = shared;
    const standbys = [await world.join(), await world.join()];
    for (const standby of standbys) owner.teardown(() => standby.stop());
    await caughtUp(world.server, standbys);
    const ids = world.players().map(({ playerId }) => playerId);
    await replicaReads(run, [world.server, ...standbys], ids, options);
    await fanOut(run, { world, standbys, ...options, ratePerSecond: options.rate });
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
