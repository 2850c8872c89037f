// WebSocket frames as a load needs them (RFC 6455): whole text messages to the server, and unmasked whole messages from it. Any
// other frame ends the bench.
import { BenchFailed } from '../bench-failed.js';

export const TEXT = 1;
export const CLOSE = 8;
export const PING = 9;
const PONG = 10;

const FINAL = 0x80;
const MASKED = 0x80;
const OPCODE_BITS = 0x0f;
/** A length of this value says that two bytes with the length follow. */
const TWO_BYTES = 126;
const TWO_BYTES_MAX = 0xffff;
const MASK_BYTES = 4;

/** Called with the opcode of a frame and the range of its payload. The bytes are valid only during the call. */
export type OnFrame = (opcode: number, bytes: Buffer, start: number, end: number) => void;

/** A text message as a client sends it. Its mask is zero, which is valid and leaves the text as it is. */
export function textFrame(text: string): Buffer {
  return clientFrame(TEXT, Buffer.from(text));
}

/** The answer to a ping. @param payload of the ping */
export function pongFrame(payload: Buffer): Buffer {
  return clientFrame(PONG, payload);
}

function clientFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length > TWO_BYTES_MAX) throw new Error('a frame of the bench is too long');
  const first = FINAL | opcode;
  const head = length < TWO_BYTES ? [first, MASKED | length] : [first, MASKED | TWO_BYTES, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(MASK_BYTES), payload]);
}

/** Finds the frames in what one connection receives. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  /** The beginning of a frame whose end has not arrived. */
  #rest: Buffer = Buffer.alloc(0);

  /** @param takesFragments whether messages may come in several frames, each of which is handed over */
  constructor(
    onFrame: OnFrame,
    private readonly takesFragments = false,
  ) {
    this.#onFrame = onFrame;
  }

  /**
   * Takes the next bytes of the connection.
   *
   * @param piece valid only during the call
   * @throws BenchFailed if they are no whole, unmasked message
   */
  take(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (bytes.length - at >= 2) {
      const first = bytes[at] as number;
      const short = bytes[at + 1] as number;
      if (((first & FINAL) === 0 && !this.takesFragments) || (short & MASKED) !== 0)
        throw new BenchFailed('the server sent no whole, unmasked message');
      const isLong = short >= TWO_BYTES;
      const lengthBytes = !isLong ? 0 : short === TWO_BYTES ? 2 : 8;
      const start = at + 2 + lengthBytes;
      if (start > bytes.length) break;
      const end =
        start + (isLong ? bytes.readUIntBE(start - Math.min(lengthBytes, 6), Math.min(lengthBytes, 6)) : short);
      if (end > bytes.length) break;
      this.#onFrame(first & OPCODE_BITS, bytes, start, end);
      at = end;
    }
    this.#rest = at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
  }
}
