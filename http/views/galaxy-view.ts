// Renders the overview of a galaxy: who owns what in each system, and what is free. It is derived anew after the owner of
// any planet has changed, and only when it is asked for.
import { playerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { contentVersion } from '../exchange/entity-tags.js';
import { GALAXY_CACHE_BYTES_MAX } from '../limits.js';
import type { GalaxyOverviewBody } from '../schemas/planet.js';
import { GenerationCache } from './generation-cache.js';
import { flat } from './text-writer.js';

export interface GalaxyText {
  readonly text: string;
  readonly tag: string;
  /** At least the seq of the entry that last changed an owner there. */
  readonly changedSeq: number;
}

interface KeptGalaxy extends GalaxyText {
  readonly ownersVersion: number;
}

type SystemOverview = GalaxyOverviewBody['systems'][number];

export class GalaxyView {
  readonly #world: ReadonlyWorld;
  readonly #tagOf: (version: string) => string;
  readonly #kept = new GenerationCache<number, KeptGalaxy>(GALAXY_CACHE_BYTES_MAX, ({ text }) => text.length);

  constructor(world: ReadonlyWorld, tagOf: (version: string) => string) {
    this.#world = world;
    this.#tagOf = tagOf;
  }

  /** @param galaxy 1 to 100 */
  text(galaxy: number): GalaxyText {
    const { ownersVersion } = this.#world.planets;
    const kept = this.#kept.get(galaxy);
    if (kept?.ownersVersion === ownersVersion) return kept;
    const text = flat(JSON.stringify(this.#body(galaxy)));
    const tag = flat(this.#tagOf(contentVersion(text)));
    // Of a planet that lost its owner nothing is left, so the seq is that of the present.
    const fresh = { text, tag, changedSeq: this.#world.seq, ownersVersion };
    this.#kept.set(galaxy, fresh);
    return fresh;
  }

  #body(galaxy: number): GalaxyOverviewBody {
    const { systemsPerGalaxy } = this.#world.universe;
    return {
      galaxy: { id: `galaxy-${galaxy}`, index: galaxy },
      systems: Array.from({ length: systemsPerGalaxy }, (_, system) => this.#system(galaxy, system)),
    };
  }

  #system(galaxy: number, system: number): SystemOverview {
    const { universe, planets } = this.#world;
    const keys = universe.planetKeys(universe.systemKey(galaxy, system));
    const freeSlots: number[] = [];
    const slotsByOwner = new Map<number, number[]>();
    for (const key of keys) {
      const { slot } = universe.positionOf(key);
      const owner = planets.get(key)?.ownerNumber;
      if (owner === undefined) freeSlots.push(slot);
      else slotsByOwner.set(owner, [...(slotsByOwner.get(owner) ?? []), slot]);
    }
    return {
      id: `system-${galaxy}-${system}`,
      index: system,
      planets: keys.length,
      free: freeSlots.length,
      freeSlots,
      owners: [...slotsByOwner].map(([number, slots]) => ({ playerId: playerId(this.#world, number), slots })),
    };
  }
}
