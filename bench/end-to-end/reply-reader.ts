// Reads the replies of one connection that has one request in flight at a time: no more of HTTP/1.1 than the servers of
// this bench use, which all tell the length of a body. Anything else ends the bench rather than being measured wrongly.
import { REPLY_HEAD_BYTES_MAX } from '../limits.js';

export interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** Where the status stands in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9;
const STATUS_LENGTH = 3;
const WITHOUT_BODY = new Set([204, 304]);

export class ReplyReader {
  #read: Buffer = Buffer.alloc(0);

  /**
   * Takes the next bytes of the connection.
   *
   * @returns the reply when it is complete
   * @throws Error where the bytes are no reply of a kind that is known here, or more than one
   */
  take(piece: Buffer): Reply | undefined {
    this.#read = this.#read.length === 0 ? piece : Buffer.concat([this.#read, piece]);
    const headLength = this.#read.indexOf(HEAD_END);
    if (headLength < 0) {
      if (this.#read.length > REPLY_HEAD_BYTES_MAX) throw new Error('the head of a reply is too long');
      return undefined;
    }
    const status = Number(this.#read.toString('latin1', STATUS_AT, STATUS_AT + STATUS_LENGTH));
    const bodyStart = headLength + HEAD_END.length;
    const end = bodyStart + bodyLength(status, this.#read.toString('latin1', 0, headLength));
    if (this.#read.length < end) return undefined;
    if (this.#read.length > end) throw new Error('a reply is longer than it says');
    const body = this.#read.subarray(bodyStart, end);
    this.#read = Buffer.alloc(0);
    return { status, body };
  }
}

function bodyLength(status: number, head: string): number {
  if (WITHOUT_BODY.has(status)) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`a reply with status ${status} does not tell its length`);
  return Number(length);
}
