// Launches as steps of plans: they are those of the command, wait for ships, for fleets to come home and for stocks, and are blocked by
// what none of these removes.
import t from 'tap';
import { decodeCommand } from '../../../engine/commands/table.js';
import { planOf } from '../../../engine/queries/plan.js';
import { FLEETS_PER_PLAYER_MAX } from '../../../engine/rules/limits.js';
import { H2 } from '../../../engine/rules/resources.js';
import { MISSIONS } from '../../../engine/terms/missions.js';
import { PACKED_STEP_MAX, packOrders, packStep, unpackOrders, unpackStep } from '../../../engine/terms/plan-step.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import type { Player } from '../../../engine/world/player-table.js';
import {
  buildingIndex,
  grant,
  type Keyed,
  launch,
  recall,
  shipIndex,
  type Units,
} from '../../support/command-words.js';
import { planFaults } from '../../support/plan-oracle.js';
import { launchStep, PLANNED_RULES, putPlan, shipsStep, upgradeStep } from '../../support/planned-rules.js';
import { choosePlan, chooseWaitMs, seededChoice, settleBots } from '../../support/random-play.js';
import { firstPlanet, HOUR_MS, loadRows, MINUTE_MS, replay, WorldStory } from '../../support/world-story.js';

interface Port {
  readonly story: WorldStory;
  readonly player: Player;
  readonly home: Planet;
  readonly free: Keyed;
}

/** A planet with a shipyard, ships and some stocks, in a system with a free planet. */
function port(units: Units = { iron: 5_000, silver: 5_000 }): Port {
  const story = new WorldStory({ rules: PLANNED_RULES.text });
  const player = story.human();
  const home = firstPlanet(player);
  home.setLevel(buildingIndex('shipyard'), 1);
  for (const [ship, count] of [
    ['scout', 2],
    ['transport', 2],
    ['colony_ship', 1],
    ['fighter', 50],
  ] as const)
    home.setShipCount(shipIndex(ship), count);
  story.does(grant(home, units));
  return { story, player, home, free: story.freeNeighbour(home) };
}

const fleetsLane = ({ story, home }: Port) => planOf(story.world, home, story.nowMs).lanes[3];
const kindsOf = ({ story }: Port) => story.events.map(({ kind }) => kind);

t.test('every launch fits a packed step, and a plan has its orders in the order of its launches', async (t) => {
  t.ok(MISSIONS.length <= 8);
  const last = { action: 'launch', targetKey: 14_999_999, mission: 7 } as const;
  t.same(unpackStep(packStep(last)), last);
  t.ok(packStep(last) <= PACKED_STEP_MAX && PACKED_STEP_MAX < 2 ** 31);
  const orders = [
    { ships: [1, 0, 2, 0], cargo: [1, 2, 3, 4], drive: null },
    { ships: [0, 9, 0, 0], cargo: [0, 0, 0, 0], drive: 1 },
  ];
  const steps = [packStep(last), packStep(upgradeStep('zentrale')), packStep(last)];
  const packed = packOrders(4, orders);
  t.same(unpackOrders(PLANNED_RULES, packed, steps), orders);
  t.throws(() => unpackOrders(PLANNED_RULES, packed.slice(1), steps), /2 launches, and 17 values/);
  t.throws(() => unpackOrders(PLANNED_RULES, packed, steps.slice(1)), /1 launches, and 18 values/);
  t.throws(() => unpackOrders(PLANNED_RULES, packed.with(0, 6), steps), /no drive 5/);
  t.throws(() => unpackOrders(PLANNED_RULES, packed.with(15, 0), steps), /sends 0 ships/);
});

t.test('what can fly at once does, as if each launch were commanded, but is no activity', async (t) => {
  const scene = port();
  const { story, player, home, free } = scene;
  const other = port();
  const words = [
    { to: free, ships: { transport: 1 }, mission: 'transport', cargo: { iron: 100 } },
    { to: free, ships: { scout: 2 }, mission: 'espionage' },
  ] as const;
  story.advance(MINUTE_MS);
  other.story.advance(MINUTE_MS);
  story.does(putPlan(home, words.map(launchStep)));
  for (const each of words) other.story.does(launch({ by: other.player, from: other.home, ...each }));
  const flights = ({ player }: Port) =>
    player.fleets.map(({ targetKey, mission, ships, cargo, drive, arrivesAtMs, h2Cost }) => {
      return { targetKey, mission, ships: [...ships], cargo: [...cargo], drive, arrivesAtMs, h2Cost };
    });
  t.same(flights(scene), flights(other));
  t.same(kindsOf(scene).slice(-5), [
    ...['fleet_launched', 'plan_step_started', 'fleet_launched', 'plan_step_started'],
    'plan_completed',
  ]);
  const late = launchStep({ to: free, ships: { scout: 1 }, mission: 'espionage' });
  story.does(putPlan(home, [shipsStep('scout', 1), late]));
  const putMs = story.nowMs;
  story.advance(HOUR_MS);
  t.equal(story.world.plans.size, 0);
  t.equal(player.lastActiveMs, putMs, 'and starts steps without its player');
});

t.test('a launch waits for its ships, and for its cargo and fuel to the millisecond', async (t) => {
  const scene = port({ silver: 500 });
  const { story, home, free } = scene;
  const step = launchStep({ to: free, ships: { transport: 3 }, mission: 'transport', cargo: { silver: 2_200 } });
  story.does(putPlan(home, [shipsStep('transport', 1), step], true));
  t.match(fleetsLane(scene), { state: 'waiting', nextMs: null, refusal: { code: 'insufficient_ships' } });
  story.advanceTo(home.firstOrder?.finishAtMs ?? 0);
  const lane = fleetsLane(scene);
  t.match(lane, { state: 'waiting', refusal: { code: 'insufficient_resources' } });
  t.equal(lane?.deadlineMs, lane?.nextMs);
  story.advanceTo((lane?.nextMs ?? 0) - 1);
  t.equal(home.owner.fleetCount, 0);
  story.advance(1);
  t.equal(home.owner.fleetCount, 1);
  t.same(planFaults(story.engine), []);
});

t.test('without h2 it waits for the first drive that production pays', async (t) => {
  const scene = port();
  const { story, player, home, free } = scene;
  player.setResearchLevel(0, 1);
  home.setStockAt(H2, 0, story.nowMs);
  const step = launchStep({ to: free, ships: { fighter: 4, transport: 1 }, mission: 'transport' });
  story.does(putPlan(home, [step]));
  const lane = fleetsLane(scene);
  t.match(lane, { state: 'waiting', refusal: { code: 'insufficient_h2' } });
  story.advanceTo((lane?.nextMs ?? 0) - 1);
  t.equal(player.fleetCount, 0);
  story.advance(1);
  const { drive, h2Cost } = player.fleets[0] ?? {};
  t.equal(drive, 0, `the one that needs least: ${h2Cost} h2`);
  t.same(planFaults(story.engine), []);
});

t.test('with a bound, a launch that is not paid in time is skipped', async (t) => {
  const scene = port({ iron: 1 });
  const { story, home, free } = scene;
  const dear = launchStep({ to: free, ships: { transport: 2 }, mission: 'transport', cargo: { ember: 1 } });
  const late = launchStep({ to: free, ships: { transport: 2 }, mission: 'transport', cargo: { silver: 1_400 } });
  const cheap = launchStep({ to: free, ships: { scout: 1 }, mission: 'espionage' });
  story.does(putPlan(home, [dear, late, cheap], true, HOUR_MS));
  t.equal(home.owner.fleetCount, 1);
  t.same(
    story.events.flatMap((event) => (event.kind === 'plan_step_skipped' ? event.reason : [])),
    ['insufficient_resources', 'insufficient_resources'],
  );
});

t.test('what no stock helps against blocks, or is skipped with its reason', async (t) => {
  const scene = port();
  const { story, home, free } = scene;
  const { universe } = story.world;
  const far = { key: universe.planetKeys(universe.systemKey(2, 0))[0] ?? 0 };
  const steps = [
    launchStep({ to: far, ships: { scout: 1 }, mission: 'espionage' }),
    launchStep({ to: free, ships: { fighter: 50 }, mission: 'attack' }),
    launchStep({ to: free, ships: { transport: 1 }, mission: 'transport', cargo: { iron: 1_000_000 } }),
    launchStep({ to: home, ships: { scout: 1 }, mission: 'deploy' }),
    launchStep({ to: free, ships: { scout: 1 }, mission: 'deploy' }),
  ];
  const reasons = ['no_drive_available', 'hangar_capacity_exceeded', 'cargo_capacity_exceeded'];
  story.does(putPlan(home, steps, true));
  const skipped = story.events.flatMap((event) => (event.kind === 'plan_step_skipped' ? event.reason : []));
  t.same(skipped, [...reasons, 'mission_not_possible', 'mission_not_possible']);
  for (const [index, step] of steps.entries()) {
    const other = port();
    other.story.does(putPlan(other.home, [step]));
    t.match(fleetsLane(other), { state: 'blocked', refusal: { code: skipped[index] } });
    t.same(planFaults(other.story.engine), []);
  }
});

t.test('a blocked launch goes on when its target gets another owner', async (t) => {
  const scene = port();
  const { story, player, home, free } = scene;
  story.does(putPlan(home, [launchStep({ to: free, ships: { scout: 1 }, mission: 'deploy' })]));
  t.equal(fleetsLane(scene)?.state, 'blocked');
  const settler = { by: player, from: home, to: free, ships: { colony_ship: 1 }, mission: 'colonize' } as const;
  const fleet = story.launch(settler);
  story.advanceTo(fleet.arrivesAtMs);
  t.equal(story.world.plans.size, 0);
  t.equal(player.fleets[0]?.mission, MISSIONS.indexOf('deploy'));
  const rival = port();
  const taker = rival.story.bot('taker');
  const taken = rival.story.colony(taker, rival.home);
  rival.story.does(putPlan(rival.home, [launchStep({ to: taken, ships: { colony_ship: 1 }, mission: 'colonize' })]));
  t.equal(fleetsLane(rival)?.state, 'blocked');
  rival.story.does({ type: 'retire_players', playerNumbers: [taker.number] });
  t.equal(rival.player.fleetCount, 1, 'nobody owns it any more');
});

t.test('a launch waits while the player has too many fleets, until one comes home', async (t) => {
  const scene = port();
  const { story, player, home } = scene;
  const colony = story.colony(player, home);
  const free = story.freeNeighbour(home);
  home.setShipCount(shipIndex('scout'), 2 * FLEETS_PER_PLAYER_MAX);
  colony.setShipCount(shipIndex('scout'), 1);
  story.does(grant(colony, { h2: 1_000 }));
  story.does(grant(home, { h2: 1_000_000 }));
  const scout = { ships: { scout: 1 }, mission: 'espionage' } as const;
  for (let fleet = 0; fleet < FLEETS_PER_PLAYER_MAX - 1; fleet += 1)
    story.launch({ by: player, from: home, to: free, ...scout });
  story.does(putPlan(colony, [launchStep({ to: free, ...scout, cargo: {} }), launchStep({ to: free, ...scout })]));
  t.equal(player.fleetCount, FLEETS_PER_PLAYER_MAX);
  colony.setShipCount(shipIndex('scout'), 1);
  story.does(grant(colony, { iron: 1 }));
  const lane = planOf(story.world, colony, story.nowMs).lanes[3];
  t.match(lane, { state: 'waiting', refusal: { code: 'limit_reached' } });
  t.same(planFaults(story.engine), []);
  const [first] = player.fleets;
  if (first !== undefined) story.does(recall(player, first));
  story.advanceTo(story.engine.nextDeadlineMs());
  t.equal(story.world.plans.size, 0);
});

t.test('launches of plans in random play are those of commands, replayed and restored', async (t) => {
  let launched = 0;
  for (let seed = 1; seed <= 4; seed += 1) {
    const choose = seededChoice(seed);
    const story = new WorldStory({ rules: PLANNED_RULES.text, seed });
    settleBots(story, 3);
    const restored = loadRows([...story.engine.rows()]);
    t.equal(restored.stateHash(), story.engine.stateHash());
    const from = story.entries.length;
    for (let move = 0; move < 60; move += 1) {
      story.advance(chooseWaitMs(story, choose));
      const homes = [...story.world.planets.values()].sort((one, other) => one.key - other.key);
      story.attempt(choosePlan(story.world, homes[choose(homes.length)] as Planet, choose));
      t.same(planFaults(story.engine), [], `seed ${seed}, move ${move}`);
    }
    for (const { atMs, row } of story.entries.slice(from)) restored.apply(atMs, decodeCommand(row));
    t.equal(restored.stateHash(), story.engine.stateHash(), 'restored at the beginning');
    t.equal(replay(story.entries).stateHash(), story.engine.stateHash(), 'replayed');
    t.equal(loadRows([...story.engine.rows()]).stateHash(), story.engine.stateHash(), 'restored at the end');
    launched += story.events.filter(
      (event) => event.kind === 'plan_step_started' && unpackStep(event.step).action === 'launch',
    ).length;
  }
  t.ok(launched > 20, `${launched} launches`);
});
