// Builds what returns its cost soonest, on every planet. Only if the rules have plans, it builds what
// produces nothing: shipyards for a few colonies, and defences once it is raided.
import type { BotKind } from '../bot.js';
import { worthOn } from './support/amounts.js';
import { Builder, hoursToReturn, lowest, produces } from './support/building.js';
import { GROWTH, type Strategy, strategicBot } from './support/campaign.js';

const GREEDY: Strategy = {
  ...GROWTH,
  research: { ...GROWTH.research, output: 1.2 },
  planetsMax: 9,
};
/** After a raid it builds defences, since stolen resources never return their cost. */
const GUARDED: Strategy = {
  ...GREEDY,
  shares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.1, defences: 0.25 },
};

function makeGreedy() {
  const builder = new Builder();
  return strategicBot({ usual: GREEDY, raided: GUARDED }, async (plan) => {
    await builder.build(plan, (options, planet) => {
      const producing = options.filter(produces);
      // A resource is worth more, the more of it these buildings need.
      const worth = worthOn(
        planet,
        producing.map(({ cost }) => cost),
      );
      return lowest(producing, (option) => hoursToReturn(option, plan.port.now, worth));
    });
    return plan.carryOut();
  });
}

export const greedy: BotKind = {
  name: 'greedy',
  summary: 'Builds what returns its cost soonest.',
  make: makeGreedy,
};
