// What a planet builds in the next day or so, as the steps of a plan: it plays the planet's growth and chooses, one after the
// other, the building that is worth most for the time that it takes. It knows nothing of other players.
import type { Catalog } from '../../bot.js';
import { type BuildingTable, buildingTables, complete, copyOf, type Growing, type Level, pass } from './growth.js';
import { hoursUntil, spend, type Units } from './units.js';

/** What a bot thinks of buildings. */
export interface Taste {
  /** What a unit of resources in a building is worth for its own sake, by position; 0 is to build it for its output only. */
  readonly weights: readonly number[];
  /** Hours of production that count as the worth of an output. */
  readonly outputHours: number;
  /** Units an hour that are wanted for other things than buildings. */
  readonly wanted: readonly number[];
  /** Buildings that shall keep up with the highest mine: by position, the levels of each for a level of that. */
  readonly shares: readonly number[];
}

/** A step of a schedule, in hours from its beginning. */
export interface ScheduledStep {
  /** Position in the catalogue. */
  readonly building: number;
  readonly level: number;
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface Schedule {
  readonly steps: readonly ScheduledStep[];
  /** The planet at the end. */
  readonly after: Growing;
  /** When that is, in hours from the beginning. */
  readonly hours: number;
  /** What is left at the end beside what the next steps will cost. */
  readonly spare: Units;
  /** Points of the levels that were begun. */
  readonly points: number;
}

export interface ScheduleOptions {
  readonly taste: Taste;
  /** No step begins later. */
  readonly hours: number;
  readonly stepsMax: number;
}

/** What a planet saves for, and by when it shall be able to pay for it. */
export interface Goal {
  readonly cost: readonly number[];
  readonly hours: number;
}

/** What is left over keeps the cost of the next step so many times, since the ones after it cost more. */
const RESERVE = 4;
/** Beginnings that are tried for a goal. */
const TRIES = 12;
/** What keeps up with the mines begins once they have so many levels. */
const SHARES_FROM = 5;
/** A building that shall keep up is begun first if it can be paid in so many hours. */
const SHARE_HOURS = 4;
/** Hours over which a stock counts as supply. */
const STOCK_HOURS = 24;
/** A resource that is missing is worth as many times as much at most. */
const WORTH_MAX = 20;

/** Schedules the buildings of a planet. The planet itself is not changed. */
export function scheduleOf(catalog: Catalog, planet: Growing, { taste, hours, stepsMax }: ScheduleOptions): Schedule {
  const tables = buildingTables(catalog);
  const growing = copyOf(planet);
  const steps: ScheduledStep[] = [];
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
    const building = bestOf(tables, growing, taste);
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
 * The longest beginning of a schedule after which a planet can still pay for a goal in time. It builds nothing after that.
 *
 * @returns null if there is none
 */
export function scheduleFor(catalog: Catalog, planet: Growing, goal: Goal, options: ScheduleOptions): Schedule | null {
  const whole = scheduleOf(catalog, planet, { ...options, hours: Math.min(options.hours, goal.hours) });
  const canPay = ({ after, hours }: Schedule): boolean =>
    hours + hoursUntil(after.stock, after.production, goal.cost) <= goal.hours;
  const stride = Math.max(1, Math.floor(whole.steps.length / TRIES));
  for (let stepsMax = whole.steps.length; stepsMax >= 0; stepsMax -= stride) {
    const { steps } = whole;
    const lastEndsAt = steps[stepsMax - 1]?.endsAt ?? planet.upgrade?.hours ?? 0;
    const part = scheduleOf(catalog, planet, { ...options, stepsMax, hours: Math.min(lastEndsAt, goal.hours) });
    if (canPay(part)) return part;
  }
  return null;
}

/** The building that lags behind the mines most, as its position; -1 if none does that can be paid soon. */
function lagging(tables: readonly BuildingTable[], growing: Growing, { shares }: Taste): number {
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

/** The building that is worth most for the time until it is complete, as its position; -1 if there is none. */
function bestOf(tables: readonly BuildingTable[], growing: Growing, taste: Taste): number {
  const late = lagging(tables, growing, taste);
  if (late >= 0) return late;
  const worth = worthOf(tables, growing, taste);
  let [best, bestRate] = [-1, 0];
  for (let building = 0; building < tables.length; building += 1) {
    const level = candidate(tables, growing, taste, building);
    if (level === undefined) continue;
    const hours = hoursUntil(growing.stock, growing.production, level.cost) + level.hours;
    const rate = benefit(level, growing.factors, worth, taste.weights[building] ?? 0, taste.outputHours) / hours;
    if (rate > bestRate) [best, bestRate] = [building, rate];
  }
  return best;
}

function candidate(
  tables: readonly BuildingTable[],
  { levels }: Growing,
  { weights }: Taste,
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
 * What a unit of each resource is worth: 1 if all that is made can be spent, less if time is what is short, and more if it is
 * what the others wait for.
 */
function worthOf(tables: readonly BuildingTable[], growing: Growing, taste: Taste): Units {
  const demand = growing.stock.map(() => 0);
  let hours = 0;
  for (let building = 0; building < tables.length; building += 1) {
    const level = candidate(tables, growing, taste, building);
    if (level === undefined) continue;
    spend(demand, level.cost, -1);
    hours += level.hours;
  }
  const ratios = demand.map((units, resource) => {
    const asked = units / hours + (taste.wanted[resource] ?? 0);
    const supply = (growing.stock[resource] as number) / STOCK_HOURS + (growing.production[resource] as number);
    return asked === 0 ? 0 : Math.min(WORTH_MAX, asked / (supply + 1e-9));
  });
  const all = demand.reduce((sum, units) => sum + units, 0);
  const mean = ratios.reduce((sum, ratio, resource) => sum + ratio * (demand[resource] as number), 0) / all;
  return mean > 1 ? ratios.map((ratio) => ratio / mean) : ratios;
}
