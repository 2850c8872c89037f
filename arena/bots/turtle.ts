// Grows behind walls: shields and anti_spy keep up with its mines, and what its mines leave over becomes fighters, which stay.
import type { BotKind, Hand, Planet } from '../bot.js';
import { worthOn } from './support/amounts.js';
import { Campaign, offersPlans } from './support/campaign.js';
import { Plan, SURPRISES } from './support/plan.js';
import { GROWTH, type Strategy } from './support/strategy.js';
import {
  type BuildingOption,
  hoursToReturn,
  lowest,
  orderShips,
  produces,
  strongestShip,
  takeStarters,
  Works,
} from './support/works.js';

/** Level of each wall for each level of the highest mine. */
const SHIELD_SHARE = 1 / 2;
const ANTI_SPY_SHARE = 1 / 3;
const SHIPYARD_SHARE = 1 / 5;
/** Nothing is walled in before it is worth it. */
const WALLED_FROM_LEVEL = 6;
/** Orders of fighters that a shipyard is given at once. */
const FIGHTERS_AT_ONCE = 100;

const TURTLE: Strategy = {
  ...GROWTH,
  appetite: { ...GROWTH.appetite, attack: 0.1, hit_points: 0.18 },
  shares: { shipyard: 0.2, antiSpy: 0.1, planetaryShield: 0.25, defences: 0.3 },
  shipShare: 0.025,
  stands: true,
  settlesFar: true,
};

function makeTurtle() {
  const works = new Works();
  const campaign = new Campaign(() => TURTLE);
  return {
    async wake(hand: Hand) {
      if (offersPlans(hand)) return campaign.wake(hand);
      const plan = new Plan(hand, await hand.state());
      takeStarters(plan);
      await works.build(plan, (options, planet) => preferred(hand, options, planet));
      const fighter = strongestShip(hand.catalog)?.type ?? '';
      const isThreatened = hand.events.some(({ type }) => type === 'incoming_fleet');
      for (const planet of plan.state.planets) {
        // A threatened planet spends what it saves.
        if (isThreatened || !works.isSaving(planet)) orderShips(plan, planet, fighter, FIGHTERS_AT_ONCE);
      }
      return plan.carryOut([...SURPRISES, 'incoming_fleet', 'combat_report']);
    },
  };
}

/** The wall that lags behind most, or what returns its cost soonest. */
function preferred(hand: Hand, options: readonly BuildingOption[], planet: Planet): BuildingOption | undefined {
  const { planetaryShield, antiSpy, shipyard } = hand.catalog.roles;
  const shares = new Map([
    [planetaryShield, SHIELD_SHARE],
    [antiSpy, ANTI_SPY_SHARE],
    [shipyard, SHIPYARD_SHARE],
  ]);
  const height = Math.max(...planet.buildings.map(({ level }) => level));
  const lagOf = ({ buildingType, level }: BuildingOption): number =>
    level / Math.max(1, height * (shares.get(buildingType) ?? 0));
  const lagging = options.filter((option) => shares.has(option.buildingType) && lagOf(option) <= 1);
  const walls = height < WALLED_FROM_LEVEL ? [] : lagging.filter(({ affordableAt }) => affordableAt !== null);
  const producing = options.filter(produces);
  const worth = worthOn(
    planet,
    [...producing, ...lagging].map(({ cost }) => cost),
  );
  return lowest(walls, lagOf) ?? lowest(producing, (option) => hoursToReturn(option, hand.now, worth));
}

export const turtle: BotKind = {
  name: 'turtle',
  summary: 'Grows behind shields and fighters, and attacks nobody.',
  make: makeTurtle,
};
