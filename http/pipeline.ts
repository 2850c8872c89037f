// The way of a request to its handler, the same for every route: shape, then identity, then the handler. The order of
// checks is the contract's: 400, 401, 404, 403, 409, 422; what concerns the transport (413, 415) comes before.
import { isUtf8 } from 'node:buffer';
import type { Exchange } from './exchange.js';
import type { Game } from './game.js';
import { bearerKey } from './identity.js';
import { refuse } from './problems.js';
import type { Access, BodyRule, ParameterRule, Route } from './route.js';
import { compileRequestCheck, type RequestCheck } from './schema-check.js';
import type { Endpoint } from './server.js';

/** Stands for a body that was refused; the exchange is answered. */
const REFUSED = Symbol('refused');

/** Makes a route something a server can mount. @throws Error where its request schema has a gap */
export function endpointOf(route: Route, game: Game): Endpoint {
  const { parameters, access, body: bodyRule } = route;
  const check = bodyRule === null ? null : compileRequestCheck(bodyRule.schema, route.operationId);
  return {
    method: route.method,
    path: route.path,
    handle(exchange) {
      if (!acceptsQuery(exchange) || !acceptsParameters(exchange, parameters)) return;
      const body = bodyRule === null || check === null ? undefined : readBody(exchange, bodyRule, check);
      if (body === REFUSED || !identifies(game, exchange, access)) return;
      game.enter(exchange);
      route.handle(game, exchange, body);
    },
  };
}

/** No path takes a query: one that is sent is a mistake that would otherwise go unnoticed. */
function acceptsQuery(exchange: Exchange): boolean {
  if (exchange.query === '') return true;
  refuse(exchange, 'invalid_request', { detail: 'This path takes no query parameters.' });
  return false;
}

/** Decodes the path parameters, once, and checks those that are numbers. */
function acceptsParameters(exchange: Exchange, rules: readonly ParameterRule[]): boolean {
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index] as ParameterRule;
    const text = decoded(exchange.parameters[index] as string);
    const fault = text === null ? 'must be percent-encoded UTF-8' : faultOf(text, rule);
    if (text === null || fault !== null) {
      refuse(exchange, 'invalid_request', { errors: [{ path: rule.name, message: fault ?? '' }] });
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

function faultOf(text: string, { minimum, maximum }: ParameterRule): string | null {
  if (minimum === undefined || maximum === undefined) return null;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? null : `must be an integer from ${minimum} to ${maximum}`;
}

/** The body as its schema says it is, or REFUSED. */
function readBody(exchange: Exchange, rule: BodyRule, check: RequestCheck): unknown {
  const bytes = exchange.body;
  if (bytes === null || bytes.length === 0) {
    if (rule.isOptional === true) return {};
    refuse(exchange, 'malformed_json', { detail: 'This path needs a JSON body.' });
    return REFUSED;
  }
  if (!isJsonType(exchange.contentType)) {
    refuse(exchange, 'unsupported_media_type');
    return REFUSED;
  }
  const value = parseJson(bytes);
  if (value === REFUSED) {
    refuse(exchange, 'malformed_json');
    return REFUSED;
  }
  if (check.accepts(value)) return value;
  refuse(exchange, 'invalid_request', { errors: check.errors(value) });
  return REFUSED;
}

function isJsonType(contentType: string): boolean {
  return contentType === 'application/json' || JSON_TYPE_PATTERN.test(contentType);
}

const JSON_TYPE_PATTERN = /^application\/json *(; *charset="?utf-8"? *)?$/i;

function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) return REFUSED;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return REFUSED;
  }
}

/** Finds out who asks. @returns false where that is not enough for this path; the exchange is answered then */
function identifies(game: Game, exchange: Exchange, access: Access): boolean {
  if (access === 'public') return true;
  if (access !== 'admin' && game.settings.auth === 'none') return true;
  const key = bearerKey(exchange.authorization);
  if (access !== 'player' && key !== '' && game.adminKey?.matches(key)) return true;
  if (access !== 'admin') exchange.callerNumber = game.keys.playerNumber(key);
  if (access === 'player' && exchange.callerNumber > 0) return true;
  refuse(exchange, access === 'development' && exchange.callerNumber > 0 ? 'forbidden' : 'unauthenticated');
  return false;
}
