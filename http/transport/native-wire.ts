// A reply on the native server. This file has two rules (ADR 23).
//
// A reply is over only if the library has said so. `end()` of the library cannot say so: if the socket is full while its cork
// buffer overflows, it drops bytes and leaves the reply open, and the library ends the process when a handler returns from an
// open reply without an abort handler. So every body goes through `tryEnd()`, which tells what was taken, and `end()` is not
// among the methods below.
//
// A connection is never closed within a callback of the library. Its parser ignores that a callback for a body closed the
// connection, and writes what came along into memory that is free by then. So `close()` waits for the end of the turn; until
// then the reply is open, and the library itself ends the connection at the next request.
import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { addressText } from '../admission/addresses.js';
import { BODILESS_REPLIES_PER_CLOSE } from '../limits.js';
import { type ByteBudget, UNSENT_REPLIES } from './byte-budget.js';
import { NativeStream, type NativeStreamResponse } from './native-stream.js';
import type { ReplyHead, ReplyStream, StreamListener, Wire } from './wire.js';

/** What is used of the native response object. It must not be touched after a reply that is over. */
export interface NativeResponse extends NativeStreamResponse {
  /** Writes its argument between `HTTP/1.1 ` and a line break, whatever it holds. */
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /**
   * Writes as much as the socket takes. The first call announces `totalBytes` as the length of the body; the reply ends
   * once that many are written.
   *
   * @returns whether the socket took everything, and whether the reply is over
   */
  tryEnd(body: string | Uint8Array, totalBytes: number): [isTaken: boolean, isOver: boolean];
  /** Bytes of the body that were taken so far. */
  getWriteOffset(): number;
  /** Without arguments only: with some it writes invalid HTTP. Always ends the reply. */
  endWithoutBody(): unknown;
  close(): unknown;
  /** 4 or 16 bytes. */
  getRemoteAddress(): ArrayBuffer;
}

export class NativeWire implements Wire {
  readonly keepsBytes = false;
  /** Drawn once: whether a reply without a body closes; undefined before. */
  #closesWithoutBody: boolean | undefined;
  /** Bytes of the reply that wait for the client. */
  #unsentBytes = 0;
  #isGone = false;
  #isOver = false;
  #stream: NativeStream | null = null;

  constructor(
    private readonly response: NativeResponse,
    private readonly budget: ByteBudget = UNSENT_REPLIES,
  ) {}

  get address(): string {
    return this.#isGone || this.isOver ? '' : addressText(new Uint8Array(this.response.getRemoteAddress()));
  }

  /** The library reports no backlog without a body, so now and then such a reply ends the connection. */
  get needsLength(): boolean {
    this.#closesWithoutBody ??= isDue(BODILESS_REPLIES_PER_CLOSE);
    return this.#closesWithoutBody;
  }

  get isOver(): boolean {
    return this.#isOver || this.#stream?.hasEnded === true;
  }

  end(head: ReplyHead, reply: string | Uint8Array, closesConnection: boolean): void {
    const { response } = this;
    // A long text would be turned into bytes once for its length, once for the library, and once more to keep its rest.
    const body = reply.length > LONG_TEXT_LENGTH ? asBytes(reply) : reply;
    const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    let totalBytes = bodyBytes;
    response.writeStatus(headText(head));
    // An empty reply is over with its head; its client closes.
    const closesByHand = closesConnection && bodyBytes > 0;
    if (closesConnection) response.writeHeader('connection', 'close');
    if (closesByHand) {
      // The library has no tryEnd() that closes. So the length is announced, and then the library is made to wait for a
      // byte that never comes, until the connection is closed by hand.
      response.tryEnd(NOTHING, totalBytes);
      totalBytes += 1;
    }
    const [, isOver] = response.tryEnd(body, totalBytes);
    if (isOver) this.#isOver = true;
    else this.#endLater(body, bodyBytes, totalBytes, closesByHand);
  }

  endWithoutBody(head: ReplyHead, length: number | null, closesConnection: boolean): void {
    const { response } = this;
    const closes = closesConnection || this.needsLength;
    response.writeStatus(headText(head));
    if (closes) response.writeHeader('connection', 'close');
    if (closes && length !== null && length > 0) {
      response.tryEnd(NOTHING, length);
      this.close();
      return;
    }
    if (length !== null) response.writeHeader('content-length', String(length));
    this.#isOver = true;
    response.endWithoutBody();
  }

  stream(head: ReplyHead, listener: StreamListener): ReplyStream {
    this.response.cork(() => this.response.writeStatus(headText(head)));
    this.#stream = new NativeStream(this.response, () => this.close(), listener, this.budget);
    return this.#stream;
  }

  cork(writes: () => void): void {
    this.response.cork(writes);
  }

  /** Closes once the library's callback has returned. The reply must be open. */
  close(): void {
    setImmediate(() => {
      if (!this.#isGone) this.response.close();
    });
  }

  /** While the reply is open, the library ends the connection at the next request. */
  cutWhatFollows(): boolean {
    return false;
  }

  gone(): void {
    this.#isGone = true;
    this.#release();
    this.#stream?.gone();
  }

  /** The socket has not taken all of the body. */
  #endLater(body: string | Uint8Array, bodyBytes: number, totalBytes: number, closesConnection: boolean): void {
    const takenBytes = this.response.getWriteOffset();
    // A client that sent this request before it took the replies to earlier ones. Bytes of the head may be lost: the
    // library drops those during which its cork buffer overflows into a full socket.
    if (takenBytes === 0 && bodyBytes > 0) this.close();
    else if (takenBytes < bodyBytes) this.#sendWhenWritable(asBytes(body), takenBytes, totalBytes);
    else if (closesConnection) this.close();
  }

  /** Keeps what the socket did not take, the only reply that is kept for this connection, and goes on as it drains. */
  #sendWhenWritable(bytes: Uint8Array, takenBytes: number, totalBytes: number): void {
    const { response } = this;
    const unsentBytes = bytes.length - takenBytes;
    if (!this.budget.take(unsentBytes)) {
      this.close();
      return;
    }
    this.#unsentBytes = unsentBytes;
    const rest = Buffer.from(bytes.subarray(takenBytes));
    response.onWritable((offset) => {
      const [isTaken, isOver] = response.tryEnd(rest.subarray(offset - takenBytes), totalBytes);
      if (isOver) this.#release();
      else if (isTaken) this.close();
      return isTaken;
    });
  }

  #release(): void {
    this.budget.give(this.#unsentBytes);
    this.#unsentBytes = 0;
  }
}

const NOTHING = new Uint8Array(0);
/** What the library gathers; a longer reply may be taken in parts. */
const LONG_TEXT_LENGTH = 16 * 1024;

function asBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Status line and fields as one text: the library takes each call as several writes, and this saves most of them. */
function headText({ status, replyType, requestId, worldTime, entityTag, extraHeaders }: ReplyHead): string {
  let text = STATUS_LINES.get(status) ?? String(status);
  if (replyType !== '') text += `\r\ncontent-type: ${replyType}`;
  text += `\r\nx-request-id: ${requestId}\r\nx-world-time: ${worldTime}`;
  if (entityTag !== '') text += `\r\netag: ${entityTag}`;
  for (let index = 0; index + 1 < extraHeaders.length; index += 2) {
    text += `\r\n${extraHeaders[index]}: ${extraHeaders[index + 1]}`;
  }
  return text;
}

/** Status and phrase by status, in Node's words. */
const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([status, phrase]) => [Number(status), `${status} ${phrase}`]),
);

/** True once in `period` times, over all connections; nobody can foresee when (Marsaglia, "Xorshift RNGs", 2003). */
function isDue(period: number): boolean {
  draw ^= draw << 13;
  draw ^= draw >>> 17;
  draw ^= draw << 5;
  return (draw & (period - 1)) === 0;
}

let draw = randomBytes(4).readInt32LE() | 1;
