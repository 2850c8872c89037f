// What all exchanges of one server share: the counter of request ids, the world's clock as text, and how many replies
// are still owed. It knows nothing of routes or of the game.
import { randomBytes } from 'node:crypto';

export class Traffic {
  /** Exchanges that are neither answered nor given up by their client. */
  inFlight = 0;
  /** Set once the server stops: every reply then closes its connection. */
  isDraining = false;
  /** Called when the last exchange ends; replaced while a server drains. */
  onIdle: () => void = ignore;
  /** Differs with every start of the process, so that request ids and entity tags never repeat. */
  readonly bootTag = randomBytes(5).toString('base64url');

  readonly #readNow: () => number;
  #requestCount = 0;
  #worldTimeMs = Number.NaN;
  #worldTimeText = '';

  /** @param readNow the world's time in milliseconds since 1970; never runs backwards */
  constructor(readNow: () => number) {
    this.#readNow = readNow;
    this.worldTime();
  }

  nextRequestId(): string {
    this.#requestCount += 1;
    return `${this.bootTag}-${this.#requestCount.toString(36)}`;
  }

  /** The world's time as ISO 8601; formatted once a millisecond. */
  worldTime(): string {
    return this.worldTimeAt(this.#readNow());
  }

  worldTimeAt(nowMs: number): string {
    if (nowMs !== this.#worldTimeMs) {
      this.#worldTimeMs = nowMs;
      this.#worldTimeText = new Date(nowMs).toISOString();
    }
    return this.#worldTimeText;
  }

  /** The time last told, for replies that must not ask the world any more. */
  lastWorldTime(): string {
    return this.#worldTimeText;
  }

  ended(): void {
    this.inFlight -= 1;
    if (this.inFlight === 0) this.onIdle();
  }
}

function ignore(): void {}
