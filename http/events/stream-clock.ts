// Calls each stream every EVENT_STREAM_COMMENT_MS, so that it writes a comment. One timer serves all streams. Each tick serves only a
// share of them, so that streams that began together do not write at the same time.
import { EVENT_STREAM_COMMENT_MS } from '../limits.js';

export interface TimedStream {
  /** Called every EVENT_STREAM_COMMENT_MS. */
  tick(): void;
}

/** Ticks of one round, in which each stream is called once. */
const TICKS = 15;

export class StreamClock {
  readonly #shares: readonly Set<TimedStream>[] = Array.from({ length: TICKS }, () => new Set<TimedStream>());
  #nextShare = 0;
  #shareOfNext = 0;
  #count = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @returns a function that removes the stream; called once */
  add(stream: TimedStream): () => void {
    const share = this.#shares[this.#shareOfNext] as Set<TimedStream>;
    this.#shareOfNext = (this.#shareOfNext + 1) % TICKS;
    share.add(stream);
    this.#count += 1;
    this.#timer ??= setInterval(() => this.tick(), EVENT_STREAM_COMMENT_MS / TICKS);
    return () => {
      share.delete(stream);
      this.#count -= 1;
      if (this.#count > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  /** The turn of the next share. */
  tick(): void {
    const share = this.#shares[this.#nextShare] as Set<TimedStream>;
    this.#nextShare = (this.#nextShare + 1) % TICKS;
    for (const stream of share) stream.tick();
  }
}
