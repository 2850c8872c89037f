// Hauls what its colonies earn to its first planets and spends it there. A planet builds what returns its cost soonest; once nothing on a
// colony returns its cost soon, all that it makes goes home.
import type { Bot, BotKind, Planet, PlanStep } from '../bot.js';
import { hoursUntil, spend, weigh } from './support/amounts.js';
import { costOfShip, lowest, takeStarters } from './support/building.js';
import { roomForColonies } from './support/colonies.js';
import { startResearch } from './support/fixed-ratios.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { buildingTables, complete, type GrowingPlanet, growingOf, pass, unitsOf } from './support/growth.js';
import { freightersMissing, haulerOf, haulTo } from './support/hauling.js';
import { Plan } from './support/plan.js';
import { canSettle, colonyShipStep, settle } from './support/settling.js';
import { handOver } from './support/steps.js';

const WAKE_SECONDS = 4_500;
/** The first planets, to which everything goes. */
const HOMES = 2;
/** A colony whose best building takes longer to return its cost builds no more, in hours at speed 1. */
const RETURN_HOURS_MAX = 120;
/** Levels of a plan, and those that are left when a planet gets a new one. */
const LEVELS_AT_ONCE = 6;
const LEVELS_LEFT = 1;
/** Level of the highest mine for each level of the shipyard. */
const MINES_PER_SHIPYARD = 6;
/** Freighters carry what a colony makes in this many hours, at speed 1. */
const FREIGHT_HOURS = 3;
/** Hours of production in which the next levels should be paid for. */
const SUPPLY_HOURS = 24;
/** H2 for flights, as a share of what the next levels cost in iron. */
const FUEL_SHARE = 0.1;

/** @param hauls whether it hauls; otherwise each planet spends what it makes, and all else is the same */
export function makeFunnel(hauls: boolean): Bot {
  const galaxyMap = new GalaxyMap();
  return {
    async wake(port) {
      const plan = new Plan(port, await port.state());
      takeStarters(plan);
      const { planets } = plan.state;
      await settle(plan, galaxyMap, planets[0]);
      startResearch(plan);
      let room = roomForColonies(plan);
      for (const [index, planet] of planets.entries()) {
        const isColony = hauls && index >= HOMES;
        const levels = nextLevels(plan, planet, isColony ? RETURN_HOURS_MAX : Number.POSITIVE_INFINITY);
        if (isColony && levels.length === 0) {
          await sendHome(plan, planet, planets.slice(0, HOMES));
          continue;
        }
        if ((planet.planSteps ?? 0) > LEVELS_LEFT) continue;
        const settles = room > 0 && canSettle(plan, planet);
        if (settles) room -= 1;
        await handOver(plan, planet, settles ? [colonyShipStep(plan)] : levels);
      }
      plan.wakeIn(WAKE_SECONDS / port.catalog.speed);
      return plan.carryOut();
    },
  };
}

/** Sends what a colony has to the home that has least, and has the missing freighters built. */
async function sendHome(plan: Plan, colony: Planet, homes: readonly Planet[]): Promise<void> {
  const home = lowest(homes, ({ iron, silver }) => iron + silver);
  const freighter = haulerOf(plan);
  if (home === undefined || freighter === undefined) return;
  const missing = freightersMissing(plan, colony, FREIGHT_HOURS);
  const order: PlanStep = { action: 'build_ships', shipType: freighter.type, count: missing };
  if (missing > 0) return handOver(plan, colony, [order]);
  await haulTo(plan, colony, home.id, 1);
}

/** The levels that return their cost soonest, one after the other. */
function nextLevels(plan: Plan, planet: Planet, returnHoursMax: number): PlanStep[] {
  const { catalog, now } = plan.port;
  const growing = growingOf(catalog, now, planet, plan.stock(planet));
  const tables = buildingTables(catalog);
  const { upgrade } = growing;
  const underWay = upgrade === null ? undefined : tables[upgrade.building]?.levels[levelIn(growing, upgrade.building)];
  if (upgrade !== null && underWay !== undefined) {
    pass(growing, upgrade.hours);
    complete(growing, upgrade.building, underWay);
  }
  const shipyard = tables.findIndex(({ type }) => type === plan.roles.shipyard);
  const isBuilt = new Set(planet.buildings.map(({ type }) => type));
  const steps: PlanStep[] = [];
  while (steps.length < LEVELS_AT_ONCE) {
    const best = needsShipyard(plan, growing, shipyard) ? shipyard : soonestToReturn(plan, growing, returnHoursMax);
    const { type: buildingType = '', levels = [] } = tables[best] ?? {};
    const level = levels[levelIn(growing, best)];
    const wait =
      level === undefined ? Number.POSITIVE_INFINITY : hoursUntil(growing.stock, growing.production, level.cost);
    if (level === undefined || wait === Number.POSITIVE_INFINITY) break;
    const isNew = levelIn(growing, best) === 0 && !isBuilt.has(buildingType);
    steps.push({ action: isNew ? 'construct' : 'upgrade', buildingType });
    pass(growing, wait);
    spend(growing.stock, level.cost, 1);
    pass(growing, level.hours);
    complete(growing, best, level);
  }
  return steps;
}

const levelIn = ({ levels }: GrowingPlanet, building: number): number => levels[building] ?? 0;

function needsShipyard({ port: { catalog } }: Plan, growing: GrowingPlanet, shipyard: number): boolean {
  const tables = buildingTables(catalog);
  const highest = Math.max(...tables.map(({ isProducing }, index) => (isProducing ? levelIn(growing, index) : 0)));
  return levelIn(growing, shipyard) < Math.floor(highest / MINES_PER_SHIPYARD);
}

/** Position of a building; -1 without one. A resource is worth more, the more of it the next levels need. */
function soonestToReturn(plan: Plan, growing: GrowingPlanet, hoursMax: number): number {
  const { catalog } = plan.port;
  const tables = buildingTables(catalog);
  const open = tables.flatMap(({ isProducing, levels }, building) => {
    const level = levels[levelIn(growing, building)];
    return isProducing && level !== undefined ? [{ building, level }] : [];
  });
  const demand = catalog.resources.map((_, resource) =>
    open.reduce((sum, { level }) => sum + (level.cost[resource] ?? 0), 0),
  );
  const [h2, iron] = [catalog.resources.indexOf('h2'), catalog.resources.indexOf('iron')];
  demand[h2] = (demand[h2] ?? 0) + FUEL_SHARE * (demand[iron] ?? 0);
  if (roomForColonies(plan) > 0) spend(demand, unitsOf(catalog, costOfShip(plan, plan.roles.colonyShip)), -1);
  const hours = SUPPLY_HOURS / catalog.speed;
  const worth = demand.map(
    (units, resource) =>
      units / ((growing.stock[resource] ?? 0) + hours * (growing.production[resource] ?? 0) + units / 10 + 1),
  );
  const hoursOf = ({ level }: (typeof open)[number]): number =>
    hoursUntil(growing.stock, growing.production, level.cost) +
    level.hours +
    weigh(level.cost, worth) / weigh(level.gain, worth);
  const best = lowest(open, hoursOf);
  return best === undefined || hoursOf(best) * catalog.speed > hoursMax ? -1 : best.building;
}

export const funnel: BotKind = {
  name: 'funnel',
  summary: 'Hauls what its colonies earn to its first planets.',
  make: () => makeFunnel(true),
};
