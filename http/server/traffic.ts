// What all exchanges of one server share: the counter of request ids, the world time as text, and the number of
// requests in flight. It knows nothing of routes or of the game.
import { randomBytes } from 'node:crypto';
import type { Exchange, ReplyStream, Waiting } from '../exchange/exchange.js';
import { INLINE_REQUESTS_MIN, INLINE_TURN_MS, UNCORKED_REPLIES_MAX } from '../limits.js';

export class Traffic {
  /** Exchanges that are neither answered nor abandoned. */
  inFlight = 0;
  /** Set once the server stops: every reply then closes its connection. */
  isDraining = false;
  /** Replies in pieces, with their requests. */
  readonly streams: Map<ReplyStream, Exchange> = new Map();
  /** Open WebSockets. */
  readonly sockets: Set<{ drain(): void; giveUp(): void }> = new Set();
  /** What requests wait for, besides the disk. */
  readonly waiting: Set<Waiting> = new Set();
  /** Called when the last exchange ends; replaced while a server drains. */
  onIdle: () => void = ignore;

  #readNow: (() => number) | null;
  #bootTag = newTag();
  /** When the first request of this turn of the event loop arrived; NaN before it. */
  #turnStartedAtMs = Number.NaN;
  /** When the latest of them arrived. */
  #arrivedAtMs = 0;
  /** Arrivals in this turn. */
  #arrivals = 0;
  /** The boot tag and all digits of the count of requests except the last two. */
  #requestIdStart = '';
  #requestIdStarts = 0;
  #requestIdEnd = ID_ENDS.length - 1;
  #worldTimeMs = Number.NaN;
  #worldTimeText = '';

  /** @param readNow the world's time in milliseconds since 1970; null as long as there is no world */
  constructor(readNow: (() => number) | null = null) {
    this.#readNow = readNow;
    this.worldTime();
  }

  /** From now on there is a world. */
  follow(readNow: () => number): void {
    this.#readNow = readNow;
    this.worldTime();
  }

  /** Differs with every start of the process, so that request ids and entity tags never repeat. */
  get bootTag(): string {
    return this.#bootTag;
  }

  /** A replay shows another world from now on: no entity tag of the old one may match. */
  renewTags(): void {
    this.#bootTag = newTag();
  }

  /**
   * Ends what would otherwise go on: streams at once, WebSockets after the replies that they owe. Requests that wait
   * are answered now.
   */
  endReaders(): void {
    for (const stream of this.streams.keys()) stream.end();
    for (const socket of this.sockets) socket.drain();
    for (const waiting of this.waiting) waiting.hurry();
  }

  /** Ends the streams of some clients. */
  endStreams(isEnded: (exchange: Exchange) => boolean): void {
    for (const [stream, exchange] of [...this.streams]) if (isEnded(exchange)) stream.end();
  }

  /** This process can no longer tell what happens in the world: who reads events from it must ask another one. */
  giveUpReaders(): void {
    for (const stream of this.streams.keys()) stream.end();
    for (const socket of this.sockets) socket.giveUp();
  }

  /** Records the arrival of a request, or of a part of its body. @returns performance.now() */
  arrival(): number {
    this.#arrivedAtMs = performance.now();
    if (Number.isNaN(this.#turnStartedAtMs)) {
      this.#turnStartedAtMs = this.#arrivedAtMs;
      setImmediate(this.#endTurn);
    }
    this.#arrivals += 1;
    return this.#arrivedAtMs;
  }

  /** True if the requests before the latest have used up the time for immediate handling in this turn. */
  get isTurnSpent(): boolean {
    return this.#arrivals > INLINE_REQUESTS_MIN && this.#arrivedAtMs - this.#turnStartedAtMs > INLINE_TURN_MS;
  }

  /** True if so many requests came in this turn that some of them may have been pipelined. */
  get isTurnLong(): boolean {
    return this.#arrivals > UNCORKED_REPLIES_MAX;
  }

  readonly #endTurn = (): void => {
    this.#turnStartedAtMs = Number.NaN;
    this.#arrivals = 0;
  };

  /** The boot tag and the count of requests in base 36. Digits come from a table: formatting a number takes longer. */
  nextRequestId(): string {
    this.#requestIdEnd += 1;
    if (this.#requestIdEnd === ID_ENDS.length) {
      this.#requestIdEnd = 0;
      this.#requestIdStart = `${this.bootTag}-${this.#requestIdStarts.toString(36)}`;
      this.#requestIdStarts += 1;
    }
    return this.#requestIdStart + (ID_ENDS[this.#requestIdEnd] as string);
  }

  /** The world time as ISO 8601, '' as long as there is no world; formatted at most once per millisecond. */
  worldTime(): string {
    return this.#readNow === null ? '' : this.worldTimeAt(this.#readNow());
  }

  worldTimeAt(nowMs: number): string {
    if (nowMs !== this.#worldTimeMs) {
      this.#worldTimeMs = nowMs;
      this.#worldTimeText = new Date(nowMs).toISOString();
    }
    return this.#worldTimeText;
  }

  /** The world time last returned, for replies that must not ask the world any more. */
  lastWorldTime(): string {
    return this.#worldTimeText;
  }

  ended(): void {
    this.inFlight -= 1;
    if (this.inFlight === 0) this.onIdle();
  }
}

/** Every pair of digits in base 36, in order. */
const ID_ENDS: readonly string[] = Array.from({ length: 36 ** 2 }, (_, end) => end.toString(36).padStart(2, '0'));

function newTag(): string {
  return randomBytes(5).toString('base64url');
}

function ignore(): void {}
