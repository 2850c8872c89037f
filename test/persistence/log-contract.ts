// What every log must do, in sentences that the embedded one and the one in memory both pass.
import type { Test } from 'tap';
import { RECORDS_PER_READ } from '../../persistence/limits.js';
import { type CommandLog, LogConflict, type ReadableLog, type StoredRecord } from '../../persistence/log.js';

/** Opens an empty log that the test lets go of at its end. */
export type OpenLog = (t: Test) => Promise<CommandLog>;

export async function testLogContract(t: Test, openLog: OpenLog): Promise<void> {
  await t.test('a new log holds nothing', async (t) => {
    const log = await openLog(t);
    t.equal(await log.last(), undefined);
    t.same(await recordsOf(log, 1), []);
  });

  await t.test('records come back byte by byte in the order of their seqs', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 5, 90]);
    t.same(await recordsOf(log, 1), [1, 4, 5, 90].map(record));
  });

  await t.test('reading begins with the record that holds the seq', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 9]);
    t.same(await seqsOf(log, 4), [4, 9], 'its first entry');
    t.same(await seqsOf(log, 8), [4, 9], 'an entry inside of it');
    t.same(await seqsOf(log, 1000), [9], 'an entry of the newest record, as far as the log can tell');
  });

  await t.test('reading begins with the first record where the seq is older than the log', async (t) => {
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
      await t.rejects(log.append(seq, Buffer.from('from another writer')), LogConflict);
      t.same(await recordsOf(log, 1), [1, 4].map(record));
    }
  });

  await t.test('dropping takes the newest record away, and its seq can be written again', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 9]);
    await log.dropLast(9);
    t.same(await seqsOf(log, 1), [1, 4]);
    await log.append(9, Buffer.from('again'));
    t.same(await log.last(), { firstSeq: 9, bytes: Buffer.from('again') });
  });

  await t.test('nothing but the newest record can be dropped', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4, 9]);
    await t.rejects(log.dropLast(4), RangeError);
    await t.rejects(log.dropLast(10), RangeError);
    t.same(await seqsOf(log, 1), [1, 4, 9]);
  });

  await t.test('it tells where it begins', async (t) => {
    const log = await openLog(t);
    t.equal(log.firstSeq, undefined, 'an empty log begins nowhere');
    await append(log, [1, 4]);
    t.equal(log.firstSeq, 1);
  });

  await t.test('an empty log begins where it is cut', async (t) => {
    const log = await openLog(t);
    await log.cut(70);
    t.equal(log.firstSeq, 70);
    t.equal(await log.last(), undefined);
    await append(log, [70, 80]);
    t.same(await seqsOf(log, 1), [70, 80]);
  });

  await t.test('a log that is cut is read as one', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4]);
    await log.cut(9);
    t.same(await log.last(), record(4), 'nothing stands behind the cut yet');
    t.same(await recordsOf(log, 1), [1, 4].map(record));
    await append(log, [9, 11, 30]);
    await log.cut(31);
    await append(log, [31]);
    t.same(await recordsOf(log, 1), [1, 4, 9, 11, 30, 31].map(record));
    t.same(await seqsOf(log, 8), [4, 9, 11, 30, 31], 'from before the first cut');
    t.same(await seqsOf(log, 12), [11, 30, 31], 'from between the cuts');
    t.same(await seqsOf(log, 31), [31], 'from behind the last');
    t.same(await log.last(), record(31));
    t.equal(log.firstSeq, 1);
  });

  await t.test('cutting a second time at the same place changes nothing', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4]);
    await log.cut(9);
    await log.cut(9);
    await append(log, [9]);
    t.same(await seqsOf(log, 1), [1, 4, 9]);
  });

  await t.test('a log is cut only above what it holds, and the next record begins there', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4]);
    await t.rejects(log.cut(4), RangeError);
    await t.rejects(log.cut(2), RangeError);
    await log.cut(9);
    await t.rejects(log.cut(10), RangeError, 'nothing stands between it and the cut before');
    await t.rejects(log.dropLast(4), RangeError, 'what stands before a cut stays');
    await t.rejects(log.append(10, record(10).bytes), LogConflict, 'there would be a hole');
    t.same(await seqsOf(log, 1), [1, 4]);
  });

  await t.test(
    'pruning lets go of what stands before the newest cut at or before the seq, and keeps the rest',
    async (t) => {
      const log = await openLog(t);
      await append(log, [1, 4]);
      await log.cut(9);
      await append(log, [9, 11]);
      await log.cut(20);
      await append(log, [20, 25]);
      await log.prune(8);
      t.same(await seqsOf(log, 1), [1, 4, 9, 11, 20, 25], 'there is no cut at or before it');
      t.equal(log.firstSeq, 1);
      await log.prune(9);
      t.same(await seqsOf(log, 1), [9, 11, 20, 25]);
      t.equal(log.firstSeq, 9);
      await log.prune(1_000);
      t.same(await recordsOf(log, 1), [20, 25].map(record), 'what stands behind the newest cut is never let go of');
      t.equal(log.firstSeq, 20);
      await append(log, [30]);
      t.same(await seqsOf(log, 1), [20, 25, 30]);
    },
  );

  await t.test('a log pruned up to its end is empty, and goes on where it was cut', async (t) => {
    const log = await openLog(t);
    await append(log, [1, 4]);
    await log.cut(9);
    await log.prune(9);
    t.equal(log.firstSeq, 9);
    t.equal(await log.last(), undefined);
    await append(log, [9]);
    t.same(await recordsOf(log, 1), [record(9)]);
  });

  await t.test('an empty log has nothing to prune', async (t) => {
    const log = await openLog(t);
    await log.prune(9);
    t.equal(log.firstSeq, undefined);
  });

  await t.test('seqs beyond 32 bits keep their order', async (t) => {
    const log = await openLog(t);
    const seqs = [1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 40];
    await append(log, seqs);
    t.same(await recordsOf(log, 1), seqs.map(record));
  });

  await t.test('a log longer than one read comes back whole, and what was read stays as it was', async (t) => {
    const log = await openLog(t);
    const seqs = Array.from({ length: 2 * RECORDS_PER_READ + 1 }, (_, index) => 3 * index + 1);
    await append(log, seqs);
    t.same(await recordsOf(log, 1), seqs.map(record));
  });

  await t.test('a large record comes back whole', async (t) => {
    const log = await openLog(t);
    const bytes = Buffer.alloc(3_000_000, 'galaxy');
    await log.append(1, bytes);
    t.ok(Buffer.from((await log.last())?.bytes ?? []).equals(bytes));
  });
}

/** The record that the tests store at a seq. */
export function record(firstSeq: number): StoredRecord {
  return { firstSeq, bytes: Buffer.from(`the record at ${firstSeq}`) };
}

export async function append(log: CommandLog, seqs: readonly number[]): Promise<void> {
  for (const seq of seqs) await log.append(seq, record(seq).bytes);
}

export async function recordsOf(log: ReadableLog, fromSeq: number): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const stored of log.read(fromSeq)) records.push(stored);
  return records;
}

export async function seqsOf(log: ReadableLog, fromSeq: number): Promise<number[]> {
  return (await recordsOf(log, fromSeq)).map(({ firstSeq }) => firstSeq);
}
