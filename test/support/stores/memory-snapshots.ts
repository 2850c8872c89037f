// Snapshots that live as long as their process: for tests, and for worlds that need not survive.
import { decodeManifest, encodeManifest } from '../../../persistence/snapshots/snapshot-codec.js';
import {
  SnapshotDamaged,
  SnapshotExists,
  type SnapshotManifest,
  type SnapshotSink,
  type SnapshotStore,
} from '../../../persistence/snapshots/snapshot-store.js';

export interface StoredSnapshot {
  readonly manifest: Uint8Array;
  readonly chunks: readonly Uint8Array[];
}

export class MemorySnapshots implements SnapshotStore {
  /** Indexed by seq. Tests insert damaged ones. */
  readonly stored = new Map<number, StoredSnapshot>();

  async list(): Promise<number[]> {
    return [...this.stored.keys()].sort((a, b) => a - b);
  }

  async manifest(seq: number): Promise<SnapshotManifest> {
    const manifest = decodeManifest(this.#get(seq).manifest, seq);
    if (typeof manifest === 'string') throw new SnapshotDamaged(seq, manifest);
    return manifest;
  }

  async *chunks(seq: number): AsyncGenerator<Uint8Array> {
    yield* this.#get(seq).chunks;
  }

  async begin(seq: number): Promise<SnapshotSink> {
    const { stored } = this;
    if (stored.has(seq)) throw new SnapshotExists(seq);
    const chunks: Uint8Array[] = [];
    return {
      append: async (bytes) => {
        chunks.push(bytes);
      },
      finish: async (manifest) => {
        if (stored.has(seq)) throw new SnapshotExists(seq);
        stored.set(seq, { manifest: encodeManifest(manifest), chunks });
      },
      abandon: async () => {},
    };
  }

  async remove(seq: number): Promise<void> {
    this.stored.delete(seq);
  }

  async sweep(): Promise<void> {}

  #get(seq: number): StoredSnapshot {
    const snapshot = this.stored.get(seq);
    if (snapshot === undefined) throw new SnapshotDamaged(seq, 'missing');
    return snapshot;
  }
}
