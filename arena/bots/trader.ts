// Each planet specialises in one resource, and transports bring every planet what it waits for.
import type { BotKind, Planet } from '../bot.js';
import { amountsOf, sumOf, total, worthOn } from './support/amounts.js';
import {
  Builder,
  type BuildingOption,
  costOfShip,
  gainOf,
  highestLevel,
  hoursToReturn,
  levelOf,
  lowest,
  orderShips,
  produces,
  type Ship,
} from './support/building.js';
import { GROWTH, type Strategy, strategicBot } from './support/campaign.js';
import { colonize, roomForColonies } from './support/colonies.js';
import { cargoFrom, type Flight, launch } from './support/flights.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { hoursBetween, type Plan } from './support/plan.js';

/** What each planet specialises in, in the order in which the player got them. */
const SPECIALITIES = ['iron', 'silver', 'ember', 'iron', 'silver', 'h2'] as const;
/** A building of the speciality may take this many times as long to return its cost. */
const PREFERENCE = 3;
/** Transports cannot supply more planets than this. */
const PLANETS_MAX = 2 * SPECIALITIES.length;
const FREIGHTERS_PER_PLANET = 20;
const FREIGHTERS_AT_ONCE = 5;
/** A planet that waits for less time than this gets no delivery. */
const WAIT_HOURS_MIN = 1;
/** Level of the highest mine at which a planet builds a shipyard. */
const SHIPYARD_FROM_LEVEL = 6;

const TRADER: Strategy = {
  ...GROWTH,
  research: { ...GROWTH.research, output: 1.2, cargo: 0.1, drives: 0.3 },
  shares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.1, defences: 0.15 },
  shipShare: 0.02,
  fuelShare: 0.03,
  mix: { warships: 1, freighters: 2, scouts: 0 },
  hauls: true,
  // Raiders look for its stocks.
  guardedShares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.15, defences: 0.25 },
};

function makeTrader() {
  const builder = new Builder();
  const galaxyMap = new GalaxyMap();
  return strategicBot(TRADER, async (plan) => {
    const { port } = plan;
    const { planets } = plan.state;
    await colonize(plan, galaxyMap);
    await builder.build(plan, (options, planet) => preferred(plan, options, planet, planets.indexOf(planet)));
    const freighter = lowest(
      port.catalog.ships.filter(({ cargo }) => cargo > 0),
      ({ cost, cargo }) => total(cost) / cargo,
    );
    if (freighter !== undefined) await trade(plan, builder, freighter);
    const isGrowing = planets.length < PLANETS_MAX && roomForColonies(plan) > 0;
    for (const planet of planets) {
      if (builder.isSaving(planet)) continue;
      if (isGrowing && orderShips(plan, planet, plan.roles.colonyShip, 1) > 0) continue;
      const owned = plan.ships(planet, freighter?.type ?? '') + plan.ordered(planet, freighter?.type ?? '');
      if (owned < FREIGHTERS_PER_PLANET) orderShips(plan, planet, freighter?.type ?? '', FREIGHTERS_AT_ONCE);
    }
    return plan.carryOut();
  });
}

/** The building that returns its cost soonest, with a preference for the speciality. Resources have the same worth on all planets. */
function preferred(plan: Plan, options: readonly BuildingOption[], planet: Planet, index: number) {
  const speciality = SPECIALITIES[index % SPECIALITIES.length] ?? 'iron';
  const height = highestLevel(planet);
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
    return hoursToReturn(option, plan.port.now, worth) * (isSpecial ? 1 : PREFERENCE);
  });
}

/** Sends each waiting planet what it lacks, from the planet that can spare most of it. */
async function trade(plan: Plan, builder: Builder, freighter: Ship): Promise<void> {
  const { planets, fleets } = plan.state;
  const supplied = new Set(
    fleets.filter(({ state }) => state === 'outbound').map(({ targetPlanetId }) => targetPlanetId),
  );
  const flights: Flight[] = [];
  for (const needy of planets) {
    const goal = builder.goalOf(needy);
    if (goal === null || supplied.has(needy.id) || hoursBetween(plan.port.now, goal.payableAt) < WAIT_HOURS_MIN)
      continue;
    const stock = plan.stock(needy);
    const missing = amountsOf((resource) => Math.max(0, goal.cost[resource] - stock[resource]));
    const offers = planets
      .filter(
        (planet) =>
          planet !== needy && levelOf(planet, plan.roles.shipyard) > 0 && !flights.some(({ from }) => from === planet),
      )
      .map((from) => {
        const own = builder.goalOf(from)?.cost;
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
