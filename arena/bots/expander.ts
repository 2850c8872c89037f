// Colonizes as far and as fast as it can: every planet builds colony ships, and its mines grow for them.
import type { BotKind, Hand, Planet } from '../bot.js';
import { sumOf, worthOn } from './support/amounts.js';
import { Atlas } from './support/atlas.js';
import { Campaign, offersPlans } from './support/campaign.js';
import { colonize, roomForColonies } from './support/colonies.js';
import { hoursBetween, Plan } from './support/plan.js';
import { GROWTH, type Strategy } from './support/strategy.js';
import {
  type BuildingOption,
  costOfShip,
  hoursToReturn,
  levelOf,
  lowest,
  orderShips,
  produces,
  takeStarters,
  Works,
} from './support/works.js';

/** A shipyard is built once a colony ship could be paid in so many hours. */
const SHIPYARD_HOURS = 24;
/** A planet with a shipyard saves for a colony ship that it can pay in so many hours… */
const SAVING_HOURS = 4;
/** …and builds meanwhile what delays it by less than this. */
const DELAY_HOURS_MAX = 1;

const EXPANDER: Strategy = {
  ...GROWTH,
  appetite: { ...GROWTH.appetite, colonies: 5 },
  settlesFar: true,
};
/** Who is raided builds defences. */
const GUARDED: Strategy = {
  ...EXPANDER,
  shares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.15, defences: 0.3 },
};

function makeExpander() {
  const works = new Works();
  const atlas = new Atlas();
  const campaign = new Campaign((_, isPrey) => (isPrey ? GUARDED : EXPANDER));
  return {
    async wake(hand: Hand) {
      if (offersPlans(hand)) return campaign.wake(hand);
      const plan = new Plan(hand, await hand.state());
      takeStarters(plan);
      await colonize(plan, atlas);
      let room = roomForColonies(plan);
      for (const planet of plan.state.planets) {
        if (room > 0) room -= orderShips(plan, planet, plan.roles.colonyShip, 1);
      }
      const hasRoom = room > 0;
      await works.build(plan, (options, planet) => preferred(plan, options, planet, hasRoom));
      return plan.carryOut();
    },
  };
}

function preferred(plan: Plan, options: readonly BuildingOption[], planet: Planet, hasRoom: boolean) {
  const { now } = plan.hand;
  const ship = costOfShip(plan, plan.roles.colonyShip);
  const producing = options.filter(produces);
  const costs = producing.map(({ cost }) => cost);
  const worth = worthOn(planet, hasRoom ? [ship, ...costs] : costs);
  const best = lowest(producing, (option) => hoursToReturn(option, now, worth));
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
