// Builds what returns its cost soonest, on every planet. Only if the rules have plans, it builds what
// produces nothing: shipyards for a few colonies, and defences once it is raided.
import type { BotKind } from '../bot.js';
import { Builder, soonestToReturn } from './support/building.js';
import { GROWTH, type Strategy, strategicBot } from './support/campaign.js';

const GREEDY: Strategy = {
  ...GROWTH,
  research: { ...GROWTH.research, output: 1.2 },
  planetsMax: 9,
  // Stolen resources never return their cost.
  guardedShares: { shipyard: 0.25, antiSpy: 0, planetaryShield: 0.1, defences: 0.25 },
};

function makeGreedy() {
  const builder = new Builder();
  return strategicBot(GREEDY, async (plan) => {
    await builder.build(plan, (options, planet) => soonestToReturn(options, planet, plan.port.now));
    return plan.carryOut();
  });
}

export const greedy: BotKind = {
  name: 'greedy',
  summary: 'Builds what returns its cost soonest.',
  make: makeGreedy,
};
