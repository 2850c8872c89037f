// Plays a strategy by plans: every few hours, or once a day if the bot is not woken more often, each planet gets a plan of what it
// builds until then and somewhat longer. Between two plans only fleets need the bot.
import {
  type Bot,
  type Catalog,
  type Planet,
  type PlanStep,
  type PlayerPort,
  planOperation,
  type Wish,
} from '../../bot.js';
import { hoursUntil, unitsTotal } from './amounts.js';
import {
  type BuildOrder,
  type BuildOrderOptions,
  buildOrderFor,
  buildOrderOf,
  type Priorities,
} from './build-order.js';
import { levelOf, lowest, ruleOfShip, takeStarters } from './building.js';
import { colonize, roomForColonies } from './colonies.js';
import { Dealings } from './dealings.js';
import { defend, Threats } from './defence.js';
import { Espionage } from './espionage.js';
import { gather, haul, launch } from './flights.js';
import { GalaxyMap } from './galaxy-map.js';
import { buildingTables, type GrowingPlanet, growingOf, shareOf, unitsOf } from './growth.js';
import { Harvests } from './harvest.js';
import { hoursBetween, later, Plan, SURPRISES } from './plan.js';
import { raid } from './raids.js';
import { type ResearchPriorities, researchSteps } from './research.js';
import type { Prices } from './returns.js';
import { type ShipPriorities, shipSteps, unitsOfFleet } from './shipbuilding.js';

/** Hours, at speed 1, after which plans are renewed. */
const RENEWAL_HOURS = 6;
/** Plans reach this many hours beyond the next renewal, at speed 1. */
const SLACK_HOURS = 6;
/** Horizon for comparing ways to weigh buildings, and the hours of production that count at the horizon, at speed 1. */
const HORIZON_HOURS = 240;
const TAIL_HOURS = 100;
/** A planet saves for a colony ship if it can pay for it within this many hours, at speed 1. */
const SAVING_HOURS = 10;
/** Hours by which buildings may delay a colony ship, at speed 1. */
const DELAY_HOURS_MAX = 0.5;
/** Share of its expenses that a planet with rare renewals spends on colony ships. */
const SETTLING_SHARE = 0.5;
/** Hours in which a colony ship should be paid for, at speed 1. */
const SHIP_WANTED_HOURS = 12;
const SCOUTS_PER_FLIGHT = 3;
const FORECAST_STEPS_MAX = 200;
const RESEARCH_STEPS_MAX = 10;
const SHIP_STEPS_MAX = 8;
/** Steps of freighters that harvest. */
const HARVEST_STEPS_MAX = 1;

/** How a building is weighed: by its points, and by its output in some hours. */
interface Weighing {
  /** Hours at speed 1. */
  readonly outputHours: number;
  readonly pointWeight: number;
}

/** Levels of buildings for each level of the highest mine. */
interface Shares {
  readonly shipyard: number;
  readonly antiSpy: number;
  readonly planetaryShield: number;
  /** Levels of each building that fires, for each level of the highest mine. */
  readonly defences: number;
}

/** What a bot wants, if the rules have plans. */
export interface Strategy extends ShipPriorities {
  readonly research: ResearchPriorities;
  /** Most planets that it wants, if the rules allow them. */
  readonly planetsMax: number;
  /** Settles in the next galaxy, too, which few players can reach. */
  readonly settlesFar: boolean;
  readonly shares: Shares;
  /** The same for some days after an attack, in which it may build more defences. */
  readonly guardedShares?: Shares;
  /** Ways to weigh buildings. The one whose forecast leads furthest is used. */
  readonly weighings: readonly Weighing[];
  /** H2 for flights, as a share of production. */
  readonly fuelShare: number;
  /** Attacks if it pays. */
  readonly raids: boolean;
  /** Keeps ships at home if a stronger fleet comes. */
  readonly stands: boolean;
  /** Moves resources between its planets. */
  readonly hauls: boolean;
  /** Trades with other players, and accepts peace with those it trusts. */
  readonly trades: boolean;
}

/** The base of all strategies: grows, settles where it may, and fights nobody. */
export const GROWTH: Strategy = {
  research: { output: 1, colonies: 1, attack: 0.02, hit_points: 0.02, cargo: 0.02, sight: 0, drives: 0.2 },
  planetsMax: Number.POSITIVE_INFINITY,
  settlesFar: false,
  shares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0, defences: 0 },
  weighings: [{ outputHours: 400, pointWeight: 0.1 }],
  shipShare: 0,
  fuelShare: 0.01,
  armsLeftovers: false,
  mix: { warships: 1, freighters: 0, scouts: 0 },
  raids: false,
  stands: false,
  hauls: false,
  trades: false,
};

/**
 * Makes a bot that plays a strategy by plans, or without it, if the rules have no plans.
 *
 * @param decide acts in a wake if the rules have no plans
 */
export function strategicBot(strategy: Strategy, decide: (plan: Plan) => Promise<Wish>): Bot {
  const campaign = new Campaign(strategy);
  return {
    async wake(port) {
      if (port.catalog.plans !== undefined) return campaign.wake(port);
      const plan = new Plan(port, await port.state());
      takeStarters(plan);
      return decide(plan);
    },
  };
}

class Campaign {
  readonly #galaxyMap = new GalaxyMap();
  readonly #espionage = new Espionage();
  readonly #threats = new Threats();
  readonly #harvests = new Harvests();
  readonly #dealings: Dealings | null;
  /** What the plan of each planet leaves over. */
  readonly #spares = new Map<string, readonly number[]>();
  /** When each planet gets a new plan. */
  readonly #renewals = new Map<string, string>();

  constructor(readonly strategy: Strategy) {
    this.#dealings = strategy.trades ? new Dealings() : null;
  }

  async wake(port: PlayerPort): Promise<Wish> {
    this.#espionage.learn(port.events);
    this.#threats.learn(port.playerId, port.events);
    const plan = await withStarters(port);
    const { guardedShares } = this.strategy;
    const isGuarded = guardedShares !== undefined && this.#threats.areRecent(plan);
    const strategy = isGuarded ? { ...this.strategy, shares: guardedShares } : this.strategy;
    await defend(plan, this.#threats.incoming(plan), strategy.stands);
    await this.#dealings?.learn(plan);
    await colonize(plan, this.#galaxyMap, strategy.settlesFar);
    const isRenewing = plan.state.planets.some(({ id }) => (this.#renewals.get(id) ?? '') <= port.now);
    if (strategy.raids) await this.#raid(plan, isRenewing);
    if (isRenewing) await this.#harvests.harvest(plan);
    if (strategy.hauls && isRenewing) await haul(plan, this.#spares);
    await this.#plan(plan, strategy);
    return plan.carryOut([...SURPRISES, 'incoming_fleet']);
  }

  async #raid(plan: Plan, isRenewing: boolean): Promise<void> {
    await raid(plan, this.#espionage, (playerId) => this.#dealings?.isPartner(plan, playerId) ?? false);
    // Scouts report when they arrive; loot comes when a fleet returns.
    for (const { mission, state, arrivesAt, returnsAt } of plan.state.fleets) {
      if (mission === 'espionage' && state === 'outbound') plan.wakeAt(arrivesAt);
      if (mission === 'attack') plan.wakeAt(returnsAt);
    }
    const scouting = await launch(plan, await this.#espionage.flights(plan, SCOUTS_PER_FLIGHT));
    for (const { flightSeconds } of scouting) plan.wakeIn(flightSeconds);
    if (isRenewing) await gather(plan);
  }

  async #plan(plan: Plan, strategy: Strategy): Promise<void> {
    const { port, state } = plan;
    const window = hoursToRenewal(port);
    const surprised = new Set(
      port.events.flatMap((event) =>
        event.type === 'resources_received' ||
        (event.type === 'ships_completed' && event.data.shipType === plan.roles.colonyShip)
          ? [event.data.planetId]
          : [],
      ),
    );
    const research = researchSteps(
      plan,
      strategy.research,
      window + SLACK_HOURS / port.catalog.speed,
      RESEARCH_STEPS_MAX,
    );
    const room = roomForColonies(plan) + planetsGained(plan, research);
    let toSettle = Math.min(room, strategy.planetsMax - state.planets.length);
    const prices = this.#dealings?.prices(port.catalog);
    const renewed = new Map<Planet, readonly PlanStep[]>();
    for (const [index, planet] of state.planets.entries()) {
      const renewal = this.#renewals.get(planet.id) ?? null;
      if (renewal !== null && renewal > port.now && !surprised.has(planet.id)) {
        plan.wakeAt(renewal);
        continue;
      }
      // An early renewal: the plan before has ordered ships for the rest of its time.
      const early = renewal === null ? 0 : Math.max(0, hoursBetween(port.now, renewal));
      const shipHours = Math.max(0, window - early);
      const { steps, spare, colonyShips } = intentOf(plan, strategy, planet, { window, shipHours }, toSettle, prices);
      toSettle -= colonyShips;
      this.#spares.set(planet.id, spare);
      const harvesters = this.#harvests.steps(plan, planet);
      renewed.set(planet, [...harvesters, ...steps, ...(index === 0 ? research : [])]);
      const next = later(port.now, window * 3_600);
      this.#renewals.set(planet.id, next);
      plan.wakeAt(next);
    }
    await this.#dealings?.trade(plan, renewed);
    for (const [planet, steps] of renewed) plan.command(planet, planOperation(planet.id, steps));
  }
}

/** Takes the starter planets and reads the state again, since a bot that is woken once a day cannot wait for them. */
async function withStarters(port: PlayerPort): Promise<Plan> {
  const plan = new Plan(port, await port.state());
  takeStarters(plan);
  if (plan.commands.length === 0) return plan;
  await port.act(plan.commands);
  return new Plan(port, await port.state());
}

/** Number of planets by which research steps raise the limit. */
function planetsGained({ port: { catalog }, state }: Plan, steps: readonly PlanStep[]): number {
  const { colonies } = catalog;
  if (colonies === undefined) return 0;
  const entry = state.research.find(({ type }) => type === colonies.research);
  const planned = steps.filter((step) => step.action === 'research' && step.researchType === colonies.research).length;
  const level = entry?.level ?? 0;
  const later = level + Number(entry?.isResearching ?? false) + planned;
  return Math.floor(later / colonies.levelsPerPlanet) - Math.floor(level / colonies.levelsPerPlanet);
}

/** World hours until plans are renewed: until the next day if no wake is left today. */
function hoursToRenewal({ budget, now, catalog }: PlayerPort): number {
  const hours = RENEWAL_HOURS / catalog.speed;
  return budget?.wakeupsLeft === 0 ? Math.max(hours, hoursBetween(now, budget.dayEndsAt)) : hours;
}

/** What a planet does until its next plan, and what it leaves over. */
interface Intent {
  readonly steps: PlanStep[];
  readonly spare: readonly number[];
  readonly colonyShips: number;
}

/**
 * @param span window: hours until the next plan; shipHours: hours whose share for ships is still to be spent
 * @param room further planets that may be settled
 */
function intentOf(
  plan: Plan,
  strategy: Strategy,
  planet: Planet,
  { window, shipHours }: { readonly window: number; readonly shipHours: number },
  room: number,
  prices?: Prices,
): Intent {
  const { catalog, now } = plan.port;
  const { stepsMax = 0 } = catalog.plans ?? {};
  const growing = growingOf(catalog, now, planet, plan.stock(planet));
  const options = {
    priorities: bestPriorities(catalog, growing, prioritiesOf(plan, strategy, growing, room > 0, prices)),
    hours: window + SLACK_HOURS / catalog.speed,
    stepsMax: stepsMax - RESEARCH_STEPS_MAX - SHIP_STEPS_MAX - HARVEST_STEPS_MAX,
  };
  const free = buildOrderOf(catalog, shareOf(growing, 1 - strategy.shipShare), options);
  const settling = room > 0 ? settlingOf(plan, planet, growing, options, free, window, room) : null;
  const buildOrder = settling?.buildOrder ?? free;
  const ships = settling?.steps ?? shipSteps(plan, strategy, planet, buildOrder, shipHours, SHIP_STEPS_MAX);
  return {
    steps: [...buildingSteps(plan, planet, buildOrder), ...ships],
    spare: settling === null ? buildOrder.spare : [],
    colonyShips: settling?.steps.length ?? 0,
  };
}

/** The colony ships that a planet can pay for soon, and what it builds before it saves for them; null without any. */
function settlingOf(
  plan: Plan,
  planet: Planet,
  growing: GrowingPlanet,
  options: BuildOrderOptions,
  free: BuildOrder,
  window: number,
  room: number,
): { readonly buildOrder: BuildOrder; readonly steps: PlanStep[] } | null {
  const { catalog } = plan.port;
  const ship = ruleOfShip(plan, plan.roles.colonyShip);
  if (ship === undefined) return null;
  const cost = unitsOf(catalog, ship.cost);
  const step: PlanStep = { action: 'build_ships', shipType: ship.type, count: 1 };
  const seldomHours = window - ship.baseSeconds / 3_600 / catalog.speed;
  if (window <= RENEWAL_HOURS / catalog.speed) {
    // The planet saves at once, and builds only what hardly delays the ship.
    const hours = hoursUntil(growing.stock, growing.production, cost) + DELAY_HOURS_MAX / catalog.speed;
    if (levelOf(planet, plan.roles.shipyard) === 0 || hours > SAVING_HOURS / catalog.speed) return null;
    const buildOrder = buildOrderFor(catalog, growing, { cost, hours }, options);
    return buildOrder === null ? null : { buildOrder, steps: [step] };
  }
  // Until the next plan the planet may build several ships.
  const shipyard = catalog.buildings.findIndex(({ type }) => type === plan.roles.shipyard);
  const most = Math.floor((SETTLING_SHARE * free.points) / unitsTotal(cost));
  for (let count = Math.min(room, SHIP_STEPS_MAX, Math.max(1, most)); count > 0; count -= 1) {
    const goal = { cost: cost.map((units) => units * count), hours: seldomHours };
    const buildOrder = buildOrderFor(catalog, growing, goal, options);
    if (buildOrder === null || (buildOrder.after.levels[shipyard] ?? 0) === 0) continue;
    return { buildOrder, steps: Array.from({ length: count }, () => step) };
  }
  return null;
}

/** The priorities that lead furthest. */
function bestPriorities(catalog: Catalog, growing: GrowingPlanet, candidates: readonly Priorities[]): Priorities {
  const [first, ...others] = candidates;
  if (first === undefined) throw new Error('a strategy has no way to weigh buildings');
  if (others.length === 0) return first;
  const hours = HORIZON_HOURS / catalog.speed;
  const best = lowest(candidates, (priorities) => {
    const { points, after } = buildOrderOf(catalog, growing, { priorities, hours, stepsMax: FORECAST_STEPS_MAX });
    return -points - (TAIL_HOURS / catalog.speed) * unitsTotal(after.production);
  });
  return best ?? first;
}

function prioritiesOf(
  plan: Plan,
  strategy: Strategy,
  { production }: GrowingPlanet,
  settles: boolean,
  prices?: Prices,
): Priorities[] {
  const { catalog } = plan.port;
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
    ...(prices === undefined ? {} : { prices }),
  }));
}

function buildingSteps({ port: { catalog } }: Plan, { buildings }: Planet, { steps }: BuildOrder): PlanStep[] {
  const built = new Set(buildings.map(({ type }) => type));
  return steps.map(({ building, level }) => {
    const buildingType = catalog.buildings[building]?.type ?? '';
    return { action: level === 1 && !built.has(buildingType) ? 'construct' : 'upgrade', buildingType };
  });
}
