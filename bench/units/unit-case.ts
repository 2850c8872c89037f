// What a unit bench is made of: cases that belong together, each measured in one of three ways, and the readings they give.
import type { Rules } from '../../engine/rules/rules.js';
import { STANDARD_1_RULES, STANDARD_2_RULES } from '../../engine/rules/shipped.js';
import type { Spread } from '../runner/statistics.js';

/** One number that was measured. */
export interface Reading extends Spread {
  /** Group, case and size; the same in every revision, so that revisions can be compared. */
  readonly id: string;
  /** Such as `ns per command`. */
  readonly unit: string;
  readonly isLowerBetter: boolean;
  /** Measurements that the median is of. */
  readonly samples: number;
}

/** Can be run over and over: it leaves everything as it was found, or goes on for ever. */
export interface SteadyCase {
  readonly kind: 'steady';
  readonly name: string;
  /** What one run does `countPerRun` of, such as `command`. */
  readonly unit: string;
  readonly countPerRun: number;
  /** Called once, before the clock runs. What a run returns is consumed. */
  prepare(): (() => unknown) | Promise<() => unknown>;
  close?(): Promise<void>;
}

/** Needs something new for each run, which benny cannot leave out of its clock. */
export interface OneShotCase {
  readonly kind: 'one-shot';
  readonly name: string;
  readonly unit: string;
  /** Prepares one run, off the clock. */
  prepare(): OneShot | Promise<OneShot>;
  /** Called after the last run. */
  close?(): Promise<void>;
}

export interface OneShot {
  /** Units that the run does. */
  readonly count: number;
  run(): unknown;
}

/** Measures in its own way, such as memory. Its readings have names that complete its id. */
export interface DirectCase {
  readonly kind: 'direct';
  readonly name: string;
  measure(): Promise<readonly DirectReading[]>;
}

export type DirectReading = Omit<Reading, 'id'> & { readonly name: string };

export type UnitCase = SteadyCase | OneShotCase | DirectCase;

/** How long a case is measured. */
export interface Effort {
  readonly steadySeconds: number;
  /** Duration of all runs of a one-shot case together, preparation included. */
  readonly oneShotSeconds: number;
  readonly oneShotRunsMin: number;
  readonly oneShotRunsMax: number;
}

export const EFFORTS = {
  short: { steadySeconds: 0.3, oneShotSeconds: 0.6, oneShotRunsMin: 5, oneShotRunsMax: 100 },
  full: { steadySeconds: 2, oneShotSeconds: 6, oneShotRunsMin: 7, oneShotRunsMax: 400 },
} as const satisfies Record<string, Effort>;

/** Rules of the worlds that are measured. A task names them: it goes to another process. */
const MEASURED_RULES = { 'standard-1': STANDARD_1_RULES, 'standard-2': STANDARD_2_RULES } as const satisfies Record<
  string,
  Rules
>;

export type RulesName = keyof typeof MEASURED_RULES;
export const RULES_NAMES = Object.keys(MEASURED_RULES) as RulesName[];

export function rulesOf({ rules }: Pick<UnitSizes, 'rules'>): Rules {
  return MEASURED_RULES[rules];
}

export interface UnitSizes {
  /** Players in its worlds; 0 if the group is not about that. */
  readonly players: number;
  readonly isFull: boolean;
  /** Seed of all choices. */
  readonly seed: number;
  /** Ids of readings name it unless it is `standard-1`. */
  readonly rules: RulesName;
}

/** One group, to be measured in a process of its own. */
export interface UnitTask extends UnitSizes {
  readonly group: string;
  /** Only cases whose names contain this; '' for all. */
  readonly only: string;
}

export interface UnitAnswer {
  readonly readings: readonly Reading[];
  /** Number of results that were consumed. */
  readonly consumed: number;
}

/** Cases are made one after the other, so that only the world of the present one is in memory. */
export type UnitGroup = (sizes: UnitSizes) => Iterable<UnitCase>;
