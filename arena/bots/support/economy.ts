// How a player grows who can trade: each planet builds what returns its cost soonest, counts what it could sell, and buys what it lacks.
// It settles where it may, and harvests.
import type { Planet, PlanStep } from '../../bot.js';
import { spend } from './amounts.js';
import { takeStarters } from './building.js';
import { roomForColonies } from './colonies.js';
import { GalaxyMap } from './galaxy-map.js';
import { unitsOf } from './growth.js';
import { Harvests } from './harvest.js';
import { leftoverShips } from './leftovers.js';
import { Market } from './market.js';
import { balanceOf } from './needs.js';
import type { Plan } from './plan.js';
import { type ResearchPriorities, researchSteps } from './research.js';
import { type Course, courseByReturn } from './returns.js';
import { canSettle, colonyShipStep, settle } from './settling.js';
import { handOver, shipBill } from './steps.js';

const WAKE_SECONDS = 4_500;
const LEVELS_AT_ONCE = 8;
/** H2 for flights that each planet wants. */
const FUEL = 300;
/** A planet that has more than its levels cost builds warships for this long, at speed 1. */
const SHIP_HOURS = 3;
/** Hours of research that are planned, at speed 1, and its steps at most. */
const RESEARCH_HOURS = 8;
const RESEARCH_STEPS_MAX = 10;

export interface Habits {
  readonly research: ResearchPriorities;
  /** Level of the highest mine for each level of the shipyard. */
  readonly minesPerShipyard: number;
  /** Whether it trades. Otherwise all else is the same. */
  readonly trades: boolean;
  /** Further steps of a planet. */
  readonly orders?: (plan: Plan, planet: Planet) => readonly PlanStep[];
}

export class Economy {
  readonly #galaxyMap = new GalaxyMap();
  readonly #harvests = new Harvests();
  readonly #market = new Market();

  constructor(readonly habits: Habits) {}

  /** Lets all planets act, and wakes for the next time. @param isWelcome whether the player trades with another one */
  async manage(plan: Plan, isWelcome: (playerId: string) => boolean = () => true): Promise<void> {
    const { port, state } = plan;
    const { research, trades } = this.habits;
    this.#market.learn(port.playerId, port.events);
    takeStarters(plan);
    await settle(plan, this.#galaxyMap, state.planets[0]);
    await this.#harvests.harvest(plan);
    const courses = this.#courses(plan);
    if (trades) {
      const balances = [...courses].map(([planet, course]) => balanceOf(plan, planet, course));
      await this.#market.trade(plan, balances, isWelcome);
    }
    for (const [planet, { steps }] of courses) {
      const hours = RESEARCH_HOURS / port.catalog.speed;
      const studies = planet === state.planets[0] ? researchSteps(plan, research, hours, RESEARCH_STEPS_MAX) : [];
      await handOver(plan, planet, [...steps, ...studies]);
    }
    plan.wakeIn(WAKE_SECONDS / port.catalog.speed);
  }

  /** What each planet builds next. */
  #courses(plan: Plan): Map<Planet, Course> {
    let room = roomForColonies(plan);
    return new Map(
      plan.state.planets.map((planet) => {
        const settles = room > 0 && canSettle(plan, planet);
        const course = settles ? settling(plan) : this.#growing(plan, planet, room > 0);
        if (settles) room -= 1;
        return [planet, course];
      }),
    );
  }

  #growing(plan: Plan, planet: Planet, hasRoom: boolean): Course {
    const { catalog } = plan.port;
    const { minesPerShipyard, trades, orders } = this.habits;
    const alsoWanted = hasRoom ? shipBill(plan, [colonyShipStep(plan)]) : catalog.resources.map(() => 0);
    const h2 = catalog.resources.indexOf('h2');
    alsoWanted[h2] = (alsoWanted[h2] ?? 0) + FUEL;
    const prices = trades ? this.#market.prices(catalog) : undefined;
    const levels = courseByReturn(plan, planet, {
      levels: LEVELS_AT_ONCE,
      hoursMax: Number.POSITIVE_INFINITY,
      alsoWanted,
      minesPerShipyard,
      ...(prices === undefined ? {} : { prices }),
    });
    const others = [...(orders?.(plan, planet) ?? []), ...this.#harvests.steps(plan, planet)];
    const bill = shipBill(plan, others);
    spend(bill, levels.bill, -1);
    const surplus = unitsOf(catalog, plan.stock(planet));
    spend(surplus, bill, 1);
    const { built, wished } = leftoverShips(plan, planet, surplus, SHIP_HOURS);
    spend(bill, shipBill(plan, wished), -1);
    return { ...levels, steps: [...levels.steps, ...others, ...built], bill };
  }
}

function settling(plan: Plan): Course {
  const steps = [colonyShipStep(plan)];
  const bill = shipBill(plan, steps);
  return { steps, bill, firstBill: bill, hours: 0 };
}
