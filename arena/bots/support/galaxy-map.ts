// Where planets are: overviews of galaxies, which are read now and then, and distances.
import type { Planet, PlayerPort } from '../../bot.js';
import { operation, type Shapes } from '../../galaxyd-client.js';
import { hoursBetween } from './plan.js';

/** World hours, at speed 1, after which an overview is read again. */
const HOURS_MAX = 12;

export interface Place {
  readonly planetId: string;
  readonly galaxyIndex: number;
  readonly index: number;
  readonly slot: number;
  /** Null if nobody owns it. */
  readonly ownerId: string | null;
}

interface Overview {
  readonly readAt: string;
  readonly places: readonly Place[];
}

export class GalaxyMap {
  readonly #overviews = new Map<number, Overview>();

  /** All planets of the galaxy of a planet, at most some hours old. */
  placesAround(port: PlayerPort, { system: { galaxyIndex } }: Planet): Promise<readonly Place[]> {
    return this.placesIn(port, galaxyIndex);
  }

  async placesIn(port: PlayerPort, galaxyIndex: number): Promise<readonly Place[]> {
    const known = this.#overviews.get(galaxyIndex);
    if (known !== undefined && hoursBetween(known.readAt, port.now) * port.catalog.speed < HOURS_MAX)
      return known.places;
    const read = operation.get('/api/game/galaxy/{galaxy}', { params: { path: { galaxy: galaxyIndex } } });
    const places = placesOf(await port.read(read));
    this.#overviews.set(galaxyIndex, { readAt: port.now, places });
    return places;
  }
}

/** Where a planet is, by its id. Its owner is not known. */
export function placeOf(planetId: string): Place {
  const [galaxyIndex = 0, index = 0, slot = 0] = planetId.split('-').slice(1).map(Number);
  return { planetId, galaxyIndex, index, slot, ownerId: null };
}

/** The distance of a flight within a galaxy (docs/rules.md: Flight). */
export function distance(port: PlayerPort, from: Planet, to: Place): number {
  const { perSlot, betweenSystemsBase, perSystem } = port.catalog.constants;
  const systems = Math.abs(from.system.index - to.index);
  if (systems === 0) return Number(perSlot) * Math.abs(from.slot - to.slot);
  return Number(betweenSystemsBase) + Number(perSystem) * systems;
}

/** The distance of a flight to another galaxy. */
export const distanceBetweenGalaxies = ({ catalog: { constants } }: PlayerPort, galaxies: number): number =>
  Number(constants['betweenGalaxiesBase']) + Number(constants['perGalaxy']) * galaxies;

/** Sorts places by their distance from a planet. */
export const byDistance = (port: PlayerPort, from: Planet, places: readonly Place[]): Place[] =>
  [...places].sort((one, other) => distance(port, from, one) - distance(port, from, other) || order(one, other));

const order = (one: Place, other: Place): number => one.index - other.index || one.slot - other.slot;

/** Places by overview. A swarm gives the same overview to many bots, which then share its places. */
const places = new WeakMap<Shapes['GalaxyOverview'], readonly Place[]>();

function placesOf(overview: Shapes['GalaxyOverview']): readonly Place[] {
  const known = places.get(overview) ?? listed(overview);
  places.set(overview, known);
  return known;
}

function listed({ galaxy, systems }: Shapes['GalaxyOverview']): Place[] {
  return systems.flatMap(({ index, freeSlots, owners }) => {
    const placeOf = (slot: number, ownerId: string | null): Place => {
      return { planetId: `planet-${galaxy.index}-${index}-${slot}`, galaxyIndex: galaxy.index, index, slot, ownerId };
    };
    const owned = owners.flatMap(({ playerId, slots }) => slots.map((slot) => placeOf(slot, playerId)));
    return [...freeSlots.map((slot) => placeOf(slot, null)), ...owned];
  });
}
