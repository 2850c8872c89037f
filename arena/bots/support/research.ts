// Research: what a player begins next, by what each level is worth to it against the time that it takes.
import type { Catalog, PlanStep } from '../../bot.js';
import { buildingTables } from './growth.js';
import { hoursBetween, type Plan } from './plan.js';
import { effectOf, partsOf } from './rule-parts.js';
import { lowest } from './works.js';

/** How much a bot wants what research adds; 1 is what a hundredth of its output is worth for each per cent. */
export interface Appetite {
  readonly output: number;
  /** More planets. */
  readonly colonies: number;
  readonly attack: number;
  readonly hit_points: number;
  readonly cargo: number;
  readonly sight: number;
  readonly drives: number;
}

/** Planets that fleets may take and have not yet: with more of them, further ones are worth little. */
const ROOM_MAX = 2;
const ROOMY_SHARE = 0.2;
/** A planet more is worth as much of a grown one, because it takes time to grow. */
const YOUNG_SHARE = 0.7;
/** Worth of the first level of a drive, if it is faster than those that the player has, and of those after it, which save h2. */
const DRIVE_WORTH = 0.05;
const SAVING_WORTH = 0.001;
/** A drive that is as fast as another one and needs less h2 is worth as much of a faster one. */
const THRIFT = 0.02;
/** Worth of a scout more in sight. */
const SIGHT_WORTH = 0.02;

/** The steps of the next hours, one after the other. */
export function researchSteps(plan: Plan, appetite: Appetite, hours: number, stepsMax: number): PlanStep[] {
  const { hand, state } = plan;
  const { catalog, now } = hand;
  const levels = new Map(state.research.map(({ type, level, isResearching }) => [type, level + Number(isResearching)]));
  const under = state.research.find(({ isResearching }) => isResearching)?.researchFinishAt ?? null;
  let at = under === null ? 0 : Math.max(0, hoursBetween(now, under));
  const steps: PlanStep[] = [];
  const shares = demandShares(plan);
  while (at < hours && steps.length < stepsMax) {
    const next = lowest(catalog.research, (research) => {
      const worth = worthOf(plan, appetite, shares, research, levels);
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
  appetite: Appetite,
  shares: ReadonlyMap<string, number>,
  research: Catalog['research'][number],
  levels: ReadonlyMap<string, number>,
): number {
  const { catalog } = plan.hand;
  const { type, maximumLevel } = research;
  const effect = effectOf(research);
  const level = levels.get(type) ?? 0;
  if (level >= maximumLevel) return 0;
  if (partsOf(catalog).colonies?.research === type) return appetite.colonies * worthOfRoom(plan, level);
  if (effect === undefined) return appetite.drives * worthOfDrive(catalog, type, levels);
  if (effect.kind === 'sight') return appetite.sight * SIGHT_WORTH * effect.scoutsPerLevel;
  const share =
    effect.kind === 'output' ? effect.resources.reduce((sum, resource) => sum + (shares.get(resource) ?? 0), 0) : 1;
  return (appetite[effect.kind] * share * effect.percentPerLevel) / 100;
}

/** What a level of the research that raises the number of planets adds to all output. */
function worthOfRoom({ hand, state }: Plan, level: number): number {
  const { colonies, points } = partsOf(hand.catalog);
  if (colonies === undefined || colonies === null) return 0;
  const { planetsAtFirst, levelsPerPlanet } = colonies;
  const planets = planetsAtFirst + Math.floor(level / levelsPerPlanet);
  const percents = points?.planetPercents ?? [];
  const percent = percents[planets] ?? percents.at(-1) ?? 100;
  const isRoomy = planets - state.planets.length >= ROOM_MAX;
  return ((isRoomy ? ROOMY_SHARE : YOUNG_SHARE) * (percent / 100)) / levelsPerPlanet / planets;
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

/** How much of each resource the next levels of all planets ask for, as a share of all. */
function demandShares({ hand, state }: Plan): ReadonlyMap<string, number> {
  const { resources } = hand.catalog;
  const tables = buildingTables(hand.catalog).filter(({ isProducing }) => isProducing);
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
