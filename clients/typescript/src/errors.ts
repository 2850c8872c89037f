// How a call fails: the server refused it, or no reply came.
import type { components } from './api.js';

/** The facts of a refusal, as the server sent them (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** The server refused the request, so it changed nothing. The one exception is the code `internal_error`. */
export class GalaxydProblem extends Error {
  override readonly name: string = 'GalaxydProblem';

  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
  }

  /** Says what was refused; see GET /api/errors. */
  get code(): Problem['code'] {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }
}

/**
 * The events after the position of the reader are no longer kept, or the world was restored to before it. Read the state again and
 * continue after its `lastEventSeq`.
 */
export class EventsExpired extends GalaxydProblem {
  override readonly name = 'EventsExpired';

  /** Seq of the oldest event that is kept. */
  get oldestSeq(): number {
    return this.problem.oldestSeq ?? 1;
  }
}

/**
 * No reply of a galaxyd came, after all attempts. Whether a command took effect is unknown: read the state, or send the
 * same request again with the same key.
 */
export class NoReply extends Error {
  override readonly name = 'NoReply';

  /**
   * @param idempotencyKey that the request was sent with; null for a read
   * @param cause the last failure
   */
  constructor(
    message: string,
    readonly idempotencyKey: string | null,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? {} : { cause });
  }
}

/** Whether a body is a problem of galaxyd, and not the page of a proxy. */
export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'detail' in body;
}

export function problemError(problem: Problem): GalaxydProblem {
  return problem.code === 'events_expired' ? new EventsExpired(problem) : new GalaxydProblem(problem);
}
