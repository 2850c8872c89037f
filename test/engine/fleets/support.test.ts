// A fleet that supports another player stays at its planet, fights for it, and goes home when somebody sends it.

import t from 'tap';
import { decodeCommand } from '../../../engine/commands/table.js';
import { causerOf } from '../../../engine/events/kinds.js';
import { launchWarning } from '../../../engine/fleets/launching.js';
import { unitsOfShips } from '../../../engine/planets/points.js';
import { planOf } from '../../../engine/queries/plan.js';
import { ROW_KINDS, type Row } from '../../../engine/rows/row.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { SUPPORT } from '../../../engine/terms/missions.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import { launch, recall, type ShipCounts, shipList } from '../../support/command-words.js';
import { total } from '../../support/exact-formulas.js';
import { launchStep, putPlan } from '../../support/planned-rules.js';
import { SUPPORTED } from '../../support/supported-rules.js';
import { loadRows, openScene, replay, type Scene, SECOND_MS } from '../../support/world-story.js';

const RULES = ruleSetText(SUPPORTED);

/** Fighters in a transport, from the human's home to the bot's planet. */
function send({ story, human, home, foreign }: Scene, ships: ShipCounts = { fighter: 5, transport: 1 }): Fleet {
  return story.launch({ by: human, from: home, to: foreign, ships, mission: 'support' });
}

function stationed(scene: Scene, ships?: ShipCounts): Fleet {
  const fleet = send(scene, ships);
  scene.story.advanceTo(fleet.arrivesAtMs);
  if (!fleet.isStationed) throw new Error('the fleet did not stay');
  return fleet;
}

/** A third player attacks the bot's planet with fighters. @returns the fleet, which has arrived */
function attack({ story, home, foreign }: Scene, fighters: number): Fleet {
  const third = story.bot('third');
  const origin = story.colony(third, home);
  const transports = Math.ceil(fighters / 20);
  story.equip(origin, { fighter: fighters, transport: transports });
  const ships = { fighter: fighters, transport: transports };
  const fleet = story.launch({ by: third, from: origin, to: foreign, ships, mission: 'attack' });
  story.advanceTo(fleet.arrivesAtMs);
  return fleet;
}

t.test('a fleet stays without a timer until it is recalled; then it flies home as long as it flew there', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot, home } = scene;
  const before = home.ships;
  const fleet = stationed(scene);
  t.match(fleet, { returnsAtMs: null, isReturning: false });
  t.same(story.world.fleets.to(fleet.targetKey), []);
  story.advance(10 * 24 * 3_600_000);
  t.equal(fleet.isStationed, true);
  t.equal(human.fleetCount, 1, 'it counts to the fleets of its owner');
  story.does(recall(human, fleet));
  t.match(fleet, { isReturning: true, isStationed: false, returnsAtMs: story.nowMs + fleet.flightMs });
  const kinds = story.events.slice(-2).map(({ kind, playerNumber }) => [kind, playerNumber]);
  t.same(kinds, [
    ['fleet_recalled', human.number],
    ['incoming_fleet_gone', bot.number],
  ]);
  t.equal(story.refusal(recall(human, fleet)).code, 'fleet_not_in_transit');
  story.advanceTo(fleet.returnsAtMs ?? 0);
  t.same(home.ships, before);
});

t.test('the host sends it home, and nobody else', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot } = scene;
  const early = send(scene);
  const dismiss = (playerNumber: number) =>
    ({ type: 'dismiss_fleet', playerNumber, fleetNumber: early.number }) as const;
  t.equal(story.refusal(dismiss(bot.number)).code, 'fleet_not_stationed', 'on its way');
  story.advanceTo(early.arrivesAtMs);
  t.equal(story.refusal(dismiss(human.number)).code, 'not_owner');
  t.equal(story.refusal({ ...dismiss(bot.number), fleetNumber: 999 }).code, 'fleet_not_found');
  story.does(dismiss(bot.number));
  t.equal(early.returnsAtMs, story.nowMs + early.flightMs);
});

t.test('the last place is taken by who arrives first; one too many is warned of, and turns round', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, foreign } = scene;
  const [first, second, third] = [send(scene, { scout: 1 }), send(scene, { scout: 1 }), send(scene, { scout: 1 })];
  story.advanceTo(third.arrivesAtMs);
  t.same(
    [first, second, third].map(({ isStationed }) => isStationed),
    [true, true, false],
  );
  t.equal(third.isReturning, true);
  const words = { player: human, targetKey: foreign.key, mission: SUPPORT };
  t.match(launchWarning(story.world, words, story.nowMs), { code: 'support_full', limit: { maximum: 2 } });
});

t.test('it carries nothing, goes to others only, and only if the rules have support', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, home, foreign } = scene;
  const words = { by: human, from: home, to: foreign, ships: { transport: 1 }, mission: 'support' } as const;
  t.equal(story.refusal(launch({ ...words, cargo: { iron: 1 } })).code, 'mission_not_possible');
  t.equal(story.refusal(launch({ ...words, to: story.colony(human, home) })).code, 'mission_not_possible');
  const plain = openScene();
  const outcome = plain.story.attempt(launch({ ...words, by: plain.human, from: plain.home, to: plain.foreign }));
  t.ok(isRefusal(outcome));
});

t.test('a plan stations a fleet as a command does, and a step that carries something is blocked', async (t) => {
  const scene = openScene({ rules: ruleSetText({ ...SUPPORTED, plans: { stepsMax: 9 } }) });
  const { story, human, home, foreign } = scene;
  const words = { to: foreign, ships: { transport: 1 }, mission: 'support' } as const;
  story.does(putPlan(home, [launchStep(words), launchStep({ ...words, cargo: { iron: 1 } })]));
  const [fleet] = human.fleets;
  t.match(planOf(story.world, home, story.nowMs).lanes[3], {
    state: 'blocked',
    refusal: { code: 'mission_not_possible' },
  });
  story.advanceTo(fleet?.arrivesAtMs ?? 0);
  t.equal(fleet?.isStationed, true);
});

t.test('supporters fight, lose what is theirs, and both sides and they get the report', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot, foreign } = scene;
  story.equip(foreign, { fighter: 4 });
  const [one, other] = [stationed(scene, { fighter: 6, transport: 1 }), stationed(scene, { fighter: 3, transport: 1 })];
  const attacker = attack(scene, 10);
  const [report] = [human, bot, attacker.owner].map(({ reports }) => reports.at(-1));
  t.same(human.reports.at(-1), report);
  if (report?.type !== 'combat') throw new Error('there was no battle');
  t.equal(attacker.owner.reports.length, 1);
  t.same(report.defender.sent, shipList({ fighter: 13, transport: 2 }));
  const left = [foreign.ships, one.ships, other.ships].reduce((sums, ships) =>
    sums.map((sum, type) => sum + (ships[type] ?? 0)),
  );
  t.same(left, report.defender.left);
  const fought = story.events.filter(({ kind }) => kind === 'support_fought');
  t.same(
    fought.map((event) => ('fleetNumber' in event ? event.fleetNumber : 0)),
    [one.number, other.number],
  );
  t.same(new Set(fought.map(causerOf)), new Set([attacker.ownerNumber]), 'an attack takes no turn from a supporter');
  t.ok(total(report.attacker.lost) > 0);
});

t.test('a supporter that loses everything ends', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human } = scene;
  const fleet = stationed(scene, { scout: 1 });
  attack(scene, 10);
  t.equal(story.world.fleets.has(fleet.number), false);
  t.equal(human.fleetCount, 0);
  const destroyed = story.events.filter(({ kind }) => kind === 'fleet_destroyed');
  t.match(destroyed, [{ fleetNumber: fleet.number, playerNumber: human.number }]);
});

t.test('a player who attacks a planet that it supports fights its own ships, and gets one report', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, home, foreign } = scene;
  const ships = { fighter: 5, transport: 1 };
  const supporter = stationed(scene, ships);
  const before = human.points;
  const attacker = story.launch({ by: human, from: home, to: foreign, ships, mission: 'attack' });
  story.advanceTo(attacker.arrivesAtMs);
  const [report] = human.reports;
  t.equal(human.reports.length, 1);
  if (report?.type !== 'combat') throw new Error('there was no battle');
  t.same(supporter.ships, report.defender.left);
  const { rules } = story.world;
  const lost = [report.attacker.lost, report.defender.lost].map((counts) => unitsOfShips(rules, counts));
  t.ok(lost.every((units) => units > 0));
  t.equal(human.points, before - total(lost));
});

t.test('if the host is retired the fleet flies home; if its owner is, it ends', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, human, bot } = scene;
  const fleet = stationed(scene);
  story.does({ type: 'retire_players', playerNumbers: [bot.number] });
  t.match(fleet, { isReturning: true, returnsAtMs: story.nowMs + fleet.flightMs });
  story.advanceTo(fleet.returnsAtMs ?? 0);
  t.equal(human.fleetCount, 0);
  const again = openScene({ rules: RULES });
  const lost = stationed(again);
  again.story.does({ type: 'retire_players', playerNumbers: [again.human.number] });
  t.equal(again.story.world.fleets.has(lost.number), false);
  t.match(
    again.story.events.filter(({ kind }) => kind === 'incoming_fleet_gone'),
    [{ playerNumber: again.bot.number }],
  );
});

t.test('a restored and a replayed world have it, and a battle there ends in the same way', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story } = scene;
  const fleet = stationed(scene);
  const copies = [loadRows([...story.engine.rows()]), replay(story.entries)];
  for (const copy of copies) {
    t.equal(copy.stateHash(), story.engine.stateHash());
    t.equal(copy.world.fleets.get(fleet.number)?.isStationed, true);
  }
  const before = story.entries.length;
  attack(scene, 8);
  story.advance(SECOND_MS);
  for (const copy of copies) {
    for (const { atMs, row } of story.entries.slice(before)) copy.apply(atMs, decodeCommand(row));
    t.equal(copy.stateHash(), story.engine.stateHash());
  }
});

t.test('rows of stationed fleets that cannot be are refused', async (t) => {
  const scene = openScene({ rules: RULES });
  const { story, home } = scene;
  stationed(scene);
  const rows = [...story.engine.rows()];
  const place = rows.findIndex(([kind]) => kind === ROW_KINDS.fleet);
  const changed = (column: number, value: number) => rows.with(place, (rows[place] as Row).with(column, value));
  for (const targetKey of [home.key, story.freeNeighbour(home).key])
    t.throws(() => loadRows(changed(5, targetKey)), /supports no other player/);
  t.throws(() => loadRows(changed(14, story.nowMs + SECOND_MS)), /it is stationed, and returns/);
});
