// Where planets are, what stars they have and how far apart they are. All of it is derived from the seed, and only a cache is stored.
// It knows nothing about owners.

import { draw, drawBelow, SALTS } from '../numbers/random.js';
import { GALAXY_COUNT, PLANETS_PER_SYSTEM_MIN, SLOTS_PER_SYSTEM } from '../rules/limits.js';
import { designation, STAR_TYPES } from './stars.js';

/** Types of flights. They and their distances are fixed by the specification: a distance is linear in the largest unit that differs. */
export const FLIGHT_TYPES = ['intraSystem', 'interSystem', 'interGalaxy'] as const;
export type FlightTypeName = (typeof FLIGHT_TYPES)[number];
const INTRA_SYSTEM = 0;
const INTER_SYSTEM = 1;
const INTER_GALAXY = 2;

export const DISTANCE = {
  perSlot: 5,
  betweenSystemsBase: 100,
  perSystem: 20,
  betweenGalaxiesBase: 2100,
  perGalaxy: 500,
} as const;

/** Position of a planet as one integer: ((galaxy - 1) x systemsPerGalaxy + system) x 30 + slot - 1. */
export type PlanetKey = number;

export interface Position {
  /** 1 to 100. */
  readonly galaxy: number;
  /** 0 to systemsPerGalaxy - 1. */
  readonly system: number;
  /** 1 to 30. */
  readonly slot: number;
}

export interface Star {
  readonly name: string;
  readonly type: string;
  /** Kelvin. */
  readonly temperature: number;
}

export class Universe {
  /** Steps of about 0.618 of a galaxy visit each of its systems once, and successive ones are far apart. */
  readonly spreadStride: number;
  /** Indexed by system. Bit s - 1 is set if slot s holds a planet; 0 if not yet derived. */
  readonly #slotMasks: Int32Array;

  constructor(
    readonly seed: number,
    readonly systemsPerGalaxy: number,
  ) {
    this.spreadStride = coprimeFrom(Math.floor(systemsPerGalaxy * 0.618), systemsPerGalaxy);
    this.#slotMasks = new Int32Array(GALAXY_COUNT * systemsPerGalaxy);
  }

  /** Key of the planet at a position, or -1 if there is none. */
  keyAt(galaxy: number, system: number, slot: number): PlanetKey {
    if (!this.hasSystem(galaxy, system) || !isWithin(slot, 1, SLOTS_PER_SYSTEM)) return -1;
    const systemKey = this.systemKey(galaxy, system);
    return this.hasPlanet(systemKey, slot) ? systemKey * SLOTS_PER_SYSTEM + slot - 1 : -1;
  }

  hasSystem(galaxy: number, system: number): boolean {
    return isWithin(galaxy, 1, GALAXY_COUNT) && isWithin(system, 0, this.systemsPerGalaxy - 1);
  }

  /** True if the key is that of a planet of this universe. */
  holds(key: PlanetKey): boolean {
    if (!isWithin(key, 0, GALAXY_COUNT * this.systemsPerGalaxy * SLOTS_PER_SYSTEM - 1)) return false;
    return this.hasPlanet(Math.floor(key / SLOTS_PER_SYSTEM), (key % SLOTS_PER_SYSTEM) + 1);
  }

  positionOf(key: PlanetKey): Position {
    const systemKey = Math.floor(key / SLOTS_PER_SYSTEM);
    return {
      galaxy: Math.floor(systemKey / this.systemsPerGalaxy) + 1,
      system: systemKey % this.systemsPerGalaxy,
      slot: (key % SLOTS_PER_SYSTEM) + 1,
    };
  }

  /** One integer for a system: (galaxy - 1) x systemsPerGalaxy + system. */
  systemKey(galaxy: number, system: number): number {
    return (galaxy - 1) * this.systemsPerGalaxy + system;
  }

  hasPlanet(systemKey: number, slot: number): boolean {
    return (this.#slotMask(systemKey) & (1 << (slot - 1))) !== 0;
  }

  /** Keys of all planets of a system, by slot. */
  planetKeys(systemKey: number): PlanetKey[] {
    const keys: PlanetKey[] = [];
    for (let slot = 1; slot <= SLOTS_PER_SYSTEM; slot += 1) {
      if (this.hasPlanet(systemKey, slot)) keys.push(systemKey * SLOTS_PER_SYSTEM + slot - 1);
    }
    return keys;
  }

  /** True for one planet of each system. */
  hasAsteroids(key: PlanetKey): boolean {
    const systemKey = Math.floor(key / SLOTS_PER_SYSTEM);
    return this.asteroidsKey(systemKey) === key;
  }

  /** Key of the planet of a system beside which its asteroids are. */
  asteroidsKey(systemKey: number): PlanetKey {
    const keys = this.planetKeys(systemKey);
    return keys[drawBelow(keys.length, this.seed, systemKey, SALTS.asteroids)] as PlanetKey;
  }

  /** 10 to 30. */
  planetCount(systemKey: number): number {
    const span = SLOTS_PER_SYSTEM - PLANETS_PER_SYSTEM_MIN + 1;
    return PLANETS_PER_SYSTEM_MIN + drawBelow(span, this.seed, systemKey, SALTS.planetCount);
  }

  star(systemKey: number): Star {
    const type = STAR_TYPES[drawBelow(STAR_TYPES.length, this.seed, systemKey, SALTS.starType)] ?? STAR_TYPES[0];
    const span = type.hottestKelvin - type.coolestKelvin + 1;
    return {
      name: designation(draw(this.seed, systemKey, SALTS.starName)),
      type: type.type,
      temperature: type.coolestKelvin + drawBelow(span, this.seed, systemKey, SALTS.starTemperature),
    };
  }

  planetName(key: PlanetKey): string {
    const systemKey = Math.floor(key / SLOTS_PER_SYSTEM);
    return `${designation(draw(this.seed, systemKey, SALTS.starName))} ${(key % SLOTS_PER_SYSTEM) + 1}`;
  }

  #slotMask(systemKey: number): number {
    const cached = this.#slotMasks[systemKey] as number;
    if (cached !== 0) return cached;
    const mask = this.#deriveSlotMask(systemKey);
    this.#slotMasks[systemKey] = mask;
    return mask;
  }

  /** Draws planetCount different slots by a partial shuffle of all thirty. */
  #deriveSlotMask(systemKey: number): number {
    const slots: number[] = [];
    for (let slot = 0; slot < SLOTS_PER_SYSTEM; slot += 1) slots.push(slot);
    let mask = 0;
    const planetCount = this.planetCount(systemKey);
    for (let taken = 0; taken < planetCount; taken += 1) {
      const choice = systemKey * SLOTS_PER_SYSTEM + taken;
      const pick = taken + drawBelow(SLOTS_PER_SYSTEM - taken, this.seed, choice, SALTS.slotChoice);
      const slot = slots[pick] as number;
      slots[pick] = slots[taken] as number;
      mask |= 1 << slot;
    }
    return mask;
  }
}

/** Type of the flight between two positions: an index into FLIGHT_TYPES. */
export function flightTypeBetween(from: Position, to: Position): number {
  if (from.galaxy !== to.galaxy) return INTER_GALAXY;
  return from.system === to.system ? INTRA_SYSTEM : INTER_SYSTEM;
}

/** Distance units between two positions; linear in galaxies, systems or slots, the largest of them that differs. */
export function distanceBetween(from: Position, to: Position): number {
  const galaxies = Math.abs(from.galaxy - to.galaxy);
  if (galaxies > 0) return DISTANCE.betweenGalaxiesBase + DISTANCE.perGalaxy * galaxies;
  const systems = Math.abs(from.system - to.system);
  if (systems > 0) return DISTANCE.betweenSystemsBase + DISTANCE.perSystem * systems;
  return DISTANCE.perSlot * Math.abs(from.slot - to.slot);
}

function isWithin(value: number, lowest: number, highest: number): boolean {
  return Number.isInteger(value) && value >= lowest && value <= highest;
}

/** The smallest number that is at least `lowest`, at least 1, and coprime to `modulus`. */
function coprimeFrom(lowest: number, modulus: number): number {
  let candidate = Math.max(1, lowest);
  while (greatestCommonDivisor(candidate, modulus) !== 1) candidate += 1;
  return candidate;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
