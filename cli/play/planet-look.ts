// What a planet waits for at an instant of a replayed game: for time, for resources, or for its player.
import { refuseIfUnaffordable } from '../../engine/planets/stocks.js';
import { standingOf } from '../../engine/plans/standing.js';
import { BUILDING_LEVEL_MAX } from '../../engine/rules/limits.js';
import { BUILDINGS_LANE } from '../../engine/terms/plan-step.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../../engine/world/state.js';

/** How often a planet was in each state, at regular samples. */
export interface Looks {
  /** An upgrade is in progress, and the planet could already pay for the next one: it waits for time. */
  readonly timers: number;
  /** An upgrade is in progress, and the planet cannot pay for the next one yet. */
  readonly balanced: number;
  /** Nothing is in progress, and the planet cannot pay for a next level, or for the planned one: it waits for resources. */
  readonly resources: number;
  /** Nothing is in progress although the planet could pay for something: its player sleeps, saves or does not want it. */
  readonly unused: number;
}

export type Look = keyof Looks;

/** @param atMs not before the planet's last change */
export function lookAt(world: ReadonlyWorld, planet: ReadonlyPlanet, atMs: number): Look {
  const { rules } = world;
  const canPay = (type: number, level: number): boolean =>
    level <= BUILDING_LEVEL_MAX && refuseIfUnaffordable(world, planet, rules.buildingCost(type, level), atMs) === null;
  const { upgrade } = planet;
  if (upgrade !== null) return canPay(upgrade.buildingType, upgrade.targetLevel + 1) ? 'timers' : 'balanced';
  const producing = rules.buildings.flatMap(({ baseOutput }, type) =>
    baseOutput.some((units) => units > 0) ? [type] : [],
  );
  if (isPlanWaiting(world, planet, atMs)) return 'resources';
  const owned = producing.filter((type) => planet.levelOf(type) > 0);
  return owned.some((type) => canPay(type, planet.levelOf(type) + 1)) ? 'unused' : 'resources';
}

/** Whether a plan waits for the cost of its next building, although the planet could pay for another one. */
function isPlanWaiting(world: ReadonlyWorld, planet: ReadonlyPlanet, atMs: number): boolean {
  return standingOf(world, planet, world.plans.get(planet.row), BUILDINGS_LANE, atMs).state === 'waiting';
}
