// Replay leads to the same state, or is refused with the seq at which the damage begins.
import { crc32 } from 'node:zlib';
import t, { type Test } from 'tap';
import { type Command, encodeCommand } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { type BatchRecord, encodeRecord, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import { LmdbLog } from '../../../persistence/log/lmdb/lmdb-log.js';
import type { CommandLog, StoredRecord } from '../../../persistence/log/log.js';
import { MemoryLog } from '../../../persistence/log/memory-log.js';
import { type RecoveryProgress, recoverToWrite, type WritableWorld } from '../../../persistence/recovery/recovery.js';
import { altered } from '../../support/altered.js';
import { FaultyLog } from '../../support/faulty-log.js';
import { appendRecords } from '../../support/log-writing.js';
import { MemorySnapshots } from '../../support/stores/memory-snapshots.js';
import { recordsOf } from '../log/log-contract.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const START_MS = 946_684_800_000;
const GENESIS: Command = {
  type: 'genesis',
  seed: 5,
  systemsPerGalaxy: 300,
  speedThousandths: 1_000,
  rulesVersion: 1,
  startMs: START_MS,
  rules: STANDARD_1_RULES.text,
};

function bot(number: number): Command {
  return { type: 'create_player', name: `bot ${number}`, isBot: true, keyHash: null, nameKey: `bot ${number}` };
}

/** Four records with the entries 1, 2..3, 4..6 and 7. */
const BATCHES: readonly Command[][] = [[GENESIS], [bot(1), bot(2)], [bot(3), bot(4), bot(5)], [bot(6)]];

/** The records of the batches, chained, each entry a millisecond after the one before; `change` may damage a frame. */
function recordsFor(
  batches: readonly Command[][],
  change: (frame: BatchRecord) => BatchRecord = (frame) => frame,
): StoredRecord[] {
  let previousHash: Uint8Array = NO_PREVIOUS_HASH;
  let firstSeq = 1;
  return batches.map((commands) => {
    const entries = commands.flatMap((command, index) => {
      const sinceMs = index === 0 ? START_MS + firstSeq - 1 : 1;
      return [sinceMs, encodeCommand(command)];
    });
    const frame = change({ rulesVersion: 1, firstSeq, count: commands.length, previousHash, entries });
    const record = { firstSeq, bytes: encodeRecord(frame) };
    previousHash = recordHash(record.bytes);
    firstSeq += commands.length;
    return record;
  });
}

async function logOf(records: readonly StoredRecord[], log: CommandLog = new MemoryLog()): Promise<CommandLog> {
  await appendRecords(log, records);
  return log;
}

function recovered(log: CommandLog, onProgress?: RecoveryProgress): Promise<WritableWorld> {
  const progress = onProgress === undefined ? {} : { onProgress };
  return recoverToWrite(log, new MemorySnapshots(), progress);
}

function flipped(record: StoredRecord, at: number): StoredRecord {
  const bytes = Buffer.from(record.bytes);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return { ...record, bytes };
}

function torn(record: StoredRecord): StoredRecord {
  return { ...record, bytes: record.bytes.subarray(0, record.bytes.length - 3) };
}

/** Checks that the log is refused at the seq, and left as it was. */
async function refusedAt(t: Test, records: readonly StoredRecord[], seq: number, words: RegExp): Promise<void> {
  const log = await logOf(records);
  await t.rejects(recovered(log), { name: 'RecoveryRefused', seq, message: words });
  t.same(await recordsOf(log, 1), records, 'nothing was changed');
  t.equal(await log.currentEpoch(), 1, 'and the log was not acquired');
}

t.test('replay leads to the state that was live', async (t) => {
  const live = Engine.create();
  let atMs = START_MS;
  for (const command of BATCHES.flat()) live.apply(atMs++, command);
  const records = recordsFor(BATCHES);
  const { engine, recovery } = await recovered(await logOf(records));
  t.equal(engine.stateHash(), live.stateHash());
  t.equal(engine.nowMs, live.nowMs);
  t.match(recovery, { recordCount: 4, entryCount: 7, tail: { lastSeq: 7 }, tornTail: undefined });
  t.same(recovery.tail.hash, recordHash(records[3]?.bytes ?? Buffer.alloc(0)));
});

t.test('an empty log is an empty world', async (t) => {
  const { recovery } = await recovered(new MemoryLog());
  t.match(recovery, { recordCount: 0, entryCount: 0, tail: { lastSeq: 0, hash: NO_PREVIOUS_HASH } });
});

t.test('records of an older writer are replayed up to the acquisition of the log, and none after it', async (t) => {
  const records = recordsFor(BATCHES);
  const append = async (log: CommandLog, record: StoredRecord | undefined): Promise<void> => {
    if (record !== undefined) await appendRecords(log, [record]);
  };
  const log = await logOf(records.slice(0, 2));
  /** Its older writer writes right before and after the acquisition. */
  const busyLog = altered(log, {
    async acquire() {
      await append(log, records[2]);
      const epoch = await log.acquire();
      await t.rejects(append(log, records[3]), { name: 'Fenced', epoch: 1 });
      return epoch;
    },
  });
  const { engine, recovery, epoch } = await recovered(busyLog);
  t.equal(epoch, 2);
  t.equal(engine.seq, 6);
  t.match(recovery, { recordCount: 3, entryCount: 6, tail: { lastSeq: 6 } });
  t.same(recovery.tail.hash, recordHash(records[2]?.bytes ?? Buffer.alloc(0)));
});

t.test('progress is reported record by record, up to the total', async (t) => {
  const told: [number, number | undefined][] = [];
  const onProgress: RecoveryProgress = (_unit, done, total) => told.push([done, total]);
  await recovered(await logOf(recordsFor(BATCHES)), onProgress);
  t.same(told, [
    [1, 7],
    [3, 7],
    [6, 7],
    [7, 7],
  ]);
});

for (const [how, damage] of Object.entries({
  'cut short': torn,
  'without a single byte': (record: StoredRecord) => ({ ...record, bytes: Buffer.alloc(0) }),
})) {
  t.test(`the last record, ${how}, is dropped and reported, and the world continues from before it`, async (t) => {
    const records = recordsFor(BATCHES);
    const spoilt = damage(records[3] as StoredRecord);
    const log = await LmdbLog.open(await temporaryFolder(t));
    t.teardown(() => log.close());
    await logOf([...records.slice(0, 3), spoilt], log);
    const { engine, recovery, epoch } = await recovered(log);
    t.equal(engine.seq, 6);
    t.match(recovery, {
      recordCount: 3,
      entryCount: 6,
      tail: { lastSeq: 6, hash: recordHash(records[2]?.bytes ?? Buffer.alloc(0)) },
      tornTail: { firstSeq: 7, byteCount: spoilt.bytes.length },
    });
    const { bytes } = records[3] as StoredRecord;
    await log.append({ epoch, expectedSeq: 6, lastSeq: 7, bytes });
    t.equal((await recovered(log)).engine.seq, 7, 'its place can be written again');
  });
}

for (const spoiltIndex of [0, 1, 2]) {
  t.test(`damage in record ${spoiltIndex + 1} of 4 refuses the start and names its seq`, async (t) => {
    const records = recordsFor(BATCHES);
    const spoilt = records[spoiltIndex] as StoredRecord;
    for (const damaged of [torn(spoilt), flipped(spoilt, 3), flipped(spoilt, spoilt.bytes.length - 1)]) {
      await refusedAt(t, records.with(spoiltIndex, damaged), spoilt.firstSeq, /not sound/);
    }
  });
}

t.test('damage in a last record of full length refuses the start: it may have been acknowledged', async (t) => {
  const records = recordsFor(BATCHES);
  const last = records[3] as StoredRecord;
  const longer = { ...last, bytes: Buffer.concat([last.bytes, Buffer.alloc(1)]) };
  for (const damaged of [flipped(last, 0), flipped(last, 8), flipped(last, 50), longer]) {
    await refusedAt(t, records.with(3, damaged), 7, /not sound/);
  }
});

t.test('a missing record refuses the start and names its seq', async (t) => {
  const [first, , third, fourth] = recordsFor(BATCHES) as [StoredRecord, StoredRecord, StoredRecord, StoredRecord];
  await refusedAt(t, [first, third, fourth], 2, /must begin there, but the next one begins at 4/);
});

t.test('a log whose newest record is not reached refuses the start and names the missing seq', async (t) => {
  for (const newestSeq of [7, 1]) {
    // The keys of some records are damaged: reading does not reach them, or finds them under another seq.
    const log = await logOf(
      recordsFor(BATCHES),
      new FaultyLog({ misread: (record) => (record.firstSeq > 2 ? undefined : record) }),
    );
    const newest = (await log.last()) as StoredRecord;
    const damaged = altered(log, { last: async () => ({ ...newest, firstSeq: newestSeq }) });
    await t.rejects(recovered(damaged), {
      name: 'RecoveryRefused',
      seq: 4,
      message: /the newest one reaches to seq 7/,
    });
  }
});

t.test('a log without its beginning refuses the start', async (t) => {
  await refusedAt(t, recordsFor(BATCHES).slice(1), 1, /the log begins at seq 2, and no snapshot/);
});

t.test('a sound record of another history refuses the start, even as the last one', async (t) => {
  const other = recordsFor([[GENESIS], [bot(8), bot(9)], [bot(3), bot(4), bot(5)], [bot(7)]]);
  const records = recordsFor(BATCHES);
  await refusedAt(t, records.with(3, other[3] as StoredRecord), 7, /wrong_previous_hash/);
  await refusedAt(t, records.with(1, other[1] as StoredRecord), 4, /wrong_previous_hash/);
});

t.test('a record of a later format refuses the start, even as the last one', async (t) => {
  const records = recordsFor(BATCHES);
  const last = records[3] as StoredRecord;
  const bytes = Buffer.from(last.bytes);
  bytes.writeUInt16BE(2, 12);
  bytes.writeUInt32BE(crc32(bytes.subarray(8)), 4);
  await refusedAt(t, records.with(3, { ...last, bytes }), 7, /unknown_format/);
});

t.test('a record of unknown rules refuses the start, even as the last one', async (t) => {
  const records = recordsFor(BATCHES, (frame) => (frame.firstSeq === 7 ? { ...frame, rulesVersion: 9 } : frame));
  await refusedAt(t, records, 7, /unknown_rules/);
});

t.test('an entry that is refused in replay refuses the start and names its own seq', async (t) => {
  const research: Command = { type: 'start_research', playerNumber: 1, researchType: 0 };
  await refusedAt(t, recordsFor([[GENESIS], [bot(1), research, research], [bot(2)]]), 4, /research_in_progress/);
});

t.test('an entry that breaks an invariant in replay refuses the start and names its own seq', async (t) => {
  await refusedAt(t, recordsFor([[GENESIS], [bot(1), bot(2), bot(1)]]), 4, /cannot be applied/);
});

t.test('an unknown command refuses the start and names its seq', async (t) => {
  const records = recordsFor([[GENESIS], [bot(1)]], (frame) =>
    frame.firstSeq === 2 ? { ...frame, entries: [START_MS + 1, [65_000]] } : frame,
  );
  await refusedAt(t, records, 2, /65000 is not known/);
});

t.test('a torn genesis leaves an empty log', async (t) => {
  const log = await logOf(recordsFor([[GENESIS]]).map(torn));
  const { recovery } = await recovered(log);
  t.match(recovery, { entryCount: 0, tornTail: { firstSeq: 1 } });
  t.equal(await log.last(), undefined);
});
