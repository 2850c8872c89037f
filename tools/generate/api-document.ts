// Renders docs/api.md from the route table: every operation, shape, error and metric as one text for people. It is not in git.

import { KEPT_REPLIES_PER_PLAYER_MAX, KEPT_REPLY_BYTES_PER_PLAYER_MAX } from '../../engine/rules/limits.js';
import { WARNINGS } from '../../engine/terms/missions.js';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../http/documents/headers.js';
import type { Json } from '../../http/documents/openapi-schemas.js';
import { RECORDED } from '../../http/documents/recorded-examples.js';
import { serverDifferencesChapter } from '../../http/documents/server-differences.js';
import { PROBLEMS, type ProblemRule } from '../../http/exchange/problems.js';
import type { Audience } from '../../http/game/access.js';
import {
  BODY_BYTES_PER_TOKEN,
  CLIENT_SILENCE_MS,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  RATE_BURST,
  RATE_PER_SECOND,
} from '../../http/limits.js';
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../http/pages/metric-table.js';
import {
  type BodyRule,
  CHAPTERS,
  errorsOf,
  type ParameterRule,
  type ReplyRule,
  type Route,
  type Tag,
} from '../../http/pipeline/route.js';
import { ROUTES } from '../../http/routes/table.js';
import { COMPONENTS } from '../../http/schemas/components.js';
import { fieldTable, shapeText } from './api-shapes.js';

/** The text of docs/api.md. */
export function apiDocument(): string {
  const tags = [...new Set(ROUTES.map(({ tag }) => tag))];
  const chapters = tags.map(chapter);
  const parts = [
    HEAD,
    overview(),
    headerTables(),
    REPEATING,
    limitsChapter(),
    ...chapters,
    shapes(),
    errorTable(),
    warningTable(),
    metricTable(),
  ];
  return `${[...parts, serverDifferencesChapter()].join('\n\n')}\n`;
}

const HEAD = `# The HTTP interface

Generated from the route table (\`http/routes/\`) by \`npm run documents\`; do not edit by hand. \`/openapi.json\` is
derived from the same table.

- Bodies are JSON in UTF-8, \`application/json\` by default, at most 64 KiB (1 MiB for a batch). Unknown fields
  are refused; unknown query parameters are ignored.
- Every reply carries \`x-request-id\` and \`x-world-time\`. HEAD works wherever GET does.
- Every GET has an \`ETag\`, and answers \`If-None-Match\` with 304 if nothing has changed except that time has passed.
- The reply to a command, or to a read of something just changed, is sent once the change is on disk.
- A POST or PUT with an \`Idempotency-Key\` can be repeated until it is answered: see
  [Repeating a request](#repeating-a-request).
- The field with a type of building, ship or research is \`buildingType\`, \`shipType\` or \`researchType\`. What has the type itself calls
  it \`type\`: a building, a research, an entry of the catalogue. So do the ships of a fleet, \`{type, count}\`; launches and simulations
  take \`shipType\` there, too.
- All errors have one shape, \`application/problem+json\`. Programs should decide by \`code\`.
- [events.md](events.md) is the guide to events, and to the WebSocket \`/ws\`, which carries events and operations.
- Do not pipeline commands: send the next one after the reply to the last has arrived. Reads can be pipelined by clients
  that read the replies.`;

const REPEATING = `## Repeating a request

If no reply arrives, the outcome is unknown. A POST or PUT with \`Idempotency-Key: KEY\` can be sent again with the same key
and body until a reply arrives, and takes effect once:

- If the first request changed the world, its repetition gets the same status and body, with
  \`idempotency-replayed: true\`.
- A refusal changes nothing and leaves the key free: a repetition is evaluated anew. So is that of a read.
- Another path or body with a key that is in use: 422 \`idempotency_key_reused\`. While the first reply waits for the
  disk: 409 \`idempotency_key_in_flight\`; retry after \`retryAfterMs\`.
- A key is ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters at most; use a random UUID. With \`--auth key\` the
  reply to a creation holds an API key. It is stored encrypted with the Idempotency-Key, and somebody who knows that key can
  get it again.
- Each player has its own keys: a key belongs to the caller or, without \`--auth key\`, to the player that the request
  acts for. The operator's requests have a list of their own. Unauthenticated batches share another list, in which a
  reply may be as long as all those of a player together. A batch has one key for all of it; its operations have none.
- With \`--auth key\` only the owner of a key gets 409 or 422 for another request with it. To anyone else the key
  appears unused. Batches without an API key have no owner: each different request has its own reply under the key.
- The last ${KEPT_REPLIES_PER_PLAYER_MAX} replies of a player are kept, at most
  ${KEPT_REPLY_BYTES_PER_PLAYER_MAX / 1024} KiB, across restarts and restores. A reply to a batch that is too long is
  kept as the statuses and codes of its results. A repetition gets the form of the first reply, whatever it prefers.

## Short replies

A client that sends many commands needs little of their replies. With \`Prefer: return=minimal\` (RFC 7240) a command answers only
with what it has created, when that ends (\`finishAt\`), and the stocks of the planet after it (\`resources\`). Such a reply is written
several times as fast as a whole planet, and has \`Preference-Applied: return=minimal\`. Each operation says what it then returns; one that
says nothing ignores the preference. Errors stay as they are.

In a batch, and in a call over the WebSocket with \`"prefer":"return=minimal"\`, an operation without a short reply has no body at
all, and an error is only its \`code\`.`;

/** Costs of operations that differ from the usual one. */
function limitsChapter(): string {
  const costs = ROUTES.filter(({ cost, tag }) => cost !== 1 && tag !== 'administration');
  const rows = costs.map(({ method, path, cost }) => `| ${method} | \`${path}\` | ${cost} |`);
  return [LIMITS_TEXT, ['| method | path | tokens |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
}

const LIMITS_TEXT = `## Limits and connections

\`GET /api/limits\` returns all limits of a server, the cost of each operation and what the caller has left.

- **Rate limit**: with \`--auth key\`, unless the operator switched it off. Each player has a bucket of ${RATE_BURST} tokens, which
  regains ${RATE_PER_SECOND} per second (defaults). A request takes one token, or what the table below says; a 304 and an error
  take as much as a success. Requests without a valid key take from the bucket of their IP address (in IPv6 of the /64
  network), and so do all requests of a server without keys. Requests with a valid key never take from an address: a swarm
  behind one address is limited only by its keys.
- **A batch** takes the sum of its operations, each of them one token at least, before the first of them runs. One that takes
  more than a full bucket holds runs as soon as the bucket is full; then it is in debt until it has refilled. Each
  ${BODY_BYTES_PER_TOKEN / 1024} KiB of any body take a token before the body is parsed; a batch does not pay for them twice.
- **Every reply** carries \`RateLimit-Policy: "requests";q=${RATE_BURST};w=${RATE_BURST / RATE_PER_SECOND}\` (tokens of a full bucket, seconds in which it
  fills) and \`RateLimit: "requests";r=950;t=1\` (tokens left, seconds until it is full), as in
  draft-ietf-httpapi-ratelimit-headers-10. Slow down before \`r\` is 0.
- **429** \`rate_limited\`: nothing was done. \`limit.name\` is \`requests\`, or \`registrations\` for the limit of new players per
  address. After \`retryAfterMs\` (\`Retry-After\` in whole seconds) the same request has enough tokens, unless others take
  them. A batch is refused before it is read if nothing at all is left; the wait is then for one token, and a second
  refusal says the whole wait. A client that does not wait is refused more slowly, and loses a connection on which it
  pipelines meanwhile.
- **Connections** are kept alive. The server closes one after ${CLIENT_SILENCE_MS / 1000} seconds of silence, unless it waits for events, and a request must arrive within
  ${CLIENT_SILENCE_MS / 1000} seconds. If a kept connection is closed just as a request is sent, no reply comes: send it again, a POST or PUT with its
  Idempotency-Key. Clients that wait longer than ${CLIENT_SILENCE_MS / 1000} seconds between requests should open a new connection.
- **Browsers**: with \`--auth key\` pages of every origin may use the API; without keys none may, unless the operator names
  origins (\`--cors-origins\`).`;

const ACCESS: Readonly<Record<Audience, string>> = {
  public: 'Anyone.',
  player: 'Anyone; with `--auth key` a player with its API key, for its own objects.',
  spectator: 'Anyone; with `--auth key` any player, the spectator key and the admin key.',
  observer: 'Anyone; with `--auth key` only the spectator key and the admin key.',
  development: 'Anyone; with `--auth key` only the operator, with the admin key.',
  admin: 'The operator, with the admin key. If none is configured, the path does not exist.',
};

function overview(): string {
  const rows = ROUTES.map(
    ({ method, path, summary, operationId }) =>
      `| ${method} | [\`${path}\`](#${operationId.toLowerCase()}) | ${summary} |`,
  );
  return ['| method | path | |', '|---|---|---|', ...rows].join('\n');
}

function headerTables(): string {
  const row = ({ name, description }: { readonly name: string; readonly description: string }): string =>
    `| \`${name}\` | ${description} |`;
  const table = (kind: string, rows: readonly string[]): string => [`| ${kind} | |`, '|---|---|', ...rows].join('\n');
  const tables = [table('request', REQUEST_HEADERS.map(row)), table('reply', RESPONSE_HEADERS.map(row))];
  return ['## Headers', 'The OpenAPI document says which operation takes and sends which.', ...tables].join('\n\n');
}

function chapter(tag: Tag): string {
  return [`## ${CHAPTERS[tag].title}`, ...ROUTES.filter((route) => route.tag === tag).map(section)].join('\n\n');
}

function section(route: Route): string {
  const { operationId, method, path, summary, description, access, parameters, query, body, replies } = route;
  const parts = [
    `### ${operationId}`,
    `\`${method} ${path}\``,
    `${summary} ${description}`,
    `Access: ${ACCESS[access]}`,
  ];
  if (parameters.length > 0) parts.push(`Path: ${parameters.map(parameterText).join(', ')}.`);
  if (query.length > 0) parts.push(`Query: ${query.map(parameterText).join(', ')}.`);
  if (body !== null) parts.push(...bodyTexts(route, body));
  for (const reply of replies) parts.push(replyText(reply), ...exampleOf(route, reply));
  parts.push(...minimalTexts(route));
  parts.push(
    `Errors: ${errorsOf(route)
      .map((code) => `\`${code}\``)
      .join(', ')}`,
  );
  return parts.join('\n\n');
}

function parameterText({ name, description, minimum, maximum }: ParameterRule): string {
  const bounds = minimum === undefined ? '' : ` (integer, ${minimum} to ${maximum})`;
  return `\`${name}\`${bounds}: ${description.replace(/\.$/, '')}`;
}

function bodyTexts({ operationId }: Route, { schema, isOptional }: BodyRule): string[] {
  if (isOptional === true) return ['Body: none, or `{}`.'];
  return ['Body:', fieldTable(schema), ...shortBlocks(RECORDED.operations[operationId]?.body)];
}

/** An unnamed shape is shown only by its example. */
function replyText({ status, description, schema }: ReplyRule): string {
  const shape = shapeText(schema);
  return `${status}: ${description}${shape === 'object' ? '' : ` (${shape})`}`;
}

function minimalTexts({ operationId, minimal, replies }: Route): string[] {
  if (minimal === null || replies.some(({ schema }) => schema === minimal)) return [];
  const { minimal: example } = RECORDED.operations[operationId] ?? {};
  return [`With \`Prefer: return=minimal\`: ${shapeText(minimal)}.`, ...shortBlocks(example)];
}

/** Longest example that is shown, in lines; the server returns longer ones. */
const EXAMPLE_LINES_MAX = 60;

/** An example is shown with the first route that has it. */
function exampleOf({ operationId }: Route, { status, contentType }: ReplyRule): string[] {
  const example = RECORDED.operations[operationId]?.replies[status];
  if (contentType !== undefined)
    return [`\`${contentType}\``, ...(example === undefined ? [] : [`\`\`\`\n${String(example).trimEnd()}\n\`\`\``])];
  const text = JSON.stringify(example);
  const first = ROUTES.find(({ operationId, replies }) =>
    replies.some((reply) => JSON.stringify(RECORDED.operations[operationId]?.replies[reply.status]) === text),
  );
  return first?.operationId === operationId ? shortBlocks(example) : [];
}

function shortBlocks(example: Json | undefined): string[] {
  const block = jsonBlock(example);
  return example === undefined || block.split('\n').length > EXAMPLE_LINES_MAX ? [] : [block];
}

function jsonBlock(value: Json | undefined): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** The shapes of replies; those of requests are shown with their routes. */
function shapes(): string {
  const requests = new Set(ROUTES.map(({ body }) => body?.schema));
  const named = [...COMPONENTS].filter(([, schema]) => !requests.has(schema));
  const chapters = named.map(([name, schema]) => {
    const { description } = schema as { readonly description?: string };
    return [`### ${name}`, description ?? '', fieldTable(schema)].filter((text) => text !== '').join('\n\n');
  });
  return ['## Shapes', ...chapters].join('\n\n');
}

function metricTable(): string {
  const kinds = { counter: COUNTERS, gauge: GAUGES, histogram: HISTOGRAMS };
  const rows = Object.entries(kinds).flatMap(([kind, metrics]) =>
    metrics.map(({ name, labels = [], help }: (typeof COUNTERS)[number] | (typeof HISTOGRAMS)[number]) => {
      const shown = labels.length === 0 ? '' : `{${labels.join(', ')}}`;
      return `| ${kind} | \`galaxyd_${name}${shown}\` | ${help} |`;
    }),
  );
  const lead =
    '`GET /metrics` returns these metrics, counted since the process started. It also returns ' +
    '`galaxyd_event_loop_delay_seconds` and the process metrics of prom-client: `process_*`, and `nodejs_*` for ' +
    'heap and garbage collection.';
  return ['## Metrics', lead, ['| kind | name | |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
}

function errorTable(): string {
  const rows = [...PROBLEMS].map(
    ([code, { status, title, remedy }]: [string, ProblemRule]) => `| ${status} | \`${code}\` | ${title} | ${remedy} |`,
  );
  const lead = 'The `detail` of an error says both: what is wrong, and what to do.';
  return ['## Errors', lead, ['| status | code | | what to do |', '|---|---|---|---|', ...rows].join('\n')].join(
    '\n\n',
  );
}

function warningTable(): string {
  const rows = Object.entries(WARNINGS).map(([code, { title }]) => `| \`${code}\` | ${title} |`);
  const lead =
    'The `warnings` of a launch and of its dry run: it is accepted, but its fleet, as things are, would come back without what it ' +
    'flies for.';
  return ['## Warnings', lead, ['| code | |', '|---|---|', ...rows].join('\n')].join('\n\n');
}
