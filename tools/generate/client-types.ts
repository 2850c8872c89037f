// Renders the types of clients/typescript from the OpenAPI document.
import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { openApiDocument } from '../../http/documents/openapi.js';

const HEAD = `// Every operation and schema of the API. Generated from the OpenAPI document by the build; not in git.

`;

const JSON_TYPE = 'application/json';
const SHORT_JSON_TYPE = `${JSON_TYPE}; return=minimal`;

/** Names that depend on the rules of a world, or that a newer server may add to. */
const OPEN_NAMES = new Set(
  ['BuildingType', 'ShipType', 'DriveName', 'ResearchType', 'ErrorCode'].map((name) => `#/components/schemas/${name}`),
);

/** What is changed in the document before it becomes types. */
interface Media {
  schema: { anyOf?: Media['schema'][] };
  example?: unknown;
  examples?: unknown;
}
interface Content {
  headers?: unknown;
  content?: Record<string, Media>;
}
interface Operation {
  parameters?: { $ref?: string }[];
  requestBody?: Content;
  responses: Record<string, Content & { description?: string }>;
}
interface Document {
  components: { examples?: unknown; headers?: unknown };
  paths: Record<string, Record<string, Operation>>;
}

/** The text of clients/typescript/src/api.ts. */
export async function clientTypes(): Promise<string> {
  const document = documentForTypes() as unknown as OpenAPI3;
  return HEAD + astToString(await openapiTS(document, { transform: openNames }));
}

/**
 * The document for the rules that new worlds play by, without what would make the types three times as long: examples,
 * the headers of responses, which the client reads itself, streams, and a response for each refused status, all of which have
 * the same body.
 */
function documentForTypes(): Document {
  const document = structuredClone(openApiDocument(STANDARD_1_RULES)) as unknown as Document;
  delete document.components.examples;
  delete document.components.headers;
  for (const [path, methods] of Object.entries(document.paths)) if (isStream(methods)) delete document.paths[path];
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    operation.responses = withOneRefusal(operation.responses);
    if (takesPreference(operation)) Object.values(operation.responses).forEach(separateShortReply);
    for (const content of [operation.requestBody, ...Object.values(operation.responses)]) {
      delete content?.headers;
      for (const media of Object.values(content?.content ?? {})) {
        delete media.example;
        delete media.examples;
      }
    }
  }
  return document;
}

/** Whether a path has a reply that does not end. A call would wait for its end; the client reads events over a WebSocket. */
function isStream(methods: Readonly<Record<string, Operation>>): boolean {
  return Object.values(methods).some(({ responses }) => 'text/event-stream' in (responses['200']?.content ?? {}));
}

function takesPreference({ parameters = [] }: Operation): boolean {
  return parameters.some(({ $ref }) => $ref === '#/components/parameters/Prefer');
}

/** A call knows which reply it asks for: the short one gets a media type of its own, which src/calls.ts knows. */
function separateShortReply({ content = {} }: Content): void {
  const schema = content[JSON_TYPE]?.schema;
  const [whole, short] = schema?.anyOf ?? [schema, schema];
  if (whole === undefined || short === undefined) return;
  content[JSON_TYPE] = { schema: whole };
  content[SHORT_JSON_TYPE] = { schema: short };
}

/** @param responses by status */
function withOneRefusal(responses: Operation['responses']): Operation['responses'] {
  const entries = Object.entries(responses);
  const refusals = entries.filter(([status]) => Number(status) >= 400);
  const others = entries.filter(([status]) => Number(status) < 400);
  const refusal = { ...refusals[0]?.[1], description: 'Any refusal.' };
  return Object.fromEntries(refusals.length === 0 ? others : [...others, ['default', refusal]]);
}

/** Any string is accepted for an open name; editors still propose the known ones. */
function openNames(schema: SchemaObject, { path = '' }: { readonly path?: string }): ts.TypeNode | undefined {
  if (!OPEN_NAMES.has(path) || schema.enum === undefined) return undefined;
  const known = schema.enum.map((name) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(`${name}`)));
  const anyString = ts.factory.createParenthesizedType(
    ts.factory.createIntersectionTypeNode([
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      ts.factory.createTypeLiteralNode([]),
    ]),
  );
  return ts.factory.createUnionTypeNode([...known, anyString]);
}
