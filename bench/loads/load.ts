// What every loader gets and returns, closed loop or open, and in what order it sends its requests.
import { BenchFailed } from '../bench-failed.js';
import { FAILURE_LENGTH_MAX } from '../limits.js';
import { cancelOf, entityShownBy, type LoadRequest, planetAskedFor, type RequestList } from '../servers/game-client.js';

/** Requests that a load sends over and over. */
export interface LoadPlan extends RequestList {
  /** What it is sent to, for messages. */
  readonly server: string;
  readonly url: string;
  readonly connections: number;
  /** Length of the shortest body that is a right answer to any of the requests, if it is known. */
  readonly replyBytes?: number;
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

export interface Failures {
  /** Replies with another status than 2xx, those that are not about what was asked, broken connections, and lost replies. */
  readonly failures: number;
  /** What is known of the first one. */
  readonly firstFailure?: string | undefined;
}

export interface Measurement extends Latencies, Failures {
  readonly requestsPerSecond: number;
  /** Replies of any kind. */
  readonly answered: number;
  /** Mean length of a reply; wrk includes its head. */
  readonly bytesPerReply: number;
}

/** The failures of several loads together. */
export function failuresOf(measured: readonly Failures[]): Failures {
  const failures = measured.reduce((sum, one) => sum + one.failures, 0);
  return { failures, firstFailure: measured.find(({ firstFailure }) => firstFailure !== undefined)?.firstFailure };
}

/** What is shown of a reply that is a failure. */
export function failureText(status: number, body: string): string {
  return `${status} ${body.slice(0, FAILURE_LENGTH_MAX)}`;
}

/**
 * What one of several runs sends: everything, from the beginning. If upgrades are cancelled, or requests are accepted only once,
 * each run gets a part of its own: what one run leaves begun would be refused to the next one.
 *
 * @param run from 0
 */
export function portionOf(
  { requests, cancelsWhatItBegins, isOnce = false }: RequestList,
  run: number,
  runs: number,
): readonly LoadRequest[] {
  if (!cancelsWhatItBegins && !isOnce) return requests;
  const unsent = isOnce ? requests.slice(1) : requests;
  const size = unsent.length / runs;
  return unsent.slice(Math.floor(run * size), Math.floor((run + 1) * size));
}

/** Decides what a load sends next. */
export interface RequestSource {
  /** Whether answered() looks at bodies; '' will do otherwise. */
  readonly readsBodies: boolean;
  next(): LoadRequest;
  /**
   * Called for every reply, in the order in which they come.
   *
   * @param body '' if there is none
   * @param isSuccess whether its status is 2xx
   * @returns false if it is a success about something else than what was asked
   */
  answered(request: LoadRequest, body: string, isSuccess: boolean): boolean;
}

export function requestSource({ requests, cancelsWhatItBegins }: RequestList): RequestSource {
  if (requests.length === 0) throw new BenchFailed('a load needs at least one request');
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

  answered(): boolean {
    return true;
  }
}

/** Upgrades, each of which is cancelled once its reply is there. None is sent again before its cancelling was answered. */
class CancellingSource implements RequestSource {
  readonly readsBodies = true;
  /** A ring: what is idle stands between the two counts. */
  readonly #ring: LoadRequest[];
  #taken = 0;
  #returned: number;
  readonly #cancels: LoadRequest[] = [];
  /** The upgrade that each cancellation undoes. */
  readonly #upgrades = new Map<LoadRequest, LoadRequest>();

  constructor(requests: readonly LoadRequest[]) {
    this.#ring = [...requests];
    this.#returned = requests.length;
  }

  next(): LoadRequest {
    const cancel = this.#cancels.pop();
    if (cancel !== undefined) return cancel;
    if (this.#taken === this.#returned) throw new BenchFailed('the load has fewer upgrades than connections');
    const upgrade = this.#ring[this.#taken % this.#ring.length] as LoadRequest;
    this.#taken += 1;
    return upgrade;
  }

  answered(request: LoadRequest, body: string, isSuccess: boolean): boolean {
    const undone = this.#upgrades.get(request);
    const cancel = undone === undefined && isSuccess ? cancelOf(body, request.headers) : undefined;
    const isRight =
      !isSuccess ||
      (entityShownBy(body) === planetAskedFor(request) && (cancel === undefined) === (undone !== undefined));
    if (cancel === undefined || !isRight) {
      // Cancelled, or refused: it is tried again after all others.
      this.#upgrades.delete(request);
      this.#ring[this.#returned % this.#ring.length] = undone ?? request;
      this.#returned += 1;
    } else {
      this.#upgrades.set(cancel, request);
      this.#cancels.push(cancel);
    }
    return isRight;
  }
}
