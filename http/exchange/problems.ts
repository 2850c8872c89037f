// The table of all errors that this server answers with, in one shape (RFC 9457). GET /api/errors, the OpenAPI document
// and docs/api.md are derived from it. The refusals of the engine come from its own table.
import {
  type InProgress,
  REFUSALS,
  type Refusal,
  type RefusalClass,
  type RefusalCode,
} from '../../engine/rejections.js';
import { IN_FLIGHT_RETRY_AFTER_MS, REPLICA_RETRY_AFTER_MS, RETRY_AFTER_MS } from '../limits.js';
import { isoText, shownInstantOrNull } from '../views/iso-time.js';
import { type Exchange, PROBLEM_TYPE } from './exchange.js';

export interface ProblemRule {
  readonly status: number;
  readonly title: string;
  /** Present if the same request may succeed after waiting. */
  readonly retryAfterMs?: number;
}

/**
 * Errors that do not depend on the state of the world, but only on the request or on the state of the process. They are
 * sent at once. Codes are stable (contract: Errors).
 */
const IMMEDIATE_PROBLEMS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON in UTF-8.' },
  invalid_request: { status: 400, title: 'The request does not have the shape that this path expects.' },
  read_only: { status: 403, title: 'This server shows the past of a world, and takes no commands.' },
  route_not_found: { status: 404, title: 'There is no such path.' },
  method_not_allowed: { status: 405, title: 'The path exists, but not with this method.' },
  not_your_turn: { status: 409, title: "It is not the caller's turn; GET /api/turn waits for it." },
  command_budget_spent: { status: 409, title: 'The caller has no commands left this world day.' },
  turns_running: { status: 409, title: 'A game of turns is running.' },
  // The one exception: it depends on the state of the world, and reports only that this state is not durable yet.
  idempotency_key_in_flight: {
    status: 409,
    title: 'The first request with this Idempotency-Key is not durable yet.',
    retryAfterMs: IN_FLIGHT_RETRY_AFTER_MS,
  },
  body_too_large: { status: 413, title: 'The body is too large.' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json.' },
  not_leader: {
    status: 421,
    title: 'This process does not lead the world; location names where the leader takes the same request.',
  },
  rate_limited: {
    status: 429,
    title: 'A rate limit is reached; limit names it, and retryAfterMs says when to ask again.',
  },
  internal_error: { status: 500, title: 'Internal error. It is unknown whether the request took effect.' },
  overloaded: {
    status: 503,
    title: 'The server is overloaded: too much work is waiting.',
    retryAfterMs: RETRY_AFTER_MS,
  },
  storage_unavailable: {
    status: 503,
    title:
      'The disk is nearly full, or a file of the log is not in its place; changes are refused until that is mended.',
    retryAfterMs: RETRY_AFTER_MS,
  },
  snapshot_failed: {
    status: 503,
    title: 'The snapshot failed. The world keeps running.',
    retryAfterMs: RETRY_AFTER_MS,
  },
  no_leader: {
    status: 503,
    title: 'No process leads the world at present, as far as this one knows.',
    retryAfterMs: REPLICA_RETRY_AFTER_MS,
  },
  replica_behind: {
    status: 503,
    title: 'This process has not applied the entry or event yet that the request asks for.',
    retryAfterMs: REPLICA_RETRY_AFTER_MS,
  },
  shutting_down: { status: 503, title: 'The server is stopping.', retryAfterMs: RETRY_AFTER_MS },
} as const satisfies Record<string, ProblemRule>;

/**
 * Errors that depend on the state of the world, besides the engine's own: API keys belong to players. They are sent
 * once that state is durable, by Replies.refuse.
 */
const STATE_PROBLEMS = {
  unauthenticated: { status: 401, title: 'A valid key is required: Authorization: Bearer KEY.' },
  forbidden: { status: 403, title: 'This is not allowed in this world.' },
  registration_closed: { status: 403, title: 'Only the operator creates players in this world.' },
  system_not_found: { status: 404, title: 'There is no such system in the galaxy.' },
  events_expired: {
    status: 410,
    title: 'The events after since are no longer kept, or since is the seq of no event; read the state afresh.',
  },
  idempotency_key_reused: { status: 422, title: 'This Idempotency-Key was used for another request.' },
} as const satisfies Record<string, ProblemRule>;

/** Errors that need not wait for the disk. */
export type ImmediateProblemCode = keyof typeof IMMEDIATE_PROBLEMS;

export type ProblemCode = ImmediateProblemCode | keyof typeof STATE_PROBLEMS | RefusalCode;

const STATUS_OF_CLASS: Readonly<Record<RefusalClass, number>> = {
  not_found: 404,
  forbidden: 403,
  conflict: 409,
  unprocessable: 422,
};

/** All errors by code, sorted by status; within a status, in the order in which they are checked. */
export const PROBLEMS: ReadonlyMap<ProblemCode, ProblemRule> = new Map(
  [...ownProblems(), ...engineProblems()].sort(([, a], [, b]) => a.status - b.status),
);

/** An error in the shape of a request. The path is a JSON pointer into the body, or the name of a parameter. */
export interface ShapeError {
  readonly path: string;
  readonly message: string;
}

/** Facts that a program needs to act on, besides the code. */
export interface ProblemFacts {
  /** Describes this occurrence in a sentence; defaults to the title. */
  readonly detail?: string | undefined;
  readonly errors?: readonly ShapeError[];
  /** Missing whole units or ships, by name. */
  readonly missing?: Readonly<Record<string, number>> | undefined;
  /** World time (ISO 8601) from which production alone covers what is missing; null if it never does. */
  readonly affordableAt?: string | null | undefined;
  /** What is in the way, until `finishAt`. */
  readonly inProgress?: InProgressBody | undefined;
  /** The player who owns what the request needs. */
  readonly owner?: { readonly id: string; readonly name: string; readonly isBot: boolean } | undefined;
  readonly limit?: { readonly name: string; readonly maximum: number } | undefined;
  /** Seq of the oldest event that is kept. */
  readonly oldestSeq?: number | undefined;
  /** Milliseconds after which the same request may succeed, if the code does not determine it. */
  readonly retryAfterMs?: number;
  /** Methods for the Allow header of method_not_allowed. */
  readonly allow?: string;
  /** For the Location header of not_leader. */
  readonly location?: string;
}

export interface InProgressBody extends Omit<InProgress, 'startedAtMs' | 'finishAtMs'> {
  readonly startedAt: string | undefined;
  readonly finishAt: string;
}

/** Sends at once an error that does not depend on state. Errors that do go through Replies.refuse. */
export function sendProblem(exchange: Exchange, code: ImmediateProblemCode, facts: ProblemFacts = {}): void {
  prepareProblem(exchange, code, facts);
  exchange.durable();
}

/** Sets a problem as the reply of an exchange, to be sent later. */
export function prepareProblem(exchange: Exchange, code: ProblemCode, facts: ProblemFacts = {}): void {
  const { status, retryAfterMs = facts.retryAfterMs } = ruleOf(code);
  exchange.status = status;
  exchange.replyType = PROBLEM_TYPE;
  exchange.entityTag = '';
  exchange.extraHeaders = headersOf(code, facts, retryAfterMs);
  exchange.problemCode = code;
  if (exchange.wantsBody) exchange.reply = problemText(exchange.requestId, code, facts);
}

/** A problem as JSON text: the body of a reply, or what ends a stream. */
export function problemText(requestId: string, code: ProblemCode, facts: ProblemFacts = {}): string {
  const { status, title, retryAfterMs = facts.retryAfterMs } = ruleOf(code);
  // stringify omits members without a value.
  return JSON.stringify({
    type: problemType(code),
    title,
    status,
    detail: facts.detail ?? firstShapeError(facts) ?? title,
    code,
    requestId,
    errors: facts.errors,
    missing: facts.missing,
    affordableAt: facts.affordableAt,
    inProgress: facts.inProgress,
    owner: facts.owner,
    limit: facts.limit,
    oldestSeq: facts.oldestSeq,
    retryAfterMs,
  });
}

/** The facts of an engine refusal, as the contract names them. */
export function factsOfRefusal({ facts }: Refusal): ProblemFacts {
  return {
    detail: facts.reason,
    missing: facts.missing,
    affordableAt: facts.affordableAtMs === undefined ? undefined : shownInstantOrNull(facts.affordableAtMs),
    inProgress: facts.inProgress === undefined ? undefined : inProgressBody(facts.inProgress),
    owner: facts.owner,
    limit: facts.limit,
  };
}

function inProgressBody({ startedAtMs, finishAtMs, ...entry }: InProgress): InProgressBody {
  return {
    ...entry,
    startedAt: startedAtMs === undefined ? undefined : isoText(startedAtMs),
    finishAt: isoText(finishAtMs),
  };
}

/** A URI reference to the error's row in GET /api/errors. */
export function problemType(code: ProblemCode): string {
  return `/api/errors#${code}`;
}

function firstShapeError({ errors }: ProblemFacts): string | undefined {
  const first = errors?.[0];
  return first === undefined ? undefined : `${first.path === '' ? 'The body' : first.path} ${first.message}.`;
}

function ruleOf(code: ProblemCode): ProblemRule {
  const rule = PROBLEMS.get(code);
  if (rule === undefined) throw new Error(`unknown problem code ${code}`);
  return rule;
}

function headersOf(code: ProblemCode, facts: ProblemFacts, retryAfterMs: number | undefined): readonly string[] {
  if (facts.allow !== undefined) return ['allow', facts.allow];
  if (facts.location !== undefined) return ['location', facts.location];
  if (code === 'unauthenticated') return ['www-authenticate', 'Bearer'];
  if (retryAfterMs !== undefined) return ['retry-after', String(Math.ceil(retryAfterMs / 1000))];
  return [];
}

function ownProblems(): [ProblemCode, ProblemRule][] {
  return Object.entries({ ...IMMEDIATE_PROBLEMS, ...STATE_PROBLEMS }) as [ProblemCode, ProblemRule][];
}

function engineProblems(): [ProblemCode, ProblemRule][] {
  const rules = Object.entries(REFUSALS) as [RefusalCode, (typeof REFUSALS)[RefusalCode]][];
  return rules.map(([code, rule]) => [code, { status: STATUS_OF_CLASS[rule.class], title: rule.title }]);
}
