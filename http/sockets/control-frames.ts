// Counts the pings and pongs of one connection. They are answered by the transports, before any queue, so their number is limited for each
// connection, whether or not requests are. A client needs hardly any.
import { SOCKET_CONTROL_FRAMES_MAX, SOCKET_CONTROL_MS } from '../limits.js';

export class ControlFrames {
  #countedFromMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** Counts one. @param nowMs by performance.now() @returns false if there are too many */
  admits(nowMs: number): boolean {
    if (nowMs - this.#countedFromMs >= SOCKET_CONTROL_MS) {
      this.#countedFromMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= SOCKET_CONTROL_FRAMES_MAX;
  }
}
