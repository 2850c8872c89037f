// How often each route was asked for, how that ended and how long it took, counted where a reply leaves. A route is known
// by its template: what a client puts into a path never becomes a name here, so that there are only so many of them.
import { BucketCounts } from '../../persistence/writer/bucket-counts.js';
import { PROBLEMS } from '../exchange/problems.js';

/** Seconds from the arrival of a request's head until its reply is written. */
const DURATION_BOUNDS = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** The client was gone before its reply was written. */
export const ABORTED = 'aborted';
/** The server closed without a reply, as it could not tell where the request ends. */
export const DROPPED = 'dropped';
type Unanswered = typeof ABORTED | typeof DROPPED;

const STATUSES = [...new Set([200, 201, 304, ...[...PROBLEMS.values()].map(({ status }) => status)])].sort();
const OUTCOMES: readonly string[] = [...STATUSES.map(String), ABORTED, DROPPED];
/** By status: its position in OUTCOMES. */
const POSITIONS = new Uint8Array(Math.max(...STATUSES) + 1);
for (const [position, status] of STATUSES.entries()) POSITIONS[status] = position;

/** The requests to a route with one method. */
export class RequestCounts {
  readonly #numbers = new Float64Array(OUTCOMES.length);

  constructor(
    readonly method: string,
    private readonly durations: BucketCounts,
  ) {}

  /** @param status one that is in the table of problems, or of a success */
  answered(status: number, durationMs: number): void {
    (this.#numbers[POSITIONS[status] as number] as number) += 1;
    this.durations.add(durationMs / 1_000);
  }

  unanswered(outcome: Unanswered): void {
    (this.#numbers[outcome === ABORTED ? STATUSES.length : STATUSES.length + 1] as number) += 1;
  }

  /** Visits what has occurred. @param visitor is told a status, ABORTED or DROPPED, and how often */
  visit(visitor: (outcome: string, count: number) => void): void {
    OUTCOMES.forEach((outcome, position) => {
      const count = this.#numbers[position] as number;
      if (count > 0) visitor(outcome, count);
    });
  }
}

/** The requests to a route. */
export class RouteCounts {
  /** Seconds that replies took, whatever the method. */
  readonly durations = new BucketCounts(DURATION_BOUNDS);
  readonly get = new RequestCounts('GET', this.durations);
  readonly head = new RequestCounts('HEAD', this.durations);
  readonly post = new RequestCounts('POST', this.durations);
  /** Every other method, of which a client may make up as many as it likes. */
  readonly other = new RequestCounts('other', this.durations);

  /** @param route its template, such as /api/game/state/:playerId */
  constructor(readonly route: string) {}

  of(method: string): RequestCounts {
    if (method === 'GET') return this.get;
    if (method === 'HEAD') return this.head;
    return method === 'POST' ? this.post : this.other;
  }

  get methods(): readonly RequestCounts[] {
    return [this.get, this.head, this.post, this.other];
  }
}
