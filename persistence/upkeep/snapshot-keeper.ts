// Keeps a running world's snapshots: has one taken when one is due by time or log size, compares the replay with the
// live engine, and removes what the two newest make unnecessary, unless history is kept. It never pauses the world.
import type { Engine } from '../../engine/engine.js';
import { asError, type FatalHandler } from '../fatal.js';
import { HISTORY_SNAPSHOT_ENTRIES, SNAPSHOT_POLL_MS, SNAPSHOT_RETRY_MS } from '../limits.js';
import { type CommandLog, Fenced } from '../log/log.js';
import type { SnapshotManifest, SnapshotStore } from '../snapshots/snapshot-store.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from '../time/scheduler.js';
import type { Sequencer } from '../writer/sequencer.js';
import { coveredFrom } from './coverage.js';
import type { TakenSnapshot } from './snapshot-taking.js';
import type { SnapshotTaker } from './snapshot-worker.js';

/** What is reported to the operator. */
export type SnapshotEvent =
  | { readonly type: 'snapshot_taken'; readonly taken: TakenSnapshot; readonly prunedToSeq: number | null }
  | { readonly type: 'snapshot_damaged'; readonly seq: number; readonly message: string }
  | { readonly type: 'snapshot_failed'; readonly message: string }
  /** No snapshot was finished within twice the time, or twice the bytes, after which one is due. */
  | { readonly type: 'snapshots_late'; readonly sinceMs: number; readonly logBytes: number };

export interface SnapshotSchedule {
  /** Milliseconds between snapshots of a world that changes; Infinity for never. */
  readonly everyMs: number;
  /** Bytes of log between snapshots; Infinity for never. */
  readonly everyBytes: number;
}

export interface SnapshotKeeperOptions extends SnapshotSchedule {
  readonly engine: Pick<Engine, 'seq' | 'fingerprint'>;
  readonly sequencer: Pick<Sequencer, 'cut' | 'durableSeq' | 'bytesSinceCut'>;
  readonly log: Pick<CommandLog, 'currentEpoch' | 'prune' | 'firstSeq'>;
  /** What acquire() of the log returned. */
  readonly epoch: number;
  readonly snapshots: SnapshotStore;
  readonly taker: SnapshotTaker;
  readonly onEvent: (event: SnapshotEvent) => void;
  readonly onFatal: FatalHandler;
  /** Keeps the whole log, and a snapshot every HISTORY_SNAPSHOT_ENTRIES; false by default. */
  readonly keepHistory?: boolean | undefined;
  /** Throws if the disk is too full to cut the log: a failed cut would end the process. By default it never throws. */
  readonly requireRoom?: () => Promise<void>;
  /** Defaults to NODE_SCHEDULER. */
  readonly scheduler?: Scheduler;
  /** Monotonic milliseconds; performance.now() by default. */
  readonly elapsedMs?: () => number;
}

/** What exists when the keeper starts. */
export interface KeptPast {
  /** The snapshot that the world was recovered from, if any. */
  readonly newest: SnapshotManifest | null;
  /** The first seq that can be restored. */
  readonly coveredFromSeq: number;
}

export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions;
  readonly #scheduler: Scheduler;
  readonly #elapsedMs: () => number;
  #newest: SnapshotManifest | null;
  /** The newest that another process has taken meanwhile. */
  #foreign: SnapshotManifest | null = null;
  #coveredFromSeq: number;
  #durationMs: number | null = null;
  #takenCount = 0;
  #failedCount = 0;
  #inProgress: Promise<TakenSnapshot> | undefined;
  #isLate = false;
  /** Elapsed times: when the last snapshot was taken, and before which none is started. */
  #takenAtMs: number;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #alarm: Alarm | undefined;
  #isStopped = false;

  constructor(options: SnapshotKeeperOptions, { newest, coveredFromSeq }: KeptPast) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? NODE_SCHEDULER;
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
    this.#newest = newest;
    this.#coveredFromSeq = coveredFromSeq;
    this.#takenAtMs = this.#elapsedMs() - ageMs(newest, options.everyMs);
  }

  get report(): SnapshotReport {
    return {
      newest: seqOf(this.#foreign) > seqOf(this.#newest) ? this.#foreign : this.#newest,
      durationMs: this.#durationMs,
      takenCount: this.#takenCount,
      failedCount: this.#failedCount,
      isInProgress: this.#inProgress !== undefined,
      isLate: this.#isLate,
      history: { coveredFromSeq: this.#coveredFromSeq, isKept: this.#options.keepHistory === true },
    };
  }

  /** Starts checking at intervals whether a snapshot is due. */
  start(): void {
    this.#alarm = this.#scheduler.after(SNAPSHOT_POLL_MS, this.#check);
  }

  /** Takes a snapshot now, or waits for the one in progress. @throws Error in one sentence */
  take(): Promise<TakenSnapshot> {
    this.#inProgress ??= this.#take().finally(() => {
      this.#inProgress = undefined;
    });
    return this.#inProgress;
  }

  /** Aborts the snapshot in progress, and takes no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#scheduler.cancel(this.#alarm);
    this.#options.taker.stop();
    await this.#inProgress?.catch(() => {});
  }

  readonly #check = (): void => {
    const nowMs = this.#elapsedMs();
    this.start();
    // If the snapshots cannot be read now, the next one to be taken reports that.
    this.#findForeign().catch(() => {});
    this.#checkLateness(nowMs);
    if (this.#inProgress !== undefined || nowMs < this.#notBeforeMs || !this.#isDue(nowMs, 1)) return;
    // Failures are reported as events.
    this.take().catch(() => {});
  };

  /**
   * Finds a snapshot that another process has taken, such as `galaxyd snapshot`, for the report. It does not count for the
   * schedule: only a snapshot of this process is compared with the live world, and followed by pruning.
   */
  async #findForeign(): Promise<void> {
    const { snapshots } = this.#options;
    const seq = (await snapshots.list()).at(-1) ?? 0;
    if (seq > seqOf(this.#newest) && seq !== seqOf(this.#foreign)) this.#foreign = await snapshots.manifest(seq);
  }

  /** @param factor 1: one is due; 2: one is long overdue */
  #isDue(nowMs: number, factor: number): boolean {
    const { sequencer, everyMs, everyBytes } = this.#options;
    if (sequencer.durableSeq === this.#newest?.seq) return false;
    // A snapshot that is larger than the log after it would cost more than it saves.
    const dueBytes = Math.max(everyBytes, this.#newest?.byteCount ?? 0);
    return nowMs - this.#takenAtMs >= factor * everyMs || sequencer.bytesSinceCut >= factor * dueBytes;
  }

  #checkLateness(nowMs: number): void {
    const wasLate = this.#isLate;
    this.#isLate = this.#isDue(nowMs, 2);
    if (!this.#isLate || wasLate) return;
    const logBytes = this.#options.sequencer.bytesSinceCut;
    this.#options.onEvent({ type: 'snapshots_late', sinceMs: nowMs - this.#takenAtMs, logBytes });
  }

  async #take(): Promise<TakenSnapshot> {
    const { engine, snapshots, taker, onEvent, onFatal, requireRoom } = this.#options;
    try {
      await requireRoom?.();
      const seq = await this.#cut();
      const auditSeq = engine.seq;
      const fingerprint = engine.fingerprint();
      const taken = await taker.take({ seq, auditSeq });
      if (taken.auditFingerprint !== null && taken.auditFingerprint !== fingerprint) {
        // Behind a fenced process the log goes on without it. Its next write ends it.
        await this.#requireEpoch();
        // The live world differs from its log, and only the log can be trusted. An existing snapshot stays: it may be
        // the only way to recover.
        try {
          if (taken.isNew) await snapshots.remove(taken.manifest.seq);
        } finally {
          onFatal(new Error(`the replay of the log differs from the live world at seq ${auditSeq}`));
        }
        throw new Error('the world has to be recovered from its log');
      }
      for (const damaged of taken.damaged) onEvent({ type: 'snapshot_damaged', ...damaged });
      const prunedToSeq = await this.#applyRetention(taken);
      this.#newest = taken.manifest;
      this.#durationMs = taken.durationMs;
      this.#takenCount += 1;
      this.#takenAtMs = this.#elapsedMs();
      this.#isLate = false;
      onEvent({ type: 'snapshot_taken', taken, prunedToSeq });
      return taken;
    } catch (error) {
      this.#notBeforeMs = this.#elapsedMs() + SNAPSHOT_RETRY_MS;
      if (!this.#isStopped) {
        this.#failedCount += 1;
        onEvent({ type: 'snapshot_failed', message: asError(error).message });
      }
      throw error;
    }
  }

  async #cut(): Promise<number> {
    this.#requireRunning();
    const seq = await this.#options.sequencer.cut();
    // A stop() during the cut has stopped the taker already, and does not wait for a snapshot that starts now.
    this.#requireRunning();
    return seq;
  }

  #requireRunning(): void {
    if (this.#isStopped) throw new Error('the world is being closed');
  }

  /** @throws Fenced */
  async #requireEpoch(): Promise<void> {
    const { log, epoch } = this.#options;
    if ((await log.currentEpoch()) !== epoch) throw new Fenced(epoch);
  }

  /** Applies the retention policy. @returns as #prune() does */
  async #applyRetention(taken: TakenSnapshot): Promise<number | null> {
    const { keepHistory, log, snapshots } = this.#options;
    // Snapshots have no epoch. The process that has taken over the log decides which ones are kept.
    await this.#requireEpoch();
    try {
      if (keepHistory !== true) return await this.#prune(taken);
      await this.#thinOut(taken);
      return null;
    } finally {
      // Also after a failure, since part of it may have been removed.
      this.#coveredFromSeq = (await coveredFrom(log, snapshots, await snapshots.list())) ?? taken.manifest.seq;
    }
  }

  /** Keeps the whole log. Removes older snapshots that are damaged, or that a short replay can make again. */
  async #thinOut({ manifest, basisSeq, isNew, damaged }: TakenSnapshot): Promise<void> {
    if (!isNew) return;
    const { snapshots } = this.#options;
    const older = (await snapshots.list()).filter((seq) => seq !== basisSeq && seq < manifest.seq);
    const damagedSeqs = older.filter((seq) => damaged.some((each) => each.seq === seq));
    const sound = older.filter((seq) => !damagedSeqs.includes(seq));
    for (const seq of [...damagedSeqs, ...superfluousSnapshots(sound, this.#coveredFromSeq)])
      await snapshots.remove(seq);
  }

  /**
   * Keeps two snapshots, both just verified: the new one, and the one that its replay began with. The log before the
   * older one is pruned.
   *
   * @returns last seq that the log was asked to prune; null if nothing was pruned
   */
  async #prune({ manifest, basisSeq, isNew }: TakenSnapshot): Promise<number | null> {
    if (basisSeq === null || !isNew) return null;
    const { log, epoch, snapshots } = this.#options;
    for (const seq of await snapshots.list()) {
      if (seq !== basisSeq && seq < manifest.seq) await snapshots.remove(seq);
    }
    await log.prune(epoch, basisSeq + 1);
    return basisSeq;
  }
}

/**
 * Age of a snapshot by the machine's clock, which may have been set since: at least 0, at most the age at which one is
 * due.
 */
function ageMs(newest: SnapshotManifest | null, everyMs: number): number {
  return newest === null ? 0 : Math.min(Math.max(Date.now() - newest.createdAtMs, 0), everyMs);
}

function seqOf(manifest: SnapshotManifest | null): number {
  return manifest?.seq ?? 0;
}

/**
 * Visits the older snapshots from the oldest on and keeps each one that is at least HISTORY_SNAPSHOT_ENTRIES entries
 * after the previously kept one. A snapshot that it has kept once, it keeps as the world grows.
 *
 * @param olderSeqs snapshots other than the two newest, ascending
 * @param coveredFromSeq first seq that can be restored. No replay can make the snapshots up to there again, so they are
 *   kept
 * @returns seqs of the snapshots that can be removed, ascending
 */
export function superfluousSnapshots(olderSeqs: readonly number[], coveredFromSeq: number): number[] {
  let keptSeq = coveredFromSeq;
  return olderSeqs.filter((seq) => {
    if (seq <= coveredFromSeq) return false;
    if (seq - keptSeq < HISTORY_SNAPSHOT_ENTRIES) return true;
    keptSeq = seq;
    return false;
  });
}

export interface SnapshotReport {
  /** The newest one, whichever process has taken it; null before the first. */
  readonly newest: SnapshotManifest | null;
  /** How long taking it took; null if this process has taken none. */
  readonly durationMs: number | null;
  /** Since the process started. */
  readonly takenCount: number;
  readonly failedCount: number;
  readonly isInProgress: boolean;
  /** True while snapshots cannot keep up with the world. */
  readonly isLate: boolean;
  /** Null for a world in memory. */
  readonly history: History | null;
}

/** How much of a world's history can be verified and restored. */
export interface History {
  /** The first seq that can be restored. */
  readonly coveredFromSeq: number;
  /** True if this process deletes none of it. */
  readonly isKept: boolean;
}

/** The report of a world without snapshots. */
export const NO_SNAPSHOTS: SnapshotReport = Object.freeze({
  newest: null,
  durationMs: null,
  takenCount: 0,
  failedCount: 0,
  isInProgress: false,
  isLate: false,
  history: null,
});
