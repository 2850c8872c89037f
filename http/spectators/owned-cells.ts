// Who owns how much of each cell of the map: a few neighbouring systems of a galaxy, as many as needed for
// MAP_CELLS_PER_GALAXY_MAX cells. Nothing is kept until somebody asks. Then all planets are looked at once, in slices, and afterwards
// only those that public events name.
import type { KeptEvent } from '../../engine/events/event-log.js';
import { OPEN_WORLD_TOPIC } from '../../engine/events/kinds.js';
import type { PlanetKey } from '../../engine/map/universe.js';
import { GALAXY_COUNT, SLOTS_PER_SYSTEM } from '../../engine/rules/limits.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../../engine/world/state.js';
import { MAP_CATCH_UP_EVENTS_MAX, MAP_CELLS_PER_GALAXY_MAX } from '../limits.js';

export interface Cell {
  /** Number of the player who owns the most planets there, the lowest of several; 0 for nobody. */
  readonly owner: number;
  /** Planets there that have an owner. */
  readonly owned: number;
}

/** What a galaxy shows beside its cells. */
export interface GalaxyCounts {
  /** Planets that have an owner. */
  readonly planets: number;
  /** Players who own planets there. */
  readonly players: number;
}

const NOBODY: Cell = { owner: 0, owned: 0 };
/** End of a list of entries. */
const END = -1;
const INITIAL_ENTRIES = 1_024;
/** How many planets are looked at before the clock is looked at again. */
const PLANETS_PER_CLOCK_LOOK = 512;

export class OwnedCells {
  readonly systemsPerCell: number;
  readonly cellsPerGalaxy: number;
  /** Galaxies of which a cell has changed since they were removed from here. From 1 on. */
  readonly changedGalaxies = new Set<number>();
  readonly #world: ReadonlyWorld;
  /** The first entry of the list of each cell. */
  #firsts = new Int32Array(0);
  // These are indexed by entry: a planet that has an owner.
  #keys = new Int32Array(INITIAL_ENTRIES);
  #owners = new Int32Array(INITIAL_ENTRIES);
  #nexts = new Int32Array(INITIAL_ENTRIES);
  #entryCount = 0;
  /** First entry that is free again. */
  #free = END;
  /** Seq of the last public event that was looked at; null before the first look at all planets. */
  #seq: number | null = null;
  #scan: Iterator<ReadonlyPlanet> | null = null;
  readonly #counts = new Map<number, number>();

  constructor(world: ReadonlyWorld) {
    this.#world = world;
    const { systemsPerGalaxy } = world.universe;
    this.systemsPerCell = Math.ceil(systemsPerGalaxy / MAP_CELLS_PER_GALAXY_MAX);
    this.cellsPerGalaxy = Math.ceil(systemsPerGalaxy / this.systemsPerCell);
  }

  /** Whether all planets have been looked at. */
  get isComplete(): boolean {
    return this.#seq !== null && this.#scan === null;
  }

  /**
   * Catches up with the world.
   *
   * @param endMs by performance.now(): when it stops for now
   * @returns false if more is to be done
   */
  advance(endMs: number): boolean {
    const { eventLog } = this.#world;
    const lastSeq = eventLog.lastSeq(OPEN_WORLD_TOPIC);
    if (this.#seq === null || lastSeq - this.#seq > MAP_CATCH_UP_EVENTS_MAX) this.#restart(lastSeq);
    if (this.#scan !== null && !this.#scanOn(this.#scan, endMs)) return false;
    const seq = this.#seq as number;
    if (seq === lastSeq) return true;
    if (seq < eventLog.oldestSeq(OPEN_WORLD_TOPIC) - 1) {
      this.#seq = null;
      return false;
    }
    this.take(eventLog.read(OPEN_WORLD_TOPIC, seq, lastSeq - seq, this.#world.seq));
    return true;
  }

  /** Takes events that have been read for another purpose. Those that leave a gap, or are known, change nothing. */
  take(events: readonly KeptEvent[]): void {
    if (!this.isComplete) return;
    for (const { seq, event } of events) {
      if (seq !== (this.#seq as number) + 1) continue;
      this.#seq = seq;
      if (event.kind === 'planet_colonized' || event.kind === 'player_joined') this.#refresh(event.planetKey);
      else if (event.kind === 'player_retired') for (const key of event.planetKeys) this.#refresh(key);
    }
  }

  /** @returns the number of a cell, over all galaxies */
  cellOf(key: PlanetKey): number {
    const systemKey = Math.floor(key / SLOTS_PER_SYSTEM);
    const galaxy = Math.floor(systemKey / this.#world.universe.systemsPerGalaxy);
    const system = systemKey - galaxy * this.#world.universe.systemsPerGalaxy;
    return galaxy * this.cellsPerGalaxy + Math.floor(system / this.systemsPerCell);
  }

  cell(cell: number): Cell {
    const first = this.#firsts[cell] ?? END;
    if (first === END) return NOBODY;
    const counts = this.#counts;
    counts.clear();
    let owned = 0;
    for (let entry = first; entry !== END; entry = this.#nexts[entry] as number) {
      const owner = this.#owners[entry] as number;
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
      owned += 1;
    }
    let most = 0;
    let best = 0;
    for (const [owner, count] of counts) {
      if (count < most || (count === most && owner > best)) continue;
      most = count;
      best = owner;
    }
    return { owner: best, owned };
  }

  /** @param galaxy 1 to 100 */
  galaxy(galaxy: number): GalaxyCounts {
    const owners = new Set<number>();
    let planets = 0;
    const start = (galaxy - 1) * this.cellsPerGalaxy;
    for (let cell = start; cell < start + this.cellsPerGalaxy; cell += 1) {
      for (let entry = this.#firsts[cell] ?? END; entry !== END; entry = this.#nexts[entry] as number) {
        owners.add(this.#owners[entry] as number);
        planets += 1;
      }
    }
    return { planets, players: owners.size };
  }

  #restart(lastSeq: number): void {
    this.#seq = lastSeq;
    this.#scan = this.#world.planets.values();
    this.#firsts = new Int32Array(GALAXY_COUNT * this.cellsPerGalaxy).fill(END);
    this.#entryCount = 0;
    this.#free = END;
    for (let galaxy = 1; galaxy <= GALAXY_COUNT; galaxy += 1) this.changedGalaxies.add(galaxy);
  }

  /** Planets may get and lose owners between two slices: the events since the restart name them. */
  #scanOn(scan: Iterator<ReadonlyPlanet>, endMs: number): boolean {
    for (let count = 1; ; count += 1) {
      const { done, value: planet } = scan.next();
      if (done === true) break;
      this.#set(planet.key, planet.ownerNumber);
      if (count % PLANETS_PER_CLOCK_LOOK === 0 && performance.now() >= endMs) return false;
    }
    this.#scan = null;
    return true;
  }

  #refresh(key: PlanetKey): void {
    this.#set(key, this.#world.planets.get(key)?.ownerNumber ?? 0);
    this.changedGalaxies.add(this.#world.universe.positionOf(key).galaxy);
  }

  /** @param owner 0 for nobody */
  #set(key: PlanetKey, owner: number): void {
    const cell = this.cellOf(key);
    let before = END;
    let entry = this.#firsts[cell] as number;
    while (entry !== END && this.#keys[entry] !== key) {
      before = entry;
      entry = this.#nexts[entry] as number;
    }
    if (entry === END) {
      if (owner !== 0) this.#firsts[cell] = this.#newEntry(key, owner, this.#firsts[cell] as number);
    } else if (owner !== 0) {
      this.#owners[entry] = owner;
    } else {
      const next = this.#nexts[entry] as number;
      if (before === END) this.#firsts[cell] = next;
      else this.#nexts[before] = next;
      this.#nexts[entry] = this.#free;
      this.#free = entry;
    }
  }

  #newEntry(key: PlanetKey, owner: number, next: number): number {
    let entry = this.#free;
    if (entry !== END) this.#free = this.#nexts[entry] as number;
    else {
      entry = this.#entryCount;
      this.#entryCount += 1;
      if (entry === this.#keys.length) this.#grow();
    }
    this.#keys[entry] = key;
    this.#owners[entry] = owner;
    this.#nexts[entry] = next;
    return entry;
  }

  #grow(): void {
    this.#keys = twice(this.#keys);
    this.#owners = twice(this.#owners);
    this.#nexts = twice(this.#nexts);
  }
}

function twice(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * values.length);
  larger.set(values);
  return larger;
}
