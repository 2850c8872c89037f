// Indexes that are derived from the tables of a world: players by the hashes of their API keys, and fleets by their targets.

import type { PlanetKey } from '../map/universe.js';

/** What the index reads of a player. */
interface KeyHolder {
  readonly number: number;
  readonly keyHash: string | null;
  readonly oldKeyHash: string | null;
}

/** Finds players by the hashes of their API keys. It is made on first use. */
export class KeyHolders {
  #numbers: Map<string, number> | null = null;

  /** Number of the player that has this hash as its key or the key before; 0 for none. */
  numberOf(players: { values(): Iterable<KeyHolder> }, hash: string): number {
    if (this.#numbers === null) {
      this.#numbers = new Map();
      for (const player of players.values()) this.add(player);
    }
    return this.#numbers.get(hash) ?? 0;
  }

  /** Adds the hashes of a player. */
  add({ number, keyHash, oldKeyHash }: KeyHolder): void {
    if (keyHash !== null) this.#numbers?.set(keyHash, number);
    if (oldKeyHash !== null) this.#numbers?.set(oldKeyHash, number);
  }

  /** Removes the hashes of a player. Call it before they change. */
  remove({ keyHash, oldKeyHash }: KeyHolder): void {
    if (keyHash !== null) this.#numbers?.delete(keyHash);
    if (oldKeyHash !== null) this.#numbers?.delete(oldKeyHash);
  }
}

/** What the index reads of a fleet. */
interface Approaching {
  readonly targetKey: PlanetKey;
}

/** Fleets under way, indexed by target planet. */
export class ApproachingFleets<Fleet extends Approaching> {
  readonly #fleets = new Map<PlanetKey, Fleet[]>();

  add(fleet: Fleet): void {
    const others = this.#fleets.get(fleet.targetKey);
    if (others === undefined) this.#fleets.set(fleet.targetKey, [fleet]);
    else others.push(fleet);
  }

  /** Removes a fleet, if it is there. */
  remove(fleet: Fleet): void {
    const fleets = this.#fleets.get(fleet.targetKey);
    const index = fleets?.indexOf(fleet) ?? -1;
    if (fleets === undefined || index === -1) return;
    if (fleets.length === 1) this.#fleets.delete(fleet.targetKey);
    else fleets.splice(index, 1);
  }

  /** The fleets on their way to a planet, in order of launch; after a load, in the order of their rows. */
  to(targetKey: PlanetKey): readonly Fleet[] {
    return this.#fleets.get(targetKey) ?? [];
  }
}
