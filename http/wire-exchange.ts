// A request of its own on a connection, from the moment its head is read until it is answered or its client is gone. It
// writes a reply exactly once, and never touches the socket after that.
import { STATUS_CODES } from 'node:http';
import type { Sequencer } from '../persistence/sequencer.js';
import { BodyReader, type TakenBody, wholeBody } from './body-reader.js';
import { Exchange } from './exchange.js';
import { refuse } from './problems.js';
import { ABORTED, DROPPED, type RequestCounts } from './request-counts.js';
import type { Traffic } from './traffic.js';

/** The part of a server's response object that an exchange writes to. Values are written as they are. */
export interface Wire {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** Ends with a body; the bytes are taken over before it returns. */
  end(body: string | Uint8Array, closesConnection: boolean): unknown;
  /** Ends after the head, for HEAD and 304. @param length of the body that is left out; null: it is not told */
  endWithoutBody(length: number | null, closesConnection: boolean): unknown;
  /** True where a reply without a body has to tell the length of the one that is left out. */
  readonly needsLength: boolean;
  /** Runs the writes of a late reply as one. */
  cork(writes: () => void): unknown;
  /** Drops the connection without a word. */
  close(): unknown;
  /**
   * Sees to it that nothing that comes behind this request on its connection is carried out.
   *
   * @returns false where it takes that the reply is not sent before this turn of the event loop is over
   */
  cutWhatFollows(): boolean;
  /** True once nothing is left to write or to wait for: the response must not be touched any more. */
  readonly isOver: boolean;
  /** True where a request before this one on its connection did so. */
  readonly isCut: boolean;
  /** True where a request before this one on its connection is not answered yet. */
  readonly isBehindAnother: boolean;
  /** The connection is closed: what was kept for it is let go. */
  gone(): unknown;
}

export class WireExchange extends Exchange {
  override readonly requestId: string;
  /** True once the server's callback has returned: writes are then no longer gathered by the server itself. */
  isLate = false;
  /** False once the reply is written, or the connection given up. */
  #isOwed = true;
  /** What gathers a body that comes in pieces. */
  #bodyReader: BodyReader | null = null;
  readonly #wire: Wire;
  readonly #traffic: Traffic;
  readonly #arrivedAtMs = performance.now();

  constructor(
    wire: Wire,
    traffic: Traffic,
    readonly isHead: boolean,
    /** Where it is counted; settled once the route is known. */
    public counts: RequestCounts,
  ) {
    super();
    this.#wire = wire;
    this.#traffic = traffic;
    this.requestId = traffic.nextRequestId();
    traffic.inFlight += 1;
  }

  /** True once the server need not tell any more that the client is gone. */
  get isOver(): boolean {
    return this.#wire.isOver;
  }

  /** Takes the next piece of the body, as BodyReader does; a body that comes in one piece is not copied. */
  takeBody(piece: ArrayBuffer | Uint8Array, isLast: boolean, bytesMax: number): TakenBody {
    if (isLast && this.#bodyReader === null) return wholeBody(piece, bytesMax);
    this.#bodyReader ??= new BodyReader(bytesMax);
    return this.#bodyReader.take(piece, isLast);
  }

  /** The body has been used, or never will be. */
  releaseBody(): void {
    this.#bodyReader?.release();
  }

  /** The connection is closed; nothing more may be written. */
  abort(): void {
    this.#wire.gone();
    this.releaseBody();
    this.#giveUp(ABORTED);
  }

  /** Drops the connection unanswered, so that nothing that was sent along is read as another request. */
  drop(): void {
    this.#giveUp(DROPPED);
    this.#wire.close();
  }

  /** Leaves the request unanswered, as the connection ends with the reply to one before it. */
  ignore(): void {
    this.#giveUp(DROPPED);
  }

  override get mayOmitReply(): boolean {
    return !(this.closesConnection || this.#traffic.isDraining || this.#wire.needsLength);
  }

  /** Writes the prepared reply, unless the client is gone. */
  override send(): void {
    if (this.isDone) return;
    this.isDone = true;
    if (!this.isLate && (this.isHead || this.closesConnection) && this.#cutsByWaiting()) this.#leaveLater();
    else this.#leave();
  }

  override sendWhenDurable(sequencer: Sequencer, seq: number): void {
    if (!sequencer.holdUntilDurable(seq, this)) refuse(this, 'overloaded');
    if (!this.isDone) this.#keepReply();
  }

  /**
   * Behind a reply that closes, nothing of what came along may be carried out. And a reply to HEAD is so small beside its
   * cost that nothing would slow down a client that sends many at once: it has to wait for each.
   *
   * @returns true where that takes that the reply stays open for this turn of the event loop
   */
  #cutsByWaiting(): boolean {
    const isCut = this.closesConnection && this.#wire.cutWhatFollows();
    return this.isHead || !isCut;
  }

  #leaveLater(): void {
    this.#keepReply();
    setImmediate(() => this.#leave());
  }

  /** A reply that waits needs bytes that nobody writes over. */
  #keepReply(): void {
    if (!this.isReplyLent || typeof this.reply === 'string') return;
    this.reply = Buffer.from(this.reply);
    this.isReplyLent = false;
  }

  #leave(): void {
    if (!this.#isOwed) return;
    this.#isOwed = false;
    if (this.isLate) {
      corked = this;
      this.#wire.cork(writeCorked);
    } else {
      this.write();
    }
    this.counts.answered(this.status, performance.now() - this.#arrivedAtMs);
    this.#traffic.ended();
  }

  #giveUp(outcome: typeof ABORTED | typeof DROPPED): void {
    this.isDone = true;
    if (!this.#isOwed) return;
    this.#isOwed = false;
    this.counts.unanswered(outcome);
    this.#traffic.ended();
  }

  /** The order is the server's: status, headers, body. */
  private write(): void {
    const wire = this.#wire;
    if (this.isNotModified && this.status === 200) this.status = 304;
    const closes = this.closesConnection || this.#traffic.isDraining;
    const worldTime = this.worldTime === '' ? this.#traffic.worldTime() : this.worldTime;
    // Without a status line the server writes 200 OK by itself.
    if (this.status !== 200) wire.writeStatus(STATUS_LINES.get(this.status) ?? String(this.status));
    if (this.status !== 304) wire.writeHeader('content-type', this.replyType);
    wire.writeHeader('x-request-id', this.requestId);
    wire.writeHeader('x-world-time', worldTime);
    if (this.entityTag !== '') wire.writeHeader('etag', this.entityTag);
    for (let index = 0; index + 1 < this.extraHeaders.length; index += 2) {
      wire.writeHeader(this.extraHeaders[index] as string, singleLine(this.extraHeaders[index + 1] as string));
    }
    if (this.isHead || this.status === 304) {
      // Without the body of 200 at hand, 304 does not tell its length (RFC 9110, section 8.6).
      const isLengthKnown = this.status !== 304 || this.isNotModified;
      wire.endWithoutBody(isLengthKnown ? Buffer.byteLength(this.reply) : null, closes);
    } else {
      wire.end(this.reply, closes);
    }
  }

  static writeCorked(): void {
    corked?.write();
    corked = null;
  }
}

/** Status lines by status, in Node's words. */
const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([status, phrase]) => [Number(status), `${status} ${phrase}`]),
);

/** The exchange whose reply is being corked; a variable instead of a closure for every late reply. */
let corked: WireExchange | null = null;
const writeCorked = WireExchange.writeCorked;

/** A header value cannot open another header. */
function singleLine(value: string): string {
  return /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, ' ') : value;
}
