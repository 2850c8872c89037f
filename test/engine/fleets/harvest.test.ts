// Asteroids and wrecks: the first fleet to arrive takes what its ships can hold, and the wrecks of a battle never pay for it.

import t from 'tap';
import { fieldUnits } from '../../../engine/fleets/fields.js';
import { launchWarning } from '../../../engine/fleets/launching.js';
import { fieldsNear } from '../../../engine/queries/fields-near.js';
import { ROW_KINDS } from '../../../engine/rows/world-rows.js';
import { SLOTS_PER_SYSTEM } from '../../../engine/rules/limits.js';
import { type RuleSet, ruleSetText } from '../../../engine/rules/rule-set.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { HARVEST } from '../../../engine/terms/missions.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import { launch } from '../../support/command-words.js';
import { total } from '../../support/exact-formulas.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { loadRows, openScene, type Scene } from '../../support/world-story.js';

const ASTEROIDS = [90_000, 30_000, 0, 30_000] as const;
const WRECK_PERCENT = 40;
const SET: RuleSet = {
  ...STANDARD_1,
  name: 'fields',
  fields: { asteroids: [...ASTEROIDS, 0], wreckPercent: WRECK_PERCENT },
};
const TRANSPORT_CARGO = STANDARD_1.ships.find(({ type }) => type === 'transport')?.cargo ?? 0;

/** @returns the scene, and the planet of its system beside which asteroids lie */
function open(): Scene & { readonly asteroids: { readonly key: number } } {
  const scene = openScene({ rules: ruleSetText(SET) });
  const { story, home } = scene;
  story.equip(home, { transport: 500, fighter: 100 });
  story.grant(home, { h2: 1_000_000 });
  const { universe } = story.world;
  return { ...scene, asteroids: { key: universe.asteroidsKey(Math.floor(home.key / SLOTS_PER_SYSTEM)) } };
}

function send({ story, human, home, asteroids }: ReturnType<typeof open>, transports: number): Fleet {
  return story.launch({ by: human, from: home, to: asteroids, ships: { transport: transports }, mission: 'harvest' });
}

t.test('every system has one field of the same asteroids, at a planet that the seed draws', async (t) => {
  const { story } = open();
  const { world } = story;
  const slots = new Set<number>();
  for (let systemKey = 0; systemKey < 60; systemKey += 1) {
    const keys = world.universe.planetKeys(systemKey).filter((key) => total(fieldUnits(world, key)) > 0);
    t.equal(keys.length, 1);
    t.strictSame(fieldUnits(world, keys[0] ?? -1), ASTEROIDS);
    slots.add((keys[0] ?? -1) % SLOTS_PER_SYSTEM);
  }
  t.ok(slots.size > 10, `${slots.size} slots`);
  t.equal(world.fields.size, 0, 'what nobody has changed takes no memory');
});

t.test('a fleet loads what it can hold, each resource in proportion, and the next one finds the rest', async (t) => {
  const scene = open();
  const { story, human, asteroids } = scene;
  const first = send(scene, 10);
  story.advanceTo(first.arrivesAtMs);
  const room = 10 * TRANSPORT_CARGO;
  t.strictSame(
    first.cargo,
    ASTEROIDS.map((units) => Math.floor((units * room) / total([...ASTEROIDS]))),
  );
  const second = send(scene, 400);
  story.advanceTo(second.arrivesAtMs);
  t.strictSame(
    second.cargo,
    ASTEROIDS.map((units, resource) => units - (first.cargo[resource] ?? 0)),
  );
  t.strictSame(story.world.fields.get(asteroids.key), [0, 0, 0, 0], 'the asteroids do not come back');
  const third = send(scene, 1);
  const words = { player: human, targetKey: asteroids.key, mission: HARVEST };
  t.strictSame(launchWarning(story.world, words, third.arrivesAtMs), { code: 'field_empty' });
  story.advanceTo(third.arrivesAtMs);
  t.equal(total(third.cargo), 0);
  story.advanceTo(second.returnsAtMs ?? 0);
  const home = story.events.flatMap((event) => (event.kind === 'fleet_returned' ? [event.cargo] : []));
  t.strictSame(home.at(-1), second.cargo);
});

t.test('the nearest fields come first, and emptied ones are left out', async (t) => {
  const scene = open();
  const { story, home, asteroids } = scene;
  const near = fieldsNear(story.world, home.key, 5);
  t.equal(near.length, 5);
  t.equal(near[0]?.key, asteroids.key);
  const distances = near.map(({ distance }) => distance);
  t.strictSame(
    distances,
    [...distances].sort((one, other) => one - other),
  );
  story.advanceTo(send(scene, 400).arrivesAtMs);
  const later = fieldsNear(story.world, home.key, 5);
  t.notOk(later.some(({ key }) => key === asteroids.key));
  t.strictSame(
    later.slice(0, 4).map(({ key }) => key),
    near.slice(1).map(({ key }) => key),
  );
});

t.test('rules without fields refuse the mission, and have none', async (t) => {
  const { story, human, home, foreign } = openScene();
  const words = { by: human, from: home, to: foreign, ships: { transport: 1 }, mission: 'harvest' } as const;
  t.match(story.refusal(launch(words)), { code: 'mission_not_possible' });
  t.strictSame(fieldsNear(story.world, home.key, 5), []);
});

t.test('a restored world has the same fields', async (t) => {
  const scene = open();
  const { story, human, home, foreign } = scene;
  story.advanceTo(send(scene, 10).arrivesAtMs);
  story.equip(foreign, { fighter: 40 });
  const raid = story.launch({
    by: human,
    from: home,
    to: foreign,
    ships: { fighter: 90, transport: 20 },
    mission: 'attack',
  });
  story.advanceTo(raid.arrivesAtMs);
  const under = send(scene, 10);
  const copy = loadRows([...story.engine.rows()]);
  t.equal(story.world.fields.size, 2);
  t.equal(copy.stateHash(), story.engine.stateHash());
  t.strictSame([...copy.world.fields], [...story.world.fields]);
  for (const engine of [copy, story.engine]) engine.apply(under.arrivesAtMs, { type: 'advance_time' });
  t.equal(copy.stateHash(), story.engine.stateHash(), 'a fleet under way harvests the same');
});

t.test('rows of fields that cannot be are refused', async (t) => {
  const scene = open();
  const { story, asteroids } = scene;
  story.advanceTo(send(scene, 10).arrivesAtMs);
  const rows = [...story.engine.rows()];
  const place = rows.findIndex(([kind]) => kind === ROW_KINDS.field);
  const found = rows[place] ?? [];
  t.same(found.slice(0, 2), [ROW_KINDS.field, asteroids.key]);
  t.throws(() => loadRows(rows.toSpliced(place, 0, found)), /is listed twice/);
  t.throws(() => loadRows(rows.with(place, [ROW_KINDS.field, -1, [0, 0, 0, 0]])), /planet is -1/);
  t.throws(() => loadRows(rows.with(place, [ROW_KINDS.field, asteroids.key, [0, 0, 0, -1]])), /units is -1/);
});

t.test('a battle leaves at most its share of twice the lesser loss, and nothing if a side lost nothing', async (t) => {
  const fleets = fc.record({
    fighters: fc.nat(100),
    transports: fc.integer({ min: 30, max: 100 }),
    guards: fc.integer({ min: 1, max: 150 }),
  });
  let battles = 0;
  fc.assert(
    fc.property(fleets, ({ fighters, transports, guards }) => {
      const { story, human, home, foreign } = open();
      story.equip(foreign, { fighter: guards });
      const raid = story.launch({
        ...{ by: human, from: home, to: foreign, mission: 'attack' },
        ships: { fighter: fighters, transport: transports },
      });
      story.advanceTo(raid.arrivesAtMs);
      const report = story.events.flatMap((event) => (event.kind === 'combat_report' ? [event] : []))[0];
      const cost = (ships: readonly number[]): number =>
        ships.reduce((sum, count, type) => sum + count * total([...(STANDARD_1.ships[type]?.cost ?? [])]), 0);
      const lesser = Math.min(cost(report?.attackerLost ?? []), cost(report?.defenderLost ?? []));
      const wrecks = total([...(story.world.fields.get(foreign.key) ?? [])]);
      if (wrecks > 0) battles += 1;
      return wrecks <= (2 * lesser * WRECK_PERCENT) / 100 && (lesser === 0) === (wrecks === 0);
    }),
    { numRuns: 40, seed: drawSeed(t) },
  );
  t.ok(battles > 5, `${battles} battles left wrecks`);
});
