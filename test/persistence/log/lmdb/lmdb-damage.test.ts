// A damaged file of the log is refused with a message: LMDB itself ends the process with a signal if a page is missing
// or has a wrong pointer. What a commit wrote that did not end is ignored.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { LmdbFile } from '../../../../persistence/log/lmdb/lmdb-file.js';
import { LmdbLog } from '../../../../persistence/log/lmdb/lmdb-log.js';
import { segmentName } from '../../../../persistence/log/lmdb/lmdb-segment.js';
import { appendRecords, epochOf } from '../../../support/log-writing.js';
import { Draws, drawSeed } from '../../../support/process/draws.js';
import { shortOrLong } from '../../../support/process/lengths.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { Damage } from '../damaged-logs.js';
import { recordsOf, seqsOf } from '../log-contract.js';
import { soundRecord } from '../sound-record.js';
import { writtenRecord } from '../written-record.js';

const OPENER = fileURLToPath(new URL('../damaged-logs.js', import.meta.url));
const PAGE_BYTES = 4_096;
/** The header of a page, and a head. */
const HEAD_BYTES = 168;
const RECORD_COUNT = 60;
/** In the pages after the heads, one byte in STEP is damaged. */
const STEP = shortOrLong(29, 3);

/** Offsets of the heads of the file, after the header of a page. */
const HEADS = [24, PAGE_BYTES + 24];
/** Offsets in a head. */
const FREE_ROOT_AT = 64;
const MAIN_ROOT_AT = 112;
const LAST_PAGE_AT = 120;
/** Bytes of a node with a key of eight bytes and no value. */
const NODE_BYTES = 16;
const CHILDREN_PER_PAGE = 100;

/** @param commits further commits, so that the other head is the newest */
async function soundFile(t: Test, commits = 0): Promise<Buffer> {
  const folder = await temporaryFolder(t);
  const log = await LmdbLog.open(folder);
  await appendRecords(
    log,
    Array.from({ length: RECORD_COUNT + 1 }, (_, index) => writtenRecord(index + 1)),
  );
  // Leaves free pages, as a dropped tail does.
  await log.dropLast(await epochOf(log), RECORD_COUNT + 1);
  for (let commit = 1; commit <= commits; commit += 1) await log.acquire();
  await log.close();
  return await readFile(join(folder, segmentName(1), 'data.mdb'));
}

/** The outcome of each damaged copy. Fails if the opener dies of one. */
async function outcomesOf(t: Test, sound: Buffer, damages: readonly Damage[]): Promise<string[]> {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'sound.mdb'), sound);
  await writeFile(join(folder, 'damages.json'), JSON.stringify(damages));
  const child = spawn(process.execPath, [OPENER, folder, String(RECORD_COUNT), '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ending = await once(child, 'close');
  const lines = output.split('\n');
  const last = damages[Number(lines.at(-1)?.split(' ')[0] || damages.length)];
  t.same(ending, [0, null], `the opener ends by itself; its last: ${last}; ${complaint}`);
  return lines.slice(0, damages.length).map((line) => line.slice(line.indexOf(' ') + 1));
}

function every(step: number, from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
}

/** A file whose tree is a chain of branch pages, each of which names the next one a hundred times, then a leaf. */
function withManyPaths(sound: Buffer, depth: number, branchKey: number, leafKey: number): Buffer {
  const firstPage = sound.length / PAGE_BYTES;
  const pages = Array.from({ length: depth }, (_, index) => {
    const isLeaf = index === depth - 1;
    return pageOf(firstPage + index, isLeaf, isLeaf ? leafKey : branchKey);
  });
  const bytes = Buffer.concat([sound, ...pages]);
  for (const head of HEADS) {
    bytes.writeBigUInt64LE(BigInt(firstPage), head + MAIN_ROOT_AT);
    bytes.writeBigUInt64LE(BigInt(firstPage + depth - 1), head + LAST_PAGE_AT);
  }
  return bytes;
}

/** A page as LMDB writes it, with one key. A leaf has one entry, each node of a branch refers to the next page. */
function pageOf(number: number, isLeaf: boolean, key: number): Buffer {
  const nodeCount = isLeaf ? 1 : CHILDREN_PER_PAGE;
  const page = Buffer.alloc(PAGE_BYTES);
  page.writeBigUInt64LE(BigInt(number), 0);
  page.writeUInt16LE(isLeaf ? 2 : 1, 18);
  page.writeUInt16LE(2 * nodeCount, 20);
  page.writeUInt16LE(PAGE_BYTES - 24 - NODE_BYTES * nodeCount, 22);
  for (let index = 0; index < nodeCount; index += 1) {
    const node = PAGE_BYTES - NODE_BYTES * (index + 1);
    page.writeUInt16LE(node - 24, 24 + 2 * index);
    page.writeUInt32LE(isLeaf ? 0 : number + 1, node);
    page.writeUInt16LE(8, node + 6);
    page.writeBigUInt64BE(BigInt(key), node + 8);
  }
  return page;
}

t.test('a tree with more paths than pages is refused at once', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'data.mdb');
  const sound = await soundFile(t);
  const leadsNowhere = { name: 'LmdbDamaged', message: /it leads nowhere$/ };
  for (const depth of [3, 29]) {
    await writeFile(path, withManyPaths(sound, depth, 9, 1));
    const withLowLeaves = LmdbFile.open(path);
    t.throws(() => withLowLeaves.entriesFrom(5), leadsNowhere, `${depth} levels, upwards`);
    t.throws(() => withLowLeaves.verifyWritable(), { name: 'LmdbDamaged', message: /would be used twice$/ });
    withLowLeaves.close();
    await writeFile(path, withManyPaths(sound, depth, 1, 9));
    const withHighLeaves = LmdbFile.open(path);
    t.throws(() => withHighLeaves.lastUpTo(5), leadsNowhere, `${depth} levels, downwards`);
    withHighLeaves.close();
  }
});

t.test('a head that counts more pages than a segment may have is refused', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'data.mdb');
  const bytes = await soundFile(t);
  for (const head of HEADS) bytes.writeBigUInt64LE(2n ** 52n, head + LAST_PAGE_AT);
  await writeFile(path, bytes);
  t.throws(() => LmdbFile.open(path), { name: 'LmdbDamaged', message: 'its heads contradict each other' });
});

// A number of JavaScript rounds them to that of an empty tree, 2^64 - 1.
t.test('roots that are almost those of an empty tree are refused', async (t) => {
  const path = join(await temporaryFolder(t), 'data.mdb');
  const sound = await soundFile(t);
  for (const at of [FREE_ROOT_AT, MAIN_ROOT_AT]) {
    for (const root of [2n ** 64n - 2n, 2n ** 64n - 3n, 2n ** 53n]) {
      const bytes = Buffer.from(sound);
      for (const head of HEADS) bytes.writeBigUInt64LE(root, head + at);
      await writeFile(path, bytes);
      const file = LmdbFile.open(path);
      t.throws(() => file.verifyWritable(), { name: 'LmdbDamaged' }, `${root} at ${at}`);
      file.close();
    }
  }
});

t.test('a file that was cut short is refused, unless only free pages are missing', async (t) => {
  const sound = await soundFile(t);
  const pages = every(PAGE_BYTES, PAGE_BYTES, sound.length);
  const lengths = [1, 100, ...pages.flatMap((at) => [at - 1, at, at + 1, at + 2_000]), sound.length - 1];
  const outcomes = await outcomesOf(
    t,
    sound,
    lengths.map((at) => ['cut', at]),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const isTold = /^refused: the log segment .*data\.mdb is damaged: it is (cut short|too short)/.test(outcome);
    if (!isTold && outcome !== 'whole') t.fail(`${lengths[index]} bytes: ${outcome}`);
  }
  t.match(outcomes[outcomes.length - 3], /cut short/, 'cut in its last page');
  t.ok(outcomes.filter((outcome) => outcome === 'whole').length < 12);
});

t.test(
  'a flipped bit in a head, a page header, an index or a list of free pages is reported, or harmless',
  async (t) => {
    const sound = await soundFile(t);
    const heads = [0, PAGE_BYTES].flatMap((at) => every(1, at, at + HEAD_BYTES));
    const starts = every(PAGE_BYTES, 2 * PAGE_BYTES, sound.length);
    // The first keys of a page are at its end, and so are the lists of free pages.
    const pages = starts.flatMap((at) => [
      ...every(STEP, at, at + 40),
      ...every(STEP, at + PAGE_BYTES - 64, at + PAGE_BYTES),
    ]);
    const damages = [...heads, ...pages].map((at, index): Damage => ['flip', at, index % 8]);
    const outcomes = await outcomesOf(t, sound, damages);
    for (const [index, outcome] of outcomes.entries()) {
      const isTold = /^refused: the log segment .*(data\.mdb is damaged: |begins at seq)/.test(outcome);
      if (!isTold && outcome !== 'whole' && outcome !== 'differs') t.fail(`${damages[index]}: ${outcome}`);
    }
    t.ok(outcomes.filter((outcome) => outcome.startsWith('refused')).length > 100);
    t.ok(outcomes.filter((outcome) => outcome === 'whole').length > 100, 'many of the bytes are not used');
  },
);

t.test('a flipped bit in a head is reported, or harmless, whichever head is the newest', async (t) => {
  const sound = await soundFile(t, 1);
  const bits = [0, PAGE_BYTES].flatMap((at) => every(1, at, at + HEAD_BYTES));
  const shifts = shortOrLong([new Draws(drawSeed(t)).below(8)], [0, 1, 2, 3, 4, 5, 6, 7]);
  for (const shift of shifts) {
    const damages = bits.map((at, index): Damage => ['flip', at, (index + shift) % 8]);
    for (const [index, outcome] of (await outcomesOf(t, sound, damages)).entries()) {
      const isTold = /^refused: the log segment .*(data\.mdb is damaged: |begins at seq)/.test(outcome);
      if (!isTold && outcome !== 'whole') t.fail(`${damages[index]}: ${outcome}`);
    }
  }
});

t.test('a small file that states many gigabytes of free pages takes the memory of one list', async (t) => {
  const path = join(await temporaryFolder(t), 'data.mdb');
  await writeFile(path, fileOfFreeLists(await soundFile(t)));
  await truncate(path, FREE_LISTS * FREE_LIST_PAGES * PAGE_BYTES + 3 * PAGE_BYTES);
  const handle = await open(path, 'r+');
  for (let list = 0; list < FREE_LISTS; list += 1) {
    const number = 3 + list * FREE_LIST_PAGES;
    const header = pageHeader(number, OVERFLOW_PAGE);
    header.writeUInt32LE(FREE_LIST_PAGES, 20);
    await handle.write(header, 0, header.length, number * PAGE_BYTES);
  }
  await handle.close();
  const file = LmdbFile.open(path);
  t.teardown(() => file.close());
  const beforeKib = process.resourceUsage().maxRSS;
  t.throws(() => file.verifyWritable(), /pages are neither used nor free/);
  const listKib = (FREE_LIST_PAGES * PAGE_BYTES) / 1024;
  t.ok(process.resourceUsage().maxRSS - beforeKib < (FREE_LISTS / 2) * listKib);
});

/** Lists of 32 MiB, the longest that is read. */
const FREE_LISTS = 24;
const FREE_LIST_PAGES = 8_192;
const LEAF_PAGE = 2;
const OVERFLOW_PAGE = 4;
const TRANSACTION_AT = 128;
/** Size of a node with a key of eight bytes whose value has its own pages. */
const BIG_NODE_BYTES = 40;

/** The first pages of a file that has nothing but lists of free pages: its heads, and the leaf that names the lists. */
function fileOfFreeLists(sound: Buffer): Buffer {
  const heads = Buffer.from(sound.subarray(0, 2 * PAGE_BYTES));
  for (const [index, head] of HEADS.entries()) {
    heads.writeBigUInt64LE(2n, head + FREE_ROOT_AT);
    heads.writeBigUInt64LE(2n ** 64n - 1n, head + MAIN_ROOT_AT);
    // A page more than there is.
    heads.writeBigUInt64LE(BigInt(3 + FREE_LISTS * FREE_LIST_PAGES), head + LAST_PAGE_AT);
    heads.writeBigUInt64LE(BigInt(1_000 + index), head + TRANSACTION_AT);
  }
  const leaf = Buffer.concat([pageHeader(2, LEAF_PAGE), Buffer.alloc(PAGE_BYTES - 24)]);
  let node = PAGE_BYTES;
  for (let list = 0; list < FREE_LISTS; list += 1) {
    node -= BIG_NODE_BYTES;
    leaf.writeUInt16LE(node - 24, 24 + 2 * list);
    leaf.writeUInt32LE(FREE_LIST_PAGES * PAGE_BYTES - 24, node);
    leaf.writeUInt16LE(1, node + 4);
    leaf.writeUInt16LE(8, node + 6);
    leaf.writeBigUInt64LE(BigInt(list + 1), node + 8);
    leaf.writeBigUInt64LE(BigInt(3 + list * FREE_LIST_PAGES), node + 16);
  }
  leaf.writeUInt16LE(2 * FREE_LISTS, 20);
  leaf.writeUInt16LE(node - 24, 22);
  return Buffer.concat([heads, leaf]);
}

function pageHeader(number: number, kind: number): Buffer {
  const header = Buffer.alloc(24);
  header.writeBigUInt64LE(BigInt(number), 0);
  header.writeUInt16LE(kind, 18);
  return header;
}

t.test('the log continues from the state before a commit that did not end', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, segmentName(1), 'data.mdb');
  const log = await LmdbLog.open(folder);
  await appendRecords(log, [soundRecord(1, 3), soundRecord(4)]);
  const heads = (await readFile(file)).subarray(0, 2 * PAGE_BYTES);
  await appendRecords(log, [soundRecord(5)]);
  await log.close();
  const bytes = await readFile(file);
  // The state of a process that died between the flush of the pages and the write of the head.
  heads.copy(bytes);
  await writeFile(file, bytes);
  const reader = await LmdbLog.openReadOnly(folder);
  t.same(await seqsOf(reader, 1), [1, 4]);
  await reader.close();
  const again = await LmdbLog.open(folder);
  t.same(await seqsOf(again, 1), [1, 4]);
  await appendRecords(again, [soundRecord(5, 3), soundRecord(8)]);
  await again.close();
  const afterwards = await LmdbLog.open(folder);
  t.teardown(() => afterwards.close());
  t.same(await recordsOf(afterwards, 5), [soundRecord(5, 3), soundRecord(8)]);
});
