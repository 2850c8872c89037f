// What a comparison of two revisions says of one reading: how they relate, and whether that is more than noise.
import { isBeyondNoise, pairedRatio, type Spread, spreadOf } from '../reports/statistics.js';

/** The values of one reading in all rounds, one revision after the other. */
export interface ReadingRounds {
  readonly id: string;
  readonly unit: string;
  readonly isLowerBetter: boolean;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export type Verdict = 'better' | 'worse' | 'within noise';

export interface ComparedReading {
  readonly id: string;
  readonly unit: string;
  readonly isLowerBetter: boolean;
  readonly before: Spread;
  readonly after: Spread;
  /** Median of the rounds' own ratios, after to before. */
  readonly ratio: number;
  readonly verdict: Verdict;
}

export function compared({ id, unit, isLowerBetter, before, after }: ReadingRounds): ComparedReading {
  const spreadBefore = spreadOf(before);
  const spreadAfter = spreadOf(after);
  return {
    id,
    unit,
    isLowerBetter,
    before: spreadBefore,
    after: spreadAfter,
    ratio: pairedRatio(after, before),
    verdict: verdictOf(spreadBefore, spreadAfter, isLowerBetter),
  };
}

/** Differences below this share are none that anybody would act on, however steady the machine is. */
const DIFFERENCE_MIN = 0.03;

/** A difference counts where the inner halves of the rounds do not touch, and the medians differ by enough. */
function verdictOf(before: Spread, after: Spread, isLowerBetter: boolean): Verdict {
  const difference = Math.abs(after.median / before.median - 1);
  if (!isBeyondNoise(before, after) || difference < DIFFERENCE_MIN) return 'within noise';
  return after.median < before.median === isLowerBetter ? 'better' : 'worse';
}
