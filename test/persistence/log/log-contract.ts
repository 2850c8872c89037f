// What every log must do: tests that the embedded one and the one in memory both pass.
import type { Test } from 'tap';
import { RECORDS_PER_READ } from '../../../persistence/limits.js';
import {
  type Append,
  type CommandLog,
  Fenced,
  LogConflict,
  Misplaced,
  type ReadableLog,
  type StoredRecord,
} from '../../../persistence/log/log.js';
import { appendRecords, epochOf } from '../../support/log-writing.js';
import { soundRecord } from './sound-record.js';

/** Opens an empty log that is closed at the end of the test. */
export type OpenLog = (t: Test) => Promise<CommandLog>;

export async function testLogContract(t: Test, openLog: OpenLog): Promise<void> {
  await t.test('a new log is empty', async (t) => {
    const log = await openLog(t);
    t.equal(await log.last(), undefined);
    t.same(await recordsOf(log, 1), []);
  });

  await t.test('records come back byte by byte in the order of their seqs', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 5, 90]);
    t.same(await recordsOf(log, 1), [1, 4, 5, 90].map(record));
  });

  await t.test('reading begins with the record that contains the seq', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 9]);
    t.same(await seqsOf(log, 4), [4, 9], 'its first entry');
    t.same(await seqsOf(log, 8), [4, 9], 'an entry inside it');
    t.same(await seqsOf(log, 1000), [9], 'an entry of the newest record, as far as the log knows');
  });

  await t.test('reading begins with the first record if the seq is older than the log', async (t) => {
    const log = await openLog(t);
    await append(log, [70, 80]);
    t.same(await seqsOf(log, 1), [70, 80]);
  });

  await t.test('the last record is the newest one', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 9]);
    t.same(await log.last(), record(9));
  });

  await t.test('a record at the newest seq or below is a conflict and changes nothing', async (t) => {
    for (const seq of [4, 2]) {
      const log = await openLog(t);
      await append(log, [1, 4]);
      await t.rejects(append(log, [seq]), LogConflict);
      t.same(await recordsOf(log, 1), [1, 4].map(record));
    }
  });

  await t.test('dropping removes the newest record, and its seq can be written again', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 9]);
    await log.dropLast(await epochOf(log), 9);
    t.same(await seqsOf(log, 1), [1, 4]);
    await appendRecords(log, [{ firstSeq: 9, bytes: Buffer.from('again') }]);
    t.same(await log.last(), { firstSeq: 9, bytes: Buffer.from('again') });
  });

  await t.test('only the newest record can be dropped', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 9]);
    await t.rejects(log.dropLast(await epochOf(log), 4), Misplaced);
    await t.rejects(log.dropLast(await epochOf(log), 10), Misplaced);
    t.same(await seqsOf(log, 1), [1, 4, 9]);
  });

  await t.test('it reports where it begins', async (t) => {
    const log = await openLog(t);
    t.equal(log.firstSeq, undefined, 'an empty log begins nowhere');
    await append(log, [1, 4]);
    t.equal(log.firstSeq, 1);
  });

  await t.test('an empty log begins where it is cut', async (t) => {
    const log = await openLog(t);
    await log.cut(await epochOf(log), 70);
    t.equal(log.firstSeq, 70);
    t.equal(await log.last(), undefined);
    await append(log, [70, 80]);
    t.same(await seqsOf(log, 1), [70, 80]);
  });

  await t.test('a log that is cut is read as one', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4], 8);
    await log.cut(await epochOf(log), 9);
    t.same(await log.last(), record(4), 'nothing follows the cut yet');
    t.same(await recordsOf(log, 1), [1, 4].map(record));
    await append(log, [9, 11, 30]);
    await log.cut(await epochOf(log), 31);
    await append(log, [31]);
    t.same(await recordsOf(log, 1), [1, 4, 9, 11, 30, 31].map(record));
    t.same(await seqsOf(log, 8), [4, 9, 11, 30, 31], 'from before the first cut');
    t.same(await seqsOf(log, 12), [11, 30, 31], 'from between the cuts');
    t.same(await seqsOf(log, 31), [31], 'from after the last');
    t.same(await log.last(), record(31));
    t.equal(log.firstSeq, 1);
  });

  await t.test('cutting a second time at the same place changes nothing', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4], 8);
    await log.cut(await epochOf(log), 9);
    await log.cut(await epochOf(log), 9);
    await append(log, [9]);
    t.same(await seqsOf(log, 1), [1, 4, 9]);
  });

  await t.test('a log is cut only right after its last entry, and the next record begins there', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4], 8);
    for (const seq of [2, 4, 8, 10]) await t.rejects(log.cut(await epochOf(log), seq), Misplaced, `at seq ${seq}`);
    await log.cut(await epochOf(log), 9);
    await t.rejects(log.cut(await epochOf(log), 10), Misplaced, 'there is nothing between it and the previous cut');
    await t.rejects(log.dropLast(await epochOf(log), 4), Misplaced, 'a record before a cut cannot be dropped');
    await t.rejects(append(log, [10]), LogConflict, 'there would be a gap');
    t.same(await seqsOf(log, 1), [1, 4]);
  });

  await t.test('pruning removes what is before the newest cut at or before the seq, and keeps the rest', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4], 8);
    await log.cut(await epochOf(log), 9);
    await append(log, [9, 11], 19);
    await log.cut(await epochOf(log), 20);
    await append(log, [20, 25], 29);
    await log.prune(await epochOf(log), 8);
    t.same(await seqsOf(log, 1), [1, 4, 9, 11, 20, 25], 'there is no cut at or before it');
    t.equal(log.firstSeq, 1);
    await log.prune(await epochOf(log), 9);
    t.same(await seqsOf(log, 1), [9, 11, 20, 25]);
    t.equal(log.firstSeq, 9);
    await log.prune(await epochOf(log), 1_000);
    t.same(await recordsOf(log, 1), [20, 25].map(record), 'what follows the newest cut is never pruned');
    t.equal(log.firstSeq, 20);
    await append(log, [30]);
    t.same(await seqsOf(log, 1), [20, 25, 30]);
  });

  await t.test('a log pruned up to its end is empty, and continues where it was cut', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4], 8);
    await log.cut(await epochOf(log), 9);
    await log.prune(await epochOf(log), 9);
    t.equal(log.firstSeq, 9);
    t.equal(await log.last(), undefined);
    await append(log, [9]);
    t.same(await recordsOf(log, 1), [record(9)]);
  });

  await t.test('an empty log has nothing to prune', async (t) => {
    const log = await openLog(t);
    await log.prune(await epochOf(log), 9);
    t.equal(log.firstSeq, undefined);
  });

  await t.test('seqs beyond 32 bits keep their order', async (t) => {
    const log = await openLog(t);
    const seqs = [1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 40];
    await append(log, seqs);
    t.same(await recordsOf(log, 1), seqs.map(record));
  });

  await t.test('a log longer than one read comes back whole, and records already read do not change', async (t) => {
    const log = await openLog(t);
    const seqs = Array.from({ length: 2 * RECORDS_PER_READ + 1 }, (_, index) => 3 * index + 1);
    await append(log, seqs);
    t.same(await recordsOf(log, 1), seqs.map(record));
  });

  await t.test('a large record comes back whole', async (t) => {
    const log = await openLog(t);
    const bytes = Buffer.alloc(3_000_000, 'galaxy');
    await appendRecords(log, [{ firstSeq: 1, bytes }]);
    t.ok(Buffer.from((await log.last())?.bytes ?? []).equals(bytes));
  });

  await testWriters(t, openLog);
  await testFollowers(t, openLog);
}

/** Epochs and expected seqs. */
async function testWriters(t: Test, openLog: OpenLog): Promise<void> {
  await t.test('each acquisition of the log gets a new epoch, above all before', async (t) => {
    const log = await openLog(t);
    t.equal(await log.currentEpoch(), 0);
    const first = await log.acquire();
    t.equal(first, 1);
    await log.append({ ...appendOf(1), epoch: first });
    t.equal(await log.acquire(), 2);
    t.equal(await log.acquire(), 3);
    t.equal(await log.currentEpoch(), 3);
  });

  await t.test('a fenced writer appends nothing, and the newer one continues', async (t) => {
    for (const stored of [[], [soundRecord(1, 3), soundRecord(4, 5)]]) {
      const log = await openLog(t);
      await appendRecords(log, stored);
      const nextSeq = stored.length === 0 ? 1 : 9;
      const [older, newer] = [await log.acquire(), await log.acquire()];
      await t.rejects(log.append({ ...appendOf(nextSeq), epoch: older }), Fenced);
      t.same(await recordsOf(log, 1), stored);
      await log.append({ ...appendOf(nextSeq), epoch: newer });
      await t.rejects(log.append({ ...appendOf(nextSeq + 1), epoch: older }), Fenced, 'again and again');
      t.same(await recordsOf(log, 1), [...stored, soundRecord(nextSeq)]);
    }
  });

  await t.test('a fenced writer cannot drop, cut or prune', async (t) => {
    const log = await openLog(t);
    const records = [soundRecord(1, 3), soundRecord(4, 5), soundRecord(9)];
    await appendRecords(log, records.slice(0, 2));
    await log.cut(await epochOf(log), 9);
    await appendRecords(log, records.slice(2));
    const [older, newer] = [await log.acquire(), await log.acquire()];
    await t.rejects(log.dropLast(older, 9), Fenced);
    await t.rejects(log.cut(older, 10), Fenced);
    await t.rejects(log.prune(older, 9), Fenced);
    t.same(await recordsOf(log, 1), records);
    await log.append({ ...appendOf(10), epoch: newer });
    await t.rejects(log.cut(newer, 10), Misplaced, 'no cut was made there');
    await log.cut(newer, 11);
    await log.prune(newer, 9);
    t.equal(log.firstSeq, 9);
  });

  await t.test('an append that does not expect the last seq is a conflict and changes nothing', async (t) => {
    for (const nextSeq of [1, 4, 5, 8, 10, 1_000]) {
      const log = await openLog(t);
      await append(log, [1, 4], 8);
      await t.rejects(append(log, [nextSeq]), LogConflict, `at seq ${nextSeq}`);
      t.same(await recordsOf(log, 1), [1, 4].map(record));
    }
    const log = await openLog(t);
    await t.rejects(log.append({ ...appendOf(2), epoch: await log.acquire() }), LogConflict, 'in an empty log');
    t.equal(await log.last(), undefined);
  });
}

/** The record of the tests at a seq, with one entry. */
function appendOf(firstSeq: number): Omit<Append, 'epoch'> {
  return { expectedSeq: firstSeq - 1, lastSeq: firstSeq, bytes: soundRecord(firstSeq).bytes };
}

async function testFollowers(t: Test, openLog: OpenLog): Promise<void> {
  await t.test('a follower gets the existing records, then each record as it is appended, through cuts', async (t) => {
    const log = await openLog(t);
    const { signal } = abortedAfter(t);
    await appendRecords(log, [soundRecord(1, 3), soundRecord(4, 5)]);
    const followers = [log.follow(0, signal), log.follow(8, signal)].map(iteratorOf);
    const [fromStart, behind] = followers as [Follower, Follower];
    const early = behind.next();
    t.same(await next(fromStart), soundRecord(1, 3));
    t.same(await next(fromStart), soundRecord(4, 5));
    const late = fromStart.next();
    await appendRecords(log, [soundRecord(9, 2)]);
    t.same((await early).value, soundRecord(9, 2));
    t.same((await late).value, soundRecord(9, 2));
    await log.cut(await epochOf(log), 11);
    await appendRecords(log, [soundRecord(11), soundRecord(12)]);
    for (const follower of followers) {
      t.same(await next(follower), soundRecord(11));
      t.same(await next(follower), soundRecord(12));
    }
  });

  await t.test('a follower misses no record that is appended while it is busy', async (t) => {
    const log = await openLog(t);
    const { signal } = abortedAfter(t);
    const seqs: number[] = [];
    const count = 40;
    const following = (async () => {
      for await (const { firstSeq } of log.follow(0, signal)) {
        seqs.push(firstSeq);
        if (seqs.length === count) return;
        if (firstSeq % 3 === 0) await new Promise(setImmediate);
      }
    })();
    for (let seq = 1; seq <= count; seq += 1) await appendRecords(log, [soundRecord(seq)]);
    await following;
    t.same(
      seqs,
      Array.from({ length: count }, (_, index) => index + 1),
    );
  });

  await t.test('a follower ends when its signal is aborted, and all end when the log is closed', async (t) => {
    const log = await openLog(t);
    await appendRecords(log, [soundRecord(1)]);
    const aborting = new AbortController();
    const waiting = iteratorOf(log.follow(1, aborting.signal)).next();
    const reading = iteratorOf(log.follow(0, aborting.signal));
    await next(reading);
    const other = iteratorOf(log.follow(1, abortedAfter(t).signal)).next();
    aborting.abort();
    t.equal((await waiting).done, true, 'while it waits');
    t.equal((await reading.next()).done, true, 'while it reads');
    t.equal((await iteratorOf(log.follow(0, aborting.signal)).next()).done, true, 'before it begins');
    await log.close();
    t.equal((await other).done, true);
  });

  await t.test('a follower fails if a record was pruned before it was read, and only then', async (t) => {
    const log = await openLog(t);
    const { signal } = abortedAfter(t);
    const epoch = await epochOf(log);
    await appendRecords(log, [soundRecord(1, 3), soundRecord(4, 5)]);
    const slow = iteratorOf(log.follow(0, signal));
    t.same([(await next(slow))?.firstSeq, (await next(slow))?.firstSeq], [1, 4]);
    const waiting = iteratorOf(log.follow(8, signal));
    const ninth = waiting.next();
    await log.cut(epoch, 9);
    await appendRecords(log, [soundRecord(9)]);
    t.same((await ninth).value, soundRecord(9));
    await log.cut(epoch, 10);
    await log.prune(epoch, 10);
    const tenth = waiting.next();
    await appendRecords(log, [soundRecord(10)]);
    t.same((await tenth).value, soundRecord(10), 'records that it had read already do not matter');
    const message = 'seq 9 is pruned: the log begins at seq 10';
    await t.rejects(slow.next(), { name: 'LogPruned', nextSeq: 9, firstSeq: 10, message });
    const fromStart = iteratorOf(log.follow(0, signal)).next();
    await t.rejects(fromStart, { name: 'LogPruned', nextSeq: 1, firstSeq: 10 });
  });

  await t.test('a follower cannot begin within a record', async (t) => {
    const log = await openLog(t);
    await appendRecords(log, [soundRecord(1, 3), soundRecord(4, 5)]);
    const { signal } = abortedAfter(t);
    await t.rejects(iteratorOf(log.follow(2, signal)).next(), { name: 'LogUnreadable', message: /begins at seq 3/ });
  });
}

type Follower = AsyncIterator<StoredRecord>;

function iteratorOf(records: AsyncIterable<StoredRecord>): Follower {
  return records[Symbol.asyncIterator]();
}

async function next(follower: Follower): Promise<StoredRecord | undefined> {
  const { value, done } = await follower.next();
  return done ? undefined : value;
}

/** A signal that is aborted when the test is over. */
function abortedAfter(t: Test): { readonly signal: AbortSignal } {
  const controller = new AbortController();
  t.teardown(() => controller.abort());
  return controller;
}

/** The record that the tests store at a seq. */
export function record(firstSeq: number): StoredRecord {
  return { firstSeq, bytes: Buffer.from(`the record at ${firstSeq}`) };
}

/** Stores a record at each of the seqs. @param lastSeq of the last one, which holds one entry by default */
export function append(log: CommandLog, seqs: readonly number[], lastSeq?: number): Promise<void> {
  return appendRecords(log, seqs.map(record), lastSeq);
}

export async function recordsOf(log: ReadableLog, fromSeq: number): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const stored of log.read(fromSeq)) records.push(stored);
  return records;
}

export async function seqsOf(log: ReadableLog, fromSeq: number): Promise<number[]> {
  return (await recordsOf(log, fromSeq)).map(({ firstSeq }) => firstSeq);
}
