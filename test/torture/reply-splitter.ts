// Splits what a server sends into replies by their own framing, and accepts nothing but HTTP/1.1 (RFC 9112). It does
// not know the requests, except which replies may have no body because they answer a HEAD.

/** Whether a reply has a body: never, as to HEAD; as its head says; or unknown. */
export type BodyPresence = 'never' | 'as announced' | 'unknown';

export interface SplitReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The bytes are not HTTP, or contradict themselves. */
export class NotHttp extends Error {
  override readonly name = 'NotHttp';
}

const HEAD_END = '\r\n\r\n';
const HEAD_BYTES_MAX = 16 * 1024;
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9a-z-]+):[ \t]*([ -~\t]*?)[ \t]*$/i;
const BEGINNING = 'HTTP/1.1 ';
/** The body of a refusal by Node itself if it is announced as chunked. */
const EMPTY_CHUNKED_BODY = '0\r\n\r\n';

export class ReplySplitter {
  readonly #pieces: Buffer[] = [];
  #pieceBytes = 0;
  /** Number of bytes from which on another attempt makes sense. */
  #neededBytes = BEGINNING.length;
  readonly #presenceOf: (index: number) => BodyPresence;
  #replyCount = 0;

  /** @param presenceOf called with the index of each reply, without interim replies */
  constructor(presenceOf: (index: number) => BodyPresence) {
    this.#presenceOf = presenceOf;
  }

  /** Takes the next bytes. @returns the replies that are whole now. @throws NotHttp */
  take(piece: Buffer): SplitReply[] {
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    return this.#pieceBytes < this.#neededBytes ? [] : this.#split(false);
  }

  /** The connection has ended. @returns what its end completes. @throws NotHttp */
  end(): SplitReply[] {
    return this.#split(true);
  }

  #split(hasEnded: boolean): SplitReply[] {
    const replies: SplitReply[] = [];
    let bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    for (let end = this.#one(bytes, hasEnded, replies); end > 0; end = this.#one(bytes, hasEnded, replies)) {
      bytes = bytes.subarray(end);
    }
    this.#pieces.length = 0;
    this.#pieces.push(bytes);
    this.#pieceBytes = bytes.length;
    return replies;
  }

  /** @returns where the first reply ends; 0 if it is not whole */
  #one(bytes: Buffer, hasEnded: boolean, replies: SplitReply[]): number {
    const beginning = bytes.toString('latin1', 0, BEGINNING.length);
    if (beginning === '') return 0;
    if (!BEGINNING.startsWith(beginning)) throw new NotHttp(`not the beginning of a reply: ${shown(bytes)}`);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      if (bytes.length > HEAD_BYTES_MAX) throw new NotHttp(`a head of more than ${HEAD_BYTES_MAX} bytes`);
      this.#neededBytes = bytes.length + 1;
      return 0;
    }
    const head = parseHead(bytes.toString('latin1', 0, headEnd));
    const start = headEnd + HEAD_END.length;
    const presence = this.#presenceOf(this.#replyCount);
    const length = this.#bodyLength(head, presence, bytes.subarray(start), hasEnded);
    if (bytes.length < start + length) {
      this.#neededBytes = presence === 'unknown' ? bytes.length + 1 : start + length;
      return 0;
    }
    if (head.status >= 200) this.#replyCount += 1;
    replies.push({ ...head, body: bytes.subarray(start, start + length) });
    this.#neededBytes = BEGINNING.length;
    return start + length;
  }

  /** @returns Infinity if only the end of the connection ends the body (RFC 9112, section 6.3) */
  #bodyLength({ status, headers }: Head, presence: BodyPresence, rest: Buffer, hasEnded: boolean): number {
    if (status < 200 || status === 204 || status === 304 || presence === 'never') return 0;
    if (presence === 'unknown' && isWithoutBody(rest, hasEnded)) return 0;
    const length = headers['content-length'];
    if (headers['transfer-encoding'] !== undefined) return EMPTY_CHUNKED_BODY.length;
    if (length !== undefined) return Number(length);
    return hasEnded ? rest.length : Number.POSITIVE_INFINITY;
  }
}

type Head = Pick<SplitReply, 'status' | 'headers'>;

/** What follows a head is another reply, or the end. No body of the game begins as a reply does. */
function isWithoutBody(rest: Buffer, hasEnded: boolean): boolean {
  return rest.length === 0 ? hasEnded : rest.toString('latin1', 0, BEGINNING.length) === BEGINNING;
}

function parseHead(text: string): Head {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw new NotHttp(`not a status line: ${shown(Buffer.from(statusLine, 'latin1'))}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name === undefined) throw new NotHttp(`not a header field: ${shown(Buffer.from(line, 'latin1'))}`);
    const key = name.toLowerCase();
    if (key in headers) throw new NotHttp(`a reply with two fields ${key}`);
    headers[key] = value;
  }
  const length = headers['content-length'];
  if (length !== undefined && !/^\d{1,12}$/.test(length)) throw new NotHttp(`a Content-Length of ${length}`);
  return { status, headers };
}

const SHOWN_BYTES = 200;

function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES));
}
