// Whom bots trust, and with whom they make pacts, in a real world: from events alone.
import t from 'tap';
import { GalaxyMap } from '../../../arena/bots/support/galaxy-map.js';
import { Pacts } from '../../../arena/bots/support/pacts.js';
import { Trust } from '../../../arena/bots/support/trust.js';
import { Words } from '../../../arena/bots/support/words.js';
import type { MessagesBody } from '../../../http/schemas/diplomacy.js';
import type { PactBody } from '../../../http/schemas/pacts.js';
import { BotWorld, type Owner } from '../support/bot-world.js';

const DAY_SECONDS = 86_400;
const PEACE = ['non_aggression'] as const;

const pactsOf = (world: BotWorld, { playerId }: Owner): Promise<PactBody[]> =>
  world.play.client.read(`/api/game/pacts/${playerId}`);

/** Lets a bot negotiate. @param welcome whom it makes pacts with */
const negotiates = (world: BotWorld, owner: Owner, pacts: Pacts, welcome: readonly Owner[], proposes = true) =>
  world.wake(owner, async (plan) => {
    await pacts.learn(plan.port);
    await pacts.negotiate(plan, new GalaxyMap(), {
      kinds: PEACE,
      isWelcome: (playerId) => welcome.some((each) => each.playerId === playerId),
      proposes,
    });
  });

/** @returns who has wronged the player, and whether it trusts another one */
const learns = (world: BotWorld, owner: Owner, trust: Trust, other: Owner) =>
  world.wake(owner, async ({ port }) => {
    const wrongdoers = await trust.learn(port);
    return { wrongdoers, trusts: trust.trusts(port, other.playerId) };
  });

t.test('a bot proposes pacts to those it trusts, and accepts theirs; others are declined', async (t) => {
  const world = await BotWorld.begin(t);
  const [dora, bert, carl] = [await world.owner('dora'), await world.owner('bert'), await world.owner('carl')];
  const ofDora = new Pacts();
  await negotiates(world, dora, ofDora, [bert, carl]);
  t.equal((await pactsOf(world, dora)).length, 2);
  await negotiates(world, bert, new Pacts(), [dora], false);
  await negotiates(world, carl, new Pacts(), [bert], false);
  t.match(await pactsOf(world, dora), [{ partnerId: bert.playerId, state: 'in_force' }]);
  await negotiates(world, dora, ofDora, [bert, carl]);
  t.equal((await pactsOf(world, dora)).length, 1, 'it does not ask again at once');
  t.same(ofDora.partners(dora.playerId), [bert.playerId]);
  await world.play.advance(2 * DAY_SECONDS);
  await negotiates(world, dora, ofDora, [bert, carl]);
  t.equal((await pactsOf(world, dora)).length, 2);
});

t.test('notice of a pact costs the trust of the partner and of everybody, for some days', async (t) => {
  const world = await BotWorld.begin(t);
  const [dora, bert, carl] = [await world.owner('dora'), await world.owner('bert'), await world.owner('carl')];
  const [ofDora, ofCarl] = [new Trust(), new Trust()];
  const ofBert = new Pacts();
  await negotiates(world, bert, ofBert, [dora]);
  await negotiates(world, dora, new Pacts(), [bert], false);
  t.same(await learns(world, dora, ofDora, bert), { wrongdoers: [], trusts: true });
  await negotiates(world, bert, ofBert, [dora]);
  await world.wake(bert, (plan) => ofBert.cancel(plan, dora.playerId));
  t.same(await learns(world, dora, ofDora, bert), { wrongdoers: [bert.playerId], trusts: false });
  t.same(await learns(world, carl, ofCarl, bert), { wrongdoers: [], trusts: false });
  t.same(await learns(world, carl, ofCarl, dora), { wrongdoers: [], trusts: true });
  await world.play.advance(6 * DAY_SECONDS);
  t.match(await learns(world, dora, ofDora, bert), { trusts: true });
});

t.test('an attack costs the trust of its victim, and soon after a notice that of everybody for ever', async (t) => {
  const world = await BotWorld.begin(t);
  const dora = await world.owner('dora');
  const bert = await world.owner('bert', { cruiser: 20 }, { h2: 50_000 });
  const carl = await world.owner('carl');
  await world.play.advance(3 * DAY_SECONDS);
  const ofBert = new Pacts();
  await negotiates(world, bert, ofBert, [dora]);
  await negotiates(world, dora, new Pacts(), [bert], false);
  await negotiates(world, bert, ofBert, [dora]);
  await world.wake(bert, (plan) => ofBert.cancel(plan, dora.playerId));
  await world.play.advance(DAY_SECONDS / 2);
  const flight = { playerId: bert.playerId, originPlanetId: bert.planetId, targetPlanetId: dora.planetId };
  await world.play.client.command('/api/fleet/launch', {
    ...flight,
    mission: 'attack',
    ships: [{ type: 'cruiser', count: 20 }],
  });
  await world.play.advance(DAY_SECONDS);
  const [ofDora, ofCarl] = [new Trust(), new Trust()];
  t.same(await learns(world, dora, ofDora, bert), { wrongdoers: [bert.playerId], trusts: false });
  t.match(await learns(world, carl, ofCarl, bert), { trusts: false });
  await world.play.advance(10 * DAY_SECONDS);
  t.match(await learns(world, carl, ofCarl, bert), { trusts: false });
  t.match(await learns(world, carl, ofCarl, dora), { trusts: true });
});

t.test('a bot says no more than the rules allow', async (t) => {
  const world = await BotWorld.begin(t);
  const [dora, bert] = [await world.owner('dora'), await world.owner('bert')];
  const words = new Words();
  const { broadcastsMax = 0, sentToOneMax = 0 } = world.catalog.messages ?? {};
  const speaks = () =>
    world.wake(dora, (plan) => {
      for (let time = 0; time <= sentToOneMax; time += 1)
        words.say(plan, bert.playerId, `Hello, for the time ${time}.`);
      for (let time = 0; time <= broadcastsMax; time += 1) words.say(plan, 'all', 'Hello to everybody.');
      words.say(plan, bert.playerId, 'x'.repeat(1_000));
    });
  await speaks();
  const path = `/api/message/player/${bert.playerId}`;
  const { messages } = await world.play.client.read<MessagesBody>(path);
  t.equal(messages.length, broadcastsMax + sentToOneMax);
  await world.play.advance(DAY_SECONDS);
  await speaks();
  t.ok((await world.play.client.read<MessagesBody>(path)).messages.length > messages.length);
});
