// A reply on the native server. This file has two rules (decision 13).
//
// A reply is over only once the library has reported it. The library's `end()` reports nothing: if the socket is full
// while the cork buffer overflows, it drops bytes and leaves the reply open, and the library ends the process when a
// handler returns with an open reply and no abort handler. So every body goes through `tryEnd()`, which reports what
// was taken, and this file never calls `end()`.
//
// A connection is never closed within a callback of the library. Its parser does not notice that the callback for a
// body has closed the connection, and writes the following data into freed memory. So `close()` waits for the end of
// the turn; until then the reply is open, and the library itself closes the connection at the next request.
import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { addressText } from '../../admission/addresses.js';
import type { Owner, SharedBudget } from '../../admission/owners.js';
import { EVENT_STREAM_TYPE, type ReplyStream, type StreamListener } from '../../exchange/exchange.js';
import { BODILESS_REPLIES_PER_CLOSE, STREAM_PART_BYTES_MAX } from '../../limits.js';
import { UNSENT_REPLIES } from '../body-budget.js';
import { CountedStream } from '../counted-stream.js';
import type { ReplyHead, Wire } from '../transport.js';

/** The methods of the native response object that a stream uses. */
interface NativeStreamResponse {
  /** Writes one chunk (RFC 9112, section 7.1). @returns false if earlier ones are still unsent */
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  onWritable(handler: (offset: number) => boolean): unknown;
  cork(writes: () => void): unknown;
}

/** The part of the native response object that is used. It must not be used after the reply is over. */
export interface NativeResponse extends NativeStreamResponse {
  /** Writes its argument, unchecked, between `HTTP/1.1 ` and a line break. */
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /**
   * Writes as much as the socket takes. The first call announces `totalBytes` as the length of the body; the reply ends
   * once that many are written.
   *
   * @returns whether the socket took everything, and whether the reply is over
   */
  tryEnd(body: string | Uint8Array, totalBytes: number): [isTaken: boolean, isOver: boolean];
  /** Bytes of the body taken so far. */
  getWriteOffset(): number;
  /** Call it without arguments: with some it writes invalid HTTP. Always ends the reply. */
  endWithoutBody(): unknown;
  close(): unknown;
  /** 4 or 16 bytes. */
  getRemoteAddress(): ArrayBuffer;
}

export class NativeWire implements Wire {
  readonly keepsBytes = false;
  /** Whether a reply without a body closes the connection; drawn once, undefined before. */
  #closesWithoutBody: boolean | undefined;
  /** Unsent bytes of the reply, and whose share they use. */
  #unsentBytes = 0;
  #owner: Owner = '';
  #isGone = false;
  #isOver = false;
  #stream: NativeStream | null = null;

  constructor(
    private readonly response: NativeResponse,
    private readonly budget: SharedBudget = UNSENT_REPLIES,
  ) {}

  get address(): string {
    return this.#isGone || this.isOver ? '' : addressText(new Uint8Array(this.response.getRemoteAddress()));
  }

  /** The library reports no backlog for replies without a body, so about one in many closes the connection. */
  get needsLength(): boolean {
    this.#closesWithoutBody ??= isDue(BODILESS_REPLIES_PER_CLOSE);
    return this.#closesWithoutBody;
  }

  get isOver(): boolean {
    return this.#isOver || this.#stream?.hasEnded === true;
  }

  end(head: ReplyHead, reply: string | Uint8Array, closesConnection: boolean): void {
    const { response } = this;
    response.writeStatus(headText(head));
    if (closesConnection) response.writeHeader('connection', 'close');
    // A reply of one byte, or none, is over at once; the client closes the connection.
    if (closesConnection && reply.length > 1) {
      this.#endAndClose(head, asBytes(reply));
      return;
    }
    // A long text would be encoded once for its length, once by the library, and once more to keep its rest.
    const body = reply.length > LONG_TEXT_LENGTH ? asBytes(reply) : reply;
    const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const [, isOver] = response.tryEnd(body, bodyBytes);
    if (isOver) this.#isOver = true;
    else this.#endLater(head, body, bodyBytes, bodyBytes, false);
  }

  /**
   * The library has no tryEnd() that closes. So the first byte announces the length, and then the library is made to expect a byte that
   * never comes, until the connection is closed explicitly.
   */
  #endAndClose(head: ReplyHead, body: Uint8Array): void {
    const { response } = this;
    response.tryEnd(body.subarray(0, 1), body.length);
    const totalBytes = body.length + 1;
    response.tryEnd(body.subarray(response.getWriteOffset()), totalBytes);
    this.#endLater(head, body, body.length, totalBytes, true);
  }

  endWithoutBody(head: ReplyHead, length: number | null, closesConnection: boolean): void {
    const { response } = this;
    const closes = closesConnection || this.needsLength;
    if (closes && length !== null && length > 0) {
      // The line break that the library adds ends the head. So the reply is complete for the client, and open for the library.
      const date = new Date().toUTCString();
      response.writeStatus(`${headText(head)}\r\nconnection: close\r\ncontent-length: ${length}\r\ndate: ${date}\r\n`);
      this.close();
      return;
    }
    response.writeStatus(headText(head));
    if (closes) response.writeHeader('connection', 'close');
    if (length !== null) response.writeHeader('content-length', String(length));
    this.#isOver = true;
    response.endWithoutBody();
  }

  stream(head: ReplyHead, listener: StreamListener): ReplyStream {
    this.response.cork(() => this.response.writeStatus(headText(head)));
    const hasComments = head.replyType === EVENT_STREAM_TYPE;
    this.#stream = new NativeStream(this.response, () => this.close(), hasComments, listener, this.budget, head.owner);
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

  /** While the reply is open, the library closes the connection at the next request. */
  cutWhatFollows(): boolean {
    return false;
  }

  gone(): void {
    this.#isGone = true;
    this.#release();
    this.#stream?.gone();
  }

  /** The socket has not taken all of the body. */
  #endLater(
    head: ReplyHead,
    body: string | Uint8Array,
    bodyBytes: number,
    totalBytes: number,
    closesConnection: boolean,
  ): void {
    const takenBytes = this.response.getWriteOffset();
    // The client sent this request before it read the replies to earlier ones. Bytes of the head may be lost: the
    // library drops the write during which its cork buffer overflows into a full socket.
    if (takenBytes === 0 && bodyBytes > 0) this.close();
    else if (takenBytes < bodyBytes) this.#sendWhenWritable(head.owner, asBytes(body), takenBytes, totalBytes);
    else if (closesConnection) this.close();
  }

  /**
   * Keeps what the socket did not take, and sends it as the socket drains. It is the only reply kept for this
   * connection.
   */
  #sendWhenWritable(owner: Owner, bytes: Uint8Array, takenBytes: number, totalBytes: number): void {
    const { response } = this;
    const unsentBytes = bytes.length - takenBytes;
    if (!this.budget.take(owner, unsentBytes)) {
      this.close();
      return;
    }
    this.#unsentBytes = unsentBytes;
    this.#owner = owner;
    const rest = Buffer.from(bytes.subarray(takenBytes));
    response.onWritable((offset) => {
      const [isTaken, isOver] = response.tryEnd(rest.subarray(offset - takenBytes), totalBytes);
      if (isOver) this.#release();
      else if (isTaken) this.close();
      return isTaken;
    });
  }

  #release(): void {
    this.budget.give(this.#owner, this.#unsentBytes);
    this.#unsentBytes = 0;
  }
}

/** Size of the cork buffer of the library; a longer reply may be taken in parts. */
const LONG_TEXT_LENGTH = 16 * 1024;

function asBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Status line and fields as one text: the library makes several writes of each call, and this saves most of them. */
function headText(head: ReplyHead): string {
  const { status, replyType, requestId, worldTime, entityTag, rateLimitPolicy, rateLimit, originHeaders } = head;
  let text = STATUS_LINES.get(status) ?? String(status);
  if (replyType !== '') text += `\r\ncontent-type: ${replyType}`;
  text += `\r\nx-request-id: ${requestId}`;
  if (worldTime !== '') text += `\r\nx-world-time: ${worldTime}`;
  if (head.worldSeq >= 0) text += `\r\nx-world-seq: ${head.worldSeq}`;
  if (entityTag !== '') text += `\r\netag: ${entityTag}`;
  if (rateLimit !== '') text += `\r\nratelimit-policy: ${rateLimitPolicy}\r\nratelimit: ${rateLimit}`;
  text += fieldsText(head.extraHeaders);
  return originHeaders.length === 0 ? text : text + fieldsText(originHeaders);
}

function fieldsText(fields: readonly string[]): string {
  let text = '';
  for (let index = 0; index + 1 < fields.length; index += 2) text += `\r\n${fields[index]}: ${fields[index + 1]}`;
  return text;
}

/** Status lines by status, with Node's phrases. */
const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([status, phrase]) => [Number(status), `${status} ${phrase}`]),
);

/**
 * True about once in `period` calls, over all connections; clients cannot predict when (Marsaglia, "Xorshift RNGs",
 * 2003).
 */
function isDue(period: number): boolean {
  draw ^= draw << 13;
  draw ^= draw >>> 17;
  draw ^= draw << 5;
  return (draw & (period - 1)) === 0;
}

let draw = randomBytes(4).readInt32LE() | 1;

/**
 * A reply in pieces. Each part is written inside a cork of its own and fits into it, since the library drops bytes when its cork buffer
 * overflows into a full socket (decision 13). The library reports a full socket one part late, when it has already buffered that part.
 */
class NativeStream extends CountedStream {
  #hasEnded = false;

  /**
   * @param close closes the connection, after the library's callback (decision 13)
   * @param hasComments whether its readers pass over comments
   */
  constructor(
    private readonly response: NativeStreamResponse,
    private readonly close: () => void,
    private readonly hasComments: boolean,
    listener: StreamListener,
    budget: SharedBudget,
    owner: Owner,
  ) {
    super(listener, budget, owner);
    response.onWritable(() => {
      // Leaving an empty cork flushes what the library has buffered; if a handler is set, it does not flush by itself.
      response.cork(nothing);
      this.drained();
      return true;
    });
  }

  /** True once the library has sent the end of the reply. A stream that was cut off has not ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  override write(piece: string | Uint8Array): boolean {
    if (this.isOver) return false;
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let isTaken = !this.isLagging;
    for (let start = 0; start < bytes.length; start += STREAM_PART_BYTES_MAX) {
      const part = bytes.subarray(start, start + STREAM_PART_BYTES_MAX);
      const isLast = start + part.length === bytes.length;
      this.response.cork(() => {
        if (!this.response.write(part)) isTaken = false;
        if (isLast && this.hasComments) this.response.write(COMMENT);
      });
    }
    if (!isTaken) this.keep(bytes.length);
    return isTaken;
  }

  protected override endReply(): void {
    this.#hasEnded = true;
    this.response.cork(() => this.response.end());
  }

  protected override closeConnection(): void {
    this.close();
  }
}

/**
 * The library ends a chunk only when it begins the next one, and clients that read whole chunks, such as urllib3, would see an event up to
 * 15 s late. A comment of the stream is a chunk that nobody waits for (HTML Living Standard, section 9.2.6).
 */
const COMMENT = Buffer.from(':\n\n');

function nothing(): void {}
