// The OpenAPI document: it is complete, it is valid OpenAPI 3.1, it contains every route of the table with its errors,
// and every example in it matches its schema.
import t from 'tap';
import type { TSchema } from 'typebox';
import { REQUEST_HEADERS } from '../../../http/documents/headers.js';
import { METHOD_NAMES } from '../../../http/exchange/exchange.js';
import { PROBLEMS, type ProblemCode } from '../../../http/exchange/problems.js';
import { errorsOf, isStream } from '../../../http/pipeline/route.js';
import { ROUTES } from '../../../http/routes/table.js';
import { Compile } from '../../../persistence/typebox.js';
import { begin } from '../support/serving.js';

interface Media {
  readonly schema?: unknown;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface Response {
  readonly description?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly example: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly securitySchemes: object;
    readonly examples?: object;
  };
}

const { client } = await begin(t);
const document = await client.read<Document>('/openapi.json');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

t.test('it is an OpenAPI 3.1 document with all that the standard requires', async (t) => {
  t.match(document.openapi, /^3\.1\.\d+$/);
  t.match(document.info, { title: 'galaxyd', version: /^\d+\.\d+\.\d+$/ });
  const tags = new Set(document.tags.map(({ name }) => name));
  const schemes = Object.keys(document.components.securitySchemes);
  t.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length, 'ids are unique');
  for (const { path, method, operation } of operations) {
    t.match(path, /^\/[\w/{}.-]*$/);
    t.ok(METHOD_NAMES.some((name) => name.toLowerCase() === method));
    t.ok(operation.tags.length > 0 && operation.tags.every((tag) => tags.has(tag)), `${path}: tags`);
    t.ok(operation.summary.length > 0 && operation.summary.length < 120, `${path}: summary`);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const route = ROUTES.find(({ operationId }) => operationId === operation.operationId);
    const { query: inQuery = [] } = route ?? {};
    const inHeader = REQUEST_HEADERS.filter(({ isTakenBy }) => route !== undefined && isTakenBy(route));
    const places = new Map([
      ...inPath.map((name) => [name, 'path'] as const),
      ...inQuery.map(({ name }) => [name, 'query'] as const),
      ...inHeader.map(({ name }) => [name, 'header'] as const),
    ]);
    const parameters = written(operation.parameters ?? []) as readonly Parameter[];
    t.same(
      parameters.map(({ name }) => name),
      [...places.keys()],
      `${path}: parameters`,
    );
    for (const parameter of parameters) {
      const place = places.get(parameter.name);
      t.match(parameter, { in: place, required: place === 'path', schema: { type: /./ } });
    }
    for (const requirement of operation.security)
      t.ok(Object.keys(requirement).every((name) => schemes.includes(name)));
    t.ok('200' in operation.responses || '201' in operation.responses, `${path}: succeeds`);
    for (const [status, response] of Object.entries(operation.responses)) {
      t.match(status, /^[2-5]\d\d$/);
      t.ok((response.description ?? '').length > 0, `${path} ${status}: description`);
    }
  }
});

t.test('every reference resolves, and the schemas contain only JSON Schema', async (t) => {
  const all = [...nodes(document)];
  t.same(
    all.filter(({ key, value }) => key === '$ref' && target(String(value)) === undefined),
    [],
  );
  t.same(
    all.filter(({ key }) => key.startsWith('~')),
    [],
  );
});

t.test('it contains every route of the table, and no other, with its replies and errors', async (t) => {
  const expected = ROUTES.map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
  t.same(operations.map(({ method, path }) => `${method} ${path}`).sort(), expected.sort());
  for (const route of ROUTES) {
    const operation = operations.find(({ operation }) => operation.operationId === route.operationId)?.operation;
    const replies = route.replies.map(({ status }) => String(status));
    const tagged = route.method === 'GET' && !isStream(route) ? ['304'] : [];
    const codes = errorsOf(route);
    const errors = new Set(codes.map((code) => String(PROBLEMS.get(code)?.status)));
    t.same(
      Object.keys(operation?.responses ?? {}).sort(),
      [...replies, ...tagged, ...errors].sort(),
      route.operationId,
    );
    t.equal(operation?.requestBody !== undefined, route.body !== null, route.operationId);
    t.same(codesOf(operation).sort(), [...codes].sort(), `${route.operationId}: errors`);
  }
});

t.test('an integer that may need more than 32 bits says so, and no other', async (t) => {
  const integers: [string, Readonly<Record<string, unknown>>][] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Readonly<Record<string, unknown>>;
    if ([node['type']].flat().includes('integer')) integers.push([path, node]);
    for (const [key, part] of Object.entries(node)) if (!/^examples?$/.test(key)) visit(part, `${path}/${key}`);
  };
  for (const path of ['/openapi.json', '/asyncapi.json']) visit(await client.read(path), path);
  for (const [path, { maximum, format, const: only, enum: some }] of integers) {
    const isShort = only !== undefined || some !== undefined || (typeof maximum === 'number' && maximum < 2 ** 31);
    t.equal(format, isShort ? undefined : 'int64', path);
  }
  const { components } = document;
  t.match(components.schemas['Planet'], {
    properties: { iron: { type: 'integer', format: 'int64' }, slot: { maximum: Number } },
  });
  t.match(components.headers['x-world-seq'], { schema: { format: 'int64' } });
});

t.test('every example matches its schema', async (t) => {
  let count = 0;
  for (const { path, operation } of operations) {
    const bodies = operation.requestBody === undefined ? [] : [operation.requestBody];
    for (const { content } of [...bodies, ...Object.values(operation.responses)]) {
      for (const [type, media] of Object.entries(content ?? {})) {
        for (const example of examplesOf(media)) {
          count += 1;
          t.same(faults(media.schema, example), [], `${path} ${type}`);
        }
      }
    }
    for (const { name, schema, example } of written(operation.parameters ?? []) as readonly Parameter[])
      t.same(faults(schema, example), [], `${path} ${name}`);
  }
  t.ok(count > 200, `${count} examples`);
});

t.test('a schema in the document accepts right values and refuses wrong ones', async (t) => {
  const { schemas } = document.components;
  t.same(faults(schemas['ShipCount'], { shipType: 'scout', count: 1 }), []);
  t.not(faults(schemas['ShipCount'], { shipType: 'castle', count: 1 }).length, 0);
  t.not(faults(schemas['Planet'], { id: 'planet-1-0-1' }).length, 0);
  for (const [name, schema] of Object.entries(schemas)) {
    t.doesNotThrow(() => Compile(written(schema) as TSchema), name);
    if (name.endsWith('Request')) t.not(faults(schema, { surprise: 1 }).length, 0, `${name} is closed`);
  }
});

t.test('an agent can play by the examples of the document alone', async (t) => {
  const { example } = operationOf('createPlayer').requestBody?.content['application/json'] ?? {};
  const created = await client.request('POST', '/api/game/player', { body: example });
  t.equal(created.status, 201);
});

function operationOf(operationId: string): Operation {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`the document has no operation ${operationId}`);
  return found.operation;
}

/** The codes of all problems in the examples of an operation's responses. */
function codesOf(operation: Operation | undefined): ProblemCode[] {
  const responses = Object.values(operation?.responses ?? {});
  return responses.flatMap(
    ({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {}) as ProblemCode[],
  );
}

function examplesOf({ example, examples = {} }: Media): unknown[] {
  const several = Object.values(examples).map((entry) => (written(entry) as { value: unknown }).value);
  return example === undefined ? several : [example, ...several];
}

function faults(schema: unknown, value: unknown): string[] {
  const errors = Compile(written(schema) as TSchema).Errors(value);
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A part of the document with its references resolved. */
function written(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(written);
  if (typeof part !== 'object' || part === null) return part;
  if ('$ref' in part) return written(target(String(part.$ref)));
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, written(value)]));
}

/** The target of a reference within the document. */
function target(reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let part: unknown = document;
  for (const step of reference.slice(2).split('/')) part = (part as Record<string, unknown> | undefined)?.[step];
  return part;
}

/** Every key of the document with its value and its path. */
function* nodes(part: unknown, at = '#'): Generator<{ at: string; key: string; value: unknown }> {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    yield { at, key, value };
    yield* nodes(value, `${at}/${key}`);
  }
}

t.test('the type of a ship is shipType, except where ships have the type themselves', async (t) => {
  const OF_THE_SHIPS_THEMSELVES = ['Catalog.ships.type', 'Catalog.roles.scout', 'Catalog.roles.colonyShip'];
  const otherNames = new Set<string>();
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const isField = place.endsWith('/properties');
      const isShipType = JSON.stringify(part).includes('"$ref":"#/components/schemas/ShipType"');
      if (isField && isShipType && '$ref' in part && key !== 'shipType') {
        otherNames.add(`${place}/${key}`.replaceAll(/\/(properties|items|oneOf\/\d)/g, '').replaceAll('/', '.'));
      }
      visit(part, `${place}/${key}`);
    }
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
  t.same([...otherNames].sort(), [...OF_THE_SHIPS_THEMSELVES, 'FleetShips.type', 'ShipsToSend.type'].sort());
});
