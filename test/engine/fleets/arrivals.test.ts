// Time: effects happen at their own instant however late the process looks, and equal instants have one order.
import t from 'tap';
import { Engine } from '../../../engine/engine.js';
import { TIMERS_PER_TICK } from '../../../engine/rules/limits.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { build, construct, create, launch, research, upgrade } from '../../support/command-words.js';
import {
  DAY_MS,
  firstPlanet,
  MINUTE_MS,
  openScene,
  type Scene,
  SECOND_MS,
  visibleRows,
  WorldStory,
} from '../../support/world-story.js';

/** Everything that takes time, all at once, with two attacks, a spy, freight and a colony on their way. */
function busyScene(): Scene {
  const scene = openScene();
  const { story, human, bot, home, foreign, free } = scene;
  const far = firstPlanet(bot);
  story.equip(foreign, { fighter: 3 });
  story.grant(foreign, { iron: 5000, silver: 3000, ember: 400 });
  const launches = [
    { to: foreign, ships: { transport: 1, fighter: 8 }, mission: 'attack' },
    { to: far, ships: { transport: 1, fighter: 12 }, mission: 'attack', cargo: { iron: 5 } },
    { to: far, ships: { scout: 2 }, mission: 'espionage' },
    { to: foreign, ships: { transport: 1 }, mission: 'transport', cargo: { iron: 77, h2: 3 } },
    { to: free, ships: { colony_ship: 1, scout: 1 }, mission: 'colonize' },
  ] as const;
  for (const words of launches) story.does(launch({ by: human, from: home, ...words }));
  for (const planet of [home, foreign, far]) story.does(upgrade(planet, 'zentrale'));
  for (const count of [3, 1, 2]) story.does(build(home, 'fighter', count));
  story.does(research(human, 'drive_ion'));
  story.does(research(bot, 'drive_nexus'));
  return scene;
}

t.test('one late tick and a tick a second leave the same world behind', async (t) => {
  const late = busyScene().story;
  late.advance(2 * 60 * MINUTE_MS);
  t.equal(late.engine.nextDeadlineMs(), Number.POSITIVE_INFINITY, 'everything has happened');

  const diligent = busyScene().story;
  for (let second = 0; second < 2 * 60 * 60; second += 1) diligent.advance(SECOND_MS);
  t.same(visibleRows(diligent.engine), visibleRows(late.engine));

  const punctual = busyScene().story;
  punctual.advanceUntilIdle();
  t.same(visibleRows(punctual.engine), visibleRows(late.engine));
});

t.test('a command long after the deadlines finds the world as it was made then', async (t) => {
  const { story, home } = openScene();
  story.does(upgrade(home, 'zentrale'));
  const finishAtMs = home.upgrade?.finishAtMs ?? 0;
  story.advance(DAY_MS);
  const iron = 0;
  t.equal(
    home.stockSinceMs(iron),
    finishAtMs,
    'what the zentrale produces was settled at the deadline, not at the tick',
  );
  story.does(construct(home, 'anti_spy'));
  t.equal(home.upgrade?.startedAtMs, story.nowMs);
});

t.test('timers that are due at the same instant fire in the order in which they were scheduled', async (t) => {
  const { story, human, home, foreign } = openScene();
  story.equip(foreign, {});
  // The attack takes as long as three scouts: both are due at once.
  const fleet = story.launch({
    by: human,
    from: home,
    to: foreign,
    ships: { transport: 1, fighter: 9 },
    mission: 'attack',
  });
  story.advanceTo(fleet.arrivesAtMs - 20 * SECOND_MS);
  if (story.nowMs < fleet.launchedAtMs) return t.fail('the flight is too short for this story');
  story.does(build(foreign, 'scout', 1));
  t.equal(foreign.orders[0]?.finishAtMs, fleet.arrivesAtMs);
  story.advance(20 * SECOND_MS);
  t.match(human.reports, [{ defender: { sent: [0, 0, 0, 0] } }], 'the fleet had been scheduled before the order');
  t.equal(foreign.ships[0], 1, 'the scout is delivered after the battle');
  return undefined;
});

t.test('a tick entry fires a bounded number of timers, and the next one the rest', async (t) => {
  const players = TIMERS_PER_TICK + 200;
  const story = new WorldStory();
  story.does({ type: 'create_players', count: players, namePrefix: 'bot', keyHashes: [], namePrefixKey: 'bot' });
  for (let number = 1; number <= players; number += 1) story.does(research({ number }, 'drive_ion'));
  const { engine } = story;
  const atMs = story.nowMs + 5 * MINUTE_MS;
  t.same(engine.apply(atMs, { type: 'advance_time' }), { firedCount: TIMERS_PER_TICK });
  t.ok(engine.nextDeadlineMs() < atMs);
  t.equal(engine.nowMs, atMs);
  t.same(engine.apply(atMs, { type: 'advance_time' }), { firedCount: 200 });
  t.equal(engine.nextDeadlineMs(), Number.POSITIVE_INFINITY);
  t.ok([...story.world.players.values()].every((player) => player.researchLevel(0) === 1));
});

t.test('a tick with nothing due is an entry all the same', async (t) => {
  const { story } = openScene();
  const { seq } = story.engine;
  t.same(story.engine.apply(story.nowMs + 1, { type: 'advance_time' }), { firedCount: 0 });
  t.same([story.engine.seq, story.engine.nowMs], [seq + 1, story.nowMs + 1]);
});

t.test('broken invariants throw instead of bending the world', async (t) => {
  const genesis = {
    type: 'genesis',
    seed: 1,
    systemsPerGalaxy: 1,
    speedThousandths: 1000,
    rulesVersion: 1,
    startMs: 5000,
    rules: STANDARD_1_RULES.text,
  } as const;
  const empty = Engine.create();
  t.same([empty.seq, empty.nowMs, empty.nextDeadlineMs()], [0, 0, Number.POSITIVE_INFINITY]);
  t.throws(() => empty.apply(0, create('Ada', false)), /no world before its genesis/);
  t.throws(() => empty.world, /no world before its genesis/);
  t.throws(() => Engine.create().apply(0, { ...genesis, rulesVersion: 3 }), /rules version 3/);
  t.throws(() => Engine.create().apply(0, { ...genesis, rulesVersion: 2 }), /need version 1, and it says 2/);

  const twice = Engine.create();
  t.equal(twice.apply(5000, genesis), null);
  t.equal(twice.seq, 1);
  t.throws(() => twice.apply(5000, genesis), /one genesis/);

  const backwards = Engine.create();
  backwards.apply(5000, genesis);
  t.throws(() => backwards.apply(4999, create('Ada', false)), /run back/);
  t.throws(() => backwards.apply(Number.NaN, create('Ada', false)), /run back/);

  const late = openScene();
  late.story.does(upgrade(late.home, 'zentrale'));
  const dueMs = late.story.engine.nextDeadlineMs();
  t.throws(() => late.story.engine.apply(dueMs, research(late.human, 'drive_ion')), /a timer was due/);
});
