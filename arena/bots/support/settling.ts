// Settling without a forecast: colony ships fly to the free planet that is nearest to a planet of the player's choice, or worth the flight most.
import type { Planet, PlanStep } from '../../bot.js';
import { costOfShip, levelOf, ruleOfShip } from './building.js';
import { roomForColonies } from './colonies.js';
import { cargoFrom, launch } from './flights.js';
import { byDistance, type GalaxyMap } from './galaxy-map.js';
import { hoursBetween, type Plan } from './plan.js';
import { byWorth } from './richness.js';

/** A planet saves for a colony ship that it can pay for within this many hours, at speed 1. */
const SAVING_HOURS = 12;

/**
 * Sends colony ships, with iron and silver as cargo.
 *
 * @param centre colonies are near this planet
 * @param isBlind takes the nearest planet, however poor it is
 */
export async function settle(
  plan: Plan,
  galaxyMap: GalaxyMap,
  centre: Planet | undefined,
  isBlind = false,
): Promise<void> {
  const { colonyShip } = plan.roles;
  for (const { shipyardQueue } of plan.state.planets) {
    plan.wakeAt(shipyardQueue.find(({ shipType }) => shipType === colonyShip)?.buildFinishAt ?? null);
  }
  const origins = plan.state.planets.filter((planet) => plan.ships(planet, colonyShip) > 0);
  if (centre === undefined || origins.length === 0) return;
  const aimed = new Set(plan.state.fleets.map(({ targetPlanetId }) => targetPlanetId));
  const places = await galaxyMap.placesAround(plan.port, centre);
  const unclaimed = places.filter(({ planetId, ownerId }) => ownerId === null && !aimed.has(planetId));
  const free = isBlind ? byDistance(plan.port, centre, unclaimed) : await byWorth(plan, centre, unclaimed);
  const space = ruleOfShip(plan, colonyShip)?.cargo ?? 0;
  // A ship that stays at home counts as room that is taken.
  let room = roomForColonies(plan) + origins.reduce((sum, origin) => sum + plan.ships(origin, colonyShip), 0);
  for (const from of origins) {
    const target = room > 0 ? free.shift() : undefined;
    if (target === undefined) return;
    room -= 1;
    const { iron, silver } = plan.stock(from);
    const ships = [{ type: colonyShip, count: 1 }];
    const cargo = cargoFrom({ iron, silver }, space);
    await launch(plan, [{ from, targetId: target.planetId, mission: 'colonize', ships, cargo, isLeisurely: true }]);
  }
}

/** The step that builds a colony ship. */
export const colonyShipStep = (plan: Plan): PlanStep => {
  return { action: 'build_ships', shipType: plan.roles.colonyShip, count: 1 };
};

/** Whether a planet can soon pay for a colony ship. */
export function canSettle(plan: Plan, planet: Planet): boolean {
  const payableAt = plan.payableAt(planet, costOfShip(plan, plan.roles.colonyShip));
  const { now, catalog } = plan.port;
  return (
    levelOf(planet, plan.roles.shipyard) > 0 &&
    payableAt !== null &&
    hoursBetween(now, payableAt) * catalog.speed < SAVING_HOURS
  );
}
