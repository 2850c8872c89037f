// Rate limits by token buckets, one for each client. A bucket that is full again is forgotten, so that only clients of the
// last moments take memory.
export interface TokenBucketOptions {
  /** Tokens of a full bucket: how much a client may do at once. */
  readonly capacity: number;
  /** Time in which one token comes back. */
  readonly refillMs: number;
  /** Clients that are remembered; beyond, those that were seen longest ago are forgotten. */
  readonly clientsMax: number;
  readonly nowMs: () => number;
}

export class TokenBuckets {
  /** When the bucket of a client is full again, the client that took longest ago first. */
  readonly #fullAtMs = new Map<string, number>();

  constructor(private readonly options: TokenBucketOptions) {}

  /** Clients that are remembered. */
  get size(): number {
    return this.#fullAtMs.size;
  }

  /** Takes a token. @returns 0, or if there is none the milliseconds until there is one */
  take(client: string): number {
    const { capacity, refillMs, nowMs } = this.options;
    const now = nowMs();
    const fullAtMs = Math.max(now, this.#fullAtMs.get(client) ?? now) + refillMs;
    const waitMs = fullAtMs - now - capacity * refillMs;
    if (waitMs > 0) return Math.ceil(waitMs);
    this.#fullAtMs.delete(client);
    this.#fullAtMs.set(client, fullAtMs);
    this.#forget(now);
    return 0;
  }

  #forget(now: number): void {
    for (const [client, fullAtMs] of this.#fullAtMs) {
      if (fullAtMs > now && this.#fullAtMs.size <= this.options.clientsMax) return;
      this.#fullAtMs.delete(client);
    }
  }
}
