// The part of a WebSocket that both servers share: it writes frames only as far as the kernel takes them, and keeps the others. So the
// buffer of a library never holds more than one portion, and what a client has not read is known to the byte.
import { SOCKET_CLOSE_MS } from '../../limits.js';
import type { CloseCode, FrameSocket } from '../web-socket.js';

export abstract class PacedSocket implements FrameSocket {
  /** Frames; those before `next` are written. */
  #frames: string[] = [];
  #next = 0;
  /** Characters of the frames that are not written. */
  #waitingLength = 0;
  #isFull = false;
  #isContinuing = false;
  /** Set once the connection is to be closed as soon as its client has taken what was written. */
  #closing: { readonly code: CloseCode; readonly reason: string; readonly deadline: NodeJS.Timeout } | null = null;
  #isClosed = false;

  /** Bytes that the library, or a part of a frame, holds because the kernel has not taken them. */
  protected abstract readonly heldBytes: number;

  /**
   * Writes some of the frames.
   *
   * @param next index of the first one
   * @returns index of the first one that is still to be written
   */
  protected abstract writeSome(frames: readonly string[], next: number): number;
  /** Writes the rest of a frame that was written in part. */
  protected abstract writeRest(): void;
  /** True while there is such a rest. */
  protected abstract readonly hasRest: boolean;
  /** True if the kernel takes no more. The library then reports when it does. */
  protected abstract readonly isBlocked: boolean;
  protected abstract sendClose(code: CloseCode, reason: string): void;
  /** Tells the listener that all is written. */
  protected abstract tellDrained(): void;
  protected abstract tellClosed(): void;
  abstract destroy(): void;

  get unsentBytes(): number {
    return this.#isClosed ? 0 : this.heldBytes + this.#waitingLength;
  }

  /** True once nothing more is read or written. */
  protected get isOver(): boolean {
    return this.#isClosed || this.#closing !== null;
  }

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  send(frames: string[]): boolean {
    if (this.isOver) return false;
    if (this.#isFull) {
      for (const frame of frames) this.#append(frame);
      return false;
    }
    this.#frames = frames;
    this.#next = 0;
    return this.#write();
  }

  close(code: CloseCode, reason: string): void {
    if (this.isOver) return;
    const deadline = setTimeout(() => this.destroy(), SOCKET_CLOSE_MS);
    deadline.unref();
    this.#closing = { code, reason, deadline };
    if (!this.#isFull) this.sendClose(code, reason);
  }

  /** The library has written something by itself that the client has not read. */
  protected blocked(): void {
    this.#isFull = true;
  }

  /** The kernel takes bytes again. Called in callbacks of the library, in which nothing is written (decision 13). */
  protected unblocked(): void {
    if (!this.#isFull || this.#isContinuing) return;
    this.#isContinuing = true;
    setImmediate(this.#continue);
  }

  protected ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#frames = [];
    this.#next = 0;
    if (this.#closing !== null) clearTimeout(this.#closing.deadline);
    this.tellClosed();
  }

  readonly #continue = (): void => {
    this.#isContinuing = false;
    if (this.#isClosed || this.isBlocked) return;
    this.#isFull = false;
    if (!this.#write()) return;
    if (this.#closing === null) this.tellDrained();
    else this.sendClose(this.#closing.code, this.#closing.reason);
  };

  #append(frame: string): void {
    this.#frames.push(frame);
    this.#waitingLength += frame.length;
  }

  /** @returns false if the kernel does not take everything */
  #write(): boolean {
    const frames = this.#frames;
    while (!this.#isFull && (this.hasRest || this.#next < frames.length)) {
      if (this.hasRest) this.writeRest();
      else this.#next = this.writeSome(frames, this.#next);
      this.#isFull = this.isBlocked;
    }
    this.#waitingLength = 0;
    this.#frames = this.#isFull ? frames.slice(this.#next) : [];
    this.#next = 0;
    for (const frame of this.#frames) this.#waitingLength += frame.length;
    return !this.#isFull;
  }
}
