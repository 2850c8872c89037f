// Renders the overview of a galaxy, and a star system with the public fields of its planets. Only owners can change there, so a text is
// kept until that happens, and rendered again only when somebody asks for it.
import { viewSystem } from '../../engine/queries/galaxy.js';
import { playerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { contentVersion } from '../exchange/entity-tags.js';
import { GALAXY_CACHE_BYTES_MAX, SYSTEM_CACHE_BYTES_MAX } from '../limits.js';
import type { GalaxyOverviewBody } from '../schemas/planet.js';
import { GenerationCache } from './generation-cache.js';
import type { PlanetView } from './planet-view.js';
import { flat, fragment, type TextWriter } from './text-writer.js';

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
    // Nothing is left of a planet that lost its owner, so the seq is that of the present.
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

export interface SystemText {
  /** Never overwritten. */
  readonly bytes: Uint8Array;
  readonly tag: string;
  /** At least the seq of the entry that last changed an owner there. */
  readonly changedSeq: number;
}

interface KeptSystem extends SystemText {
  readonly ownedCount: number;
  /** Seq of the last loss of an owner anywhere, when the text was rendered. */
  readonly removedSeq: number;
  /** Version of all owners when the text was last found valid. */
  ownersVersion: number;
}

/** The weight of a cached system besides its bytes: the objects around them. */
const OVERHEAD_BYTES = 256;

export class SystemView {
  readonly #world: ReadonlyWorld;
  readonly #planets: PlanetView;
  readonly #writer: TextWriter;
  readonly #tagOf: (version: string) => string;
  readonly #kept = new GenerationCache<number, KeptSystem>(
    SYSTEM_CACHE_BYTES_MAX,
    ({ bytes }) => bytes.length + OVERHEAD_BYTES,
  );

  constructor(world: ReadonlyWorld, planets: PlanetView, writer: TextWriter, tagOf: (version: string) => string) {
    this.#world = world;
    this.#planets = planets;
    this.#writer = writer;
    this.#tagOf = tagOf;
  }

  /**
   * A system with all of its planets, owned or not, by slot.
   *
   * @param galaxy 1 to 100
   * @param system 0 to systemsPerGalaxy - 1; it must exist
   */
  text(galaxy: number, system: number): SystemText {
    const { ownersVersion, removedSeq } = this.#world.planets;
    const systemKey = this.#world.universe.systemKey(galaxy, system);
    const kept = this.#kept.get(systemKey);
    if (kept !== undefined) {
      if (kept.ownersVersion === ownersVersion) return kept;
      // As long as no planet loses its owner, an unchanged count of owned planets means unchanged owners.
      if (kept.removedSeq === removedSeq && kept.ownedCount === this.#countOwned(systemKey)) {
        kept.ownersVersion = ownersVersion;
        return kept;
      }
    }
    const fresh = this.#render(galaxy, system);
    this.#kept.set(systemKey, fresh);
    return fresh;
  }

  #countOwned(systemKey: number): number {
    const { universe, planets } = this.#world;
    let count = 0;
    for (const key of universe.planetKeys(systemKey)) if (planets.has(key)) count += 1;
    return count;
  }

  #render(galaxy: number, system: number): KeptSystem {
    const facts = viewSystem(this.#world, galaxy, system);
    if (facts === undefined) throw new Error(`there is no system ${system} in galaxy ${galaxy}`);
    const { star, planets, changedSeq } = facts;
    const { ownersVersion, removedSeq } = this.#world.planets;
    const writer = this.#writer;
    writer.begin();
    const galaxyText = `{"id":"galaxy-${galaxy}","index":${galaxy}}`;
    const systemHead = `{"id":"system-${galaxy}-${system}","index":${system},"star":${JSON.stringify(star)}}`;
    writer.fragment(fragment(`{"galaxy":${galaxyText},"system":${systemHead},"planets":[`));
    let ownedCount = 0;
    for (const { key, planet } of planets) {
      if (planet !== undefined) ownedCount += 1;
      this.#planets.writeSummary(key, planet?.owner);
      writer.fragment(COMMA);
    }
    writer.dropComma();
    writer.fragment(LIST_END);
    // A copy: a view would keep the whole slab of the writer in memory.
    const bytes = new Uint8Array(writer.take());
    // Between two losses of owners anywhere, the number of owners of a system only grows.
    const tag = flat(this.#tagOf(`owners${ownedCount}-${removedSeq}`));
    return { bytes, tag, changedSeq: Math.max(changedSeq, removedSeq), ownedCount, removedSeq, ownersVersion };
  }
}

const COMMA = fragment(',');
const LIST_END = fragment(']}');
