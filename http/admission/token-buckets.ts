// Rate limits by token buckets, one per client. A full bucket is forgotten, so that only recent clients use memory.
export interface TokenBucketOptions {
  /** Tokens of a full bucket: the maximum burst. */
  readonly capacity: number;
  /** Time in which one token is refilled. */
  readonly refillMs: number;
  /** Maximum number of clients remembered; beyond it, the least recently seen are forgotten. */
  readonly clientsMax: number;
  readonly nowMs: () => number;
}

export class TokenBuckets {
  /** When the bucket of each client is full again; the client that took a token longest ago comes first. */
  readonly #fullAtMs = new Map<string, number>();

  constructor(private readonly options: TokenBucketOptions) {}

  /** Number of clients remembered. */
  get size(): number {
    return this.#fullAtMs.size;
  }

  /** Takes a token. @returns 0, or the milliseconds until there is one */
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
