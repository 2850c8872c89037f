// What a durable command costs: closed loops of calls, and one client alone, against the same world in LMDB, in PostgreSQL and in
// PostgreSQL with a synchronous standby, in turn.

import type { Latencies } from '../../../bench/end-to-end/load.js';
import { type Failures, failuresOf, measureInTurn, medianLatencies } from '../../../bench/end-to-end/side-by-side.js';
import { median, pairedRatio, type Spread, spreadOf } from '../../../bench/reports/statistics.js';
import { type CallMeasurement, measureCalls } from '../../../bench/websocket/call-loop.js';
import type { ReadWorld } from '../../../bench/websocket/read-world.js';
import type { Postgres } from '../../support/postgres/postgres.js';

export interface StoredWorld {
  readonly store: string;
  readonly world: ReadWorld;
  /** Null for LMDB. */
  readonly postgres: Postgres | null;
}

export interface DurableReading extends Failures {
  readonly store: string;
  readonly commandsPerSecond: Spread;
  /** Median of the rounds' own ratios to the first store. */
  readonly ratio: number;
  readonly many: Latencies;
  /** Of one client that waits for each reply. */
  readonly alone: Latencies;
  /** Processor time of the server for a command. */
  readonly processorUs: number;
  /** Bytes of PostgreSQL's own log for a command of many, and of one that is alone in its record; null for LMDB. */
  readonly walBytes: number | null;
  readonly walBytesAlone: number | null;
}

interface Round {
  readonly many: CallMeasurement;
  readonly alone: CallMeasurement;
  readonly processorUs: number;
  readonly walBytes: number | null;
  readonly walBytesAlone: number | null;
}

const US_PER_SECOND = 1_000_000;

export interface DurablePlan {
  readonly rounds: number;
  readonly seconds: number;
  onRound(round: number): void;
  keep(readings: readonly DurableReading[]): void;
}

export function durableCommands(worlds: readonly StoredWorld[], plan: DurablePlan): Promise<void> {
  const { rounds, seconds } = plan;
  return measureInTurn(worlds, {
    rounds,
    measure: (stored: StoredWorld) => measureRound(stored, seconds),
    onRound: (round) => plan.onRound(round),
    conclude: (measured) => plan.keep(readingsOf(worlds, measured)),
  });
}

function readingsOf(worlds: readonly StoredWorld[], measured: readonly (readonly Round[])[]): DurableReading[] {
  const first = measured[0] ?? [];
  return worlds.map(({ store }, index): DurableReading => {
    const own = measured[index] ?? [];
    const of = (pick: (round: Round) => number): number[] => own.map(pick);
    return {
      store,
      commandsPerSecond: spreadOf(of(({ many }) => many.commandsPerSecond)),
      ratio: pairedRatio(
        of(({ many }) => many.commandsPerSecond),
        first.map(({ many }) => many.commandsPerSecond),
      ),
      many: medianLatencies(own.map(({ many }) => many)),
      alone: medianLatencies(own.map(({ alone }) => alone)),
      processorUs: median(of(({ processorUs }) => processorUs)),
      walBytes: medianOrNull(own.map(({ walBytes }) => walBytes)),
      walBytesAlone: medianOrNull(own.map(({ walBytesAlone }) => walBytesAlone)),
      ...failuresOf(own.flatMap(({ many, alone }) => [many, alone])),
    };
  });
}

async function measureRound({ world, postgres }: StoredWorld, seconds: number): Promise<Round> {
  const walAtFirst = await walPosition(postgres);
  const alone = await measureCalls({ ...world.calls, connections: 1, inFlight: 1, seconds });
  const walBefore = await walPosition(postgres);
  const before = world.server.processorSeconds() ?? Number.NaN;
  const many = await measureCalls({ ...world.calls, seconds });
  const used = (world.server.processorSeconds() ?? Number.NaN) - before;
  const walAfter = await walPosition(postgres);
  return {
    many,
    alone,
    processorUs: (used * US_PER_SECOND) / many.accepted,
    walBytes: walBefore === null || walAfter === null ? null : (walAfter - walBefore) / many.accepted,
    walBytesAlone: walAtFirst === null || walBefore === null ? null : (walBefore - walAtFirst) / alone.accepted,
  };
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : median(known);
}

async function walPosition(postgres: Postgres | null): Promise<number | null> {
  return postgres === null ? null : Number(await postgres.psql("SELECT pg_current_wal_lsn() - '0/0'"));
}
