// Lists everything that can be started on a planet, and another starter planet while there is one for its owner, with cost, duration, gain
// and obstacles. The checks are those of the commands.

import { AVERAGE_PERCENT } from '../map/richness.js';
import { multiplyDivideFloor, sum } from '../numbers/arithmetic.js';
import { hasStarterLeft, refuseStarter, refuseSuspended } from '../planets/planets.js';
import { pointsOfShip } from '../planets/points.js';
import { refuseResearch } from '../planets/research.js';
import { refuseOrder } from '../planets/ship-orders.js';
import { affordableFromMs, raisedOutput, richnessPercent } from '../planets/stocks.js';
import { hasBuilding, levelToCome, refuseUpgrade } from '../planets/upgrades.js';
import { BUILDING_LEVEL_MAX, RESEARCH_LEVEL_MAX } from '../rules/limits.js';
import { type Amounts, FREE, RESOURCES } from '../rules/resources.js';
import { buildingBaseMs, type Rules, researchBaseMs } from '../rules/rules.js';
import type { Refusal } from '../terms/rejections.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../world/state.js';
import { durationMs } from '../world/timer-queue.js';

export interface PlanetOption {
  readonly action: 'second_starter' | 'upgrade' | 'construct' | 'build_ships' | 'research';
  /** What it is about: a position in the buildings, ships or research of the rules; 0 for a starter planet. */
  readonly type: number;
  /** The level that is reached; 0 for ships and a starter planet. */
  readonly level: number;
  /** Units in the order of RESOURCES; of one ship. */
  readonly cost: Amounts;
  readonly durationMs: number;
  /** World time from which the stocks cover the cost, in the past if they cover it now; null if production alone never does. */
  readonly affordableFromMs: number | null;
  /** What is in the way besides the stocks; null if nothing is. */
  readonly refusal: Refusal | null;
  readonly points: number;
  /** Thousandths of each resource by which an hour's production grows. */
  readonly hourlyGain: readonly number[];
}

const NO_GAIN: readonly number[] = RESOURCES.map(() => 0);

/**
 * Returns what can be started on a planet. Options without a refusal come first; among equals, the one that is affordable
 * soonest. Ships are listed if the planet has a shipyard; nothing is listed at its highest level.
 */
export function optionsOf(world: ReadonlyWorld, planet: ReadonlyPlanet): PlanetOption[] {
  const { rules } = world;
  const options = [
    starterOption(world, planet),
    ...rules.buildings.map((_, type) => buildingOption(world, planet, type)),
    ...(planet.levelOf(rules.shipyard) === 0 ? [] : rules.ships.map((_, type) => shipOption(world, planet, type))),
    ...rules.research.map((_, type) => researchOption(world, planet, type)),
  ];
  const suspended = refuseSuspended(world, planet.ownerNumber);
  return options
    .filter((option) => option !== null)
    .map((option) => (suspended === null ? option : { ...option, refusal: suspended }))
    .sort(byReadiness);
}

/**
 * Returns the world time in milliseconds from which an option can be started, once what is in progress has ended; null if something else is
 * in the way, or production alone never covers its cost.
 */
export function startableFromMs({ affordableFromMs, refusal }: PlanetOption): number | null {
  if (affordableFromMs === null || refusal === null) return affordableFromMs;
  const { inProgress } = refusal.facts;
  return inProgress === undefined ? null : Math.max(affordableFromMs, inProgress.finishAtMs);
}

/** Another starter planet, which costs nothing; null if the rules give the owner no more. */
function starterOption(world: ReadonlyWorld, planet: ReadonlyPlanet): PlanetOption | null {
  const { rules, settings } = world;
  const { owner } = planet;
  if (!hasStarterLeft(world, owner)) return null;
  const { starterBuildings } = rules;
  return {
    action: 'second_starter',
    type: 0,
    level: 0,
    cost: FREE,
    durationMs: 0,
    affordableFromMs: affordableFromMs(world, planet, FREE),
    refusal: refuseStarter(world, owner),
    points: sum(starterBuildings.map((type) => rules.buildingPoints(type, 1))),
    hourlyGain: RESOURCES.map((_, resource) => {
      const units = sum(starterBuildings.map((type) => rules.buildingOutput(type, 1)[resource] as number));
      return raisedOutput(rules, owner, resource, units * settings.speedThousandths, AVERAGE_PERCENT);
    }),
  };
}

function buildingOption(world: ReadonlyWorld, planet: ReadonlyPlanet, type: number): PlanetOption | null {
  const { rules } = world;
  // The level in progress has been started and paid: the option is the one after it.
  const level = levelToCome(planet, type);
  if (level >= BUILDING_LEVEL_MAX) return null;
  const cost = rules.buildingCost(type, level + 1);
  const before = rules.buildingOutput(type, level);
  const after = rules.buildingOutput(type, level + 1);
  return {
    action: hasBuilding(planet, type) ? 'upgrade' : 'construct',
    type,
    level: level + 1,
    cost,
    durationMs: durationMs(world, buildingBaseMs(level)),
    affordableFromMs: affordableFromMs(world, planet, cost),
    refusal: refuseUpgrade(world, planet, type),
    points: rules.buildingPoints(type, level + 1),
    hourlyGain: RESOURCES.map((_, resource) => {
      const more = (after[resource] as number) - (before[resource] as number);
      const hourly = more * world.settings.speedThousandths;
      return raisedOutput(rules, planet.owner, resource, hourly, richnessPercent(world, planet, resource));
    }),
  };
}

function shipOption(world: ReadonlyWorld, planet: ReadonlyPlanet, type: number): PlanetOption {
  const { rules } = world;
  const cost = rules.shipCost(type, 1);
  return {
    action: 'build_ships',
    type,
    level: 0,
    cost,
    durationMs: durationMs(world, rules.shipBaseMs(type, 1, planet.levelOf(rules.shipyard))),
    affordableFromMs: affordableFromMs(world, planet, cost),
    refusal: refuseOrder(world, planet, type),
    points: pointsOfShip(rules, type),
    hourlyGain: NO_GAIN,
  };
}

function researchOption(world: ReadonlyWorld, planet: ReadonlyPlanet, type: number): PlanetOption | null {
  const { owner } = planet;
  const level = owner.researchLevel(type) + (owner.research?.researchType === type ? 1 : 0);
  if (level >= RESEARCH_LEVEL_MAX) return null;
  return {
    action: 'research',
    type,
    level: level + 1,
    cost: FREE,
    durationMs: durationMs(world, researchBaseMs(level)),
    affordableFromMs: affordableFromMs(world, planet, FREE),
    refusal: refuseResearch(world, owner, type),
    points: 0,
    hourlyGain: gainOfResearch(world, planet, type),
  };
}

/** What the next level of a research adds to the output of the planet. */
function gainOfResearch(world: ReadonlyWorld, planet: ReadonlyPlanet, type: number): readonly number[] {
  const { rules, settings } = world;
  const effect = rules.research[type]?.effect;
  if (effect?.kind !== 'output') return NO_GAIN;
  return RESOURCES.map((name, resource) => {
    if (!effect.resources.includes(name)) return 0;
    const units = sum(rules.buildings.map((_, building) => outputOf(rules, planet, building)[resource] as number));
    const percents = effect.percentPerLevel * richnessPercent(world, planet, resource);
    return multiplyDivideFloor(units * settings.speedThousandths, percents, 100 * AVERAGE_PERCENT);
  });
}

function outputOf(rules: Rules, planet: ReadonlyPlanet, building: number): Amounts {
  return rules.buildingOutput(building, planet.levelOf(building));
}

function byReadiness(one: PlanetOption, other: PlanetOption): number {
  const readiness = Number(one.refusal !== null) - Number(other.refusal !== null);
  return readiness !== 0 ? readiness : whenAffordable(one) - whenAffordable(other);
}

/** Options that are never affordable keep the order of the rules. A large number stands for never, since Infinity - Infinity is NaN. */
function whenAffordable({ affordableFromMs: atMs }: PlanetOption): number {
  return atMs ?? Number.MAX_SAFE_INTEGER;
}
