// The commands that launch fleets, recall them and send those of others home.

import { callHome } from '../fleets/fleets.js';
import { depart, possibleFlight } from '../fleets/launching.js';
import type { Launch } from '../fleets/mission.js';
import { endSupport, isOfOwnerOrHost, refuseGuest } from '../fleets/support.js';
import { refuseForeignPlanet, refuseSuspended } from '../planets/planets.js';
import { RESOURCE_UNITS_MAX, SHIP_ENTRIES_MAX, SHIPS_PER_ENTRY_MAX, TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import { MISSIONS } from '../terms/missions.js';
import { isRefusal, type Refusal, refuse } from '../terms/rejections.js';
import type { Fleet } from '../world/fleet-table.js';
import { recordActivity } from '../world/state.js';
import { defineCommand, requireType } from './command.js';

/**
 * Sends ships from a planet on a mission. It checks the six rules of the specification in their order, then the stocks for the cargo, then the
 * conditions of the mission.
 */
export const launchFleet = defineCommand({
  type: 'launch_fleet',
  code: 13,
  decode: (row) => ({
    type: 'launch_fleet',
    playerNumber: row.integer('player'),
    originKey: row.integer('origin'),
    targetKey: row.integer('target'),
    // Counts by ship type, one for each type of the rules, at least one ship in all.
    ships: row.fewIntegers('ships', TYPES_PER_LIST_MAX, SHIP_ENTRIES_MAX * SHIPS_PER_ENTRY_MAX),
    mission: row.integer('mission', 0, MISSIONS.length - 1),
    // Whole units of iron, silver, ember and h2.
    cargo: row.integers('cargo', CARGO_RESOURCE_COUNT, 0, RESOURCE_UNITS_MAX),
    // Position in the drives of the rules; if it is null, bestOption() chooses.
    drive: row.integerOrNull('drive', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, command): Fleet | Refusal {
    const { playerNumber, originKey, targetKey, ships, mission, cargo, drive } = command;
    requireTypes(world.rules, ships, drive);
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    if (!world.universe.holds(originKey) || !world.universe.holds(targetKey)) return refuse('planet_not_found');
    const origin = world.planets.get(originKey);
    if (origin === undefined || origin.ownerNumber !== playerNumber)
      return refuseForeignPlanet(world, originKey, playerNumber);
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    const launch: Launch = { player, origin, targetKey, target: world.planets.get(targetKey), ships, mission, cargo };
    const flight = possibleFlight(world, launch, drive);
    if (isRefusal(flight)) return flight;
    // commit
    recordActivity(world, playerNumber);
    return depart(world, origin, command, flight);
  },
});

/** @throws Error if the command is of other rules, as one from a foreign log may be */
function requireTypes({ ships: types, drives }: Rules, ships: readonly number[], drive: number | null): void {
  if (ships.length !== types.length) throw new Error(`it counts ${ships.length} ship types of ${types.length}`);
  if (drive !== null) requireType(drives, drive);
}

/** Turns an outbound fleet round, or sends a stationed one home. The flight back takes as long as the fleet has flown. */
export const recallFleet = defineCommand({
  type: 'recall_fleet',
  code: 14,
  decode: (row) => ({
    type: 'recall_fleet',
    playerNumber: row.integer('player'),
    fleetNumber: row.integer('fleet'),
  }),

  execute(world, { playerNumber, fleetNumber }): Fleet | Refusal {
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    const fleet = world.fleets.get(fleetNumber);
    // Those of others are no different from those that do not exist: ids are counted up, and would tell how many fleets fly.
    if (fleet === undefined || fleet.ownerNumber !== playerNumber) return refuse('fleet_not_found');
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    // A fleet that is due at its target has already arrived: the engine applies no command while a timer is due.
    if (fleet.isReturning) return refuse('fleet_not_in_transit');
    // commit
    if (fleet.isStationed) endSupport(world, fleet);
    else callHome(world, fleet, world.nowMs - fleet.launchedAtMs);
    recordActivity(world, playerNumber);
    return fleet;
  },
});

/** Sends a fleet home that another player has stationed at a planet of the player. */
export const dismissFleet = defineCommand({
  type: 'dismiss_fleet',
  code: 30,
  decode: (row) => ({
    type: 'dismiss_fleet',
    playerNumber: row.integer('player'),
    fleetNumber: row.integer('fleet'),
  }),

  execute(world, { playerNumber, fleetNumber }): Fleet | Refusal {
    if (!world.players.has(playerNumber)) return refuse('player_not_found');
    const fleet = world.fleets.get(fleetNumber);
    if (fleet === undefined || !isOfOwnerOrHost(world, fleet, playerNumber)) return refuse('fleet_not_found');
    if (fleet.ownerNumber === playerNumber) return refuseGuest(world, fleet);
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    if (!fleet.isStationed) return refuse('fleet_not_stationed');
    // commit
    endSupport(world, fleet);
    recordActivity(world, playerNumber);
    return fleet;
  },
});
