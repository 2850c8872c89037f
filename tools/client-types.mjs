// Writes the types of clients/typescript from the OpenAPI document of the built server. `--check` writes nothing and
// exits with 1 if they are out of date.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { inRepository } from './repository.mjs';

const FILE = 'clients/typescript/src/api.ts';
const HEAD = `// Every operation and schema of the API. Generated from the OpenAPI document by \`npm run documents\`; do not edit by hand.

`;

/** Names that depend on the rules of a world, or that a newer server may add to. */
const OPEN_NAMES = new Set(
  ['BuildingType', 'ShipType', 'DriveName', 'ResearchType', 'ErrorCode'].map((name) => `#/components/schemas/${name}`),
);

const types = HEAD + astToString(await openapiTS(await documentOfServer(), { transform: openNames }));
if (types !== currentTypes()) {
  const isCheck = process.argv.includes('--check');
  console.log(isCheck ? `${FILE} is not up to date: npm run documents` : `${FILE} is written`);
  if (isCheck) process.exitCode = 1;
  else writeFileSync(inRepository(FILE), types);
}

/**
 * The document for the rules that new worlds play by, without what would make the types three times as long: examples,
 * the headers of responses, which the client reads itself, streams, and a response for each refused status, all of which have
 * the same body.
 */
async function documentOfServer() {
  const { openApiDocument } = await import(built('http/documents/openapi.js'));
  const { STANDARD_1_RULES } = await import(built('engine/rules/shipped.js'));
  const document = structuredClone(openApiDocument(STANDARD_1_RULES));
  delete document.components.examples;
  delete document.components.headers;
  for (const [path, methods] of Object.entries(document.paths)) if (isStream(methods)) delete document.paths[path];
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    operation.responses = withOneRefusal(operation.responses);
    for (const response of [operation.requestBody, ...Object.values(operation.responses)]) {
      delete response?.headers;
      for (const media of Object.values(response?.content ?? {})) {
        delete media.example;
        delete media.examples;
      }
    }
  }
  return document;
}

/**
 * Whether a path has a reply that does not end. A call would wait for its end; the client reads events over a WebSocket.
 * @param {Record<string, { responses?: Record<string, { content?: object }> }>} methods
 */
function isStream(methods) {
  return Object.values(methods).some(({ responses }) => 'text/event-stream' in (responses?.['200']?.content ?? {}));
}

/** @param {Record<string, object>} responses by status */
function withOneRefusal(responses) {
  const entries = Object.entries(responses);
  const refusals = entries.filter(([status]) => Number(status) >= 400);
  const others = entries.filter(([status]) => Number(status) < 400);
  const refusal = { ...refusals[0]?.[1], description: 'Any refusal.' };
  return Object.fromEntries(refusals.length === 0 ? others : [...others, ['default', refusal]]);
}

/** @param {string} path below dist/ */
function built(path) {
  return pathToFileURL(inRepository('dist', path)).href;
}

/**
 * Any string is accepted for an open name; editors still propose the known ones.
 * @param {import('openapi-typescript').SchemaObject} schema
 * @param {{ path?: string }} place
 */
function openNames(schema, { path = '' }) {
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

/** @returns undefined if there is no file yet */
function currentTypes() {
  try {
    return readFileSync(inRepository(FILE), 'utf8');
  } catch {
    return undefined;
  }
}
