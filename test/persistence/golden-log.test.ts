// A fixed log of this format, in LMDB's own files: every later version must still replay it to the same world. After an
// intended change: `TAP_SNAPSHOT=1 npm test -- test/persistence/golden-log.test.ts` writes it anew.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Engine } from '../../engine/engine.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import type { CommandLog, StoredRecord } from '../../persistence/log/log.js';
import { openWorld } from '../../persistence/open-world.js';
import { replay } from '../../persistence/recovery/replay.js';
import { storeAt } from '../../persistence/store-url.js';
import { CUSTOM_RULES } from '../support/custom-rules.js';
import { fullScene } from '../support/full-scene.js';
import { settleBots } from '../support/random-play.js';
import { WorldStory } from '../support/world-story.js';
import { recordsOfStory, withGoldenLog, writeGoldenLog } from './golden-files.js';
import { recordsOf } from './log-contract.js';
import { temporaryFolder } from './temporary-folder.js';

const GOLDEN = fileURLToPath(new URL('../../../test/golden/log', import.meta.url));
/** The records of the golden world's story. */
const goldenRecords = (): StoredRecord[] => recordsOfStory(fullScene({ hasEvents: false }).story);

const withGolden = <T>(look: (log: CommandLog) => Promise<T>, folder: string): Promise<T> =>
  withGoldenLog(GOLDEN, folder, look);

t.test('the golden log holds the records of the golden world, byte by byte', async (t) => {
  if (process.env['TAP_SNAPSHOT'] === '1') await writeGoldenLog(GOLDEN, goldenRecords());
  t.ok((await readdir(GOLDEN)).length >= 2);
  const folder = await temporaryFolder(t);
  t.same(await withGolden((log) => recordsOf(log, 1), join(folder, 'log')), goldenRecords());
});

t.test('the golden log can be acquired, in the epoch after that of its writer', async (t) => {
  const folder = await temporaryFolder(t);
  const epochs = await withGolden(
    async (log) => [await log.currentEpoch(), await log.acquire(), await log.currentEpoch()],
    join(folder, 'log'),
  );
  t.same(epochs, [1, 2, 2]);
});

t.test('the golden log leads to the golden world, beside a world of other rules', async (t) => {
  const other = new WorldStory({ rules: CUSTOM_RULES.text });
  settleBots(other, 2);
  const { engine: live } = fullScene({ hasEvents: false }).story;
  const folder = await temporaryFolder(t);
  const engine = Engine.create();
  await withGolden((log) => replay(log, engine), join(folder, 'log'));
  t.equal(engine.seq, live.seq);
  t.equal(engine.stateHash(), live.stateHash());
  t.equal(engine.world.rules, STANDARD_1_RULES);
  t.equal(other.world.rules.text, CUSTOM_RULES.text);
  const world = await openWorld({ store: storeAt(folder, { diskFloorBytes: 1 }), clock: 'manual' });
  live.apply(live.nowMs, { type: 'begin_events' });
  t.equal(world.engine.stateHash(), live.stateHash(), 'a server continues from it, and records events from now on');
  await world.close();
});
