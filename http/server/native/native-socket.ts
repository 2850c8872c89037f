// A WebSocket on the native server. The library loses bytes if its cork buffer of 16 KiB overflows into a full socket
// (decision 13), so each cork holds less than that, and a long frame is sent in fragments (RFC 6455, section 5.4). Nothing is given to it while
// it has unsent bytes: beyond its limit it drops frames and fragments without a word. Its publish() does so too, and is not used.
import { NATIVE_CORK_BYTES_MAX, STREAM_PART_BYTES_MAX } from '../../limits.js';
import { PacedSocket } from '../node/paced-socket.js';
import { CLOSE_CODES, type CloseCode, type FrameListener, type SocketHost, type SocketOpening } from '../web-socket.js';

/** The part of the native WebSocket that is used. It must not be used after it is closed. */
export interface NativeWebSocket {
  send(message: string, isBinary: boolean): unknown;
  sendFirstFragment(part: Uint8Array, isBinary: boolean): unknown;
  sendFragment(part: Uint8Array): unknown;
  sendLastFragment(part: Uint8Array): unknown;
  getBufferedAmount(): number;
  cork(writes: () => void): unknown;
  /** Sends a close frame; the library calls its handler at once, and reads nothing more. */
  end(code: number, reason: string): void;
  close(): void;
}

/** Bytes of UTF-8 of one UTF-16 code unit, at most. */
const BYTES_PER_UNIT_MAX = 3;
const FRAME_HEAD_BYTES_MAX = 10;

export class NativeSocket extends PacedSocket {
  readonly #webSocket: NativeWebSocket;
  readonly #listener: FrameListener;
  /** The long frame that is being sent, and how many of its bytes are. */
  #long: Buffer | null = null;
  #longSentBytes = 0;
  /** The frames of the present cork: from `#begin` to before `#end`. */
  #frames: readonly string[] = NO_FRAMES;
  #begin = 0;
  #end = 0;

  constructor(webSocket: NativeWebSocket, host: SocketHost, opening: SocketOpening) {
    super();
    this.#webSocket = webSocket;
    this.#listener = host.open(this, opening);
  }

  destroy(): void {
    if (!this.isClosed) this.#webSocket.close();
  }

  /** A message has come; its bytes are valid only during the call. The library has checked that a text is UTF-8. */
  received(message: ArrayBuffer, isBinary: boolean): void {
    if (!this.isOver) this.#obey(this.#listener.received(isBinary ? null : UTF8.decode(message)));
  }

  /** A ping or a pong has come. The library has answered a ping already, or dropped the answer if too much is unread. */
  controlled(kind: 'ping' | 'pong'): void {
    const isUnread = this.isBlocked;
    this.#obey(this.#listener.controlled(kind));
    if (!isUnread || this.isClosed) return;
    this.blocked();
    if (!this.isOver) this.#listener.lagged();
  }

  /**
   * Closes the connection at once if its client has sent too much: nothing else keeps the library from the rest of what it has read.
   *
   * @param lastFrame null if the connection stays open
   */
  #obey(lastFrame: string | null): void {
    if (lastFrame === null) return;
    if (this.isBlocked) {
      this.destroy();
      return;
    }
    this.#webSocket.send(lastFrame, false);
    this.#webSocket.end(CLOSE_CODES.policyViolation, 'rate_limited');
  }

  drained(): void {
    if (!this.isBlocked) this.unblocked();
  }

  closed(): void {
    this.#long = null;
    this.ended();
  }

  protected override get heldBytes(): number {
    const rest = this.#long === null ? 0 : this.#long.length - this.#longSentBytes;
    return this.#webSocket.getBufferedAmount() + rest;
  }

  protected override get isBlocked(): boolean {
    return this.#webSocket.getBufferedAmount() > 0;
  }

  protected override get hasRest(): boolean {
    return this.#long !== null;
  }

  protected override writeSome(frames: readonly string[], next: number): number {
    const bytes = boundOf(frames[next] as string);
    if (bytes > NATIVE_CORK_BYTES_MAX) {
      this.#long = Buffer.from(frames[next] as string);
      this.#longSentBytes = 0;
      this.writeRest();
      return next + 1;
    }
    this.#frames = frames;
    this.#begin = next;
    this.#end = next + 1;
    this.#fillCork(NATIVE_CORK_BYTES_MAX - bytes);
    this.#webSocket.cork(this.#writeCork);
    this.#frames = NO_FRAMES;
    return this.#end;
  }

  /** Writes one fragment, which fits into the cork buffer. */
  protected override writeRest(): void {
    const bytes = this.#long;
    if (bytes === null) return;
    const start = this.#longSentBytes;
    const end = Math.min(start + STREAM_PART_BYTES_MAX, bytes.length);
    const part = bytes.subarray(start, end);
    this.#longSentBytes = end;
    if (start === 0) this.#webSocket.sendFirstFragment(part, false);
    else if (end < bytes.length) this.#webSocket.sendFragment(part);
    else {
      this.#long = null;
      this.#webSocket.sendLastFragment(part);
    }
  }

  /** The library calls its handler at once, and so closed(). */
  protected override sendClose(code: CloseCode, reason: string): void {
    this.#webSocket.end(code, reason);
  }

  protected override tellDrained(): void {
    this.#listener.drained();
  }

  protected override tellClosed(): void {
    this.#listener.closed();
  }

  /** Adds to the present cork the frames that fit into it. */
  #fillCork(roomBytes: number): void {
    let room = roomBytes;
    while (this.#end < this.#frames.length) {
      room -= boundOf(this.#frames[this.#end] as string);
      if (room < 0) return;
      this.#end += 1;
    }
  }

  /** A field, so that not every cork needs a closure. */
  readonly #writeCork = (): void => {
    for (let index = this.#begin; index < this.#end; index += 1) {
      this.#webSocket.send(this.#frames[index] as string, false);
    }
  };
}

const NO_FRAMES: readonly string[] = [];

/** Bytes that a frame takes at most. */
function boundOf(frame: string): number {
  return frame.length * BYTES_PER_UNIT_MAX + FRAME_HEAD_BYTES_MAX;
}

/** Faster than Buffer for texts of the length of a call (decision 20). A byte order mark is kept, and is not JSON. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
