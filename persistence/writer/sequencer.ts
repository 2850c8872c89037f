// The single writer: gives every command its position and its instant, lets time pass in between, and logs accepted
// commands. Nothing else applies a command to the engine of a running world, and only it reads the world's clock, which
// gives every command, tick and read its instant.
import { type CommandResult, encodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import { isRefusal, type Refusal } from '../../engine/terms/rejections.js';
import type { FreeSpace } from '../files/disk-space.js';
import { INSTANT_MARK_MS, TICKS_PER_SLICE } from '../limits.js';
import type { DurabilityWaiter } from '../log/batch-record.js';
import type { WriterLog } from '../log/log.js';
import type { ReplayableEngine } from '../recovery/replay.js';
import { type Clock, ManualClock, RealClock } from '../time/clock.js';
import { type Alarm, DeadlineTimer, NODE_SCHEDULER, type Scheduler } from '../time/scheduler.js';
import { CommandCounts, type CommitFigures } from './figures.js';
import type { EventWatcher, GroupCommit } from './group-commit.js';

export type { DurabilityWaiter } from '../log/batch-record.js';

const ADVANCE_TIME = { type: 'advance_time' } as const;

/**
 * Whether a new command may be submitted now. With `handing_over` it is soon decided who takes the command. Every other value except
 * `open` is the code of a refusal. Only a replay is read_only, and only a process of a shared store leads or does not.
 */
export type Availability =
  | 'open'
  | 'storage_unavailable'
  | 'overloaded'
  | 'shutting_down'
  | 'read_only'
  | 'not_leader'
  | 'handing_over';

/** The world can no longer be changed: the sequencer was stopped, or had a fatal error. */
export class SequencerStopped extends Error {
  override readonly name = 'SequencerStopped';
}

/** There may be too little disk space for another segment of the log. */
export class DiskNearlyFull extends Error {
  override readonly name = 'DiskNearlyFull';
}

export interface SequencerOptions {
  readonly engine: ReplayableEngine;
  readonly clock: Clock;
  readonly log: WriterLog;
  /** Writes to the same log, from its end on. */
  readonly commit: GroupCommit;
  readonly freeSpace: FreeSpace;
  /** Defaults to NODE_SCHEDULER. */
  readonly scheduler?: Scheduler;
  /** Whether the log says how far a real clock has come even if nothing happens: at intervals, and at the end. By default it does not. */
  readonly marksInstants?: boolean;
}

/** What serving a world needs: of a running world, or of a replay (read-only-sequencer.ts). */
export type ServedSequencer = Pick<
  Sequencer,
  | 'commandCounts'
  | 'lastSeq'
  | 'durableSeq'
  | 'heldReplies'
  | 'commitFigures'
  | 'freeDiskBytes'
  | 'bytesSinceCut'
  | 'takeTimerLagMs'
  | 'nowMs'
  | 'availability'
  | 'submit'
  | 'isRunning'
  | 'run'
  | 'beginUnit'
  | 'readNow'
  | 'holdUntilDurable'
  | 'watchEvents'
  | 'advanceTo'
  | 'pauseClock'
  | 'resumeClock'
>;

export class Sequencer {
  /** Counts submitted commands, and the ticks in between. */
  readonly commandCounts = new CommandCounts();
  readonly #engine: ReplayableEngine;
  readonly #clock: Clock;
  readonly #log: WriterLog;
  readonly #commit: GroupCommit;
  readonly #freeSpace: FreeSpace;
  readonly #scheduler: Scheduler;
  readonly #timer: DeadlineTimer;
  readonly #marksInstants: boolean;
  #markAlarm: Alarm | undefined;
  #nowMs: number;
  /** Largest lag of a timer since takeTimerLagMs() was last called, in milliseconds. */
  #timerLagMs = 0;
  #isStarted = false;
  #isRunning = false;
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
    this.#marksInstants = options.marksInstants === true && options.clock.kind === 'real';
  }

  /** Seq of the last accepted entry. A refusal depends on no later entry. */
  get lastSeq(): number {
    return this.#engine.seq;
  }

  /** Seq up to which everything is durable. */
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

  /** Free bytes of the disk at the last measurement; undefined if there is no disk, or if they are unknown. */
  get freeDiskBytes(): number | undefined {
    return this.#freeSpace.freeBytes;
  }

  /**
   * Returns the largest lag in milliseconds of a timer that fired since the last call; 0 if none did. Timers that fell
   * due while the process was down do not count, nor those of a manual clock.
   */
  takeTimerLagMs(): number {
    const lagMs = this.#timerLagMs;
    this.#timerLagMs = 0;
    return lagMs;
  }

  /** True inside run(). */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** World time when the clock was last read. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Fires what fell due while the process was down, yielding to the event loop. Call it before serving. */
  async start(): Promise<void> {
    while (this.#fireSlice()) await this.#scheduler.nextTurn();
    this.#isStarted = true;
    this.#armTimer();
    if (this.#marksInstants) this.#markLater();
  }

  /** Call it before submit(): whether the disk, the queues and the state of the process allow a new command. */
  availability(): Availability {
    if (this.#isOver) return 'shutting_down';
    if (this.#freeSpace.isLow || this.#freeSpace.lostFile !== undefined) return 'storage_unavailable';
    if (this.#commit.isFull) return 'overloaded';
    return 'open';
  }

  /**
   * Applies a command at the present instant, or at that of run(), after everything that is due by then. If it
   * is accepted, it is queued for the disk with the seq `lastSeq`; if it is refused, nothing has changed. Either way
   * the reply goes through holdUntilDurable().
   *
   * @throws SequencerStopped, or what the engine threw, after the fatal handler was called
   */
  submit<C extends WorldCommand>(command: C): CommandResult<C> | Refusal {
    if (this.#isOver) throw new SequencerStopped('no further command is accepted');
    const outcome = this.#apply(this.#passTime(), command);
    // Once at the end of an instant is enough.
    if (!this.#isRunning) this.#armTimer();
    return outcome;
  }

  /**
   * Handles a request, or all requests of a turn of the event loop: everything in `work` happens at one instant, and is one unit unless
   * beginUnit() divides it.
   * The clock is read once, unless advanceTo() moves it. What is due by then fires first; ticks during `work` are only for timers
   * that its own commands set for the same instant. All changes are in one record of the log, so that all or none survive a crash.
   * A unit that has grown too long admits no further command (`overloaded`). A nested call becomes part of the outer one.
   *
   * @param work synchronous
   */
  run<T>(work: () => T): T {
    if (this.#isRunning) return work();
    const seqBefore = this.#engine.seq;
    if (!this.#isOver) this.#passTime();
    this.#isRunning = true;
    try {
      return this.#commit.together(work);
    } finally {
      this.#isRunning = false;
      if (this.#engine.seq !== seqBefore) this.#armTimer();
    }
  }

  /** Within run(): what follows happens at the same instant, but is a unit of its own. */
  beginUnit(): void {
    this.#commit.beginUnit();
  }

  /** Returns the world time in milliseconds for a read, after everything that is due by then has fired. */
  readNow(): number {
    if (this.#isOver) return this.#nowMs;
    const seqBefore = this.#engine.seq;
    const nowMs = this.#passTime();
    if (this.#engine.seq !== seqBefore) this.#armTimer();
    return nowMs;
  }

  /**
   * Calls the waiter when the entry `seq` is durable; at once if it is, or under `relaxed` durability. Never after a
   * fatal error.
   *
   * @returns false if MAX_HELD_REPLIES wait already: the waiter is not called. That happens only to reads; an admitted
   *   command has a place for its reply if it is claimed in the same turn of the event loop.
   */
  holdUntilDurable(seq: number, waiter: DurabilityWaiter): boolean {
    return this.#commit.holdUntilDurable(seq, waiter);
  }

  /**
   * Informs a watcher each time that events have become durable, under `relaxed` durability too.
   *
   * @returns a function that ends it
   */
  watchEvents(watcher: EventWatcher): () => void {
    return this.#commit.feed.watch(watcher);
  }

  /**
   * Moves a manual clock, and logs that time has passed even if nothing was due, so that a restart resumes there.
   * Inside a unit, everything that falls due is part of it.
   *
   * @param toMs world time
   * @returns the new world time
   * @throws RangeError if time would run backwards
   * @throws TypeError if the clock runs by itself
   */
  advanceTo(toMs: number): number {
    if (this.#isOver) throw new SequencerStopped('time can no longer be moved');
    if (!(this.#clock instanceof ManualClock)) throw new TypeError('only a manual clock can be moved');
    this.#clock.moveTo(toMs);
    this.#nowMs = Math.max(this.#nowMs, toMs);
    this.#passTime(this.#nowMs);
    if (this.#engine.nowMs < toMs) this.#apply(toMs, ADVANCE_TIME);
    return this.#nowMs;
  }

  /**
   * Stops a real clock at the present instant, and logs it: restarts and standbys find it so.
   *
   * @throws TypeError if the clock is manual
   */
  pauseClock(): void {
    const clock = this.#realClock();
    this.submit({ type: 'pause_clock' });
    clock.pause(this.#nowMs);
  }

  /** Lets it go on from there. From then on it is behind the clock of the machine. @throws TypeError if the clock is manual */
  resumeClock(): void {
    const clock = this.#realClock();
    this.submit({ type: 'resume_clock', lagMs: clock.lagMs });
    clock.resume();
    this.#armTimer();
  }

  #realClock(): RealClock {
    if (this.#clock instanceof RealClock) return this.#clock;
    throw new TypeError('only a real clock is paused');
  }

  /** Bytes of the records written since the log was last cut. */
  get bytesSinceCut(): number {
    return this.#commit.bytesSinceCut;
  }

  /**
   * Cuts the log for a snapshot, so that the part before the cut can be pruned later. Commands continue meanwhile.
   *
   * @returns the durable seq after which it was cut
   * @throws DiskNearlyFull, CutRefused if there is no disk space or descriptor for a new segment: nothing has happened
   * @throws SequencerStopped, or the failure, after the fatal handler was called
   */
  async cut(): Promise<number> {
    if (this.#isOver) throw new SequencerStopped('the log can no longer be cut');
    if (this.#freeSpace.isLow) throw new DiskNearlyFull('the disk is nearly full, so the log is not cut');
    return await this.#commit.cut();
  }

  /** Accepts no further command, drains to disk, and closes the log. Reads continue, at the last instant. */
  stop(): Promise<void> {
    this.#stopped ??= this.#finish();
    return this.#stopped;
  }

  async #finish(): Promise<void> {
    this.#timer.stop();
    this.#scheduler.cancel(this.#markAlarm);
    if (this.#marksInstants) this.#mark(1);
    await this.#commit.drained();
    // After a fatal error the log is left alone: closing it could block for ever, or write.
    if (!this.#commit.isDead) await this.#log.close();
  }

  get #isOver(): boolean {
    return this.#stopped !== undefined || this.#commit.isDead;
  }

  /** Advances the world to `nowMs`, by default the clock's time: every timer due by then has fired when it returns. */
  #passTime(nowMs = this.#readClock()): number {
    while (this.#engine.nextDeadlineMs() <= nowMs) this.#fireDue(nowMs);
    return nowMs;
  }

  /** The same, in a bounded slice. @returns whether more is due */
  #fireSlice(): boolean {
    if (this.#isOver) return false;
    const nowMs = this.#readClock();
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

  #readClock(): number {
    if (this.#isRunning) return this.#nowMs;
    try {
      this.#nowMs = Math.max(this.#nowMs, this.#clock.nowMs());
    } catch (error) {
      this.#fail(error);
    }
    return this.#nowMs;
  }

  #apply<C extends WorldCommand>(atMs: number, command: C): CommandResult<C> | Refusal {
    try {
      const outcome = this.#engine.apply(atMs, command);
      if (isRefusal(outcome)) {
        if (command.type === 'advance_time') throw new Error(`advance_time was refused: ${outcome.code}`);
        this.commandCounts.refuse(command.type, outcome.code);
      } else {
        this.#commit.add(atMs, encodeCommand(command), this.#engine.eventReceivers);
        this.commandCounts.accept(command.type);
      }
      return outcome;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Arms the timer, without which due work would wait for the next request. */
  #armTimer(): void {
    if (this.#clock.kind !== 'real' || !this.#isStarted || this.#isOver) return;
    try {
      this.#timer.wakeBy(this.#engine.nextDeadlineMs(), this.#nowMs);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    this.#commit.die(error);
    throw error;
  }

  #markLater(): void {
    this.#markAlarm = this.#scheduler.after(INSTANT_MARK_MS, () => {
      this.#mark(INSTANT_MARK_MS);
      if (!this.#isOver) this.#markLater();
    });
  }

  /** Logs the present instant, if the last entry is so long ago. Time stands while the clock is paused. */
  #mark(agoMs: number): void {
    if (this.#isOver) return;
    try {
      const nowMs = this.#passTime();
      if (nowMs - this.#engine.nowMs >= agoMs) this.#apply(nowMs, ADVANCE_TIME);
    } catch (error) {
      // This call has no caller to inform.
      this.#commit.die(error);
    }
  }

  readonly #wake = (): void => {
    try {
      if (this.#fireSlice()) this.#scheduler.soon(this.#wake);
      else this.#armTimer();
    } catch (error) {
      // This call has no caller to inform.
      this.#commit.die(error);
    }
  };
}
