// The segments of the embedded log: what a process that dies in a cut or a prune leaves behind, and missing or foreign
// segments.
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import { LmdbEnvironment, versionValue } from '../../../../persistence/log/lmdb/lmdb-environment.js';
import { LmdbLog } from '../../../../persistence/log/lmdb/lmdb-log.js';
import { LmdbSegment, segmentName } from '../../../../persistence/log/lmdb/lmdb-segment.js';
import { LogConflict } from '../../../../persistence/log/log.js';
import { appendRecords, epochOf } from '../../../support/log-writing.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { append, seqsOf } from '../log-contract.js';
import { soundRecord } from '../sound-record.js';

async function openLog(t: Test, folder: string): Promise<LmdbLog> {
  const log = await LmdbLog.open(folder);
  t.teardown(() => log.close());
  return log;
}

/** A folder whose log holds the entries 1 to 8 in two records, closed. */
async function eightEntries(t: Test): Promise<string> {
  const folder = await temporaryFolder(t);
  const log = await openLog(t, folder);
  await appendRecords(log, [soundRecord(1, 3), soundRecord(4, 5)]);
  await log.close();
  return folder;
}

/** A folder with the segments 1, 9 and 20, closed. */
async function threeSegments(t: Test): Promise<string> {
  const folder = await temporaryFolder(t);
  const log = await openLog(t, folder);
  await appendRecords(log, [soundRecord(1, 3), soundRecord(4, 5)]);
  await log.cut(await epochOf(log), 9);
  await appendRecords(log, [soundRecord(9, 2), soundRecord(11, 9)]);
  await log.cut(await epochOf(log), 20);
  await appendRecords(log, [soundRecord(20)]);
  await log.close();
  return folder;
}

async function makeSegment(folder: string, firstSeq: number): Promise<void> {
  await (await LmdbSegment.create(folder, firstSeq, 1)).release();
}

/** An error of the operating system. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected by the test`), { code });
}

/** Whether the segment 9 has its name. */
async function isNamed(folder: string): Promise<boolean> {
  return (await readdir(folder)).includes(segmentName(9));
}

/** The seq its closing mark names. */
async function successorOf(folder: string, firstSeq: number): Promise<number | undefined> {
  const segment = LmdbSegment.open(folder, firstSeq);
  const { successorSeq } = segment;
  await segment.release();
  return successorSeq;
}

async function refused(t: Test, folder: string, message: RegExp): Promise<void> {
  const before = (await readdir(folder, { recursive: true })).sort();
  await t.rejects(LmdbLog.open(folder), { name: 'LogUnreadable', message });
  await t.rejects(LmdbLog.openReadOnly(folder), { name: 'LogUnreadable', message });
  t.same((await readdir(folder, { recursive: true })).sort(), before, 'nothing was created or removed');
}

t.test('a cut creates the next segment, and closes the one before with its seq', async (t) => {
  const folder = await threeSegments(t);
  t.same((await readdir(folder)).sort(), [1, 9, 20].map(segmentName));
  t.equal(await successorOf(folder, 1), 9);
  t.equal(await successorOf(folder, 9), 20);
  t.equal(await successorOf(folder, 20), undefined, 'the newest is open');
  const log = await openLog(t, folder);
  t.same(await seqsOf(log, 1), [1, 4, 9, 11, 20], 'the closing marks are not records');
  t.same(await log.last(), soundRecord(20));
});

t.test('a segment and its names are durable before the previous segment is closed', async (t) => {
  const folder = await temporaryFolder(t);
  const atSync: [path: string, successorSeq: number | undefined][] = [];
  const log = await LmdbLog.open(folder, async (path) => {
    const isFirst = (await readdir(folder)).includes(segmentName(1));
    atSync.push([path, isFirst ? await successorOf(folder, 1) : undefined]);
  });
  t.teardown(() => log.close());
  await append(log, [1], 8);
  atSync.length = 0;
  await log.cut(await epochOf(log), 9);
  const begun = join(folder, `.begun-${segmentName(9)}`);
  t.same(atSync, [
    [join(begun, 'data.mdb'), undefined],
    [begun, undefined],
    [folder, undefined],
    [folder, undefined],
  ]);
  t.equal(await successorOf(folder, 1), 9);
});

t.test('a process that died while it created the next segment leaves the log as it was', async (t) => {
  const folder = await eightEntries(t);
  const begun = join(folder, `.begun-${segmentName(9)}`);
  await mkdir(begun);
  await writeFile(join(begun, 'lock.mdb'), '');
  const log = await openLog(t, folder);
  t.same(await readdir(folder), [segmentName(1)]);
  await appendRecords(log, [soundRecord(9)]);
  t.same(await seqsOf(log, 1), [1, 4, 9]);
});

t.test('a cut is refused if a step fails before the segment has its name, and the log goes on', async (t) => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EIO']) {
    for (const step of ['data.mdb', `.begun-${segmentName(9)}`, 'the folder']) {
      const folder = await eightEntries(t);
      let isShort = false;
      const log = await LmdbLog.open(folder, async (path) => {
        if (isShort && (path === folder ? 'the folder' : basename(path)) === step) throw systemError(code);
      });
      isShort = true;
      t.teardown(() => log.close());
      await t.rejects(log.cut(await epochOf(log), 9), {
        name: 'CutRefused',
        message: /^the log could not be cut before seq 9: E/,
      });
      t.same(await readdir(folder), [segmentName(1)], `${code} at ${step}: nothing is left`);
      await appendRecords(log, [soundRecord(9)]);
      isShort = false;
      await log.cut(await epochOf(log), 10);
      await appendRecords(log, [soundRecord(10)]);
      await log.close();
      t.same(await seqsOf(await openLog(t, folder), 1), [1, 4, 9, 10]);
    }
  }
});

t.test('a cut that fails after the segment is named, or by a bug, ends the log until a restart', async (t) => {
  for (const [error, isTimely] of [
    [systemError('EMFILE'), isNamed],
    [systemError('EACCES'), isNamed],
    // Like any other bug, and unlike the log's own Misplaced, it does not say that nothing was written.
    [new RangeError('Invalid typed array length: -1'), isNamed],
    [new RangeError('Invalid typed array length: -1'), async () => true],
  ] as const) {
    const folder = await eightEntries(t);
    let isOpen = false;
    const log = await LmdbLog.open(folder, async () => {
      if (isOpen && (await isTimely(folder))) throw error;
    });
    isOpen = true;
    await t.rejects(log.cut(await epochOf(log), 9), { name: 'LogWriteFailed' }, String(error));
    await t.rejects(
      appendRecords(log, [soundRecord(9)]),
      { name: 'LogWriteFailed' },
      'nothing can be appended any more',
    );
    const again = await openLog(t, folder);
    await appendRecords(again, [soundRecord(9)]);
    t.same(await seqsOf(again, 1), [1, 4, 9], 'the next start continues from there');
  }
});

t.test('if a process dies between the two steps of a cut, the next one closes the segment', async (t) => {
  const folder = await eightEntries(t);
  await makeSegment(folder, 9);
  const reader = await LmdbLog.openReadOnly(folder);
  t.same(await seqsOf(reader, 1), [1, 4], 'the log can be read meanwhile');
  t.equal(await successorOf(folder, 1), undefined, 'and reading closes nothing');
  await reader.close();
  const log = await openLog(t, folder);
  t.equal(await successorOf(folder, 1), 9);
  await appendRecords(log, [soundRecord(9)]);
  await log.close();
  t.same(await seqsOf(await openLog(t, folder), 1), [1, 4, 9]);
});

t.test('an open segment is only accepted before a segment that follows it directly', async (t) => {
  for (const [firstSeq, sentence] of [
    [12, /log-0000000000000001 is not closed and ends at seq 8, not right before .*log-0000000000000012/],
    [6, /log-0000000000000001 is not closed and ends at seq 8, not right before .*log-0000000000000006/],
  ] as const) {
    const folder = await eightEntries(t);
    await makeSegment(folder, firstSeq);
    await t.rejects(LmdbLog.open(folder), { name: 'LogUnreadable', message: sentence });
    t.equal(await successorOf(folder, 1), undefined, 'it was not closed');
  }
  const folder = await eightEntries(t);
  await makeSegment(folder, 3);
  await refused(t, folder, /log-0000000000000001 reaches to seq 4, beyond .*log-0000000000000003/);
});

t.test('a missing segment is reported by name', async (t) => {
  for (const [missing, message] of [
    [9, /segment .*log-0000000000000009 is missing: .*log-0000000000000001 names it as its successor/],
    [20, /segment .*log-0000000000000020 is missing: .*log-0000000000000009 names it as its successor/],
  ] as const) {
    const folder = await threeSegments(t);
    await rm(join(folder, segmentName(missing)), { recursive: true });
    await refused(t, folder, message);
  }
});

t.test('a log may begin with any segment: older ones were pruned', async (t) => {
  const folder = await threeSegments(t);
  await rm(join(folder, segmentName(1)), { recursive: true });
  const log = await openLog(t, folder);
  t.equal(log.firstSeq, 9);
  t.same(await seqsOf(log, 1), [9, 11, 20]);
});

t.test('a segment without its file is reported, and not created anew', async (t) => {
  for (const firstSeq of [1, 9, 20]) {
    const folder = await threeSegments(t);
    await rm(join(folder, segmentName(firstSeq), 'data.mdb'));
    await refused(t, folder, new RegExp(`${segmentName(firstSeq)}.data\\.mdb is missing`));
  }
});

t.test('a segment that is not part of the chain is reported', async (t) => {
  const folder = await threeSegments(t);
  await makeSegment(folder, 15);
  await refused(
    t,
    folder,
    /log-0000000000000015 does not belong there: .*-0000000000000009 names .*-0000000000000020 as its successor/,
  );
});

t.test('a segment under a wrong name is reported', async (t) => {
  const folder = await threeSegments(t);
  const elsewhere = await threeSegments(t);
  await rm(join(folder, segmentName(9)), { recursive: true });
  await cp(join(elsewhere, segmentName(20)), join(folder, segmentName(9)), { recursive: true });
  await refused(t, folder, /log-0000000000000009 begins at seq 20, not as its name says/);
});

t.test('nothing can be appended to a closed segment', async (t) => {
  const folder = await threeSegments(t);
  const segment = LmdbSegment.open(folder, 9);
  await segment.openForWriting();
  t.equal(await segment.append(segment.epoch, 20, soundRecord(20).bytes), 'conflict');
  await segment.release();
  t.same(await seqsOf(await openLog(t, folder), 1), [1, 4, 9, 11, 20]);
});

t.test('a cut detects that another writer of its epoch has written', async (t) => {
  const folder = await eightEntries(t);
  const log = await openLog(t, folder);
  const epoch = await epochOf(log);
  const stranger = LmdbSegment.open(folder, 1);
  await stranger.openForWriting();
  t.equal(await stranger.append(epoch, 9, soundRecord(9).bytes), 'written');
  await stranger.release();
  await t.rejects(log.cut(epoch, 9), LogConflict);
  await t.rejects(appendRecords(log, [soundRecord(9)]), LogConflict, 'and writes nothing more');
});

t.test('a process that is fenced during a cut leaves no segment behind', async (t) => {
  const folder = await eightEntries(t);
  let other: LmdbLog | undefined;
  const log = await LmdbLog.open(folder, async (path) => {
    // The last step before the previous segment is closed: the other process has listed the segments already.
    if (path === folder && (await readdir(folder)).includes(segmentName(9))) await other?.acquire();
  });
  t.teardown(() => log.close());
  const epoch = await log.acquire();
  other = await openLog(t, folder);
  await t.rejects(log.cut(epoch, 9), { name: 'Fenced', epoch });
  t.notOk((await readdir(folder)).includes(segmentName(9)));
  await appendRecords(other, [soundRecord(9)]);
  await other.close();
  t.same(await seqsOf(await openLog(t, folder), 1), [1, 4, 9]);
});

t.test('an invalid epoch is reported', async (t) => {
  for (const damaged of [versionValue(1.5), versionValue(0), versionValue(-1), Buffer.from('short')]) {
    const folder = await eightEntries(t);
    const environment = new LmdbEnvironment(join(folder, segmentName(1)));
    const key = Buffer.alloc(8);
    t.equal(await environment.put(key, damaged, { key, version: 1 }), 'written');
    await environment.close();
    const log = await openLog(t, folder);
    await t.rejects(log.acquire(), { name: 'LogUnreadable', message: /is damaged: its epoch is damaged/ });
  }
});

t.test('if a process dies during a prune, the next one removes the rest', async (t) => {
  const folder = await threeSegments(t);
  const pruned = join(folder, `.pruned-${segmentName(1)}`);
  await rename(join(folder, segmentName(1)), pruned);
  await rm(join(pruned, 'lock.mdb'));
  const reader = await LmdbLog.openReadOnly(folder);
  t.equal(reader.firstSeq, 9);
  await reader.close();
  t.ok((await readdir(folder)).includes(`.pruned-${segmentName(1)}`), 'reading removes nothing');
  const log = await openLog(t, folder);
  t.same((await readdir(folder)).sort(), [9, 20].map(segmentName));
  t.same(await seqsOf(log, 1), [9, 11, 20]);
});

t.test('segments are pruned oldest first, and each rename is durable before the segment is removed', async (t) => {
  const folder = await threeSegments(t);
  const atSync: string[][] = [];
  const log = await LmdbLog.open(folder, async (path) => {
    if (path === folder) atSync.push((await readdir(folder)).sort());
  });
  t.teardown(() => log.close());
  atSync.length = 0;
  await log.prune(await epochOf(log), 20);
  t.same(atSync, [
    [`.pruned-${segmentName(1)}`, segmentName(9), segmentName(20)],
    [`.pruned-${segmentName(9)}`, segmentName(20)],
  ]);
  t.same(await readdir(folder), [segmentName(20)]);
});

t.test('the next prune removes what a prune could not remove', async (t) => {
  const folder = await threeSegments(t);
  let isShort = false;
  const log = await LmdbLog.open(folder, async () => {
    if (isShort) throw systemError('EMFILE');
  });
  t.teardown(() => log.close());
  isShort = true;
  await t.rejects(log.prune(await epochOf(log), 9), { code: 'EMFILE' });
  isShort = false;
  await log.prune(await epochOf(log), 9);
  t.same((await readdir(folder)).sort(), [9, 20].map(segmentName));
  t.same(await seqsOf(log, 1), [9, 11, 20]);
});

t.test('a prune that cannot rename a segment leaves no gap, and the next one begins there', async (t) => {
  const folder = await threeSegments(t);
  const log = await openLog(t, folder);
  const epoch = await epochOf(log);
  // A folder with something in it is in the way.
  const inTheWay = join(folder, `.pruned-${segmentName(1)}`);
  await mkdir(join(inTheWay, 'something'), { recursive: true });
  for (const keepFromSeq of [9, 20]) await t.rejects(log.prune(epoch, keepFromSeq), { code: 'ENOTEMPTY' });
  const reader = await LmdbLog.openReadOnly(folder);
  t.same(await seqsOf(reader, 1), [1, 4, 9, 11, 20]);
  await reader.close();
  await rm(inTheWay, { recursive: true });
  await log.prune(epoch, 20);
  t.same(await readdir(folder), [segmentName(20)]);
});

t.test('a failed prune does not damage the segments that are kept', async (t) => {
  const folder = await threeSegments(t);
  let isBroken = false;
  const log = await LmdbLog.open(folder, async () => {
    if (isBroken) throw new Error('an input/output error');
  });
  t.teardown(() => log.close());
  isBroken = true;
  await t.rejects(log.prune(await epochOf(log), 20), { message: 'an input/output error' });
  isBroken = false;
  await append(log, [21]);
  t.same(await seqsOf(log, 9), [9, 11, 20, 21]);
  await log.close();
  const again = await openLog(t, folder);
  t.same(await seqsOf(again, 1), [9, 11, 20, 21]);
  t.same((await readdir(folder)).sort(), [9, 20].map(segmentName));
});
