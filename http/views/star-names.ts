// The names of stars as bytes, in one block of memory for the whole universe. Every planet shown is named after its
// star, and generating a name takes longer than writing all the rest of a planet's head.

import type { PlanetKey, Position, Universe } from '../../engine/map/universe.js';
import { GALAXY_COUNT } from '../../engine/rules/limits.js';
import type { TextWriter } from './text-writer.js';

/** One byte for the length, then the letters. */
const BYTES_PER_NAME = 16;

export class StarNames {
  readonly #universe: Universe;
  readonly #names: Uint8Array;

  constructor(universe: Universe) {
    this.#universe = universe;
    this.#names = new Uint8Array(GALAXY_COUNT * universe.systemsPerGalaxy * BYTES_PER_NAME);
  }

  /** Writes a planet's name without the slot at its end. Names need no escaping. */
  write(writer: TextWriter, key: PlanetKey, { galaxy, system, slot }: Position): void {
    const start = this.#universe.systemKey(galaxy, system) * BYTES_PER_NAME;
    if (this.#names[start] === 0) this.#keep(start, this.#universe.planetName(key).slice(0, -String(slot).length));
    writer.part(this.#names, start + 1, this.#names[start] as number);
  }

  #keep(start: number, name: string): void {
    if (name.length >= BYTES_PER_NAME) throw new Error(`the name of the star is too long: ${name}`);
    for (let index = 0; index < name.length; index += 1) this.#names[start + 1 + index] = name.charCodeAt(index);
    this.#names[start] = name.length;
  }
}
