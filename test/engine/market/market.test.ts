// Offers in escrow, the trades that players agree on, and the goods that travel between them. What a side receives beyond the value of what it
// gives counts as a delivery.

import t from 'tap';
import { causerOf } from '../../../engine/events/kinds.js';
import { deliverableUnits } from '../../../engine/fleets/deliveries.js';
import { nextTimerOf } from '../../../engine/queries/players.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import type { Goods, Offer } from '../../../engine/world/market-tables.js';
import { colonize, type OfferWords, offer, take, withdraw } from '../../support/command-words.js';
import { TRADING } from '../../support/market-rules.js';
import {
  HOUR_MS,
  loadRows,
  NOBODY,
  NOWHERE,
  openScene,
  PLENTY,
  replay,
  type Scene,
  SECOND_MS,
  type StorySettings,
} from '../../support/world-story.js';

const RULES = ruleSetText(TRADING);

/** Both planets have plenty of everything. */
function open(settings: StorySettings = {}): Scene {
  const scene = openScene({ rules: RULES, ...settings });
  for (const planet of [scene.home, scene.foreign]) scene.story.grant(planet, PLENTY);
  return scene;
}

/** 600 iron and 400 silver are worth the same. */
const FAIR = { give: { iron: 600 }, want: { silver: 400 } } as const;

/** The human offers from its home. */
function put({ story, human, home }: Scene, words: Partial<OfferWords> = {}): Offer {
  return story.does(offer({ by: human, from: home, ...FAIR, ...words }));
}

const goodsOf = ({ story }: Scene, { number }: { readonly number: number }): readonly Goods[] =>
  story.world.goods.of(number);

t.test('what is offered leaves the planet, and both goods arrive where they were paid for', async (t) => {
  const scene = open();
  const { story, human, bot, home, foreign } = scene;
  const [before, beforeThere] = [story.stocks(home), story.stocks(foreign)];
  const made = put(scene, { h2Max: 500 });
  t.same(differences(before, story.stocks(home)), [-600, 0, 0, -500, 0]);
  t.match(story.events.at(-1), {
    kind: 'offer_made',
    playerNumber: human.number,
    give: { resource: 0, units: 600 },
    h2Max: 500,
  });

  const { received, h2Cost } = story.does(take(bot, made, foreign));
  const [toHuman] = goodsOf(scene, human);
  t.same(differences(beforeThere, story.stocks(foreign)), [0, -400, 0, -h2Cost, 0]);
  const rest = 500 - h2Cost;
  t.ok(rest > 100, `${rest} units of h2 are not used`);
  t.same(
    differences(before, story.stocks(home)),
    [-600, 0, 0, -h2Cost - (rest - Math.floor(0.95 * rest)), 0],
    'a load each, as far; the rest of the h2 is back, less the part of it that an untaken offer loses',
  );
  t.equal(story.world.offers.size, 0);
  const kinds = story.events.slice(-3).map((event) => [event.kind, event.playerNumber, causerOf(event)]);
  t.same(kinds, [
    ['offer_taken', human.number, bot.number],
    ['offer_taken', bot.number, bot.number],
    ['trade_agreed', bot.number, bot.number],
  ]);
  t.equal(story.refusal(take(bot, made, foreign)).code, 'offer_not_found', 'it is taken once');

  t.same(goodsOf(scene, bot), [received]);
  t.equal(nextTimerOf(story.world, bot), received.arrivesAtMs);
  story.advanceTo(received.arrivesAtMs - 1);
  const justBefore = story.stocks(foreign);
  story.advance(1);
  t.equal(differences(justBefore, story.stocks(foreign))[0], 600);
  story.advanceTo(toHuman?.arrivesAtMs ?? 0);
  const arrived = story.events.filter(({ kind }) => kind === 'goods_arrived');
  t.match(arrived, [
    {
      playerNumber: bot.number,
      planetKey: foreign.key,
      partnerNumber: human.number,
      goods: { resource: 0, units: 600 },
    },
    { playerNumber: human.number, planetKey: home.key, partnerNumber: bot.number, goods: { resource: 1, units: 400 } },
  ]);
  t.equal(story.world.goods.size, 0);
  t.match(story.world.trades.of(0, 1), [{ offerNumber: made.number, giveUnits: 600, wantUnits: 400 }]);
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
});

t.test('an offer that nobody takes comes back, less a part of it', async (t) => {
  const scene = open();
  const { story, human, bot, home } = scene;
  const before = story.stocks(home);
  const made = put(scene, { h2Max: 100, lastsMs: 60 * SECOND_MS });
  t.equal(story.refusal(withdraw(bot, made)).code, 'not_owner');
  const { returned } = story.does(withdraw(human, made));
  t.same(returned, [570, 0, 0, 95], '5 % are lost');
  t.same(differences(before, story.stocks(home)), [-30, 0, 0, -5, 0]);
  t.match(story.events.at(-1), { kind: 'offer_ended', reason: 'withdrawn', returned });
  t.equal(story.refusal(withdraw(human, made)).code, 'offer_not_found');

  const second = put(scene, { lastsMs: 60 * SECOND_MS });
  story.advance(60 * SECOND_MS - 1);
  t.equal(story.world.offers.get(second.number), second);
  story.advance(1);
  t.match(story.events.at(-1), { kind: 'offer_ended', reason: 'expired', returned: [570, 0, 0, 950] });
  t.equal(story.world.offers.size, 0);
});

t.test('an offer to a player is seen, taken and told to that player alone', async (t) => {
  const scene = open();
  const { story, bot, home, foreign } = scene;
  const third = story.bot('third');
  const place = story.colony(third, home);
  story.grant(place, PLENTY);
  const made = put(scene, { to: bot });
  t.match(story.events.at(-1), { kind: 'offer_made', playerNumber: bot.number });
  t.same(story.world.offers.addressedTo(bot.number), [made]);
  t.equal(story.refusal(take(third, made, place)).code, 'offer_not_found');
  t.equal(story.refusal(withdraw(third, made)).code, 'offer_not_found');
  t.equal(story.refusal(withdraw(bot, made)).code, 'not_owner');
  story.does(take(bot, made, foreign));
  t.same(story.world.offers.addressedTo(bot.number), []);
});

t.test('each refusal of an offer', async (t) => {
  const scene = open();
  const { story, human, bot, home, foreign } = scene;
  const refused = (words: Partial<OfferWords>) => story.refusal(offer({ by: human, from: home, ...FAIR, ...words }));
  t.equal(refused({ by: NOBODY }).code, 'player_not_found');
  t.equal(refused({ to: NOBODY }).code, 'player_not_found');
  t.equal(refused({ from: NOWHERE }).code, 'planet_not_found');
  t.equal(refused({ from: foreign }).code, 'not_owner');
  t.equal(refused({ want: { iron: 5 } }).code, 'trade_not_possible');
  t.equal(refused({ to: human }).code, 'trade_not_possible');
  t.match(refused({ to: bot, h2Max: 0 }), { code: 'offer_out_of_reach', facts: { reason: /put aside 0 h2/ } });
  t.match(refused({ lastsMs: 2 * HOUR_MS + 1 }).facts.limit, { name: 'market.offerSecondsMax', maximum: 7_200 });
  t.equal(refused({ give: { iron: 1_000_000_000 } }).code, 'insufficient_resources');
  t.equal(refused({ h2Max: 1_000_000_000 }).code, 'insufficient_resources');
  for (let open = 0; open < 3; open += 1) put(scene);
  t.match(refused({}).facts.limit, { name: 'market.offersPerPlayer', maximum: 3 });
  story.does({ type: 'suspend_player', playerNumber: human.number });
  t.equal(refused({}).code, 'player_suspended');
  t.equal(
    story.does(take(bot, openOffer(scene), foreign)).offer.ownerNumber,
    human.number,
    'others can take its offers',
  );
});

function openOffer({ story, human }: Scene): Offer {
  const [made] = story.world.offers.of(human.number);
  if (made === undefined) throw new Error('there is no offer');
  return made as Offer;
}

t.test('each refusal of a trade', async (t) => {
  const scene = open();
  const { story, human, bot, home, foreign } = scene;
  const made = put(scene);
  t.equal(story.refusal(take(NOBODY, made, foreign)).code, 'player_not_found');
  t.equal(story.refusal(take(bot, made, NOWHERE)).code, 'planet_not_found');
  t.equal(story.refusal(take(bot, NOBODY, foreign)).code, 'offer_not_found');
  t.equal(story.refusal(take(bot, made, home)).code, 'not_owner');
  const own = story.refusal(take(human, made, home));
  t.match(own, { code: 'trade_not_possible', facts: { reason: /itself/ } });

  const near = put(scene, { h2Max: 0 });
  t.match(story.refusal(take(bot, near, foreign)), { code: 'offer_out_of_reach', facts: { reason: /put aside 0 h2/ } });
  const { universe } = story.world;
  const { galaxy } = universe.positionOf(home.key);
  const [key = -1] = universe.planetKeys(universe.systemKey(galaxy === 1 ? 2 : 1, 0));
  const far = story.does(colonize(bot, { key }));
  t.match(story.refusal(take(bot, made, far)), { code: 'offer_out_of_reach', facts: { reason: /no drive/ } });
  story.does(withdraw(human, near));

  const much = put(scene, { give: { iron: 1_500_000 }, want: { silver: 1_000_000 }, h2Max: 1_000_000 });
  const poor = story.colony(bot, home);
  t.match(story.refusal(take(bot, much, poor)), { code: 'insufficient_h2', facts: { missing: { h2: /\d/ } } });
  story.grant(poor, { h2: 1_000_000 });
  t.match(story.refusal(take(bot, much, poor)), {
    code: 'insufficient_resources',
    facts: { missing: { silver: 1_000_000 } },
  });
  story.does({ type: 'suspend_player', playerNumber: bot.number });
  t.equal(story.refusal(take(bot, made, foreign)).code, 'player_suspended');
});

t.test('a gift counts as a delivery, on the side that receives it, and what does not fit is refused', async (t) => {
  const scene = open();
  const { story, bot, home, foreign } = scene;
  const there = deliverableUnits(story.world, foreign, story.nowMs);
  t.ok(there > 10, `${there} units`);
  // The taker gets this much iron for one silver, which is worth 1.5 of it.
  const gift = put(scene, { give: { iron: there + 1 }, want: { silver: 1 } });
  story.does(take(bot, gift, foreign));
  t.equal(deliverableUnits(story.world, foreign, story.nowMs), there - Math.ceil((2 * (there + 1) - 3) / 2));
  const more = put(scene, { give: { iron: there }, want: { silver: 1 } });
  t.match(story.refusal(take(bot, more, foreign)), {
    code: 'deliveries_used_up',
    facts: { reason: /beyond the value/ },
  });
  t.ok(story.does(take(bot, put(scene), foreign)), 'a fair trade fits at any time');

  const here = deliverableUnits(story.world, home, story.nowMs);
  const dear = put(scene, { give: { iron: 3 }, want: { silver: here + 3 } });
  t.equal(story.refusal(take(bot, dear, foreign)).code, 'deliveries_used_up', 'and so is what the maker would receive');
});

t.test('only so many goods are on their way to a player', async (t) => {
  const scene = open();
  const { story, bot, foreign } = scene;
  for (let taken = 0; taken < 100; taken += 1) {
    story.does(take(bot, put(scene, { give: { iron: 3 }, want: { silver: 2 }, h2Max: 50 }), foreign));
  }
  t.match(story.refusal(take(bot, put(scene), foreign)).facts.limit, { name: 'GOODS_PER_PLAYER_MAX', maximum: 100 });
});

t.test('a retired player leaves no offer and no goods, and what it was offered goes back', async (t) => {
  const scene = open();
  const { story, human, bot, home, foreign } = scene;
  put(scene, { to: bot });
  story.does(offer({ by: bot, from: foreign, ...FAIR }));
  story.does(take(bot, put(scene), foreign));
  const before = story.stocks(home);
  story.does({ type: 'retire_players', playerNumbers: [bot.number] });
  t.equal(story.world.offers.size, 0);
  t.same(differences(before, story.stocks(home)).slice(0, 1), [570]);
  t.match(
    story.events.filter(({ kind }) => kind === 'offer_ended'),
    [{ playerNumber: human.number, reason: 'addressee_retired' }, { playerNumber: bot.number }],
  );
  t.same(
    goodsOf(scene, human).map(({ senderNumber }) => senderNumber),
    [bot.number],
    'the human has paid for what is on its way to it',
  );
  t.equal(loadRows(story.engine.rows()).stateHash(), story.engine.stateHash());
  story.advanceUntilIdle();
  t.match(story.events.at(-1), { kind: 'goods_arrived', partnerNumber: bot.number });
});

t.test('without a market in the rules nobody trades', async (t) => {
  const { story, human, bot, home, foreign } = openScene();
  t.equal(story.refusal(offer({ by: human, from: home, ...FAIR })).code, 'market_not_in_rules');
  t.equal(story.refusal(take(bot, NOBODY, foreign)).code, 'market_not_in_rules');
  t.equal(story.refusal(withdraw(bot, NOBODY)).code, 'market_not_in_rules');
});

t.test('rows of offers, goods and trades make the same world', async (t) => {
  const scene = open();
  const { story, bot, foreign } = scene;
  story.does(take(bot, put(scene), foreign));
  put(scene, { to: bot });
  put(scene);
  const copy = loadRows(story.engine.rows());
  t.equal(copy.stateHash(), story.engine.stateHash());
  story.advance(3 * HOUR_MS);
  copy.apply(story.nowMs, { type: 'advance_time' });
  t.equal(copy.world.offers.size + copy.world.goods.size, 0);
  t.equal(copy.stateHash(), story.engine.stateHash(), 'and fire the same timers');
});

/** By how much stocks have changed, by resource. */
function differences(before: readonly number[], after: readonly number[]): number[] {
  return after.map((units, resource) => units - (before[resource] ?? 0));
}
