// Help in war in a real world: a bot stations warships where a partner was attacked, and fetches them once the pact is over.
import t from 'tap';
import { Assistance } from '../../../arena/bots/support/assistance.js';
import type { Battle } from '../../../arena/bots/support/trust.js';
import { BotWorld, type Owner } from '../support/bot-world.js';

const DAY_SECONDS = 86_400;
const NO_CARGO = { iron: 0, silver: 0, ember: 0, h2: 0 };

const battleAt = ({ playerId, planetId }: Owner): Battle => {
  const ids = { planetId, fleetId: 'fleet-1', attackerId: 'player-9', defenderId: playerId };
  return { ...ids, outcome: 'attacker_won', rounds: 1, attackerLostCount: 0, defenderLostCount: 1, loot: NO_CARGO };
};

t.test('half of the warships help a partner that was attacked, once, until it is no partner', async (t) => {
  const world = await BotWorld.begin(t);
  const partner = await world.owner('partner');
  const stranger = await world.owner('stranger');
  const poor = await world.owner('poor', { cruiser: 1 }, { h2: 100_000 });
  const ada = await world.owner('ada', { cruiser: 40, fighter: 40 }, { h2: 100_000 });
  // Newcomers are protected, and nobody supports them.
  await world.play.advance(2 * DAY_SECONDS);
  const assistance = new Assistance();
  const helpBy = async (owner: Owner, partners: readonly Owner[]) => {
    const ids = new Set(partners.map(({ playerId }) => playerId));
    const battles = [battleAt(partner), battleAt(stranger), battleAt(partner)];
    await world.wake(owner, (plan) => assistance.help(plan, battles, ids));
    const { fleets } = await world.state(owner);
    return fleets.map(({ mission, targetPlanetId, state, ships }) => ({ mission, targetPlanetId, state, ships }));
  };
  t.same(await helpBy(poor, [partner]), [], 'one cruiser is no help');
  const ships = [{ type: 'cruiser', count: 20 }];
  const flight = { mission: 'support', targetPlanetId: partner.planetId, ships };
  t.match(await helpBy(ada, [partner]), [{ ...flight, state: 'outbound' }]);
  await world.play.advance(DAY_SECONDS);
  const [stationed, ...others] = await helpBy(ada, [partner]);
  t.match(stationed, flight);
  t.not(stationed?.state, 'outbound');
  t.same(others, []);
  t.match(await helpBy(ada, []), [{ ...flight, state: 'returning' }]);
});
