// Gathers what each round of a comparison measured of each revision, and pairs it by the readings' ids.
import { type ComparedReading, compared } from './verdict.js';

/** As much of a reading as a comparison needs. */
export interface RoundReading {
  readonly id: string;
  readonly unit: string;
  readonly isLowerBetter: boolean;
  readonly median: number;
}

export type Side = 'before' | 'after';

interface Gathered {
  readonly unit: string;
  readonly isLowerBetter: boolean;
  readonly before: number[];
  readonly after: number[];
}

export class ReadingRounds {
  readonly #gathered = new Map<string, Gathered>();

  add(side: Side, readings: readonly RoundReading[]): void {
    for (const { id, unit, isLowerBetter, median } of readings) {
      const gathered = this.#gathered.get(id) ?? { unit, isLowerBetter, before: [], after: [] };
      gathered[side].push(median);
      this.#gathered.set(id, gathered);
    }
  }

  /** Readings that every round has of both revisions, in the order in which they came. */
  compared(): ComparedReading[] {
    const whole = [...this.#gathered].filter(([, { before, after }]) => before.length === after.length);
    return whole.map(([id, gathered]) => compared({ id, ...gathered }));
  }

  /** Readings that only one of the revisions has. */
  lonely(): string[] {
    const parts = [...this.#gathered].filter(([, { before, after }]) => before.length !== after.length);
    return parts.map(([id]) => id);
  }
}
