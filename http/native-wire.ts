// The native response object behind the same few methods as the JavaScript one. The library would take any number of
// replies into memory for a client that asks and does not read. Here one reply in a few, drawn at random, is written only
// as far as the socket takes it and waits for the rest; a client that sends its next request before that is cut off by
// the library. What waits is bounded over all connections together.
import { randomBytes } from 'node:crypto';
import { type ByteBudget, UNSENT_REPLIES } from './byte-budget.js';
import { BODILESS_REPLIES_PER_CLOSE, REPLIES_PER_PROBE, UNPROBED_REPLY_LENGTH_MAX } from './limits.js';
import type { Wire } from './wire-exchange.js';

/** What the native response object offers. It must not be touched after a reply that ended. */
export interface NativeResponse {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  end(body: string | Uint8Array): unknown;
  /**
   * Writes as much as the socket takes. The first call announces `totalBytes` as the length of the body; the reply ends
   * once that many are written.
   *
   * @returns whether the socket took everything, and whether the reply has ended
   */
  tryEnd(body: Uint8Array, totalBytes: number): [isTaken: boolean, isEnded: boolean];
  /** Bytes of the reply that were taken so far. */
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
  /** Without arguments only: what it makes of them is no HTTP. */
  endWithoutBody(): unknown;
  cork(writes: () => void): unknown;
  close(): unknown;
}

export class NativeWire implements Wire {
  /** Drawn once: whether a reply without a body closes; undefined before. */
  #closesWithoutBody: boolean | undefined;
  /** Bytes of the reply that wait for the client. */
  #unsentBytes = 0;
  #isGone = false;
  #isOver = false;

  constructor(
    private readonly response: NativeResponse,
    private readonly budget: ByteBudget = UNSENT_REPLIES,
  ) {}

  /** The library tells of no backlog where there is no body, so now and then such a reply ends the connection. */
  get needsLength(): boolean {
    this.#closesWithoutBody ??= isDue(BODILESS_REPLIES_PER_CLOSE);
    return this.#closesWithoutBody;
  }

  writeStatus(status: string): void {
    this.response.writeStatus(status);
  }

  writeHeader(name: string, value: string): void {
    this.response.writeHeader(name, value);
  }

  end(body: string | Uint8Array, closesConnection: boolean): void {
    // Asking the socket costs as much as the rest of a small reply, and one that is stuck is found out soon enough.
    const isSimple = !closesConnection && body.length <= UNPROBED_REPLY_LENGTH_MAX;
    if (isSimple && !isDue(REPLIES_PER_PROBE)) {
      this.#isOver = true;
      this.response.end(body);
    } else {
      this.#endProbed(body, closesConnection);
    }
  }

  endWithoutBody(length: number | null, closesConnection: boolean): void {
    const { response } = this;
    const closes = closesConnection || this.needsLength;
    if (closes) response.writeHeader('connection', 'close');
    if (closes && length !== null) {
      response.tryEnd(NOTHING, length);
      this.#closeSoon();
      return;
    }
    if (length !== null) response.writeHeader('content-length', String(length));
    this.#isOver = true;
    response.endWithoutBody();
  }

  cork(writes: () => void): void {
    this.response.cork(writes);
  }

  close(): void {
    this.#isOver = true;
    this.response.close();
  }

  /** While the reply is open, the library ends the connection at the next request. */
  cutWhatFollows(): boolean {
    return false;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isCut(): boolean {
    return false;
  }

  get isBehindAnother(): boolean {
    return false;
  }

  gone(): void {
    this.#isGone = true;
    this.#release();
  }

  #endProbed(body: string | Uint8Array, closesConnection: boolean): void {
    const { response } = this;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    let totalBytes = bytes.length;
    if (closesConnection) {
      // The library would take all of the reply into memory, and not tell a client that wants to close that it does. So
      // the length is announced, and then the library made to wait for a byte that never comes, until the connection is
      // closed by hand.
      response.writeHeader('connection', 'close');
      response.tryEnd(NOTHING, totalBytes);
      totalBytes += 1;
    }
    const [, isEnded] = response.tryEnd(bytes, totalBytes);
    if (isEnded) this.#isOver = true;
    else if (response.getWriteOffset() < bytes.length) this.#sendWhenWritable(bytes, totalBytes);
    else if (closesConnection) this.#closeSoon();
  }

  /** Keeps what the socket did not take, the only reply that is kept for this connection, and goes on as it drains. */
  #sendWhenWritable(bytes: Uint8Array, totalBytes: number): void {
    const { response } = this;
    const takenBytes = response.getWriteOffset();
    const unsentBytes = bytes.length - takenBytes;
    if (!this.budget.take(unsentBytes)) {
      this.close();
      return;
    }
    this.#unsentBytes = unsentBytes;
    const rest = Buffer.from(bytes.subarray(takenBytes));
    response.onWritable((offset) => {
      const [isTaken, isEnded] = response.tryEnd(rest.subarray(offset - takenBytes), totalBytes);
      if (isEnded) this.#release();
      else if (isTaken) this.#closeSoon();
      return isTaken;
    });
  }

  /** Closes once the server's callback has returned and what was written has left. */
  #closeSoon(): void {
    setImmediate(() => {
      if (this.#isGone) return;
      if (!this.#isGone) this.response.close();
    });
  }

  #release(): void {
    this.budget.give(this.#unsentBytes);
    this.#unsentBytes = 0;
  }
}

const NOTHING = new Uint8Array(0);

/** True once in `period` times, over all connections; nobody can foresee when (Marsaglia, "Xorshift RNGs", 2003). */
function isDue(period: number): boolean {
  draw ^= draw << 13;
  draw ^= draw >>> 17;
  draw ^= draw << 5;
  return (draw & (period - 1)) === 0;
}

let draw = randomBytes(4).readInt32LE() | 1;
