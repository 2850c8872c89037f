// The snapshots that a replay makes for itself, at short distances, so that a jump replays little. Only the replay reads them: the
// bytes of their events are in files of their own.
import { join } from 'node:path';
import type { Engine } from '../../engine/engine.js';
import { REPLAY_SNAPSHOT_BYTES_MAX, REPLAY_SNAPSHOT_ENTRIES, REPLAY_SNAPSHOTS_MAX } from '../limits.js';
import { SnapshotFolder } from '../snapshots/snapshot-files.js';
import { type SnapshotStore, SnapshotWriteFailed } from '../snapshots/snapshot-store.js';
import { writeSnapshot } from '../snapshots/snapshot-writer.js';
import { EventFiles } from './event-files.js';

export class MadeSnapshots {
  readonly snapshots: SnapshotStore;
  readonly events: EventFiles;
  /** Entries between two of them. It doubles if they become too many or too large. */
  #distance: number;
  #lastSeq = 0;
  /** Bytes of each without its events, by its seq. */
  readonly #byteCounts = new Map<number, number>();

  /**
   * @param folder nothing else is in it
   * @param distance entries between two of them at first; REPLAY_SNAPSHOT_ENTRIES by default
   */
  constructor(folder: string, distance: number = REPLAY_SNAPSHOT_ENTRIES) {
    this.snapshots = new SnapshotFolder(folder);
    this.events = new EventFiles(join(folder, 'events'));
    this.#distance = distance;
  }

  /** @param seq where the history begins */
  begin(seq: number): void {
    this.#lastSeq = seq;
  }

  isDue(seq: number): boolean {
    return seq - this.#lastSeq >= this.#distance;
  }

  /** Makes one; none if there is no room for it. @param logHash of the record that ends at the engine's seq */
  async take(engine: Engine, logHash: Uint8Array): Promise<void> {
    const { seq, nowMs, world } = engine;
    this.#lastSeq = seq;
    const snapshotRows = () => engine.snapshotRows(this.events);
    try {
      const order = { engine: { seq, nowMs, world, snapshotRows }, logHash, store: this.snapshots };
      const { byteCount } = await writeSnapshot({ ...order, createdAtMs: Date.now() });
      this.events.keepFor(seq);
      this.#byteCounts.set(seq, byteCount);
    } catch (error) {
      if (!(error instanceof SnapshotWriteFailed)) throw error;
      this.events.remove(null);
      await this.#thinOut();
    }
    while (this.#byteCounts.size > REPLAY_SNAPSHOTS_MAX || this.#byteCount > REPLAY_SNAPSHOT_BYTES_MAX) {
      await this.#thinOut();
    }
  }

  get #byteCount(): number {
    return [...this.#byteCounts.values()].reduce((sum, bytes) => sum + bytes, this.events.byteCount);
  }

  /** Removes every second one. */
  async #thinOut(): Promise<void> {
    this.#distance *= 2;
    for (const [index, seq] of [...this.#byteCounts.keys()].entries()) {
      if (index % 2 === 1) continue;
      await this.snapshots.remove(seq);
      this.events.remove(seq);
      this.#byteCounts.delete(seq);
    }
  }
}
