// Every error: its code, status and title, and what a client can do about it. Refusals of the engine come from its own table.
import {
  type InProgress,
  REFUSALS,
  type Refusal,
  type RefusalClass,
  type RefusalCode,
} from '../../engine/terms/rejections.js';
import {
  CLIENT_SILENCE_MS,
  HEAD_BYTES_MAX,
  HEADER_FIELDS_MAX,
  IN_FLIGHT_RETRY_AFTER_MS,
  REPLICA_RETRY_AFTER_MS,
  RETRY_AFTER_MS,
} from '../limits.js';
import { type Exchange, type ExtraHeaders, PROBLEM_TYPE } from './exchange.js';
import { isoText, shownInstantOrNull } from './iso-time.js';

export interface ProblemRule {
  readonly status: number;
  readonly title: string;
  /** What to do about it, in a sentence. */
  readonly remedy: string;
  /** Present if the same request may succeed after waiting. */
  readonly retryAfterMs?: number;
}

const REPEAT = 'Repeat the request after retryAfterMs.';

/**
 * Errors that do not depend on the state of the world, but only on the request or on the state of the process. They are
 * sent at once. Codes are stable (specification, section 3).
 */
const IMMEDIATE_PROBLEMS = {
  malformed_request: {
    status: 400,
    title: 'The request is not well-formed HTTP/1.1.',
    remedy: 'Send it with a library for HTTP; the connection is closed, and nothing behind this request is read.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON in UTF-8.',
    remedy: 'Send one JSON object; GET /openapi.json describes it.',
  },
  invalid_request: {
    status: 400,
    title: 'The request does not have the shape that this path expects.',
    remedy: 'GET /openapi.json describes the shape.',
  },
  admin_key_is_read_only: {
    status: 403,
    title: 'This admin key may read everything, and change nothing.',
    remedy: 'Use an admin key of kind full; galaxyd admin-key new makes one.',
  },
  address_blocked: {
    status: 403,
    title: 'The operator has blocked this address for a time.',
    remedy: 'Ask the operator of the world.',
  },
  read_only: {
    status: 403,
    title: 'This server shows the past of a world, and takes no commands.',
    remedy: 'Send commands to the server of a world that goes on.',
  },
  route_not_found: { status: 404, title: 'There is no such path.', remedy: 'GET /openapi.json lists all paths.' },
  method_not_allowed: {
    status: 405,
    title: 'The path exists, but not with this method.',
    remedy: 'The header Allow names its methods.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not end in time.',
    remedy: `Send the whole request within ${CLIENT_SILENCE_MS / 1_000} seconds.`,
  },
  not_your_turn: { status: 409, title: "It is not the caller's turn.", remedy: 'GET /api/turn waits for it.' },
  command_budget_spent: {
    status: 409,
    title: 'The caller has no commands left this world day.',
    remedy: 'End the turn with POST /api/turn/end.',
  },
  turns_running: {
    status: 409,
    title: 'A game of turns is running.',
    remedy: 'GET /api/admin/turns says until when.',
  },
  // The one exception: it depends on the state of the world, and reports only that this state is not durable yet.
  idempotency_key_in_flight: {
    status: 409,
    title: 'The first request with this Idempotency-Key is not durable yet.',
    remedy: REPEAT,
    retryAfterMs: IN_FLIGHT_RETRY_AFTER_MS,
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large.',
    remedy: 'Send less in one request.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be application/json.',
    remedy: 'Send the header Content-Type: application/json.',
  },
  not_leader: {
    status: 421,
    title: 'This process does not lead the world.',
    remedy: 'Send the same request to the address in location, where the leader takes it.',
  },
  rate_limited: {
    status: 429,
    title: 'A rate limit is reached; limit names it.',
    remedy: 'Ask again after retryAfterMs; without it, once something that limit counts has ended.',
  },
  head_too_large: {
    status: 431,
    title: 'The head of the request is too large.',
    remedy: `Send at most ${HEAD_BYTES_MAX} bytes and ${HEADER_FIELDS_MAX} header fields.`,
  },
  internal_error: {
    status: 500,
    title: 'Internal error. It is unknown whether the request took effect.',
    remedy: 'Read the state, or repeat the request with the same Idempotency-Key.',
  },
  not_implemented: {
    status: 501,
    title: 'The server does not know this method or transfer coding.',
    remedy: 'GET /openapi.json has the methods of each path; the one transfer coding is chunked.',
  },
  overloaded: {
    status: 503,
    title: 'The server is overloaded: too much work is waiting.',
    remedy: REPEAT,
    retryAfterMs: RETRY_AFTER_MS,
  },
  storage_unavailable: {
    status: 503,
    title:
      'The disk is nearly full, or a file of the log is not in its place; changes are refused until that is mended.',
    remedy: 'Repeat the request after retryAfterMs; the log of the server says what its operator must do.',
    retryAfterMs: RETRY_AFTER_MS,
  },
  snapshot_failed: {
    status: 503,
    title: 'The snapshot failed. The world keeps running.',
    remedy: REPEAT,
    retryAfterMs: RETRY_AFTER_MS,
  },
  no_leader: {
    status: 503,
    title: 'No process leads the world at present, as far as this one knows.',
    remedy: REPEAT,
    retryAfterMs: REPLICA_RETRY_AFTER_MS,
  },
  replica_behind: {
    status: 503,
    title: 'This process has not applied the entry or event yet that the request asks for.',
    remedy: REPEAT,
    retryAfterMs: REPLICA_RETRY_AFTER_MS,
  },
  recovering: {
    status: 503,
    title: 'The server recovers its world, and answers nothing else yet.',
    remedy: 'Repeat the request after retryAfterMs; each reply says in recovery how far it is.',
    retryAfterMs: RETRY_AFTER_MS,
  },
  shutting_down: { status: 503, title: 'The server is stopping.', remedy: REPEAT, retryAfterMs: RETRY_AFTER_MS },
  http_version_not_supported: {
    status: 505,
    title: 'The server speaks HTTP/1.1 and HTTP/1.0.',
    remedy: 'Send the request in one of them.',
  },
} as const satisfies Record<string, ProblemRule>;

/**
 * Errors that depend on the state of the world, besides the engine's own: API keys belong to players. They are sent
 * once that state is durable, by Replies.refuse.
 */
const STATE_PROBLEMS = {
  world_paused: {
    status: 503,
    title: 'The operator has paused the world: its clock stands, and players change nothing.',
    remedy: 'Repeat the request after retryAfterMs; GET /api/status has pausedAt for as long.',
    retryAfterMs: RETRY_AFTER_MS,
  },
  precondition_failed: {
    status: 412,
    title: 'It has changed since it was read: If-Match does not name its present entity tag.',
    remedy: 'Read it again, and decide anew.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid key is required.',
    remedy:
      'Send the header Authorization: Bearer KEY; the reply to POST /api/game/player that creates a player has its key.',
  },
  forbidden: {
    status: 403,
    title: 'This is not allowed with this key, or in this world.',
    remedy: 'The operator of the world decides about both.',
  },
  registration_closed: {
    status: 403,
    title: 'Only the operator creates players in this world.',
    remedy: 'Ask the operator for a player and its key.',
  },
  system_not_found: {
    status: 404,
    title: 'There is no such system in the galaxy.',
    remedy: 'GET /api/game/galaxy/:galaxy lists the systems that players live in, and how many there are.',
  },
  events_expired: {
    status: 410,
    title: 'The events after since are no longer kept, or since is the seq of no event.',
    remedy: 'Read the state afresh, and go on from its lastEventSeq.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used for another request.',
    remedy: 'Use a new key for each request.',
  },
} as const satisfies Record<string, ProblemRule>;

/** Errors that need not wait for the disk. */
export type ImmediateProblemCode = keyof typeof IMMEDIATE_PROBLEMS;

export type ProblemCode = ImmediateProblemCode | keyof typeof STATE_PROBLEMS | RefusalCode;

/** What to do about each refusal of the engine. */
const REMEDIES: Readonly<Record<RefusalCode, string>> = {
  player_not_found: 'POST /api/game/player creates one; an id is valid until the player is retired.',
  planet_not_found: 'The system view (GET /api/game/galaxy/:galaxy/system/:system) lists the planets that there are.',
  fleet_not_found:
    'GET /api/fleet/player/:playerId lists those of the player that are in flight or stationed; a planet lists as supporters those that it can dismiss.',
  offer_not_found:
    'GET /api/market/galaxy/:galaxy lists the open offers to everybody, GET /api/market/player/:playerId your own and those to you.',
  pact_not_found: 'GET /api/game/pacts/:playerId lists the pacts and proposals that there are.',
  building_not_found:
    'Build it with POST /api/building/construct; a building whose first construction was cancelled is gone.',
  queue_entry_not_found: 'The constructionQueue of the building that is being upgraded has the present queueId.',
  not_owner: "Name the player's own planets and fleets, as GET /api/game/state/:playerId lists them.",
  player_suspended: 'Wait for the event player_resumed, or ask the operator of the world; reads go on meanwhile.',
  name_taken: 'Choose a name that looks like no other; owner has the one that it looks like.',
  building_exists: 'POST /api/building/upgrade raises its level.',
  upgrade_in_progress: 'Wait until finishAt of inProgress, or cancel its queueId with POST /api/building/cancel.',
  other_ship_in_production: 'Wait until finishAt of inProgress, or cancel its shipType with POST /api/shipyard/cancel.',
  research_in_progress: 'Wait until finishAt of inProgress.',
  planet_occupied: 'Planets that are free have the owner null in the system view.',
  starter_limit_reached: 'Take further planets with the mission colonize.',
  fleet_not_in_transit: 'It is back at returnsAt.',
  fleet_not_stationed: 'supporters of the planet lists the fleets of others that are.',
  universe_full: 'Planets become free only when players are retired.',
  limit_reached: 'limit has its name and value.',
  plans_not_in_rules: 'Send each step as a command of its own.',
  sight_not_in_rules: 'The event incoming_fleet warns of fleets on their way to your planets.',
  messages_not_in_rules: 'Play without words.',
  blocked_by_receiver: 'Write to somebody else; the receiver can unblock you.',
  message_limit_reached:
    'possibleAt says when the next message is possible; limit has the name and value of the limit.',
  market_not_in_rules: 'Send resources with the mission transport.',
  shocks_not_in_rules: 'Only rules with the part shocks have them.',
  pacts_not_in_rules: 'Only rules with the part pacts have them.',
  pact_exists: 'Wait until it ends, or answer the proposal: GET /api/game/pacts/:playerId lists it.',
  pact_in_force: 'POST /api/pact/:pactId/cancel gives notice of it.',
  pact_ending: 'It ends at endsAt, as GET /api/game/pacts/:playerId shows.',
  rules_not_compatible: 'A world can only switch to rules that extend those that it has.',
  trade_not_possible: 'Take an offer of somebody else; offer one resource for another.',
  offer_out_of_reach: 'Trade with a planet nearer by, or by an offer with a higher h2Max.',
  insufficient_ships: 'missing says how many: send fewer, or build them with POST /api/shipyard/build.',
  no_drive_available: 'POST /api/fleet/simulate says for each drive what it needs.',
  hangar_capacity_exceeded: 'missing says how much room: carry fewer ships, or more that have hangars.',
  insufficient_h2: 'missing says how much: send fewer ships, name a drive that needs less, or wait for production.',
  cargo_capacity_exceeded: 'missing says how much: carry less, or send more ships with cargo space.',
  shipyard_required: 'Build one with POST /api/building/construct, and wait until it is complete.',
  nothing_in_production: 'GET /api/shipyard/planet/:planetId shows what is in production.',
  insufficient_resources: 'missing says how much, affordableAt when production covers it; null is never.',
  deliveries_used_up:
    'Trade at the values of the rules (market of GET /api/catalog), or wait for the next period of deliveries.',
  mission_not_possible: 'Choose another target, other ships or another mission.',
  pact_with_oneself: 'Name another player as partnerId.',
};

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
  /** Describes this occurrence in a sentence; defaults to the title. The remedy follows it. */
  readonly detail?: string | undefined;
  /** What to do about this occurrence; defaults to the remedy of the code. */
  readonly remedy?: string;
  readonly errors?: readonly ShapeError[];
  /** Missing whole units or ships, by name. */
  readonly missing?: Readonly<Record<string, number>> | undefined;
  /** World time (ISO 8601) from which production alone covers what is missing; null if it never does. */
  readonly affordableAt?: string | null | undefined;
  /** World time (ISO 8601) at which the same request is possible again. */
  readonly possibleAt?: string | undefined;
  /** What is in the way, until `finishAt`. */
  readonly inProgress?: InProgressBody | undefined;
  /** The player who owns what the request needs. */
  readonly owner?: { readonly id: string; readonly name: string; readonly isBot: boolean } | undefined;
  readonly limit?: { readonly name: string; readonly maximum: number } | undefined;
  /** Seq of the oldest event that is kept. */
  readonly oldestSeq?: number | undefined;
  /** How far the recovery of the world is. */
  readonly recovery?: RecoveryBody;
  /** Milliseconds after which the same request may succeed; by default those of the code, if it has any. */
  readonly retryAfterMs?: number;
  /** Headers that only the place of the refusal knows, such as Allow. */
  readonly headers?: ExtraHeaders;
}

export interface RecoveryBody {
  readonly phase: 'opening' | 'reading_snapshot' | 'replaying_log';
  /** Rows of the snapshot, or entries of the log after it. */
  readonly done: number;
  /** Null if unknown. */
  readonly total: number | null;
  /** Until the phase ends, if it goes on as fast; null if unknown. */
  readonly secondsLeft: number | null;
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
  const rule = ruleOf(code);
  const { status } = rule;
  const { retryAfterMs = rule.retryAfterMs } = facts;
  exchange.status = status;
  exchange.replyType = PROBLEM_TYPE;
  exchange.entityTag = '';
  exchange.extraHeaders = headersOf(code, facts, retryAfterMs);
  exchange.problemCode = code;
  if (exchange.wantsBody) exchange.reply = problemText(exchange.requestId, code, facts);
}

/** A problem as JSON text: the body of a reply, or what ends a stream. */
export function problemText(requestId: string, code: ProblemCode, facts: ProblemFacts = {}): string {
  const { status, title, remedy, ...rule } = ruleOf(code);
  // stringify omits members without a value.
  return JSON.stringify({
    type: problemType(code),
    title,
    status,
    detail: `${facts.detail ?? firstShapeError(facts) ?? title} ${facts.remedy ?? remedy}`,
    code,
    requestId,
    errors: facts.errors,
    missing: facts.missing,
    affordableAt: facts.affordableAt,
    possibleAt: facts.possibleAt,
    inProgress: facts.inProgress,
    owner: facts.owner,
    limit: facts.limit,
    oldestSeq: facts.oldestSeq,
    recovery: facts.recovery,
    retryAfterMs: facts.retryAfterMs ?? rule.retryAfterMs,
  });
}

/** The facts of an engine refusal, with the field names of a problem body. */
export function factsOfRefusal({ facts }: Refusal): ProblemFacts {
  return {
    detail: facts.reason,
    missing: facts.missing,
    affordableAt: facts.affordableAtMs === undefined ? undefined : shownInstantOrNull(facts.affordableAtMs),
    possibleAt: facts.possibleAtMs === undefined ? undefined : isoText(facts.possibleAtMs),
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

function headersOf(code: ProblemCode, facts: ProblemFacts, retryAfterMs: number | undefined): ExtraHeaders {
  if (facts.headers !== undefined) return facts.headers;
  if (code === 'unauthenticated') return ['www-authenticate', 'Bearer'];
  if (retryAfterMs !== undefined) return ['retry-after', String(Math.ceil(retryAfterMs / 1000))];
  return [];
}

function ownProblems(): [ProblemCode, ProblemRule][] {
  return Object.entries({ ...IMMEDIATE_PROBLEMS, ...STATE_PROBLEMS }) as [ProblemCode, ProblemRule][];
}

function engineProblems(): [ProblemCode, ProblemRule][] {
  const rules = Object.entries(REFUSALS) as [RefusalCode, (typeof REFUSALS)[RefusalCode]][];
  return rules.map(([code, { class: refusalClass, title }]) => {
    return [code, { status: STATUS_OF_CLASS[refusalClass], title, remedy: REMEDIES[code] }];
  });
}

/** What is wrong, and what to do. */
export function refusalText({ code, facts: { reason } }: Refusal): string {
  return `${reason ?? REFUSALS[code].title} ${REMEDIES[code]}`;
}
