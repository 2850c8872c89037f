// Measures two servers in turn, A B A B, so that a drift of the machine touches both, and quotes medians.
import type { Load, Measurement } from './wrk.js';
import { measure } from './wrk.js';

export interface Comparison {
  readonly title: string;
  readonly connections: number;
  readonly rounds: number;
  readonly tested: Measurement;
  readonly bare: Measurement;
  /** Median of the rounds' own ratios of requests per second. */
  readonly ratio: number;
}

export interface Pair {
  readonly title: string;
  readonly tested: Load;
  readonly bare: Load;
}

/** @param onRound told after each round, from 1 */
export async function compare(pair: Pair, rounds: number, onRound: (round: number) => void): Promise<Comparison> {
  const tested: Measurement[] = [];
  const bare: Measurement[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tested.push(await measure(pair.tested));
    bare.push(await measure(pair.bare));
    onRound(round);
  }
  const ratios = tested.map((one, index) => one.requestsPerSecond / (bare[index]?.requestsPerSecond ?? Number.NaN));
  const { title } = pair;
  return {
    title,
    connections: pair.tested.connections,
    rounds,
    tested: medians(tested),
    bare: medians(bare),
    ratio: median(ratios),
  };
}

function medians(measurements: readonly Measurement[]): Measurement {
  return {
    requestsPerSecond: median(measurements.map((one) => one.requestsPerSecond)),
    p50Ms: median(measurements.map((one) => one.p50Ms)),
    p99Ms: median(measurements.map((one) => one.p99Ms)),
    failures: measurements.reduce((total, one) => total + one.failures, 0),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
