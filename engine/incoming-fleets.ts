// Warns the owner of a planet that another player's fleet is on its way, and reports if it is recalled or ends on its way. The player
// who was warned at launch is the one who learns of that, unless it was retired. If a planet gets its owner after the launch, that
// owner is not warned, and learns of a recall only.
import { fleetEventHead } from './fleets.js';
import { missionRules } from './missions/index.js';
import type { Fleet, World } from './state.js';

/** Records that a fleet has set out for another player's planet. */
export function recordIncomingFleet(world: World, fleet: Fleet): void {
  const playerNumber = warnedPlayerNumber(world, fleet);
  if (playerNumber === null) return;
  world.events?.push({
    kind: 'incoming_fleet',
    ...fleetEventHead(world, fleet, playerNumber),
    senderNumber: fleet.owner.number,
    ships: fleet.ships.slice(),
    arrivesAtMs: fleet.arrivesAtMs,
  });
}

/** Records that such a fleet has been recalled, or has ended with its player. */
export function recordIncomingFleetGone(world: World, fleet: Fleet): void {
  const playerNumber = warnedPlayerNumber(world, fleet);
  if (playerNumber === null) return;
  world.events?.push({
    kind: 'incoming_fleet_gone',
    ...fleetEventHead(world, fleet, playerNumber),
    senderNumber: fleet.owner.number,
  });
}

/** The player to warn; null if there is none or no events are recorded. */
function warnedPlayerNumber(world: World, fleet: Fleet): number | null {
  if (world.events === null || !missionRules(fleet.mission).warnsTarget) return null;
  const ownerNumber = world.planets.get(fleet.targetKey)?.ownerNumber;
  return ownerNumber === undefined || ownerNumber === fleet.owner.number ? null : ownerNumber;
}
