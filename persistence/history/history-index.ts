// Replays a whole history once, from its beginning: makes its timeline, and snapshots at short distances, so that a jump replays
// little. It writes nothing to the store.
import { setTimeout as delay } from 'node:timers/promises';
import { Engine } from '../../engine/engine.js';
import {
  REPLAY_SNAPSHOT_BYTES_MAX,
  REPLAY_SNAPSHOT_ENTRIES,
  REPLAY_SNAPSHOTS_MAX,
  TIMELINE_POLL_MS,
  TIMELINE_REPORT_MS,
} from '../limits.js';
import { NO_PREVIOUS_HASH } from '../log/batch-record.js';
import { replay } from '../recovery/replay.js';
import { readSnapshot } from '../snapshots/snapshot-reader.js';
import { type SnapshotStore, SnapshotWriteFailed } from '../snapshots/snapshot-store.js';
import { writeSnapshot } from '../snapshots/snapshot-writer.js';
import type { WorldStore } from '../stores/world-store.js';
import { Past } from './past.js';
import { type Timeline, TimelineMaker } from './timeline.js';

export interface IndexOptions {
  readonly store: WorldStore;
  /** Where snapshots are made; nothing else writes there. */
  readonly made: SnapshotStore;
  readonly onTimeline: (timeline: Timeline) => void;
  readonly signal: AbortSignal;
  /** Entries between two snapshots at first; REPLAY_SNAPSHOT_ENTRIES by default. */
  readonly distance?: number;
}

/**
 * Runs until the signal is aborted: once all is replayed, it waits for further entries.
 *
 * @throws RecoveryRefused, SnapshotDamaged, LogUnreadable
 */
export async function indexHistory({ store, made, onTimeline, signal, distance }: IndexOptions): Promise<void> {
  const past = await Past.open(store, made);
  const { first, last } = past;
  await past.close();
  const log = await store.openLog();
  const start = first.seq === 1 && log.firstSeq === 1 ? null : await readSnapshot(store.snapshots, first.seq);
  const engine = start?.engine ?? Engine.create();
  const maker = new TimelineMaker(first, last);
  const snapshots = new OwnSnapshots(made, engine.seq, distance);
  let startHash: Uint8Array = start === null ? NO_PREVIOUS_HASH : Buffer.from(start.manifest.logHash, 'hex');
  let reportedAtMs = performance.now();
  while (!signal.aborted) {
    let isAtEnd = true;
    const { tail } = await replay(log, engine, {
      startHash,
      follower: { take: (entries) => maker.add(entries, engine.world) },
      endsAfter: (seq) => {
        isAtEnd = !(snapshots.isDue(seq) || performance.now() - reportedAtMs > TIMELINE_REPORT_MS || signal.aborted);
        return !isAtEnd;
      },
    });
    startHash = tail.hash;
    if (snapshots.isDue(engine.seq)) await snapshots.take(engine, tail.hash);
    onTimeline(maker.timeline);
    reportedAtMs = performance.now();
    if (!isAtEnd) continue;
    await delay(TIMELINE_POLL_MS, undefined, { signal }).catch(() => {});
    await log.refresh();
  }
  await log.close();
}

/** The snapshots that are made. Their distance doubles if they become too many or too large. */
class OwnSnapshots {
  #lastSeq: number;
  #byteCount = 0;
  #seqs: number[] = [];

  constructor(
    private readonly made: SnapshotStore,
    startSeq: number,
    private distance = REPLAY_SNAPSHOT_ENTRIES,
  ) {
    this.#lastSeq = startSeq;
  }

  isDue(seq: number): boolean {
    return seq - this.#lastSeq >= this.distance;
  }

  /** @param logHash of the record that ends at the engine's seq */
  async take(engine: Engine, logHash: Uint8Array): Promise<void> {
    this.#lastSeq = engine.seq;
    const byteCount = await this.#write(engine, logHash);
    if (byteCount === null) return;
    this.#seqs.push(engine.seq);
    this.#byteCount += byteCount;
    while (this.#seqs.length > REPLAY_SNAPSHOTS_MAX || this.#byteCount > REPLAY_SNAPSHOT_BYTES_MAX) {
      await this.#thinOut();
    }
  }

  /** @returns null if there is no room for it: jumps take longer then */
  async #write(engine: Engine, logHash: Uint8Array): Promise<number | null> {
    try {
      return (await writeSnapshot({ engine, logHash, store: this.made, createdAtMs: Date.now() })).byteCount;
    } catch (error) {
      if (!(error instanceof SnapshotWriteFailed)) throw error;
      if (this.#seqs.length > 1) await this.#thinOut();
      return null;
    }
  }

  async #thinOut(): Promise<void> {
    this.distance *= 2;
    const kept: number[] = [];
    for (const [index, seq] of this.#seqs.entries()) {
      if (index % 2 === 1) {
        kept.push(seq);
        continue;
      }
      this.#byteCount -= (await this.made.manifest(seq)).byteCount;
      await this.made.remove(seq);
    }
    this.#seqs = kept;
  }
}
