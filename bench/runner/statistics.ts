// Medians, quartiles and ratios of measurements. Pure: it knows nothing of what was measured.

/** The median of a set of measurements and the quartiles around it. */
export interface Spread {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

/**
 * The value below which a share of all values lies, between two values by linear interpolation (Hyndman and Fan, type 7).
 *
 * @param share 0 to 1
 * @returns NaN if there are no values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function spreadOf(values: readonly number[]): Spread {
  return { lower: quantile(values, 0.25), median: median(values), upper: quantile(values, 0.75) };
}

/**
 * Median of the rounds' own ratios: what drifts with the machine cancels within each round.
 *
 * @param values one of each round
 * @param baseline one of each round, in the same order
 */
export function pairedRatio(values: readonly number[], baseline: readonly number[]): number {
  return median(values.map((value, round) => value / (baseline[round] ?? Number.NaN)));
}

/** Whether the inner halves do not touch, so that the difference is more than the noise of the rounds. */
export function isBeyondNoise(one: Spread, other: Spread): boolean {
  return one.lower > other.upper || other.lower > one.upper;
}

/** The largest value less the smallest, as a share of their median. */
export function relativeRange(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}
