// Lives on others: scouts spy on its neighbours, and warships with transports fetch what they have if that pays. Its
// planets grow like those that trade, without trading, and spend a share of what they make on ships.
import type { Bot, BotKind } from '../bot.js';
import { defend, Threats } from './support/defence.js';
import { Economy } from './support/economy.js';
import { Espionage } from './support/espionage.js';
import { FleetBudget } from './support/fleet-budget.js';
import { Plan, SURPRISES } from './support/plan.js';
import { goRaiding, raidingMix } from './support/raiding.js';
import type { ResearchPriorities } from './support/research.js';

/** Share of what a planet makes that it spends on ships. */
const SHIP_SHARE = 0.1;
/** The same if the rules protect nobody and no building fights. */
const SHIP_SHARE_WITHOUT_WAR = 0.5;
const MINES_PER_SHIPYARD = 4;

const RESEARCH: ResearchPriorities = {
  output: 1,
  colonies: 4,
  attack: 0.22,
  hit_points: 0.15,
  cargo: 0.1,
  sight: 0.25,
  drives: 0.7,
};

function makeRaider(): Bot {
  const fleetBudget = new FleetBudget();
  const economy = new Economy({
    research: RESEARCH,
    minesPerShipyard: MINES_PER_SHIPYARD,
    trades: false,
    orders: (plan, planet) => {
      const share = plan.port.catalog.war === undefined ? SHIP_SHARE_WITHOUT_WAR : SHIP_SHARE;
      return fleetBudget.order(plan, planet, share, raidingMix(plan));
    },
  });
  const espionage = new Espionage();
  const threats = new Threats();
  return {
    async wake(port) {
      espionage.learn(port.events);
      threats.learn(port.playerId, port.events);
      const plan = new Plan(port, await port.state());
      await defend(plan, threats.incoming(plan), false);
      await goRaiding(plan, espionage);
      await economy.manage(plan);
      return plan.carryOut([...SURPRISES, 'incoming_fleet']);
    },
  };
}

export const raider: BotKind = {
  name: 'raider',
  summary: 'Spies on its neighbours and fetches what they have.',
  make: makeRaider,
};
