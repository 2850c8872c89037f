// What lies in open offers is no safer than what lies on the planet: attackers and pirates count it, and the oldest offers end as far as what
// they hold is needed.

import t from 'tap';
import { hourlyThousandths } from '../../../engine/planets/stocks.js';
import { type RuleSet, ruleSetText } from '../../../engine/rules/rule-set.js';
import type { CombatReport } from '../../../engine/terms/reports.js';
import type { Offer } from '../../../engine/world/market-tables.js';
import { type OfferWords, offer, type ShipCounts } from '../../support/command-words.js';
import { total } from '../../support/exact-formulas.js';
import { TRADING } from '../../support/market-rules.js';
import { PIRATES, shocksOf } from '../../support/shock-rules.js';
import { loadRows, openScene, replay, type Scene } from '../../support/world-story.js';

/** What comes back of what was offered and not sold, less 5 %. */
const kept = (units: number): number => Math.floor((units * 95) / 100);

function open(rules: RuleSet): Scene {
  const scene = openScene({ rules: ruleSetText(rules) });
  scene.story.equip(scene.home, { transport: 40 });
  return scene;
}

/** The bot offers from one of its planets. */
function put({ story, bot, foreign }: Scene, words: Partial<OfferWords>): Offer {
  return story.does(offer({ by: bot, from: foreign, give: { iron: 1 }, want: { silver: 1 }, h2Max: 200, ...words }));
}

/** They hold whatever there is. */
const CARRIERS = { fighter: 15, transport: 40 };

/** The human attacks the planet of the bot, which nobody defends. */
function attack({ story, human, home, foreign }: Scene, ships: ShipCounts): CombatReport {
  const fleet = story.launch({ by: human, from: home, to: foreign, ships, mission: 'attack' });
  story.advanceTo(fleet.arrivesAtMs);
  const [report] = human.reports;
  if (report?.type !== 'combat') throw new Error('there was no battle');
  return report;
}

const ended = ({ story }: Scene) => story.events.filter((event) => event.kind === 'offer_ended');

t.test('who loots a planet takes its share of its open offers too, and the oldest ones end', async (t) => {
  const scene = open(TRADING);
  const { story, bot, home, foreign } = scene;
  const other = story.colony(bot, home);
  for (const planet of [foreign, other]) story.grant(planet, { iron: 8_000, h2: 1_000 });
  put(scene, { give: { iron: 3_000 } });
  const elsewhere = put(scene, { from: other, give: { iron: 8_000 } });
  const newest = put(scene, { give: { iron: 4_000 } });
  const { loot } = attack(scene, CARRIERS);
  // Half of everything, rounded down, so the stocks have as much or one more.
  const [iron = 0, , , h2 = 0] = loot;
  const [ironLeft = 0, , , h2Left = 0] = story.stocks(foreign);
  t.ok(iron >= (1_000 + kept(3_000) + kept(4_000)) / 2, `${iron} iron`);
  t.ok([0, 1].includes(ironLeft + kept(4_000) - iron), `${ironLeft} iron are left`);
  t.ok(h2 >= (600 + 2 * kept(200)) / 2, `${h2} h2`);
  t.ok([0, 1].includes(h2Left + kept(200) - h2), `${h2Left} h2 are left`);
  t.same(story.world.offers.of(bot.number), [elsewhere, newest], 'the oldest of the planet is enough');
  t.match(ended(scene), [
    { playerNumber: bot.number, planetKey: foreign.key, reason: 'raided', returned: [kept(3_000), 0, 0, kept(200)] },
  ]);
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
  t.equal(loadRows(story.engine.rows()).stateHash(), story.engine.stateHash());
});

t.test('no offer ends as long as the stocks hold what is taken', async (t) => {
  const scene = open(TRADING);
  const { story, foreign } = scene;
  story.grant(foreign, { iron: 20_000, h2: 1_000 });
  const made = put(scene, { give: { iron: 10_000 } });
  const { loot } = attack(scene, { fighter: 1, transport: 1 });
  t.ok(total(loot) > 0);
  t.equal(story.world.offers.get(made.number), made);
  t.same(ended(scene), []);
});

t.test('who takes h2 ends the offers that have put it aside for their way', async (t) => {
  const scene = open(TRADING);
  const { story, bot, foreign } = scene;
  story.grant(foreign, { iron: 10_000, h2: 10_000 });
  put(scene, { give: { iron: 1 }, h2Max: 10_000 });
  const { loot } = attack(scene, CARRIERS);
  t.ok((loot[3] ?? 0) >= kept(10_000) / 2, `${loot[3]} h2`);
  t.equal(story.world.offers.of(bot.number).length, 0);
});

t.test('what would not come back of an offer counts for nobody', async (t) => {
  const market = { ...TRADING.market, unsoldPercent: 100 };
  const scene = open({ ...TRADING, market });
  const { story, bot, foreign } = scene;
  story.grant(foreign, { iron: 10_000, h2: 1_000 });
  put(scene, { give: { iron: 10_000 } });
  const { loot } = attack(scene, CARRIERS);
  t.ok((loot[0] ?? 0) < 1_000, `${loot[0]} iron`);
  t.equal(story.world.offers.of(bot.number).length, 1);
});

t.test('pirates find what a planet has offered', async (t) => {
  const scene = open({ ...TRADING, shocks: shocksOf(PIRATES) });
  const { story, bot, foreign } = scene;
  const { world } = story;
  story.advanceTo(world.shocks.nextAtMs);
  const startsAtMs = world.shocks
    .pending()
    .find(({ galaxy }) => galaxy === world.shocks.galaxyOf(foreign.key))?.startsAtMs;
  story.advanceTo((startsAtMs ?? 0) - 1);
  story.grant(foreign, { iron: 100_000, h2: 1_000 });
  const [iron = 0] = story.stocks(foreign);
  put(scene, { give: { iron } });
  t.equal(story.stocks(foreign)[0], 0);
  story.advance(1);
  const safe = Math.floor(
    (total(bot.planets.map((planet) => hourlyThousandths(world, planet, 0))) * (PIRATES.idleSeconds / 3_600)) / 1_000,
  );
  const taken = Math.floor(((kept(iron) - safe) * PIRATES.percent) / 100);
  const [came] = story.events.flatMap((event) =>
    event.kind === 'pirates_came' && event.planetKey === foreign.key ? [event] : [],
  );
  t.ok(Math.abs((came?.resources[0] ?? 0) - taken) <= 1, `${came?.resources[0]} instead of ${taken}`);
  t.match(ended(scene), [{ reason: 'raided' }]);
  t.ok(Math.abs((story.stocks(foreign)[0] ?? 0) - (kept(iron) - taken)) <= 1);
});
