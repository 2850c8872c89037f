// Chooses where new players start: on the starter planet of a retired player, else in the lowest-numbered galaxy with room under the
// crowding limit, spread over its systems. The cursor only moves forward, so the universe bounds the total number of steps: the
// places of starters that become free behind it are in a list of their own.

import { drawBelow, SALTS } from '../numbers/random.js';
import { GALAXY_COUNT, SLOTS_PER_SYSTEM } from '../rules/limits.js';
import type { PlanetKey, Universe } from './universe.js';

/** In each pass another quarter of the planets of a system may become starters; the crowding limit is one pass. */
export const CROWDING_PASSES = 4;

/** The next place to try for a starter planet. Each turn visits every system for one starter. */
export interface StarterCursor {
  /** How often the crowding limit was raised. */
  pass: number;
  /** 1 to 100. */
  galaxy: number;
  /** Ordinal of the starter being placed in each system; 1 to SLOTS_PER_SYSTEM. */
  turn: number;
  /** Systems visited in this turn. */
  step: number;
}

export class Starters {
  readonly freed = new FreedStarters();
  /** The place after the last one that was taken. */
  readonly cursor: StarterCursor = { pass: 0, galaxy: 1, turn: 1, step: 0 };
  /**
   * Derived: where the search continues. It is ahead of the cursor only by places without room, so a full universe refuses new players at
   * no cost.
   */
  readonly #scout: StarterCursor = { ...this.cursor };
  /** Key of the planet that the last search has found and nobody has taken; -1 if there is none. */
  #foundKey: PlanetKey = -1;
  readonly #isFree = (key: PlanetKey): boolean => !this.planets.has(key);

  constructor(
    private readonly universe: Universe,
    private readonly planets: OwnedPlanets,
  ) {}

  /** Key of the next starter planet; -1 if the universe is full. */
  nextKey(): PlanetKey {
    return this.freed.next ?? this.#seek();
  }

  /**
   * Takes the planet that nextKey() has just found, and moves the cursor past it if it comes from a search. It does not search again, since
   * every creation of a player passes here.
   */
  take(): PlanetKey {
    // It leaves the list when it gets its owner.
    if (this.freed.next !== undefined) return this.freed.next;
    const key = this.#foundKey;
    if (key < 0) throw new Error('no starter planet was found');
    this.#foundKey = -1;
    this.#advance();
    const { pass, galaxy, turn, step } = this.#scout;
    this.cursor.pass = pass;
    this.cursor.galaxy = galaxy;
    this.cursor.turn = turn;
    this.cursor.step = step;
    return key;
  }

  /** Searches from the cursor again: a place without room may have some now, or the cursor has been set. */
  searchAgain(): void {
    Object.assign(this.#scout, this.cursor);
  }

  /** Moves the scout to the first place that has room. @returns the key of its planet; -1 if there is none */
  #seek(): PlanetKey {
    const { universe } = this;
    const scout = this.#scout;
    while (scout.pass < CROWDING_PASSES) {
      const systemKey = universe.systemKey(
        scout.galaxy,
        (scout.step * universe.spreadStride) % universe.systemsPerGalaxy,
      );
      const planetCount = universe.planetCount(systemKey);
      if (isInPass(scout, planetCount)) {
        const places = placesThrough(scout.pass, planetCount);
        this.#foundKey = findStarterPlace(universe, systemKey, places, this.#isFree);
        if (this.#foundKey >= 0) return this.#foundKey;
      }
      this.#advance();
    }
    return -1;
  }

  #advance(): void {
    const scout = this.#scout;
    scout.step += 1;
    if (scout.step < this.universe.systemsPerGalaxy) return;
    scout.step = 0;
    scout.turn += 1;
    const turnMax = Math.floor((SLOTS_PER_SYSTEM * (scout.pass + 1)) / CROWDING_PASSES);
    if (scout.turn <= turnMax) return;
    scout.turn = 1;
    scout.galaxy += 1;
    if (scout.galaxy <= GALAXY_COUNT) return;
    scout.galaxy = 1;
    scout.pass += 1;
  }
}

/**
 * Whether newcomers start on a planet before galaxies get crowded: a quarter of the planets of each system. No other planet becomes a starter
 * while any galaxy has room under the crowding limit.
 */
export function isStarterPlace(universe: Universe, key: PlanetKey): boolean {
  const systemKey = Math.floor(key / SLOTS_PER_SYSTEM);
  const places = placesThrough(0, universe.planetCount(systemKey));
  return findStarterPlace(universe, systemKey, places, (place) => place === key) === key;
}

/**
 * Returns the first planet with a property among the first places of starters in a system; -1 if there is none. It is no generator, since
 * every creation of a player passes here, and a generator costs as much as the rest of it.
 */
function findStarterPlace(
  universe: Universe,
  systemKey: number,
  places: number,
  isWanted: (key: PlanetKey) => boolean,
): PlanetKey {
  const first = drawBelow(SLOTS_PER_SYSTEM, universe.seed, systemKey, SALTS.starterSlot);
  let left = places;
  for (let offset = 0; offset < SLOTS_PER_SYSTEM && left > 0; offset += 1) {
    const slot = ((first + offset) % SLOTS_PER_SYSTEM) + 1;
    if (!universe.hasPlanet(systemKey, slot)) continue;
    left -= 1;
    const key = systemKey * SLOTS_PER_SYSTEM + slot - 1;
    if (isWanted(key)) return key;
  }
  return -1;
}

/** How many planets of a system may become starters in a pass and those before it. */
function placesThrough(pass: number, planetCount: number): number {
  return Math.floor((planetCount * (pass + 1)) / CROWDING_PASSES);
}

/** The planets that have an owner. */
interface OwnedPlanets {
  has(key: PlanetKey): boolean;
}

function isInPass(cursor: StarterCursor, planetCount: number): boolean {
  const { pass, turn } = cursor;
  return turn > placesThrough(pass - 1, planetCount) && turn <= placesThrough(pass, planetCount);
}

/** Starter planets of retired players, on which newcomers start first. All of them are free: a planet that gets an owner is removed. */
class FreedStarters {
  readonly #keys: PlanetKey[] = [];
  /** The place of each planet in the list, indexed by key. */
  readonly #places = new Map<PlanetKey, number>();

  /** The planet that the next newcomer gets; undefined if there is none. */
  get next(): PlanetKey | undefined {
    return this.#keys.at(-1);
  }

  /** All keys in order. The last one is used next. */
  get keys(): readonly PlanetKey[] {
    return this.#keys;
  }

  has(key: PlanetKey): boolean {
    return this.#places.has(key);
  }

  /** @param key not in the list */
  add(key: PlanetKey): void {
    this.#places.set(key, this.#keys.length);
    this.#keys.push(key);
  }

  /** Removes a key, if it is in the list; the last one takes its place. */
  remove(key: PlanetKey): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    const last = this.#keys.pop() as PlanetKey;
    this.#places.delete(key);
    if (last === key) return;
    this.#keys[place] = last;
    this.#places.set(last, place);
  }
}
