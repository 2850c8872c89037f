// Builds by fixed ratios, without any forecast: levels of buildings, research, and colony ships as soon as there is room for a planet.
import { type Catalog, type Planet, type PlanStep, planOperation } from '../../bot.js';
import { operation, type Resource } from '../../galaxyd-client.js';
import { costOfShip, isBuilding, levelOf, lowest, orderShips } from './building.js';
import { roomForColonies } from './colonies.js';
import { hoursBetween, type Plan } from './plan.js';

/** Levels, compared with each other. */
export interface Ratios {
  /** Of the building that makes most of a resource. */
  readonly makers: Readonly<Record<Resource, number>>;
  /** Of a building that makes something, but most of nothing. */
  readonly others: number;
  readonly shipyard: number;
}

/** Levels of a plan. With few of them, a planet soon notices that there is room for a colony. */
const LEVELS_AT_ONCE = 8;
/** A planet saves for a colony ship that it can pay for within this many hours, at speed 1. */
const SAVING_HOURS = 12;

/** Builds on all planets of a player. Remembers which of them have a colony ship in their plan. */
export class RatioBuilder {
  readonly #settling = new Set<string>();

  constructor(readonly ratios: Ratios) {}

  /** Gives each planet without a plan a new one. If the rules have no plans, it starts one thing on each idle planet. */
  async build(plan: Plan): Promise<void> {
    const { catalog } = plan.port;
    const { planets } = plan.state;
    for (const { id, planSteps = 0 } of planets) if (planSteps === 0) this.#settling.delete(id);
    let room = roomForColonies(plan) - this.#settling.size;
    for (const planet of planets) {
      if ((planet.planSteps ?? 0) > 0) continue;
      const settles = room > 0 && canSettle(plan, planet);
      if (settles) room -= 1;
      if (catalog.plans === undefined) {
        await (settles ? orderColonyShip(plan, planet) : this.#start(plan, planet));
        continue;
      }
      if (settles) this.#settling.add(planet.id);
      const ship: PlanStep = { action: 'build_ships', shipType: plan.roles.colonyShip, count: 1 };
      const steps = settles ? [ship] : nextLevels(catalog, planet, this.ratios, LEVELS_AT_ONCE);
      plan.command(planet, planOperation(planet.id, steps));
    }
  }

  /** Starts the next building of a planet, or notes when it can. */
  async #start(plan: Plan, planet: Planet): Promise<void> {
    const [upgrade] = planet.buildings.flatMap(({ constructionQueue }) => constructionQueue);
    if (upgrade !== undefined) return plan.wakeAt(upgrade.upgradeFinishAt);
    const [next] = nextLevels(plan.port.catalog, planet, this.ratios, 1);
    const { options } = await plan.port.options(planet.id);
    const option = options.filter(isBuilding).find(({ buildingType }) => buildingType === next?.buildingType);
    if (option === undefined || option.reason !== undefined) return;
    if (!plan.canPay(planet, option.cost)) return plan.wakeAt(plan.payableAt(planet, option.cost));
    plan.command(planet, option.request, option.cost);
    plan.wakeIn(option.seconds);
  }
}

/** Starts the lowest research that raises output or the limit of planets, unless some research is in progress. */
export function startResearch(plan: Plan): void {
  const { research, colonies } = plan.port.catalog;
  const known = plan.state.research;
  const [home] = plan.state.planets;
  if (home === undefined || known.some(({ isResearching }) => isResearching)) return;
  const levelIn = (type: string): number => known.find((each) => each.type === type)?.level ?? 0;
  const useful = research.filter(
    ({ type, effect, maximumLevel }) =>
      (effect?.kind === 'output' || type === colonies?.research) && levelIn(type) < maximumLevel,
  );
  const next = lowest(useful, ({ type }) => levelIn(type));
  if (next === undefined) return;
  const body = { playerId: plan.port.playerId, researchType: next.type };
  plan.command(home, operation.post('/api/research/start', { body }));
}

/** Whether a planet can soon pay for a colony ship. */
function canSettle(plan: Plan, planet: Planet): boolean {
  const payableAt = plan.payableAt(planet, costOfShip(plan, plan.roles.colonyShip));
  const { now, catalog } = plan.port;
  return (
    levelOf(planet, plan.roles.shipyard) > 0 &&
    payableAt !== null &&
    hoursBetween(now, payableAt) * catalog.speed < SAVING_HOURS
  );
}

function orderColonyShip(plan: Plan, planet: Planet): void {
  if (orderShips(plan, planet, plan.roles.colonyShip, 1) > 0) return;
  plan.wakeAt(plan.payableAt(planet, costOfShip(plan, plan.roles.colonyShip)));
}

/** Steps to the next levels: each time the building whose level is lowest for its ratio. */
function nextLevels(catalog: Catalog, planet: Planet, ratios: Ratios, count: number) {
  const rows = catalog.buildings.map(({ type, maximumLevel }, index) => {
    const building = planet.buildings.find((each) => each.type === type);
    const level = building?.constructionQueue[0]?.targetLevel ?? building?.level ?? 0;
    return { type, level, maximumLevel, ratio: ratioOf(catalog, index, ratios) };
  });
  const steps: Extract<PlanStep, { buildingType: string }>[] = [];
  while (steps.length < count) {
    const open = rows.filter(({ level, maximumLevel, ratio }) => ratio > 0 && level < maximumLevel);
    const next = lowest(open, ({ level, ratio }) => level / ratio);
    if (next === undefined) break;
    steps.push({ action: next.level === 0 ? 'construct' : 'upgrade', buildingType: next.type });
    next.level += 1;
  }
  return steps;
}

/** The ratio of a building; 0 if it is not wanted. */
function ratioOf({ resources, buildings, roles }: Catalog, building: number, ratios: Ratios): number {
  if (buildings[building]?.type === roles.shipyard) return ratios.shipyard;
  const wanted = resources.map((name, resource) => {
    const made = buildings.map(({ outputsPerHour }) => outputsPerHour[0]?.[resource] ?? 0);
    if (made[building] === 0) return 0;
    return made[building] === Math.max(...made) ? ratios.makers[name] : ratios.others;
  });
  return Math.max(...wanted);
}
