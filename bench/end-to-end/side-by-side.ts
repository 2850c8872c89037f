// Measures servers in turn, A B A B, so that a drift of the machine touches all of them, and quotes medians.
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
 * @param measure sends one load to its end
 * @param onRound told after each round, from 1
 * @returns in the order of the contestants
 */
export async function measureSideBySide(
  contestants: readonly Contestant[],
  rounds: number,
  measure: (load: ClosedLoad) => Promise<Measurement>,
  onRound: (round: number) => void,
): Promise<Standing[]> {
  const measured = contestants.map((): Measurement[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const index of turnOrder(contestants.length, round)) {
      const { load } = contestants[index] as Contestant;
      measured[index]?.push(await measure({ ...load, requests: portionOf(load, round, rounds) }));
    }
    onRound(round + 1);
  }
  const rates = measured.map((one) => one.map(({ requestsPerSecond }) => requestsPerSecond));
  return contestants.map(({ name }, index) => {
    const own = measured[index] ?? [];
    return {
      name,
      requestsPerSecond: spreadOf(rates[index] ?? []),
      ratio: pairedRatio(rates[0] ?? [], rates[index] ?? []),
      p50Ms: median(own.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(own.map(({ p99Ms }) => p99Ms)),
      p999Ms: median(own.map(({ p999Ms }) => p999Ms)),
      maxMs: median(own.map(({ maxMs }) => maxMs)),
      failures: own.reduce((sum, { failures }) => sum + failures, 0),
    };
  });
}

/** Each begins as often as the others. */
function turnOrder(count: number, round: number): number[] {
  return Array.from({ length: count }, (_, turn) => (turn + round) % count);
}
