// Reads the replies of one connection that has one request in flight at a time: no more of HTTP/1.1 than the servers of
// this bench use, which all tell the length of a body. Anything else ends the bench rather than being measured wrongly.
import { REPLY_HEAD_BYTES_MAX } from '../limits.js';

export interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

const NOTHING = Buffer.alloc(0);
export const HEAD_END = Buffer.from('\r\n\r\n');
/** Where the status stands in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9;
const STATUS_LENGTH = 3;
const WITHOUT_BODY = new Set([204, 304]);

export class ReplyReader {
  #read: Buffer = NOTHING;

  /**
   * Takes the next bytes of the connection.
   *
   * @param piece only valid during the call, and so is the body of a reply that came in one piece
   * @returns the reply when it is complete
   * @throws Error where the bytes are no reply of a kind that is known here, or more than one
   */
  take(piece: Buffer): Reply | undefined {
    const bytes = this.#read.length === 0 ? piece : Buffer.concat([this.#read, piece]);
    const reply = replyIn(bytes);
    if (reply !== undefined) this.#read = NOTHING;
    else this.#read = bytes === piece ? Buffer.from(piece) : bytes;
    return reply;
  }
}

function replyIn(bytes: Buffer): Reply | undefined {
  const headLength = bytes.indexOf(HEAD_END);
  if (headLength < 0) {
    if (bytes.length > REPLY_HEAD_BYTES_MAX) throw new Error('the head of a reply is too long');
    return undefined;
  }
  const head = bytes.toString('latin1', 0, headLength);
  const status = statusOf(head);
  const bodyStart = headLength + HEAD_END.length;
  const end = bodyStart + bodyLength(status, head);
  if (bytes.length < end) return undefined;
  if (bytes.length > end) throw new Error('a reply is longer than it says');
  return { status, body: bytes.subarray(bodyStart, end) };
}

export function statusOf(head: string): number {
  return Number(head.slice(STATUS_AT, STATUS_AT + STATUS_LENGTH));
}

/** @throws Error where the head of a reply does not tell the length of its body */
export function bodyLength(status: number, head: string): number {
  if (WITHOUT_BODY.has(status)) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`a reply with status ${status} does not tell its length`);
  return Number(length);
}
