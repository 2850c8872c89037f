// Writes a snapshot of an engine at rest, and verifies it before it counts.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '../../engine/engine.js';
import { StateHash } from '../../engine/rows/state-hash.js';
import { isState, type Row } from '../../engine/rows/world-rows.js';
import { SNAPSHOT_CHUNK_BYTES, SNAPSHOT_CHUNK_ROWS } from '../limits.js';
import { entryBytesBound } from '../log/batch-record.js';
import { encodeChunk, encodeManifest, SNAPSHOT_FORMAT_VERSION, type SnapshotIdentity } from './snapshot-codec.js';
import { verifySnapshot } from './snapshot-reader.js';
import {
  SnapshotExists,
  type SnapshotManifest,
  type SnapshotSink,
  type SnapshotStore,
  SnapshotWriteFailed,
} from './snapshot-store.js';

export interface SnapshotOrder {
  /** Must not change until the snapshot is written. */
  readonly engine: Pick<Engine, 'seq' | 'nowMs' | 'world' | 'snapshotRows'>;
  /** recordHash() of the record that ends at the engine's seq. */
  readonly logHash: Uint8Array;
  readonly store: SnapshotStore;
  /** An instant of the machine's clock. */
  readonly createdAtMs: number;
  /** Called after each chunk that is written, with an unknown total, and then after each chunk that is read back. */
  readonly onProgress?:
    | ((step: 'written rows' | 'verified rows', done: number, total: number | undefined) => void)
    | undefined;
}

/**
 * Writes a snapshot and verifies it by reading it back. Yields to the event loop.
 *
 * @throws SnapshotExists
 * @throws SnapshotWriteFailed nothing is left of it
 */
export async function writeSnapshot(order: SnapshotOrder): Promise<SnapshotManifest> {
  const { engine, store } = order;
  const { seq } = engine;
  try {
    const sink = await store.begin(seq);
    const manifest = await fill(sink, order).catch(async (error) => {
      await sink.abandon();
      throw error;
    });
    await confirm(order, manifest);
    return manifest;
  } catch (error) {
    throw error instanceof SnapshotExists ? error : new SnapshotWriteFailed(seq, error);
  }
}

async function fill(sink: SnapshotSink, order: SnapshotOrder): Promise<SnapshotManifest> {
  const { engine, createdAtMs } = order;
  const { seq, nowMs: worldTimeMs } = engine;
  const { rulesVersion } = engine.world.settings;
  const identity: SnapshotIdentity = { rulesVersion, seq, logHash: Buffer.from(order.logHash).toString('hex') };
  const hash = new StateHash();
  let rowCount = 0;
  let chunkCount = 0;
  let byteCount = 0;
  for (const rows of chunksOf(engine.snapshotRows())) {
    for (const row of rows) if (isState(row)) hash.add(row);
    const bytes = encodeChunk(rows, chunkCount, identity);
    await sink.append(bytes);
    rowCount += rows.length;
    chunkCount += 1;
    byteCount += bytes.length;
    order.onProgress?.('written rows', rowCount, undefined);
    await nextTurn();
    if (engine.seq !== seq) throw new Error(`the world has moved on to seq ${engine.seq} in the meantime`);
  }
  const manifest = {
    ...{ formatVersion: SNAPSHOT_FORMAT_VERSION, ...identity, worldTimeMs, stateHash: hash.toString() },
    ...{ rowCount, chunkCount, byteCount, createdAtMs },
  };
  await sink.finish(manifest);
  return manifest;
}

/** @throws Error if what is read differs from what was written; the snapshot is removed then */
async function confirm({ store, onProgress }: SnapshotOrder, written: SnapshotManifest): Promise<void> {
  const { seq } = written;
  try {
    const read = await verifySnapshot(store, seq, {
      onProgress: (done, total) => onProgress?.('verified rows', done, total),
    });
    if (!encodeManifest(read).equals(encodeManifest(written)))
      throw new Error('its manifest differs from the one that was written');
  } catch (error) {
    await store.remove(seq);
    throw error;
  }
}

function* chunksOf(rows: Iterable<Row>): Generator<Row[]> {
  let chunk: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    chunk.push(row);
    bytes += entryBytesBound(row);
    if (chunk.length < SNAPSHOT_CHUNK_ROWS && bytes < SNAPSHOT_CHUNK_BYTES) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}
