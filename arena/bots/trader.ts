// Each of its planets specialises in one resource, and transports bring every planet what it waits for.
import type { BotKind, Hand, Planet } from '../bot.js';
import { amountsOf, sumOf, total, worthOn } from './support/amounts.js';
import { Atlas } from './support/atlas.js';
import { Campaign, offersPlans } from './support/campaign.js';
import { colonize, roomForColonies } from './support/colonies.js';
import { cargoFrom, type Flight, launch } from './support/flights.js';
import { hoursBetween, Plan } from './support/plan.js';
import { GROWTH, type Strategy } from './support/strategy.js';
import {
  type BuildingOption,
  costOfShip,
  gainOf,
  hoursToReturn,
  levelOf,
  lowest,
  orderShips,
  produces,
  type Ship,
  takeStarters,
  Works,
} from './support/works.js';

/** What planets specialise in, in the order in which the player got them. */
const SPECIALITIES = ['iron', 'silver', 'ember', 'iron', 'silver', 'h2'] as const;
/** A special building may take so much longer to return its cost. */
const PREFERENCE = 3;
/** More planets than this are more than its transports can supply. */
const PLANETS_MAX = 2 * SPECIALITIES.length;
const FREIGHTERS_PER_PLANET = 20;
const FREIGHTERS_AT_ONCE = 5;
/** A planet that waits for less time than this helps itself. */
const WAIT_HOURS_MIN = 1;
/** Levels of mines for the shipyard of a planet. */
const SHIPYARD_FROM_LEVEL = 6;

const TRADER: Strategy = {
  ...GROWTH,
  appetite: { ...GROWTH.appetite, output: 1.2, cargo: 0.1, drives: 0.3 },
  shares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.1, defences: 0.15 },
  shipShare: 0.02,
  fuelShare: 0.03,
  mix: { warships: 1, freighters: 2, scouts: 0 },
  hauls: true,
};

/** Who is raided builds walls: its stocks are what raiders look for. */
const WALLED: Strategy = {
  ...TRADER,
  shares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.15, defences: 0.25 },
};

function makeTrader() {
  const works = new Works();
  const atlas = new Atlas();
  const campaign = new Campaign((_, isPrey) => (isPrey ? WALLED : TRADER));
  return {
    async wake(hand: Hand) {
      if (offersPlans(hand)) return campaign.wake(hand);
      const plan = new Plan(hand, await hand.state());
      const { planets } = plan.state;
      takeStarters(plan);
      await colonize(plan, atlas);
      await works.build(plan, (options, planet) => preferred(plan, options, planet, planets.indexOf(planet)));
      const freighter = lowest(
        hand.catalog.ships.filter(({ cargo }) => cargo > 0),
        ({ cost, cargo }) => total(cost) / cargo,
      );
      if (freighter !== undefined) await trade(plan, works, freighter);
      const isGrowing = planets.length < PLANETS_MAX && roomForColonies(plan) > 0;
      for (const planet of planets) {
        if (works.isSaving(planet)) continue;
        if (isGrowing && orderShips(plan, planet, plan.roles.colonyShip, 1) > 0) continue;
        const owned = plan.ships(planet, freighter?.type ?? '') + plan.ordered(planet, freighter?.type ?? '');
        if (owned < FREIGHTERS_PER_PLANET) orderShips(plan, planet, freighter?.type ?? '', FREIGHTERS_AT_ONCE);
      }
      return plan.carryOut();
    },
  };
}

/** What returns its cost soonest, with a preference for the speciality. Resources have the same worth on all planets. */
function preferred(plan: Plan, options: readonly BuildingOption[], planet: Planet, index: number) {
  const speciality = SPECIALITIES[index % SPECIALITIES.length] ?? 'iron';
  const height = Math.max(...planet.buildings.map(({ level }) => level));
  const shipyard = options.find(({ buildingType, level }) => buildingType === plan.roles.shipyard && level === 1);
  if (shipyard !== undefined && height >= SHIPYARD_FROM_LEVEL) return shipyard;
  const producing = options.filter(produces);
  const { planets } = plan.state;
  const mean = (amounts: typeof planet.production) => amountsOf((resource) => amounts[resource] / planets.length);
  const shared = {
    ...planet,
    ...mean(sumOf(planets)),
    production: mean(sumOf(planets.map((each) => each.production))),
  };
  const worth = worthOn(shared, [costOfShip(plan, plan.roles.colonyShip), ...producing.map(({ cost }) => cost)]);
  return lowest(producing, (option) => {
    const isSpecial = gainOf(option)[speciality] > 0;
    return hoursToReturn(option, plan.hand.now, worth) * (isSpecial ? 1 : PREFERENCE);
  });
}

/** Sends each planet that waits what it lacks, from the planet that has most of it to spare. */
async function trade(plan: Plan, works: Works, freighter: Ship): Promise<void> {
  const { planets, fleets } = plan.state;
  const supplied = new Set(
    fleets.filter(({ state }) => state === 'outbound').map(({ targetPlanetId }) => targetPlanetId),
  );
  const flights: Flight[] = [];
  for (const needy of planets) {
    const goal = works.goalOf(needy);
    if (goal === null || supplied.has(needy.id) || hoursBetween(plan.hand.now, goal.payableAt) < WAIT_HOURS_MIN)
      continue;
    const stock = plan.stock(needy);
    const missing = amountsOf((resource) => Math.max(0, goal.cost[resource] - stock[resource]));
    const offers = planets
      .filter(
        (planet) =>
          planet !== needy && levelOf(planet, plan.roles.shipyard) > 0 && !flights.some(({ from }) => from === planet),
      )
      .map((from) => {
        const own = works.goalOf(from)?.cost;
        const spare = amountsOf((resource) => plan.stock(from)[resource] - (own?.[resource] ?? 0));
        const sent = amountsOf((resource) => Math.max(0, Math.min(missing[resource], spare[resource])));
        const cargo = cargoFrom(sent, plan.ships(from, freighter.type) * freighter.cargo);
        return { from, cargo, units: total(cargo) };
      });
    const best = lowest(offers, ({ units }) => -units);
    if (best === undefined || best.units === 0) continue;
    const ships = [{ type: freighter.type, count: Math.ceil(best.units / freighter.cargo) }];
    flights.push({ from: best.from, targetId: needy.id, mission: 'transport', ships, cargo: best.cargo });
  }
  for (const { flightSeconds } of await launch(plan, flights)) plan.wakeIn(flightSeconds);
}

export const trader: BotKind = {
  name: 'trader',
  summary: 'Specialises its planets and moves what they need between them.',
  make: makeTrader,
};
