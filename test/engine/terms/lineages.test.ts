// Lineages: what a world that was restored or forked hands out, and what it makes of numbers that clients keep from before.
import t from 'tap';
import type { Engine } from '../../../engine/engine.js';
import { WORLD_TOPIC } from '../../../engine/events/kinds.js';
import type { Row } from '../../../engine/rows/world-rows.js';
import { LINEAGE_GAP_MIN } from '../../../engine/rules/record-limits.js';
import { parsePlayerId, playerId } from '../../../engine/terms/ids.js';
import { loadRows, WorldStory } from '../../support/world-story.js';

const BASE = 5_000_000_000;
const LATER_BASE = 12_000_000_000;
/** What another world went on from that was restored from the same state. */
const OTHER_BASE = 7_000_000_000;

/** A world with two players, the engine of one that goes on from there, and a way to go on in it. */
function restored(base = BASE) {
  const story = new WorldStory();
  for (const name of ['ada', 'bob']) story.bot(name);
  const engine = loadRows(story.engine.snapshotRows());
  engine.beginLineage(base);
  return { story, engine };
}

function goOn(engine: Engine, ...names: string[]): void {
  for (const name of names)
    engine.apply(engine.nowMs, { type: 'create_player', name, isBot: true, keyHash: null, nameKey: name });
}

t.test('a world that goes on from another one hands out numbers above its base', async (t) => {
  const { story, engine } = restored();
  goOn(engine, 'new');
  const { world } = engine;
  t.equal(engine.seq, BASE + 1);
  t.same([world.lastFleetNumber, world.lastQueueNumber, world.lastReportNumber], [BASE, BASE, BASE]);
  t.same(
    [1, 2, 3].map((number) => playerId(world, number)),
    ['player-1', 'player-2', `player-${BASE + 3}`],
  );
  t.equal(parsePlayerId(world, `player-${BASE + 3}`), 3);
  t.equal(parsePlayerId(world, 'player-2'), 2, 'ids from before stay');
  t.equal(parsePlayerId(world, 'player-3'), -1, 'the third player of a lost past is nobody');
  t.equal(parsePlayerId(world, `player-${BASE + 2}`), -1, 'each player has one id');
  t.equal(parsePlayerId(world, `player-${OTHER_BASE + 3}`) > world.lastPlayerNumber, true);
  story.bot('lost');
  t.equal(playerId(story.world, 3), 'player-3', 'the other world counts on as ever');
});

t.test('a seq from before is known if its event is, and no other one ever becomes known', async (t) => {
  const { engine } = restored();
  const { eventLog } = engine.world;
  t.same([eventLog.oldestSeq(WORLD_TOPIC), eventLog.lastSeq(WORLD_TOPIC)], [BASE + 1, BASE + 2]);
  const known = [0, 1, 2, 3, 4, 5];
  const expected = [BASE, BASE + 1, BASE + 2, null, null, null];
  t.same(
    known.map((seq) => eventLog.presentSeq(WORLD_TOPIC, seq)),
    expected,
  );
  goOn(engine, 'one', 'two', 'three');
  t.equal(eventLog.lastSeq(WORLD_TOPIC), BASE + 5);
  t.same(
    known.map((seq) => eventLog.presentSeq(WORLD_TOPIC, seq)),
    expected,
    'now it has five events of its own',
  );
  const after = eventLog.read(WORLD_TOPIC, BASE + 2, 10, engine.seq);
  t.same(
    after.map(({ seq, event }) => [seq, event.kind]),
    [3, 4, 5].map((n) => [BASE + n, 'player_joined']),
  );
  t.equal(eventLog.presentSeq(WORLD_TOPIC, OTHER_BASE + 3), OTHER_BASE + 3, 'far above its last event');
});

t.test('that holds over several lineages, and after a snapshot', async (t) => {
  const { engine: first } = restored();
  goOn(first, 'one', 'two');
  const second = loadRows(first.snapshotRows());
  t.equal(second.stateHash(), first.stateHash());
  goOn(first, 'lost');
  second.beginLineage(LATER_BASE);
  goOn(second, 'kept', 'more');
  const engine = loadRows(second.snapshotRows());
  const { eventLog } = engine.world;
  t.equal(eventLog.lastSeq(WORLD_TOPIC), LATER_BASE + 6);
  const seqs = [2, 3, BASE + 1, BASE + 4, BASE + 5, LATER_BASE + 6];
  const expected = [LATER_BASE + 2, null, LATER_BASE + 1, LATER_BASE + 4, null, LATER_BASE + 6];
  t.same(
    seqs.map((seq) => eventLog.presentSeq(WORLD_TOPIC, seq)),
    expected,
  );
  const ids = [2, 3, 4, 5, 6].map((number) => playerId(engine.world, number));
  t.same(ids, [
    'player-2',
    ...[BASE + 3, BASE + 4, LATER_BASE + 5, LATER_BASE + 6].map((number) => `player-${number}`),
  ]);
  t.same(
    ids.map((id) => parsePlayerId(engine.world, id)),
    [2, 3, 4, 5, 6],
  );
  t.equal(parsePlayerId(engine.world, `player-${BASE + 5}`), -1, 'who was created in a past that is lost');
});

t.test('lineages are in the hash, and a snapshot whose lineages cannot be is refused', async (t) => {
  const { story, engine } = restored();
  const rows = [...engine.snapshotRows()];
  const place = rows.findIndex(([kind]) => kind === 17);
  t.same(rows[place], [17, BASE, 2]);
  t.not(engine.stateHash(), restored(OTHER_BASE).engine.stateHash());
  for (const [row, sentence] of [
    [[17, 0, 2], /base/],
    [[17, BASE + 1, 2], /base/],
    [[17, BASE, 3], /players that were never created/],
    [[17, BASE, -1], /players before/],
  ] as const) {
    const changed = rows.map((each, index): Row => (index === place ? row : each));
    t.throws(() => loadRows(changed), { message: sentence }, JSON.stringify(row));
  }
  const twice = [...rows.slice(0, place + 1), ...rows.slice(place)];
  t.throws(() => loadRows(twice), { message: /cannot follow/ });
  for (const base of [story.engine.highestNumber + LINEAGE_GAP_MIN - 1, Number.NaN])
    t.throws(() => story.engine.beginLineage(base), RangeError);
});
