// Counts the replies on one connection, pipelined ones included, and keeps none of them: a hostile client must cost the
// machine as little as possible, since it shares the processor with the server that is measured.
import { bodyLength, HEAD_END, statusOf } from '../end-to-end/reply-reader.js';
import { REPLY_HEAD_BYTES_MAX } from '../limits.js';

const NOTHING = Buffer.alloc(0);

export class ReplyCounter {
  /** The beginning of a head whose end has not arrived. */
  #head: Buffer = NOTHING;
  /** Of the reply that is being received. */
  #status = 0;
  #bytesLeft = 0;

  /**
   * Takes the next bytes of the connection.
   *
   * @param piece only valid during the call
   * @param onReply called with the status of each reply whose last byte is in the piece, in order
   * @throws Error if the bytes are not a reply that states its length
   */
  take(piece: Buffer, onReply: (status: number) => void): void {
    let bytes = this.#head.length === 0 ? piece : Buffer.concat([this.#head, piece]);
    this.#head = NOTHING;
    while (bytes.length > 0) {
      if (this.#bytesLeft === 0 && !this.#startReply(bytes)) return;
      const taken = Math.min(bytes.length, this.#bytesLeft);
      bytes = bytes.subarray(taken);
      this.#bytesLeft -= taken;
      if (this.#bytesLeft === 0) onReply(this.#status);
    }
  }

  /** Reads a head. @returns false if it is incomplete; then its bytes are kept */
  #startReply(bytes: Buffer): boolean {
    const headLength = bytes.indexOf(HEAD_END);
    if (headLength < 0) {
      if (bytes.length > REPLY_HEAD_BYTES_MAX) throw new Error('the head of a reply is too long');
      this.#head = Buffer.from(bytes);
      return false;
    }
    const head = bytes.toString('latin1', 0, headLength);
    this.#status = statusOf(head);
    this.#bytesLeft = headLength + HEAD_END.length + bodyLength(this.#status, head);
    return true;
  }
}
