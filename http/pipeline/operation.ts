// The path of a request to its handler, the same for every route, from top to bottom: shape, replica gate, instant, identity, kept
// reply, handler, and for a command what it changes. The checks are made in the order of their statuses (specification, section 3): 400, 401, 404, 403, 409, 422.
// What concerns the transport (413, 415) comes before. Replies.send() holds each reply until what it depends on is durable.
import { isUtf8 } from 'node:buffer';
import type { Audit } from '../admission/audit.js';
import { type RequestCheck, requestCheckOf } from '../checks/schema-check.js';
import { PerRuleSet } from '../checks/world-rules.js';
import { type Exchange, isWrite, JSON_TYPE, type Method, type RequestTrace } from '../exchange/exchange.js';
import { type ProblemFacts, sendProblem } from '../exchange/problems.js';
import type { Access } from '../game/access.js';
import type { GamePorts } from '../game/game-ports.js';
import type { Replies } from '../game/replies.js';
import { BODY_BYTES_MAX, BODY_BYTES_PER_TOKEN } from '../limits.js';
import type { Gate, GatedOperation } from '../replica/gate.js';
import type { Endpoint, Gatekeeper } from '../server/receiver.js';
import type { RouteCounts, ServerCounts } from '../server/request-counts.js';
import { acceptsKey, KeyedExchange, type KeyedPorts } from './idempotency.js';
import { KeyedExecution } from './keyed-execution.js';
import type { ActorPorts, BodyRule, BoundRoute, CommandHandler, HandledRoute, ParameterRule, Route } from './route.js';

/** What the steps before a handler need. */
export interface Steps extends KeyedPorts {
  readonly world: GamePorts['world'];
  readonly admission: Pick<Gatekeeper, 'admits'>;
  readonly gate: Gate;
  /** Records what operators do; null where nothing is recorded. */
  readonly audit: Pick<Audit, 'begin' | 'refused'> | null;
  /** Null where requests are not traced. */
  readonly trace: RequestTrace | null;
  readonly replies: KeyedPorts['replies'] & Pick<Replies, 'run' | 'joinsRun'>;
  readonly access: KeyedPorts['access'] & Pick<Access, 'identifies'>;
}

/** Stands for a body that was refused; the exchange is answered. */
const REFUSED = Symbol('refused');

/** A route that this process serves: what the server mounts, and what batches and calls over a WebSocket run. */
export class Operation implements Endpoint, GatedOperation {
  readonly route: Route;
  readonly method: Method;
  readonly path: string;
  readonly bodyBytesMax: number;
  readonly isHeavy: boolean;
  readonly takesSeat: boolean;
  readonly cost: number;
  readonly isCommand: boolean;
  readonly worldUse: Route['worldUse'];
  // Copied from the route, since routes have many shapes: V8 reads fields of objects of one shape without a lookup.
  readonly #access: Route['access'];
  readonly #query: readonly ParameterRule[];
  readonly #parameters: readonly ParameterRule[];
  readonly #body: BodyRule | null;
  readonly #takesPreference: boolean;
  readonly #handle: BoundRoute['handle'];
  /** Counts of the requests of all operations of its path. */
  readonly counts: RouteCounts;
  /** Counts of the calls over WebSockets. */
  readonly callCounts: RouteCounts;
  /** The names of types change with the rules. */
  readonly #check: PerRuleSet<RequestCheck> | null;

  /** @throws Error if the route's request schema accepts values that nothing checks */
  constructor(
    private readonly bound: BoundRoute,
    private readonly steps: Steps,
    counts: ServerCounts,
  ) {
    const { route } = bound;
    const { body, operationId } = route;
    this.counts = counts.ofRoute(route.path);
    this.callCounts = counts.ofCalls(operationId, route.path);
    this.route = route;
    this.method = route.method;
    this.path = route.path;
    this.isHeavy = route.isHeavy;
    this.takesSeat = route.isHeavy && body !== null;
    this.cost = route.cost;
    this.isCommand = route.isCommand;
    this.worldUse = route.worldUse;
    this.#access = route.access;
    this.#query = route.query;
    this.#parameters = route.parameters;
    this.#body = body;
    this.#takesPreference = route.minimal !== null;
    this.#handle = bound.handle;
    this.bodyBytesMax = body?.bytesMax ?? BODY_BYTES_MAX;
    this.#check =
      body === null ? null : new PerRuleSet(steps.world, (rules) => requestCheckOf(body.schema, rules, operationId));
  }

  // The shape: of a request of its own, of one that is part of a batch, or of a call over a WebSocket.

  serve(exchange: Exchange): void {
    this.#trace(exchange, exchange.body ?? undefined);
    if (!this.#paysForBody(exchange) || !this.#acceptsTarget(exchange)) return;
    if (this.#takesPreference && exchange.prefer !== '') exchange.isMinimal = PREFERS_MINIMAL.test(exchange.prefer);
    const check = this.#check;
    this.runChecked(exchange, check === null ? undefined : readBody(exchange, check.present));
  }

  /**
   * Checks the shape of one that is part of a batch, or comes over a WebSocket. Its body is parsed already; undefined if
   * it has none. Looks only at the request. The exchange is done if it is refused.
   *
   * @returns the body for runChecked()
   */
  check(part: Exchange, value: unknown): unknown {
    this.#trace(part, value);
    return this.#acceptsTarget(part) ? checkedBody(part, this.#body, this.bodyCheck, value) : REFUSED;
  }

  /** check() with a body that bodyCheck has read; see PlainBodyReader. */
  checkRead(call: Exchange, body: unknown): unknown {
    this.#trace(call, body);
    return this.#acceptsTarget(call) ? body : REFUSED;
  }

  #trace(exchange: Exchange, body: unknown): void {
    const { trace } = this.steps;
    if (trace === null) return;
    const { method, path } = this;
    const parameters = exchange.parameters.values();
    const filled = path.replace(/:\w+/g, () => String(parameters.next().value));
    trace.begin(exchange, method, exchange.query === '' ? filled : `${filled}?${exchange.query}`, body);
  }

  /** The check of its body by the present rules; null if it takes none. */
  get bodyCheck(): RequestCheck | null {
    return this.#check?.present ?? null;
  }

  /** The length of a body is known only once it has arrived. A long one takes tokens before it is parsed. */
  #paysForBody(exchange: Exchange): boolean {
    const bytes = exchange.body?.length ?? 0;
    if (bytes < BODY_BYTES_PER_TOKEN) return true;
    return this.steps.admission.admits(exchange, Math.floor(bytes / BODY_BYTES_PER_TOKEN));
  }

  #acceptsTarget(exchange: Exchange): boolean {
    return acceptsQuery(exchange, this.#query) && acceptsParameters(exchange, this.#parameters);
  }

  // The gate: another process may have to take it, or this one may have to wait.

  /** @param body as its schema says it is: what readBody() or check() returned */
  runChecked(exchange: Exchange, body: unknown): void {
    const { idempotencyKey } = exchange;
    if (body === REFUSED || (idempotencyKey !== null && !acceptsKey(exchange, idempotencyKey))) return;
    this.steps.gate.pass(this, exchange, body);
  }

  changesWorld(body: unknown): boolean {
    return this.isCommand || this.bound.hasCommands(body);
  }

  // The instant: from here to the reply everything happens at one, and all changes are one unit in the log.

  proceed(exchange: Exchange, body: unknown): void {
    const { replies } = this.steps;
    // The frames of a turn share an instant: no closure for each.
    if (replies.joinsRun(exchange)) this.#identify(exchange, body);
    else replies.run(exchange, () => this.#identify(exchange, body));
  }

  // Identity: keys expire, so who asks depends on the instant.

  #identify(exchange: Exchange, body: unknown): void {
    exchange.isOperators = this.#access === 'admin';
    const { access, audit } = this.steps;
    const isIdentified = access.identifies(exchange, this.#access, this.method === 'GET');
    if (!isIdentified) {
      // The key of an operator may not be one that changes anything.
      if (exchange.isOperators) audit?.refused(exchange, this.route);
    } else if (audit !== null && exchange.operatorName !== '' && isWrite(this.method)) {
      const handled = audit.begin(exchange, this.route, body);
      this.#answer(exchange, body);
      handled();
    } else this.#answer(exchange, body);
  }

  // The kept reply of a repeated request, or the handler.

  #answer(exchange: Exchange, body: unknown): void {
    const { idempotencyKey } = exchange;
    if (idempotencyKey === null) this.#handle(exchange, body);
    else {
      const keyed = new KeyedExchange(this.steps, this.bound, exchange, idempotencyKey, body);
      new KeyedExecution(this.steps, keyed).run();
    }
  }
}

type CommandPorts = Pick<GamePorts, 'commands' | 'replies'>;
type AnyPorts = CommandPorts & ActorPorts;

/** Binds routes to what their handlers work with: the last step of the path. */
export function bound<Needed>(
  routes: readonly HandledRoute<Needed>[],
  ports: NoInfer<Needed> & AnyPorts,
): readonly BoundRoute[] {
  return routes.map((route) => {
    const { handler } = route;
    const status = route.replies[0]?.status;
    return {
      route,
      actor: (exchange, body) => handler.actor(ports, exchange, body),
      hasCommands: (body) => handler.hasCommands?.(ports, body) === true,
      handle:
        'command' in handler
          ? (exchange, body) => carryOut<Needed & AnyPorts>(handler, status, ports, exchange, body)
          : (exchange, body) => handler.handle(ports, exchange, body),
    };
  });
}

/** Carries out the command of a request, and answers with its result. */
function carryOut<Ports extends CommandPorts>(
  handler: CommandHandler<Ports>,
  status: number | undefined,
  ports: Ports,
  exchange: Exchange,
  body: unknown,
): void {
  const command = handler.command(ports, exchange, body);
  if (command === null) return;
  const outcome = ports.commands.submit(exchange, command);
  if (outcome === null) return;
  if (exchange.isMinimal && handler.minimalReply !== null) {
    ports.replies.answerMinimal(exchange, handler.minimalReply(ports, outcome, body), status);
  } else {
    const reply = exchange.wantsBody ? handler.reply(ports, outcome, body) : '';
    ports.replies.answerLatest(exchange, reply, status);
  }
}

/** Routes of a mode that this process is not in: all of their requests are refused. */
export function refused<Needed>(
  routes: readonly HandledRoute<Needed>[],
  ports: ActorPorts,
  refuse: (exchange: Exchange) => void,
): readonly BoundRoute[] {
  return routes.map((route) => ({
    route,
    actor: (exchange, body) => route.handler.actor(ports, exchange, body),
    hasCommands: () => false,
    handle: refuse,
  }));
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

function faultOf(text: string, { minimum, maximum, form }: ParameterRule): string | null {
  if (form !== undefined) return form.pattern.test(text) ? null : `must be ${form.words}`;
  if (minimum === undefined || maximum === undefined) return null;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? null : `must be an integer from ${minimum} to ${maximum}`;
}

/** The body as its schema says it is, or REFUSED. The refusal of a request without one names what is missing from it. */
function readBody(exchange: Exchange, check: RequestCheck): unknown {
  const bytes = exchange.body;
  const isEmpty = bytes === null || bytes.length === 0;
  if (isEmpty && !exchange.isFromForeignPage) return accepted(exchange, check, {});
  if (!isJsonType(exchange.contentType)) {
    sendProblem(exchange, 'unsupported_media_type', { headers: ['accept', JSON_TYPE] });
    return REFUSED;
  }
  if (!isPlain(exchange.contentEncoding)) {
    sendProblem(exchange, 'unsupported_media_type', NO_CODINGS);
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
  return contentType === JSON_TYPE || JSON_TYPE_PATTERN.test(contentType);
}

/** Whether a body has no content coding (RFC 9110, section 8.4). */
function isPlain(contentEncoding: string): boolean {
  return contentEncoding === '' || contentEncoding.toLowerCase() === 'identity';
}

const NO_CODINGS: ProblemFacts = {
  detail: 'The body must have no content coding.',
  remedy: 'Send it as it is, without the header Content-Encoding.',
  headers: ['accept-encoding', 'identity'],
};

/** RFC 7240, section 4.2; other preferences may be present. */
const PREFERS_MINIMAL = /(^|[,;]\s*)return\s*=\s*"?minimal"?\s*($|[,;])/i;

const JSON_TYPE_PATTERN = /^application\/json *(; *charset="?utf-8"? *)?$/i;

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return REFUSED;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return REFUSED;
  }
}
