// Measures servers or revisions in turn, A B, B A, so that a drift of the machine touches all of them.
import { median, pairedRatio, type Spread, spreadOf } from '../reports/statistics.js';
import type { ClosedLoad, Latencies, Measurement } from './load.js';

export interface Contestant {
  readonly name: string;
  readonly load: ClosedLoad;
}

/** Failures are those of all rounds together. */
export interface Standing extends Latencies, Failures {
  readonly name: string;
  readonly requestsPerSecond: Spread;
  /** Median of the rounds' own ratios of the first contestant's requests per second to this one's; 1 for itself. */
  readonly ratio: number;
}

/** How contestants are measured in turn. */
export interface Turns<Contestant, Result> {
  readonly rounds: number;
  /** @param round from 0 */
  measure(contestant: Contestant, round: number): Promise<Result>;
  /** Called after each round. @param round from 1 */
  onRound(round: number): void;
  /**
   * Called once, after the last round, or with the rounds before if one fails.
   *
   * @param measured by contestant, what each whole round measured; one round at least
   */
  conclude(measured: readonly (readonly Result[])[]): void;
}

/** Measures each contestant once a round. Each begins as often as the others. */
export async function measureInTurn<Contestant, Result>(
  contestants: readonly Contestant[],
  { rounds, measure, onRound, conclude }: Turns<Contestant, Result>,
): Promise<void> {
  const measured = contestants.map((): Result[] => []);
  let round = 0;
  try {
    for (; round < rounds; round += 1) {
      for (let turn = 0; turn < contestants.length; turn += 1) {
        const index = (turn + round) % contestants.length;
        measured[index]?.push(await measure(contestants[index] as Contestant, round));
      }
      onRound(round + 1);
    }
  } finally {
    if (round > 0) conclude(measured.map((own) => own.slice(0, round)));
  }
}

/** Compares medians. @returns in the order of the contestants */
export function standingsOf(
  contestants: readonly Pick<Contestant, 'name'>[],
  measured: readonly (readonly Measurement[])[],
): Standing[] {
  const rates = measured.map((one) => one.map(({ requestsPerSecond }) => requestsPerSecond));
  return contestants.map(({ name }, index) => {
    const own = measured[index] ?? [];
    return {
      name,
      requestsPerSecond: spreadOf(rates[index] ?? []),
      ratio: pairedRatio(rates[0] ?? [], rates[index] ?? []),
      ...medianLatencies(own),
      ...failuresOf(own),
    };
  });
}

export function medianLatencies(measured: readonly Latencies[]): Latencies {
  return {
    p50Ms: median(measured.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(measured.map(({ p99Ms }) => p99Ms)),
    p999Ms: median(measured.map(({ p999Ms }) => p999Ms)),
    maxMs: median(measured.map(({ maxMs }) => maxMs)),
  };
}

export interface Failures {
  readonly failures: number;
  /** What is known of the first one. */
  readonly firstFailure?: string;
}

/** The failures of all rounds together. */
export function failuresOf(measured: readonly Failures[]): Failures {
  const failures = measured.reduce((sum, round) => sum + round.failures, 0);
  const firstFailure = measured.find((round) => round.firstFailure !== undefined)?.firstFailure;
  return { failures, ...(firstFailure === undefined ? {} : { firstFailure }) };
}
