// The commands that give planets to players, and resources to planets.

import { recordColonized } from '../fleets/incoming-fleets.js';
import {
  foundColony,
  foundStarter,
  ownedPlanet,
  refuseAnotherPlanet,
  refuseOccupied,
  refuseStarter,
  refuseSuspended,
} from '../planets/planets.js';
import { deposit } from '../planets/stocks.js';
import { RESOURCE_UNITS_MAX } from '../rules/limits.js';
import { RESOURCES } from '../rules/resources.js';
import { isRefusal, type Refusal, refuse } from '../terms/rejections.js';
import type { Planet } from '../world/planet-table.js';
import { recordActivity, touchPlanet } from '../world/state.js';
import { defineCommand } from './command.js';

/** Gives a player another starter planet, up to the number that the rules allow. */
export const createSecondStarter = defineCommand({
  type: 'create_second_starter',
  code: 5,
  decode: (row) => ({ type: 'create_second_starter', playerNumber: row.integer('player') }),

  execute(world, { playerNumber }): Planet | Refusal {
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    const refusal = refuseStarter(world, player);
    if (refusal !== null) return refusal;
    // commit
    const planet = foundStarter(world, player);
    recordActivity(world, playerNumber);
    recordColonized(world, planet, null);
    return planet;
  },
});

/** Takes an unoccupied planet without a fleet, for the development mode of the specification. */
export const colonizePlanet = defineCommand({
  type: 'colonize_planet',
  code: 6,
  decode: (row) => ({
    type: 'colonize_planet',
    playerNumber: row.integer('player'),
    planetKey: row.integer('planet'),
  }),

  execute(world, { playerNumber, planetKey }): Planet | Refusal {
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    const present = world.planets.get(planetKey);
    if (present !== undefined) return refuseOccupied(world, present);
    const atLimit = refuseAnotherPlanet(player);
    if (atLimit !== null) return atLimit;
    // commit
    const colony = foundColony(world, player, planetKey);
    recordActivity(world, playerNumber);
    recordColonized(world, colony, null);
    return colony;
  },
});

/** Gives whole units of resources to a planet that has an owner, for the operator. */
export const grantResources = defineCommand({
  type: 'grant_resources',
  code: 15,
  decode: (row) => ({
    type: 'grant_resources',
    planetKey: row.integer('planet'),
    // Whole units in the order of RESOURCES.
    amounts: row.integers('amounts', RESOURCES.length, 0, RESOURCE_UNITS_MAX),
  }),

  execute(world, { planetKey, amounts }): Planet | Refusal {
    const planet = ownedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    // commit
    deposit(world, planet, amounts, world.nowMs);
    touchPlanet(world, planet);
    world.events.push({
      kind: 'resources_granted',
      atMs: world.nowMs,
      playerNumber: planet.ownerNumber,
      planetKey,
      amounts,
    });
    return planet;
  },
});
