// What a planet builds next, by a rule of thumb: what returns its cost soonest. It simulates the planet until each level is complete.
import type { Planet, PlanStep } from '../../bot.js';
import { hoursUntil, spend, type Units, weigh } from './amounts.js';
import { lowest } from './building.js';
import {
  type BuildingTable,
  buildingTables,
  complete,
  type GrowingPlanet,
  growingOf,
  type Level,
  pass,
} from './growth.js';
import type { Plan } from './plan.js';

export interface Thrift {
  /** Levels at most. */
  readonly levels: number;
  /** No level that takes longer to return its cost, in hours at speed 1. */
  readonly hoursMax: number;
  /** Units of each resource that the planet needs for other things than levels. */
  readonly alsoWanted: readonly number[];
  /** Level of the highest mine for each level of the shipyard. */
  readonly minesPerShipyard: number;
  /** Without it, the planet neither sells nor buys. */
  readonly prices?: Prices;
}

/** Prices of a unit of each resource on a market. */
export interface Prices {
  /** 0 for what cannot be traded. */
  readonly values: readonly number[];
  /** 0 for what nobody buys. */
  readonly sold: readonly number[];
  /** Infinity for what nobody sells. */
  readonly bought: readonly number[];
}

/** Levels that a planet builds, one after the other. */
export interface Course {
  readonly steps: readonly PlanStep[];
  /** What all of them cost. */
  readonly bill: Units;
  /** What the first one costs. */
  readonly firstBill: Units;
  /** Hours for building them, and for the upgrade before them. */
  readonly hours: number;
}

/** Hours of production that should pay for the next level of each building, at speed 1. */
const SUPPLY_HOURS = 24;
/** Part of a demand that counts as supply, so that a missing resource has a finite worth. */
const DEMAND_SHARE = 0.1;

/** The steps of courseByReturn(). */
export const levelsByReturn = (plan: Plan, planet: Planet, thrift: Thrift): PlanStep[] => [
  ...courseByReturn(plan, planet, thrift).steps,
];

/** The levels that return their cost soonest, one after the other. */
export function courseByReturn(plan: Plan, planet: Planet, thrift: Thrift): Course {
  const { catalog, now } = plan.port;
  const tables = buildingTables(catalog);
  const growing = growingOf(catalog, now, planet, plan.stock(planet));
  const { upgrade } = growing;
  if (upgrade !== null) build(growing, tables, upgrade.building, upgrade.hours);
  const shipyard = tables.findIndex(({ type }) => type === plan.roles.shipyard);
  const known = new Set(planet.buildings.map(({ type }) => type));
  const steps: PlanStep[] = [];
  const bill = catalog.resources.map(() => 0);
  let firstBill: Units = [...bill];
  let hours = upgrade?.hours ?? 0;
  while (steps.length < thrift.levels) {
    const highest = Math.max(...growing.levels.filter((_, building) => tables[building]?.isProducing));
    const isLagging = levelIn(growing, shipyard) < Math.floor(highest / thrift.minesPerShipyard);
    const best = isLagging ? shipyard : soonestToReturn(growing, tables, thrift, catalog.speed);
    const level = tables[best]?.levels[levelIn(growing, best)];
    const wait =
      level === undefined ? Number.POSITIVE_INFINITY : hoursUntil(growing.stock, growing.production, level.cost);
    if (level === undefined || wait === Number.POSITIVE_INFINITY) break;
    const buildingType = tables[best]?.type ?? '';
    const isNew = levelIn(growing, best) === 0 && !known.has(buildingType);
    steps.push({ action: isNew ? 'construct' : 'upgrade', buildingType });
    pass(growing, wait);
    spend(growing.stock, level.cost, 1);
    spend(bill, level.cost, -1);
    if (steps.length === 1) firstBill = [...bill];
    hours += level.hours;
    build(growing, tables, best, level.hours);
  }
  return { steps, bill, firstBill, hours };
}

const levelIn = ({ levels }: GrowingPlanet, building: number): number => levels[building] ?? 0;

function build(growing: GrowingPlanet, tables: readonly BuildingTable[], building: number, hours: number): void {
  pass(growing, hours);
  const level = tables[building]?.levels[levelIn(growing, building)];
  if (level !== undefined) complete(growing, building, level);
}

/** Position of a building; -1 without one. A resource is worth more, the more of it the next levels need. */
function soonestToReturn(
  growing: GrowingPlanet,
  tables: readonly BuildingTable[],
  { hoursMax, alsoWanted, prices }: Thrift,
  speed: number,
): number {
  const open = tables.flatMap(({ isProducing, levels }, building) => {
    const level = levels[levelIn(growing, building)];
    return isProducing && level !== undefined ? [{ building, level }] : [];
  });
  const demand = [...alsoWanted];
  for (const { level } of open) spend(demand, level.cost, -1);
  const { stock, production } = growing;
  const needed = demand.map((units, resource) => {
    const supply = (stock[resource] ?? 0) + (SUPPLY_HOURS / speed) * (production[resource] ?? 0);
    return units / (supply + DEMAND_SHARE * units + 1);
  });
  const worth = prices === undefined ? needed : worthInTrade(needed, demand, prices);
  const hoursOf = ({ level: { cost, gain, hours } }: { readonly level: Level }): number =>
    hoursUntil(stock, production, cost) + hours + weigh(cost, worth) / weigh(gain, worth);
  const best = lowest(open, hoursOf);
  return best === undefined || hoursOf(best) * speed > hoursMax ? -1 : best.building;
}

/** The worth of each resource if what is worth little on the planet can be sold for what it needs, and what is worth much bought. */
export function worthInTrade(
  needed: readonly number[],
  demand: readonly number[],
  { values, sold, bought }: Prices,
): Units {
  const wanted = demand.map((units, resource) => ((values[resource] ?? 0) > 0 ? units : 0));
  const scale = weigh(wanted, needed) / Math.max(1, weigh(wanted, values));
  return needed.map((worth, resource) =>
    Math.min(Math.max(worth, scale * (sold[resource] ?? 0)), scale * (bought[resource] ?? Number.POSITIVE_INFINITY)),
  );
}
