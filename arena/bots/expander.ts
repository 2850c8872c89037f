// Colonizes as far and as fast as it can: every planet builds colony ships, and mines pay for them.
import type { BotKind, Planet } from '../bot.js';
import { sumOf } from './support/amounts.js';
import { Builder, type BuildingOption, costOfShip, levelOf, orderShips, soonestToReturn } from './support/building.js';
import { GROWTH, type Strategy, strategicBot } from './support/campaign.js';
import { colonize, roomForColonies } from './support/colonies.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { hoursBetween, type Plan } from './support/plan.js';

/** A planet builds a shipyard once it could pay for a colony ship within this many hours. */
const SHIPYARD_HOURS = 24;
/** A planet with a shipyard saves for a colony ship that it can pay for within this many hours… */
const SAVING_HOURS = 4;
/** …and meanwhile builds only what delays the ship by less than this. */
const DELAY_HOURS_MAX = 1;

const EXPANDER: Strategy = {
  ...GROWTH,
  research: { ...GROWTH.research, colonies: 5 },
  settlesFar: true,
  guardedShares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.15, defences: 0.3 },
};

function makeExpander() {
  const builder = new Builder();
  const galaxyMap = new GalaxyMap();
  return strategicBot(EXPANDER, async (plan) => {
    await colonize(plan, galaxyMap);
    let room = roomForColonies(plan);
    for (const planet of plan.state.planets) {
      if (room > 0) room -= orderShips(plan, planet, plan.roles.colonyShip, 1);
    }
    const hasRoom = room > 0;
    await builder.build(plan, (options, planet) => preferred(plan, options, planet, hasRoom));
    return plan.carryOut();
  });
}

function preferred(plan: Plan, options: readonly BuildingOption[], planet: Planet, hasRoom: boolean) {
  const { now } = plan.port;
  const ship = costOfShip(plan, plan.roles.colonyShip);
  const best = soonestToReturn(options, planet, now, hasRoom ? [ship] : []);
  const shipAt = hasRoom ? plan.payableAt(planet, ship) : null;
  if (best === undefined || shipAt === null) return best;
  if (levelOf(planet, plan.roles.shipyard) === 0) {
    const shipyard = options.find(({ buildingType }) => buildingType === plan.roles.shipyard);
    return hoursBetween(now, shipAt) < SHIPYARD_HOURS ? (shipyard ?? best) : best;
  }
  if (hoursBetween(now, shipAt) > SAVING_HOURS) return best;
  const bothAt = plan.payableAt(planet, sumOf([ship, best.cost]));
  if (bothAt !== null && hoursBetween(shipAt, bothAt) <= DELAY_HOURS_MAX) return best;
  plan.wakeAt(shipAt);
  return undefined;
}

export const expander: BotKind = {
  name: 'expander',
  summary: 'Colonizes as far and as fast as it can.',
  make: makeExpander,
};
