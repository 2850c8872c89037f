// What the way of goods costs that are traded: they fly in carriers that nobody has to build.
import type { Catalog, Planet } from '../../bot.js';
import { distance, type GalaxyMap, placeOf } from './galaxy-map.js';
import type { Plan } from './plan.js';

/** H2 for the way of goods, there and back. */
interface Way {
  /** With the drive that needs least. Less if the sender has researched it further, or holds more in each carrier. */
  readonly least: number;
  /** With the drive of the player that needs most: the fastest one that is paid for is used. */
  readonly most: number;
}

/** The way of some units between a planet and another one in its galaxy. */
export function wayOf(plan: Plan, from: Planet, toPlanetId: string, units: number): Way {
  const { catalog } = plan.port;
  const owned = new Set(plan.state.research.filter(({ level }) => level > 0).map(({ type }) => type));
  const perFactor = h2PerFactor(catalog, distance(plan.port, from, placeOf(toPlanetId)), units);
  const most = Math.max(...factorsOf(catalog, (research) => research === null || owned.has(research)));
  return { least: leastFor(catalog, perFactor), most: Math.ceil(perFactor * most) };
}

/** The h2 that brings some units as far as possible: to the nearest planets of so many other players, if it is not dearer than a limit; else nothing. */
export async function h2ToReach(
  plan: Plan,
  galaxyMap: GalaxyMap,
  from: Planet,
  units: number,
  players: number,
  h2Max: number,
): Promise<number> {
  const { port } = plan;
  const nearest = new Map<string, number>();
  for (const place of await galaxyMap.placesAround(port, from)) {
    if (place.ownerId === null || place.ownerId === port.playerId) continue;
    const known = nearest.get(place.ownerId) ?? Number.POSITIVE_INFINITY;
    nearest.set(place.ownerId, Math.min(known, distance(port, from, place)));
  }
  const costs = [...nearest.values()].sort((one, other) => one - other).slice(0, players);
  const payable = costs
    .map((away) => leastFor(port.catalog, h2PerFactor(port.catalog, away, units)))
    .filter((h2) => h2 <= h2Max);
  return payable.at(-1) ?? 0;
}

const leastFor = (catalog: Catalog, perFactor: number): number =>
  Math.ceil(perFactor * Math.min(...factorsOf(catalog, (research) => research === null)));

/** Factors of the drives that fly within a galaxy. */
const factorsOf = ({ drives }: Catalog, isOwned: (research: string | null) => boolean): number[] =>
  drives
    .filter(({ research, multipliers }) => isOwned(research) && (multipliers['interSystem'] ?? 0) > 0)
    .map(({ h2Factor }) => h2Factor);

function h2PerFactor({ ships, market, constants }: Catalog, away: number, units: number): number {
  const carrier = ships.find(({ type }) => type === market?.carrier);
  if (carrier === undefined) return 0;
  return (away * carrier.h2Rate * Math.ceil(units / carrier.cargo)) / Number(constants['h2DistanceDivisor']);
}
