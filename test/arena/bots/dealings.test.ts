// What a bot that plays by plans does with other players in a real world: it offers what its plans leave over for what they lack, and accepts
// peace.
import t from 'tap';
import { type PlanStep, planOperation } from '../../../arena/bot.js';
import { Dealings } from '../../../arena/bots/support/dealings.js';
import type { OfferBody, PlayerMarketBody } from '../../../http/schemas/market.js';
import { BotWorld, type Owner } from '../support/bot-world.js';

const RICH = { iron: 60_000, h2: 5_000, energy: 60_000 };

/** Levels that cost much less than the planet has in iron, and more than it has in silver. */
const LEVELS: readonly PlanStep[] = Array.from({ length: 16 }, () => ({
  action: 'upgrade',
  buildingType: 'iron_mine',
}));

/** Lets a player trade, with a new plan for all its planets or with those that they have. @returns its offers */
async function offersBy(world: BotWorld, owner: Owner, steps?: readonly PlanStep[]): Promise<readonly OfferBody[]> {
  await world.wake(owner, async (plan) => {
    await new Dealings().trade(plan, new Map(plan.state.planets.flatMap((each) => (steps ? [[each, steps]] : []))));
  });
  return (await world.play.client.read<PlayerMarketBody>(`/api/market/player/${owner.playerId}`)).offers;
}

t.test('a planet offers what its plan leaves over for what it lacks, be the plan new or not', async (t) => {
  const world = await BotWorld.begin(t);
  const idle = await world.owner('idle', {}, RICH);
  const planning = await world.owner('planning', {}, RICH);
  const planned = await world.owner('planned', {}, RICH);
  await world.wake(planned, (plan) => {
    for (const planet of plan.state.planets) plan.command(planet, planOperation(planet.id, LEVELS));
  });
  const wantsOf = (offers: readonly OfferBody[]): Set<string> => new Set(offers.map(({ want }) => want.resource));
  t.notOk(wantsOf(await offersBy(world, idle)).has('silver'), 'who plans nothing lacks no silver');
  t.same(wantsOf(await offersBy(world, planning, LEVELS)), new Set(['silver']));
  t.same(wantsOf(await offersBy(world, planned)), new Set(['silver']));
});

t.test('it accepts peace, and no other pact, and then knows its partner', async (t) => {
  const world = await BotWorld.begin(t);
  const ada = await world.owner('ada');
  const bob = await world.owner('bob');
  for (const kind of ['non_aggression', 'shared_sight']) {
    const body = { playerId: bob.playerId, partnerId: ada.playerId, kind, durationSeconds: 86_400 };
    await world.play.client.command('/api/pact', body);
  }
  const dealings = new Dealings();
  const isPartner = async (): Promise<boolean> =>
    await world.wake(ada, async (plan) => {
      await dealings.learn(plan);
      return dealings.isPartner(plan, bob.playerId);
    });
  t.notOk(await isPartner(), 'a proposal is no pact');
  t.ok(await isPartner());
  const pacts = await world.play.client.read<{ kind: string; state: string }[]>(`/api/game/pacts/${bob.playerId}`);
  t.same(
    pacts.map(({ kind, state }) => [kind, state]),
    [['non_aggression', 'in_force']],
  );
});
