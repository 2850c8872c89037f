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

/** An upgrade is not sent again before its cancelling was answered. */
class CancellingSource implements RequestSource {
  readonly readsBodies = true;
  readonly #idle: LoadRequest[];
  readonly #cancels: LoadRequest[] = [];
  /** By cancelling: the upgrade that it undoes. */
  readonly #upgrades = new Map<LoadRequest, LoadRequest>();

  constructor(requests: readonly LoadRequest[]) {
    // Taken from the end.
    this.#idle = requests.toReversed();
  }

  next(): LoadRequest {
    const request = this.#cancels.pop() ?? this.#idle.pop();
    if (request === undefined) throw new Error('the load has fewer upgrades than connections');
    return request;
  }

  answered(request: LoadRequest, body: string): void {
    const undone = this.#upgrades.get(request);
    if (undone !== undefined) {
      this.#upgrades.delete(request);
      this.#idle.unshift(undone);
      return;
    }
    const cancel = cancelOf(body);
    if (cancel === undefined) {
      // Refused: it is tried again after all others.
      this.#idle.unshift(request);
      return;
    }
    this.#upgrades.set(cancel, request);
    this.#cancels.push(cancel);
  }
}
