// What fleets of all missions have in common: stationing, ending and sending home, and what their events say.

import { shareOf, sum } from '../numbers/arithmetic.js';
import { deposit } from '../planets/stocks.js';
import { FLEETS_PER_PLAYER_MAX } from '../rules/limits.js';
import type { Rules } from '../rules/rules.js';
import type { Fleet } from '../world/fleet-table.js';
import type { Planet } from '../world/planet-table.js';
import { markPlans, scheduleTimer, touchPlanet, touchPlayer, type World } from '../world/state.js';
import { NO_TIMER, TIMER_KINDS } from '../world/timer-queue.js';
import { cargoCapacity } from './flight.js';
import { recordIncomingFleetGone } from './incoming-fleets.js';

/** Puts a fleet's ships and cargo on a planet and ends the fleet. */
export function stationFleet(world: World, fleet: Fleet, planet: Planet): void {
  for (let type = 0; type < world.rules.ships.length; type += 1) {
    planet.setShipCount(type, planet.shipCount(type) + fleet.shipCount(type));
  }
  deposit(world, planet, fleet.cargo, world.nowMs);
  touchPlanet(world, planet);
  endFleet(world, fleet);
}

/** Ends a fleet. The caller has already stationed its ships and cargo, or counted them as lost. */
export function endFleet(world: World, fleet: Fleet): void {
  const { owner } = fleet;
  world.fleets.remove(fleet);
  touchPlayer(world, owner);
  // Launches that wait because the player had too many fleets are possible from now on.
  if (owner.fleetCount === FLEETS_PER_PLAYER_MAX - 1) markPlans(world, owner);
}

/** Ends a fleet that has no ships left. */
export function destroyFleet(world: World, fleet: Fleet): void {
  endFleet(world, fleet);
  world.events.push({ kind: 'fleet_destroyed', ...eventFieldsOf(world, fleet) });
}

/** World time at which a fleet that turns round at its target is back at its origin. */
export function homeAtMs(fleet: Fleet): number {
  return fleet.arrivesAtMs + fleet.flightMs;
}

/** Sends a fleet back to its origin. */
export function sendHome(world: World, fleet: Fleet, returnsAtMs: number): void {
  if (fleet.timer !== NO_TIMER) world.timers.cancel(fleet.timer);
  fleet.turnRound();
  fleet.returnsAtMs = returnsAtMs;
  fleet.timer = scheduleTimer(world, returnsAtMs, TIMER_KINDS.fleet_return, fleet.row);
  touchPlayer(world, fleet.owner);
}

/** Sends a fleet home that has not carried out its mission, or that supports. @param flightMs of the way back */
export function callHome(world: World, fleet: Fleet, flightMs: number): void {
  const returnsAtMs = world.nowMs + flightMs;
  fleet.recalledAtMs = world.nowMs;
  sendHome(world, fleet, returnsAtMs);
  world.events.push({ kind: 'fleet_recalled', ...eventFieldsOf(world, fleet), returnsAtMs });
  recordIncomingFleetGone(world, fleet);
}

/**
 * Loads what a fleet finds, each resource in proportion if it has not enough room.
 *
 * @param units by shippable resource
 * @returns the units loaded, by resource
 */
export function loadShare(rules: Rules, fleet: Fleet, units: readonly number[]): readonly number[] {
  const room = cargoCapacity(rules, fleet.ships, rules.cargoPercentOf(fleet.owner)) - sum(fleet.cargo);
  const loaded = shareOf(units, room);
  for (const [resource, count] of loaded.entries()) fleet.setCargo(resource, fleet.cargoOf(resource) + count);
  return loaded;
}

/** The fields that all events of a fleet begin with. */
export function eventFieldsOf(world: World, fleet: Fleet) {
  return {
    atMs: world.nowMs,
    playerNumber: fleet.ownerNumber,
    fleetNumber: fleet.number,
    mission: fleet.mission,
    originKey: fleet.originKey,
    targetKey: fleet.targetKey,
  };
}
