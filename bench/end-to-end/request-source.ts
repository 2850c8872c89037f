// Says what is sent next: a list in turn, or upgrades each of which is cancelled once its reply is there.
import { cancelOf, type LoadRequest } from '../servers/load-request.js';
import type { LoadPlan } from './load.js';

export interface RequestSource {
  /** Whether answered() looks at bodies; it may be told '' otherwise. */
  readonly readsBodies: boolean;
  next(): LoadRequest;
  /** Told of every reply, in the order in which they come. */
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

/** How many taken upgrades the list keeps before it is copied without them. */
const TAKEN_KEPT_MAX = 10_000;

/** An upgrade is not sent again before its cancelling was answered. */
class CancellingSource implements RequestSource {
  readonly readsBodies = true;
  /** Oldest first from #firstIdle on; what stands before it is taken. */
  #idle: LoadRequest[];
  #firstIdle = 0;
  readonly #cancels: LoadRequest[] = [];
  /** By cancelling: the upgrade that it undoes. */
  readonly #upgrades = new Map<LoadRequest, LoadRequest>();

  constructor(requests: readonly LoadRequest[]) {
    this.#idle = [...requests];
  }

  next(): LoadRequest {
    const request = this.#cancels.pop() ?? this.#nextIdle();
    if (request === undefined) throw new Error('the load has fewer upgrades than connections');
    return request;
  }

  #nextIdle(): LoadRequest | undefined {
    const request = this.#idle[this.#firstIdle];
    if (request === undefined) return undefined;
    this.#firstIdle += 1;
    if (this.#firstIdle >= TAKEN_KEPT_MAX) {
      this.#idle = this.#idle.slice(this.#firstIdle);
      this.#firstIdle = 0;
    }
    return request;
  }

  answered(request: LoadRequest, body: string): void {
    const undone = this.#upgrades.get(request);
    if (undone !== undefined) {
      this.#upgrades.delete(request);
      this.#idle.push(undone);
      return;
    }
    const cancel = cancelOf(body);
    if (cancel === undefined) {
      // Refused: it is tried again after all others.
      this.#idle.push(request);
      return;
    }
    this.#upgrades.set(cancel, request);
    this.#cancels.push(cancel);
  }
}
