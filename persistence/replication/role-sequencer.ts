// The sequencer of a process whose role changes: passes every call to the one of the present role, so that what serves the world
// keeps one object, and its watchers, through all roles. What waits for durability leaves only while the term is valid.
import type { CommandResult, WorldCommand } from '../../engine/commands/table.js';
import type { Refusal } from '../../engine/terms/rejections.js';
import type { DurabilityWaiter } from '../log/batch-record.js';
import type { ReplayableEngine } from '../recovery/replay.js';
import type { Clock, ClockState } from '../time/clock.js';
import { NO_SNAPSHOTS, type SnapshotKeeper, type SnapshotReport } from '../upkeep/snapshot-keeper.js';
import type { TakenSnapshot } from '../upkeep/snapshot-taking.js';
import type { CommandCounts, CommitFigures } from '../writer/figures.js';
import type { EventWatcher } from '../writer/group-commit.js';
import { type Present, ReadOnlySequencer } from '../writer/read-only-sequencer.js';
import { type Availability, type Sequencer, SequencerStopped, type ServedSequencer } from '../writer/sequencer.js';
import type { LeaderTerm } from './leader-term.js';

/** Why a process takes no commands because of its role: it does not lead, or a handover is under way. */
export type RoleRefusal = 'not_leader' | 'handing_over';

export class RoleSequencer implements ServedSequencer {
  readonly #watchers = new Set<EventWatcher>();
  #present: ServedSequencer;
  #term: LeaderTerm | null = null;
  #refusal: RoleRefusal | null = 'not_leader';
  /** True while the sequencer fires, in slices, what fell due while nobody led: a read must not fire all of it at once. */
  #isStarting = false;

  constructor(time: StandbyTime) {
    this.#present = new ReadOnlySequencer(time);
  }

  /** Makes the process apply what another one decides. */
  stand(time: StandbyTime): void {
    this.#term = null;
    this.#isStarting = false;
    this.#present = new ReadOnlySequencer(time);
  }

  /** Makes the process decide. The sequencer is started next; then refuse(null) admits commands. */
  lead(sequencer: Sequencer, term: LeaderTerm): void {
    this.#term = term;
    this.#isStarting = true;
    this.#present = sequencer;
    sequencer.watchEvents({ released: this.released });
  }

  /** @param refusal why no commands are taken; null if they are */
  refuse(refusal: RoleRefusal | null): void {
    this.#refusal = refusal;
    if (refusal === null) this.#isStarting = false;
  }

  /** Why no commands are taken; null if they are. */
  get refusal(): RoleRefusal | null {
    return this.#refusal;
  }

  get commandCounts(): CommandCounts {
    return this.#present.commandCounts;
  }

  get lastSeq(): number {
    return this.#present.lastSeq;
  }

  get durableSeq(): number {
    return this.#present.durableSeq;
  }

  get heldReplies(): number {
    return this.#present.heldReplies;
  }

  get commitFigures(): CommitFigures {
    return this.#present.commitFigures;
  }

  get freeDiskBytes(): number | undefined {
    return this.#present.freeDiskBytes;
  }

  get bytesSinceCut(): number {
    return this.#present.bytesSinceCut;
  }

  takeTimerLagMs(): number {
    return this.#present.takeTimerLagMs();
  }

  get nowMs(): number {
    return this.#present.nowMs;
  }

  availability(): Availability {
    if (this.#refusal !== null) return this.#refusal;
    return this.#term?.isValid === true ? this.#present.availability() : 'not_leader';
  }

  /** @throws SequencerStopped also if this process does not lead: availability() says so before */
  submit<C extends WorldCommand>(command: C): CommandResult<C> | Refusal {
    this.#requireLeading();
    return this.#present.submit(command);
  }

  /** @throws SequencerStopped also if this process does not lead */
  advanceTo(toMs: number): number {
    this.#requireLeading();
    return this.#present.advanceTo(toMs);
  }

  /** @throws SequencerStopped also if this process does not lead */
  pauseClock(): void {
    this.#requireLeading();
    this.#present.pauseClock();
  }

  /** @throws SequencerStopped also if this process does not lead */
  resumeClock(): void {
    this.#requireLeading();
    this.#present.resumeClock();
  }

  get isRunning(): boolean {
    return this.#present.isRunning;
  }

  run<T>(work: () => T): T {
    return this.#isStarting ? work() : this.#present.run(work);
  }

  beginUnit(): void {
    this.#present.beginUnit();
  }

  readNow(): number {
    return this.#isStarting ? this.#present.nowMs : this.#present.readNow();
  }

  /** Also waits until the term is valid; never calls the waiter if it ends before. */
  holdUntilDurable(seq: number, waiter: DurabilityWaiter): boolean {
    const term = this.#term;
    // Nearly all reads are answered at once: they cost no closure.
    const isAnsweredNow = term === null || (seq <= this.#present.durableSeq && term.answersAtOnce);
    if (isAnsweredNow) return this.#present.holdUntilDurable(seq, waiter);
    const send = (): void => waiter.durable();
    return this.#present.holdUntilDurable(seq, { durable: () => term.whenValid(send) });
  }

  watchEvents(watcher: EventWatcher): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  /** Events of these receivers have become durable. */
  readonly released = (receivers: readonly number[]): void => {
    for (const watcher of this.#watchers) watcher.released(receivers);
  };

  #requireLeading(): void {
    if (this.#refusal !== null) throw new SequencerStopped('this process does not lead the world');
  }
}

/** The snapshots of a process whose role changes: only the leader takes them. */
export class RoleSnapshots implements Pick<SnapshotKeeper, 'take' | 'report'> {
  #keeper: SnapshotKeeper | null = null;
  #report: SnapshotReport = NO_SNAPSHOTS;

  /** @param keeper null if the process does not lead */
  keepBy(keeper: SnapshotKeeper | null): void {
    this.#report = this.report;
    this.#keeper = keeper;
  }

  /** The report of a standby is the last one that it made as a leader. */
  get report(): SnapshotReport {
    return this.#keeper?.report ?? this.#report;
  }

  /** @throws Error in one sentence */
  async take(): Promise<TakenSnapshot> {
    if (this.#keeper === null) throw new Error('only the leader takes snapshots, and this process does not lead');
    return await this.#keeper.take();
  }
}

/**
 * The instant of a read on a standby. World time passes there too, but only a tick of the leader lets anything fall due: a read never
 * sees an instant at which something is due that has not happened.
 */
export class StandbyTime implements Present {
  readonly #engine: StandbyEngine;
  /** Null if only entries move the time of the world. */
  readonly #clock: Clock | null;
  /** The least by which the clock was ahead of an entry of the leader; 0 before the first. */
  #aheadMs: number | undefined;
  /** What the clock of the leader was behind its machine's at that entry. */
  #lagMs: number;
  #lastMs: number;

  /**
   * @param clock of this machine, which never stands
   * @param leaderClock how the leader's stands, as the entries that were applied say
   * @param lastMs world time of the last read before
   */
  constructor(
    engine: StandbyEngine,
    clock: Clock,
    private readonly leaderClock: ClockState,
    lastMs: number,
  ) {
    this.#engine = engine;
    this.#lagMs = leaderClock.clockLagMs;
    this.#clock = clock.kind === 'real' ? clock : null;
    this.#lastMs = Math.max(lastMs, engine.nowMs);
  }

  /**
   * An entry of the leader was applied. Its instant was the leader's when it was written, so the least distance to it bounds how
   * far the clock of this machine is ahead of the leader's. From the first entry on, reads are not ahead of the leader.
   */
  applied(atMs: number): void {
    if (this.#clock === null) return;
    const aheadMs = this.#clock.nowMs() - atMs;
    const { clockLagMs } = this.leaderClock;
    // After a pause the distance is another one.
    this.#aheadMs = clockLagMs === this.#lagMs ? Math.min(this.#aheadMs ?? aheadMs, aheadMs) : aheadMs;
    this.#lagMs = clockLagMs;
  }

  get seq(): number {
    return this.#engine.seq;
  }

  /** World time of the last read. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** World time of the leader, as far as the entries that were applied have shown it. */
  get leaderMs(): number {
    if (this.#clock === null || this.leaderClock.pausedAtMs !== null) return this.#engine.nowMs;
    return this.#clock.nowMs() - (this.#aheadMs ?? 0);
  }

  /** Decreases only to stay before a timer that was set since. */
  get nowMs(): number {
    const nowMs = Math.max(this.#lastMs, this.leaderMs);
    this.#lastMs = Math.max(Math.min(nowMs, this.#engine.nextDeadlineMs() - 1), this.#engine.nowMs);
    return this.#lastMs;
  }
}

/** What the time of a standby depends on. */
type StandbyEngine = Pick<ReplayableEngine, 'seq' | 'nowMs' | 'nextDeadlineMs'>;
