// Plays by plans: every few hours, or once a day if a bot is not woken more often, each planet is handed a plan of what it builds
// until then and somewhat longer, chosen by a schedule. In between only fleets need the bot.
import { type Hand, type Planet, type PlanStep, planOperation, type Wish } from '../../bot.js';
import { Atlas } from './atlas.js';
import { colonize, roomForColonies } from './colonies.js';
import { Espionage } from './espionage.js';
import { launch } from './flights.js';
import { buildingTables, type Growing, growingOf, shareOf, unitsOf } from './growth.js';
import { gather, haul } from './haulage.js';
import { hoursBetween, later, Plan, SURPRISES } from './plan.js';
import { raid } from './raids.js';
import { researchSteps } from './research.js';
import { partsOf } from './rule-parts.js';
import { type Schedule, scheduleOf, type Taste } from './schedule.js';
import { shipSteps } from './shipbuilding.js';
import type { Strategy } from './strategy.js';
import { hoursUntil } from './units.js';
import { meet, Threats } from './walls.js';
import { levelOf, ruleOfShip, takeStarters } from './works.js';

/** A bot that is awake hands out new plans after so many hours, at speed 1. */
const RENEWAL_HOURS = 6;
/** Plans reach further than to the next renewal, by this. */
const SLACK_HOURS = 6;
/** Hours of production that count as the worth of an output. */
const OUTPUT_HOURS = 400;
/** A planet saves for a colony ship if it can pay for it in so many hours, at speed 1. */
const SAVING_HOURS = 10;
/** A colony ship is wanted in so many hours. */
const SHIP_WANTED_HOURS = 12;
const SCOUTS_PER_FLIGHT = 3;
const RESEARCH_STEPS_MAX = 10;
const SHIP_STEPS_MAX = 8;

/** What a planet is to build beside its schedule. */
interface Task {
  readonly colonyShips: number;
}

const NO_TASK: Task = { colonyShips: 0 };

export const offersPlans = ({ catalog }: Hand): boolean => (partsOf(catalog).plans ?? null) !== null;

export class Campaign {
  readonly #atlas = new Atlas();
  readonly #espionage = new Espionage();
  readonly #threats = new Threats();
  /** By planet: what its plan leaves over. */
  readonly #spares = new Map<string, readonly number[]>();
  /** By planet: when it gets a new plan. */
  readonly #renewals = new Map<string, string>();

  /** @param strategyOf may look at the state, and at whether the player was attacked in the last days */
  constructor(readonly strategyOf: (plan: Plan, isPrey: boolean) => Strategy) {}

  async wake(hand: Hand): Promise<Wish> {
    this.#espionage.learn(hand.events);
    this.#threats.learn(hand.playerId, hand.events);
    const plan = await withStarters(hand);
    const strategy = this.strategyOf(plan, this.#threats.areRecent(plan));
    await meet(plan, this.#threats.incoming(plan), strategy.stands);
    await colonize(plan, this.#atlas);
    const isRenewing = plan.state.planets.some(({ id }) => (this.#renewals.get(id) ?? '') <= hand.now);
    if (strategy.raids) await this.#raid(plan, isRenewing);
    if (strategy.hauls && isRenewing) await haul(plan, this.#spares);
    this.#plan(plan, strategy);
    return plan.carryOut([...SURPRISES, 'incoming_fleet']);
  }

  async #raid(plan: Plan, isRenewing: boolean): Promise<void> {
    await raid(plan, this.#espionage);
    // Its scouts report when they arrive, its loot comes with the return.
    for (const { mission, state, arrivesAt, returnsAt } of plan.state.fleets) {
      if (mission === 'espionage' && state === 'outbound') plan.wakeAt(arrivesAt);
      if (mission === 'attack') plan.wakeAt(returnsAt);
    }
    const scouting = await launch(plan, await this.#espionage.flights(plan, SCOUTS_PER_FLIGHT));
    for (const { flightSeconds } of scouting) plan.wakeIn(flightSeconds);
    if (isRenewing) await gather(plan);
  }

  #plan(plan: Plan, strategy: Strategy): void {
    const { hand, state } = plan;
    const window = hoursToRenewal(hand);
    const surprised = new Set(
      hand.events.flatMap((event) =>
        event.type === 'resources_received' || event.type === 'ships_completed' ? [event.data.planetId] : [],
      ),
    );
    const growing = new Map(
      state.planets.map((planet) => [planet, growingOf(hand.catalog, hand.now, planet, plan.stock(planet))]),
    );
    const tasks = settlers(plan, strategy, growing, window);
    for (const [index, planet] of state.planets.entries()) {
      const renewal = this.#renewals.get(planet.id) ?? null;
      if (renewal !== null && renewal > hand.now && !surprised.has(planet.id)) {
        plan.wakeAt(renewal);
        continue;
      }
      const task = tasks.get(planet) ?? NO_TASK;
      const { steps, spare } = planetSteps(plan, strategy, planet, growing.get(planet) as Growing, task, window);
      this.#spares.set(planet.id, spare);
      const research =
        index === 0 ? researchSteps(plan, strategy.appetite, window + SLACK_HOURS, RESEARCH_STEPS_MAX) : [];
      plan.command(planet, planOperation(planet.id, [...steps, ...research], 'wait'));
      const next = later(hand.now, window * 3_600);
      this.#renewals.set(planet.id, next);
      plan.wakeAt(next);
    }
  }
}

/** The state with all planets that the rules give: a bot that is woken once a day cannot wait for them. */
async function withStarters(hand: Hand): Promise<Plan> {
  const plan = new Plan(hand, await hand.state());
  takeStarters(plan);
  if (plan.commands.length === 0) return plan;
  await hand.act(plan.commands);
  return new Plan(hand, await hand.state());
}

/** World hours until plans are renewed: until the next day if no wake is left before. */
function hoursToRenewal({ budget, now, catalog }: Hand): number {
  const hours = RENEWAL_HOURS / catalog.speed;
  return budget?.wakeupsLeft === 0 ? Math.max(hours, hoursBetween(now, budget.dayEndsAt)) : hours;
}

/** Which planets build colony ships: those that can pay for them soonest, as long as there is room. */
function settlers(
  plan: Plan,
  strategy: Strategy,
  growing: ReadonlyMap<Planet, Growing>,
  window: number,
): ReadonlyMap<Planet, Task> {
  const { catalog } = plan.hand;
  const ship = ruleOfShip(plan, plan.roles.colonyShip);
  const tasks = new Map<Planet, Task>();
  if (ship === undefined) return tasks;
  const cost = unitsOf(catalog, ship.cost);
  let room = Math.min(roomForColonies(plan), strategy.planetsMax - plan.state.planets.length);
  const able = plan.state.planets
    .filter((planet) => levelOf(planet, plan.roles.shipyard) > 0)
    .map((planet) => {
      const { stock, production } = growing.get(planet) as Growing;
      return { planet, hours: hoursUntil(stock, production, cost), stock, production };
    })
    .filter(({ hours }) => hours <= Math.max(window * 0.75, SAVING_HOURS / catalog.speed))
    .sort((one, other) => one.hours - other.hours);
  for (const { planet, stock, production } of able) {
    if (room <= 0) break;
    // A planet that is not looked at for long may build several.
    let count = 1;
    while (
      count < room &&
      hoursUntil(
        stock,
        production,
        cost.map((units) => units * (count + 1)),
      ) <
        window / 2
    )
      count += 1;
    tasks.set(planet, { colonyShips: count });
    room -= count;
  }
  return tasks;
}

function planetSteps(
  plan: Plan,
  strategy: Strategy,
  planet: Planet,
  growing: Growing,
  { colonyShips }: Task,
  window: number,
): { readonly steps: PlanStep[]; readonly spare: readonly number[] } {
  const { catalog } = plan.hand;
  const { stepsMax = 0 } = partsOf(catalog).plans ?? {};
  const ship = ruleOfShip(plan, plan.roles.colonyShip);
  const shipCost = ship === undefined ? [] : unitsOf(catalog, ship.cost);
  const cost = shipCost.map((units) => units * colonyShips);
  const { stock, production } = growing;
  // Those who save for a ship build only what does not delay it, or what is built before it is needed.
  const soonest = hoursUntil(stock, production, cost) + 0.5 / catalog.speed;
  const isSeldom = window > RENEWAL_HOURS / catalog.speed;
  const kept = colonyShips === 0 ? null : { cost, hours: isSeldom ? Math.max(soonest, window - 1) : soonest };
  const wants = roomForColonies(plan) > 0 && plan.state.planets.length < strategy.planetsMax;
  const wanted = shipCost.map((units) => (wants ? units / (SHIP_WANTED_HOURS / catalog.speed) : 0));
  const schedule = scheduleOf(catalog, shareOf(growing, 1 - strategy.shipShare), {
    taste: tasteOf(plan, strategy, wanted),
    hours: window + SLACK_HOURS / catalog.speed,
    stepsMax: stepsMax - RESEARCH_STEPS_MAX - SHIP_STEPS_MAX,
    kept,
  });
  const settling = Array.from({ length: colonyShips }, (): PlanStep => {
    return { action: 'build_ships', shipType: plan.roles.colonyShip, count: 1 };
  });
  const others = colonyShips > 0 ? [] : shipSteps(plan, strategy, planet, schedule, window, SHIP_STEPS_MAX);
  const ships = [...settling, ...others].slice(0, SHIP_STEPS_MAX);
  return { steps: [...buildingSteps(plan, planet, schedule), ...ships], spare: schedule.spare };
}

function tasteOf({ hand: { catalog }, roles }: Plan, strategy: Strategy, wanted: readonly number[]): Taste {
  const { shipyard, antiSpy, planetaryShield, defences } = strategy.shares;
  const shares = catalog.buildings.map((building) => {
    if (building.type === roles.shipyard) return shipyard;
    if (building.type === roles.antiSpy) return antiSpy;
    if (building.type === roles.planetaryShield) return planetaryShield;
    return 'defence' in building ? defences : 0;
  });
  const weights = buildingTables(catalog).map(({ isProducing }) => (isProducing ? strategy.pointWeight : 0));
  return { weights, outputHours: OUTPUT_HOURS / catalog.speed, wanted, shares };
}

function buildingSteps({ hand: { catalog } }: Plan, { buildings }: Planet, { steps }: Schedule): PlanStep[] {
  const built = new Set(buildings.map(({ type }) => type));
  return steps.map(({ building, level }) => {
    const buildingType = catalog.buildings[building]?.type ?? '';
    return { action: level === 1 && !built.has(buildingType) ? 'construct' : 'upgrade', buildingType };
  });
}
