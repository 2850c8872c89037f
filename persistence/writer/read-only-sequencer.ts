// Takes the place of the sequencer where a replay is served, or a standby: it gives reads their instant, and takes no commands. What it
// shows is on disk already, so no reply waits.

import type { DurabilityWaiter } from '../log/batch-record.js';
import { CommandCounts, CommitFigures } from './figures.js';
import type { EventWatcher } from './group-commit.js';
import type { ServedSequencer } from './sequencer.js';
import { SequencerStopped } from './sequencer.js';

/** What it needs to know of the world that is shown. */
export interface Present {
  /** Seq of the last entry that was applied. */
  readonly seq: number;
  /** World time of a read now, in milliseconds. */
  readonly nowMs: number;
}

export class ReadOnlySequencer implements ServedSequencer {
  readonly commandCounts = new CommandCounts();
  readonly commitFigures = new CommitFigures();
  readonly heldReplies = 0;
  readonly freeDiskBytes = undefined;
  readonly bytesSinceCut = 0;
  readonly #present: Present;
  readonly #watchers = new Set<EventWatcher>();
  #nowMs: number;
  #isRunning = false;

  constructor(present: Present) {
    this.#present = present;
    this.#nowMs = present.nowMs;
  }

  get lastSeq(): number {
    return this.#present.seq;
  }

  get durableSeq(): number {
    return this.#present.seq;
  }

  /** World time of the last read. */
  get nowMs(): number {
    return this.#nowMs;
  }

  takeTimerLagMs(): number {
    return 0;
  }

  availability(): 'read_only' {
    return 'read_only';
  }

  /** @throws SequencerStopped always: availability() says so before */
  submit(): never {
    throw new SequencerStopped('a replay takes no commands');
  }

  /** @throws SequencerStopped always */
  advanceTo(): never {
    throw new SequencerStopped('the time of a replay is moved with its position');
  }

  /** @throws SequencerStopped always */
  pauseClock(): never {
    throw new SequencerStopped('the clock of a replay is its position');
  }

  /** @throws SequencerStopped always */
  resumeClock(): never {
    throw new SequencerStopped('the clock of a replay is its position');
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  run<T>(work: () => T): T {
    if (this.#isRunning) return work();
    this.readNow();
    this.#isRunning = true;
    try {
      return work();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Nothing is written. */
  beginUnit(): void {}

  readNow(): number {
    if (!this.#isRunning) this.#nowMs = this.#present.nowMs;
    return this.#nowMs;
  }

  holdUntilDurable(_seq: number, waiter: DurabilityWaiter): boolean {
    waiter.durable();
    return true;
  }

  watchEvents(watcher: EventWatcher): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  /** An entry was applied that caused events of these receivers. */
  released(receivers: readonly number[]): void {
    for (const watcher of this.#watchers) watcher.released(receivers);
  }
}
