// The life of a building: its cost, its timer, its level, its output and its refund.
import t from 'tap';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { buildingIndex, cancelUpgrade, construct, unitList, upgrade } from '../../support/command-words.js';
import { firstPlanet, HOUR_MS, MINUTE_MS, openScene, WorldStory } from '../../support/world-story.js';

t.test('an upgrade takes its cost at once, and nothing else', async (t) => {
  const story = new WorldStory();
  const home = firstPlanet(story.human());
  t.same(story.stocks(home), unitList({ iron: 500, silver: 250, h2: 100, energy: 100 }));
  story.does(upgrade(home, 'iron_mine'));
  t.same(story.stocks(home), unitList({ iron: 425, silver: 232, h2: 100, energy: 100 }));
});

t.test('an upgrade is finished at upgradeFinishAt and not a millisecond before', async (t) => {
  const story = new WorldStory();
  const home = firstPlanet(story.human());
  const points = home.owner.points;
  story.does(upgrade(home, 'iron_mine'));
  story.advance(4 * MINUTE_MS - 1);
  t.equal(home.levels[buildingIndex('iron_mine')], 1);
  t.not(home.upgrade, null);
  t.equal(home.owner.points, points, 'an unfinished level is not worth any points');
  story.advance(1);
  t.equal(home.levels[buildingIndex('iron_mine')], 2);
  t.equal(home.upgrade, null, 'constructionQueue is empty again');
  t.equal(home.owner.points, points + 75 + 18, 'points count what the level has cost');
});

t.test('output rises at the exact instant of completion, however late the tick', async (t) => {
  const onTime = new WorldStory();
  const late = new WorldStory();
  const home = onTime.does(upgrade(firstPlanet(onTime.human()), 'iron_mine'));
  const twin = late.does(upgrade(firstPlanet(late.human()), 'iron_mine'));
  for (let minute = 0; minute < 60; minute += 1) onTime.advance(MINUTE_MS);
  late.advance(HOUR_MS);
  // 425 + 4 minutes at 21 + 64 an hour (5.666) + 56 minutes at 21 + 139 an hour (149.333), rounded down.
  t.equal(onTime.stock(home, 'iron'), 579);
  t.equal(late.stock(twin, 'iron'), 579);
});

t.test('a cancelled upgrade is as if it had never been', async (t) => {
  const cancelled = new WorldStory();
  const untouched = new WorldStory();
  const home = firstPlanet(cancelled.human());
  const twin = firstPlanet(untouched.human());
  const { upgrade: entry } = cancelled.does(upgrade(home, 'fusion_plant'));
  cancelled.advance(3 * MINUTE_MS);
  cancelled.does(cancelUpgrade(home, entry?.queueNumber ?? 0));
  untouched.advance(3 * MINUTE_MS);
  t.same(cancelled.stocks(home), untouched.stocks(twin), 'everything is refunded');
  t.equal(cancelled.engine.nextDeadlineMs(), Number.POSITIVE_INFINITY, 'no timer is left');
  for (const story of [cancelled, untouched]) story.advance(3 * HOUR_MS);
  t.same(home.levels, twin.levels, 'the level is never reached');
  t.same(home.stock, twin.stock, 'to the thousandth');
});

t.test('a cancelled construction disappears, and can be constructed again', async (t) => {
  const { story, home } = openScene();
  story.does(construct(home, 'anti_spy'));
  story.does(cancelUpgrade(home, home.upgrade?.queueNumber ?? 0));
  t.equal(story.refusal(upgrade(home, 'anti_spy')).code, 'building_not_found');
  story.does(construct(home, 'anti_spy'));
  story.advance(MINUTE_MS);
  t.equal(home.levels[buildingIndex('anti_spy')], 1);
  story.does(upgrade(home, 'anti_spy'));
  t.equal(home.upgrade?.targetLevel, 2);
});

t.test('after a cancelled upgrade the next one begins at once, and its own timer counts', async (t) => {
  const { story, home } = openScene();
  story.does(upgrade(home, 'zentrale'));
  story.advance(3 * MINUTE_MS);
  story.does(cancelUpgrade(home, home.upgrade?.queueNumber ?? 0));
  story.does(upgrade(home, 'iron_mine'));
  story.advance(MINUTE_MS);
  t.match([home.levels[buildingIndex('zentrale')], home.levels[buildingIndex('iron_mine')]], [1, 1]);
  story.advance(3 * MINUTE_MS);
  t.match([home.levels[buildingIndex('zentrale')], home.levels[buildingIndex('iron_mine')]], [1, 2]);
});

t.test('one upgrade at a time is a rule of the planet, not of the player', async (t) => {
  const { story, human, home } = openScene();
  const colony = story.colony(human, home);
  story.grant(colony, { iron: 1000, silver: 1000 });
  story.does(upgrade(home, 'zentrale'));
  story.does(upgrade(colony, 'zentrale'));
  t.not(home.upgrade?.queueNumber, colony.upgrade?.queueNumber, 'each entry has a queueId of its own');
  story.advance(4 * MINUTE_MS);
  t.match([home.levels[0], colony.levels[0]], [2, 2]);
});

t.test('every building of the catalogue can be constructed and upgraded', async (t) => {
  const { story, foreign } = openScene();
  for (const { type } of STANDARD_1.buildings) story.raise(foreign, type, 3);
  t.same(
    foreign.levels,
    STANDARD_1.buildings.map(() => 3),
  );
});

t.test('upper levels cost energy too', async (t) => {
  const { story, home } = openScene();
  story.raise(home, 'anti_spy', 3);
  const before = story.stock(home, 'energy');
  story.does(upgrade(home, 'anti_spy'));
  t.equal(before - story.stock(home, 'energy'), 29, '15 x 1.25^3, rounded down');
});

t.test('a refusal says what is missing and when production will cover it, to the millisecond', async (t) => {
  const story = new WorldStory();
  const home = firstPlanet(story.human());
  for (const building of ['shipyard', 'h2_extractor'] as const) {
    story.does(construct(home, building));
    story.advance(MINUTE_MS);
  }
  const hopeless = story.refusal(construct(home, 'planetary_shield'));
  t.equal(hopeless.code, 'insufficient_resources');
  t.same(hopeless.facts.missing, {
    iron: 300 - story.stock(home, 'iron'),
    silver: 200 - story.stock(home, 'silver'),
    ember: 40,
  });
  t.equal(hopeless.facts.affordableAtMs, null, 'nothing on the planet produces ember');

  const { facts } = story.refusal(construct(home, 'ember_extractor'));
  t.same(facts.missing, { iron: 200 - story.stock(home, 'iron'), silver: 100 - story.stock(home, 'silver') });
  const affordableAtMs = facts.affordableAtMs ?? 0;
  story.advanceTo(affordableAtMs - 1);
  const stillRefused = story.refusal(construct(home, 'ember_extractor'));
  t.equal(stillRefused.facts.affordableAtMs, affordableAtMs, 'the answer stays the same while waiting');
  story.advance(1);
  story.does(construct(home, 'ember_extractor'));
});

t.test('no planet can ever get stuck: the zentrale produces a minimum of every resource except ember', async (t) => {
  const { story, foreign } = openScene();
  const before = story.stocks(foreign);
  story.advance(100 * HOUR_MS);
  const expected = unitList({ iron: 2100, silver: 1200, h2: 600, energy: 1000 });
  t.same(
    story.stocks(foreign).map((units, resource) => units - (before[resource] ?? 0)),
    expected,
  );
});
