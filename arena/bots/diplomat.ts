// Lives in peace: it makes pacts with its neighbours and keeps them, defends its partners, trades with those it trusts, and tells everybody who
// has broken the peace.
// Whom it trusts follows from events alone.
import type { Bot, BotKind } from '../bot.js';
import { Assistance } from './support/assistance.js';
import { defend, Threats } from './support/defence.js';
import { Economy } from './support/economy.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { Pacts } from './support/pacts.js';
import { Plan, SURPRISES } from './support/plan.js';
import type { ResearchPriorities } from './support/research.js';
import { Trust } from './support/trust.js';
import { Words } from './support/words.js';

const MINES_PER_SHIPYARD = 3;

const RESEARCH: ResearchPriorities = {
  output: 1,
  colonies: 4,
  attack: 0,
  hit_points: 0.02,
  cargo: 0.05,
  sight: 0.05,
  drives: 0.4,
};

/** @param talks whether it makes pacts, talks and trades; otherwise all else is the same */
export function makeDiplomat(talks: boolean): Bot {
  const economy = new Economy({ research: RESEARCH, minesPerShipyard: MINES_PER_SHIPYARD, trades: talks });
  const galaxyMap = new GalaxyMap();
  const threats = new Threats();
  const trust = new Trust();
  const pacts = new Pacts();
  const words = new Words();
  const assistance = new Assistance();
  return {
    async wake(port) {
      threats.learn(port.playerId, port.events);
      const [state, wrongdoers] = await Promise.all([
        port.state(),
        talks ? trust.learn(port) : [],
        talks ? pacts.learn(port) : null,
      ]);
      const plan = new Plan(port, state);
      await defend(plan, threats.incoming(plan), false);
      if (talks) {
        const isTrusted = (playerId: string): boolean => trust.trusts(port, playerId);
        for (const wrongdoer of wrongdoers) {
          words.say(plan, wrongdoer, 'You have broken the peace. I trust and trade with you no longer.');
          words.say(plan, 'all', `${wrongdoer} has broken the peace with me. Make no pact with it.`);
        }
        await pacts.negotiate(plan, galaxyMap, {
          kinds: ['non_aggression', 'shared_sight'],
          isWelcome: isTrusted,
          proposes: true,
        });
        for (const partner of pacts.newPartners(port, 'non_aggression')) {
          words.say(plan, partner, 'I keep our pact, and I trade at fair prices.');
        }
        await assistance.help(plan, trust.battles, new Set(pacts.partners(port.playerId)));
        await economy.manage(plan, isTrusted);
      } else await economy.manage(plan);
      return plan.carryOut([...SURPRISES, 'incoming_fleet', 'pact_cancelled']);
    },
  };
}

export const diplomat: BotKind = {
  name: 'diplomat',
  summary: 'Makes pacts with its neighbours, keeps them, and trades with those it trusts.',
  make: () => makeDiplomat(true),
};
