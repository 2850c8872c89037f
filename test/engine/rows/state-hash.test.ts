// The state hash: it covers every field of the state, and a small golden world detects any change of the rules and
// rows. After an intended change: `TAP_SNAPSHOT=1 npm test -- test/engine/rows/state-hash.test.ts` writes the golden file anew.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { StateHash } from '../../../engine/rows/state-hash.js';
import type { RowValue } from '../../../engine/rows/world-rows.js';
import { type Fleet, SHIPS } from '../../../engine/world/fleet-table.js';
import { KEPT_BY_BOTH, KEPT_BY_SENDER, MessageTable } from '../../../engine/world/message-table.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import type { Player } from '../../../engine/world/player-table.js';
import type { World } from '../../../engine/world/state.js';
import { fullScene, NEWCOMERS } from '../../support/full-scene.js';
import fc from '../../support/properties.js';
import { HOUR_MS, WorldStory } from '../../support/world-story.js';

const GOLDEN = fileURLToPath(new URL('../../../../test/golden/engine-world.txt', import.meta.url));

/** Fields that are derived from others, or lead to objects that are checked themselves. */
const NOT_STATE = new Set([
  ...[
    'universe',
    'timers',
    'leaderboard',
    'namedNumbers',
    'keyHolders',
    'eventLog',
    // Looked at apart: most worlds have none.
    'announcement',
    'fields',
    'messages',
    'pacts',
    'shocks',
    'plans',
    // Checked by market-rows.test.ts.
    ...['offers', 'goods', 'trades'],
    'owner',
    'timer',
    'world',
  ],
  ...['settings', 'rules', 'starters', 'players', 'planets', 'fleets', 'reports', 'research'],
  // Checked by lineages.test.ts.
  'lineages',
  ...['keptReplies', 'nowMs'],
  // Only while an entry is applied.
  'events',
  // The kind of a report decides what else it has.
  ...['attacker', 'defender', 'type'],
]);

/** Columns that are not in the rows of a world: the instant of the last activity, hundredths of points and the lists of what it has. */
const DERIVED_OF_PLAYER: ReadonlySet<number> = new Set([2, 3, 5, 6, 11, 16, 17, 18, 19]);
const DERIVED_OF_PLANET: ReadonlySet<number> = new Set([22]);
const DERIVED_OF_FLEET: ReadonlySet<number> = new Set([12, 13, 14, 15]);

t.test('every field of the state is in the hash', async (t) => {
  const { story, human, home, foreign } = fullScene();
  const { engine, world } = story;
  const before = engine.stateHash();
  const named = {
    world,
    settings: world.settings,
    starters: world.starters.cursor,
  };
  t.ok(home.upgrade !== null && home.orders.length === 2 && foreign.upgrade !== null, 'every column is in use');
  const kept = (world as World).keptReplies.inOrder();
  const { players, planets, fleets } = world as World;
  const rows = [
    ...numbersOf(human, players.bonuses, DERIVED_OF_PLAYER),
    ...numbersOf(home, planets.stationed + planets.shipTypeCount, DERIVED_OF_PLANET),
    ...human.fleets.flatMap((fleet) => numbersOf(fleet, SHIPS + fleets.shipTypeCount, DERIVED_OF_FLEET)),
  ];
  const listed = [...rows, ...home.orders.slice(1), ...kept];
  let fields = 0;
  for (const [name, thing] of [...Object.entries(named), ...listed.entries()]) {
    if (thing === null) throw new Error(`there is no ${name}`);
    for (const [holder, key] of primitivesOf(thing)) {
      const value = holder[key];
      holder[key] = altered(value);
      fields += 1;
      if (engine.stateHash() === before) t.fail(`${name}.${key} is not in the hash`);
      holder[key] = value;
    }
  }
  t.equal(engine.stateHash(), before, 'everything is as it was');
  const { upgradesPaid } = (world as World).planets;
  const paid = home.upgradePaid;
  upgradesPaid[home.row] = [paid[0], paid[1] + 1, paid[2], paid[3], paid[4]];
  t.not(engine.stateHash(), before, 'what was paid for an upgrade');
  upgradesPaid[home.row] = paid;
  for (const hash of ['keyHash', 'oldKeyHash'] as const) {
    const present = human[hash];
    human[hash] = 'another';
    t.not(engine.stateHash(), before, hash);
    human[hash] = present;
  }
  players.names.set(human.number, 'another');
  t.not(engine.stateHash(), before, 'the name of a player');
  players.names.set(human.number, 'human');
  players.nameKeys.set(human.number, 'another');
  t.not(engine.stateHash(), before, 'the key of a name');
  players.nameKeys.set(human.number, null);
  const announcements = [
    { text: 'one', atMs: story.nowMs, untilMs: null },
    { text: 'two', atMs: story.nowMs, untilMs: null },
    { text: 'one', atMs: story.nowMs - 1, untilMs: null },
    { text: 'one', atMs: story.nowMs, untilMs: story.nowMs },
  ];
  const present = engine.stateHash();
  const shown = [present, ...announcements.map((announcement) => hashWith(world as World, { announcement }))];
  t.equal(new Set(shown).size, shown.length, 'each field of an announcement');
  const wrecks: readonly [number, number[]][] = [
    [1, [1, 2, 3, 4]],
    [2, [1, 2, 3, 4]],
    [1, [1, 2, 3, 5]],
  ];
  const lying = [present, ...wrecks.map((entry) => hashWith(world as World, { fields: new Map([entry]) }))];
  t.equal(new Set(lying).size, lying.length, 'what lies in space');
  const said = { number: 1, atMs: story.nowMs, senderNumber: 1, receiverNumber: 2, text: 'a' };
  const sent = { untilMs: story.nowMs, toEach: new Map([[2, 1]]), broadcasts: 1 };
  const talks: readonly ((table: MessageTable) => void)[] = [
    () => {},
    (table) => {
      table.lastNumber = 1;
    },
    (table) => table.add(said, KEPT_BY_BOTH, 1),
    (table) => table.add(said, KEPT_BY_SENDER, 1),
    ...Object.entries(said).map(([field, value]) => (table: MessageTable) => {
      table.add({ ...said, [field]: altered(value) }, KEPT_BY_BOTH, 1);
    }),
    (table) => table.addBroadcast(said, 1),
    ...(['number', 'atMs', 'senderNumber', 'text'] as const).map((field) => (table: MessageTable) => {
      table.addBroadcast({ ...said, [field]: altered(said[field]) }, 1);
    }),
    (table) => table.setLastSentOf(1, sent),
    (table) => table.setLastSentOf(2, sent),
    (table) => table.setLastSentOf(1, { ...sent, untilMs: sent.untilMs + 1 }),
    (table) => table.setLastSentOf(1, { ...sent, toEach: new Map([[2, 2]]) }),
    (table) => table.setLastSentOf(1, { ...sent, broadcasts: 2 }),
    (table) => table.setBlockedBy(1, [2]),
    (table) => table.setBlockedBy(2, [1]),
  ];
  const spoken = talks.map((talk) => {
    const messages = new MessageTable();
    talk(messages);
    return hashWith(world as World, { messages });
  });
  t.equal(new Set(spoken).size, spoken.length, 'what players say');
  const moderations = [
    { suspendedAtMs: story.nowMs },
    { suspendedAtMs: story.nowMs - 1 },
    { formerNames: [{ name: 'a', nameKey: 'b' }] },
    { formerNames: [{ name: 'b', nameKey: 'b' }] },
    { formerNames: [{ name: 'a', nameKey: 'a' }] },
  ];
  const moderated = [present, ...moderations.map((change) => hashWith(human, change))];
  t.equal(new Set(moderated).size, moderated.length, 'suspension and former names');
  t.equal(engine.stateHash(), present, 'everything is as it was');

  /** The hash while some fields have other values. */
  function hashWith<Holder extends object>(holder: Holder, change: Partial<Holder>): string {
    const names = Object.keys(change) as (keyof Holder)[];
    const kept = Object.fromEntries(names.map((name) => [name, holder[name]]));
    Object.assign(holder, change);
    const hash = engine.stateHash();
    Object.assign(holder, kept);
    return hash;
  }
  t.ok(fields > 100, `${fields} fields`);
});

t.test('every field of a report that is kept is in the hash', async (t) => {
  const { story, human, bot } = fullScene();
  const { engine } = story;
  const { reports } = story.world as World;
  const before = engine.stateHash();
  const types = new Set<string>();
  let fields = 0;
  for (const reader of [human, bot]) {
    const kept = reader.reports;
    const keep = (all: typeof kept): void => {
      reports.removeAll(reader);
      for (const report of all) reports.add(reader, report);
    };
    for (const report of kept) {
      types.add(report.type);
      const losses = report.type === 'combat' ? [report.attacker, report.defender] : [];
      for (const [holder, key] of [report, ...losses].flatMap((thing) => [...primitivesOf(thing)])) {
        const value = holder[key];
        holder[key] = key === 'outcome' ? 'draw' : altered(value);
        keep(kept);
        fields += 1;
        if (engine.stateHash() === before) t.fail(`${report.type}.${key} is not in the hash`);
        holder[key] = value;
      }
    }
    keep(kept);
  }
  t.equal(engine.stateHash(), before, 'everything is as it was');
  t.same([...types].sort(), ['combat', 'espionage', 'espionage_detected']);
  t.ok(fields > 50, `${fields} fields`);
});

t.test('every value of every row is in the hash', async (t) => {
  const rows = [...fullScene().story.engine.rows()];
  const before = hashOf(rows);
  let values = 0;
  for (const changed of everyChange(rows)) {
    values += 1;
    if (hashOf(changed) === before) t.fail(`change ${values} is not in the hash`);
  }
  t.ok(values > 300, `${values} values`);
});

t.test('values that differ in kind or in nesting have different hashes', async (t) => {
  const values: RowValue[] = [
    null,
    false,
    true,
    0,
    -0,
    1,
    -1,
    0.5,
    2 ** 53,
    '',
    '0',
    '1',
    'null',
    [],
    [[]],
    [null],
    [0],
    [0, 0],
    [[0], 0],
    [0, [0]],
    [[0, 0]],
    ['01'],
    ['0', '1'],
    ['', '01'],
  ];
  const hashes = values.map(hashOf);
  t.equal(new Set(hashes).size, values.length);
  t.ok(hashes.every((hash) => /^[0-9a-f]{16}$/.test(hash)));
  const tree = fc.letrec<{ value: RowValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(tree, tree, (a, b) => (hashOf(a) === hashOf(b)) === (JSON.stringify(a) === JSON.stringify(b))),
    { numRuns: 2000 },
  );
});

t.test('the golden world is what it was', async (t) => {
  const { story } = fullScene();
  const told = (): string[] => [
    ...[...story.engine.rows()].map((row) => JSON.stringify(row)),
    story.engine.stateHash(),
    '',
  ];
  const busy = told();
  story.does(NEWCOMERS);
  story.advance(HOUR_MS);
  const text = [...busy, ...told()].join('\n');
  if (process.env['TAP_SNAPSHOT'] === '1') writeFileSync(GOLDEN, text);
  t.equal(text, readFileSync(GOLDEN, 'utf8'));
});

t.test('the hash of an empty world depends on its settings', async (t) => {
  const settings = [{}, { seed: 2 }, { systemsPerGalaxy: 11 }, { speedThousandths: 1001 }, { startMs: 5 }];
  t.equal(new Set(settings.map((setting) => new WorldStory(setting).engine.stateHash())).size, settings.length);
});

function hashOf(value: RowValue): string {
  const hash = new StateHash();
  hash.add(value);
  return hash.toString();
}

t.test('a value that no row has is refused', async (t) => {
  for (const value of [undefined, {}, { length: 1 }, 1n, Buffer.alloc(1)]) {
    const row = [1, [value]] as unknown as RowValue;
    t.throws(() => new StateHash().add(row), { name: 'Error', message: /no row has/ }, String(value));
  }
});

/** Each number of a row that is part of the state, as a view on the table itself. */
function numbersOf(view: Planet | Player | Fleet, columnCount: number, derived: ReadonlySet<number>): Float64Array[] {
  const { page, first } = view as unknown as { page: Float64Array; first: number };
  const columns = Array.from({ length: columnCount }, (_, column) => column).filter((column) => !derived.has(column));
  return columns.map((column) => page.subarray(first + column, first + column + 1));
}

/** Each primitive in an object and in its lists of numbers, with the object or list that holds it. */
function* primitivesOf(thing: object): Generator<[holder: Record<string, unknown>, key: string]> {
  // Fields are set from outside, past their types, as a bug in a command would.
  const holder = thing as Record<string, unknown>;
  for (const [key, value] of Object.entries(thing)) {
    if (NOT_STATE.has(key)) continue;
    if (Array.isArray(value)) yield* primitivesOf(value);
    else yield [holder, key];
  }
}

function altered(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}?`;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 0;
  throw new Error(`${String(value)} is not a primitive: say where its fields are checked`);
}

/** The value with each of its primitives altered, and each of its lists shortened, one at a time. */
function* everyChange(value: RowValue): Generator<RowValue> {
  if (!Array.isArray(value)) {
    yield altered(value) as RowValue;
    return;
  }
  const list = value as readonly RowValue[];
  if (list.length > 0) yield list.slice(1);
  for (const [index, item] of list.entries()) {
    for (const changed of everyChange(item))
      yield list.map((other, position) => (position === index ? changed : other));
  }
}
