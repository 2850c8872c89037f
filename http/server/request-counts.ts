// Counts the requests of each route, their outcomes and their durations, when a reply is sent. A route is identified by
// its template: nothing that a client puts into a path becomes a label, so the number of labels is bounded.
import { BucketCounts } from '../../persistence/writer/figures.js';
import type { RoutedMethod } from '../exchange/exchange.js';
import { PROBLEMS } from '../exchange/problems.js';
import { SOCKET_PATH } from './web-socket.js';

/** Seconds from the arrival of a request's head until its reply is written. */
const DURATION_BOUNDS = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** The client disconnected before its reply was written. */
export const ABORTED = 'aborted';
/** The server closed the connection without a reply, since its address has too many connections. */
export const DROPPED = 'dropped';
type Unanswered = typeof ABORTED | typeof DROPPED;

const STATUSES = [...new Set([101, 200, 201, 204, 304, ...[...PROBLEMS.values()].map(({ status }) => status)])].sort();
const OUTCOMES: readonly string[] = [...STATUSES.map(String), ABORTED, DROPPED];
/** The position of each status in OUTCOMES. */
const POSITIONS = new Uint8Array(Math.max(...STATUSES) + 1);
for (const [position, status] of STATUSES.entries()) POSITIONS[status] = position;

/** The requests to a route with one method. */
export class RequestCounts {
  /** Made with the first request: most methods of most routes never get one. */
  #numbers: Float64Array | null = null;

  constructor(
    readonly method: string,
    private readonly durations: BucketCounts,
  ) {}

  /** @param status that of a success or a preflight, or of a row in the table of problems */
  answered(status: number, durationMs: number): void {
    this.#add(POSITIONS[status] as number);
    this.durations.add(durationMs / 1_000);
  }

  unanswered(outcome: Unanswered): void {
    this.#add(outcome === ABORTED ? STATUSES.length : STATUSES.length + 1);
  }

  /** Visits the outcomes that occurred. @param visitor receives a status, ABORTED or DROPPED, and its count */
  visit(visitor: (outcome: string, count: number) => void): void {
    OUTCOMES.forEach((outcome, position) => {
      const count = this.#numbers?.[position] ?? 0;
      if (count > 0) visitor(outcome, count);
    });
  }

  #add(position: number): void {
    this.#numbers ??= new Float64Array(OUTCOMES.length);
    (this.#numbers[position] as number) += 1;
  }
}

/** The requests to a route. */
export class RouteCounts implements Readonly<Record<Lowercase<RoutedMethod>, RequestCounts>> {
  /** Durations in seconds, over all methods. */
  readonly durations = new BucketCounts(DURATION_BOUNDS);
  readonly get = new RequestCounts('GET', this.durations);
  readonly head = new RequestCounts('HEAD', this.durations);
  readonly post = new RequestCounts('POST', this.durations);
  readonly put = new RequestCounts('PUT', this.durations);
  /** All other methods, of which a client may invent any number. */
  readonly other = new RequestCounts('other', this.durations);

  /** @param route its template, such as /api/game/state/:playerId */
  constructor(readonly route: string) {}

  of(method: string): RequestCounts {
    if (method === 'GET') return this.get;
    if (method === 'HEAD') return this.head;
    if (method === 'POST') return this.post;
    return method === 'PUT' ? this.put : this.other;
  }

  get methods(): readonly RequestCounts[] {
    return [this.get, this.head, this.post, this.put, this.other];
  }
}

/** The requests to a server and the calls over its WebSockets, by route. */
export class ServerCounts {
  /** Requests that matched no endpoint. */
  readonly unrouted: RouteCounts = new RouteCounts('unrouted');
  /** Requests that open a WebSocket. */
  readonly upgrades: RouteCounts = new RouteCounts(SOCKET_PATH);
  /** Open connections; approximate with the native transport. */
  connections = 0;
  /** Calls to paths that do not exist. */
  readonly unroutedCalls: RouteCounts = new RouteCounts('unrouted');
  readonly #routes = new Map<string, RouteCounts>();
  /** Indexed by operation. */
  readonly #calls = new Map<string, RouteCounts>();

  /** @param path of a route; its operations share the counts of requests, since these have the method */
  ofRoute(path: string): RouteCounts {
    return countsOf(this.#routes, path, path);
  }

  ofCalls(operationId: string, path: string): RouteCounts {
    return countsOf(this.#calls, operationId, path);
  }

  /** Counts of all requests. */
  get routes(): readonly RouteCounts[] {
    return [...this.#routes.values(), this.upgrades, this.unrouted];
  }

  get calls(): readonly RouteCounts[] {
    return [...this.#calls.values(), this.unroutedCalls];
  }
}

function countsOf(counts: Map<string, RouteCounts>, key: string, path: string): RouteCounts {
  let found = counts.get(key);
  if (found === undefined) {
    found = new RouteCounts(path);
    counts.set(key, found);
  }
  return found;
}
