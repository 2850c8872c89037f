// The header fields of a request, read in one pass, and whether they say beyond doubt where the request ends. It
// decides nothing about the game.
import { HEAD_BYTES_MAX } from '../limits.js';

/** Why a head is refused before routing; null if it is valid. */
export type HeadFault = 'framing' | 'duplicate' | null;

/** One instance is reused for every request, since a head is read and checked within one synchronous call. */
export class RequestHead {
  authorization = '';
  /**
   * True if the connection closes after the reply: the client asks for it (RFC 9112, section 9.6), or the native
   * library does it.
   */
  closesConnection = false;
  /** Null if there is none. */
  acceptEncoding: string | null = null;
  contentEncoding = '';
  contentLength = '';
  contentType = '';
  /** X-Forwarded-For, several fields joined by commas. */
  forwardedFor = '';
  /** Null if there is none; it may be empty. */
  idempotencyKey: string | null = null;
  /** If-Match, several fields joined by commas. */
  ifMatch = '';
  ifNoneMatch = '';
  lastEventId = '';
  /** X-Min-Seq, several fields joined by commas. */
  minSeq = '';
  host = '';
  /** The origin of the page that asks, from a browser. */
  origin = '';
  prefer = '';
  /** Access-Control-Request-Method: the method that a page wants to use. */
  requestedMethod = '';
  transferEncoding = '';
  /** Sec-WebSocket-Protocol: the subprotocols that the client speaks, several fields joined by commas. */
  webSocketProtocols = '';
  webSocketVersion = '';

  #authorizationCount = 0;
  /** Bytes of all fields. */
  #bytes = 0;
  #contentLengthCount = 0;
  #hostCount = 0;
  #isIdempotencyKeyRepeated = false;
  #transferEncodingCount = 0;

  clear(): void {
    this.authorization = '';
    this.closesConnection = false;
    this.acceptEncoding = null;
    this.contentEncoding = '';
    this.contentLength = '';
    this.contentType = '';
    this.forwardedFor = '';
    this.idempotencyKey = null;
    this.ifMatch = '';
    this.ifNoneMatch = '';
    this.lastEventId = '';
    this.minSeq = '';
    this.host = '';
    this.origin = '';
    this.prefer = '';
    this.requestedMethod = '';
    this.transferEncoding = '';
    this.webSocketProtocols = '';
    this.webSocketVersion = '';
    this.#authorizationCount = 0;
    this.#bytes = 0;
    this.#contentLengthCount = 0;
    this.#hostCount = 0;
    this.#isIdempotencyKeyRepeated = false;
    this.#transferEncodingCount = 0;
  }

  /** Adds a field; the name in lower case. */
  readonly take = (name: string, value: string): void => {
    this.#bytes += name.length + value.length;
    switch (name) {
      case 'host':
        this.host = value;
        this.#hostCount += 1;
        break;
      case 'connection':
        if (value !== 'keep-alive' && closes(value)) this.closesConnection = true;
        break;
      case 'accept-encoding':
        this.acceptEncoding = this.acceptEncoding === null ? value : `${this.acceptEncoding},${value}`;
        break;
      case 'content-encoding':
        this.contentEncoding = this.contentEncoding === '' ? value : `${this.contentEncoding},${value}`;
        break;
      case 'content-type':
        this.contentType = value;
        break;
      case 'content-length':
        this.contentLength = value;
        this.#contentLengthCount += 1;
        break;
      case 'transfer-encoding':
        this.transferEncoding = value;
        this.#transferEncodingCount += 1;
        break;
      case 'authorization':
        this.authorization = value;
        this.#authorizationCount += 1;
        break;
      case 'if-match':
        this.ifMatch = this.ifMatch === '' ? value : `${this.ifMatch},${value}`;
        break;
      case 'if-none-match':
        this.ifNoneMatch = value;
        break;
      case 'last-event-id':
        this.lastEventId = value;
        break;
      case 'idempotency-key':
        this.#isIdempotencyKeyRepeated = this.idempotencyKey !== null;
        this.idempotencyKey = value;
        break;
      case 'x-forwarded-for':
        this.forwardedFor = this.forwardedFor === '' ? value : `${this.forwardedFor},${value}`;
        break;
      case 'x-min-seq':
        this.minSeq = this.minSeq === '' ? value : `${this.minSeq},${value}`;
        break;
      case 'prefer':
        this.prefer = value;
        break;
      case 'origin':
        this.origin = value;
        break;
      case 'access-control-request-method':
        this.requestedMethod = value;
        break;
      case 'sec-websocket-protocol':
        this.webSocketProtocols = this.webSocketProtocols === '' ? value : `${this.webSocketProtocols},${value}`;
        break;
      case 'sec-websocket-version':
        this.webSocketVersion = value;
        break;
    }
  };

  /**
   * `framing`: the head is too long, or two parsers could disagree on what the request is or where it ends (RFC 9112,
   * sections 3.2 and 6.3), so nothing after it may be read. `duplicate`: Host, Authorization or Idempotency-Key came
   * twice.
   */
  get fault(): HeadFault {
    if (this.#bytes > HEAD_BYTES_MAX) return 'framing';
    if (this.#hostCount === 0 || this.contentLength.length > CONTENT_LENGTH_DIGITS_MAX) return 'framing';
    if (this.#contentLengthCount > 1 || this.#transferEncodingCount > 1) return 'framing';
    if (this.#contentLengthCount === 1 && this.contentLength === '') return 'framing';
    if (this.#transferEncodingCount === 1 && this.transferEncoding === '') return 'framing';
    if (this.transferEncoding !== '' && (this.transferEncoding !== 'chunked' || this.contentLength !== ''))
      return 'framing';
    const isDoubled = this.#hostCount > 1 || this.#authorizationCount > 1 || this.#isIdempotencyKeyRepeated;
    return isDoubled ? 'duplicate' : null;
  }

  /** True if the head announces a body. */
  get announcesBody(): boolean {
    return this.transferEncoding !== '' || (this.contentLength !== '' && !ZEROS.test(this.contentLength));
  }
}

/** The native server accepts no more, leading zeros included. */
const CONTENT_LENGTH_DIGITS_MAX = 9;
const ZEROS = /^0+$/;

/**
 * The native library treats every value of five characters as `close`, and may act on it within a callback (decision 13).
 */
function closes(value: string): boolean {
  return value.length === 5 || CLOSE_OPTION.test(value);
}

const CLOSE_OPTION = /(^|,)[ \t]*close[ \t]*(,|$)/i;
