// Colonization: where colony ships fly, and how many more planets the fleets of a player may colonize.
import type { Planet } from '../../bot.js';
import { ruleOfShip } from './building.js';
import { cargoFrom, launch } from './flights.js';
import { distanceBetweenGalaxies, type GalaxyMap } from './galaxy-map.js';
import type { Plan } from './plan.js';
import { byWorth } from './richness.js';

/** A player settles in another galaxy only once it has this many planets. */
const FAR_FROM_PLANETS = 4;

/**
 * Sends each colony ship to the free planet that is worth the flight most, with iron and silver as cargo.
 *
 * @param isFar prefers the next galaxy, which few players can reach, once the planet can pay for the flight
 */
export async function colonize(plan: Plan, galaxyMap: GalaxyMap, isFar = false): Promise<void> {
  const taken = new Set(plan.state.fleets.map(({ targetPlanetId }) => targetPlanetId));
  const space = ruleOfShip(plan, plan.roles.colonyShip)?.cargo ?? 0;
  const flights = [];
  // If the rules limit planets on arrival, the other players are slow, too.
  const isLeisurely = plan.port.catalog.colonies !== undefined;
  let room = Math.max(0, roomForFleets(plan));
  for (const from of plan.state.planets) {
    const order = from.shipyardQueue.find(({ shipType }) => shipType === plan.roles.colonyShip);
    plan.wakeAt(order?.buildFinishAt ?? null);
    const ships = plan.ships(from, plan.roles.colonyShip);
    if (ships === 0) continue;
    const goesFar = isFar && plan.state.planets.length >= FAR_FROM_PLANETS && canFlyFar(plan, from);
    const { galaxyIndex } = from.system;
    const places = await galaxyMap.placesIn(plan.port, goesFar ? farGalaxy(plan, galaxyIndex) : galaxyIndex);
    const free = places.filter(({ planetId, ownerId }) => ownerId === null && !taken.has(planetId));
    const { iron, silver } = plan.stock(from);
    const cargo = cargoFrom({ iron, silver }, space);
    const best = await byWorth(plan, from, free);
    for (const { planetId } of best.slice(0, Math.min(ships, room))) {
      room -= 1;
      taken.add(planetId);
      const target = { from, targetId: planetId, mission: 'colonize', isLeisurely } as const;
      flights.push({ ...target, ships: [{ type: plan.roles.colonyShip, count: 1 }], cargo });
    }
  }
  for (const { flightSeconds } of await launch(plan, flights)) plan.wakeIn(flightSeconds);
}

const farGalaxy = ({ port: { catalog } }: Plan, galaxyIndex: number): number =>
  galaxyIndex < Number(catalog.constants['GALAXY_COUNT']) ? galaxyIndex + 1 : galaxyIndex - 1;

/** Whether a colony ship on a planet can pay for a flight to the next galaxy. */
function canFlyFar(plan: Plan, from: Planet): boolean {
  const { catalog } = plan.port;
  const ship = ruleOfShip(plan, plan.roles.colonyShip);
  const owned = new Set(plan.state.research.filter(({ level }) => level > 0).map(({ type }) => type));
  const drives = catalog.drives.filter(
    ({ research, multipliers }) => (multipliers['interGalaxy'] ?? 0) > 0 && (research === null || owned.has(research)),
  );
  if (ship === undefined || drives.length === 0) return false;
  const h2PerUnit =
    (ship.h2Rate * Math.min(...drives.map(({ h2Factor }) => h2Factor))) /
    Number(catalog.constants['h2DistanceDivisor']);
  return plan.stock(from).h2 > distanceBetweenGalaxies(plan.port, 1) * h2PerUnit + 1;
}

/** Further planets that fleets may colonize. Subtracts colony ships that exist; negative if the player got planets otherwise. */
export function roomForColonies(plan: Plan): number {
  const shipsOf = (planet: Planet): number =>
    plan.ships(planet, plan.roles.colonyShip) +
    plan.away(planet, plan.roles.colonyShip) +
    plan.ordered(planet, plan.roles.colonyShip);
  return roomForFleets(plan) - plan.state.planets.reduce((sum, planet) => sum + shipsOf(planet), 0);
}

/** Further planets that fleets may colonize, without those that are on their way. */
function roomForFleets({ port: { catalog }, state: { planets, fleets, planetsMax } }: Plan): number {
  const coming = fleets.filter(({ mission, state }) => mission === 'colonize' && state === 'outbound').length;
  return (planetsMax ?? Number(catalog.constants['PLANETS_PER_PLAYER_MAX'])) - planets.length - coming;
}
