// The build order of a planet for about a day: simulates its growth and chooses, one after the other, the building that is worth most
// for the time that it takes. Ignores other players.
import type { Catalog } from '../../bot.js';
import { hoursUntil, spend, type Units, weigh } from './amounts.js';
import {
  type BuildingTable,
  buildingTables,
  complete,
  copyOf,
  type GrowingPlanet,
  type Level,
  pass,
} from './growth.js';
import { type Prices, worthInTrade } from './returns.js';

/** How a bot weighs buildings. */
export interface Priorities {
  /** Worth of a unit of resources in a building for its points, by position. 0 builds it only for its output. */
  readonly weights: readonly number[];
  /** Hours of production that count as the worth of an increase of output. */
  readonly outputHours: number;
  /** Units per hour that are needed for other things than buildings. */
  readonly wanted: readonly number[];
  /** Levels of each building for each level of the highest mine, by position. */
  readonly shares: readonly number[];
  /** Without it, the planet neither sells nor buys. */
  readonly prices?: Prices;
}

/** A step of a build order. Times are hours from its beginning. */
interface BuildStep {
  /** Position in the catalogue. */
  readonly building: number;
  readonly level: number;
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface BuildOrder {
  readonly steps: readonly BuildStep[];
  /** State of the planet at the end. */
  readonly after: GrowingPlanet;
  /** Its end, in hours from the beginning. */
  readonly hours: number;
  /** What is left at the end after a reserve for the next steps. */
  readonly spare: Units;
  /** Points of the levels that are started. */
  readonly points: number;
}

export interface BuildOrderOptions {
  readonly priorities: Priorities;
  /** No step starts later than this. */
  readonly hours: number;
  readonly stepsMax: number;
}

/** What a planet saves for, and the hours until it must be able to pay for it. */
export interface Goal {
  readonly cost: readonly number[];
  readonly hours: number;
}

/** The reserve is this many times the cost of the next step, since later steps cost more. */
const RESERVE = 4;
/** Numbers of steps that are tried for a goal. */
const TRIES = 12;
/** Buildings keep up only with the levels of mines above this one. */
const SHARES_FROM = 5;
/** A building that lags behind is started first if the planet can pay for it within this many hours. */
const SHARE_HOURS = 4;
/** Hours in which a stock is used up: a part of it counts as supply per hour. */
const STOCK_HOURS = 24;
/** A scarce resource is worth at most this many times as much. */
const WORTH_MAX = 20;

/** Computes the build order of a planet, without changing the planet. */
export function buildOrderOf(
  catalog: Catalog,
  planet: GrowingPlanet,
  { priorities, hours, stepsMax }: BuildOrderOptions,
): BuildOrder {
  const tables = buildingTables(catalog);
  const growing = copyOf(planet);
  const steps: BuildStep[] = [];
  let [at, points] = [0, 0];
  const passHours = (span: number): void => {
    pass(growing, span);
    at += span;
  };
  const { upgrade } = planet;
  if (upgrade !== null) {
    passHours(upgrade.hours);
    const level = tables[upgrade.building]?.levels[growing.levels[upgrade.building] ?? 0];
    if (level !== undefined) complete(growing, upgrade.building, level);
  }
  let level: Level | undefined;
  for (;;) {
    const building = bestOf(tables, growing, priorities);
    level = tables[building]?.levels[growing.levels[building] ?? 0];
    if (level === undefined || steps.length >= stepsMax) break;
    const wait = hoursUntil(growing.stock, growing.production, level.cost);
    if (!(at + wait <= hours)) break;
    passHours(wait);
    spend(growing.stock, level.cost, 1);
    points += level.points;
    steps.push({ building, level: (growing.levels[building] ?? 0) + 1, startsAt: at, endsAt: at + level.hours });
    passHours(level.hours);
    complete(growing, building, level);
  }
  if (at < hours) passHours(hours - at);
  const next = level?.cost ?? [];
  const spare = growing.stock.map((units, resource) => Math.max(0, units - RESERVE * (next[resource] ?? 0)));
  return { steps, after: growing, hours: at, spare, points };
}

/**
 * The longest part of a build order after which a planet can still pay for a goal in time. The planet builds nothing after it.
 *
 * @returns null without one
 */
export function buildOrderFor(
  catalog: Catalog,
  planet: GrowingPlanet,
  goal: Goal,
  options: BuildOrderOptions,
): BuildOrder | null {
  const whole = buildOrderOf(catalog, planet, { ...options, hours: Math.min(options.hours, goal.hours) });
  const canPay = ({ after, hours }: BuildOrder): boolean =>
    hours + hoursUntil(after.stock, after.production, goal.cost) <= goal.hours;
  const stride = Math.max(1, Math.floor(whole.steps.length / TRIES));
  for (let stepsMax = whole.steps.length; stepsMax >= 0; stepsMax -= stride) {
    const { steps } = whole;
    const lastEndsAt = steps[stepsMax - 1]?.endsAt ?? planet.upgrade?.hours ?? 0;
    const part = buildOrderOf(catalog, planet, { ...options, stepsMax, hours: Math.min(lastEndsAt, goal.hours) });
    if (canPay(part)) return part;
  }
  return null;
}

/** Position of the affordable building that lags behind the mines most; -1 without one. */
function lagging(tables: readonly BuildingTable[], growing: GrowingPlanet, { shares }: Priorities): number {
  const height = tables.reduce(
    (most, { isProducing }, index) => (isProducing ? Math.max(most, growing.levels[index] ?? 0) : most),
    0,
  );
  let [most, mostShare] = [-1, 1];
  for (let building = 0; building < tables.length; building += 1) {
    const level = growing.levels[building] ?? 0;
    const cost = tables[building]?.levels[level]?.cost;
    const share = (level + 1) / (Math.max(0, height - SHARES_FROM) * (shares[building] ?? 0) + 1e-9);
    if (cost === undefined || share > mostShare) continue;
    if (hoursUntil(growing.stock, growing.production, cost) <= SHARE_HOURS) [most, mostShare] = [building, share];
  }
  return most;
}

/** Position of the building that is worth most for the time until its completion; -1 without one. */
function bestOf(tables: readonly BuildingTable[], growing: GrowingPlanet, priorities: Priorities): number {
  const late = lagging(tables, growing, priorities);
  if (late >= 0) return late;
  const worth = worthOf(tables, growing, priorities);
  let [best, bestRate] = [-1, 0];
  for (let building = 0; building < tables.length; building += 1) {
    const level = candidate(tables, growing, priorities, building);
    if (level === undefined) continue;
    const hours = hoursUntil(growing.stock, growing.production, level.cost) + level.hours;
    const rate =
      benefit(level, growing.factors, worth, priorities.weights[building] ?? 0, priorities.outputHours) / hours;
    if (rate > bestRate) [best, bestRate] = [building, rate];
  }
  return best;
}

function candidate(
  tables: readonly BuildingTable[],
  { levels }: GrowingPlanet,
  { weights }: Priorities,
  building: number,
): Level | undefined {
  const table = tables[building];
  if (table === undefined || !(table.isProducing || (weights[building] ?? 0) > 0)) return undefined;
  return table.levels[levels[building] ?? 0];
}

function benefit(
  { points, gain }: Level,
  factors: readonly number[],
  worth: Units,
  weight: number,
  outputHours: number,
): number {
  let output = 0;
  for (let resource = 0; resource < gain.length; resource += 1) {
    output += (gain[resource] as number) * (factors[resource] as number) * (worth[resource] as number);
  }
  return points * weight + output * outputHours;
}

/**
 * The worth of a unit of each resource: 1 if demand equals supply, less if time is the bottleneck, more if buildings wait for this
 * resource.
 */
function worthOf(tables: readonly BuildingTable[], growing: GrowingPlanet, priorities: Priorities): Units {
  const demand = growing.stock.map(() => 0);
  let hours = 0;
  for (let building = 0; building < tables.length; building += 1) {
    const level = candidate(tables, growing, priorities, building);
    if (level === undefined) continue;
    spend(demand, level.cost, -1);
    hours += level.hours;
  }
  const ratios = demand.map((units, resource) => {
    const asked = units / hours + (priorities.wanted[resource] ?? 0);
    const supply = (growing.stock[resource] as number) / STOCK_HOURS + (growing.production[resource] as number);
    return asked === 0 ? 0 : Math.min(WORTH_MAX, asked / (supply + 1e-9));
  });
  const all = demand.reduce((sum, units) => sum + units, 0);
  const { prices } = priorities;
  const worth = prices === undefined ? ratios : worthInTrade(ratios, demand, prices);
  const mean = weigh(worth, demand) / all;
  return mean > 1 ? worth.map((each) => each / mean) : worth;
}
