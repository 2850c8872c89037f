// The embedded log: the contract of every log, and what is LMDB’s own.
import { mkdir, readdir, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { BYTES_PER_READ } from '../../persistence/limits.js';
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

t.test('a new segment is on disk with all of its names before its first record counts', async (t) => {
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
    'and again at the next start, since its maker may have died in between',
  );
  await again.close();
});

t.test('the folder of a log is made for its owner alone', { skip: process.platform === 'win32' }, async (t) => {
  const folder = join(await temporaryFolder(t), 'log');
  await openLog(t, folder);
  t.equal((await stat(folder)).mode & 0o777, 0o700);
});

t.test('large records are read in turns, too', async (t) => {
  const log = await openLog(t);
  const bytes = Buffer.alloc(BYTES_PER_READ / 4, 'galaxy');
  for (let seq = 1; seq <= 12; seq += 1) await log.append(seq, bytes);
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

t.test('where a segment cannot be opened, those before it are let go of', { skip: !showsOpenFiles }, async (t) => {
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
