// The commands that construct buildings, upgrade them and cancel upgrades.
import { commandedPlanet, refuseSuspended } from '../planets/planets.js';
import { deposit } from '../planets/stocks.js';
import { refuseAbsent, refusePresent, startUpgrade } from '../planets/upgrades.js';
import { TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { isRefusal, type Refusal, refuse } from '../terms/rejections.js';
import type { Planet } from '../world/planet-table.js';
import { recordActivity, touchPlanet } from '../world/state.js';
import { defineCommand, requireType } from './command.js';

/** Adds a building that the planet does not have yet. Its first upgrade starts at once; until that is finished it has level 0. */
export const constructBuilding = defineCommand({
  type: 'construct_building',
  code: 7,
  decode: (row) => ({
    type: 'construct_building',
    planetKey: row.integer('planet'),
    buildingType: row.integer('building type', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, { planetKey, buildingType }): Planet | Refusal {
    const planet = commandedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    requireType(world.rules.buildings, buildingType);
    const outcome = refusePresent(planet, buildingType) ?? startUpgrade(world, planet, buildingType);
    if (!isRefusal(outcome)) recordActivity(world, planet.ownerNumber);
    return outcome;
  },
});

/** Starts the next level of a building that the planet has. */
export const upgradeBuilding = defineCommand({
  type: 'upgrade_building',
  code: 8,
  decode: (row) => ({
    type: 'upgrade_building',
    planetKey: row.integer('planet'),
    buildingType: row.integer('building type', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, { planetKey, buildingType }): Planet | Refusal {
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const planet = world.planets.get(planetKey);
    if (planet === undefined) return refuse('building_not_found');
    requireType(world.rules.buildings, buildingType);
    const refusal = refuseAbsent(planet, buildingType) ?? refuseSuspended(world, planet.ownerNumber);
    const outcome = refusal ?? startUpgrade(world, planet, buildingType);
    if (!isRefusal(outcome)) recordActivity(world, planet.ownerNumber);
    return outcome;
  },
});

/**
 * Stops the active upgrade and refunds what was paid for it. A building under its first construction disappears and can be constructed
 * again.
 */
export const cancelBuilding = defineCommand({
  type: 'cancel_building',
  code: 9,
  decode: (row) => ({
    type: 'cancel_building',
    planetKey: row.integer('planet'),
    queueNumber: row.integer('queue number'),
  }),

  execute(world, { planetKey, queueNumber }): Planet | Refusal {
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const planet = world.planets.get(planetKey);
    const upgrade = planet?.upgrade;
    if (planet === undefined || upgrade?.queueNumber !== queueNumber) return refuse('queue_entry_not_found');
    const suspended = refuseSuspended(world, planet.ownerNumber);
    if (suspended !== null) return suspended;
    // commit
    const { buildingType, targetLevel, timer } = upgrade;
    world.timers.cancel(timer);
    planet.endUpgrade();
    const refund = planet.upgradePaid;
    deposit(world, planet, refund, world.nowMs);
    touchPlanet(world, planet);
    recordActivity(world, planet.ownerNumber);
    world.events.push({
      kind: 'building_cancelled',
      atMs: world.nowMs,
      playerNumber: planet.ownerNumber,
      planetKey,
      queueNumber,
      buildingType,
      targetLevel,
      refund,
    });
    return planet;
  },
});
