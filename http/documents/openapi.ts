// The OpenAPI 3.1 document, derived from the route table and the schemas that check requests.
import type { Rules } from '../../engine/rules/rules.js';
import { JSON_TYPE, PROBLEM_TYPE } from '../exchange/exchange.js';
import { PROBLEMS, type ProblemCode, type ProblemRule, problemType } from '../exchange/problems.js';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../limits.js';
import { errorsOf, type ParameterRule, type Route } from '../pipeline/route.js';
import { ROUTES } from '../routes/table.js';
import { PROBLEM_FACTS } from '../schemas/examples.js';
import { withTypeNames } from '../schemas/type-names.js';
import { Problem } from '../schemas/world.js';
import { VERSION } from '../version.js';
import { type Json, type JsonObject, referenced, schemaComponents } from './openapi-schemas.js';

/** @param rules of the world: their type names are the document's enumerations */
export function openApiDocument(rules: Rules): JsonObject {
  return withTypeNames(
    {
      openapi: '3.1.0',
      info: {
        title: 'galaxyd',
        version: VERSION,
        description:
          'A multiplayer space-conquest world that is played by programs. ' +
          'Times are ISO 8601 in UTC; amounts are whole units.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: [...new Set(ROUTES.map(({ tag }) => tag))].map((name) => ({ name })),
      paths: paths(),
      components: {
        schemas: schemaComponents(),
        examples: Object.fromEntries([...PROBLEMS.keys()].map((code) => [code, { value: problemExample(code) }])),
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'API key of a player; required only with --auth key.',
          },
          adminKey: { type: 'http', scheme: 'bearer', description: 'Admin key of the operator.' },
        },
      },
    },
    rules,
  );
}

function paths(): JsonObject {
  const byPath: Record<string, Record<string, Json>> = {};
  for (const route of ROUTES) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    byPath[path] = { ...byPath[path], [route.method.toLowerCase()]: operation(route) };
  }
  return byPath;
}

function operation(route: Route): JsonObject {
  const { operationId, tag, summary, description, body } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...parametersOf(route),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: body.isOptional !== true,
            content: { [JSON_TYPE]: { schema: referenced(body.schema), example: body.example as Json } },
          },
        }),
    security: security(route),
    responses: { ...successes(route), ...failures(route) },
  };
}

function parametersOf({ method, parameters, query }: Route): JsonObject {
  const inPath = parameters.map((rule) => parameter(rule, 'path'));
  const inQuery = query.map((rule) => parameter(rule, 'query'));
  const all = [...inPath, ...inQuery, ...(method === 'GET' ? [] : [IDEMPOTENCY_KEY_PARAMETER])];
  return all.length === 0 ? {} : { parameters: all };
}

const IDEMPOTENCY_KEY_PARAMETER: JsonObject = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  description:
    'Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the ' +
    'same key, it gets the first reply again and changes nothing.',
  example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX, pattern: '^[!-~]+$' },
};

function parameter(rule: ParameterRule, place: 'path' | 'query'): JsonObject {
  const { name, description, example, minimum, maximum, pattern } = rule;
  const isInteger = minimum !== undefined && maximum !== undefined;
  return {
    name,
    in: place,
    required: place === 'path',
    description,
    example,
    schema: isInteger
      ? { type: 'integer', minimum, maximum }
      : { type: 'string', ...(pattern === undefined ? {} : { pattern: pattern.source }) },
  };
}

/** An empty requirement means that no key is needed: without --auth key, players have none. */
function security({ access }: Route): Json {
  switch (access) {
    case 'public':
      return [];
    case 'player':
      return [{}, { apiKey: [] }];
    case 'development':
      return [{}, { adminKey: [] }];
    case 'admin':
      return [{ adminKey: [] }];
  }
}

function successes(route: Route): JsonObject {
  const replies = route.replies.map(({ status, description, schema, example, contentType }): [string, JsonObject] => [
    String(status),
    {
      description,
      headers: headers(route),
      content: { [contentType ?? JSON_TYPE]: { schema: referenced(schema), example: example as Json } },
    },
  ]);
  const notModified: [string, JsonObject][] =
    route.method === 'GET'
      ? [['304', { description: 'Nothing has changed except that time has passed.', headers: headers(route) }]]
      : [];
  return Object.fromEntries([...replies, ...notModified]);
}

function headers(route: Route): JsonObject {
  const tag = { etag: { description: 'Entity tag, for If-None-Match.', schema: { type: 'string' } } };
  const replayed = {
    'idempotency-replayed': {
      description: 'Present if this is the reply to the first request with this Idempotency-Key.',
      schema: { const: 'true' },
    },
  };
  return {
    'x-request-id': { description: 'Identifies the request in the log of the server.', schema: { type: 'string' } },
    'x-world-time': { description: 'World time of the reply.', schema: { type: 'string', format: 'date-time' } },
    ...(route.method === 'GET' ? tag : {}),
    ...(route.method === 'GET' ? {} : replayed),
  };
}

/** One response for each status, with an example for each of its codes. */
function failures(route: Route): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of errorsOf(route)) {
    const { status } = PROBLEMS.get(code) as ProblemRule;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), failure(codes)]));
}

function failure(codes: readonly ProblemCode[]): JsonObject {
  const examples = codes.map((code): [string, Json] => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { [PROBLEM_TYPE]: { schema: referenced(Problem), examples: Object.fromEntries(examples) } },
  };
}

function problemExample(code: ProblemCode): JsonObject {
  const { title, status, retryAfterMs } = PROBLEMS.get(code) as ProblemRule;
  const waiting: JsonObject = retryAfterMs === undefined ? {} : { retryAfterMs };
  return {
    type: problemType(code),
    title,
    status,
    detail: title,
    code,
    requestId: 'Zm9vYmE-001',
    ...waiting,
    ...PROBLEM_FACTS[code],
  };
}
