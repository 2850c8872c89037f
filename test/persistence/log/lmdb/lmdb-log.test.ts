// The embedded log: the contract of every log, and what is specific to LMDB.
import { mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { BYTES_PER_READ, COPY_BATCH_RECORDS } from '../../../../persistence/limits.js';
import { newestHead, pageBytesOf } from '../../../../persistence/log/lmdb/lmdb-format.js';
import { LmdbLog } from '../../../../persistence/log/lmdb/lmdb-log.js';
import { segmentName } from '../../../../persistence/log/lmdb/lmdb-segment.js';
import { type Append, Fenced, LogConflict } from '../../../../persistence/log/log.js';
import { appendRecords } from '../../../support/log-writing.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { append, recordsOf, seqsOf, testLogContract } from '../log-contract.js';
import { soundRecord } from '../sound-record.js';

async function openLog(t: Test, folder?: string): Promise<LmdbLog> {
  const log = await LmdbLog.open(folder ?? (await temporaryFolder(t)));
  t.teardown(() => log.close());
  return log;
}

await testLogContract(t, (t) => openLog(t));

t.test('records are still there after the log was closed and opened again', async (t) => {
  const folder = await temporaryFolder(t);
  const log = await openLog(t, folder);
  const records = [soundRecord(1, 3), soundRecord(4, 5)];
  await appendRecords(log, records);
  await log.close();
  const again = await openLog(t, folder);
  t.same(await recordsOf(again, 1), records);
  await appendRecords(again, [soundRecord(9)]);
  t.same(await seqsOf(again, 1), [1, 4, 9]);
});

/** The record of the tests at a seq, with one entry. */
function appendOf(epoch: number, firstSeq: number): Append {
  return { epoch, expectedSeq: firstSeq - 1, lastSeq: firstSeq, bytes: soundRecord(firstSeq).bytes };
}

t.test('the epoch is durable, and each process that acquires the log raises it', async (t) => {
  const folder = await temporaryFolder(t);
  for (const epoch of [1, 2, 3]) {
    const log = await openLog(t, folder);
    t.equal(await log.currentEpoch(), epoch - 1);
    t.equal(await log.acquire(), epoch);
    await log.append(appendOf(epoch, epoch));
    await log.close();
  }
  const log = await openLog(t, folder);
  const epoch = await log.acquire();
  await log.cut(epoch, 4);
  await log.close();
  const again = await openLog(t, folder);
  t.equal(await again.currentEpoch(), 4, 'a cut takes it into the next segment');
  t.same(await seqsOf(again, 1), [1, 2, 3], 'it is not a record');
  t.equal(again.firstSeq, 1);
});

t.test('a writer whose log another process has acquired changes nothing any more', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openLog(t, folder);
  const older = await first.acquire();
  await first.append(appendOf(older, 1));
  await first.cut(older, 2);
  await first.append(appendOf(older, 2));
  const second = await openLog(t, folder);
  const newer = await second.acquire();
  t.equal(newer, 2);
  t.equal(await first.currentEpoch(), 2, 'it can see that');
  const names = await readdir(folder);
  await t.rejects(first.append(appendOf(older, 3)), Fenced);
  await t.rejects(first.dropLast(older, 2), Fenced);
  await t.rejects(first.cut(older, 3), Fenced);
  await t.rejects(first.prune(older, 2), Fenced);
  t.same(await readdir(folder), names);
  t.same(await seqsOf(second, 1), [1, 2]);
  await second.append(appendOf(newer, 3));
  await second.cut(newer, 4);
  await t.rejects(first.append(appendOf(older, 3)), Fenced, 'a closed segment fences it as well');
  await second.append(appendOf(newer, 4));
  t.same(await seqsOf(second, 1), [1, 2, 3, 4]);
});

t.test('the process that acquires a log sees everything that was appended before', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openLog(t, folder);
  const older = await first.acquire();
  await first.append(appendOf(older, 1));
  const second = await openLog(t, folder);
  await first.append(appendOf(older, 2));
  const newer = await second.acquire();
  t.same(await seqsOf(second, 1), [1, 2]);
  await second.append(appendOf(newer, 3));
  t.same(await seqsOf(second, 1), [1, 2, 3]);
});

t.test('a log that was cut since it was opened cannot be acquired: its newest segment is unknown', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openLog(t, folder);
  const epoch = await first.acquire();
  await first.append(appendOf(epoch, 1));
  const second = await openLog(t, folder);
  await first.cut(epoch, 2);
  await t.rejects(second.acquire(), LogConflict);
  await first.append(appendOf(epoch, 2));
});

t.test('of two processes that acquire an empty log, the second to write is refused', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openLog(t, folder);
  const second = await openLog(t, folder);
  const epochs = [await first.acquire(), await second.acquire()] as const;
  await first.append(appendOf(epochs[0], 1));
  await t.rejects(second.append(appendOf(epochs[1], 1)), LogConflict);
  const third = await openLog(t, folder);
  t.equal(await third.acquire(), 2);
  t.same(await seqsOf(third, 1), [1]);
});

t.test('a second append while one is in flight breaks an invariant', async (t) => {
  const log = await openLog(t);
  const epoch = await log.acquire();
  const first = log.append(appendOf(epoch, 1));
  await t.rejects(log.append(appendOf(epoch, 2)), { message: 'an append is in flight already' });
  await first;
  t.same(await seqsOf(log, 1), [1]);
});

t.test('LMDB flushes each commit before its head refers to it', async (t) => {
  const folder = await temporaryFolder(t);
  const log = await openLog(t, folder);
  await append(log, [1, 2, 3]);
  const bytes = await readFile(join(folder, segmentName(1), 'data.mdb'));
  const [pageBytes, headAt, flagsAt, overlappingSync] = [4_096, 24, 28, 0x1000];
  // With overlapping syncs, lmdb marks the heads as not flushed yet, and repeats the flushed one in the middle of a page.
  for (const page of [0, 1]) {
    t.equal(bytes.readUInt16LE(page * pageBytes + headAt + flagsAt) & overlappingSync, 0, `head ${page}`);
  }
  t.ok(bytes.subarray(pageBytes / 2, pageBytes).every((byte) => byte === 0));
});

t.test('records appended at once are one transaction: each further one would run in a thread of its own', async (t) => {
  const folder = await temporaryFolder(t);
  const log = await openLog(t, folder);
  const epoch = await log.acquire();
  await log.append(appendOf(epoch, 1));
  const transactionOf = async (): Promise<number> => {
    const bytes = await readFile(join(folder, segmentName(1), 'data.mdb'));
    return newestHead(bytes, pageBytesOf(bytes)).transaction;
  };
  let transaction = await transactionOf();
  // With several transactions a turn, one group in five would still be one by chance.
  for (let group = 0; group < 10; group += 1) {
    const firstSeq = 2 + group * COPY_BATCH_RECORDS;
    await log.appendAll(Array.from({ length: COPY_BATCH_RECORDS }, (_, index) => appendOf(epoch, firstSeq + index)));
    transaction += 1;
    t.equal(await transactionOf(), transaction);
  }
});

t.test('a closed log accepts no record', async (t) => {
  const log = await openLog(t);
  await append(log, [1]);
  await log.close();
  await t.rejects(append(log, [2]), { message: 'the log is closed' });
});

t.test('a new segment and its names are durable before its first record counts', async (t) => {
  const synced: [path: string, names: string[]][] = [];
  const sync = async (path: string): Promise<void> => {
    const isFolder = (await stat(path)).isDirectory();
    synced.push([path, isFolder ? (await readdir(path)).sort() : []]);
  };
  const folder = await temporaryFolder(t);
  const log = await LmdbLog.open(folder, sync);
  await append(log, [1]);
  const segment = 'log-0000000000000001';
  const files = ['data.mdb', 'lock.mdb'];
  const begun = join(folder, `.begun-${segment}`);
  t.same(synced, [
    [join(begun, 'data.mdb'), []],
    [begun, files],
    [folder, [`.begun-${segment}`]],
    [folder, [segment]],
  ]);
  await log.close();
  synced.length = 0;
  const again = await LmdbLog.open(folder, sync);
  t.same(
    synced,
    [
      [join(folder, segment), files],
      [folder, [segment]],
    ],
    'and again at the next start, because its creator may have died in between',
  );
  await again.close();
});

t.test('the folder of a log is readable only by its owner', { skip: process.platform === 'win32' }, async (t) => {
  const folder = join(await temporaryFolder(t), 'log');
  await openLog(t, folder);
  t.equal((await stat(folder)).mode & 0o777, 0o700);
});

t.test('reading large records also lets the event loop turn', async (t) => {
  const log = await openLog(t);
  const bytes = Buffer.alloc(BYTES_PER_READ / 4, 'galaxy');
  await appendRecords(
    log,
    Array.from({ length: 12 }, (_, index) => ({ firstSeq: index + 1, bytes })),
  );
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turning = setImmediate(count);
  };
  let turning = setImmediate(count);
  t.same(await seqsOf(log, 1), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  clearImmediate(turning);
  t.ok(turns >= 3, `${turns} turns`);
});

const showsOpenFiles = process.platform === 'linux';

t.test('if a segment cannot be opened, those before it are closed', { skip: !showsOpenFiles }, async (t) => {
  const folder = await temporaryFolder(t);
  const log = await openLog(t, folder);
  await append(log, [1]);
  await log.close();
  const broken = join(folder, 'log-0000000000000009');
  await mkdir(broken);
  await writeFile(join(broken, 'data.mdb'), Buffer.alloc(65_536, 'not LMDB'));
  await t.rejects(LmdbLog.open(folder), { name: 'LogUnreadable', message: /log-0000000000000009.data.mdb is damaged/ });
  const files = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  t.same(
    files.filter((path) => path.startsWith(join(folder, 'log-0000000000000001'))),
    [],
  );
});
