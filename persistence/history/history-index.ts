// Replays a whole history once, from its beginning: makes its timeline, and snapshots at short distances, so that a jump replays
// little. It writes nothing to the store.
import { setTimeout as delay } from 'node:timers/promises';
import { Engine } from '../../engine/engine.js';
import { TIMELINE_POLL_MS, TIMELINE_REPORT_MS } from '../limits.js';
import { NO_PREVIOUS_HASH } from '../log/batch-record.js';
import { replay } from '../recovery/replay.js';
import { readSnapshot } from '../snapshots/snapshot-reader.js';
import type { WorldStore } from '../stores/world-store.js';
import type { MadeSnapshots } from './made-snapshots.js';
import { Past } from './past.js';
import { type Timeline, TimelineMaker } from './timeline.js';

export interface IndexOptions {
  readonly store: WorldStore;
  /** The snapshots that it makes. */
  readonly made: MadeSnapshots;
  readonly onTimeline: (timeline: Timeline) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs until the signal is aborted: once all is replayed, it waits for further entries.
 *
 * @throws RecoveryRefused, SnapshotDamaged, LogUnreadable
 */
export async function indexHistory({ store, made, onTimeline, signal }: IndexOptions): Promise<void> {
  const past = await Past.open(store, made);
  const { first, last } = past;
  await past.close();
  const log = await store.openLog();
  const start = first.seq === 1 && log.firstSeq === 1 ? null : await readSnapshot(store.snapshots, first.seq);
  const engine = start?.engine ?? Engine.create();
  const maker = new TimelineMaker(first, last);
  made.begin(engine.seq);
  let startHash: Uint8Array = start === null ? NO_PREVIOUS_HASH : Buffer.from(start.manifest.logHash, 'hex');
  let reportedAtMs = performance.now();
  while (!signal.aborted) {
    let isAtEnd = true;
    const { tail } = await replay(log, engine, {
      startHash,
      onEntries: (entries) => maker.add(entries, engine.world),
      endsAfter: (seq) => {
        isAtEnd = !(made.isDue(seq) || performance.now() - reportedAtMs > TIMELINE_REPORT_MS || signal.aborted);
        return !isAtEnd;
      },
    });
    startHash = tail.hash;
    if (made.isDue(engine.seq)) await made.take(engine, tail.hash);
    onTimeline(maker.timeline);
    reportedAtMs = performance.now();
    if (!isAtEnd) continue;
    await delay(TIMELINE_POLL_MS, undefined, { signal }).catch(() => {});
    await log.refresh();
  }
  await log.close();
}
