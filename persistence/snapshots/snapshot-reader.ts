// Loads the world of a snapshot. It checks everything that a snapshot says of itself, and repairs nothing: the result
// is the world that was written, or an error.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Engine } from '../../engine/engine.js';
import { StateHash } from '../../engine/rows/state-hash.js';
import { type EventBytes, isState, type Row } from '../../engine/rows/world-rows.js';
import { RULES_VERSIONS } from '../../engine/rules/shipped.js';
import { SNAPSHOT_CHUNK_ROWS } from '../limits.js';
import { requireSoundRulesIn } from '../rules/stored-rules.js';
import { decodeChunk } from './snapshot-codec.js';
import { type ReadableSnapshots, SnapshotDamaged, type SnapshotManifest } from './snapshot-store.js';

export interface SnapshotReading {
  /** Called after each chunk. */
  readonly onProgress?: ((rowsDone: number, rowsTotal: number | undefined) => void) | undefined;
  /**
   * Has the bytes of the events of a snapshot that a replay made for itself (history/made-snapshots.ts). Neither the events nor the
   * state hash are checked then. By default the events are in the snapshot.
   */
  readonly eventBytes?: EventBytes | undefined;
}

export interface LoadedSnapshot {
  readonly engine: Engine;
  readonly manifest: SnapshotManifest;
}

/**
 * Loads the world of a snapshot. It computes the state hash from the loaded world itself, which detects damaged rows
 * and bugs of the loader alike. Yields to the event loop.
 *
 * @throws SnapshotDamaged
 */
export async function readSnapshot(
  store: ReadableSnapshots,
  seq: number,
  reading: SnapshotReading = {},
): Promise<LoadedSnapshot> {
  const manifest = await manifestOf(store, seq);
  const { eventBytes } = reading;
  const loader = Engine.loader(eventBytes);
  for await (const rows of chunksOf(store, manifest, reading)) {
    orImpossibleRows(seq, () => {
      for (const row of rows) {
        requireSoundRulesIn(row);
        loader.add(row);
      }
    });
  }
  const engine = orImpossibleRows(seq, () => loader.finish());
  const { rulesVersion } = engine.world.settings;
  if (engine.seq !== seq || engine.nowMs !== manifest.worldTimeMs || rulesVersion !== manifest.rulesVersion) {
    throw new SnapshotDamaged(seq, 'foreign_world');
  }
  if (eventBytes === undefined) checkStateHash(await stateHashOf(engine), manifest);
  return { engine, manifest };
}

/**
 * Reads a whole snapshot without loading it: checks its checksums, its counts and the state hash of its rows.
 *
 * @throws SnapshotDamaged
 */
export async function verifySnapshot(
  store: ReadableSnapshots,
  seq: number,
  reading: SnapshotReading = {},
): Promise<SnapshotManifest> {
  const manifest = await manifestOf(store, seq);
  const hash = new StateHash();
  for await (const rows of chunksOf(store, manifest, reading)) {
    orImpossibleRows(seq, () => {
      for (const row of rows) if (isState(row)) hash.add(row);
    });
  }
  checkStateHash(hash, manifest);
  return manifest;
}

async function manifestOf(store: ReadableSnapshots, seq: number): Promise<SnapshotManifest> {
  const manifest = await store.manifest(seq);
  const { rulesVersion } = manifest;
  if (RULES_VERSIONS.has(rulesVersion)) return manifest;
  throw new SnapshotDamaged(seq, 'unknown_rules', `it was made by version ${rulesVersion}`);
}

/**
 * Yields the rows of each chunk, after checking that the chunk is sound, belongs to this snapshot and is the next one.
 */
async function* chunksOf(
  store: ReadableSnapshots,
  manifest: SnapshotManifest,
  { onProgress }: SnapshotReading,
): AsyncGenerator<Row[]> {
  const { seq, rowCount } = manifest;
  const done = { rowCount: 0, chunkCount: 0, byteCount: 0 };
  for await (const bytes of store.chunks(seq)) {
    const rows = decodeChunk(bytes, done.chunkCount, manifest);
    if (typeof rows === 'string')
      throw new SnapshotDamaged(seq, rows, `chunk ${done.chunkCount + 1} of ${manifest.chunkCount}`);
    yield rows;
    done.rowCount += rows.length;
    done.chunkCount += 1;
    done.byteCount += bytes.length;
    onProgress?.(done.rowCount, rowCount);
    await nextTurn();
  }
  for (const count of ['chunkCount', 'rowCount', 'byteCount'] as const) {
    if (done[count] === manifest[count]) continue;
    throw new SnapshotDamaged(seq, 'wrong_counts', `${count} is ${done[count]} and not ${manifest[count]}`);
  }
}

/** @throws SnapshotDamaged if `make` throws */
function orImpossibleRows<T>(seq: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new SnapshotDamaged(seq, 'impossible_rows', error instanceof Error ? error.message : String(error), error);
  }
}

async function stateHashOf(engine: Engine): Promise<StateHash> {
  const hash = new StateHash();
  let rowCount = 0;
  for (const row of engine.rows()) {
    hash.add(row);
    rowCount += 1;
    if (rowCount % SNAPSHOT_CHUNK_ROWS === 0) await nextTurn();
  }
  return hash;
}

function checkStateHash(hash: StateHash, { seq, stateHash }: SnapshotManifest): void {
  if (hash.toString() === stateHash) return;
  throw new SnapshotDamaged(seq, 'wrong_state_hash', `${hash} and not ${stateHash}`);
}
