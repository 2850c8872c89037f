// The path of a request to its handler, the same for every route: shape, then identity, then what its Idempotency-Key has
// kept, then the handler. The checks are made in the order of their statuses in the contract: 400, 401, 404, 403, 409, 422. What
// concerns the transport (413, 415) comes before.
import { isUtf8 } from 'node:buffer';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Game } from '../game/game.js';
import { acceptsKey, KeyedExchange } from '../idempotency/idempotency.js';
import { BODY_BYTES_MAX, BODY_BYTES_PER_TOKEN } from '../limits.js';
import type { Method } from '../methods.js';
import { MadeOfRules } from '../rules/made-of-rules.js';
import { requestCheckOf } from '../rules/shared-checks.js';
import type { RequestCheck } from '../schemas/schema-check.js';
import type { Endpoint } from '../transport/receiver.js';
import { handleInTurn } from '../turns/in-turn.js';
import { RouteCounts } from './request-counts.js';
import { type BodyRule, isRefusedInReplay, type ParameterRule, type Route } from './route.js';

/** Stands for a body that was refused; the exchange is answered. */
const REFUSED = Symbol('refused');

/** A route with its compiled checks: what the server mounts, and what batches and calls over a WebSocket run. */
export class Operation implements Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly bodyBytesMax: number;
  readonly isHeavy: boolean;
  readonly takesSeat: boolean;
  readonly cost: number;
  /** Counts of the calls over WebSockets. */
  readonly callCounts: RouteCounts;
  /** After a switch of the rules other names are types. */
  readonly #check: MadeOfRules<RequestCheck> | null;

  /** @throws Error if the route's request schema accepts values that nothing checks */
  constructor(
    readonly route: Route,
    private readonly game: Game,
    /** Of all operations of its path. */
    readonly counts: RouteCounts = new RouteCounts(route.path),
  ) {
    this.method = route.method;
    this.path = route.path;
    this.isHeavy = route.isHeavy;
    this.takesSeat = route.isHeavy && route.body !== null;
    this.cost = route.cost;
    this.callCounts = new RouteCounts(route.path);
    this.bodyBytesMax = route.body?.bytesMax ?? BODY_BYTES_MAX;
    const { body, operationId } = route;
    this.#check =
      body === null ? null : new MadeOfRules(game.world, (rules) => requestCheckOf(body.schema, rules, operationId));
  }

  /** A request of its own. */
  handle(exchange: Exchange): void {
    const rule = this.route.body;
    if (!this.#paysForBody(exchange) || !this.#acceptsTarget(exchange)) return;
    this.#run(exchange, rule === null || this.#check === null ? undefined : readBody(exchange, this.#check.present));
  }

  /**
   * Checks the shape of one that is part of a batch, or comes over a WebSocket. Its body is parsed already; undefined if
   * it has none. Looks at nothing but the request. The exchange is done if it is refused.
   *
   * @returns the body for runChecked()
   */
  check(part: Exchange, value: unknown): unknown {
    return this.#acceptsTarget(part) ? checkedBody(part, this.route.body, this.bodyCheck, value) : REFUSED;
  }

  /** The check of its body by the present rules; null if it takes none. */
  get bodyCheck(): RequestCheck | null {
    return this.#check?.present ?? null;
  }

  /** check() with a body that bodyCheck has read; see PlainBodyReader. */
  checkRead(call: Exchange, body: unknown): unknown {
    return this.#acceptsTarget(call) ? body : REFUSED;
  }

  /** @param body what check() returned of an exchange that is not done */
  runChecked(part: Exchange, body: unknown): void {
    this.#run(part, body);
  }

  /** The length of a body is known only once it has arrived. A long one takes tokens before it is parsed. */
  #paysForBody(exchange: Exchange): boolean {
    const bytes = exchange.body?.length ?? 0;
    if (bytes < BODY_BYTES_PER_TOKEN) return true;
    return this.game.admission.admits(exchange, Math.floor(bytes / BODY_BYTES_PER_TOKEN));
  }

  #acceptsTarget(exchange: Exchange): boolean {
    return acceptsQuery(exchange, this.route.query) && acceptsParameters(exchange, this.route.parameters);
  }

  /** @param body as its schema says it is, or REFUSED */
  #run(exchange: Exchange, body: unknown): void {
    if (body === REFUSED) return;
    const { idempotencyKey } = exchange;
    if (idempotencyKey !== null && !acceptsKey(exchange, idempotencyKey)) return;
    const { gate } = this.game;
    if (gate === null) this.#answer(exchange, body);
    else {
      const { route, game } = this;
      const isCommand = route.isCommand || route.hasCommands(game, body);
      gate.pass(exchange, route, isCommand, () => this.#answer(exchange, body));
    }
  }

  #answer(exchange: Exchange, body: unknown): void {
    const { replies } = this.game;
    // The frames of a turn share an instant: no closure for each.
    if (replies.joinsInstant(exchange)) this.#answerNow(exchange, body);
    else replies.atOneInstant(exchange, () => this.#answerNow(exchange, body));
  }

  #answerNow(exchange: Exchange, body: unknown): void {
    const { game, route } = this;
    const { idempotencyKey } = exchange;
    // Keys expire, so who asks depends on the instant.
    if (!game.access.identifies(exchange, route.access)) return;
    if (game.replay !== null && isRefusedInReplay(route)) sendProblem(exchange, 'read_only');
    else if (idempotencyKey === null) handleInTurn(game, route, exchange, body);
    else new KeyedExchange(game, route, exchange, idempotencyKey, body).answer();
  }
}

/** Reads the query parameters that the route knows; the others are ignored. */
function acceptsQuery(exchange: Exchange, rules: readonly ParameterRule[]): boolean {
  if (rules.length === 0 || exchange.query === '') return true;
  const query = new URLSearchParams(exchange.query);
  exchange.queryValues = rules.map(({ name }) => query.get(name));
  for (const [index, rule] of rules.entries()) {
    const value = exchange.queryValues[index] ?? null;
    const fault = value === null ? null : faultOf(value, rule);
    if (fault !== null) {
      refuseParameter(exchange, rule, fault);
      return false;
    }
  }
  return true;
}

function refuseParameter(exchange: Exchange, { name }: ParameterRule, message: string): void {
  sendProblem(exchange, 'invalid_request', { errors: [{ path: name, message }] });
}

/** Decodes the path parameters, once, and checks those that are numbers. */
function acceptsParameters(exchange: Exchange, rules: readonly ParameterRule[]): boolean {
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index] as ParameterRule;
    const text = decoded(exchange.parameters[index] as string);
    const fault = text === null ? 'must be percent-encoded UTF-8' : faultOf(text, rule);
    if (text === null || fault !== null) {
      refuseParameter(exchange, rule, fault ?? '');
      return false;
    }
    if (text !== exchange.parameters[index]) exchange.parameters = exchange.parameters.with(index, text);
  }
  return true;
}

function decoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function faultOf(text: string, { minimum, maximum, pattern }: ParameterRule): string | null {
  if (pattern !== undefined) return pattern.test(text) ? null : `must match ${pattern.source}`;
  if (minimum === undefined || maximum === undefined) return null;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? null : `must be an integer from ${minimum} to ${maximum}`;
}

/** The body as its schema says it is, or REFUSED. A request without one is told what is missing from it. */
function readBody(exchange: Exchange, check: RequestCheck): unknown {
  const bytes = exchange.body;
  const isEmpty = bytes === null || bytes.length === 0;
  if (isEmpty && !exchange.isFromForeignPage) return accepted(exchange, check, {});
  if (!isJsonType(exchange.contentType)) {
    sendProblem(exchange, 'unsupported_media_type');
    return REFUSED;
  }
  const value = isEmpty ? {} : parseJson(bytes);
  if (value === REFUSED) {
    sendProblem(exchange, 'malformed_json');
    return REFUSED;
  }
  return accepted(exchange, check, value);
}

/** The same for a body that came parsed. */
function checkedBody(exchange: Exchange, rule: BodyRule | null, check: RequestCheck | null, value: unknown): unknown {
  if (rule === null || check === null) {
    if (value === undefined) return undefined;
    sendProblem(exchange, 'invalid_request', { detail: 'This method takes no body.' });
    return REFUSED;
  }
  return accepted(exchange, check, value === undefined ? {} : value);
}

function accepted(exchange: Exchange, check: RequestCheck, value: unknown): unknown {
  if (check.accepts(value)) return value;
  const { shapeErrors } = exchange;
  const errors = check.errors(value, shapeErrors?.next);
  shapeErrors?.spend(errors.length);
  sendProblem(exchange, 'invalid_request', { errors });
  return REFUSED;
}

function isJsonType(contentType: string): boolean {
  return contentType === 'application/json' || JSON_TYPE_PATTERN.test(contentType);
}

const JSON_TYPE_PATTERN = /^application\/json *(; *charset="?utf-8"? *)?$/i;

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return REFUSED;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return REFUSED;
  }
}
