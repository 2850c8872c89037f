// Where planets are: the overviews of galaxies, read now and then, and what is near a planet.
import type { Hand, Planet } from '../../bot.js';
import { operation, type Shapes } from '../../galaxyd-client.js';
import { hoursBetween } from './plan.js';

/** World hours, at speed 1, for which an overview is good enough. */
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

export class Atlas {
  readonly #overviews = new Map<number, Overview>();

  /** All planets of the galaxy in which a planet is, as they were some hours ago at most. */
  placesAround(hand: Hand, { system: { galaxyIndex } }: Planet): Promise<readonly Place[]> {
    return this.placesIn(hand, galaxyIndex);
  }

  async placesIn(hand: Hand, galaxyIndex: number): Promise<readonly Place[]> {
    const known = this.#overviews.get(galaxyIndex);
    if (known !== undefined && hoursBetween(known.readAt, hand.now) * hand.catalog.speed < HOURS_MAX)
      return known.places;
    const read = operation.get('/api/game/galaxy/{galaxy}', { params: { path: { galaxy: galaxyIndex } } });
    const places = placesOf(await hand.read(read));
    this.#overviews.set(galaxyIndex, { readAt: hand.now, places });
    return places;
  }
}

/** The distance of a flight within a galaxy (docs/rules.md: Flight). */
export function distance(hand: Hand, from: Planet, to: Place): number {
  const { perSlot, betweenSystemsBase, perSystem } = hand.catalog.constants;
  const systems = Math.abs(from.system.index - to.index);
  if (systems === 0) return Number(perSlot) * Math.abs(from.slot - to.slot);
  return Number(betweenSystemsBase) + Number(perSystem) * systems;
}

/** The distance of a flight to another galaxy. */
export const distanceBetweenGalaxies = ({ catalog: { constants } }: Hand, galaxies: number): number =>
  Number(constants['betweenGalaxiesBase']) + Number(constants['perGalaxy']) * galaxies;

/** Places, the nearest to a planet first. */
export const byDistance = (hand: Hand, from: Planet, places: readonly Place[]): Place[] =>
  [...places].sort((one, other) => distance(hand, from, one) - distance(hand, from, other) || order(one, other));

const order = (one: Place, other: Place): number => one.index - other.index || one.slot - other.slot;

/** Places by overview: a runner may give the same overview to many bots, which then share its places, too. */
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
