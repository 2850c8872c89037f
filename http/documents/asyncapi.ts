// The AsyncAPI 3.0 document: events, and the pages, streams and frames that carry them. Derived from the tables of event types and
// of frames, the routes of events, and their schemas.
import type { TSchema } from 'typebox';
import type { Rules } from '../../engine/rules/rules.js';
import { withTypeNames } from '../checks/schema-check.js';
import { JSON_TYPE } from '../exchange/exchange.js';
import { isStream, type ParameterRule, type Route } from '../pipeline/route.js';
import { EVENT_ROUTES } from '../routes/events.js';
import { EVENT_TYPES, EventPage, GameEvent } from '../schemas/events.js';
import { CLIENT_FRAMES, type ClientOp, type FrameRule, SERVER_FRAMES } from '../schemas/frames.js';
import { Problem } from '../schemas/world.js';
import { VERSION } from '../version.js';
import { integersFrom, type Json, type JsonObject, referenced, schemaComponents } from './openapi-schemas.js';
import { pascalCase, titled } from './schema-titles.js';

/** The frame that answers each frame of a client, unless an error does. */
export const ANSWERS: Readonly<Record<ClientOp, keyof typeof SERVER_FRAMES>> = {
  hello: 'welcome',
  subscribe: 'subscribed',
  unsubscribe: 'unsubscribed',
  call: 'reply',
  ping: 'pong',
};

/** @param rules of the world: their type names are the document's enumerations */
export function asyncApiDocument(rules: Rules): JsonObject {
  const messages = allMessages();
  return withTypeNames(
    {
      asyncapi: '3.0.0',
      info: {
        title: 'galaxyd events',
        version: VERSION,
        description:
          'What happens in a world, as it happens, for three readers: long poll, server-sent events and WebSocket. The ' +
          'WebSocket also takes calls. /openapi.json describes the operations of HTTP.',
        contact: { name: 'The operator of this server' },
        license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
      },
      defaultContentType: JSON_TYPE,
      servers: { http: server('http'), webSocket: server('ws') },
      channels: { ...byOperation(httpChannel), socket: socketChannel() },
      operations: { ...byOperation(httpOperation), ...socketOperations() },
      components: { schemas: schemasWithin(messages), messages, securitySchemes: { key: KEY } },
    },
    rules,
  );
}

const KEY: JsonObject = {
  type: 'http',
  scheme: 'bearer',
  description: 'API key of a player, spectator key or admin key; required only with --auth key.',
};

/** The document does not say where it is served. */
function server(protocol: 'http' | 'ws'): JsonObject {
  return {
    host: '{address}',
    protocol,
    description: 'This server.',
    variables: { address: { default: '127.0.0.1:3000', description: 'Name and port of this server.' } },
    security: [{ $ref: '#/components/securitySchemes/key' }],
  };
}

function byOperation(written: (route: Route) => JsonObject): JsonObject {
  return Object.fromEntries(EVENT_ROUTES.map((route) => [route.operationId, written(route)]));
}

function httpChannel(route: Route): JsonObject {
  const { path, parameters, summary, description } = route;
  return {
    address: path.replace(/:(\w+)/g, '{$1}'),
    summary,
    description,
    servers: [{ $ref: '#/servers/http' }],
    parameters: Object.fromEntries(parameters.map(({ name, description }) => [name, { description }])),
    messages: messagesNamed(messagesOf(route)),
  };
}

function httpOperation(route: Route): JsonObject {
  const { operationId, query, summary } = route;
  const properties = Object.fromEntries(query.map((rule) => [rule.name, querySchema(rule)]));
  return {
    action: 'send',
    channel: { $ref: `#/channels/${operationId}` },
    summary,
    messages: messagesOf(route).map((name) => ({ $ref: `#/channels/${operationId}/messages/${name}` })),
    bindings: { http: { method: 'GET', query: { type: 'object', properties }, bindingVersion: '0.3.0' } },
  };
}

/** A parameter that is not a bounded integer has its form, if any. */
function querySchema({ description, minimum, maximum, form }: ParameterRule): JsonObject {
  if (minimum !== undefined && maximum !== undefined) return { ...integersFrom(minimum, maximum), description };
  return { type: 'string', ...(form === undefined ? {} : { pattern: form.pattern.source }), description };
}

/** The names of the messages that a route returns: a page, or the events of a stream and the error that ends it. */
function messagesOf(route: Route): string[] {
  if (!isStream(route)) return [PAGE];
  const isOfWorld = route.access === 'spectator';
  const types = [...EVENT_TYPES].filter(([, { audience }]) => audience !== (isOfWorld ? 'player' : 'public'));
  return [...types.map(([type]) => type), ERROR];
}

const PAGE = 'page';
const ERROR = 'error';

function messagesNamed(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]));
}

function allMessages(): JsonObject {
  const events = [...EVENT_TYPES].map(([type, { summary, event }]) => message(type, summary, referenced(event)));
  const frames = Object.entries(FRAMES).map(([op, { summary, schema }]) =>
    message(frameMessage(op), summary, op === 'event' ? eventFrame(schema) : referenced(schema)),
  );
  return Object.fromEntries([
    ...events,
    message(PAGE, 'Events after `since`, and which are kept.', referenced(EventPage)),
    message(ERROR, 'Why the server ends a stream; the last event of it.', referenced(Problem)),
    ...frames,
  ]);
}

const FRAMES: Readonly<Record<string, FrameRule>> = { ...CLIENT_FRAMES, ...SERVER_FRAMES };

function message(name: string, summary: string, payload: Json): [string, JsonObject] {
  return [
    name,
    { name, summary, contentType: JSON_TYPE, payload: titled(withoutDiscriminators(payload), pascalCase(name)) },
  ];
}

/** An event frame has all fields of an event besides its own. */
function eventFrame(schema: TSchema): JsonObject {
  return { allOf: [referenced(schema), referenced(GameEvent)] };
}

/** No type of event has such a name. */
function frameMessage(op: string): string {
  return `${op}-frame`;
}

const SOCKET = '#/channels/socket';

function socketChannel(): JsonObject {
  return {
    address: '/ws',
    title: 'WebSocket, subprotocol galaxyd.v1',
    description: 'Each frame is text and holds one JSON object.',
    servers: [{ $ref: '#/servers/webSocket' }],
    messages: messagesNamed(Object.keys(FRAMES).map(frameMessage)),
    bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
  };
}

/** The frames that the server receives, with its answers, and all frames that it sends. */
function socketOperations(): JsonObject {
  const channel = { $ref: SOCKET };
  const named = (ops: readonly string[]): Json => ops.map((op) => ({ $ref: `${SOCKET}/messages/${frameMessage(op)}` }));
  const taken = Object.entries(CLIENT_FRAMES).map(([op, { summary }]): [string, JsonObject] => [
    op,
    {
      action: 'receive',
      channel,
      summary,
      messages: named([op]),
      reply: { channel, messages: named([ANSWERS[op as ClientOp], 'error']) },
    },
  ]);
  const sent = {
    action: 'send',
    channel,
    summary: 'All that the server sends.',
    messages: named(Object.keys(SERVER_FRAMES)),
  };
  return { ...Object.fromEntries(taken), frames: sent };
}

/** The named schemas that messages refer to, at any depth. */
function schemasWithin(messages: JsonObject): JsonObject {
  const all = withoutDiscriminators(schemaComponents()) as JsonObject;
  const found = new Set<string>();
  const visit = (value: Json): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(all[name] as Json);
    }
  };
  visit(messages);
  const wanted = Object.entries(all).filter(([name]) => found.has(name));
  return Object.fromEntries(wanted.map(([name, schema]) => [name, titled(schema, name)]));
}

/** In AsyncAPI a discriminator has another form, and its values are names of schemas. */
function withoutDiscriminators(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutDiscriminators);
  const entries = Object.entries(value).filter(([key, part]) => key !== 'discriminator' || typeof part !== 'object');
  return Object.fromEntries(entries.map(([key, part]): [string, Json] => [key, withoutDiscriminators(part)]));
}
