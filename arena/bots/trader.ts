// Lives from the market: sells what its planets have over to other players, and buys what they lack. It accepts peace with those it trusts, and
// fights nobody.
import type { Bot, BotKind } from '../bot.js';
import { defend, Threats } from './support/defence.js';
import { Economy } from './support/economy.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { Pacts } from './support/pacts.js';
import { Plan, SURPRISES } from './support/plan.js';
import type { ResearchPriorities } from './support/research.js';
import { Trust } from './support/trust.js';

const MINES_PER_SHIPYARD = 3;

const RESEARCH: ResearchPriorities = {
  output: 1,
  colonies: 4,
  attack: 0,
  hit_points: 0,
  cargo: 0.05,
  sight: 0,
  drives: 0.4,
};

/** @param trades whether it trades and answers proposals; otherwise all else is the same */
export function makeTrader(trades: boolean): Bot {
  const economy = new Economy({ research: RESEARCH, minesPerShipyard: MINES_PER_SHIPYARD, trades });
  const galaxyMap = new GalaxyMap();
  const threats = new Threats();
  const trust = new Trust();
  const pacts = new Pacts();
  return {
    async wake(port) {
      threats.learn(port.playerId, port.events);
      const [state] = await Promise.all([
        port.state(),
        trades ? trust.learn(port) : null,
        trades ? pacts.learn(port) : null,
      ]);
      const plan = new Plan(port, state);
      await defend(plan, threats.incoming(plan), false);
      const isWelcome = (playerId: string): boolean => trust.trusts(port, playerId);
      if (trades) {
        await pacts.negotiate(plan, galaxyMap, { kinds: ['non_aggression'], isWelcome, proposes: false });
      }
      await economy.manage(plan, isWelcome);
      return plan.carryOut([...SURPRISES, 'incoming_fleet']);
    },
  };
}

export const trader: BotKind = {
  name: 'trader',
  summary: 'Sells what its planets have over to other players, and buys what they lack.',
  make: () => makeTrader(true),
};
