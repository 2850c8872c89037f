// THE single writer: gives every command its place and its instant, lets time pass in between, and logs what was accepted.
// Nothing else applies a command to the engine of a running world, and no instant of a command, tick or read comes from
// anywhere but its look at the world's clock.
import { type CommandResult, encodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import type { WorldEvent } from '../../engine/events.js';
import { isRefusal, type Refusal } from '../../engine/rejections.js';
import type { FreeSpace } from '../files/disk-space.js';
import { TICKS_PER_SLICE } from '../limits.js';
import type { DurabilityWaiter } from '../log/batch.js';
import type { CommandLog } from '../log/log.js';
import type { ReplayableEngine } from '../recovery/replayable-engine.js';
import { type Clock, ManualClock } from './clock.js';
import { CommandCounts } from './command-counts.js';
import type { CommitFigures } from './commit-figures.js';
import { DeadlineTimer } from './deadline-timer.js';
import type { Follower } from './feed.js';
import type { GroupCommit } from './group-commit.js';
import { NODE_SCHEDULER, type Scheduler } from './scheduler.js';

export type { DurabilityWaiter } from '../log/batch.js';

const ADVANCE_TIME = { type: 'advance_time' } as const;

/** Whether a new command may be submitted now; anything but `open` is the code of a 503. */
export type Admission = 'open' | 'storage_unavailable' | 'overloaded' | 'shutting_down';

/** The world cannot be changed any more: the sequencer was stopped, or has met a fatal error. */
export class SequencerStopped extends Error {
  override readonly name = 'SequencerStopped';
}

/** There may be no room for another segment of the log. */
export class DiskNearlyFull extends Error {
  override readonly name = 'DiskNearlyFull';
}

export interface SequencerOptions {
  readonly engine: ReplayableEngine;
  readonly clock: Clock;
  readonly log: CommandLog;
  /** Writes to the same log, from where it ends. */
  readonly commit: GroupCommit;
  readonly freeSpace: FreeSpace;
  /** Defaults to NODE_SCHEDULER. */
  readonly scheduler?: Scheduler;
}

export class Sequencer {
  /** The commands that were submitted, and the ticks in between. */
  readonly commandCounts = new CommandCounts();
  readonly #engine: ReplayableEngine;
  readonly #clock: Clock;
  readonly #log: CommandLog;
  readonly #commit: GroupCommit;
  readonly #freeSpace: FreeSpace;
  readonly #scheduler: Scheduler;
  readonly #timer: DeadlineTimer;
  #nowMs: number;
  /** The latest that a timer fired since that was last asked, in milliseconds. */
  #timerLagMs = 0;
  #isStarted = false;
  /** Inside of atOneInstant(). */
  #isInstant = false;
  #stopped: Promise<void> | undefined;

  constructor(options: SequencerOptions) {
    this.#engine = options.engine;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#commit = options.commit;
    this.#freeSpace = options.freeSpace;
    this.#scheduler = options.scheduler ?? NODE_SCHEDULER;
    this.#timer = new DeadlineTimer(() => this.#wake(), this.#scheduler);
    this.#nowMs = options.engine.nowMs;
  }

  /** Seq of the last accepted entry. What a refusal rests on is at most this new. */
  get lastSeq(): number {
    return this.#engine.seq;
  }

  /** Seq up to which everything is on disk. */
  get durableSeq(): number {
    return this.#commit.durableSeq;
  }

  /** Replies that wait for the disk. */
  get heldReplies(): number {
    return this.#commit.heldReplies;
  }

  get commitFigures(): CommitFigures {
    return this.#commit.figures;
  }

  /** Bytes that were free on the disk a moment ago; undefined where there is no disk, or nobody can tell. */
  get freeDiskBytes(): number | undefined {
    return this.#freeSpace.freeBytes;
  }

  /**
   * By how many milliseconds the latest timer was late that fired since the last call; 0 where none did. Neither what fell
   * due while the process was down counts, nor what an operator skips with a manual clock.
   */
  takeTimerLagMs(): number {
    const lagMs = this.#timerLagMs;
    this.#timerLagMs = 0;
    return lagMs;
  }

  /** World time of the last look at the clock. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Fires what fell due while the process was down, leaving the event loop its turns. Call it before serving. */
  async start(): Promise<void> {
    while (this.#fireSlice()) await this.#scheduler.nextTurn();
    this.#isStarted = true;
    this.#armTimer();
  }

  /** To be asked before submit(): whether the disk, the queues and the life of the process allow a new command. */
  admission(): Admission {
    if (this.#isOver) return 'shutting_down';
    if (this.#freeSpace.isLow) return 'storage_unavailable';
    if (this.#commit.isFull) return 'overloaded';
    return 'open';
  }

  /**
   * Applies a command at the present instant, or at that of atOneInstant(), after everything that is due by then. Accepted, it is on its way to the
   * disk under the seq `lastSeq`; refused, nothing has changed. Either way the reply goes through holdUntilDurable().
   *
   * @throws SequencerStopped, or what the engine threw, after the fatal handler was told
   */
  submit<C extends WorldCommand>(command: C): CommandResult<C> | Refusal {
    if (this.#isOver) throw new SequencerStopped('no command can be taken');
    const outcome = this.#apply(this.#passTime(), command);
    this.#armTimer();
    return outcome;
  }

  /**
   * Looks at the clock once: all reads and commands of `work` happen at that instant, unless advanceTo() moves the clock. What is
   * due by then has fired before; ticks inside are only for timers that these commands themselves set for this very
   * instant. Inside of another call it becomes a part of that one.
   *
   * @param work synchronous
   */
  atOneInstant<T>(work: () => T): T {
    if (this.#isInstant) return work();
    const seqBefore = this.#engine.seq;
    if (!this.#isOver) this.#passTime();
    this.#isInstant = true;
    try {
      return work();
    } finally {
      this.#isInstant = false;
      if (this.#engine.seq !== seqBefore) this.#armTimer();
    }
  }

  /**
   * Runs several submissions as one, at one instant: what they change stands in one record of the log, so that all of it
   * survives or none. A unit that has grown too long admits no further command (`overloaded`). Inside of another unit it
   * becomes a part of that one.
   *
   * @param submissions synchronous
   */
  together<T>(submissions: () => T): T {
    return this.atOneInstant(() => this.#commit.together(submissions));
  }

  /** World time in milliseconds for a read, after everything that is due by then. */
  readNow(): number {
    if (this.#isOver) return this.#nowMs;
    const seqBefore = this.#engine.seq;
    const nowMs = this.#passTime();
    if (this.#engine.seq !== seqBefore) this.#armTimer();
    return nowMs;
  }

  /**
   * Tells the waiter when the entry `seq` is on disk; at once where it is, or under `relaxed` durability. Never after a
   * fatal error.
   *
   * @returns false where too many wait already, MAX_HELD_REPLIES: the waiter will not be told. That happens to reads alone; a
   * command that was admitted has a place for its reply, where that is asked for in the same turn of the event loop.
   */
  holdUntilDurable(seq: number, waiter: DurabilityWaiter): boolean {
    return this.#commit.holdUntilDurable(seq, waiter);
  }

  /**
   * Releases to a follower every entry behind `lastSeq` and what it caused, once it is durable, under `relaxed` durability
   * too. What fell due while the process was down is among them if it follows before start().
   *
   * @returns what ends it
   * @throws Error inside of a unit, which is released as a whole or not at all
   */
  follow(follower: Follower): () => void {
    if (this.#commit.isTogether) throw new Error('nobody can begin to follow in the middle of a unit');
    return this.#commit.feed.follow(follower, this.lastSeq);
  }

  /**
   * Moves a manual clock, and logs that time has passed even where nothing was due, so that a restart resumes there.
   * Inside of a unit, all that falls due is part of it.
   *
   * @param toMs world time
   * @returns the world time that was reached
   * @throws RangeError when time would run backwards
   * @throws TypeError when the clock runs by itself
   */
  advanceTo(toMs: number): number {
    if (this.#isOver) throw new SequencerStopped('time does not move any more');
    if (!(this.#clock instanceof ManualClock)) throw new TypeError('only a manual clock can be moved');
    this.#clock.moveTo(toMs);
    this.#nowMs = Math.max(this.#nowMs, toMs);
    this.#passTime(this.#nowMs);
    if (this.#engine.nowMs < toMs) this.#apply(toMs, ADVANCE_TIME);
    return this.#nowMs;
  }

  /** Bytes of the records that were written since the log was last cut. */
  get bytesSinceCut(): number {
    return this.#commit.bytesSinceCut;
  }

  /**
   * Cuts the log where a snapshot shall stand and what is older can be pruned later. Commands go on meanwhile.
   *
   * @returns the durable seq behind which it was cut
   * @throws DiskNearlyFull, CutRefused where a new segment finds no room or no descriptors: nothing has happened
   * @throws SequencerStopped, or what went wrong, after the fatal handler was told
   */
  async cut(): Promise<number> {
    if (this.#isOver) throw new SequencerStopped('the log cannot be cut any more');
    if (this.#freeSpace.isLow) throw new DiskNearlyFull('the disk is nearly full, so the log is not cut');
    return await this.#commit.cut();
  }

  /** Takes no further command, waits until everything is on disk, and closes the log. Reads go on, at the last instant. */
  stop(): Promise<void> {
    this.#stopped ??= this.#finish();
    return this.#stopped;
  }

  async #finish(): Promise<void> {
    this.#timer.stop();
    await this.#commit.drained();
    // After a fatal error the log is left alone: closing it could wait for ever, or write.
    if (!this.#commit.isDead) await this.#log.close();
  }

  get #isOver(): boolean {
    return this.#stopped !== undefined || this.#commit.isDead;
  }

  /** Lets the present come, which it looks up by default: every timer due by then has fired when it returns. */
  #passTime(nowMs = this.#lookAtClock()): number {
    while (this.#engine.nextDeadlineMs() <= nowMs) this.#fireDue(nowMs);
    return nowMs;
  }

  /** The same in a bounded slice. @returns whether more is due */
  #fireSlice(): boolean {
    if (this.#isOver) return false;
    const nowMs = this.#lookAtClock();
    for (let tick = 0; tick < TICKS_PER_SLICE; tick += 1) {
      if (this.#engine.nextDeadlineMs() > nowMs) return false;
      this.#fireDue(nowMs);
    }
    return this.#engine.nextDeadlineMs() <= nowMs;
  }

  #fireDue(nowMs: number): void {
    const lagMs = nowMs - this.#engine.nextDeadlineMs();
    if (lagMs > this.#timerLagMs && this.#isStarted && this.#clock.kind === 'real') this.#timerLagMs = lagMs;
    this.#apply(nowMs, ADVANCE_TIME);
  }

  #lookAtClock(): number {
    if (this.#isInstant) return this.#nowMs;
    const nowMs = this.#clock.nowMs();
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
    return this.#nowMs;
  }

  #apply<C extends WorldCommand>(atMs: number, command: C): CommandResult<C> | Refusal {
    try {
      const events: WorldEvent[] | undefined = this.#commit.feed.isFollowed ? [] : undefined;
      const outcome = this.#engine.apply(atMs, command, events);
      if (isRefusal(outcome)) {
        if (command.type === 'advance_time') throw new Error(`the passing of time was refused: ${outcome.code}`);
        this.commandCounts.refuse(command.type, outcome.code);
      } else {
        const followed = events && { seq: this.#engine.seq, atMs, command, events };
        this.#commit.add(atMs, encodeCommand(command), followed);
        this.commandCounts.accept(command.type);
      }
      return outcome;
    } catch (error) {
      this.#commit.die(error);
      throw error;
    }
  }

  #armTimer(): void {
    if (this.#clock.kind !== 'real' || !this.#isStarted || this.#isOver) return;
    this.#timer.wakeBy(this.#engine.nextDeadlineMs(), this.#nowMs);
  }

  readonly #wake = (): void => {
    try {
      if (this.#fireSlice()) this.#scheduler.soon(this.#wake);
      else this.#armTimer();
    } catch {
      // #apply has told the fatal handler, and nobody waits for this call.
    }
  };
}
