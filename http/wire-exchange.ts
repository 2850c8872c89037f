// A request of its own on a connection, from the moment its head is read until it is answered or its client is gone. It
// writes a reply exactly once, and never touches the socket after that.
import { STATUS_CODES } from 'node:http';
import type { Sequencer } from '../persistence/sequencer.js';
import { Exchange } from './exchange.js';
import type { Traffic } from './traffic.js';

/** The part of a server's response object that an exchange writes to. Values are written as they are. */
export interface Wire {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** Ends with a body; the bytes are taken over before it returns. */
  end(body: string | Uint8Array, closesConnection: boolean): unknown;
  /** Ends after the head, for HEAD and 304. */
  endWithoutBody(): unknown;
  /** Runs the writes of a late reply as one. */
  cork(writes: () => void): unknown;
  /** Drops the connection without a word. */
  close(): unknown;
}

export class WireExchange extends Exchange {
  override readonly requestId: string;
  /** True once the server's callback has returned: writes are then no longer gathered by the server itself. */
  isLate = false;

  readonly #wire: Wire;
  readonly #traffic: Traffic;

  constructor(
    wire: Wire,
    traffic: Traffic,
    readonly isHead: boolean,
  ) {
    super();
    this.#wire = wire;
    this.#traffic = traffic;
    this.requestId = traffic.nextRequestId();
    traffic.inFlight += 1;
  }

  /** The client is gone; nothing more may be written. */
  abort(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.#traffic.ended();
  }

  /** Drops the connection unanswered, so that nothing that was sent along is read as another request. */
  drop(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.#wire.close();
    this.#traffic.ended();
  }

  /** Writes the prepared reply, unless the client is gone. */
  override send(): void {
    if (this.isDone) return;
    this.isDone = true;
    if (this.isLate) {
      corked = this;
      this.#wire.cork(writeCorked);
    } else {
      this.write();
    }
    this.#traffic.ended();
  }

  override sendWhenDurable(sequencer: Sequencer, seq: number): void {
    sequencer.holdUntilDurable(seq, this);
    // Bytes belong to a cache that writes over them; a reply that waits needs its own.
    if (!this.isDone && typeof this.reply !== 'string') this.reply = Buffer.from(this.reply);
  }

  /** The order is the server's: status, headers, body. */
  private write(): void {
    const wire = this.#wire;
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
      if (this.status !== 304) wire.writeHeader('content-length', String(Buffer.byteLength(this.reply)));
      if (closes) wire.writeHeader('connection', 'close');
      wire.endWithoutBody();
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
