// Trade of bots in a real world: one offers what it has over for what it lacks, another one that needs the opposite takes it, and prices
// follow from what is taken.
import t from 'tap';
import { Market } from '../../../arena/bots/support/market.js';
import { type Balance, balanceOf, urgencyOf } from '../../../arena/bots/support/needs.js';
import type { Plan } from '../../../arena/bots/support/plan.js';
import type { MarketBody, OfferBody, PlayerMarketBody } from '../../../http/schemas/market.js';
import { BotWorld, type Owner } from '../support/bot-world.js';

/** A day, in which each offer of a bot ends. */
const DAY_SECONDS = 86_400;
const everybody = (_playerId: string): boolean => true;

/** In the order of the resources: a planet plans to spend as much iron as silver, by their values. */
const PLANNED = { steps: [], bill: [40_000, 20_000, 0, 0, 0], firstBill: [0, 0, 0, 0, 0], hours: 10 };

const balancesOf = (plan: Plan): Balance[] => plan.state.planets.map((planet) => balanceOf(plan, planet, PLANNED));

/** A player whose planet has much of one resource, and h2 for the way of goods. */
async function traderWith(world: BotWorld, name: string, stocks: object): Promise<Owner> {
  return await world.owner(name, {}, { h2: 5_000, ...stocks });
}

const trades = (world: BotWorld, owner: Owner, market: Market, isWelcome = everybody): Promise<void> =>
  world.wake(owner, async (plan) => {
    market.learn(owner.playerId, plan.port.events);
    await market.trade(plan, balancesOf(plan), isWelcome);
  });

const ownOffers = async (world: BotWorld, { playerId }: Owner): Promise<OfferBody[]> =>
  (await world.play.client.read<PlayerMarketBody>(`/api/market/player/${playerId}`)).offers;

const tradesIn = async (world: BotWorld): Promise<MarketBody['trades']> =>
  (await world.play.client.read<MarketBody>('/api/market/galaxy/1')).trades;

t.test('a bot offers what it has over for what it lacks, and one that needs the opposite takes it', async (t) => {
  const world = await BotWorld.begin(t);
  const iris = await traderWith(world, 'iris', { iron: 60_000 });
  const silvan = await traderWith(world, 'silvan', { silver: 30_000 });
  await trades(world, iris, new Market());
  const offers = await ownOffers(world, iris);
  t.ok(offers.length > 0);
  for (const { give, want } of offers)
    t.match({ give, want }, { give: { resource: 'iron' }, want: { resource: 'silver' } });
  const before = await world.play.planet(silvan.planetId);
  await trades(world, silvan, new Market(), (playerId) => playerId !== iris.playerId);
  t.same(await tradesIn(world), [], 'it trades with nobody whom it does not trust');
  await trades(world, silvan, new Market());
  const [traded] = await tradesIn(world);
  t.match(traded, { give: 'iron', want: 'silver' });
  const paid = traded?.last.reduce((sum, { wantUnits }) => sum + wantUnits, 0) ?? 0;
  t.ok(paid > 0 && (await world.play.planet(silvan.planetId)).silver <= before.silver - paid);
});

t.test('two bots that need the same do not trade, and their offers get cheaper', async (t) => {
  const world = await BotWorld.begin(t);
  const [iris, ida] = [
    await traderWith(world, 'iris', { iron: 60_000 }),
    await traderWith(world, 'ida', { iron: 60_000 }),
  ];
  const market = new Market();
  await trades(world, iris, market);
  const [first] = await ownOffers(world, iris);
  await trades(world, ida, new Market());
  t.same(await tradesIn(world), []);
  await world.play.advance(DAY_SECONDS);
  await trades(world, iris, market);
  const [second] = await ownOffers(world, iris);
  t.ok((second?.price ?? 1) < (first?.price ?? 0), `${second?.price} is less than ${first?.price}`);
});

t.test('what others want to buy can be sold, what they offer can be bought, and nothing else', async (t) => {
  const world = await BotWorld.begin(t);
  const iris = await traderWith(world, 'iris', { iron: 60_000 });
  const silvan = await traderWith(world, 'silvan', {});
  const market = new Market();
  t.same(market.prices(world.catalog)?.sold, [0, 0, 0, 0, 0]);
  await trades(world, iris, new Market());
  await trades(world, silvan, market);
  const { sold = [], bought = [] } = market.prices(world.catalog) ?? {};
  const [iron, silver = 0, ember] = sold;
  t.ok(silver > 0);
  t.same([iron, ember], [0, 0]);
  t.same(
    bought.map((price) => price < Number.POSITIVE_INFINITY),
    [true, false, false, false, false],
  );
  const { market: _, ...without } = world.catalog;
  t.equal(market.prices(without), undefined);
});

t.test('a planet needs most what it lacks for what it plans', async (t) => {
  const world = await BotWorld.begin(t);
  const iris = await traderWith(world, 'iris', { iron: 60_000 });
  const [iron, silver, more] = await world.wake(iris, (plan) => {
    const [balance] = balancesOf(plan);
    if (balance === undefined) throw new Error('there is no planet');
    const urgency = (resource: 'iron' | 'silver', change = 0) => urgencyOf(world.catalog, balance, resource, change);
    return [urgency('iron'), urgency('silver'), urgency('silver', 5_000)] as const;
  });
  t.ok(iron < 1 && silver > 1 && more < silver);
});
