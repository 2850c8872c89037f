// Seeded random choices for bots. The same seed gives the same choices on every machine. Bots use no other source of chance.
import { createHash } from 'node:crypto';

const WORD_VALUES = 2 ** 32;

/** A stream of choices: sfc32 of the PractRand suite (public domain), seeded with a hash of a text. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    const digest = createHash('sha256').update(seed).digest();
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
  }

  /** The choices of a player in a run. */
  static of(seed: number | string, playerName: string): Random {
    return new Random(`${seed}/${playerName}`);
  }

  /** @param bound from 1 to 2^32 @returns an integer from 0 to bound - 1 */
  below(bound: number): number {
    return Math.floor((this.#word() * bound) / WORD_VALUES);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#word() < probability * WORD_VALUES;
  }

  /** @returns one of the things; undefined if there are none */
  pick<Thing>(things: readonly Thing[]): Thing | undefined {
    return things[this.below(Math.max(1, things.length))];
  }

  /** @returns the things in random order (Fisher and Yates) */
  shuffled<Thing>(things: readonly Thing[]): Thing[] {
    const order = [...things];
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other] as Thing, order[last] as Thing];
    }
    return order;
  }

  #word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}
