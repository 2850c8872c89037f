// The header fields of a request, read in one pass, and whether they say beyond doubt where the request ends. It
// decides nothing about the game.
import type { ImmediateProblemCode } from '../exchange/problems.js';
import { HEAD_BYTES_MAX, HEADER_FIELDS_MAX } from '../limits.js';

/** Why a request is refused before it is routed. */
export interface RequestFault {
  readonly code: Extract<
    ImmediateProblemCode,
    | 'body_too_large'
    | 'head_too_large'
    | 'http_version_not_supported'
    | 'invalid_request'
    | 'malformed_request'
    | 'not_implemented'
    | 'request_timeout'
  >;
  /** A sentence; undefined for the title of the code. */
  readonly detail?: string | undefined;
  /** Present if its end and its meaning are not in doubt. Otherwise nothing behind it on its connection is read. */
  readonly keepsConnection?: true;
}

/** One instance is reused for every request, since a head is read and checked within one synchronous call. */
export class RequestHead {
  /** The transport sets it if it is another one, before it passes the fields. */
  httpVersion = '1.1';
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
  #fieldCount = 0;
  #contentLengthCount = 0;
  #hostCount = 0;
  #isIdempotencyKeyRepeated = false;
  #transferEncodingCount = 0;
  /** Name of a field that #takeExact() has taken and whose value cannot be relied on; '' if there is none. */
  #inexactField = '';
  #upgrade = '';
  /** True if Connection has the option `upgrade`. */
  #hasUpgradeOption = false;
  #webSocketKey = '';

  clear(): void {
    this.httpVersion = '1.1';
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
    this.#fieldCount = 0;
    this.#contentLengthCount = 0;
    this.#hostCount = 0;
    this.#isIdempotencyKeyRepeated = false;
    this.#transferEncodingCount = 0;
    this.#inexactField = '';
    this.#upgrade = '';
    this.#hasUpgradeOption = false;
    this.#webSocketKey = '';
  }

  /** Adds a field; the name in lower case. */
  readonly take = (name: string, value: string): void => {
    this.#bytes += name.length + value.length;
    this.#fieldCount += 1;
    switch (name) {
      case 'host':
        this.host = value;
        this.#hostCount += 1;
        break;
      case 'connection':
        if (value === 'keep-alive') break;
        if (closes(value)) this.closesConnection = true;
        if (UPGRADE_OPTION.test(value)) this.#hasUpgradeOption = true;
        break;
      case 'accept-encoding':
        this.acceptEncoding = listOf(this.acceptEncoding ?? '', value);
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
      case 'idempotency-key':
        this.#isIdempotencyKeyRepeated = this.idempotencyKey !== null;
        this.idempotencyKey = value;
        break;
      default:
        if (this.#takeExact(name, value) && !ASCII.test(value)) this.#inexactField = name;
    }
  };

  /**
   * Takes fields whose absence means something, so that one that cannot be read must not pass for one that is absent. The native library
   * takes bytes beyond ASCII for spaces at both ends of a value, so there a value of nothing else is empty.
   *
   * @returns whether it is one
   */
  #takeExact(name: string, value: string): boolean {
    switch (name) {
      case 'content-encoding':
        this.contentEncoding = listOf(this.contentEncoding, value);
        break;
      case 'authorization':
        this.authorization = value;
        this.#authorizationCount += 1;
        break;
      case 'if-match':
        this.ifMatch = listOf(this.ifMatch, value);
        break;
      case 'if-none-match':
        this.ifNoneMatch = value;
        break;
      case 'last-event-id':
        this.lastEventId = value;
        break;
      case 'x-forwarded-for':
        this.forwardedFor = listOf(this.forwardedFor, value);
        break;
      case 'x-min-seq':
        this.minSeq = listOf(this.minSeq, value);
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
        this.webSocketProtocols = listOf(this.webSocketProtocols, value);
        break;
      default:
        this.#takeOfSocket(name, value);
        return false;
    }
    return true;
  }

  #takeOfSocket(name: string, value: string): void {
    switch (name) {
      case 'upgrade':
        this.#upgrade = value;
        break;
      case 'sec-websocket-key':
        this.#webSocketKey = value;
        break;
      case 'sec-websocket-version':
        this.webSocketVersion = value;
        break;
    }
  }

  /**
   * Null if the head is sound. Otherwise it is too large, two parsers could disagree on what the request is or where it ends (RFC 9112,
   * sections 3.2 and 6.3), or a field that decides something came twice or cannot be read.
   */
  get fault(): RequestFault | null {
    if (this.#bytes > HEAD_BYTES_MAX || this.#fieldCount > HEADER_FIELDS_MAX) return TOO_LARGE;
    if (this.#hostCount === 0 && this.httpVersion !== '1.0') return malformed('The header Host is missing.');
    if (this.#contentLengthCount > 1) return malformed('The header Content-Length came twice.');
    if (this.#contentLengthCount === 1 && this.contentLength === '') return malformed('Content-Length is empty.');
    if (this.#transferEncodingCount > 0) {
      const fault = this.#codingFault;
      if (fault !== null) return fault;
    }
    if (this.#hostCount > 1 || this.#authorizationCount > 1 || this.#isIdempotencyKeyRepeated) return REPEATED;
    if (this.#inexactField === '') return null;
    const detail = `The header ${this.#inexactField} is empty or has bytes beyond ASCII.`;
    return { code: 'invalid_request', detail, keepsConnection: true };
  }

  /** False for a request of HTTP/1.0 without Host. */
  get hasHost(): boolean {
    return this.#hostCount > 0;
  }

  /** True if it has what opens a WebSocket (RFC 6455, section 4.2.1), besides method and version of the protocol. */
  get opensWebSocket(): boolean {
    return this.#hasUpgradeOption && this.#upgrade.toLowerCase() === 'websocket' && isSocketKey(this.#webSocketKey);
  }

  /** A request with a Transfer-Encoding. */
  get #codingFault(): RequestFault | null {
    if (this.#transferEncodingCount > 1) return malformed('The header Transfer-Encoding came twice.');
    if (this.contentLength !== '') return malformed('It has both Content-Length and Transfer-Encoding.');
    if (this.httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding.');
    const coding = this.transferEncoding.toLowerCase();
    if (coding === 'chunked') return null;
    // The body ends where its chunks do, whatever they hold.
    if (ENDS_CHUNKED.test(coding)) return { code: 'not_implemented' };
    return malformed('The last transfer coding must be chunked, and no other one may be.');
  }

  /** True if the head announces a body. */
  get announcesBody(): boolean {
    return this.transferEncoding !== '' || (this.contentLength !== '' && !ZEROS.test(this.contentLength));
  }
}

const ASCII = /^[\t -~]+$/;

const ENDS_CHUNKED = /^(?!.*chunked[ \t]*,).*,[ \t]*chunked$/;
const ZEROS = /^0+$/;
const TOO_LARGE: RequestFault = { code: 'head_too_large' };
const REPEATED: RequestFault = {
  code: 'invalid_request',
  detail: 'A header field that must not be repeated came twice.',
};

/** Several fields of one name are one list (RFC 9110, section 5.3). */
function listOf(values: string, value: string): string {
  return values === '' ? value : `${values},${value}`;
}

function malformed(detail: string): RequestFault {
  return { code: 'malformed_request', detail };
}

/** 16 bytes in base64. */
export function isSocketKey(value: string): boolean {
  return SOCKET_KEY.test(value);
}

const SOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;
const UPGRADE_OPTION = /(^|,)[ \t]*upgrade[ \t]*(,|$)/i;

/**
 * The native library treats every value of five characters as `close`, and may act on it within a callback (decision 13).
 */
function closes(value: string): boolean {
  return value.length === 5 || CLOSE_OPTION.test(value);
}

const CLOSE_OPTION = /(^|,)[ \t]*close[ \t]*(,|$)/i;
