// One term of this process as the leader: its writer, its snapshots, and how it ends. It begins with the lease claimed and the log
// applied to its end, and from then on the engine may be ahead of the log.
import type { Engine } from '../../engine/engine.js';
import { asError, type FatalHandler } from '../fatal.js';
import { SNAPSHOT_POLL_MS } from '../limits.js';
import { recordHash } from '../log/batch-record.js';
import type { Append, LogTail, StoredRecord, WriterLog } from '../log/log.js';
import type { ReplayableEngine } from '../recovery/replay.js';
import type { SnapshotManifest, SnapshotStore } from '../snapshots/snapshot-store.js';
import type { HeldWorld } from '../stores/world-store.js';
import type { Clock, TimeSource } from '../time/clock.js';
import { pause, type Scheduler } from '../time/scheduler.js';
import type { SnapshotKeeper } from '../upkeep/snapshot-keeper.js';
import type { SnapshotTaker } from '../upkeep/snapshot-worker.js';
import { coveredFromSeq, keepSnapshots, makeWriter, type ReplacedParts, type UpkeepOptions } from '../world-writer.js';
import type { Durability } from '../writer/group-commit.js';
import type { Sequencer } from '../writer/sequencer.js';
import type { LeaderTerm } from './leader-term.js';
import type { RoleSnapshots } from './role-sequencer.js';

export interface LeadingParts {
  readonly term: LeaderTerm;
  readonly held: HeldWorld;
  readonly engine: Engine;
  /** The engine as it is applied to. */
  readonly applied: ReplayableEngine;
  /** Where log and engine stand. */
  readonly tail: LogTail;
  readonly clock: Clock;
  readonly durability: Durability;
  readonly bytesSinceCut: number;
  /** The newest snapshot; null if there is none. */
  readonly newest: SnapshotManifest | null;
  readonly snapshots: SnapshotStore;
  readonly taker: (() => SnapshotTaker) | null;
  /** Shows the keeper of the term; null if no snapshots can be taken. */
  readonly shown: RoleSnapshots | null;
  readonly upkeep: UpkeepOptions;
  readonly commit: ReplacedParts['commit'];
  readonly scheduler: Scheduler;
  readonly source: TimeSource;
  readonly onFatal: FatalHandler;
}

export class Leading {
  readonly term: LeaderTerm;
  readonly sequencer: Sequencer;
  readonly #parts: LeadingParts;
  readonly #log: TermLog;
  #keeper: SnapshotKeeper | null = null;
  #isEnding = false;

  constructor(parts: LeadingParts) {
    const { term, held, engine, applied, tail, clock, durability, bytesSinceCut, scheduler, onFatal } = parts;
    const { commit } = parts;
    this.#parts = parts;
    this.term = term;
    this.#log = new TermLog(held.log, term, tail);
    this.sequencer = makeWriter({
      engine,
      applied,
      log: this.#log,
      epoch: term.epoch,
      tail,
      durability,
      clock,
      freeSpace: held.freeSpace,
      bytesSinceCut,
      onFatal,
      scheduler,
      commit,
    });
  }

  /** Fires what fell due while nobody led. */
  async start(): Promise<void> {
    await this.sequencer.start();
  }

  /** Starts to keep snapshots. They are not part of a takeover: if the store fails here, it tries again. */
  async keepSnapshots(): Promise<void> {
    const { term, held, engine, snapshots, taker, shown, upkeep, newest, scheduler, source, onFatal } = this.#parts;
    if (taker === null) return;
    let hasFailed = false;
    const tellOnce = (error: unknown): null => {
      if (!hasFailed) upkeep.onSnapshotEvent?.({ type: 'snapshot_failed', message: asError(error).message });
      hasFailed = true;
      return null;
    };
    while (!this.#isEnding && !term.isOver) {
      const covered = await coveredFromSeq(held.log, snapshots, newest).catch(tellOnce);
      if (covered !== null && !this.#isEnding) {
        const { sequencer } = this;
        const elapsedMs = (): number => source.elapsedMs();
        const parts = { held, engine, sequencer, snapshots, newest, scheduler, elapsedMs, onFatal };
        this.#keeper = keepSnapshots({
          ...upkeep,
          ...parts,
          epoch: term.epoch,
          taker: taker(),
          coveredFromSeq: covered,
        });
        shown?.keepBy(this.#keeper);
        return;
      }
      await pause(scheduler, SNAPSHOT_POLL_MS);
    }
  }

  /**
   * Accepts no further command. Settles once everything is durable and every reply that waited for that has left; never if the term
   * ends before.
   *
   * @returns where the log ends; null after a fatal error
   */
  async drain(): Promise<LogTail | null> {
    await this.stop();
    if (this.term.isOver) return null;
    await this.term.untilValid();
    await this.term.end();
    const { tail } = this.#log;
    if (tail.lastSeq !== this.#parts.engine.seq) throw new Error('the world was drained, and is ahead of its log');
    return tail;
  }

  /** Accepts no further command. Settles once everything is durable, or after a fatal error. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#keeper?.stop();
    this.#parts.shown?.keepBy(null);
    await this.sequencer.stop();
  }
}

/**
 * The log of a leader: what is stored counts as stored only while the term is valid, so that the writer releases nothing that another
 * leader could contradict. The writer itself knows nothing of terms.
 */
export class TermLog implements WriterLog {
  readonly #log: WriterLog;
  readonly #term: Pick<LeaderTerm, 'untilValid'>;
  #tail: LogTail;
  #newest: Append | undefined;

  /** @param tail of the log when the term begins */
  constructor(log: WriterLog, term: Pick<LeaderTerm, 'untilValid'>, tail: LogTail) {
    this.#log = log;
    this.#term = term;
    this.#tail = tail;
  }

  /** Where the log ends, if nothing is in flight. */
  get tail(): LogTail {
    if (this.#newest !== undefined) {
      this.#tail = { lastSeq: this.#newest.lastSeq, hash: recordHash(this.#newest.bytes) };
      this.#newest = undefined;
    }
    return this.#tail;
  }

  async append(append: Append): Promise<void> {
    this.#newest = append;
    await this.#log.append(append);
    await this.#term.untilValid();
  }

  /** The last read before an append of unknown outcome counts as stored (append.ts), so it waits for the term too. */
  async currentEpoch(): Promise<number> {
    const epoch = await this.#log.currentEpoch();
    await this.#term.untilValid();
    return epoch;
  }

  /** The process goes on with the log in another role, so it stays open. */
  async close(): Promise<void> {}

  read(fromSeq: number): AsyncIterable<StoredRecord> {
    return this.#log.read(fromSeq);
  }

  refresh(): Promise<void> {
    return this.#log.refresh();
  }

  cut(epoch: number, nextSeq: number): Promise<void> {
    return this.#log.cut(epoch, nextSeq);
  }
}
