// Shocks: when they are announced and begin, what each does, that promised instants hold through them, and that a restored world goes on
// with them.

import t, { type Test } from 'tap';
import type { EventOf, WorldEvent } from '../../../engine/events/kinds.js';
import { bountyPercent, lootableUnits } from '../../../engine/fleets/loot.js';
import { affordableFromMs, hourlyThousandths, stockThousandths } from '../../../engine/planets/stocks.js';
import { ROW_KINDS, type Row } from '../../../engine/rows/row.js';
import {
  PAST_SHOCKS_PER_GALAXY_MAX,
  SHOCK_INTERVAL_MS_MIN,
  SHOCKS_PER_GALAXY_MAX,
} from '../../../engine/rules/limits.js';
import { RESOURCES } from '../../../engine/rules/resources.js';
import { ruleSetText, type ShockEffect } from '../../../engine/rules/rule-set.js';
import { construct, shipIndex, upgrade } from '../../support/command-words.js';
import { planFaults } from '../../support/plan-oracle.js';
import { putPlan, shipsStep } from '../../support/planned-rules.js';
import fc from '../../support/properties.js';
import { BOUNTY, FLARE, PIRATES, RUSH, shockText, withShocks } from '../../support/shock-rules.js';
import {
  DAY_MS,
  firstPlanet,
  HOUR_MS,
  loadRows,
  openScene,
  replay,
  type Scene,
  START_MS,
  type StorySettings,
  WorldStory,
} from '../../support/world-story.js';

const ENERGY = RESOURCES.indexOf('energy');
const IRON = RESOURCES.indexOf('iron');
const DURATION_MS = 6 * HOUR_MS;

type Announced = EventOf<'shock_announced'>;

/** A world with two players in one galaxy, up to the first announcement. */
function announced(effect: ShockEffect, settings: StorySettings = {}): Scene & { readonly shock: Announced } {
  const scene = openScene({ rules: shockText(effect), ...settings });
  scene.story.advanceTo(scene.story.world.shocks.nextAtMs);
  return { ...scene, shock: shockIn(scene) };
}

function shockIn({ story, home }: Pick<Scene, 'story' | 'home'>): Announced {
  const { galaxy } = story.world.universe.positionOf(home.key);
  const told = story.events.filter((event) => event.kind === 'shock_announced' && event.galaxy === galaxy);
  return told.at(-1) as Announced;
}

t.test('it is announced to everybody in time, begins and ends', async (t) => {
  const { story, shock } = announced(FLARE);
  const { world } = story;
  t.match(shock, { effect: 0, resource: ENERGY, percent: 50, idleSeconds: null, bountyNumber: null, playerNumber: 0 });
  t.equal(shock.shockType, 'output_0');
  const noticeMs = shock.startsAtMs - story.nowMs;
  t.ok(noticeMs >= 2 * HOUR_MS && noticeMs <= 4 * HOUR_MS, `${noticeMs} ms`);
  t.equal(shock.endsAtMs - shock.startsAtMs, DURATION_MS);
  t.equal(world.shocks.nextAtMs, START_MS + 2 * DAY_MS);
  story.advanceTo(shock.startsAtMs);
  t.match(story.events.at(-1), { kind: 'shock_began', shockNumber: shock.shockNumber });
  t.equal(world.shocks.size, 1);
  story.advanceTo(shock.endsAtMs);
  t.equal(world.shocks.size, 0);
  t.equal(world.shocks.past().length, 1);
});

t.test('each galaxy with planets that have owners gets one, and no other', async (t) => {
  const story = new WorldStory({ rules: shockText(FLARE), systemsPerGalaxy: 2 });
  story.advance(DAY_MS);
  t.equal(story.world.shocks.size, 0, 'nobody lives anywhere');
  for (let index = 0; index < 60; index += 1) story.bot(`bot-${index}`);
  story.advance(DAY_MS);
  const { universe, planets } = story.world;
  const settled = new Set([...planets.values()].map(({ key }) => universe.positionOf(key).galaxy));
  const told = [...story.world.shocks.pending()].map(({ galaxy }) => galaxy);
  t.ok(settled.size > 1);
  t.same(
    told,
    [...settled].sort((one, other) => one - other),
  );
});

t.test('the seed, the instant and the galaxy decide, not what players do', async (t) => {
  const drawn = (seed: number, plays: boolean) => {
    const scene = openScene({ rules: shockText(FLARE, RUSH, PIRATES), seed });
    if (plays) scene.story.does(upgrade(scene.home, 'iron_mine'));
    scene.story.advanceTo(START_MS + 25 * DAY_MS);
    return scene.story.events.flatMap((event) =>
      event.kind === 'shock_announced' && event.galaxy === shockIn(scene).galaxy
        ? [[event.shockType, event.startsAtMs]]
        : [],
    );
  };
  t.same(drawn(3, true), drawn(3, false));
  t.equal(drawn(3, true).length, 25);
  t.notSame(drawn(3, true), drawn(4, true));
  t.equal(new Set(drawn(3, true).map(([type]) => type)).size, 3, 'every type comes');
});

t.test('planets produce the share of it, from its first to its last millisecond', async (t) => {
  for (const effect of [FLARE, RUSH]) {
    const { story, home, foreign, shock } = announced(effect);
    const resource = shock.resource ?? -1;
    for (const planet of [home, foreign]) {
      const hourly = hourlyThousandths(story.world, planet, resource);
      const heldMs = (atMs: number): number => stockThousandths(story.world, planet, resource, atMs);
      const [before, began, over, after] = [-HOUR_MS, 0, DURATION_MS, DURATION_MS + HOUR_MS].map((afterMs) =>
        heldMs(shock.startsAtMs + afterMs),
      ) as [number, number, number, number];
      t.ok(Math.abs(began - before - hourly) <= 1);
      t.ok(Math.abs(over - began - (6 * hourly * effect.percent) / 100) <= 1);
      t.ok(Math.abs(after - over - hourly) <= 1);
    }
  }
});

t.test('what production covers, and when, holds to the millisecond through all shocks', async () => {
  fc.assert(
    fc.property(
      fc.constantFrom(FLARE, RUSH),
      fc.integer({ min: 1, max: 40_000 }),
      fc.nat(3 * DAY_MS),
      fc.constantFrom(1_000, 7_000),
      (effect, units, aheadMs, speedThousandths) => {
        const { story, home } = announced(effect, { speedThousandths });
        story.advance(Math.floor((aheadMs * 1_000) / speedThousandths));
        const cost = RESOURCES.map((name) => (name === 'iron' || name === 'energy' ? units : 0)) as never;
        const atMs = affordableFromMs(story.world, home, cost) ?? Number.NaN;
        const covers = (instantMs: number): boolean =>
          [IRON, ENERGY].every((resource) => stockThousandths(story.world, home, resource, instantMs) >= units * 1_000);
        if (atMs > story.nowMs && covers(atMs - 1)) return false;
        return covers(Math.max(atMs, story.nowMs));
      },
    ),
    { numRuns: 60 },
  );
});

t.test('a plan that waits for stocks starts its step at the new instant', async (t) => {
  const isSooner: boolean[] = [];
  for (const effect of [{ ...RUSH, percent: 50 } as const, RUSH]) {
    const { story, bot } = openScene({ rules: shockText(effect) });
    const planet = firstPlanet(bot);
    story.does(construct(planet, 'shipyard'));
    story.advanceTo(story.world.shocks.nextAtMs - 1);
    const isLate = (count: number): boolean => {
      const cost = story.world.rules.shipCost(shipIndex('fighter'), count);
      return (affordableFromMs(story.world, planet, [cost[0], 0, 0, 0, 0]) ?? 0) > story.nowMs + 6 * HOUR_MS;
    };
    let count = 1;
    while (!isLate(count)) count += 1;
    story.grant(planet, { silver: 1_000_000, ember: 1_000_000, h2: 1_000_000, energy: 1_000_000 });
    story.does(putPlan(planet, [shipsStep('fighter', count)]));
    const dueAtMs = (): number => story.world.plans.get(planet.row)?.deadlinesMs[1] ?? 0;
    const beforeMs = dueAtMs();
    story.advance(1);
    const dueMs = dueAtMs();
    t.ok(beforeMs > story.nowMs && dueMs > story.nowMs, 'it waits');
    isSooner.push(dueMs < beforeMs);
    const started = () => story.events.filter(({ kind }) => kind === 'plan_step_started').length;
    const startedBefore = started();
    story.advanceTo(dueMs - 1);
    t.same([started(), planFaults(story.engine)], [startedBefore, []]);
    story.advance(1);
    t.same([started(), planFaults(story.engine)], [startedBefore + 1, []]);
  }
  t.same(isSooner, [false, true], 'less output delays it, more lets it start sooner');
});

t.test('pirates take from what lies idle, and leave what the owner produces', async (t) => {
  const { story, home, foreign, shock } = announced(PIRATES);
  const { world } = story;
  t.equal(shock.endsAtMs, shock.startsAtMs);
  story.advanceTo(shock.startsAtMs - 1);
  const before = [home, foreign].map((planet) => story.stocks(planet));
  story.advance(1);
  const came = story.events.flatMap((event) =>
    event.kind === 'pirates_came' && event.planetKey === home.key ? [event] : [],
  );
  t.equal(came.length, 1);
  const safe = RESOURCES.slice(0, 4).map((_, resource) =>
    Math.floor(
      (home.owner.planets.reduce((sum, planet) => sum + hourlyThousandths(world, planet, resource), 0) * 10) / 1_000,
    ),
  );
  const taken = safe.map((units, resource) =>
    Math.floor((Math.max(0, (before[0]?.[resource] ?? 0) - units) * 40) / 100),
  );
  for (const [resource, units] of (came[0]?.resources ?? []).entries())
    t.ok(Math.abs(units - (taken[resource] ?? 0)) <= 1, `${units} of resource ${resource}`);
  t.equal(world.shocks.size, 0);
  t.equal(world.shocks.past().length, 0, 'nothing is kept');
});

t.test('pirates leave newcomers alone', async (t) => {
  const set = withShocks(PIRATES);
  const war = { protectionSeconds: 864_000, lootPeriodSeconds: 43_200, lootPairPercent: 50, strongAgainstPercent: 150 };
  const { story, shock } = announced(PIRATES, { rules: ruleSetText({ ...set, war }) });
  story.advanceTo(shock.startsAtMs);
  t.notOk(story.events.some(({ kind }) => kind === 'pirates_came'));
});

function raided(t: Test): Scene & { readonly shock: Announced } {
  const scene = openScene({ rules: shockText(FLARE, BOUNTY), seed: 5 });
  const { story, human, home, foreign } = scene;
  story.grant(foreign, { iron: 50_000 });
  for (;;) {
    const words = {
      by: human,
      from: home,
      to: foreign,
      ships: { fighter: 5, transport: 2 },
      mission: 'attack',
    } as const;
    const fleet = story.launch(words);
    story.advanceTo(fleet.returnsAtMs ?? story.nowMs);
    t.ok(story.world.shocks.raidsOf(human.number).length);
    story.advanceTo(story.world.shocks.nextAtMs);
    const shock = shockIn(scene);
    if (shock.bountyNumber !== null) return { ...scene, shock };
  }
}

t.test('a bounty lies on who has looted most, and lets each take more of it', async (t) => {
  const scene = raided(t);
  const { story, human, bot, shock } = scene;
  t.equal(shock.bountyNumber, human.number);
  t.same(story.world.shocks.raidsOf(human.number), [], 'what counted is over');
  const usual = lootableUnits(story.world, bot, human.number, story.nowMs);
  t.equal(bountyPercent(story.world, human.number, shock.startsAtMs - 1), 100);
  for (const atMs of [shock.startsAtMs, shock.endsAtMs - 1])
    t.equal(lootableUnits(story.world, bot, human.number, atMs), 3 * usual, 'the output of both does not change');
  t.equal(bountyPercent(story.world, human.number, shock.endsAtMs), 100);
  t.equal(bountyPercent(story.world, bot.number, shock.startsAtMs), 100);
  story.advanceTo(shock.endsAtMs);
  t.equal(story.world.shocks.size, 0);
});

t.test('without a raider another type takes the place of a bounty', async (t) => {
  const { story } = openScene({ rules: shockText(FLARE, BOUNTY) });
  story.advanceTo(START_MS + 12 * DAY_MS);
  const told = story.events.flatMap((event) => (event.kind === 'shock_announced' ? [event.effect] : []));
  t.ok(told.length >= 12);
  t.same([...new Set(told)], [0]);
  const { story: empty } = openScene({ rules: shockText(BOUNTY) });
  empty.advanceTo(START_MS + 3 * DAY_MS);
  t.notOk(
    empty.events.some(({ kind }) => kind === 'shock_announced'),
    'none if there is no other',
  );
});

t.test('the bounty on a player who retires ends', async (t) => {
  const { story, human, shock } = raided(t);
  story.advanceTo(shock.startsAtMs);
  story.does({ type: 'retire_players', playerNumbers: [human.number] });
  t.equal(story.world.shocks.size, 0);
  story.advance(DAY_MS);
  t.same([...loadRows(story.engine.rows()).rows()], [...story.engine.rows()]);
});

t.test('shocks of a galaxy follow each other, whatever the speed becomes', async () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(1_000, 100_000, 200, 5_000), { minLength: 1, maxLength: 4 }), (speeds) => {
      const { story, home } = openScene({ rules: shockText(RUSH) });
      for (const speedThousandths of speeds) {
        story.does({ type: 'set_speed', speedThousandths });
        story.advanceTo(story.world.shocks.nextAtMs);
      }
      const { galaxy } = story.world.universe.positionOf(home.key);
      const told = story.events.filter(
        (event) => event.kind === 'shock_announced' && event.galaxy === galaxy,
      ) as Announced[];
      return told.every(({ startsAtMs }, place) => place === 0 || startsAtMs >= (told[place - 1]?.endsAtMs ?? 0));
    }),
    { numRuns: 20 },
  );
});

t.test('a world that gets rules with shocks announces them from then on', async (t) => {
  const { story } = openScene();
  t.equal(story.world.shocks.nextAtMs, 0);
  story.does({ type: 'switch_rules', rules: shockText(FLARE) });
  t.equal(story.world.shocks.nextAtMs, story.nowMs + DAY_MS);
  story.advance(DAY_MS);
  t.ok(story.events.some(({ kind }) => kind === 'shock_announced'));
  const before = story.world.shocks.nextAtMs;
  story.does({ type: 'switch_rules', rules: shockText(FLARE, RUSH) });
  t.equal(story.world.shocks.nextAtMs, before, 'what is pending stays');
});

t.test('old shocks are forgotten once their stocks are settled, and nothing is lost', async (t) => {
  const { story, home } = openScene({ rules: shockText(RUSH, FLARE) });
  const days = PAST_SHOCKS_PER_GALAXY_MAX + 10;
  let exact = stockThousandths(story.world, home, IRON, story.nowMs);
  const hourly = hourlyThousandths(story.world, home, IRON);
  const beganMs = story.nowMs;
  for (let day = 0; day < days; day += 1) story.advanceTo(story.world.shocks.nextAtMs);
  const { galaxy } = shockIn({ story, home });
  const kept = story.world.shocks.past().filter((shock) => shock.galaxy === galaxy);
  t.ok(kept.length <= PAST_SHOCKS_PER_GALAXY_MAX + 1, `${kept.length} are kept`);
  const told = story.events.filter((event) => event.kind === 'shock_began' && event.galaxy === galaxy);
  const rushes = told.filter(
    (event) => event.kind === 'shock_began' && event.resource === IRON && event.endsAtMs <= story.nowMs,
  );
  exact += Math.floor((hourly * (story.nowMs - beganMs + rushes.length * DURATION_MS)) / HOUR_MS);
  const held = stockThousandths(story.world, home, IRON, story.nowMs);
  t.ok(rushes.length > 20 && Math.abs(held - exact) <= days, `${held} of ${exact}`);
  t.equal(loadRows(story.engine.rows()).stateHash(), story.engine.stateHash());
});

t.test('a galaxy that waits for shocks gets no other ones, and announcements have a least interval', async (t) => {
  const { story } = openScene({ rules: shockText(RUSH) });
  story.advanceTo(story.world.shocks.nextAtMs);
  story.does({ type: 'set_speed', speedThousandths: 1_000_000_000 });
  for (let count = 0; count < 5; count += 1) {
    const atMs = story.world.shocks.nextAtMs;
    story.advanceTo(atMs);
    t.ok(story.world.shocks.size <= SHOCKS_PER_GALAXY_MAX, 'it lives in one galaxy');
    t.equal(story.world.shocks.nextAtMs, atMs + SHOCK_INTERVAL_MS_MIN);
  }
});

t.test('a restored world goes on with them, at every instant', async (t) => {
  const { story } = raided(t);
  for (let hour = 0; hour < 60; hour += 3) {
    const restored = loadRows(story.engine.rows());
    t.equal(restored.stateHash(), story.engine.stateHash());
    story.advance(3 * HOUR_MS);
    while (restored.nextDeadlineMs() <= story.nowMs) restored.apply(story.nowMs, { type: 'advance_time' });
    t.same([...restored.rows()].filter(isShock), [...story.engine.rows()].filter(isShock));
  }
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
});

t.test('pirates come to a restored world in the same order, whose planets are in other rows', async (t) => {
  const { story, human, home, shock } = announced(PIRATES);
  story.grant(story.colony(human, home), { iron: 1_000_000 });
  story.grant(story.colony(story.bot('late'), home), { iron: 1_000_000 });
  story.grant(story.colony(human, home), { iron: 1_000_000 });
  const restored = loadRows(story.engine.rows());
  const [before, events]: [number, WorldEvent[]] = [story.events.length, []];
  story.advanceTo(shock.startsAtMs);
  restored.apply(shock.startsAtMs, { type: 'advance_time' }, events);
  t.ok(events.length > 4);
  t.same(events, story.events.slice(before));
});

const isShock = ([kind]: Row): boolean =>
  [ROW_KINDS.shocks, ROW_KINDS.raids, ROW_KINDS.shock].some((one) => one === kind);

t.test('rows that contradict each other are refused', async (t) => {
  const { story, shock } = raided(t);
  const rows = [...story.engine.rows()];
  const place = rows.findIndex(([kind, number]) => kind === ROW_KINDS.shock && number === shock.shockNumber);
  const changed = (index: number, value: Row[number]): Row[] =>
    rows.map((row, at) => (at === place ? row.map((old, column) => (column === index ? value : old)) : row));
  for (const [index, value, reason] of [
    [8, 99, /player 99 does not exist/],
    [4, 7, /effect/],
    [10, 0, /beginning/],
    [13, 0, /it is not over, and has no timer/],
    [2, 101, /galaxy/],
  ] as const)
    t.throws(() => loadRows(changed(index, value)), reason);
  t.throws(() => loadRows(rows.filter(([kind]) => kind !== ROW_KINDS.shocks)), /no row of the next shocks precedes it/);
  t.throws(() => loadRows([...rows.slice(0, place), rows[place] as Row, ...rows.slice(place)]), /beginning|two shocks/);
});

t.test('a planet of a galaxy in a shock can be founded, and changes owner', async (t) => {
  const { story, shock } = announced(RUSH);
  story.advanceTo(shock.startsAtMs + HOUR_MS);
  const late = firstPlanet(story.bot('late'));
  const hourly = hourlyThousandths(story.world, late, IRON);
  const heldMs = (atMs: number): number => stockThousandths(story.world, late, IRON, atMs);
  const percent = story.world.shocks.galaxyOf(late.key) === shock.galaxy ? 200 : 100;
  t.ok(Math.abs(heldMs(story.nowMs + HOUR_MS) - heldMs(story.nowMs) - (hourly * percent) / 100) <= 1);
});
