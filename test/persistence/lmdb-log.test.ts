import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { LmdbLog } from '../../persistence/lmdb-log.js';
import { LogConflict } from '../../persistence/log.js';
import { append, record, recordsOf, seqsOf, testLogContract } from './log-contract.js';
import { temporaryFolder } from './temporary-folder.js';

async function openLog(t: Test, folder?: string): Promise<LmdbLog> {
  const log = await LmdbLog.open(folder ?? (await temporaryFolder(t)));
  t.teardown(() => log.close());
  return log;
}

await testLogContract(t, (t) => openLog(t));

t.test('records are there again after the log was closed and opened', async (t) => {
  const folder = await temporaryFolder(t);
  const log = await openLog(t, folder);
  await append(log, [1, 4]);
  await log.close();
  const again = await openLog(t, folder);
  t.same(await recordsOf(again, 1), [1, 4].map(record));
  await append(again, [9]);
  t.same(await seqsOf(again, 1), [1, 4, 9]);
});

t.test('a second writer is turned away at its first record', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openLog(t, folder);
  await append(first, [1]);
  const second = await openLog(t, folder);
  await append(first, [2, 3]);
  await t.rejects(second.append(2, Buffer.from('its own')), LogConflict);
  await t.rejects(second.append(4, Buffer.from('and never again')), LogConflict);
  t.same(await recordsOf(first, 1), [1, 2, 3].map(record));
});

t.test('a second append while one is in flight is a broken invariant', async (t) => {
  const log = await openLog(t);
  const first = log.append(1, record(1).bytes);
  await t.rejects(log.append(2, record(2).bytes), { message: 'an append is in flight already' });
  await first;
  t.same(await seqsOf(log, 1), [1]);
});

t.test('a closed log takes no record', async (t) => {
  const log = await openLog(t);
  await append(log, [1]);
  await log.close();
  await t.rejects(log.append(2, record(2).bytes), { message: 'the log is closed' });
});

t.test('segments are read as one log', async (t) => {
  const folder = await temporaryFolder(t);
  const segments: [firstSeq: number, seqs: number[]][] = [
    [1, [1, 4]],
    [9, [9, 11, 30]],
    [31, [31]],
  ];
  for (const [firstSeq, seqs] of segments) {
    const elsewhere = await temporaryFolder(t);
    const segment = await openLog(t, elsewhere);
    await append(segment, seqs);
    await segment.close();
    const name = `log-${String(firstSeq).padStart(16, '0')}`;
    await rename(join(elsewhere, name), join(folder, name));
  }
  const log = await openLog(t, folder);
  t.same(await recordsOf(log, 1), [1, 4, 9, 11, 30, 31].map(record));
  t.same(await seqsOf(log, 8), [4, 9, 11, 30, 31], 'from inside the first segment');
  t.same(await seqsOf(log, 12), [11, 30, 31], 'from inside the second');
  t.same(await log.last(), record(31));
  await append(log, [40]);
  await log.dropLast(40);
  await log.dropLast(31);
  t.same(await log.last(), record(30), 'an empty segment is passed over');
  await append(log, [31]);
  t.same(await seqsOf(log, 31), [31]);
});
