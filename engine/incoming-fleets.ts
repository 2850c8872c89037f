// Who is told that a foreign fleet is on its way, and that it is not any more. A planet that has an owner keeps it, so
// the player who was told at launch is told when the fleet is recalled.
import { fleetEventHead } from './fleets.js';
import { missionRules } from './missions/index.js';
import type { Fleet, World } from './state.js';

/** Records that a fleet has set out to another player's planet. */
export function tellIncoming(world: World, fleet: Fleet): void {
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

/** Records that such a fleet will not come. */
export function tellIncomingGone(world: World, fleet: Fleet): void {
  const playerNumber = warnedPlayerNumber(world, fleet);
  if (playerNumber === null) return;
  world.events?.push({
    kind: 'incoming_fleet_gone',
    ...fleetEventHead(world, fleet, playerNumber),
    senderNumber: fleet.owner.number,
  });
}

/** Null if there is nobody to tell, or nothing is recorded. */
function warnedPlayerNumber(world: World, fleet: Fleet): number | null {
  if (world.events === null || !missionRules(fleet.mission).warnsTarget) return null;
  const ownerNumber = world.planets.get(fleet.targetKey)?.ownerNumber;
  return ownerNumber === undefined || ownerNumber === fleet.owner.number ? null : ownerNumber;
}
