// What every store of snapshots must do: tests that the one on disk and the one in memory both pass.
import type { Test } from 'tap';
import { SNAPSHOT_READ_BYTES } from '../../../persistence/limits.js';
import { encodeChunk } from '../../../persistence/snapshots/snapshot-codec.js';
import {
  SnapshotExists,
  type SnapshotManifest,
  type SnapshotStore,
} from '../../../persistence/snapshots/snapshot-store.js';

/** Opens an empty store that is closed at the end of the test. */
export type OpenStore = (t: Test) => Promise<SnapshotStore>;

export async function testSnapshotStoreContract(t: Test, openStore: OpenStore): Promise<void> {
  await t.test('a new store is empty', async (t) => {
    const store = await openStore(t);
    t.same(await store.list(), []);
    const missing = { name: 'SnapshotDamaged', seq: 5, fault: 'missing' };
    await t.rejects(store.manifest(5), missing);
    await t.rejects(chunksIn(store, 5), missing);
    await store.remove(5);
    await store.sweep();
    t.same(await store.list(), []);
  });

  await t.test('a snapshot comes back byte by byte', async (t) => {
    const store = await openStore(t);
    await put(store, 7, 3);
    t.same(await store.manifest(7), manifestAt(7, 3));
    t.same(await chunksIn(store, 7), chunksAt(7, 3));
  });

  await t.test('a snapshot without a chunk comes back as well', async (t) => {
    const store = await openStore(t);
    await put(store, 7, 0);
    t.same(await chunksIn(store, 7), []);
  });

  await t.test('snapshots are listed in the order of their seqs', async (t) => {
    const store = await openStore(t);
    for (const seq of [10, 9, 2 ** 40, 1]) await put(store, seq, 1);
    t.same(await store.list(), [1, 9, 10, 2 ** 40]);
  });

  await t.test('a snapshot is not visible before it is finished', async (t) => {
    const store = await openStore(t);
    const sink = await store.begin(7);
    for (const chunk of chunksAt(7, 2)) await sink.append(chunk);
    t.same(await store.list(), []);
    await t.rejects(store.manifest(7), { name: 'SnapshotDamaged', fault: 'missing' });
    await sink.finish(manifestAt(7, 2));
    t.same(await store.list(), [7]);
  });

  await t.test('an abandoned snapshot leaves nothing, and can be begun again', async (t) => {
    const store = await openStore(t);
    const sink = await store.begin(7);
    await sink.append(chunkAt(7, 0));
    await sink.abandon();
    t.same(await store.list(), []);
    await put(store, 7, 1);
    t.same(await chunksIn(store, 7), chunksAt(7, 1));
  });

  await t.test('a seq has one snapshot: a second one is refused and changes nothing', async (t) => {
    const store = await openStore(t);
    const late = await store.begin(7);
    await put(store, 7, 2);
    await t.rejects(store.begin(7), SnapshotExists);
    await late.append(chunkAt(7, 5));
    await t.rejects(late.finish(manifestAt(7, 1)), SnapshotExists);
    await late.abandon();
    t.same(await store.manifest(7), manifestAt(7, 2));
    t.same(await chunksIn(store, 7), chunksAt(7, 2));
  });

  await t.test('a removed snapshot is gone, the others are not, and its seq can be written again', async (t) => {
    const store = await openStore(t);
    for (const seq of [7, 8]) await put(store, seq, 1);
    await store.remove(7);
    t.same(await store.list(), [8]);
    await t.rejects(chunksIn(store, 7), { name: 'SnapshotDamaged', fault: 'missing' });
    await put(store, 7, 2);
    t.same(await chunksIn(store, 7), chunksAt(7, 2));
  });

  await t.test('sweeping removes unfinished snapshots, and nothing else', async (t) => {
    const store = await openStore(t);
    await put(store, 7, 1);
    const unfinished = await store.begin(8);
    t.teardown(() => unfinished.abandon());
    await unfinished.append(chunkAt(8, 0));
    await store.sweep();
    t.same(await store.list(), [7]);
    await put(store, 8, 1);
    t.same(await chunksIn(store, 7), chunksAt(7, 1));
  });

  await t.test('chunks longer than one read, and more chunks than fit into one, come back whole', async (t) => {
    const store = await openStore(t);
    const texts = [3 * SNAPSHOT_READ_BYTES, 1, SNAPSHOT_READ_BYTES, 0, SNAPSHOT_READ_BYTES - 100];
    const chunks = texts.map((length, index) => encodeChunk([[1, 'x'.repeat(length)]], index, identityAt(7)));
    const sink = await store.begin(7);
    for (const chunk of chunks) await sink.append(chunk);
    await sink.finish(manifestAt(7, chunks.length));
    const read = await chunksIn(store, 7);
    t.equal(read.length, chunks.length);
    t.ok(read.every((bytes, index) => bytes.equals(chunks[index] as Buffer)));
  });

  await t.test('a reader that stops in the middle can read again', async (t) => {
    const store = await openStore(t);
    await put(store, 7, 3);
    for await (const bytes of store.chunks(7)) {
      t.ok(Buffer.from(bytes).equals(chunkAt(7, 0)));
      break;
    }
    t.same(await chunksIn(store, 7), chunksAt(7, 3));
    await store.remove(7);
  });
}

/** Writes a snapshot with a number of chunks. */
export async function put(store: SnapshotStore, seq: number, chunkCount: number): Promise<void> {
  const sink = await store.begin(seq);
  for (const chunk of chunksAt(seq, chunkCount)) await sink.append(chunk);
  await sink.finish(manifestAt(seq, chunkCount));
}

export async function chunksIn(store: SnapshotStore, seq: number): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const bytes of store.chunks(seq)) chunks.push(Buffer.from(bytes));
  return chunks;
}

export function manifestAt(seq: number, chunkCount: number): SnapshotManifest {
  return {
    formatVersion: 1,
    ...identityAt(seq),
    worldTimeMs: 1_900_000_000_000 + seq,
    stateHash: '0123456789abcdef',
    rowCount: chunkCount,
    chunkCount,
    byteCount: chunksAt(seq, chunkCount).reduce((sum, { length }) => sum + length, 0),
    createdAtMs: 1_800_000_000_000,
  };
}

function identityAt(seq: number) {
  return { rulesVersion: 1, seq, logHash: '00112233445566778899aabbccddeeff' };
}

function chunkAt(seq: number, index: number): Buffer {
  return encodeChunk([[3, `chunk ${index} of ${seq}`, null, [true]]], index, identityAt(seq));
}

function chunksAt(seq: number, chunkCount: number): Buffer[] {
  return Array.from({ length: chunkCount }, (_, index) => chunkAt(seq, index));
}
