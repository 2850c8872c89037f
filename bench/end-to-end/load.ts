// What every loader gets and returns, closed loop or open, and in what order it sends its requests.
import { cancelOf, type LoadRequest } from '../servers/game-client.js';

/** Requests that a load sends over and over. */
export interface LoadPlan {
  readonly url: string;
  readonly connections: number;
  /** Sent in turn, over and over. */
  readonly requests: readonly LoadRequest[];
  /** Whether each upgrade that a reply shows is cancelled by the next free connection. */
  readonly cancelsWhatItBegins: boolean;
}

/** A closed loop: every connection sends its next request when it has the reply to the one before. */
export interface ClosedLoad extends LoadPlan {
  readonly seconds: number;
}

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

export interface Measurement extends Latencies {
  readonly requestsPerSecond: number;
  /** Replies with another status than 2xx, and broken connections. */
  readonly failures: number;
}

/**
 * What one of several runs sends: everything, from the beginning. If upgrades are cancelled, each run gets a part of its own:
 * upgrades that one run leaves begun would be refused to the next one.
 *
 * @param run from 0
 */
export function portionOf(
  { requests, cancelsWhatItBegins }: Pick<LoadPlan, 'requests' | 'cancelsWhatItBegins'>,
  run: number,
  runs: number,
): readonly LoadRequest[] {
  if (!cancelsWhatItBegins) return requests;
  const size = requests.length / runs;
  return requests.slice(Math.floor(run * size), Math.floor((run + 1) * size));
}

/** Decides what a load sends next. */
export interface RequestSource {
  /** Whether answered() looks at bodies; '' will do otherwise. */
  readonly readsBodies: boolean;
  next(): LoadRequest;
  /** Called for every reply, in the order in which they come. */
  answered(request: LoadRequest, body: string): void;
}

export function requestSource({ requests, cancelsWhatItBegins }: LoadPlan): RequestSource {
  if (requests.length === 0) throw new Error('a load needs at least one request');
  return cancelsWhatItBegins ? new CancellingSource(requests) : new ListSource(requests);
}

class ListSource implements RequestSource {
  readonly readsBodies = false;
  readonly #requests: readonly LoadRequest[];
  #next = 0;

  constructor(requests: readonly LoadRequest[]) {
    this.#requests = requests;
  }

  next(): LoadRequest {
    const request = this.#requests[this.#next % this.#requests.length] as LoadRequest;
    this.#next += 1;
    return request;
  }

  answered(): void {}
}

/** Upgrades, each of which is cancelled once its reply is there. None is sent again before its cancelling was answered. */
class CancellingSource implements RequestSource {
  readonly readsBodies = true;
  /** A ring: what is idle stands between the two counts. */
  readonly #ring: LoadRequest[];
  #taken = 0;
  #returned: number;
  readonly #cancels: LoadRequest[] = [];
  /** By cancelling: the upgrade that it undoes. */
  readonly #upgrades = new Map<LoadRequest, LoadRequest>();

  constructor(requests: readonly LoadRequest[]) {
    this.#ring = [...requests];
    this.#returned = requests.length;
  }

  next(): LoadRequest {
    const cancel = this.#cancels.pop();
    if (cancel !== undefined) return cancel;
    if (this.#taken === this.#returned) throw new Error('the load has fewer upgrades than connections');
    const upgrade = this.#ring[this.#taken % this.#ring.length] as LoadRequest;
    this.#taken += 1;
    return upgrade;
  }

  answered(request: LoadRequest, body: string): void {
    const undone = this.#upgrades.get(request);
    const cancel = undone === undefined ? cancelOf(body, request.headers) : undefined;
    if (cancel === undefined) {
      // Cancelled, or refused: it is tried again after all others.
      this.#upgrades.delete(request);
      this.#ring[this.#returned % this.#ring.length] = undone ?? request;
      this.#returned += 1;
    } else {
      this.#upgrades.set(cancel, request);
      this.#cancels.push(cancel);
    }
  }
}
