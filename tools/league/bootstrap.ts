// Figures with intervals, from the games of a league or of a search.
import { BOOTSTRAP_ROUNDS } from '../../arena/limits.js';
import { Random } from '../../arena/random.js';
import { exponential, intervalAround } from '../../arena/tournament/ratings.js';

/** Computes a figure from weights of the games. */
type Statistic = (weights: readonly number[]) => number;

/** A figure and its 95 % interval. */
export interface Estimate {
  readonly figure: number;
  readonly interval: readonly [low: number, high: number];
}

/** Estimates figures with intervals by the Bayesian bootstrap, as ratings.ts does. */
export class Bootstrap {
  readonly #even: readonly number[];
  readonly #draws: readonly (readonly number[])[];

  constructor(gameCount: number) {
    const random = new Random('bars/bootstrap');
    this.#even = Array.from({ length: gameCount }, () => 1);
    this.#draws = Array.from({ length: BOOTSTRAP_ROUNDS }, () => this.#even.map(() => exponential(random)));
  }

  estimate(statistic: Statistic): Estimate {
    const figure = statistic(this.#even);
    return { figure, interval: intervalAround(figure, this.#draws.map(statistic)) };
  }

  /** The figure for the mean of a value of each game. */
  mean(values: readonly number[]): Estimate {
    return this.estimate((weights) => weightedMean(values, weights));
  }
}

export const weightedMean = (values: readonly number[], weights: readonly number[]): number => {
  const weight = weights.reduce((sum, each) => sum + each, 0);
  return values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0) / weight;
};
