// Measures servers or revisions in turn, A B, B A, so that a drift of the machine touches all of them.
import { median, pairedRatio, type Spread, spreadOf } from '../reports/statistics.js';
import { type ClosedLoad, type Latencies, type Measurement, portionOf } from './load.js';

export interface Contestant {
  readonly name: string;
  readonly load: ClosedLoad;
}

export interface Standing extends Latencies {
  readonly name: string;
  readonly requestsPerSecond: Spread;
  /** In all rounds together. */
  readonly failures: number;
  /** Median of the rounds' own ratios of the first contestant's requests per second to this one's; 1 for itself. */
  readonly ratio: number;
}

/**
 * Measures each contestant once a round. Each begins as often as the others.
 *
 * @param onRound called after each round, from 1
 * @returns by contestant, what each round measured
 */
export async function measureInTurn<Contestant, Result>(
  contestants: readonly Contestant[],
  rounds: number,
  measure: (contestant: Contestant, round: number) => Promise<Result>,
  onRound: (round: number) => void,
): Promise<Result[][]> {
  const measured = contestants.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contestants.length; turn += 1) {
      const index = (turn + round) % contestants.length;
      measured[index]?.push(await measure(contestants[index] as Contestant, round));
    }
    onRound(round + 1);
  }
  return measured;
}

/**
 * Measures closed loads in turn, and compares medians.
 *
 * @param measure sends one load to its end
 * @returns in the order of the contestants
 */
export async function measureSideBySide(
  contestants: readonly Contestant[],
  rounds: number,
  measure: (load: ClosedLoad) => Promise<Measurement>,
  onRound: (round: number) => void,
): Promise<Standing[]> {
  const measureRound = ({ load }: Contestant, round: number) =>
    measure({ ...load, requests: portionOf(load, round, rounds) });
  const measured = await measureInTurn(contestants, rounds, measureRound, onRound);
  const rates = measured.map((one) => one.map(({ requestsPerSecond }) => requestsPerSecond));
  return contestants.map(({ name }, index) => {
    const own = measured[index] ?? [];
    return {
      name,
      requestsPerSecond: spreadOf(rates[index] ?? []),
      ratio: pairedRatio(rates[0] ?? [], rates[index] ?? []),
      ...medianLatencies(own),
      failures: failuresOf(own),
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

export function failuresOf(measured: readonly { readonly failures: number }[]): number {
  return measured.reduce((sum, { failures }) => sum + failures, 0);
}
