// Fleets under way, indexed by target planet. The index is derived from the fleets.
import type { PlanetKey } from '../map/universe.js';

/** What the index reads of a fleet. */
interface Approaching {
  readonly targetKey: PlanetKey;
}

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
