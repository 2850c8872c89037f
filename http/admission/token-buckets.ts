// Rate limits by token buckets, one per client. A full bucket is forgotten, so that only recent clients use memory.
export interface TokenBucketOptions {
  /** Tokens of a full bucket: the maximum burst. */
  readonly capacity: number;
  /** Time in which one token is refilled. */
  readonly refillMs: number;
  /** Maximum number of clients remembered; each further one displaces one that came long ago. */
  readonly clientsMax: number;
  readonly nowMs: () => number;
}

/** The bucket of a client after take(). */
export interface BucketLevel {
  /** 0 if the tokens were taken, else the milliseconds until they can be. */
  readonly waitMs: number;
  /** True if the client was refused before and did not wait as long as it was told. */
  readonly isEarly: boolean;
  /** Whole tokens that are left. */
  readonly left: number;
  /** Milliseconds until the bucket is full. */
  readonly fullInMs: number;
}

interface Bucket {
  /** When it is full again. */
  fullAtMs: number;
  /** Until when the client was told to wait. */
  retryAtMs: number;
}

/** Buckets that are examined for each new client, so that full ones are forgotten faster than new ones come. */
const EXAMINED_PER_CLIENT = 2;

/** Differences below this are rounding errors of the clock's arithmetic. */
const ROUNDING_MS = 1e-6;

export class TokenBuckets<Client extends string | number> {
  /** In the order in which they are examined. Taking tokens changes nothing but a number. */
  readonly #buckets = new Map<Client, Bucket>();
  /** Returned by every take(), so that a request costs no garbage. */
  readonly #standing = { waitMs: 0, isEarly: false, left: 0, fullInMs: 0 };

  constructor(private readonly options: TokenBucketOptions) {}

  /** Number of clients remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes tokens, if there are enough. More than a bucket holds are taken from a full one, which then takes longer to
   * fill: the average rate holds for every client.
   *
   * @param cost 0 only looks
   * @param paid what the same client has just taken for the same purpose, and would have to take again after a refusal
   * @param now by the clock of the buckets, at present by default
   * @returns an object that is valid until the next call
   */
  take(client: Client, cost = 1, paid = 0, now: number = this.options.nowMs()): BucketLevel {
    const { capacity, refillMs } = this.options;
    const bucket = this.#buckets.get(client);
    const emptyMs = bucket === undefined ? 0 : Math.max(0, bucket.fullAtMs - now);
    const neededTokens = Math.min(paid + cost, capacity);
    const waitMs = emptyMs + (neededTokens - paid - capacity) * refillMs;
    this.#standing.isEarly = false;
    if (cost > 0 && waitMs > ROUNDING_MS)
      return this.#refuse(bucket, Math.ceil(waitMs + paid * refillMs), emptyMs, now);
    const fullInMs = emptyMs + cost * refillMs;
    if (bucket !== undefined) bucket.fullAtMs = now + fullInMs;
    else if (cost > 0) this.#add(client, { fullAtMs: now + fullInMs, retryAtMs: 0 }, now);
    return this.#show(0, fullInMs);
  }

  #refuse(bucket: Bucket | undefined, waitMs: number, fullInMs: number, now: number): BucketLevel {
    if (bucket !== undefined) {
      this.#standing.isEarly = now < bucket.retryAtMs;
      bucket.retryAtMs = now + waitMs;
    }
    return this.#show(waitMs, fullInMs);
  }

  #show(waitMs: number, fullInMs: number): BucketLevel {
    const { capacity, refillMs } = this.options;
    this.#standing.waitMs = waitMs;
    this.#standing.left = Math.max(0, Math.floor(capacity - fullInMs / refillMs + ROUNDING_MS));
    this.#standing.fullInMs = fullInMs;
    return this.#standing;
  }

  /** Examines the next buckets: a full one is forgotten, another one is examined again after all others. */
  #add(newClient: Client, newBucket: Bucket, now: number): void {
    const buckets = this.#buckets;
    buckets.set(newClient, newBucket);
    let examined = 0;
    for (const [client, bucket] of buckets) {
      if (examined === EXAMINED_PER_CLIENT) return;
      examined += 1;
      buckets.delete(client);
      if (bucket.fullAtMs > now && buckets.size < this.options.clientsMax) buckets.set(client, bucket);
    }
  }
}
