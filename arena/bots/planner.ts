// Looks ahead: for each planet it forecasts some days of several plans, and begins the one that leads furthest. It does what the other
// bots do, whenever it pays: it grows, settles and arms.
import type { BotKind, Planet, PlayerPort } from '../bot.js';
import { NOTHING, worthOn } from './support/amounts.js';
import {
  Builder,
  type BuildingOption,
  costOfShip,
  hoursToReturn,
  levelOf,
  lowest,
  orderShips,
  produces,
  strongestShip,
} from './support/building.js';
import { GROWTH, type Strategy, strategicBot } from './support/campaign.js';
import { colonize, roomForColonies } from './support/colonies.js';
import { GalaxyMap } from './support/galaxy-map.js';
import type { Plan } from './support/plan.js';
import { type Forecast, type Policy, Projection } from './support/projection.js';

/** How far it looks ahead, in hours at speed 1. */
const HORIZON_HOURS = 72;
/** Hours of production that count at the horizon, because the game goes on. */
const TAIL_HOURS = 24;
/** Buildings per planet that are forecast. */
const OFFERS = 3;
/** Points per hour of a young colony: what a good planet makes in a part of that time. */
const COLONY_POINTS_PER_HOUR = 300;
const SHIPS_AT_ONCE = 200;

const POLICIES: readonly Policy[] = [
  { settles: false, arms: false },
  { settles: false, arms: true },
  { settles: true, arms: false },
  { settles: true, arms: true },
];

const PLANNER: Strategy = {
  ...GROWTH,
  research: {
    ...GROWTH.research,
    colonies: 4,
    attack: 0.05,
    hit_points: 0.05,
    sight: 0.03,
    drives: 0.3,
  },
  shares: { shipyard: 0.25, antiSpy: 0.05, planetaryShield: 0.1, defences: 0.1 },
  weighings: [
    { outputHours: 400, pointWeight: 0.1 },
    { outputHours: 200, pointWeight: 1 },
    { outputHours: 100, pointWeight: 1 },
    { outputHours: 800, pointWeight: 0.3 },
    { outputHours: 400, pointWeight: 0 },
  ],
  shipShare: 0.03,
  fuelShare: 0.03,
  mix: { warships: 3, freighters: 3, scouts: 0.1 },
  raids: true,
  hauls: true,
  trades: true,
  guardedShares: { shipyard: 0.25, antiSpy: 0.2, planetaryShield: 0.3, defences: 0.4 },
};

function makePlanner() {
  const builder = new Builder();
  const galaxyMap = new GalaxyMap();
  let projection: Projection | null = null;
  /** What each planet does with the resources that its buildings leave over. */
  const resolutions = new Map<string, Policy>();
  return strategicBot(PLANNER, async (plan) => {
    const { port } = plan;
    await colonize(plan, galaxyMap);
    const warship = strongestShip(port.catalog);
    projection ??= new Projection(port.catalog, warship);
    const forecasts = projection;
    const hasRoom = roomForColonies(plan) > 0;
    await builder.build(plan, (options, planet) => {
      const best = bestPlan(plan, forecasts, planet, offersOn(port, planet, options), hasRoom);
      resolutions.set(planet.id, best.policy);
      return best.offer;
    });
    let room = roomForColonies(plan);
    for (const planet of plan.state.planets) {
      const policy = resolutions.get(planet.id);
      const settles = policy?.settles === true && room > 0;
      if (settles) room -= orderShips(plan, planet, plan.roles.colonyShip, 1);
      if (policy?.arms !== true || builder.isSaving(planet)) continue;
      // Keeps what the next colony ship costs.
      const kept = settles ? costOfShip(plan, plan.roles.colonyShip) : NOTHING;
      orderShips(plan, planet, warship?.type ?? '', SHIPS_AT_ONCE, kept);
    }
    return plan.carryOut();
  });
}

/** The buildings that return their cost soonest, and the shipyard. */
function offersOn(port: PlayerPort, planet: Planet, options: readonly BuildingOption[]): BuildingOption[] {
  const payable = options.filter(({ affordableAt }) => affordableAt !== null);
  const producing = payable.filter(produces);
  const colonyShip = port.catalog.ships.find(({ type }) => type === port.catalog.roles.colonyShip);
  const costs = producing.map(({ cost }) => cost);
  const worth = worthOn(planet, colonyShip === undefined ? costs : [colonyShip.cost, ...costs]);
  const hours = new Map(producing.map((option) => [option, hoursToReturn(option, port.now, worth)]));
  const soonest = producing.sort((one, other) => (hours.get(one) ?? 0) - (hours.get(other) ?? 0)).slice(0, OFFERS);
  return [...soonest, ...payable.filter(({ buildingType }) => buildingType === port.catalog.roles.shipyard)];
}

/** The first building and the policy after it that lead furthest. */
function bestPlan(
  plan: Plan,
  projection: Projection,
  planet: Planet,
  offers: readonly BuildingOption[],
  hasRoom: boolean,
): { readonly offer: BuildingOption | undefined; readonly policy: Policy } {
  const stock = plan.stock(planet);
  const hours = HORIZON_HOURS / plan.port.catalog.speed;
  const worthOf = (policy: Policy, offer: BuildingOption | undefined): number =>
    worthOfForecast(projection.forecast(planet, stock, policy, hours, offer?.buildingType ?? null));
  const possible = POLICIES.filter(({ settles, arms }) => {
    const needsShipyard = settles || arms;
    return (hasRoom || !settles) && (!needsShipyard || levelOf(planet, plan.roles.shipyard) > 0);
  });
  // Chooses the policy with the first offer, then the offer with this policy. Comparing all pairs would take several times as long.
  const policy = lowest(possible, (each) => -worthOf(each, offers[0])) ?? { settles: false, arms: false };
  const armed = { ...policy, arms: true };
  const offer = lowest(offers, (each) => -worthOf(each.buildingType === plan.roles.shipyard ? armed : policy, each));
  return { offer, policy };
}

const worthOfForecast = ({ points, colonyHours, production }: Forecast): number =>
  points + production * TAIL_HOURS + colonyHours.reduce((sum, hours) => sum + hours * COLONY_POINTS_PER_HOUR, 0);

export const planner: BotKind = {
  name: 'planner',
  summary: 'Forecasts several plans for each planet and begins the best.',
  make: makePlanner,
};
