// The OpenAPI 3.1 document, derived from the route table and the schemas that check requests.
import type { TSchema } from 'typebox';
import type { Rules } from '../../engine/rules/rules.js';
import { withTypeNames } from '../checks/schema-check.js';
import { JSON_TYPE, PROBLEM_TYPE } from '../exchange/exchange.js';
import { PROBLEMS, type ProblemCode, type ProblemRule } from '../exchange/problems.js';
import { CHAPTERS, errorsOf, isStream, type ParameterRule, type Route } from '../pipeline/route.js';
import { ROUTES } from '../routes/table.js';
import { Problem } from '../schemas/world.js';
import { VERSION } from '../version.js';
import { REQUEST_HEADERS, RESPONSE_HEADERS, type RequestHeader, type ResponseHeader } from './headers.js';
import { integersFrom, type Json, type JsonObject, referenced, schemaComponents } from './openapi-schemas.js';
import { type OperationExample, RECORDED } from './recorded-examples.js';

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
          'Times are ISO 8601 in UTC; amounts are whole units. Examples are replies of a small world of seed 1, in which ' +
          'lists of more than five entries are cut to three.',
        contact: { name: 'The operator of this server' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server.' }],
      tags: [...new Set(ROUTES.map(({ tag }) => tag))].map((name) => ({ name, description: CHAPTERS[name].about })),
      paths: paths(),
      components: {
        schemas: schemaComponents(),
        parameters: Object.fromEntries(REQUEST_HEADERS.map((header) => [header.name, headerParameter(header)])),
        headers: Object.fromEntries(RESPONSE_HEADERS.map((header) => [header.name, responseHeader(header)])),
        examples: Object.fromEntries(
          documentedErrors().map((code) => [code, { value: RECORDED.problems[code] ?? {} }]),
        ),
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'API key of a player; required only with --auth key.',
          },
          spectatorKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'Key that --spectator-key gives: it reads what is public, and all fleets, and nothing else.',
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
    description,
    ...parametersOf(route),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: body.isOptional !== true,
            content: {
              [JSON_TYPE]: { schema: referenced(body.schema), ...exampleIn({ example: recordedOf(route)?.body }) },
            },
          },
        }),
    security: security(route),
    responses: { ...successes(route), ...failures(route) },
  };
}

function parametersOf(route: Route): JsonObject {
  const examples = recordedOf(route)?.parameters ?? {};
  const inPath = route.parameters.map((rule) => parameter(rule, 'path', examples[rule.name]));
  const inQuery = route.query.map((rule) => parameter(rule, 'query', rule.example));
  const taken = REQUEST_HEADERS.filter((header) => header.isTakenBy(route));
  const inHead = taken.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }));
  const all = [...inPath, ...inQuery, ...inHead];
  return all.length === 0 ? {} : { parameters: all };
}

function headerParameter({ name, description, schema, example }: RequestHeader): JsonObject {
  return { name, in: 'header', required: false, description, example, schema };
}

function responseHeader({ description, isAlwaysSent, schema }: ResponseHeader): JsonObject {
  return { description, required: isAlwaysSent, schema: referenced(schema) };
}

function parameter(rule: ParameterRule, place: 'path' | 'query', example: Json | undefined): JsonObject {
  const { name, description, minimum, maximum, form } = rule;
  const isInteger = minimum !== undefined && maximum !== undefined;
  return {
    name,
    in: place,
    required: place === 'path',
    description,
    ...exampleIn({ example }),
    schema: isInteger
      ? integersFrom(minimum, maximum)
      : { type: 'string', ...(form === undefined ? {} : { pattern: form.pattern.source }) },
  };
}

/** An empty requirement means that no key is needed: without --auth key, players have none. */
function security({ access, method }: Route): Json {
  switch (access) {
    case 'public':
      return [];
    case 'player':
      return method === 'GET' ? [{}, { apiKey: [] }, { adminKey: [] }] : [{}, { apiKey: [] }];
    case 'spectator':
      return [{}, { apiKey: [] }, { spectatorKey: [] }, { adminKey: [] }];
    case 'observer':
      return [{}, { spectatorKey: [] }, { adminKey: [] }];
    case 'development':
      return [{}, { adminKey: [] }];
    case 'admin':
      return [{ adminKey: [] }];
  }
}

function successes(route: Route): JsonObject {
  const replies = route.replies.map(({ status, description, schema, contentType }): [string, JsonObject] => [
    String(status),
    {
      description,
      headers: headers(route, status),
      content: {
        [contentType ?? JSON_TYPE]: {
          ...replyMedia(route, schema, recordedOf(route)?.replies[status]),
        },
      },
    },
  ]);
  const notModified: [string, JsonObject][] =
    route.method === 'GET' && !isStream(route)
      ? [['304', { description: 'Nothing has changed except that time has passed.', headers: headers(route, 304) }]]
      : [];
  return Object.fromEntries([...replies, ...notModified]);
}

/** The whole reply or, with `Prefer: return=minimal`, the short one. */
function replyMedia(route: Route, schema: TSchema, example: Json | undefined): JsonObject {
  const { minimal } = route;
  if (minimal === null || minimal === schema) return { schema: referenced(schema), ...exampleIn({ example }) };
  const short = recordedOf(route)?.minimal;
  const examples = {
    ...(example === undefined ? {} : { whole: { value: example } }),
    ...(short === undefined ? {} : { minimal: { summary: 'With Prefer: return=minimal', value: short } }),
  };
  return { schema: { anyOf: [referenced(schema), referenced(minimal)] }, examples };
}

function headers(route: Route, status: number): JsonObject {
  const sent = RESPONSE_HEADERS.filter((header) => header.isOn(route, status));
  return Object.fromEntries(sent.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for each status, with an example for each of its codes. */
function failures(route: Route): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of errorsOf(route)) {
    const { status } = PROBLEMS.get(code) as ProblemRule;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), failure(route, status, codes)]));
}

function failure(route: Route, status: number, codes: readonly ProblemCode[]): JsonObject {
  const examples = codes.map((code): [string, Json] => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headers(route, status),
    content: { [PROBLEM_TYPE]: { schema: referenced(Problem), examples: Object.fromEntries(examples) } },
  };
}

/** The errors that some operation can answer with. Those of a path or method that does not exist are not among them. */
function documentedErrors(): ProblemCode[] {
  const codes = new Set(ROUTES.flatMap(errorsOf));
  return [...PROBLEMS.keys()].filter((code) => codes.has(code));
}

function recordedOf({ operationId }: Route): OperationExample | undefined {
  return RECORDED.operations[operationId];
}

/** A new route has no examples until they are recorded. */
function exampleIn({ example }: { readonly example: Json | undefined }): JsonObject {
  return example === undefined ? {} : { example };
}
