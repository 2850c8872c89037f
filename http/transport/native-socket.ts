// A WebSocket on the native server. The library loses bytes if its cork buffer of 16 KiB overflows into a full socket
// (ADR 23), so each cork holds less than that, and a long frame is sent in fragments (RFC 6455, section 5.4). Its
// publish() reports success for messages that it drops, and is not used.
import { NATIVE_CORK_BYTES_MAX, SOCKET_CLOSE_MS, STREAM_PART_BYTES_MAX } from '../limits.js';
import type { CloseCode, FrameListener, FrameSocket, SocketHost, SocketOpening } from './web-socket.js';

/** The part of the native WebSocket that is used. It must not be used after it is closed. */
export interface NativeWebSocket {
  send(message: string, isBinary: boolean): unknown;
  sendFirstFragment(part: Uint8Array, isBinary: boolean): unknown;
  sendFragment(part: Uint8Array): unknown;
  sendLastFragment(part: Uint8Array): unknown;
  getBufferedAmount(): number;
  cork(writes: () => void): unknown;
  /** Sends a close frame; the library calls its handler at once. */
  end(code: number, reason: string): void;
  close(): void;
}

/** Bytes of UTF-8 of one UTF-16 code unit, at most. */
const BYTES_PER_UNIT_MAX = 3;
const FRAME_HEAD_BYTES_MAX = 10;

export class NativeSocket implements FrameSocket {
  #webSocket: NativeWebSocket | null;
  readonly #listener: FrameListener;
  /** Set once the connection is to be closed as soon as its client has taken what was written. */
  #closing: { readonly code: CloseCode; readonly reason: string; readonly deadline: NodeJS.Timeout } | null = null;
  /** The frames that are being written, and those of the present cork: from `#begin` to before `#end`. */
  #frames: readonly string[] = NO_FRAMES;
  #begin = 0;
  #end = 0;

  constructor(webSocket: NativeWebSocket, host: SocketHost, opening: SocketOpening) {
    this.#webSocket = webSocket;
    this.#listener = host.open(this, opening);
  }

  get unsentBytes(): number {
    return this.#webSocket === null ? 0 : this.#webSocket.getBufferedAmount();
  }

  send(frames: readonly string[]): boolean {
    const webSocket = this.#webSocket;
    if (webSocket === null || this.#closing !== null) return false;
    this.#frames = frames;
    for (this.#begin = 0; this.#begin < frames.length; this.#begin = this.#end) {
      const bytes = boundOf(frames[this.#begin] as string);
      this.#end = this.#begin + 1;
      if (bytes > NATIVE_CORK_BYTES_MAX) sendInFragments(webSocket, Buffer.from(frames[this.#begin] as string));
      else {
        this.#fillCork(NATIVE_CORK_BYTES_MAX - bytes);
        webSocket.cork(this.#writeCork);
      }
    }
    this.#frames = NO_FRAMES;
    return webSocket.getBufferedAmount() === 0;
  }

  close(code: CloseCode, reason: string): void {
    if (this.#webSocket === null || this.#closing !== null) return;
    const deadline = setTimeout(() => this.destroy(), SOCKET_CLOSE_MS);
    deadline.unref();
    this.#closing = { code, reason, deadline };
    if (this.unsentBytes === 0) this.#endNow();
  }

  destroy(): void {
    this.#webSocket?.close();
  }

  /** A message has come; its bytes are valid only during the call. The library has checked that a text is UTF-8. */
  received(message: ArrayBuffer, isBinary: boolean): void {
    if (this.#closing === null) this.#listener.received(isBinary ? null : UTF8.decode(message));
  }

  drained(): void {
    if (this.unsentBytes > 0) return;
    if (this.#closing === null) this.#listener.drained();
    // Not within the callback of the library.
    else setImmediate(() => this.#endNow());
  }

  closed(): void {
    if (this.#webSocket === null) return;
    this.#webSocket = null;
    if (this.#closing !== null) clearTimeout(this.#closing.deadline);
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
    const webSocket = this.#webSocket as NativeWebSocket;
    for (let index = this.#begin; index < this.#end; index += 1) webSocket.send(this.#frames[index] as string, false);
  };

  /** The library calls its handler at once, and so closed(). */
  #endNow(): void {
    if (this.#closing !== null) this.#webSocket?.end(this.#closing.code, this.#closing.reason);
  }
}

const NO_FRAMES: readonly string[] = [];

/** Bytes that a frame takes at most. */
function boundOf(frame: string): number {
  return frame.length * BYTES_PER_UNIT_MAX + FRAME_HEAD_BYTES_MAX;
}

/** Each fragment is written by itself, so that it fits into the cork buffer. */
function sendInFragments(webSocket: NativeWebSocket, bytes: Buffer): void {
  const lastStart = bytes.length - STREAM_PART_BYTES_MAX;
  webSocket.sendFirstFragment(bytes.subarray(0, STREAM_PART_BYTES_MAX), false);
  let start = STREAM_PART_BYTES_MAX;
  for (; start < lastStart; start += STREAM_PART_BYTES_MAX) {
    webSocket.sendFragment(bytes.subarray(start, start + STREAM_PART_BYTES_MAX));
  }
  webSocket.sendLastFragment(bytes.subarray(start));
}

/** Faster than Buffer for texts of the length of a call (ADR 45). A byte order mark is kept, and is not JSON. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
