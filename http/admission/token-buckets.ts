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

/** The bucket of a client after take(). */
export interface Standing {
  /** 0 if the tokens were taken, else the milliseconds until they can be. */
  readonly waitMs: number;
  /** Whole tokens that are left. */
  readonly left: number;
  /** Milliseconds until the bucket is full. */
  readonly fullInMs: number;
}

/** Differences below this are rounding errors of the clock's arithmetic. */
const ROUNDING_MS = 1e-6;

export class TokenBuckets<Client extends string | number> {
  /** When the bucket of each client is full again; the client that took a token longest ago comes first. */
  readonly #fullAtMs = new Map<Client, number>();
  /** Returned by every take(), so that a request costs no garbage. */
  readonly #standing = { waitMs: 0, left: 0, fullInMs: 0 };

  constructor(private readonly options: TokenBucketOptions) {}

  /** Number of clients remembered. */
  get size(): number {
    return this.#fullAtMs.size;
  }

  /**
   * Takes tokens, if there are enough. More than a bucket holds are taken from a full one, which then takes longer to
   * fill: the average rate holds for every client.
   *
   * @param cost 0 only looks
   * @param paid what the same client has just taken for the same purpose, and would have to take again after a refusal
   * @returns an object that is valid until the next call
   */
  take(client: Client, cost = 1, paid = 0): Standing {
    const { capacity, refillMs, nowMs } = this.options;
    const now = nowMs();
    const emptyMs = Math.max(0, (this.#fullAtMs.get(client) ?? now) - now);
    const neededTokens = Math.min(paid + cost, capacity);
    const waitMs = emptyMs + (neededTokens - paid - capacity) * refillMs;
    if (cost > 0 && waitMs > ROUNDING_MS) return this.#show(Math.ceil(waitMs + paid * refillMs), emptyMs);
    if (cost > 0) this.#set(client, now + emptyMs + cost * refillMs, now);
    return this.#show(0, emptyMs + cost * refillMs);
  }

  #set(client: Client, fullAtMs: number, now: number): void {
    this.#fullAtMs.delete(client);
    this.#fullAtMs.set(client, fullAtMs);
    this.#forget(now);
  }

  #show(waitMs: number, fullInMs: number): Standing {
    const { capacity, refillMs } = this.options;
    this.#standing.waitMs = waitMs;
    this.#standing.left = Math.max(0, Math.floor(capacity - fullInMs / refillMs + ROUNDING_MS));
    this.#standing.fullInMs = fullInMs;
    return this.#standing;
  }

  #forget(now: number): void {
    for (const [client, fullAtMs] of this.#fullAtMs) {
      if (fullAtMs > now && this.#fullAtMs.size <= this.options.clientsMax) return;
      this.#fullAtMs.delete(client);
    }
  }
}
