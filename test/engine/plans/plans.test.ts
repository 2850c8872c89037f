// Plans: each lane starts its steps in order, as soon as the slot is free and the stock affords them, and never by rules of its own.
import t from 'tap';
import type { WorldEvent } from '../../../engine/events/kinds.js';
import { planOf } from '../../../engine/queries/plan.js';
import { nextTimerOf } from '../../../engine/queries/players.js';
import { ROW_KINDS, type Row, type RowValue } from '../../../engine/rows/world-rows.js';
import { PLAN_STEPS_MAX, RESEARCH_LEVEL_MAX } from '../../../engine/rules/limits.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import type { Rules } from '../../../engine/rules/rules.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { type PlanStep, packStep, unpackStep } from '../../../engine/terms/plan-step.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import { LONGER_THAN_MS_MAX } from '../../../engine/world/plan-table.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import type { Player } from '../../../engine/world/player-table.js';
import {
  build,
  buildingIndex,
  cancelShips,
  cancelUpgrade,
  cargoList,
  construct,
  grant,
  launch,
  recall,
  research,
  shipIndex,
  upgrade,
} from '../../support/command-words.js';
import { planFaults } from '../../support/plan-oracle.js';
import {
  constructStep,
  PLANNED,
  PLANNED_RULES,
  putPlan,
  researchStep,
  shipsStep,
  upgradeStep,
} from '../../support/planned-rules.js';
import { choosePlan, seededChoice } from '../../support/random-play.js';
import {
  firstPlanet,
  HOUR_MS,
  loadRows,
  MINUTE_MS,
  NOWHERE,
  openScene,
  PLENTY,
  replay,
  SECOND_MS,
  WorldStory,
  written,
} from '../../support/world-story.js';

interface Newcomer {
  readonly story: WorldStory;
  readonly player: Player;
  readonly home: Planet;
}

/** A player with its first planet, under rules with plans. */
function newcomer(rules: Rules = PLANNED_RULES): Newcomer {
  const story = new WorldStory({ rules: rules.text });
  const player = story.human();
  return { story, player, home: firstPlanet(player) };
}

/** The same with plenty of everything. */
function rich(): Newcomer {
  const scene = newcomer();
  scene.story.grant(scene.home, PLENTY);
  return scene;
}

const stepsLeft = ({ story: { world, nowMs } }: Pick<Newcomer, 'story'>, planet: Planet): readonly PlanStep[] =>
  planOf(world, planet, nowMs).steps;

/** The state of each lane but that of launches; see launch-steps.test.ts. */
const states = ({ story: { world, nowMs } }: Pick<Newcomer, 'story'>, planet: Planet): readonly string[] =>
  planOf(world, planet, nowMs)
    .lanes.filter(({ lane }) => lane !== 'fleets')
    .map(({ state }) => state);

/** What plans have told, in order. */
function told({ events }: WorldStory): string[] {
  return events.flatMap((event) => {
    if (event.kind === 'plan_completed') return ['completed'];
    if (!isOfStep(event)) return [];
    const { action } = unpackStep(event.step);
    return [`${event.kind.slice('plan_step_'.length)} ${action}${'reason' in event ? `: ${event.reason}` : ''}`];
  });
}

type StepEvent = Extract<WorldEvent, { readonly step: number }>;
const isOfStep = (event: WorldEvent): event is StepEvent => 'step' in event;

t.test('a step is one number, and is read back as it was', async (t) => {
  const steps = [upgradeStep('planetary_shield'), constructStep('shipyard'), shipsStep('colony_ship', 10_000)];
  for (const step of [...steps, researchStep('drive_nexus')]) t.same(unpackStep(packStep(step)), step);
  const highest: PlanStep = { action: 'build_ships', shipType: 63, count: 10_000 };
  t.same(unpackStep(packStep(highest)), highest);
});

t.test('the first step of each lane starts with the plan, each further one when the slot is free', async (t) => {
  const scene = rich();
  const { story, player, home } = scene;
  const steps = [
    constructStep('shipyard'),
    upgradeStep('iron_mine'),
    shipsStep('scout', 2),
    shipsStep('fighter', 1),
    researchStep('drive_ion'),
    researchStep('drive_hyper'),
  ];
  story.does(putPlan(home, steps));
  t.equal(home.upgrade?.buildingType, buildingIndex('shipyard'));
  t.equal(player.research?.researchType, 0);
  t.same(states(scene, home), ['busy', 'waiting', 'busy'], 'ships wait for the shipyard, which is under construction');
  t.equal(planOf(story.world, home, story.nowMs).lanes[1]?.nextMs, home.upgrade?.finishAtMs);
  t.same(stepsLeft(scene, home), [steps[1], steps[2], steps[3], steps[5]], 'in the order in which they were put');
  const builtMs = home.upgrade?.finishAtMs ?? 0;
  story.advanceTo(builtMs);
  t.match(home.upgrade, { buildingType: buildingIndex('iron_mine'), startedAtMs: builtMs });
  t.match(home.firstOrder, { shipType: shipIndex('scout'), count: 2 });
  story.advance(HOUR_MS);
  t.equal(home.shipCount(shipIndex('fighter')), 1);
  t.same(player.researchLevels.slice(0, 2), [1, 1]);
  t.equal(story.world.plans.size, 0);
  t.equal(told(story).at(-1), 'completed');
  t.equal(told(story).filter((line) => line.startsWith('started')).length, steps.length);
});

t.test('a step that the stock does not cover starts in the millisecond in which production does', async (t) => {
  const scene = newcomer();
  const { story, home } = scene;
  while (!isRefusal(story.attempt(upgrade(home, 'zentrale')))) story.advanceTo(home.nextFinishMs);
  story.does(putPlan(home, [upgradeStep('zentrale')]));
  const { state, nextMs, refusal } = planOf(story.world, home, story.nowMs).lanes[0] ?? {};
  t.equal(state, 'waiting');
  t.equal(refusal?.code, 'insufficient_resources');
  t.equal(nextMs, refusal?.facts.affordableAtMs);
  t.equal(story.engine.nextDeadlineMs(), nextMs, 'one timer');
  t.equal(nextTimerOf(story.world, home.owner), nextMs, 'which players are shown');
  t.equal(story.world.timers.size, 1);
  story.advanceTo((nextMs ?? 0) - 1);
  t.equal(home.upgrade, null);
  story.advanceTo(nextMs ?? 0);
  t.equal(home.upgrade?.startedAtMs, nextMs);
});

t.test('a busy lane states when its first step starts: its slot is free, and production covers it', async (t) => {
  const scene = newcomer();
  const { story, home } = scene;
  story.does(construct(home, 'anti_spy'));
  home.setLevel(buildingIndex('shipyard'), 1);
  story.does(build(home, 'scout', 1));
  story.does(putPlan(home, [upgradeStep('zentrale'), shipsStep('scout', 30)]));
  const [buildings, ships] = planOf(story.world, home, story.nowMs).lanes;
  t.same([buildings?.state, ships?.state], ['busy', 'busy']);
  t.ok((ships?.nextMs ?? 0) > (home.firstOrder?.finishAtMs ?? 0), 'the slot is free before the stocks suffice');
  t.equal(buildings?.nextMs, home.upgrade?.finishAtMs, 'and these stocks suffice before the slot is free');
  story.does(putPlan(home, [shipsStep('scout', 30)]));
  const startMs = planOf(story.world, home, story.nowMs).lanes[1]?.nextMs ?? 0;
  story.advanceTo(startMs - 1);
  t.equal(home.firstOrder, null);
  story.advanceTo(startMs);
  t.match(home.firstOrder, { count: 30 });
  story.does(putPlan(home, [shipsStep('colony_ship', 1)]));
  t.match(planOf(story.world, home, story.nowMs).lanes[1], { state: 'busy', nextMs: null }, 'nothing produces ember');
});

t.test('whatever changes the stock moves the timer', async (t) => {
  const { story, player, home } = newcomer();
  home.setLevel(buildingIndex('shipyard'), 1);
  home.setShipCount(shipIndex('transport'), 1);
  story.does(putPlan(home, [shipsStep('scout', 100)]));
  const deadlines: number[] = [];
  const look = (): void => void deadlines.push(story.world.plans.get(home.row)?.deadlinesMs[1] ?? 0);
  look();
  story.does(grant(home, { iron: 70, silver: 35 }));
  look();
  const to = story.freeNeighbour(home);
  const words = { by: player, from: home, to, ships: { transport: 1 }, mission: 'transport' } as const;
  const fleet = story.launch({ ...words, cargo: { iron: 200, silver: 100 } });
  look();
  story.does(recall(player, fleet));
  story.advanceTo(story.engine.nextDeadlineMs());
  look();
  story.does(upgrade(home, 'iron_mine'));
  look();
  story.does(cancelUpgrade(home, story.world.lastQueueNumber));
  look();
  story.does(upgrade(home, 'iron_mine'));
  look();
  story.advanceTo(home.nextFinishMs);
  look();
  const moves = deadlines.slice(1).map((deadlineMs, index) => Math.sign(deadlineMs - (deadlines[index] ?? 0)));
  t.same(moves, [-1, 1, -1, 1, -1, 1, -1], 'grant, launch, return, upgrade, refund, upgrade, output');
  t.equal(story.world.timers.size, 1);
  t.same(planFaults(story.engine), []);
});

t.test('what is cancelled makes way for the next step', async (t) => {
  const { story, home } = openScene({ rules: PLANNED_RULES.text });
  story.does(upgrade(home, 'iron_mine'));
  story.does(build(home, 'scout', 1));
  story.does(putPlan(home, [upgradeStep('zentrale'), shipsStep('scout', 3)]));
  t.equal(home.orders.length, 1, 'a step waits for an idle shipyard, also for the same type');
  story.does(cancelUpgrade(home, story.world.lastQueueNumber));
  t.equal(home.upgrade?.buildingType, buildingIndex('zentrale'));
  story.does(cancelShips(home, 'scout'));
  t.same(
    home.orders.map(({ count }) => count),
    [3],
  );
  t.equal(story.world.plans.size, 0);
});

t.test('lanes take from the stock in their order, and one that waits reserves nothing', async (t) => {
  const scene = newcomer();
  const { story, home } = scene;
  home.setLevel(buildingIndex('shipyard'), 1);
  // Enough for either of them.
  story.does(putPlan(home, [shipsStep('scout', 5), upgradeStep('zentrale')]));
  t.ok(home.upgrade !== null && home.firstOrder === null, 'buildings come first');
  t.same(states(scene, home), ['empty', 'waiting', 'empty']);
  const other = newcomer();
  other.home.setLevel(buildingIndex('shipyard'), 1);
  other.home.setLevel(buildingIndex('zentrale'), 10);
  other.story.does(putPlan(other.home, [upgradeStep('zentrale'), shipsStep('scout', 1), shipsStep('scout', 1)]));
  t.same(states(other, other.home), ['waiting', 'busy', 'empty'], 'ships do not wait for the building');
});

t.test('one research of a player: lanes of its planets take turns, in the order of the planets', async (t) => {
  const scene = rich();
  const { story, player, home } = scene;
  const colony = story.colony(player, home);
  story.does(research(player, 'drive_ion'));
  story.does(putPlan(colony, [researchStep('drive_hyper')]));
  story.does(putPlan(home, [researchStep('drive_nexus'), researchStep('drive_nexus')]));
  t.same([states(scene, home)[2], states(scene, colony)[2]], ['busy', 'busy']);
  story.advanceTo(player.research?.finishAtMs ?? 0);
  t.equal(player.research?.researchType, 2, 'that of the first planet');
  story.advanceTo(player.research?.finishAtMs ?? 0);
  story.advanceTo(player.research?.finishAtMs ?? 0);
  t.equal(player.research?.researchType, 1, 'the lane of the first planet is empty');
});

t.test('a blocked step is reported once and waits, or is skipped', async (t) => {
  const steps = [
    upgradeStep('shipyard'),
    constructStep('iron_mine'),
    upgradeStep('zentrale'),
    researchStep('drive_ion'),
  ];
  const waiting = rich();
  waiting.story.does(putPlan(waiting.home, steps));
  t.same(states(waiting, waiting.home), ['blocked', 'empty', 'empty']);
  waiting.story.does(grant(waiting.home, { iron: 1 }));
  t.same(told(waiting.story), ['started research', 'blocked upgrade: building_not_found'].toSorted());
  waiting.story.does(construct(waiting.home, 'shipyard'));
  waiting.story.advanceTo(waiting.home.upgrade?.finishAtMs ?? 0);
  t.equal(waiting.home.upgrade?.buildingType, buildingIndex('shipyard'), 'until what it needs is there');
  t.equal(waiting.home.upgrade?.targetLevel, 2);

  const skipping = rich();
  skipping.story.does(putPlan(skipping.home, steps, true));
  t.equal(skipping.home.upgrade?.buildingType, buildingIndex('zentrale'));
  t.same(told(skipping.story), [
    'skipped upgrade: building_not_found',
    'skipped construct: building_exists',
    'started upgrade',
    'started research',
    'completed',
  ]);
});

t.test('each reason blocks: limits, a missing shipyard, a resource that nothing produces', async (t) => {
  const { story, player, home } = rich();
  player.setResearchLevel(0, RESEARCH_LEVEL_MAX);
  home.setLevel(buildingIndex('zentrale'), 80);
  const poor = story.bot('poor');
  story.does(putPlan(home, [researchStep('drive_ion'), shipsStep('scout', 1), upgradeStep('zentrale')]));
  story.does(putPlan(firstPlanet(poor), [upgradeStep('zentrale'), constructStep('shipyard'), shipsStep('scout', 1)]));
  const blocked = told(story).filter((line) => line.startsWith('blocked'));
  t.ok(blocked.includes('blocked upgrade: limit_reached'));
  t.ok(blocked.includes('blocked research: limit_reached'));
  t.notOk(blocked.includes('blocked build_ships: shipyard_required'), 'a planned building may help');
  story.does(putPlan(home, [shipsStep('scout', 1)]));
  t.equal(told(story).at(-1), 'blocked build_ships: shipyard_required');
  const bare = story.colony(player, home);
  story.does(putPlan(bare, [constructStep('planetary_shield')], true));
  t.same(told(story).slice(-2), ['skipped construct: insufficient_resources', 'completed'], 'nothing produces ember');
  t.same(planFaults(story.engine), []);
});

/** A planet with much iron and silver, whose fusion plant costs h2 that it produces slowly, and a plan behind which an iron mine waits. */
function fusionPlant(): Newcomer {
  const scene = newcomer(STANDARD_2_RULES);
  const { story, home } = scene;
  home.setLevel(buildingIndex('h2_extractor'), 1);
  home.setLevel(buildingIndex('fusion_plant'), 19);
  story.grant(home, { iron: 200_000, silver: 200_000 });
  return scene;
}

const FUSION_STEPS = [upgradeStep('fusion_plant'), upgradeStep('iron_mine')];

/** How long the h2 of the fusion plant takes. */
function fusionWaitMs(): number {
  const { story, home } = fusionPlant();
  const { facts } = story.refusal(upgrade(home, 'fusion_plant'));
  return (facts.affordableAtMs ?? 0) - story.nowMs;
}

t.test('a step that cannot be paid for long does not block those behind it, if the plan says so', async (t) => {
  const waitMs = fusionWaitMs();
  t.ok(waitMs > HOUR_MS, `h2 takes ${waitMs} ms`);
  for (const longerThanMs of [null, waitMs]) {
    const scene = fusionPlant();
    scene.story.does(putPlan(scene.home, FUSION_STEPS, true, longerThanMs));
    t.same(states(scene, scene.home), ['waiting', 'empty', 'empty']);
    scene.story.advance(waitMs - 1);
    t.equal(scene.home.upgrade, null, 'iron and silver lie idle');
    scene.story.advance(1);
    t.equal(scene.home.upgrade?.buildingType, buildingIndex('fusion_plant'));
  }
  for (const longerThanMs of [0, HOUR_MS, waitMs - 1]) {
    const scene = fusionPlant();
    scene.story.does(putPlan(scene.home, FUSION_STEPS, true, longerThanMs));
    t.equal(scene.home.upgrade?.buildingType, buildingIndex('iron_mine'), `${longerThanMs}`);
    t.same(told(scene.story), ['skipped upgrade: insufficient_resources', 'started upgrade', 'completed']);
  }
});

t.test('the time counts from each change of the planet, and the passing of time alone skips nothing', async (t) => {
  const scene = fusionPlant();
  const { story, player, home } = scene;
  story.advance(fusionWaitMs() - 2 * MINUTE_MS);
  story.does(putPlan(home, FUSION_STEPS, true, 3 * MINUTE_MS));
  story.advance(MINUTE_MS);
  t.same(states(scene, home), ['waiting', 'empty', 'empty']);
  // A player who spends what the step waits for makes it wait longer.
  const transport = STANDARD_2_RULES.set.ships.findIndex(({ type }) => type === 'transport');
  home.setShipCount(transport, 1);
  const command = launch({ by: player, from: home, to: story.freeNeighbour(home), ships: {}, mission: 'transport' });
  const ships = STANDARD_2_RULES.ships.map((_, type) => Number(type === transport));
  story.does({ ...command, ships, cargo: cargoList({ h2: 100 }) });
  t.same(planFaults(story.engine), []);
});

t.test(
  'what nothing produces takes too long, also if a mine is planned; a shipyard that is planned is waited for',
  async (t) => {
    const steps = [
      constructStep('ember_extractor'),
      constructStep('shipyard'),
      shipsStep('colony_ship', 1),
      shipsStep('scout', 1),
    ];
    const shipsOf = (longerThanMs: number | null) => {
      const scene = newcomer();
      scene.story.does(putPlan(scene.home, steps, true, longerThanMs));
      t.equal(states(scene, scene.home)[1], 'waiting', 'for the shipyard');
      scene.home.setLevel(buildingIndex('shipyard'), 1);
      scene.story.does(grant(scene.home, { iron: 10_000, silver: 10_000 }));
      return scene.home.firstOrder?.shipType;
    };
    t.equal(shipsOf(null), undefined, 'it waits for the mine');
    t.equal(shipsOf(HOUR_MS), shipIndex('scout'));
  },
);

t.test('no lane stands idle for a step that takes too long', async (t) => {
  let skipped = 0;
  let waited = 0;
  for (let seed = 1; seed <= 6; seed += 1) {
    const choose = seededChoice(seed);
    const story = new WorldStory({ rules: PLANNED_RULES.text, seed });
    const homes = Array.from({ length: 4 }, (_, index) => firstPlanet(story.bot(`bot ${index}`)));
    for (let move = 0; move < 60; move += 1) {
      story.advance(choose(HOUR_MS));
      const home = homes[choose(homes.length)] as Planet;
      const plan = { ...choosePlan(story.world, home, choose), planetKey: home.key };
      const isBounded = choose(3) > 0;
      story.attempt(isBounded ? { ...plan, isSkipping: true, longerThanMs: choose(2 * HOUR_MS) } : plan);
      t.same(planFaults(story.engine), [], `seed ${seed}, move ${move}`);
      for (const { row } of homes) {
        const plan = story.world.plans.get(row);
        if (plan?.longerThanMs !== null) waited += plan?.deadlinesMs.filter((deadlineMs) => deadlineMs > 0).length ?? 0;
      }
    }
    skipped += told(story).filter((line) => /^skipped.*insufficient_resources/.test(line)).length;
    t.equal(replay(story.entries).stateHash(), story.engine.stateHash(), 'a replay skips the same');
  }
  t.ok(skipped > 100 && waited > 20, `${skipped} steps took too long, ${waited} lanes waited`);
});

t.test('a plan that is restored in the middle skips the same steps at the same instants', async (t) => {
  const { story, home } = fusionPlant();
  const steps = [upgradeStep('iron_mine'), ...FUSION_STEPS, upgradeStep('zentrale'), upgradeStep('fusion_plant')];
  story.does(putPlan(home, steps, true, HOUR_MS));
  const loaded = loadRows([...story.engine.rows()]);
  t.equal(loaded.stateHash(), story.engine.stateHash());
  const events: WorldEvent[] = [];
  while (story.world.plans.size > 0) {
    const atMs = story.engine.nextDeadlineMs();
    story.advanceTo(atMs);
    loaded.apply(atMs, { type: 'advance_time' }, events);
    t.equal(loaded.stateHash(), story.engine.stateHash());
  }
  t.equal(events.filter(({ kind }) => kind === 'plan_step_skipped').length, 2);
});

t.test('a plan replaces the one before with its timers, and an empty one removes it', async (t) => {
  const scene = newcomer();
  const { story, home } = scene;
  const before = story.world.timers.size;
  const many = Array.from({ length: 20 }, () => upgradeStep('zentrale'));
  story.does(putPlan(home, many));
  story.advanceTo(home.upgrade?.finishAtMs ?? 0);
  story.does(putPlan(home, many.slice(1), true));
  t.equal(stepsLeft(scene, home).length <= 19, true);
  story.does(putPlan(home, []));
  t.equal(story.world.plans.size, 0);
  t.equal(story.world.timers.size, before + (home.upgrade === null ? 0 : 1));
  t.same(
    [...story.engine.rows()].filter(([kind]) => kind === ROW_KINDS.plan),
    [],
  );
});

t.test(
  'put_plan is refused without the rules for it, for too many steps, and for planets without an owner',
  async (t) => {
    const { story, home } = newcomer();
    t.equal(story.refusal(putPlan(NOWHERE, [])).code, 'planet_not_found');
    t.equal(story.refusal(putPlan(story.freeNeighbour(home), [])).code, 'not_owner');
    const steps = Array.from({ length: 51 }, () => upgradeStep('zentrale'));
    t.match(story.refusal(putPlan(home, steps)), {
      code: 'limit_reached',
      facts: { limit: { name: 'plans.stepsMax', maximum: 50 } },
    });
    const { story: plain, home: plainHome } = openScene();
    t.equal(plain.refusal(putPlan(plainHome, [])).code, 'plans_not_in_rules');
  },
);

t.test('plans end with their players, and rules cannot lose them', async (t) => {
  const { story, home } = newcomer();
  const bot = story.bot('bot');
  const steps = Array.from({ length: 9 }, () => upgradeStep('zentrale'));
  story.does(putPlan(home, steps));
  story.does(putPlan(firstPlanet(bot), steps));
  story.advance(5 * MINUTE_MS);
  t.equal(story.world.plans.size, 2);
  story.does({ type: 'retire_players', playerNumbers: [bot.number] });
  t.equal(story.world.plans.size, 1);
  const timers = Number(home.upgrade !== null) + Number(story.world.plans.get(home.row)?.deadlinesMs[0] !== 0);
  t.equal(story.world.timers.size, timers);
  const { plans: _, ...without } = { ...PLANNED, name: 'without' };
  t.equal(story.refusal({ type: 'switch_rules', rules: ruleSetText(without) }).code, 'rules_not_compatible');
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
});

t.test('a switch to dearer rules moves timers, and plans go on', async (t) => {
  const { story, home } = newcomer();
  home.setLevel(buildingIndex('zentrale'), 10);
  story.does(putPlan(home, [upgradeStep('zentrale')]));
  const { row } = home;
  const before = story.world.plans.get(row)?.deadlinesMs[0];
  const dear = PLANNED.buildings.map((rule) => ({ ...rule, baseCost: rule.baseCost.map((units) => 3 * units) }));
  story.does({ type: 'switch_rules', rules: ruleSetText({ ...PLANNED, name: 'dear', buildings: dear } as never) });
  t.ok((story.world.plans.get(row)?.deadlinesMs[0] ?? 0) > (before ?? Number.POSITIVE_INFINITY));
  t.same(planFaults(story.engine), []);
});

t.test('fifty plans that fall due at one instant start in the order of their timers', async (t) => {
  const story = new WorldStory({ rules: PLANNED_RULES.text });
  const { players } = story.does({
    type: 'create_players',
    count: 50,
    namePrefix: 'bot',
    keyHashes: [],
    namePrefixKey: 'bot',
  });
  for (const { planets } of players)
    story.does(
      putPlan(
        planets[0] as Planet,
        Array.from({ length: 10 }, () => upgradeStep('zentrale')),
      ),
    );
  story.advance(24 * HOUR_MS);
  const startedAt = (player: Player) =>
    story.events.flatMap((event) =>
      event.kind === 'plan_step_started' && event.playerNumber === player.number ? [event.atMs] : [],
    );
  const [first] = players;
  t.ok(first !== undefined && startedAt(first).length === 10);
  for (const player of players) t.same(startedAt(player), startedAt(first as Player));
  t.equal(replay(story.entries).stateHash(), story.engine.stateHash());
});

/** Everything that a plan can hold: a lane that waits with a timer, one that is busy, one that is blocked. */
function plannedScene(): Newcomer {
  const scene = newcomer();
  const { story, player, home } = scene;
  player.setResearchLevel(0, RESEARCH_LEVEL_MAX);
  home.setLevel(buildingIndex('shipyard'), 1);
  story.does(upgrade(home, 'iron_mine'));
  const ships = shipsStep('fighter', 10_000);
  story.does(putPlan(home, [upgradeStep('zentrale'), ships, researchStep('drive_ion'), upgradeStep('iron_mine')]));
  return scene;
}

t.test('every value of a plan is in its row, and the row is in the hash', async (t) => {
  const scene = plannedScene();
  const { story, home } = scene;
  t.same(states(scene, home), ['busy', 'waiting', 'blocked']);
  const before = story.engine.stateHash();
  const skipping = story.world.plans.get(home.row) as { isSkipping: boolean; longerThanMs: number | null };
  for (const longerThanMs of [0, 1000]) {
    Object.assign(skipping, { isSkipping: true, longerThanMs });
    t.not(story.engine.stateHash(), before, `longer than ${longerThanMs}`);
  }
  Object.assign(skipping, { isSkipping: false, longerThanMs: null });
  const plan = story.world.plans.get(home.row) as unknown as Record<
    'steps' | 'deadlinesMs' | 'isReportedBlocked',
    unknown[]
  >;
  for (const name of ['steps', 'deadlinesMs', 'isReportedBlocked'] as const) {
    for (const [index, value] of plan[name].entries()) {
      if (name === 'deadlinesMs' && value === 0) continue;
      plan[name][index] = typeof value === 'number' ? value + 1 : !value;
      t.not(story.engine.stateHash(), before, `${name} ${index}`);
      plan[name][index] = value;
    }
  }
  t.equal(story.engine.stateHash(), before);
});

t.test(
  'rows of plans that contradict the world are refused, and all others are in the world that is loaded',
  async (t) => {
    const { story, home } = plannedScene();
    const rows = written([...story.engine.rows()]);
    const place = rows.findIndex(([kind]) => kind === ROW_KINDS.plan);
    const row = rows[place] as Row;
    const timer = (row[6] as readonly RowValue[])[1];
    const lies: readonly (readonly [what: string, rows: readonly Row[], sentence: RegExp])[] = [
      ['of nobody', rows.with(place, row.with(1, home.key + 1)), /does not belong to player 1/],
      ['twice', rows.toSpliced(place, 0, row), /two plans/],
      ['that waits, but not for long', rows.with(place, row.with(3, 1000)), /not what is blocked/],
      ['that waits too long', rows.with(place, row.with(3, LONGER_THAN_MS_MAX + 1)), /longer than is 31536000001/],
      ['without steps', rows.with(place, row.with(4, [])), /no steps/],
      ['of too many steps', rows.with(place, row.with(4, Array(PLAN_STEPS_MAX + 1).fill(0))), /steps is a list/],
      ['with a step of no type', rows.with(place, row.with(4, [63 << 3])), /no step 504/],
      ['with a building and a count', rows.with(place, row.with(4, [512])), /no step 512/],
      ['with an action that there is not', rows.with(place, row.with(4, [5])), /no step 5/],
      ['with an order for no launch', rows.with(place, row.with(5, [1])), /0 launches, and 1 values/],
      [
        'with a launch without an order',
        rows.with(place, row.with(4, [packStep({ action: 'launch', targetKey: home.key, mission: 0 })])),
        /1 launches, and 0 values/,
      ],
      ['with no ships', rows.with(place, row.with(4, [2])), /no step 2/],
      ['with a timer for no step', rows.with(place, row.with(4, [0, 3])), /lane 1 has no step/],
      ['with a flag for no step', rows.with(place, row.with(4, [0, 514])), /lane 2 has no step/],
      [
        'with a timer that never was',
        rows.with(place, row.with(6, [[999, 5], timer, null, null] as never)),
        /timer id is 999/,
      ],
      ['with two lanes only', rows.with(place, row.with(6, [null, timer] as never)), /timers is a list of 2/],
      [
        'before its planet',
        rows.toSpliced(place, 1).toSpliced(place - 1, 0, row),
        /does not belong|before the preceding/,
      ],
    ];
    t.equal(loadRows(rows).stateHash(), story.engine.stateHash());
    for (const [what, lie, sentence] of lies) t.throws(() => loadRows(lie), sentence, `a plan ${what}`);
  },
);

t.test('a player who only has a plan is not active while it starts steps', async (t) => {
  const { story, player, home } = newcomer();
  story.does(
    putPlan(
      home,
      Array.from({ length: 5 }, () => upgradeStep('zentrale')),
    ),
  );
  const putMs = story.nowMs;
  story.advance(HOUR_MS + SECOND_MS);
  t.ok(story.events.filter(({ kind }) => kind === 'plan_step_started').length > 2);
  t.equal(player.lastActiveMs, putMs);
});
