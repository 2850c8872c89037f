// support: a fleet stays at a planet of another player and fights for it, until it is recalled, the owner of the planet sends it home, or
// that player is retired. It carries no cargo, since no stock may hide there. It has no timer while it stays.

import { sum } from '../numbers/arithmetic.js';
import { fleetId, playerId } from '../terms/ids.js';
import { type Refusal, refuse } from '../terms/rejections.js';
import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import { type ReadonlyFleet, type ReadonlyWorld, touchPlanet, touchPlayer, type World } from '../world/state.js';
import { callHome, eventFieldsOf } from './fleets.js';
import { type Mission, UNOWNED } from './mission.js';
import { isProtected } from './protection.js';

export const support: Mission = {
  isReturning: false,

  refusal({ player, target, cargo }) {
    if (target?.ownerNumber === player.number)
      return refuse('mission_not_possible', { reason: 'A player deploys ships to its own planets.' });
    if (sum(cargo) > 0) return refuse('mission_not_possible', { reason: 'A fleet that supports carries no cargo.' });
    return null;
  },

  // A player who is protected cannot be attacked, so ships there would be out of reach.
  warning({ target, arrivesAtMs }, { fleets, rules }) {
    if (target === undefined) return UNOWNED;
    const { owner } = target;
    if (isProtected(owner, arrivesAtMs)) return { code: 'target_protected', untilMs: owner.protectedUntilMs };
    const maximum = rules.support?.fleetsPerPlanetMax ?? 0;
    if (fleets.stationedAt(target.key).length < maximum) return null;
    return { code: 'support_full', limit: { name: 'support.fleetsPerPlanetMax', maximum } };
  },

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    const maximum = world.rules.support?.fleetsPerPlanetMax ?? 0;
    if (target === undefined || target.ownerNumber === fleet.ownerNumber) return 'returns';
    if (isProtected(target.owner, world.nowMs)) return 'returns';
    if (world.fleets.stationedAt(target.key).length >= maximum) return 'returns';
    fleet.station();
    touchPlanet(world, target);
    touchPlayer(world, fleet.owner);
    for (const playerNumber of [fleet.ownerNumber, target.ownerNumber]) {
      world.events.push({
        kind: 'fleet_stationed',
        ...eventFieldsOf(world, fleet),
        playerNumber,
        senderNumber: fleet.ownerNumber,
        hostNumber: target.ownerNumber,
        ships: fleet.ships,
      });
    }
    return 'stays';
  },
};

/** Whether a player sent a fleet, or owns the planet that it flies to or stays at: others do not learn that there is one. */
export function isOfOwnerOrHost({ planets }: ReadonlyWorld, fleet: ReadonlyFleet, playerNumber: number): boolean {
  return fleet.ownerNumber === playerNumber || planets.get(fleet.targetKey)?.ownerNumber === playerNumber;
}

/** Returns the refusal of who sends its own fleet home as a host would. */
export function refuseGuest(world: ReadonlyWorld, { number, ownerNumber }: ReadonlyFleet): Refusal {
  return refuse('not_owner', {
    reason: `${fleetId(number)} is a fleet of ${playerId(world, ownerNumber)}, which recalls it; only its host dismisses it.`,
  });
}

/** Sends a stationed fleet home: its flight takes as long as that to the planet. */
export function endSupport(world: World, fleet: Fleet): void {
  const planet = world.planets.get(fleet.targetKey);
  if (planet !== undefined) touchPlanet(world, planet);
  callHome(world, fleet, fleet.flightMs);
}

/** Sends home all fleets that are stationed at a planet. */
export function endSupportOf(world: World, planet: Planet): void {
  for (const fleet of world.fleets.stationedAt(planet.key)) endSupport(world, fleet);
}
