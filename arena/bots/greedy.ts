// Builds what returns its cost soonest, on every planet, for ever. What produces nothing it builds only
// if the rules have plans: shipyards for a few colonies, and defences once it is raided.
import type { BotKind, Hand } from '../bot.js';
import { worthOn } from './support/amounts.js';
import { Campaign, offersPlans } from './support/campaign.js';
import { Plan } from './support/plan.js';
import { GROWTH, type Strategy } from './support/strategy.js';
import { hoursToReturn, lowest, produces, takeStarters, Works } from './support/works.js';

const GREEDY: Strategy = {
  ...GROWTH,
  appetite: { ...GROWTH.appetite, output: 1.2 },
  planetsMax: 9,
};
/** Who is raided builds defences: what is taken never returns its cost. */
const GUARDED: Strategy = {
  ...GREEDY,
  shares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.1, defences: 0.25 },
};

function makeGreedy() {
  const works = new Works();
  const campaign = new Campaign((_, isPrey) => (isPrey ? GUARDED : GREEDY));
  return {
    async wake(hand: Hand) {
      if (offersPlans(hand)) return campaign.wake(hand);
      const plan = new Plan(hand, await hand.state());
      takeStarters(plan);
      await works.build(plan, (options, planet) => {
        const producing = options.filter(produces);
        // A resource is worth as much as these buildings ask for it.
        const worth = worthOn(
          planet,
          producing.map(({ cost }) => cost),
        );
        return lowest(producing, (option) => hoursToReturn(option, hand.now, worth));
      });
      return plan.carryOut();
    },
  };
}

export const greedy: BotKind = {
  name: 'greedy',
  summary: 'Builds what returns its cost soonest.',
  make: makeGreedy,
};
