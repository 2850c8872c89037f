// Lives on others: scouts spy on its neighbours, and warships with transports fetch what they have if that pays. It builds what returns its
// cost soonest, and spends a share of what it makes on ships.
import type { Bot, BotKind, Planet, PlanStep } from '../bot.js';
import { multiplied } from './support/amounts.js';
import { costOfShip, takeStarters } from './support/building.js';
import { roomForColonies } from './support/colonies.js';
import { defend, Threats } from './support/defence.js';
import { Espionage } from './support/espionage.js';
import { FleetBudget } from './support/fleet-budget.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { unitsOf } from './support/growth.js';
import { Plan, SURPRISES } from './support/plan.js';
import { goRaiding, raidingMix } from './support/raiding.js';
import { type ResearchPriorities, researchSteps } from './support/research.js';
import { levelsByReturn } from './support/returns.js';
import { canSettle, colonyShipStep, settle } from './support/settling.js';
import { handOver } from './support/steps.js';

const WAKE_SECONDS = 4_500;
/** Share of what a planet makes that it spends on ships. */
const SHIP_SHARE = 0.1;
/** The same if the rules protect nobody and no building fights. */
const SHIP_SHARE_WITHOUT_WAR = 0.5;
const LEVELS_AT_ONCE = 8;
const MINES_PER_SHIPYARD = 4;
/** H2 for flights, as a share of the h2 and iron that a planet makes in a day. */
const FUEL_SHARE = 0.1;
/** Hours of research that are planned, at speed 1, and its steps at most. */
const RESEARCH_HOURS = 8;
const RESEARCH_STEPS_MAX = 10;

const RESEARCH: ResearchPriorities = {
  output: 1,
  colonies: 1,
  attack: 0.22,
  hit_points: 0.15,
  cargo: 0.1,
  sight: 0.25,
  drives: 0.7,
};

function makeRaider(): Bot {
  const galaxyMap = new GalaxyMap();
  const espionage = new Espionage();
  const threats = new Threats();
  const fleetBudget = new FleetBudget();
  return {
    async wake(port) {
      espionage.learn(port.events);
      threats.learn(port.playerId, port.events);
      const plan = new Plan(port, await port.state());
      takeStarters(plan);
      await defend(plan, threats.incoming(plan), false);
      await settle(plan, galaxyMap, plan.state.planets[0]);
      await goRaiding(plan, espionage);
      const mix = raidingMix(plan);
      const share = port.catalog.war === undefined ? SHIP_SHARE_WITHOUT_WAR : SHIP_SHARE;
      let room = roomForColonies(plan);
      for (const [index, planet] of plan.state.planets.entries()) {
        const settles = room > 0 && canSettle(plan, planet);
        if (settles) room -= 1;
        const ships = fleetBudget.order(plan, planet, share, mix);
        const steps = settles ? [colonyShipStep(plan)] : [...nextLevels(plan, planet, room > 0), ...ships];
        await handOver(plan, planet, index === 0 ? [...steps, ...nextResearch(plan)] : steps);
      }
      plan.wakeIn(WAKE_SECONDS / port.catalog.speed);
      return plan.carryOut([...SURPRISES, 'incoming_fleet']);
    },
  };
}

function nextLevels(plan: Plan, planet: Planet, settles: boolean): PlanStep[] {
  const { catalog } = plan.port;
  const ship = costOfShip(plan, plan.roles.colonyShip);
  const { iron, h2 } = planet.production;
  const alsoWanted = { ...multiplied(ship, settles ? 1 : 0) };
  return levelsByReturn(plan, planet, {
    levels: LEVELS_AT_ONCE,
    hoursMax: Number.POSITIVE_INFINITY,
    alsoWanted: unitsOf(catalog, { ...alsoWanted, h2: alsoWanted.h2 + 24 * FUEL_SHARE * (iron + h2) }),
    minesPerShipyard: MINES_PER_SHIPYARD,
  });
}

const nextResearch = (plan: Plan): PlanStep[] =>
  researchSteps(plan, RESEARCH, RESEARCH_HOURS / plan.port.catalog.speed, RESEARCH_STEPS_MAX);

export const raider: BotKind = {
  name: 'raider',
  summary: 'Spies on its neighbours and fetches what they have.',
  make: makeRaider,
};
