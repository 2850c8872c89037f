// Reading the embedded log from another process: beside a writer that appends, cuts, prunes and is killed, and without
// a writer.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { LmdbLog } from '../../../../persistence/log/lmdb/lmdb-log.js';
import type { LmdbLogReader } from '../../../../persistence/log/lmdb/lmdb-log-reader.js';
import { segmentName } from '../../../../persistence/log/lmdb/lmdb-segment.js';
import { epochOf } from '../../../support/log-writing.js';
import { shortOrLong } from '../../../support/process/lengths.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { append, record, recordsOf, seqsOf } from '../log-contract.js';
import { writtenRecord } from '../written-record.js';

const WRITER = fileURLToPath(new URL('./log-writer.js', import.meta.url));
const KILLS = shortOrLong(3, 6);

interface Writer {
  readonly child: ChildProcess;
  /** The seq up to which it has reported that everything is durable. */
  readonly promised: () => number;
  readonly ended: Promise<unknown>;
}

function startWriter(t: Test, folder: string, recordsPerSegment: number, recordsToWrite: number): Writer {
  const args = [WRITER, folder, String(recordsPerSegment), String(recordsToWrite)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  let promised = 0;
  let partial = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (partial + text).split('\n');
    partial = lines.pop() ?? '';
    promised = Number(lines.at(-1) ?? promised);
  });
  return { child, promised: () => promised, ended: once(child, 'close') };
}

async function openReader(t: Test, folder: string): Promise<LmdbLogReader> {
  const reader = await LmdbLog.openReadOnly(folder);
  t.teardown(() => reader.close());
  return reader;
}

/** Reads and checks each record from a seq on. @returns the last seq */
async function follow(t: Test, reader: LmdbLogReader, fromSeq: number): Promise<number> {
  let nextSeq = fromSeq;
  for await (const stored of reader.read(nextSeq)) {
    if (stored.firstSeq < nextSeq) continue;
    if (stored.firstSeq !== nextSeq) t.fail(`seq ${nextSeq} is missing, the next is ${stored.firstSeq}`);
    if (!writtenRecord(nextSeq).bytes.every((byte, index) => byte === stored.bytes[index]))
      t.fail(`seq ${nextSeq} differs`);
    nextSeq += 1;
  }
  return nextSeq - 1;
}

t.test('records written after a read are seen by the next read', async (t) => {
  const folder = await temporaryFolder(t);
  const log = await LmdbLog.open(folder);
  t.teardown(() => log.close());
  const reader = await openReader(t, folder);
  t.equal(reader.firstSeq, undefined);
  t.equal(await reader.last(), undefined);
  await append(log, [1, 4], 8);
  t.same(await seqsOf(reader, 1), [], 'not yet');
  await reader.refresh();
  t.same(await recordsOf(reader, 1), [1, 4].map(record));
  await log.cut(await epochOf(log), 9);
  await append(log, [9]);
  t.same(await seqsOf(reader, 1), [1, 4]);
  t.same(await reader.last(), record(4));
  await reader.refresh();
  t.same(await seqsOf(reader, 5), [4, 9]);
  t.same(await reader.last(), record(9));
  await log.prune(await epochOf(log), 9);
  t.same(await recordsOf(reader, 1), [1, 4, 9].map(record), 'records that it has seen can still be read');
  t.equal(reader.firstSeq, 1);
  await reader.refresh();
  t.same(await seqsOf(reader, 1), [9]);
  t.equal(reader.firstSeq, 9);
});

t.test(
  'a process beside the writer sees every record once, through cuts and prunes, and does not disturb it',
  async (t) => {
    const folder = await temporaryFolder(t);
    await (await LmdbLog.open(folder)).close();
    const writer = startWriter(t, folder, 250, 3_000);
    const reader = await openReader(t, folder);
    let isOver = false;
    const ended = writer.ended.then(() => {
      isOver = true;
    });
    let lastSeq = 0;
    while (!isOver) {
      const promised = writer.promised();
      await reader.refresh();
      lastSeq = await follow(t, reader, lastSeq + 1);
      if (lastSeq < promised) t.fail(`seq ${promised} is on disk, but ${lastSeq} is the last that is seen`);
      const another = await LmdbLog.openReadOnly(folder);
      const seenByAnother = (await another.last())?.firstSeq ?? 0;
      if (seenByAnother < lastSeq) t.fail(`a reader that came late sees ${seenByAnother}, not ${lastSeq}`);
      await another.close();
      await new Promise(setImmediate);
    }
    await ended;
    await reader.refresh();
    t.equal(await follow(t, reader, lastSeq + 1), 3_000);
    t.equal(writer.child.exitCode, 0);
    t.equal(writer.promised(), 3_000);
    const log = await LmdbLog.open(folder);
    t.teardown(() => log.close());
    t.equal((await log.last())?.firstSeq, 3_000);
    t.equal((await readdir(folder)).length, 2);
  },
);

t.test('a follower in another process gets every record once, in order, through cuts, as it is written', async (t) => {
  const folder = await temporaryFolder(t);
  await (await LmdbLog.open(folder)).close();
  const count = 400;
  const reader = await openReader(t, folder);
  const aborting = new AbortController();
  const following = (async () => {
    let nextSeq = 1;
    for await (const stored of reader.follow(0, aborting.signal)) {
      t.same(stored, writtenRecord(nextSeq));
      nextSeq += 1;
      if (nextSeq > count) aborting.abort();
    }
    return nextSeq - 1;
  })();
  // Cut once, so that nothing is pruned before it is read.
  const writer = startWriter(t, folder, count / 2 + 1, count);
  t.equal(await following, count);
  await writer.ended;
});

t.test('a writer killed during appends, cuts and prunes loses nothing that it has acknowledged', async (t) => {
  const folder = await temporaryFolder(t);
  let lastSeq = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // A cut every third record, so that most of the time goes into cuts and prunes.
    const writer = startWriter(t, folder, 3, 1_000_000);
    const enough = lastSeq + 40 * kill;
    while (writer.promised() < enough) await once(writer.child.stdout ?? t, 'data');
    writer.child.kill('SIGKILL');
    await writer.ended;
    const reader = await openReader(t, folder);
    const seen = (await reader.last())?.firstSeq ?? 0;
    t.equal(await follow(t, reader, reader.firstSeq ?? 1), seen, 'it can be read as it was left');
    t.ok(seen >= writer.promised(), `promised ${writer.promised()}, read ${seen}`);
    const log = await LmdbLog.open(folder);
    lastSeq = (await log.last())?.firstSeq ?? 0;
    t.equal(lastSeq, seen, 'and the next writer continues after what was read');
    await log.close();
  }
});

t.test('reading creates, changes and removes nothing, and needs only the data file', async (t) => {
  const folder = await temporaryFolder(t);
  const log = await LmdbLog.open(folder);
  await append(log, [1]);
  await log.cut(await epochOf(log), 2);
  await append(log, [2]);
  await log.close();
  const copied = join(await temporaryFolder(t), 'log');
  await cp(folder, copied, { recursive: true });
  for (const seq of [1, 2]) await rm(join(copied, segmentName(seq), 'lock.mdb'));
  const stateOf = async () => {
    const names = (await readdir(copied, { recursive: true })).sort();
    return await Promise.all(
      names.map(async (name) => {
        const { mtimeMs, size } = await stat(join(copied, name));
        return [name, mtimeMs, size];
      }),
    );
  };
  const before = await stateOf();
  const reader = await openReader(t, copied);
  t.same(await seqsOf(reader, 1), [1, 2]);
  await reader.close();
  t.same(await stateOf(), before);
});

t.test('a missing log is reported', async (t) => {
  const folder = join(await temporaryFolder(t), 'log');
  await t.rejects(LmdbLog.openReadOnly(folder), { name: 'LogUnreadable', message: /is missing/ });
  await t.rejects(stat(folder), { code: 'ENOENT' }, 'and not created');
});
