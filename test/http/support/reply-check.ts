// Checks every reply against the route table: its status is one of the operation, its body fits the schema and has no
// further fields, and a problem is one that the operation names. Clients of the tests send every reply through here.

import type { TSchema } from 'typebox';
import { PROBLEMS, type ProblemCode } from '../../../http/exchange/problems.js';
import { errorsOf, isStream, type Route } from '../../../http/pipeline/route.js';
import { ROUTES } from '../../../http/routes/table.js';
import { Problem } from '../../../http/schemas/world.js';
import { RouteIndex } from '../../../http/server/route-index.js';
import { Compile } from '../../../persistence/typebox.js';

export interface CheckedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What has been answered so far in this process: operation and status, as in `getState 200`. */
export const answered = new Set<string>();

/** Called with every reply that is checked, first of all. */
export const observers: ((method: string, route: Route | undefined, reply: CheckedReply) => void)[] = [];

const index = new RouteIndex<Route>(ROUTES);
const validators = new Map<TSchema, (value: unknown) => string | undefined>();

/**
 * @param path without its query
 * @throws Error that names how the reply differs from the route table
 */
export function checkReply(method: string, path: string, reply: CheckedReply): void {
  const route = routeOf(method, path);
  for (const observe of observers) observe(method, route, reply);
  const name = `${method} ${path} → ${reply.status}`;
  requireHead(name, reply);
  if (reply.status === 304) {
    if (route?.method !== 'GET' || isStream(route)) throw new Error(`${name}: this path has no entity tag`);
    return;
  }
  if (reply.status >= 400) {
    checkProblem(name, method, route, reply);
    return;
  }
  const rule = route?.replies.find(({ status }) => status === reply.status);
  if (rule === undefined) throw new Error(`${name}: not a status of this operation`);
  answered.add(`${route?.operationId} ${reply.status}`);
  const isTagged = route?.method === 'GET' && !isStream(route);
  if (isTagged !== 'etag' in reply.headers) throw new Error(`${name}: etag ${reply.headers['etag']}`);
  requireType(name, reply, rule.contentType ?? 'application/json');
  if (rule.contentType !== undefined) return;
  if (method !== 'HEAD') requireShape(name, schemaOf(route, rule.schema, reply), reply.text);
}

/** The schema of the whole reply, or of the short one if the reply says that it is that. */
function schemaOf(route: Route | undefined, whole: TSchema, { headers }: CheckedReply): TSchema {
  return 'preference-applied' in headers && route !== undefined && route.minimal !== null ? route.minimal : whole;
}

/** The route of a request. */
export function routeOf(method: string, path: string): Route | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return index.find(wanted, path).match?.endpoint;
}

function checkProblem(name: string, method: string, route: Route | undefined, reply: CheckedReply): void {
  requireType(name, reply, 'application/problem+json');
  if (method === 'HEAD') return;
  const problem = requireShape(name, Problem, reply.text) as { code: ProblemCode; status: number; requestId: string };
  const rule = PROBLEMS.get(problem.code);
  if (rule?.status !== reply.status || problem.status !== reply.status) {
    throw new Error(`${name}: the code ${problem.code} does not go with this status`);
  }
  if (problem.requestId !== reply.headers['x-request-id']) throw new Error(`${name}: requestId is not the header's`);
  if (route !== undefined && !errorsOf(route).includes(problem.code)) {
    throw new Error(`${name}: ${route.operationId} does not name the error ${problem.code}`);
  }
}

/** What every reply carries. */
function requireHead(name: string, { status, headers, text }: CheckedReply): void {
  if (!/^[\w-]{3,40}$/.test(headers['x-request-id'] ?? '')) throw new Error(`${name}: x-request-id is missing`);
  // Before there is a world there is no time of it.
  if (status === 503 && !('x-world-time' in headers) && (text === '' || text.includes('"code":"recovering"'))) return;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(headers['x-world-time'] ?? '')) {
    throw new Error(`${name}: x-world-time is ${headers['x-world-time']}`);
  }
}

function requireType(name: string, { headers }: CheckedReply, type: string): void {
  if (headers['content-type'] !== type) throw new Error(`${name}: content-type is ${headers['content-type']}`);
}

function requireShape(name: string, schema: TSchema, text: string): unknown {
  const value: unknown = JSON.parse(text);
  const fault = validatorOf(schema)(value);
  if (fault !== undefined) throw new Error(`${name}: ${fault}\n${text.slice(0, 2_000)}`);
  return value;
}

function validatorOf(schema: TSchema): (value: unknown) => string | undefined {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validator = Compile(closed(schema) as TSchema);
  const check = (value: unknown): string | undefined => {
    if (validator.Check(value)) return undefined;
    const faults = validator.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`);
    return faults.slice(0, 5).join('; ');
  };
  validators.set(schema, check);
  return check;
}

/** The same schema closed to fields that it does not name; every field that agents read must be in the document. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}
