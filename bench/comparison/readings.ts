// What a comparison of two revisions says of each reading: how they relate, and whether that is more than noise.
import { isBeyondNoise, pairedRatio, type Spread, spreadOf } from '../reports/statistics.js';

/** As much of a reading as a comparison needs. */
export interface RoundReading {
  readonly id: string;
  readonly unit: string;
  readonly isLowerBetter: boolean;
  readonly median: number;
}

export type Side = 'before' | 'after';

/** The values of one reading in all rounds, by revision. */
export interface GatheredReading extends Omit<RoundReading, 'median'> {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export interface ComparedReading extends Omit<RoundReading, 'median'> {
  readonly before: Spread;
  readonly after: Spread;
  /** Median of the rounds' own ratios, after to before. */
  readonly ratio: number;
  readonly verdict: 'better' | 'worse' | 'within noise';
}

/** Nobody would act on a difference below this share, however steady the machine is. */
const DIFFERENCE_MIN = 0.03;

/** Gathers what each round measured of each revision, and pairs it by the readings' ids. */
export class ReadingRounds {
  readonly #gathered = new Map<string, GatheredReading & Record<Side, number[]>>();

  add(side: Side, readings: readonly RoundReading[]): void {
    for (const { id, unit, isLowerBetter, median } of readings) {
      const gathered = this.#gathered.get(id) ?? { id, unit, isLowerBetter, before: [], after: [] };
      gathered[side].push(median);
      this.#gathered.set(id, gathered);
    }
  }

  /** Readings that every round has of both revisions, in the order in which they came. */
  compared(): ComparedReading[] {
    return [...this.#gathered.values()].filter(isPaired).map(compared);
  }

  /** Ids of readings that only one of the revisions has. */
  lonely(): string[] {
    return [...this.#gathered.values()].filter((gathered) => !isPaired(gathered)).map(({ id }) => id);
  }
}

function isPaired({ before, after }: GatheredReading): boolean {
  return before.length === after.length;
}

export function compared({ id, unit, isLowerBetter, before, after }: GatheredReading): ComparedReading {
  const spreads = { before: spreadOf(before), after: spreadOf(after) };
  const ratio = pairedRatio(after, before);
  return { id, unit, isLowerBetter, ...spreads, ratio, verdict: verdictOf(spreads, isLowerBetter) };
}

/** A difference counts if the inner halves of the rounds do not touch, and the medians differ by enough. */
function verdictOf({ before, after }: Record<Side, Spread>, isLowerBetter: boolean): ComparedReading['verdict'] {
  const difference = Math.abs(after.median / before.median - 1);
  if (!isBeyondNoise(before, after) || difference < DIFFERENCE_MIN) return 'within noise';
  return after.median < before.median === isLowerBetter ? 'better' : 'worse';
}
