// Hauls what its colonies earn to its first planets and spends it there. A planet builds what returns its cost soonest; once nothing on a
// colony returns its cost soon, all that it makes goes home.
import type { Bot, BotKind, Planet, PlanStep } from '../bot.js';
import { costOfShip, lowest, takeStarters } from './support/building.js';
import { roomForColonies } from './support/colonies.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { unitsOf } from './support/growth.js';
import { freightersMissing, haulerOf, haulTo } from './support/hauling.js';
import { Plan } from './support/plan.js';
import { type ResearchPriorities, researchSteps } from './support/research.js';
import { levelsByReturn } from './support/returns.js';
import { canSettle, colonyShipStep, settle } from './support/settling.js';
import { handOver } from './support/steps.js';

const WAKE_SECONDS = 4_500;
/** The first planets, to which everything goes. */
const HOMES = 2;
/** A colony whose best building takes longer to return its cost builds no more, in hours at speed 1. */
const RETURN_HOURS_MAX = 300;
/** As long as all homes have what they make in this many hours, colonies build on; at speed 1. */
const RICH_HOURS = 12;
const LEVELS_AT_ONCE = 8;
const MINES_PER_SHIPYARD = 5;
/** Freighters carry what a colony makes in this many hours, at speed 1. */
const FREIGHT_HOURS = 3;
/** Freighters of one order. */
const FREIGHTERS_AT_ONCE = 5;
/** H2 for flights that each planet wants. */
const FUEL = 300;
/** Hours of research that are planned, at speed 1, and its steps at most. */
const RESEARCH_HOURS = 8;
const RESEARCH_STEPS_MAX = 10;

const RESEARCH: ResearchPriorities = {
  output: 1,
  colonies: 1,
  attack: 0,
  hit_points: 0,
  cargo: 0.05,
  sight: 0,
  drives: 0.3,
};

/** @param hauls whether it hauls; otherwise each planet spends what it makes, and all else is the same */
export function makeFunnel(hauls: boolean): Bot {
  const galaxyMap = new GalaxyMap();
  return {
    async wake(port) {
      const plan = new Plan(port, await port.state());
      takeStarters(plan);
      const { planets } = plan.state;
      await settle(plan, galaxyMap, planets[0]);
      const homes = planets.slice(0, HOMES);
      const areNeedy = !homes.every((home) => isRich(plan, home));
      let room = roomForColonies(plan);
      for (const [index, planet] of planets.entries()) {
        const isColony = hauls && areNeedy && index >= HOMES;
        const levels = nextLevels(plan, planet, isColony, room > 0);
        const settles = room > 0 && canSettle(plan, planet);
        if (settles) room -= 1;
        const others = settles ? [colonyShipStep(plan)] : [...levels, ...(index === 0 ? nextResearch(plan) : [])];
        const isDone = isColony && levels.length === 0 && !settles;
        await handOver(plan, planet, isDone ? await sendHome(plan, planet, homes) : others);
      }
      plan.wakeIn(WAKE_SECONDS / port.catalog.speed);
      return plan.carryOut();
    },
  };
}

const isRich = ({ port }: Plan, { iron, silver, production }: Planet): boolean =>
  iron + silver > (production.iron + production.silver) * RICH_HOURS * port.catalog.speed;

/** Sends what a colony has to the home that has least. @returns the order of the freighters that it lacks */
async function sendHome(plan: Plan, colony: Planet, homes: readonly Planet[]): Promise<PlanStep[]> {
  const home = lowest(homes, ({ iron, silver }) => iron + silver);
  const freighter = haulerOf(plan);
  if (home === undefined || freighter === undefined) return [];
  await haulTo(plan, colony, home.id, 1);
  const missing = freightersMissing(plan, colony, FREIGHT_HOURS / plan.port.catalog.speed);
  const count = Math.min(missing, FREIGHTERS_AT_ONCE);
  return count === 0 ? [] : [{ action: 'build_ships', shipType: freighter.type, count }];
}

function nextLevels(plan: Plan, planet: Planet, isColony: boolean, settles: boolean): PlanStep[] {
  const { catalog } = plan.port;
  const alsoWanted = settles
    ? unitsOf(catalog, costOfShip(plan, plan.roles.colonyShip))
    : catalog.resources.map(() => 0);
  const h2 = catalog.resources.indexOf('h2');
  alsoWanted[h2] = (alsoWanted[h2] ?? 0) + FUEL;
  return levelsByReturn(plan, planet, {
    levels: LEVELS_AT_ONCE,
    hoursMax: isColony ? RETURN_HOURS_MAX : Number.POSITIVE_INFINITY,
    alsoWanted,
    minesPerShipyard: MINES_PER_SHIPYARD,
  });
}

const nextResearch = (plan: Plan): PlanStep[] =>
  researchSteps(plan, RESEARCH, RESEARCH_HOURS / plan.port.catalog.speed, RESEARCH_STEPS_MAX);

export const funnel: BotKind = {
  name: 'funnel',
  summary: 'Hauls what its colonies earn to its first planets.',
  make: () => makeFunnel(true),
};
