// Lives on others: scouts spy on its neighbours, and fighters in the hangars of transports fetch what they have if that pays.
import type { BotKind, Planet, PlayerPort } from '../bot.js';
import { NOTHING } from './support/amounts.js';
import {
  Builder,
  type BuildingOption,
  highestLevel,
  levelOf,
  orderShips,
  research,
  soonestToReturn,
} from './support/building.js';
import { GROWTH, type Strategy, strategicBot } from './support/campaign.js';
import { Espionage, type Report } from './support/espionage.js';
import { type Flight, launch } from './support/flights.js';
import type { Plan } from './support/plan.js';
import { type Arms, armsOf, attackOn, fightersAgainst, lootOf } from './support/raids.js';

/** Scouts per flight. They see everything if the level of anti_spy is at most half their number. */
const SCOUTS_PER_FLIGHT = 3;
const SCOUTS_PER_PLANET = 12;
/** Smallest loot that is worth a flight. */
const LOOT_MIN = 2_000;
/** Level of the highest mine for each level of the shipyard. */
const MINES_PER_SHIPYARD = 5;
const CARRIERS_AT_ONCE = 20;
const FIGHTERS_AT_ONCE = 40;

const RAIDER: Strategy = {
  ...GROWTH,
  research: {
    ...GROWTH.research,
    colonies: 1,
    attack: 0.22,
    hit_points: 0.15,
    cargo: 0.1,
    sight: 0.25,
    drives: 0.7,
  },
  shares: { shipyard: 0.35, antiSpy: 0, planetaryShield: 0, defences: 0 },
  shipShare: 0.09,
  fuelShare: 0.06,
  mix: { warships: 6, freighters: 3, scouts: 0.2 },
  raids: true,
};

function makeRaider() {
  const builder = new Builder();
  const espionage = new Espionage();
  return strategicBot(RAIDER, async (plan) => {
    const { port } = plan;
    espionage.learn(port.events);
    research(plan, 'interSystem');
    const arms = armsOf(port.catalog);
    const goals = espionage.fresh(port).filter((report) => lootOf(port.catalog, report) >= LOOT_MIN);
    if (arms !== null) {
      for (const { targetId, flightSeconds } of await launchRaids(plan, arms, goals)) {
        espionage.attacked(targetId, port.now);
        plan.wakeIn(2 * flightSeconds);
      }
    }
    // Scouts report when they arrive; loot comes when a fleet returns.
    for (const { mission, state, arrivesAt, returnsAt } of plan.state.fleets) {
      plan.wakeAt(mission === 'espionage' && state === 'outbound' ? arrivesAt : returnsAt);
    }
    for (const { flightSeconds } of await launch(plan, await espionage.flights(plan, SCOUTS_PER_FLIGHT))) {
      plan.wakeIn(flightSeconds);
    }
    await builder.build(plan, (options, planet) => preferred(port, options, planet));
    for (const planet of plan.state.planets) {
      if (!builder.isSaving(planet)) arm(plan, planet, arms, goals);
    }
    return plan.carryOut();
  });
}

/** Attacks the richest targets first, each from the first planet that has the ships for it. */
async function launchRaids(plan: Plan, arms: Arms, goals: readonly Report[]) {
  const { catalog } = plan.port;
  const richest = [...goals].sort((one, other) => lootOf(catalog, other) - lootOf(catalog, one));
  const launched = [];
  for (const goal of richest) {
    const attacks = plan.state.planets.map((from) => attackOn(plan, from, arms, goal));
    const flight = attacks.find((attack): attack is Flight => attack !== null);
    if (flight !== undefined) launched.push(...(await launch(plan, [flight])));
  }
  return launched;
}

/** A shipyard as the mines grow, or what returns its cost soonest. */
function preferred(port: PlayerPort, options: readonly BuildingOption[], planet: Planet): BuildingOption | undefined {
  const shipyard = options.find(({ buildingType }) => buildingType === port.catalog.roles.shipyard);
  const height = highestLevel(planet);
  if (shipyard !== undefined && shipyard.level * MINES_PER_SHIPYARD <= height) return shipyard;
  // Flights need h2: counts as if a tenth of the iron were needed as h2.
  const fuel = { ...NOTHING, h2: 0.1 * (planet.iron + planet.production.iron) };
  return soonestToReturn(options, planet, port.now, [fuel]);
}

/** Orders scouts, then carriers for the best loot in sight, then fighters against those who have it. */
function arm(plan: Plan, planet: Planet, arms: Arms | null, goals: readonly Report[]): void {
  if (arms === null || levelOf(planet, plan.roles.shipyard) === 0) return;
  const { catalog } = plan.port;
  const { carrier, fighter } = arms;
  const away = new Map<string, number>();
  for (const { ships } of plan.state.fleets.filter(({ originPlanetId }) => originPlanetId === planet.id)) {
    for (const { type, count } of ships) away.set(type, (away.get(type) ?? 0) + count);
  }
  const owned = (type: string): number =>
    plan.ships(planet, type) + plan.away(planet, type) + plan.ordered(planet, type) + (away.get(type) ?? 0);
  const loot = Math.max(0, ...goals.map((report) => lootOf(catalog, report)));
  const fighters = Math.max(1, ...goals.map((report) => fightersAgainst(catalog, arms, report) ?? 0));
  const carriers = (fighters * fighter.hangarSize) / carrier.hangarCapacity + loot / carrier.cargo;
  if (owned(plan.roles.scout) < SCOUTS_PER_PLANET) orderShips(plan, planet, plan.roles.scout, SCOUTS_PER_FLIGHT);
  else if (owned(carrier.type) < carriers) orderShips(plan, planet, carrier.type, CARRIERS_AT_ONCE);
  else orderShips(plan, planet, fighter.type, FIGHTERS_AT_ONCE);
}

export const raider: BotKind = {
  name: 'raider',
  summary: 'Spies on its neighbours and fetches what they have.',
  make: makeRaider,
};
