// Replies by URL, with the entity tag to ask whether they still hold. Bounded; what was used longest ago goes first.
import { CACHED_REPLIES_MAX } from './limits.js';

export interface CachedReply {
  readonly entityTag: string;
  readonly contentType: string;
  readonly text: string;
  /** World time at which the server computed it. */
  readonly asOf: string;
}

export class ReplyCache {
  readonly #replies = new Map<string, CachedReply>();
  readonly #charactersMax: number;
  #characters = 0;

  /** @param charactersMax of all texts together; 0 for no cache */
  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  /** The reply kept for a URL, which becomes the one used last. */
  get(url: string): CachedReply | undefined {
    const reply = this.#replies.get(url);
    if (reply !== undefined) {
      this.#replies.delete(url);
      this.#replies.set(url, reply);
    }
    return reply;
  }

  set(url: string, reply: CachedReply): void {
    this.delete(url);
    if (reply.text.length > this.#charactersMax) return;
    this.#replies.set(url, reply);
    this.#characters += reply.text.length;
    for (const oldest of this.#replies.keys()) {
      if (this.#characters <= this.#charactersMax && this.#replies.size <= CACHED_REPLIES_MAX) return;
      this.delete(oldest);
    }
  }

  delete(url: string): void {
    this.#characters -= this.#replies.get(url)?.text.length ?? 0;
    this.#replies.delete(url);
  }
}
