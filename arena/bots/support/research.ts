// Chooses research: by the worth of each level for the player, compared with the time that it takes.
import type { Catalog, PlanStep } from '../../bot.js';
import { lowest } from './building.js';
import { buildingTables } from './growth.js';
import { hoursBetween, type Plan } from './plan.js';

/** Weights of the effects of research. With weight 1, one per cent of an effect is worth a hundredth of the output. */
export interface ResearchPriorities {
  readonly output: number;
  /** A higher limit of planets. */
  readonly colonies: number;
  readonly attack: number;
  readonly hit_points: number;
  readonly cargo: number;
  readonly sight: number;
  readonly drives: number;
}

/** If fleets may colonize this many further planets, raising the limit is worth little. */
const ROOM_MAX = 2;
const ROOMY_SHARE = 0.2;
/** Worth of a new planet as a share of a grown one, because it takes time to grow. */
const YOUNG_SHARE = 0.7;
/** Worth of the first level of a drive that is faster than those of the player, and of each further level, which saves h2. */
const DRIVE_WORTH = 0.05;
const SAVING_WORTH = 0.001;
/** Worth of a drive that is no faster but needs less h2, as a share of a faster one. */
const THRIFT = 0.02;
/** Worth of one scout of sight. */
const SIGHT_WORTH = 0.02;

/** The research steps for the next hours, in order. */
export function researchSteps(plan: Plan, priorities: ResearchPriorities, hours: number, stepsMax: number): PlanStep[] {
  const { port, state } = plan;
  const { catalog, now } = port;
  const levels = new Map(state.research.map(({ type, level, isResearching }) => [type, level + Number(isResearching)]));
  const under = state.research.find(({ isResearching }) => isResearching)?.researchFinishAt ?? null;
  let at = under === null ? 0 : Math.max(0, hoursBetween(now, under));
  const steps: PlanStep[] = [];
  const shares = demandShares(plan);
  while (at < hours && steps.length < stepsMax) {
    const next = lowest(catalog.research, (research) => {
      const worth = worthOf(plan, priorities, shares, research, levels);
      return worth === 0 ? Number.POSITIVE_INFINITY : (research.seconds[levels.get(research.type) ?? 0] ?? 0) / worth;
    });
    if (next === undefined) break;
    const level = levels.get(next.type) ?? 0;
    at += (next.seconds[level] ?? 0) / 3_600 / catalog.speed;
    levels.set(next.type, level + 1);
    steps.push({ action: 'research', researchType: next.type });
  }
  return steps;
}

function worthOf(
  plan: Plan,
  priorities: ResearchPriorities,
  shares: ReadonlyMap<string, number>,
  research: Catalog['research'][number],
  levels: ReadonlyMap<string, number>,
): number {
  const { catalog } = plan.port;
  const { type, maximumLevel, effect } = research;
  const level = levels.get(type) ?? 0;
  if (level >= maximumLevel) return 0;
  if (catalog.colonies?.research === type) return priorities.colonies * worthOfRoom(plan, level);
  if (effect === undefined) return priorities.drives * worthOfDrive(catalog, type, levels);
  if (effect.kind === 'sight') return priorities.sight * SIGHT_WORTH * effect.scoutsPerLevel;
  const share =
    effect.kind === 'output' ? effect.resources.reduce((sum, resource) => sum + (shares.get(resource) ?? 0), 0) : 1;
  return (priorities[effect.kind] * share * effect.percentPerLevel) / 100;
}

/** The worth of a level of the research that raises the limit of planets, as a share of the output. */
function worthOfRoom({ port, state }: Plan, level: number): number {
  const { colonies } = port.catalog;
  if (colonies === undefined) return 0;
  const { planetsAtFirst, levelsPerPlanet } = colonies;
  const planets = planetsAtFirst + Math.floor(level / levelsPerPlanet);
  const isRoomy = planets - state.planets.length >= ROOM_MAX;
  return (isRoomy ? ROOMY_SHARE : YOUNG_SHARE) / levelsPerPlanet / planets;
}

function worthOfDrive({ drives }: Catalog, type: string, levels: ReadonlyMap<string, number>): number {
  const drive = drives.find(({ research }) => research === type);
  if (drive === undefined) return 0;
  if ((levels.get(type) ?? 0) > 0) return SAVING_WORTH;
  const others = drives.filter(({ research }) => research === null || (levels.get(research) ?? 0) > 0);
  const gains = Object.entries(drive.multipliers).map(([flight, multiplier]) => {
    const fastest = Math.max(...others.map(({ multipliers }) => multipliers[flight] ?? 0));
    if (multiplier === 0) return 0;
    if (multiplier > fastest) return 1;
    const cheapest = Math.min(
      ...others.filter(({ multipliers }) => (multipliers[flight] ?? 0) >= multiplier).map(({ h2Factor }) => h2Factor),
    );
    return drive.h2Factor < cheapest ? THRIFT : 0;
  });
  return DRIVE_WORTH * gains.reduce<number>((sum, each) => sum + each, 0);
}

/** The share of each resource in the costs of the next levels on all planets. */
function demandShares({ port, state }: Plan): ReadonlyMap<string, number> {
  const { resources } = port.catalog;
  const tables = buildingTables(port.catalog).filter(({ isProducing }) => isProducing);
  const demand = resources.map(() => 0);
  for (const { buildings } of state.planets) {
    for (const { type, levels } of tables) {
      const cost = levels[buildings.find((building) => building.type === type)?.level ?? 0]?.cost ?? [];
      for (const [resource, units] of cost.entries()) demand[resource] = (demand[resource] ?? 0) + units;
    }
  }
  const all = demand.reduce((sum, units) => sum + units, 0);
  return new Map(resources.map((resource, index) => [resource, (demand[index] ?? 0) / Math.max(1, all)]));
}
