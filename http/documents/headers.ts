// The header fields of requests and replies, one row each: the OpenAPI document, docs/api.md and the contract test
// derive from the rows.

import { isWrite } from '../exchange/exchange.js';
import { PROBLEMS } from '../exchange/problems.js';
import { ENTITY_TAGS_LENGTH_MAX, IDEMPOTENCY_KEY_LENGTH_MAX, MIN_SEQ_DIGITS_MAX, MIN_SEQ_WAIT_MS } from '../limits.js';
import { errorsOf, isStream, type Route } from '../pipeline/route.js';
import type { JsonObject } from './openapi-schemas.js';

interface Header {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export interface RequestHeader extends Header {
  readonly example: string;
  isTakenBy(route: Route): boolean;
}

export interface ResponseHeader extends Header {
  /** True if every reply has it that may have it. */
  readonly isAlwaysSent: boolean;
  /** Whether a reply of a route with this status may have it. */
  isOn(route: Route, status: number): boolean;
}

/** Replies with a page for browsers or one of its files. */
function isOfPage({ path }: Route, status: number): boolean {
  return /^\/(docs|dashboard)(\/|$)/.test(path) && status < 400;
}

/** What reads or changes the world. */
function usesWorld({ worldUse, isCommand }: Route): boolean {
  return isCommand || worldUse !== 'none';
}

function isOpenStream(route: Route, status: number): boolean {
  return isStream(route) && status < 400;
}

export const REQUEST_HEADERS: readonly RequestHeader[] = [
  {
    name: 'Idempotency-Key',
    description:
      'Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the ' +
      'same key, it gets the first reply again and changes nothing.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX, pattern: '^[!-~]+$' },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
    isTakenBy: ({ method }) => isWrite(method),
  },
  {
    name: 'If-Match',
    description:
      'Entity tags of earlier replies. The request is carried out only if one of them is still current; `*` matches any.',
    schema: { type: 'string', maxLength: ENTITY_TAGS_LENGTH_MAX },
    example: '"jhzuT9jDrQ1p"',
    isTakenBy: ({ errors }) => errors.includes('precondition_failed'),
  },
  {
    name: 'If-None-Match',
    description:
      'Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches ' +
      'any.',
    schema: { type: 'string' },
    example: 'W/"3kq0ix-7"',
    isTakenBy: (route) => route.method === 'GET' && !isStream(route),
  },
  {
    name: 'Last-Event-ID',
    description: 'Id of the last event that the client has received. It takes precedence over since.',
    schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
    example: '7',
    isTakenBy: isStream,
  },
  {
    name: 'x-min-seq',
    description:
      'Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not ' +
      `applied the entry yet waits for it, up to ${MIN_SEQ_WAIT_MS} ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.`,
    schema: { type: 'string', pattern: `^[0-9]{1,${MIN_SEQ_DIGITS_MAX}}$` },
    example: '1042',
    isTakenBy: usesWorld,
  },
  {
    name: 'Prefer',
    description: '`return=minimal` asks for a reply with only what the next command needs (RFC 7240).',
    schema: { type: 'string' },
    example: 'return=minimal',
    isTakenBy: ({ minimal }) => minimal !== null,
  },
];

export const RESPONSE_HEADERS: readonly ResponseHeader[] = [
  {
    name: 'x-request-id',
    description: 'Identifies the request in the log of the server.',
    schema: { type: 'string' },
    isAlwaysSent: true,
    isOn: () => true,
  },
  {
    name: 'x-world-time',
    description: 'World time of the reply. Every reply has it except the refusal `recovering`: there is no world yet.',
    schema: { type: 'string', format: 'date-time' },
    isAlwaysSent: false,
    isOn: () => true,
  },
  {
    name: 'x-world-seq',
    description:
      'Only if several processes serve the world. Seq of an entry of the log: the reply shows the world after it, and it is durable, ' +
      'so that no failover undoes it. As x-min-seq of a later request, it makes any process show at least this.',
    schema: { type: 'integer', minimum: 0 },
    isAlwaysSent: false,
    isOn: usesWorld,
  },
  {
    name: 'Location',
    description: 'Where the leader takes this request, if another process leads the world.',
    schema: { type: 'string', format: 'uri' },
    isAlwaysSent: true,
    isOn: (_route, status) => status === 421,
  },
  {
    name: 'ETag',
    description: 'Entity tag, for If-None-Match.',
    schema: { type: 'string' },
    isAlwaysSent: true,
    isOn: (route, status) => route.method === 'GET' && !isStream(route) && status < 400,
  },
  {
    name: 'RateLimit-Policy',
    description: 'The rate limit of the caller, if there is one: q tokens of a full bucket, which fills in w seconds.',
    schema: { type: 'string' },
    isAlwaysSent: false,
    isOn: () => true,
  },
  {
    name: 'RateLimit',
    description: 'What is left of the rate limit: r tokens, and t seconds until the bucket is full.',
    schema: { type: 'string' },
    isAlwaysSent: false,
    isOn: () => true,
  },
  {
    name: 'Idempotency-Replayed',
    description: 'Present if this is the reply to the first request with this Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
    isAlwaysSent: false,
    isOn: ({ method }, status) => isWrite(method) && (status < 400 || status === 500),
  },
  {
    name: 'Preference-Applied',
    description: 'Present if the reply is in the form that Prefer asked for.',
    schema: { type: 'string', const: 'return=minimal' },
    isAlwaysSent: false,
    isOn: ({ minimal }, status) => minimal !== null && status < 400,
  },
  {
    name: 'Content-Security-Policy',
    description: 'What the pages /docs and /dashboard may load: nothing from other hosts.',
    schema: { type: 'string' },
    isAlwaysSent: true,
    isOn: isOfPage,
  },
  {
    name: 'X-Content-Type-Options',
    description: 'Browsers must not guess another type.',
    schema: { type: 'string' },
    isAlwaysSent: true,
    isOn: isOfPage,
  },
  {
    name: 'Referrer-Policy',
    description: 'Browsers send no referrer.',
    schema: { type: 'string' },
    isAlwaysSent: true,
    isOn: isOfPage,
  },
  {
    name: 'Cache-Control',
    description:
      '`no-cache` for the pages /docs and /dashboard and their files: a browser asks whether they have changed; `no-store` for a stream.',
    schema: { type: 'string' },
    isAlwaysSent: true,
    isOn: (route, status) => isOfPage(route, status) || isOpenStream(route, status),
  },
  {
    name: 'X-Accel-Buffering',
    description: 'A proxy must pass on each event at once.',
    schema: { type: 'string', const: 'no' },
    isAlwaysSent: true,
    isOn: isOpenStream,
  },
  {
    name: 'Content-Encoding',
    description:
      'The files of the pages /docs and /dashboard are compressed, unless Accept-Encoding does not allow it.',
    schema: { type: 'string', const: 'gzip' },
    isAlwaysSent: false,
    isOn: (route, status) => isOfPage(route, status) && route.path.includes('.'),
  },
  {
    name: 'Vary',
    description:
      'The request header that decides which form of the file is sent. If `--cors-origins` lists origins, every reply has `Vary: Origin`.',
    schema: { type: 'string' },
    isAlwaysSent: false,
    isOn: (route, status) => isOfPage(route, status) && route.path.includes('.'),
  },
  {
    name: 'Accept',
    description: 'The type that the body must have, if it has another one (RFC 9110, section 12.5.1).',
    schema: { type: 'string', const: 'application/json' },
    isAlwaysSent: false,
    isOn: (_route, status) => status === 415,
  },
  {
    name: 'Accept-Encoding',
    description: 'That the body must have no content coding, if it has one (RFC 9110, section 12.5.3).',
    schema: { type: 'string', const: 'identity' },
    isAlwaysSent: false,
    isOn: (_route, status) => status === 415,
  },
  {
    name: 'WWW-Authenticate',
    description: 'How to authenticate: with a key as bearer token.',
    schema: { type: 'string', const: 'Bearer' },
    isAlwaysSent: true,
    isOn: (_route, status) => status === 401,
  },
  {
    name: 'Retry-After',
    description: 'Seconds after which the same request may succeed; retryAfterMs in the body is more exact.',
    schema: { type: 'integer', minimum: 1 },
    isAlwaysSent: false,
    isOn: (route, status) => status === 429 || retriedStatuses(route).includes(status),
  },
];

/** The statuses of errors after which the same request may succeed. */
function retriedStatuses(route: Route): readonly (number | undefined)[] {
  const rules = errorsOf(route).map((code) => PROBLEMS.get(code));
  return rules.filter((rule) => rule?.retryAfterMs !== undefined).map((rule) => rule?.status);
}
