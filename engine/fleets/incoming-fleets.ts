// Warns the owner of a planet that another player's fleet is on its way, at launch or as soon as the planet has an owner, and reports if
// the fleet is recalled or ends on its way. The warning decides what the owner sees of the fleet; see sight.ts.

import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import type { World } from '../world/state.js';
import { sightOfDefender } from './sight.js';

/** Warns the owner of the target, if it has one, of a fleet of another player. */
export function recordIncomingFleet(world: World, fleet: Fleet): void {
  const target = foreignTarget(world, fleet);
  if (target === null) return;
  const { rules } = world;
  const sees = sightOfDefender(
    target.levelOf(rules.antiSpy) + rules.sightBonusOf(target.owner),
    fleet.shipCount(rules.scout) + rules.sightBonusOf(fleet.owner),
  );
  world.events.incomingFleet(target.ownerNumber, fleet, sees);
}

/** Warns the new owner of a planet of all fleets that are on their way to it. */
export function recordApproachingFleets(world: World, planet: Planet): void {
  for (const fleet of world.fleets.to(planet.key)) recordIncomingFleet(world, fleet);
}

/**
 * Records that an existing player has gained a planet, and warns it of fleets that are on their way there.
 *
 * @param fleetNumber null if no fleet was needed
 */
export function recordColonized(world: World, planet: Planet, fleetNumber: number | null): void {
  const { key: planetKey, ownerNumber: playerNumber } = planet;
  world.events.push({ kind: 'planet_colonized', atMs: world.nowMs, playerNumber, planetKey, fleetNumber });
  recordApproachingFleets(world, planet);
}

/** Records that a fleet of which its target was warned has been recalled, or has ended with its player. */
export function recordIncomingFleetGone(world: World, fleet: Fleet): void {
  const target = foreignTarget(world, fleet);
  if (target === null) return;
  world.events.push({
    kind: 'incoming_fleet_gone',
    atMs: world.nowMs,
    playerNumber: target.ownerNumber,
    fleetNumber: fleet.number,
    originKey: fleet.originKey,
    targetKey: fleet.targetKey,
    senderNumber: fleet.ownerNumber,
  });
}

/** The target of a fleet, if it belongs to another player; else null. */
function foreignTarget(world: World, fleet: Fleet): Planet | null {
  const target = world.planets.get(fleet.targetKey);
  return target === undefined || target.ownerNumber === fleet.ownerNumber ? null : target;
}
