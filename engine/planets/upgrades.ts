// Upgrades of buildings: checks an upgrade, starts it and completes it. Commands and steps of plans share this.

import { BUILDING_LEVEL_MAX } from '../rules/limits.js';
import { buildingBaseMs } from '../rules/rules.js';
import { planetId, queueId } from '../terms/ids.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Planet, PlanetRow } from '../world/planet-table.js';
import { type ReadonlyPlanet, type ReadonlyWorld, scheduleTimer, touchPlanet, type World } from '../world/state.js';
import { durationMs, TIMER_KINDS } from '../world/timer-queue.js';
import { setLevel } from './output.js';
import { addBuildingPoints } from './points.js';
import { refuseIfUnaffordable, spend } from './stocks.js';

/** True if a planet has a building, even if it is under its first construction. */
export function hasBuilding(planet: Pick<ReadonlyPlanet, 'levelOf' | 'upgrade'>, buildingType: number): boolean {
  return planet.levelOf(buildingType) > 0 || planet.upgrade?.buildingType === buildingType;
}

/** The level of a building when the upgrade in progress, if it is of this type, is complete. */
export function levelToCome(planet: ReadonlyPlanet, buildingType: number): number {
  const { upgrade } = planet;
  return upgrade?.buildingType === buildingType ? upgrade.targetLevel : planet.levelOf(buildingType);
}

/** The refusal of an upgrade if the planet does not have the building. */
export function refuseAbsent(planet: ReadonlyPlanet, buildingType: number): Refusal | null {
  return hasBuilding(planet, buildingType) ? null : refuse('building_not_found');
}

/** The refusal of a construction if the planet has the building. */
export function refusePresent(planet: ReadonlyPlanet, buildingType: number): Refusal | null {
  return hasBuilding(planet, buildingType) ? refuse('building_exists') : null;
}

/** Returns the refusal if a building of the planet is being upgraded; else null. */
function refuseDuringUpgrade({ rules, universe }: ReadonlyWorld, planet: ReadonlyPlanet): Refusal | null {
  const { upgrade } = planet;
  if (upgrade === null) return null;
  return refuse('upgrade_in_progress', {
    inProgress: {
      planetId: planetId(universe, planet.key),
      buildingType: rules.buildings[upgrade.buildingType]?.type,
      queueId: queueId(upgrade.queueNumber),
      targetLevel: upgrade.targetLevel,
      startedAtMs: upgrade.startedAtMs,
      finishAtMs: upgrade.finishAtMs,
    },
  });
}

/** Returns the refusal of the next level of a building, apart from its cost: the planet is busy, or the level is the highest. */
export function refuseUpgrade(world: ReadonlyWorld, planet: ReadonlyPlanet, buildingType: number): Refusal | null {
  const conflict = refuseDuringUpgrade(world, planet);
  if (conflict !== null || planet.levelOf(buildingType) < BUILDING_LEVEL_MAX) return conflict;
  return refuseAtLimit('BUILDING_LEVEL_MAX', BUILDING_LEVEL_MAX);
}

/** Returns the refusal of the next level of a building, cost included. @param nowMs not before the planet's last change */
export function refuseNextLevel(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  buildingType: number,
  nowMs: number,
): Refusal | null {
  const conflict = refuseUpgrade(world, planet, buildingType);
  if (conflict !== null) return conflict;
  const cost = world.rules.buildingCost(buildingType, planet.levelOf(buildingType) + 1);
  return refuseIfUnaffordable(world, planet, cost, nowMs);
}

/** Starts the next level of a building, unless the planet is busy or cannot pay, or the level is the highest. */
export function startUpgrade(world: World, planet: Planet, buildingType: number): Planet | Refusal {
  const conflict = refuseUpgrade(world, planet, buildingType);
  if (conflict !== null) return conflict;
  const level = planet.levelOf(buildingType);
  const cost = world.rules.buildingCost(buildingType, level + 1);
  const unaffordable = refuseIfUnaffordable(world, planet, cost, world.nowMs);
  if (unaffordable !== null) return unaffordable;
  // commit
  spend(world, planet, cost, world.nowMs);
  const finishAtMs = world.nowMs + durationMs(world, buildingBaseMs(level));
  world.lastQueueNumber += 1;
  const upgrade = {
    queueNumber: world.lastQueueNumber,
    buildingType,
    startedAtMs: world.nowMs,
    finishAtMs,
    timer: scheduleTimer(world, finishAtMs, TIMER_KINDS.building_complete, planet.row),
  };
  planet.beginUpgrade(upgrade, cost);
  touchPlanet(world, planet);
  world.events.buildingStarted(
    planet.ownerNumber,
    planet.key,
    world.lastQueueNumber,
    buildingType,
    level + 1,
    finishAtMs,
  );
  return planet;
}

/** Completes the upgrade of a planet: the building reaches its target level, and its output changes from now on. */
export function completeBuilding(world: World, row: PlanetRow): void {
  const planet = world.planets.at(row);
  const { upgrade } = planet;
  if (upgrade === null) throw new Error(`planet ${planet.key} has no upgrade to complete`);
  const { queueNumber, buildingType, targetLevel } = upgrade;
  setLevel(world, planet, buildingType, targetLevel);
  planet.endUpgrade();
  const units = world.rules.buildingPoints(buildingType, targetLevel);
  addBuildingPoints(world, planet, units);
  touchPlanet(world, planet);
  world.events.buildingCompleted(planet.ownerNumber, planet.key, queueNumber, buildingType, targetLevel);
}
