// When readers of events have their turns: in slices of a turn of the event loop, so that other work gets its turn in between. Those that
// catch up come behind all others, whatever carries their events, and their owners take turns with each other; while commands come, they
// pause between the slices (decision 19).
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { type Owner, OwnerQueue } from '../admission/owners.js';
import { LATE_READERS_PAUSE, READER_SLICE_MS } from '../limits.js';

export interface LateReader {
  /** Takes the next events. If there are more, it is added again. Must not throw. */
  catchUp(): void;
}

export interface LateReadersParts {
  /** Its seq grows with every command and tick. */
  readonly world: Pick<ReadonlyWorld, 'seq'>;
  /** Runs the next slice in a later turn of the event loop. */
  readonly soon: (slice: () => void) => void;
  /** Runs it after a delay. */
  readonly later: (slice: () => void, delayMs: number) => void;
  readonly elapsedMs: () => number;
}

export class LateReaders {
  readonly #queue = new OwnerQueue<LateReader>();
  #isSliceDue = false;
  /** Seq of the world when the last slice ended. */
  #worldSeq = 0;
  /** No slice begins earlier. */
  #pauseEndsAtMs = 0;

  constructor(private readonly parts: LateReadersParts) {}

  /** Has a reader catch up. Call it once before each of its turns. */
  add(owner: Owner, reader: LateReader): void {
    this.#queue.add(owner, reader);
    if (!this.#isSliceDue) this.#schedule(this.parts.elapsedMs());
  }

  #schedule(nowMs: number): void {
    const { soon, later } = this.parts;
    this.#isSliceDue = true;
    if (nowMs < this.#pauseEndsAtMs) later(this.#runSlice, this.#pauseEndsAtMs - nowMs);
    else soon(this.#runSlice);
  }

  readonly #runSlice = (): void => {
    const { world, elapsedMs } = this.parts;
    const startMs = elapsedMs();
    // At least one of them has its turn, so that all catch up some time.
    // Those that are added meanwhile wait for the next slice.
    let left = this.#queue.size;
    do {
      this.#queue.take()?.member.catchUp();
      left -= 1;
    } while (left > 0 && elapsedMs() < startMs + READER_SLICE_MS);
    const nowMs = elapsedMs();
    if (world.seq !== this.#worldSeq) this.#pauseEndsAtMs = nowMs + LATE_READERS_PAUSE * (nowMs - startMs);
    this.#worldSeq = world.seq;
    this.#isSliceDue = false;
    if (this.#queue.size > 0) this.#schedule(nowMs);
  };
}

export class ReaderPosition {
  /** Seq of the last event that there was when it began, or read again. */
  #targetSeq: number;

  /**
   * @param seq of the last event that the reader has
   * @param lastSeq of the last event that there is
   */
  constructor(
    public seq: number,
    lastSeq: number,
  ) {
    this.#targetSeq = lastSeq;
  }

  /** True until it has every event that there was when it began, or read again after a pause. */
  get isCatchingUp(): boolean {
    return this.seq < this.#targetSeq;
  }

  /** To be called when the client reads again: what it missed meanwhile, it must catch up with. */
  resume(lastSeq: number): void {
    this.#targetSeq = lastSeq;
  }
}

/** Members in the order in which they were added. */
export class SlicedQueue<Member> {
  #present: Member[] = [];
  /** Index of the first one whose turn has not come. */
  #next = 0;
  /** Those that were added since the present ones began. */
  #added: Member[] = [];

  /** @param take what happens to a member when its turn comes; it may add members, and must not throw */
  constructor(private readonly take: (member: Member) => void) {}

  get isEmpty(): boolean {
    return this.#added.length === 0 && !this.isBehind;
  }

  /** True if the last slice did not come to its end. */
  get isBehind(): boolean {
    return this.#next < this.#present.length;
  }

  add(member: Member): void {
    this.#added.push(member);
  }

  /**
   * Runs a slice: at least one member has its turn, if there is one. Those that are added meanwhile wait for the next slice.
   *
   * @param endMs when the slice ends, as elapsedMs() measures
   */
  run(elapsedMs: () => number, endMs: number): void {
    if (!this.isBehind) {
      if (this.#added.length === 0) return;
      this.#present = this.#added;
      this.#added = [];
      this.#next = 0;
    }
    do {
      const member = this.#present[this.#next] as Member;
      this.#next += 1;
      this.take(member);
    } while (this.isBehind && elapsedMs() < endMs);
    if (this.isBehind) return;
    this.#present = [];
    this.#next = 0;
  }
}
