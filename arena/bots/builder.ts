// Builds levels in fixed ratios and settles where it may, on the nearest planet. It weighs nothing, never scouts and never fights. A yardstick: rules under which
// it comes close to the best bot ask for little.
import type { Bot, BotKind } from '../bot.js';
import { takeStarters } from './support/building.js';
import { RatioBuilder, type Ratios, startResearch } from './support/fixed-ratios.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { Plan } from './support/plan.js';
import { settle } from './support/settling.js';

const RATIOS: Ratios = {
  makers: { iron: 10, silver: 10, ember: 4, h2: 3, energy: 9 },
  others: 9,
  shipyard: 1,
  antiSpy: 0,
  planetaryShield: 0,
  defences: 0,
};
/** It looks after its plans and its research this often, at speed 1. */
const WAKE_SECONDS = 4_800;

function makeBuilder(): Bot {
  const galaxyMap = new GalaxyMap();
  const ratioBuilder = new RatioBuilder(RATIOS);
  return {
    async wake(port) {
      const plan = new Plan(port, await port.state());
      takeStarters(plan);
      await settle(plan, galaxyMap, plan.state.planets[0], true);
      startResearch(plan);
      await ratioBuilder.build(plan);
      plan.wakeIn(WAKE_SECONDS / port.catalog.speed);
      return plan.carryOut();
    },
  };
}

export const builder: BotKind = {
  name: 'builder',
  summary: 'Builds levels in fixed ratios, and settles.',
  make: makeBuilder,
};
