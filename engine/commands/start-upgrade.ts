// The common part of construct_building, upgrade_building and the steps of plans: pays for the next level and starts its timer.
import { refuseDuringUpgrade } from '../conflicts.js';
import { durationMs } from '../durations.js';
import type { BuildingUpgrade, Planet } from '../planet-table.js';
import { type Refusal, refuseAtLimit } from '../rejections.js';
import { BUILDING_LEVEL_MAX } from '../rules/limits.js';
import { buildingBaseMs } from '../rules/rules.js';
import { type ReadonlyPlanet, type ReadonlyWorld, scheduleTimer, touchPlanet, type World } from '../state.js';
import { refuseIfUnaffordable, spend } from '../stocks.js';
import { TIMER_KINDS } from '../timer-queue.js';

/** The refusal of the next level of a building, whatever it costs: the planet is busy, or the level is the highest. */
export function refuseUpgrade(world: ReadonlyWorld, planet: ReadonlyPlanet, buildingType: number): Refusal | null {
  const conflict = refuseDuringUpgrade(world, planet);
  if (conflict !== null || planet.levelOf(buildingType) < BUILDING_LEVEL_MAX) return conflict;
  return refuseAtLimit('BUILDING_LEVEL_MAX', BUILDING_LEVEL_MAX);
}

/** The same, or the refusal if the planet cannot pay. @param nowMs not before the planet's last change */
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
  const upgrade: BuildingUpgrade = {
    queueNumber: world.lastQueueNumber,
    buildingType,
    targetLevel: level + 1,
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
