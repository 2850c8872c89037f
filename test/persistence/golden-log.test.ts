// A fixed log of this format, in LMDB's own files: every later version must still replay it to the same world. After an
// intended change: `npm test -- --snapshot test/persistence/golden-log.test.ts` writes it anew.
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Engine } from '../../engine/engine.js';
import { RULES_VERSION, STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { Batch } from '../../persistence/log/batch.js';
import { NO_PREVIOUS_HASH, recordHash } from '../../persistence/log/batch-record.js';
import { LmdbLog } from '../../persistence/log/lmdb/lmdb-log.js';
import type { CommandLog, StoredRecord } from '../../persistence/log/log.js';
import { openWorld } from '../../persistence/open-world.js';
import { replay } from '../../persistence/recovery/replay.js';
import { storeAt } from '../../persistence/store-url.js';
import { CUSTOM_RULES } from '../support/custom-rules.js';
import { fullScene } from '../support/full-scene.js';
import { appendRecords, epochOf } from '../support/log-writing.js';
import { settleBots } from '../support/random-play.js';
import { WorldStory } from '../support/world-story.js';
import { recordsOf } from './log-contract.js';
import { temporaryFolder } from './temporary-folder.js';

const GOLDEN = fileURLToPath(new URL('../../../test/golden/log', import.meta.url));
/** Entries per record, and records per segment: several of each. */
const BATCH_ENTRIES = 7;
const SEGMENT_RECORDS = 3;

/** The records of the golden world's story. */
function goldenRecords(): StoredRecord[] {
  const { entries } = fullScene({ hasEvents: false }).story;
  const records: StoredRecord[] = [];
  let previousHash: Uint8Array = NO_PREVIOUS_HASH;
  for (let first = 0; first < entries.length; first += BATCH_ENTRIES) {
    const batch = new Batch(first + 1);
    for (const { atMs, row } of entries.slice(first, first + BATCH_ENTRIES)) batch.tryAdd(atMs, row);
    const bytes = batch.encode(RULES_VERSION, previousHash);
    previousHash = recordHash(bytes);
    records.push({ firstSeq: batch.firstSeq, bytes });
  }
  return records;
}

async function writeGolden(folder: string): Promise<void> {
  const log = await LmdbLog.open(folder);
  for (const [index, record] of goldenRecords().entries()) {
    if (index > 0 && index % SEGMENT_RECORDS === 0) await log.cut(await epochOf(log), record.firstSeq);
    await appendRecords(log, [record]);
  }
  await log.close();
  // The lock file belongs to the process that writes.
  for (const name of await readdir(folder)) await rm(join(folder, name, 'lock.mdb'));
}

async function withGolden<T>(look: (log: CommandLog) => Promise<T>, folder: string): Promise<T> {
  await cp(GOLDEN, folder, { recursive: true });
  const log = await LmdbLog.open(folder);
  try {
    return await look(log);
  } finally {
    await log.close();
  }
}

t.test('the golden log holds the records of the golden world, byte by byte', async (t) => {
  if (process.env['TAP_SNAPSHOT'] === '1') {
    await rm(GOLDEN, { recursive: true, force: true });
    await writeGolden(GOLDEN);
  }
  t.ok((await readdir(GOLDEN)).length >= 2);
  const folder = await temporaryFolder(t);
  t.same(await withGolden((log) => recordsOf(log, 1), join(folder, 'log')), goldenRecords());
});

t.test('the golden log is of a build without epochs, and can be acquired', async (t) => {
  const folder = await temporaryFolder(t);
  const epochs = await withGolden(
    async (log) => [await log.currentEpoch(), await log.acquire(), await log.currentEpoch()],
    join(folder, 'log'),
  );
  t.same(epochs, [0, 1, 1]);
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
