// A fixed log, a fixed snapshot and the fixed events of a world that keeps events: every later version must still read them. After an
// intended change: `npm test -- --snapshot test/persistence/golden-events.test.ts` writes them anew.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Engine } from '../../engine/engine.js';
import { EventView } from '../../http/events/event-view.js';
import { replay } from '../../persistence/recovery/replay.js';
import { SnapshotFolder } from '../../persistence/snapshots/snapshot-files.js';
import { readSnapshot } from '../../persistence/snapshots/snapshot-reader.js';
import { EventOracle } from '../support/event-oracle.js';
import { fullScene } from '../support/full-scene.js';
import { HOUR_MS, type WorldStory } from '../support/world-story.js';
import { recordsOfStory, withGoldenLog, writeGoldenLog, writeGoldenSnapshot } from './golden-files.js';
import { recordsOf } from './log-contract.js';
import { temporaryFolder } from './temporary-folder.js';

const GOLDEN = fileURLToPath(new URL('../../../test/golden/events', import.meta.url));
const LOG = join(GOLDEN, 'log');
const SNAPSHOTS = join(GOLDEN, 'snapshots');
const TOLD = join(GOLDEN, 'events.txt');

/** The full scene and what comes of it, newcomers, and somebody who is retired. */
function goldenStory(): WorldStory {
  const { story } = fullScene({ hasEvents: true });
  story.advance(HOUR_MS);
  story.does({ type: 'create_players', count: 3, namePrefix: 'newcomer', keyHashes: ['key-1', 'key-2', 'key-3'] });
  story.does({ type: 'retire_players', playerNumbers: [story.world.lastPlayerNumber] });
  return story;
}

/** The events that a world keeps, as readers see them, and its state hash. */
function told(engine: Engine): string {
  const { world } = engine;
  const { eventLog, lastPlayerNumber } = world;
  const view = new EventView(world);
  const lines: string[] = [];
  for (let receiver = -1; receiver <= lastPlayerNumber; receiver += 1) {
    const kept = eventLog.read(receiver, eventLog.oldestSeq(receiver) - 1, Number.POSITIVE_INFINITY, engine.seq);
    for (const { seq, entrySeq, event } of kept) lines.push(`${receiver} ${entrySeq} ${view.text(seq, event)}`);
  }
  return [...lines, engine.stateHash(), ''].join('\n');
}

t.before(async () => {
  if (process.env['TAP_SNAPSHOT'] !== '1') return;
  const story = goldenStory();
  await rm(GOLDEN, { recursive: true, force: true });
  await writeGoldenLog(LOG, recordsOfStory(story));
  await writeGoldenSnapshot(SNAPSHOTS, story.engine);
  await writeFile(TOLD, told(story.engine));
});

t.test('the golden log with events holds the records of its story, and leads to the golden events', async (t) => {
  const engine = Engine.create();
  const folder = await temporaryFolder(t);
  const records = await withGoldenLog(LOG, join(folder, 'log'), async (log) => {
    await replay(log, engine);
    return await recordsOf(log, 1);
  });
  t.same(records, recordsOfStory(goldenStory()));
  t.equal(told(engine), await readFile(TOLD, 'utf8'));
});

t.test('the golden snapshot with events is the golden world, byte by byte', async (t) => {
  const { engine: live } = goldenStory();
  const store = new SnapshotFolder(SNAPSHOTS);
  t.same(await store.list(), [live.seq]);
  const { engine, manifest } = await readSnapshot(store, live.seq);
  t.equal(told(engine), await readFile(TOLD, 'utf8'));
  t.equal(manifest.stateHash, live.stateHash());
  const folder = await temporaryFolder(t);
  const name = await writeGoldenSnapshot(folder, live);
  for (const file of ['manifest.json', 'rows']) {
    const [written, golden] = await Promise.all([folder, SNAPSHOTS].map((path) => readFile(join(path, name, file))));
    t.equal(written?.toString('hex'), golden?.toString('hex'), file);
  }
});

t.test('the golden events are those that the entries cause', async (t) => {
  const { entries, engine } = goldenStory();
  const oracle = new EventOracle(entries);
  const receivers = [...oracle.receivers].sort((a, b) => a - b);
  const lines = receivers.flatMap((receiver) =>
    oracle.of(receiver).map((event) => `${receiver} ${event.entrySeq} ${oracle.text(event)}`),
  );
  t.equal([...lines, engine.stateHash(), ''].join('\n'), await readFile(TOLD, 'utf8'));
});
