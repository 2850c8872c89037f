// Rate limits of requests: who pays for a request, and whether it can. A player pays with its key, everybody else with
// an address. The two have buckets of their own, so that no number of addresses makes the server forget a player.
import type { Exchange } from '../exchange/exchange.js';
import { prepareProblem } from '../exchange/problems.js';
import {
  EARLY_REFUSAL_DELAY_MS,
  EARLY_REFUSALS_MAX,
  EARLY_REFUSALS_PER_CLIENT_MAX,
  RATE_LIMITED_CLIENTS_MAX,
  RATE_LIMITED_PLAYERS_MAX,
} from '../limits.js';
import { type Owner, OwnerCounts } from './owners.js';
import { type BucketLevel, TokenBuckets } from './token-buckets.js';

/** A token bucket; an ordinary request takes one token. */
export interface RequestRate {
  /** Tokens that are refilled per second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
}

/** Name of the policy in header fields and problems. */
const POLICY_NAME = 'requests';
const MS_PER_SECOND = 1_000;

export class RequestLimits {
  /** Value of RateLimit-Policy: tokens of a full bucket, and the seconds in which an empty one fills. */
  readonly policy: string;
  /** Refusals that wait. */
  readonly #waiting = new OwnerCounts();
  readonly #players: TokenBuckets<number>;
  readonly #addresses: TokenBuckets<string>;

  constructor(
    readonly rate: RequestRate,
    /** The clock of arrivals: performance.now(). */
    private readonly nowMs: () => number,
  ) {
    const { perSecond, burst } = rate;
    const bucket = { capacity: burst, refillMs: MS_PER_SECOND / perSecond, nowMs };
    this.#players = new TokenBuckets({ ...bucket, clientsMax: RATE_LIMITED_PLAYERS_MAX });
    this.#addresses = new TokenBuckets({ ...bucket, clientsMax: RATE_LIMITED_CLIENTS_MAX });
    this.policy = `"${POLICY_NAME}";q=${burst};w=${windowSecondsOf(rate)}`;
  }

  /** What a client has left. @returns an object that is valid until the next call */
  look(client: Owner): BucketLevel {
    return this.#take(client, 0, 0, this.nowMs());
  }

  /**
   * Takes the cost of a request, and shows in its reply what is left.
   *
   * @param client the number of a player, or an address or network
   * @returns false if there is not enough; the exchange is answered then
   */
  admits(exchange: Exchange, client: Owner, cost: number): boolean {
    const { waitMs, isEarly, left, fullInMs } = this.#take(client, cost, exchange.paid, exchange.arrivedAtMs);
    if (exchange.showsRateLimit) {
      exchange.rateLimitPolicy = this.policy;
      exchange.rateLimit = `"${POLICY_NAME}";r=${left};t=${Math.ceil(fullInMs / MS_PER_SECOND)}`;
    }
    if (waitMs === 0) {
      exchange.paid += cost;
      return true;
    }
    prepareProblem(exchange, 'rate_limited', {
      detail: `This takes ${exchange.paid + cost} of the limit "${POLICY_NAME}" of this ${kindOf(client)}, and ${exchange.paid + left} are left.`,
      limit: { name: POLICY_NAME, maximum: this.rate.burst },
      retryAfterMs: waitMs,
    });
    if (isEarly && this.#mayWait(client)) this.#answerLater(exchange, client);
    else {
      exchange.closesConnection ||= isEarly;
      exchange.durable();
    }
    return false;
  }

  /**
   * A client that ignores refusals waits for the next one. So it cannot keep the server busy with refusing: if too many of its
   * refusals wait, over all its connections, each further one closes its connection. A client that pipelines over HTTP meanwhile loses it, too.
   */
  #answerLater(exchange: Exchange, client: Owner): void {
    this.#waiting.add(client, 1);
    exchange.isHeldBack = true;
    setTimeout(() => {
      this.#waiting.add(client, -1);
      exchange.isHeldBack = false;
      exchange.durable();
    }, EARLY_REFUSAL_DELAY_MS);
  }

  #mayWait(client: Owner): boolean {
    return this.#waiting.total < EARLY_REFUSALS_MAX && this.#waiting.of(client) < EARLY_REFUSALS_PER_CLIENT_MAX;
  }

  #take(client: Owner, cost: number, paid: number, now: number): BucketLevel {
    return typeof client === 'number'
      ? this.#players.take(client, cost, paid, now)
      : this.#addresses.take(client, cost, paid, now);
  }
}

/** Seconds in which an empty bucket is full again. */
export function windowSecondsOf({ perSecond, burst }: RequestRate): number {
  return Math.ceil(burst / perSecond);
}

/** Whose limit it is. */
export function kindOf(client: Owner): 'player' | 'address' {
  return typeof client === 'number' ? 'player' : 'address';
}
