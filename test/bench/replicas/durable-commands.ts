// What a durable command costs: closed loops of calls, and one client alone, against the same world in LMDB, in PostgreSQL and in
// PostgreSQL with a synchronous standby, in turn.
import { failuresIn, latencyCells, type Run, type Samples } from '../../../bench/runner/run.js';
import { type CallMeasurement, measureCalls } from '../../../bench/sockets/call-loops.js';
import type { ReadWorld } from '../../../bench/sockets/read-world.js';
import type { Postgres } from '../../support/postgres/postgres.js';

export interface StoredWorld {
  readonly store: string;
  readonly world: ReadWorld;
  /** Null for LMDB. */
  readonly postgres: Postgres | null;
}

interface Sample extends CallMeasurement {
  /** Measurement of one client that waits for each reply. */
  readonly alone: CallMeasurement;
  /** Processor time of the server for a command. */
  readonly processorUs: number;
  /** Bytes of PostgreSQL's own log for a command of many, and of one that is alone in its record; NaN for LMDB. */
  readonly walBytes: number;
  readonly walBytesAlone: number;
}

const US_PER_SECOND = 1_000_000;

export function durableCommands(
  run: Run,
  worlds: readonly StoredWorld[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  const measure = (stored: StoredWorld) => measureRound(stored, seconds);
  const conclude = (measured: readonly Samples<Sample>[]) => {
    for (const [index, samples] of measured.entries()) {
      const store = worlds[index]?.store ?? '';
      const alone = samples.rounds.map((sample) => sample.alone);
      const cells = {
        ...{ 'durable commands': store, 'commands/s': samples.median('commandsPerSecond') },
        'to LMDB': samples.ratio('commandsPerSecond', measured[0]),
        ...latencyCells(samples.rounds, ['p50Ms', 'p99Ms']),
        ...latencyCells(alone, ['p50Ms', 'p99Ms'], 'alone '),
        'CPU µs': samples.median('processorUs'),
        ...{ 'WAL bytes': samples.median('walBytes'), 'WAL bytes alone': samples.median('walBytesAlone') },
      };
      const failures = failuresIn(samples, { rounds: alone });
      run.table('durable').add(cells, `durable commands in ${store}`, failures);
    }
  };
  return run.contest('durable commands', worlds, { rounds, measure, conclude });
}

async function measureRound({ world, postgres }: StoredWorld, seconds: number): Promise<Sample> {
  const walAtFirst = await walPosition(postgres);
  const alone = await measureCalls({ ...world.calls, connections: 1, inFlight: 1, seconds });
  const walBefore = await walPosition(postgres);
  const before = world.server.processorSeconds();
  const many = await measureCalls({ ...world.calls, seconds });
  const used = world.server.processorSeconds() - before;
  return {
    ...many,
    alone,
    processorUs: (used * US_PER_SECOND) / many.accepted,
    walBytes: ((await walPosition(postgres)) - walBefore) / many.accepted,
    walBytesAlone: (walBefore - walAtFirst) / alone.accepted,
  };
}

async function walPosition(postgres: Postgres | null): Promise<number> {
  return postgres === null ? Number.NaN : Number(await postgres.psql("SELECT pg_current_wal_lsn() - '0/0'"));
}
