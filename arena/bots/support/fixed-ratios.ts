// Builds by fixed ratios, without any forecast: levels of buildings, research, and colony ships as soon as there is room for a planet.
import type { Catalog, Planet, PlanStep } from '../../bot.js';
import { operation, type Resource } from '../../galaxyd-client.js';
import { lowest } from './building.js';
import { roomForColonies } from './colonies.js';
import type { Plan } from './plan.js';
import { canSettle, colonyShipStep } from './settling.js';
import { handOver } from './steps.js';

/** Levels, compared with each other. 0 for a building that is not wanted. */
export interface Ratios {
  /** Of the building that makes most of a resource. */
  readonly makers: Readonly<Record<Resource, number>>;
  /** Of a building that makes something, but most of nothing. */
  readonly others: number;
  readonly shipyard: number;
  readonly antiSpy: number;
  readonly planetaryShield: number;
  /** Of each building that fires. */
  readonly defences: number;
}

/** Levels of a plan. With few of them, a planet soon notices that there is room for a colony. */
const LEVELS_AT_ONCE = 8;

/** Builds on all planets of a player. Remembers which of them have a colony ship in their plan. */
export class RatioBuilder {
  readonly #settling = new Set<string>();

  constructor(readonly ratios: Ratios) {}

  /** Gives each planet without a plan a new one. If the rules have no plans, it starts one thing on each idle planet. */
  async build(plan: Plan): Promise<void> {
    const { planets } = plan.state;
    for (const { id, planSteps = 0 } of planets) if (planSteps === 0) this.#settling.delete(id);
    let room = roomForColonies(plan) - this.#settling.size;
    for (const planet of planets) {
      if ((planet.planSteps ?? 0) > 0) continue;
      const settles = room > 0 && canSettle(plan, planet);
      if (settles) room -= 1;
      if (settles && plan.port.catalog.plans !== undefined) this.#settling.add(planet.id);
      const steps = settles ? [colonyShipStep(plan)] : levelsByRatio(plan.port.catalog, planet, this.ratios);
      await handOver(plan, planet, steps);
    }
  }
}

/** Starts the lowest research that raises output or the limit of planets, or unlocks a drive, unless some research is in progress. */
export function startResearch(plan: Plan): void {
  const { research, colonies, drives } = plan.port.catalog;
  const known = plan.state.research;
  const [home] = plan.state.planets;
  if (home === undefined || known.some(({ isResearching }) => isResearching)) return;
  const levelIn = (type: string): number => known.find((each) => each.type === type)?.level ?? 0;
  const useful = research.filter(({ type, effect, maximumLevel }) => {
    const unlocks = levelIn(type) === 0 && drives.some((drive) => drive.research === type);
    const raises = effect?.kind === 'output' || type === colonies?.research;
    return unlocks || (raises && levelIn(type) < maximumLevel);
  });
  const next = lowest(useful, ({ type }) => levelIn(type));
  if (next === undefined) return;
  const body = { playerId: plan.port.playerId, researchType: next.type };
  plan.command(home, operation.post('/api/research/start', { body }));
}

/** Steps to the next levels: each time the building whose level is lowest for its ratio. */
export function levelsByRatio(catalog: Catalog, planet: Planet, ratios: Ratios): PlanStep[] {
  const rows = catalog.buildings.map(({ type, maximumLevel }, index) => {
    const building = planet.buildings.find((each) => each.type === type);
    const level = building?.constructionQueue[0]?.targetLevel ?? building?.level ?? 0;
    return { type, level, maximumLevel, ratio: ratioOf(catalog, index, ratios) };
  });
  const steps: PlanStep[] = [];
  while (steps.length < LEVELS_AT_ONCE) {
    const open = rows.filter(({ level, maximumLevel, ratio }) => ratio > 0 && level < maximumLevel);
    const next = lowest(open, ({ level, ratio }) => level / ratio);
    if (next === undefined) break;
    steps.push({ action: next.level === 0 ? 'construct' : 'upgrade', buildingType: next.type });
    next.level += 1;
  }
  return steps;
}

function ratioOf({ resources, buildings, roles }: Catalog, building: number, ratios: Ratios): number {
  const { type = '', defence } = buildings[building] ?? {};
  if (type === roles.shipyard) return ratios.shipyard;
  if (type === roles.antiSpy) return ratios.antiSpy;
  if (type === roles.planetaryShield) return ratios.planetaryShield;
  if (defence !== undefined) return ratios.defences;
  const wanted = resources.map((name, resource) => {
    const made = buildings.map(({ outputsPerHour }) => outputsPerHour[0]?.[resource] ?? 0);
    if (made[building] === 0) return 0;
    return made[building] === Math.max(...made) ? ratios.makers[name] : ratios.others;
  });
  return Math.max(...wanted);
}
