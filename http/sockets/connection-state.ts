// What a WebSocket connection keeps: the keys that its client has sent, the frames that are not handled yet, whether the client lags, and
// the count of its control frames.

import type { Owner, SharedBudget } from '../admission/owners.js';
import {
  KEYS_PER_SOCKET_MAX,
  READER_STALL_MS,
  SOCKET_BACKLOG_MAX,
  SOCKET_CONTROL_FRAMES_MAX,
  SOCKET_CONTROL_MS,
  SOCKET_UNSENT_BYTES_MAX,
} from '../limits.js';
import { UNSENT_REPLIES } from '../server/body-budget.js';

export class KeyRing {
  /** Hashes of keys by the numbers of their players. */
  readonly #hashes = new Map<number, string>();
  #latest = '';

  /** Hash of the last key; '' if there is none. */
  get latest(): string {
    return this.#latest;
  }

  /** Hash of the key of a player; undefined if the client has not sent it. */
  of(playerNumber: number): string | undefined {
    return this.#hashes.get(playerNumber);
  }

  /**
   * Adds the key of a player, in place of an earlier one.
   *
   * @param playerNumber 0 for a key that does not belong to a player
   * @returns false if there are KEYS_PER_SOCKET_MAX keys already
   */
  add(playerNumber: number, hash: string): boolean {
    if (!this.#hashes.has(playerNumber) && this.#hashes.size >= KEYS_PER_SOCKET_MAX) return false;
    this.#hashes.set(playerNumber, hash);
    this.#latest = hash;
    return true;
  }
}

export class WaitingFrames {
  #texts: string[] = [];
  /** Index of the next frame. */
  #next = 0;
  #length = 0;

  /**
   * @param connection of whose client they are
   * @param budget characters of the waiting frames of all connections
   * @param takes takes characters of the budget, or makes room for them first. @returns false if it cannot
   */
  constructor(
    private readonly connection: { readonly owner: Owner },
    private readonly budget: SharedBudget,
    private readonly takes: (length: number) => boolean,
  ) {}

  /** Characters of all of them. */
  get length(): number {
    return this.#length;
  }

  get count(): number {
    return this.#texts.length - this.#next;
  }

  /** @returns false if there is no room; the frame is not added then */
  add(text: string): boolean {
    if (this.count >= SOCKET_BACKLOG_MAX || !this.takes(text.length)) return false;
    this.#texts.push(text);
    this.#length += text.length;
    return true;
  }

  /** Removes the oldest frame; there must be one. */
  take(): string {
    const text = this.#texts[this.#next] as string;
    this.#next += 1;
    if (this.#next === this.#texts.length) {
      this.#texts = [];
      this.#next = 0;
    }
    this.#length -= text.length;
    this.budget.give(this.connection.owner, text.length);
    return text;
  }

  clear(): void {
    while (this.count > 0) this.take();
  }
}

export class ClientLag {
  /** When the client began to lag, by performance.now(); NaN while it does not. */
  #sinceMs = Number.NaN;
  #countedBytes = 0;

  /**
   * @param connection of whose client it is
   * @param takes takes bytes of the budget, or makes room for them first. @returns false if it cannot
   */
  constructor(
    private readonly connection: { readonly owner: Owner },
    private readonly takes: (bytes: number) => boolean,
  ) {}

  /** Bytes taken from the budget. */
  get countedBytes(): number {
    return this.#countedBytes;
  }

  get isLagging(): boolean {
    return !Number.isNaN(this.#sinceMs);
  }

  /** Whether it has lagged for READER_STALL_MS. */
  get isStalled(): boolean {
    return performance.now() - this.#sinceMs >= READER_STALL_MS;
  }

  /**
   * The client has not read all of what was just written.
   *
   * @param unsentBytes all bytes that it has not read
   * @returns false if they are too many: the client must be cut off
   */
  grow(unsentBytes: number): boolean {
    // A client that had read everything before may get a reply of any length.
    if (this.isLagging && unsentBytes > SOCKET_UNSENT_BYTES_MAX) return false;
    if (!this.isLagging) this.#sinceMs = performance.now();
    return this.#count(unsentBytes);
  }

  /** The client has read everything, or is gone. */
  end(): void {
    this.#sinceMs = Number.NaN;
    this.#count(0);
  }

  #count(bytes: number): boolean {
    UNSENT_REPLIES.give(this.connection.owner, this.#countedBytes);
    this.#countedBytes = 0;
    if (!this.takes(bytes)) return false;
    this.#countedBytes = bytes;
    return true;
  }
}

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
