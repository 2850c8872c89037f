// One request and its reply, from the moment its head is read until it is answered or its client is gone. It writes a
// reply exactly once, and never touches the socket after that.
import { STATUS_CODES } from 'node:http';
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

const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/** Names and values by turns, beside those that every reply carries. */
export type ExtraHeaders = readonly string[];

export class Exchange {
  readonly requestId: string;

  // The request; filled by the server before a handler sees the exchange.
  /** Path parameters in the order of the path, percent-decoded. */
  parameters: readonly string[] = NO_PARAMETERS;
  /** What follows the question mark; '' where nothing does. */
  query = '';
  authorization = '';
  contentType = '';
  ifNoneMatch = '';
  /** Null on GET and HEAD. Only valid while the handler runs. */
  body: Uint8Array | null = null;
  /** Number of the player whose key the request carries; 0 for nobody. Set by the layer above. */
  callerNumber = 0;

  // The reply, written by send().
  status = 200;
  replyType = JSON_TYPE;
  /** Text, or bytes that stay unchanged until send() returns. */
  reply: string | Uint8Array = '';
  /** World time of the reply; '' means: ask when it is sent. */
  worldTime = '';
  entityTag = '';
  extraHeaders: ExtraHeaders = NO_HEADERS;
  closesConnection = false;

  /** Answered, or given up by the client. */
  isDone = false;
  /** True once the server's callback has returned: writes are then no longer gathered by the server itself. */
  isLate = false;

  readonly #wire: Wire;
  readonly #traffic: Traffic;

  constructor(
    wire: Wire,
    traffic: Traffic,
    readonly isHead: boolean,
  ) {
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

  /** What the reply rests on is on disk: persistence calls this for a held reply. */
  durable(): void {
    this.send();
  }

  /** Writes the prepared reply, unless the client is gone. */
  send(): void {
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

const NO_PARAMETERS: readonly string[] = Object.freeze([]);
const NO_HEADERS: ExtraHeaders = Object.freeze([]);

/** Status lines by status, in Node's words. */
const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([status, phrase]) => [Number(status), `${status} ${phrase}`]),
);

/** The exchange whose reply is being corked; a variable instead of a closure for every late reply. */
let corked: Exchange | null = null;
const writeCorked = Exchange.writeCorked;

/** A header value cannot open another header. */
function singleLine(value: string): string {
  return /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, ' ') : value;
}
