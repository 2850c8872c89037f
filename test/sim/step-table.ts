// What can happen in a step of a run, and how often. The draws of a step depend only on its own number, so that other
// steps can be left out without changing it.
import type { Draws } from '../support/process/draws.js';
import type { Stage } from './stage.js';

export interface StepKind<Simulation> {
  readonly name: string;
  readonly weight: number;
  /** Whether some runs have none of it, and others have more. */
  readonly varies: boolean;
  /** @returns whether there was anything to do */
  readonly run: (simulation: Simulation, draws: Draws) => Promise<boolean> | boolean;
}

/** Factors of the weights of faults, drawn for each fault and run: a fault that never happens cannot hide another. */
const FACTORS = [0, 1, 1, 3] as const;

/** The kinds of steps of one run, each with the weight that the seed gives to it. */
export class StepTable<Simulation extends { readonly stage: Stage }> {
  readonly #kinds: readonly StepKind<Simulation>[];
  readonly #weights: readonly number[];
  readonly #sum: number;

  constructor(kinds: readonly StepKind<Simulation>[], draws: Draws) {
    this.#kinds = kinds;
    this.#weights = kinds.map(({ weight, varies }) => weight * (varies ? draws.pick(FACTORS) : 1));
    this.#sum = this.#weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** Runs the step that is drawn for this number. @returns whether there was anything to do */
  async run(simulation: Simulation, draws: Draws, index: number): Promise<boolean> {
    const { name, run } = this.#kindFor(draws.below(this.#sum));
    simulation.stage.story.tell(`step ${index}: ${name}`);
    return await run(simulation, draws);
  }

  #kindFor(drawn: number): StepKind<Simulation> {
    let left = drawn;
    const at = this.#weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    return this.#kinds[at] as StepKind<Simulation>;
  }
}
