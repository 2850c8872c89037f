// A store of snapshots that is broken on purpose. Used only by the breakages.
import type { SnapshotManifest, SnapshotSink, SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';

/** Stores no rows, but reports that it has. */
export class EmptySnapshots implements SnapshotStore {
  constructor(private readonly store: SnapshotStore) {}

  async begin(seq: number): Promise<SnapshotSink> {
    const sink = await this.store.begin(seq);
    return {
      append: async () => {},
      finish: (manifest) => sink.finish(manifest),
      abandon: () => sink.abandon(),
    };
  }

  list(): Promise<number[]> {
    return this.store.list();
  }

  manifest(seq: number): Promise<SnapshotManifest> {
    return this.store.manifest(seq);
  }

  chunks(seq: number): AsyncIterable<Uint8Array> {
    return this.store.chunks(seq);
  }

  remove(seq: number): Promise<void> {
    return this.store.remove(seq);
  }

  sweep(): Promise<void> {
    return this.store.sweep();
  }
}
