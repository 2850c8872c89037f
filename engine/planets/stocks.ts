// A planet's stocks in closed form: amount(now) = stock + output x (now - since), in exact thousandths, each with its own
// `since`. Reading never changes them; spending subtracts. Only a change of the output of a resource or its full store moves
// its `since`, which rounds the amount down to whole thousandths. So the instant at which a stock reaches an amount stays the
// same until that stock or its output is changed.

import { AVERAGE_PERCENT, richnessOf } from '../map/richness.js';
import { multiplyDivideCeil, multiplyDivideFloor } from '../numbers/arithmetic.js';
import { STOCK_UNITS_MAX, WORLD_TIME_MS_MAX } from '../rules/limits.js';
import { type Amounts, CARGO_RESOURCE_COUNT, RESOURCES, type ResourceName } from '../rules/resources.js';
import type { Producer, Rules } from '../rules/rules.js';
import { type Refusal, refuse } from '../terms/rejections.js';
import type { Planet } from '../world/planet-table.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld, World } from '../world/state.js';

const THOUSANDTHS = 1000;
const STOCK_THOUSANDTHS_MAX = STOCK_UNITS_MAX * THOUSANDTHS;
const HOUR_MS = 3_600_000;

/** Thousandths of a unit that a planet produces in an hour but for shocks, at the world's speed and with its owner's research. */
export function hourlyThousandths(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  resource: number,
  rules: Rules = world.rules,
): number {
  let units = 0;
  for (const producer of rules.producers[resource] as readonly Producer[]) {
    units += producer.unitsPerHour[planet.levelOf(producer.type)] as number;
  }
  const richness = richnessPercent(world, planet, resource, rules);
  return raisedOutput(rules, planet.owner, resource, units * world.settings.speedThousandths, richness);
}

/**
 * An output with what the richness of a planet and the research of its owner make of it, rounded down once.
 *
 * @param richness in per cent
 */
export function raisedOutput(
  rules: Rules,
  owner: ReadonlyPlayer,
  resource: number,
  hourly: number,
  richness: number,
): number {
  // Rows of players have no bonuses under rules without them.
  const bonusPercent = rules.hasOutputEffects ? owner.outputBonus(resource) : 0;
  if (bonusPercent === 0 && richness === AVERAGE_PERCENT) return hourly;
  return multiplyDivideFloor(hourly, richness * (100 + bonusPercent), AVERAGE_PERCENT * 100);
}

/** What a planet produces of a resource, in per cent of the output of its buildings. Energy does not differ. */
export function richnessPercent(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  resource: number,
  rules: Rules = world.rules,
): number {
  const { richness } = rules;
  if (richness === null || resource >= CARGO_RESOURCE_COUNT) return AVERAGE_PERCENT;
  // The rows have what the rules of the world make of the seed.
  if (rules === world.rules) return planet.richnessPercent(resource);
  return richnessOf(world.universe, planet.key, richness)[resource] as number;
}

/** Thousandths of a resource on a planet. @param nowMs not before the planet's last change */
export function stockThousandths(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  resource: number,
  nowMs: number,
): number {
  return stockThousandthsAt(world, planet, resource, hourlyThousandths(world, planet, resource), nowMs);
}

/** Thousandths of a resource on a planet, for a caller that has its output. @param hourly from hourlyThousandths() */
export function stockThousandthsAt(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  resource: number,
  hourly: number,
  nowMs: number,
): number {
  const sinceMs = planet.stockSinceMs(resource);
  const addedByShocks = world.shocks.courseOf(planet.key, resource)?.addedBetween(sinceMs, nowMs) ?? 0;
  const produced =
    addedByShocks === 0
      ? multiplyDivideFloor(hourly, nowMs - sinceMs, HOUR_MS)
      : multiplyDivideFloor(hourly, (nowMs - sinceMs) * 100 + addedByShocks, HOUR_MS * 100);
  return Math.min(planet.stockOf(resource) + produced, STOCK_THOUSANDTHS_MAX);
}

/** What a planet produces in an hour as a shock makes it at an instant, in thousandths. @param hourly from hourlyThousandths() */
export function shockedThousandths(
  { shocks }: ReadonlyWorld,
  { key }: ReadonlyPlanet,
  resource: number,
  hourly: number,
  atMs: number,
): number {
  const course = shocks.courseOf(key, resource);
  return course === undefined ? hourly : multiplyDivideFloor(hourly, course.percentAt(atMs), 100);
}

/** Whole units of a resource on a planet, rounded down, as the specification shows them. */
export function stockUnits(world: ReadonlyWorld, planet: ReadonlyPlanet, resource: number, nowMs: number): number {
  return Math.floor(stockThousandths(world, planet, resource, nowMs) / THOUSANDTHS);
}

/** The refusal if a planet cannot pay, with what is missing and when production will cover it; else null. */
export function refuseIfUnaffordable(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  cost: Amounts,
  nowMs: number,
): Refusal | null {
  for (let resource = 0; resource < cost.length; resource += 1) {
    const needed = cost[resource] as number;
    if (needed > 0 && stockThousandths(world, planet, resource, nowMs) < needed * THOUSANDTHS) {
      return refuse('insufficient_resources', shortage(world, planet, cost, nowMs));
    }
  }
  return null;
}

/** Takes whole units from a planet, which must hold them. */
export function spend(world: World, planet: Planet, cost: Amounts, nowMs: number): void {
  for (let resource = 0; resource < cost.length; resource += 1) {
    change(world, planet, resource, -(cost[resource] as number), nowMs);
  }
}

/** Gives whole units to a planet; what exceeds STOCK_UNITS_MAX is lost. */
export function deposit(world: World, planet: Planet, amounts: readonly number[], nowMs: number): void {
  for (let resource = 0; resource < amounts.length; resource += 1) {
    change(world, planet, resource, amounts[resource] as number, nowMs);
  }
}

/** Stores the stock of a resource as of now. Call it if its output changes, and only then. @param hourly its output until now */
export function settle(world: World, planet: Planet, resource: number, hourly: number): void {
  const { nowMs } = world;
  planet.setStockAt(resource, stockThousandthsAt(world, planet, resource, hourly, nowMs), nowMs);
}

/** Whole units of all resources but energy that a planet produces in a time, as its output is now but for shocks. */
export function producedUnits(world: ReadonlyWorld, planet: ReadonlyPlanet, timeMs: number): number {
  let hourly = 0;
  for (let resource = 0; resource < CARGO_RESOURCE_COUNT; resource += 1) {
    hourly += hourlyThousandths(world, planet, resource);
  }
  return multiplyDivideFloor(hourly, timeMs, HOUR_MS * THOUSANDTHS);
}

/** Whole units of the resources that can be shipped and looted. */
export function shippableUnits(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): number[] {
  return firstUnits(world, planet, CARGO_RESOURCE_COUNT, nowMs);
}

/** Whole units of all resources. */
export function allUnits(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): number[] {
  return firstUnits(world, planet, RESOURCES.length, nowMs);
}

function firstUnits(world: ReadonlyWorld, planet: ReadonlyPlanet, count: number, nowMs: number): number[] {
  const units: number[] = [];
  for (let resource = 0; resource < count; resource += 1) units.push(stockUnits(world, planet, resource, nowMs));
  return units;
}

function change(world: World, planet: Planet, resource: number, units: number, nowMs: number): void {
  if (units === 0) return;
  const held = stockThousandths(world, planet, resource, nowMs);
  const target = Math.min(held + units * THOUSANDTHS, STOCK_THOUSANDTHS_MAX);
  // Production into a full store is lost. If it were not settled, the next spending would bring it back.
  if (held === STOCK_THOUSANDTHS_MAX || target === STOCK_THOUSANDTHS_MAX) planet.setStockAt(resource, target, nowMs);
  else planet.setStock(resource, planet.stockOf(resource) + (target - held));
}

function shortage(world: ReadonlyWorld, planet: ReadonlyPlanet, cost: Amounts, nowMs: number) {
  const missing: Record<string, number> = {};
  let affordableAtMs: number | null = nowMs;
  let scarcest: ResourceName | undefined;
  for (const [resource, name] of RESOURCES.entries()) {
    const short = (cost[resource] as number) * THOUSANDTHS - stockThousandths(world, planet, resource, nowMs);
    if (short <= 0) continue;
    missing[name] = Math.ceil(short / THOUSANDTHS);
    if (affordableAtMs === null) continue;
    const coveredMs = coveredFromMs(world, planet, resource, cost[resource] as number);
    if (coveredMs !== null && coveredMs <= affordableAtMs) continue;
    affordableAtMs = coveredMs;
    scarcest = name;
  }
  return { missing, affordableAtMs, scarcest };
}

/**
 * World time from which a planet's stocks cover a cost. It is in the past if they cover it now, and the start of the world if they covered it
 * when they were last settled; null if production alone never covers it.
 */
export function affordableFromMs(world: ReadonlyWorld, planet: ReadonlyPlanet, cost: Amounts): number | null {
  let affordableAtMs = world.settings.startMs;
  for (let resource = 0; resource < cost.length; resource += 1) {
    const units = cost[resource] as number;
    if (units * THOUSANDTHS <= planet.stockOf(resource)) continue;
    const coveredMs = coveredFromMs(world, planet, resource, units);
    if (coveredMs === null) return null;
    affordableAtMs = Math.max(affordableAtMs, coveredMs);
  }
  return affordableAtMs;
}

/**
 * World time at which production alone, as far as shocks are announced, reaches an amount that the settled stock does not cover; null if a planet cannot hold as much, or if
 * it is never reached or only after WORLD_TIME_MS_MAX.
 */
function coveredFromMs(world: ReadonlyWorld, planet: ReadonlyPlanet, resource: number, units: number): number | null {
  const output = hourlyThousandths(world, planet, resource);
  if (output === 0 || units > STOCK_UNITS_MAX) return null;
  const fromStock = units * THOUSANDTHS - planet.stockOf(resource);
  const sinceMs = planet.stockSinceMs(resource);
  const course = world.shocks.courseOf(planet.key, resource);
  const reachedMs =
    course === undefined
      ? sinceMs + multiplyDivideCeil(fromStock, HOUR_MS, output)
      : course.reachedMs(sinceMs, multiplyDivideCeil(fromStock, HOUR_MS * 100, output));
  return reachedMs > WORLD_TIME_MS_MAX ? null : reachedMs;
}
