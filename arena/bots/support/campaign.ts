// Plays by plans: every few hours, or once a day if a bot is not woken more often, each planet is handed a plan of what it builds
// until then and somewhat longer, chosen by a schedule. In between only fleets need the bot.
import { type Catalog, type Hand, type Planet, type PlanStep, planOperation, type Wish } from '../../bot.js';
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
import { type Schedule, type ScheduleOptions, scheduleFor, scheduleOf, type Taste } from './schedule.js';
import { shipSteps, unitsOfFleet } from './shipbuilding.js';
import type { Strategy } from './strategy.js';
import { hoursUntil, unitsTotal } from './units.js';
import { meet, Threats } from './walls.js';
import { levelOf, lowest, ruleOfShip, takeStarters } from './works.js';

/** A bot that is awake hands out new plans after so many hours, at speed 1. */
const RENEWAL_HOURS = 6;
/** Plans reach further than to the next renewal, by this. */
const SLACK_HOURS = 6;
/** How far ways to weigh buildings are compared, and the hours of production that count at that horizon, at speed 1. */
const HORIZON_HOURS = 240;
const TAIL_HOURS = 100;
/** A planet saves for a colony ship if it can pay for it in so many hours, at speed 1. */
const SAVING_HOURS = 10;
/** Building may delay a colony ship by so much. */
const DELAY_HOURS_MAX = 0.5;
/** A planet that is seldom looked at spends this share of what it could build on colony ships. */
const SETTLING_SHARE = 0.5;
/** A colony ship is wanted in so many hours. */
const SHIP_WANTED_HOURS = 12;
const SCOUTS_PER_FLIGHT = 3;
const FORECAST_STEPS_MAX = 200;
const RESEARCH_STEPS_MAX = 10;
const SHIP_STEPS_MAX = 8;

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
    await colonize(plan, this.#atlas, strategy.settlesFar);
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
        event.type === 'resources_received' ||
        (event.type === 'ships_completed' && event.data.shipType === plan.roles.colonyShip)
          ? [event.data.planetId]
          : [],
      ),
    );
    const research = researchSteps(
      plan,
      strategy.appetite,
      window + SLACK_HOURS / hand.catalog.speed,
      RESEARCH_STEPS_MAX,
    );
    const room = roomForColonies(plan) + planetsGained(plan, research);
    let toSettle = Math.min(room, strategy.planetsMax - state.planets.length);
    for (const [index, planet] of state.planets.entries()) {
      const renewal = this.#renewals.get(planet.id) ?? null;
      if (renewal !== null && renewal > hand.now && !surprised.has(planet.id)) {
        plan.wakeAt(renewal);
        continue;
      }
      // A plan in place of one that is not over has ordered ships before.
      const early = renewal === null ? 0 : Math.max(0, hoursBetween(hand.now, renewal));
      const shipHours = Math.max(0, window - early);
      const { steps, spare, colonyShips } = intentOf(plan, strategy, planet, { window, shipHours }, toSettle);
      toSettle -= colonyShips;
      this.#spares.set(planet.id, spare);
      plan.command(planet, planOperation(planet.id, index === 0 ? [...steps, ...research] : steps, 'wait'));
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

/** Planets that fleets may take in addition once some steps of research are done. */
function planetsGained({ hand: { catalog }, state }: Plan, steps: readonly PlanStep[]): number {
  const { colonies } = partsOf(catalog);
  if (colonies === undefined || colonies === null) return 0;
  const entry = state.research.find(({ type }) => type === colonies.research);
  const planned = steps.filter((step) => step.action === 'research' && step.researchType === colonies.research).length;
  const level = entry?.level ?? 0;
  const later = level + Number(entry?.isResearching ?? false) + planned;
  return Math.floor(later / colonies.levelsPerPlanet) - Math.floor(level / colonies.levelsPerPlanet);
}

/** World hours until plans are renewed: until the next day if no wake is left before. */
function hoursToRenewal({ budget, now, catalog }: Hand): number {
  const hours = RENEWAL_HOURS / catalog.speed;
  return budget?.wakeupsLeft === 0 ? Math.max(hours, hoursBetween(now, budget.dayEndsAt)) : hours;
}

/** A planet with what it does until its next plan, and what it leaves over. */
interface Intent {
  readonly steps: PlanStep[];
  readonly spare: readonly number[];
  readonly colonyShips: number;
}

/**
 * @param span hours until the next plan, and those of which the share for ships is still to be spent
 * @param room planets that may still be settled
 */
function intentOf(
  plan: Plan,
  strategy: Strategy,
  planet: Planet,
  { window, shipHours }: { readonly window: number; readonly shipHours: number },
  room: number,
): Intent {
  const { catalog, now } = plan.hand;
  const { stepsMax = 0 } = partsOf(catalog).plans ?? {};
  const growing = growingOf(catalog, now, planet, plan.stock(planet));
  const options = {
    taste: bestTaste(catalog, growing, tastesOf(plan, strategy, growing, room > 0)),
    hours: window + SLACK_HOURS / catalog.speed,
    stepsMax: stepsMax - RESEARCH_STEPS_MAX - SHIP_STEPS_MAX,
  };
  const free = scheduleOf(catalog, shareOf(growing, 1 - strategy.shipShare), options);
  const settling = room > 0 ? settlingOf(plan, planet, growing, options, free, window, room) : null;
  const schedule = settling?.schedule ?? free;
  const ships = settling?.steps ?? shipSteps(plan, strategy, planet, schedule, shipHours, SHIP_STEPS_MAX);
  return {
    steps: [...buildingSteps(plan, planet, schedule), ...ships],
    spare: settling === null ? schedule.spare : [],
    colonyShips: settling?.steps.length ?? 0,
  };
}

/** As many colony ships as a planet can pay soon, with what it builds before it saves for them; null if it cannot. */
function settlingOf(
  plan: Plan,
  planet: Planet,
  growing: Growing,
  options: ScheduleOptions,
  free: Schedule,
  window: number,
  room: number,
): { readonly schedule: Schedule; readonly steps: PlanStep[] } | null {
  const { catalog } = plan.hand;
  const ship = ruleOfShip(plan, plan.roles.colonyShip);
  if (ship === undefined) return null;
  const cost = unitsOf(catalog, ship.cost);
  const step: PlanStep = { action: 'build_ships', shipType: ship.type, count: 1 };
  const seldomHours = window - ship.baseSeconds / 3_600 / catalog.speed;
  if (window <= RENEWAL_HOURS / catalog.speed) {
    // It saves at once, and builds only what does not delay the ship.
    const hours = hoursUntil(growing.stock, growing.production, cost) + DELAY_HOURS_MAX / catalog.speed;
    if (levelOf(planet, plan.roles.shipyard) === 0 || hours > SAVING_HOURS / catalog.speed) return null;
    const schedule = scheduleFor(catalog, growing, { cost, hours }, options);
    return schedule === null ? null : { schedule, steps: [step] };
  }
  // Until it is woken again it may build several.
  const shipyard = catalog.buildings.findIndex(({ type }) => type === plan.roles.shipyard);
  const most = Math.floor((SETTLING_SHARE * free.points) / unitsTotal(cost));
  for (let count = Math.min(room, SHIP_STEPS_MAX, Math.max(1, most)); count > 0; count -= 1) {
    const goal = { cost: cost.map((units) => units * count), hours: seldomHours };
    const schedule = scheduleFor(catalog, growing, goal, options);
    if (schedule === null || (schedule.after.levels[shipyard] ?? 0) === 0) continue;
    return { schedule, steps: Array.from({ length: count }, () => step) };
  }
  return null;
}

/** The taste of some that leads furthest. */
function bestTaste(catalog: Catalog, growing: Growing, tastes: readonly Taste[]): Taste {
  const [first, ...others] = tastes;
  if (first === undefined) throw new Error('a strategy has no way to weigh buildings');
  if (others.length === 0) return first;
  const hours = HORIZON_HOURS / catalog.speed;
  const best = lowest(tastes, (taste) => {
    const { points, after } = scheduleOf(catalog, growing, { taste, hours, stepsMax: FORECAST_STEPS_MAX });
    return -points - (TAIL_HOURS / catalog.speed) * unitsTotal(after.production);
  });
  return best ?? first;
}

function tastesOf(plan: Plan, strategy: Strategy, { production }: Growing, settles: boolean): Taste[] {
  const { catalog } = plan.hand;
  const { roles } = catalog;
  const { shipyard, antiSpy, planetaryShield, defences } = strategy.shares;
  const shares = catalog.buildings.map((building) => {
    if (building.type === roles.shipyard) return shipyard;
    if (building.type === roles.antiSpy) return antiSpy;
    if (building.type === roles.planetaryShield) return planetaryShield;
    return 'defence' in building ? defences : 0;
  });
  const colonyShip = ruleOfShip(plan, roles.colonyShip);
  const fleet = unitsOfFleet(plan, strategy);
  const made = unitsTotal(production);
  const wanted = catalog.resources.map((resource, index) => {
    const forShip = settles ? (colonyShip?.cost[resource] ?? 0) / (SHIP_WANTED_HOURS / catalog.speed) : 0;
    const forFuel = resource === 'h2' ? strategy.fuelShare * made : 0;
    return forShip + forFuel + strategy.shipShare * made * (fleet[index] ?? 0);
  });
  return strategy.weighings.map(({ outputHours, pointWeight }) => ({
    weights: buildingTables(catalog).map(({ isProducing }) => (isProducing ? pointWeight : 0)),
    outputHours: outputHours / catalog.speed,
    wanted,
    shares,
  }));
}

function buildingSteps({ hand: { catalog } }: Plan, { buildings }: Planet, { steps }: Schedule): PlanStep[] {
  const built = new Set(buildings.map(({ type }) => type));
  return steps.map(({ building, level }) => {
    const buildingType = catalog.buildings[building]?.type ?? '';
    return { action: level === 1 && !built.has(buildingType) ? 'construct' : 'upgrade', buildingType };
  });
}
