// docs/api.md, made from the route table. A command writes it and a test compares it, so that it cannot fall behind.

import { KEPT_REPLIES_PER_PLAYER_MAX, KEPT_REPLY_BYTES_PER_PLAYER_MAX } from '../../engine/rules/limits.js';
import { PROBLEMS, type ProblemRule } from '../exchange/problems.js';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../limits.js';
import { COUNTERS, GAUGES, HISTOGRAMS } from '../metrics/metric-table.js';
import {
  type Audience,
  type BodyRule,
  errorsOf,
  type ParameterRule,
  type ReplyRule,
  type Route,
  type Tag,
} from '../pipeline/route.js';
import { ROUTES } from '../routes/table.js';
import { COMPONENTS } from '../schemas/components.js';
import { fieldTable, shapeText } from './api-shapes.js';
import { serverDifferencesChapter } from './server-differences.js';

/** The text of docs/api.md. */
export function apiDocument(): string {
  const tags = [...new Set(ROUTES.map(({ tag }) => tag))];
  return `${[HEAD, overview(), REPEATING, ...tags.map(chapter), shapes(), errorTable(), metricTable(), serverDifferencesChapter()].join('\n\n')}\n`;
}

const HEAD = `# The HTTP interface

Made from the route table (\`http/routes/\`) by \`npm run documents\`; do not edit by hand. The same table gives
\`/openapi.json\`.

- Bodies are JSON in UTF-8, \`application/json\` unless it says otherwise, at most 64 KiB (a batch 1 MiB). Unknown fields are refused; unknown query parameters are ignored.
- Every reply carries \`x-request-id\` and \`x-world-time\`. HEAD works wherever GET does.
- Reads marked *ETag* answer \`If-None-Match\` with 304 while nothing changed but the passing of time.
- A reply to a command, and a read of something just changed, comes when it is on disk.
- Send an \`Idempotency-Key\` with a POST, and you can repeat it until it is answered: see [Repeating a request](#repeating-a-request).
- Errors have one shape, \`application/problem+json\`; decide by \`code\`.
- Do not pipeline commands: send the next one when the reply to the last is there. Reads can be pipelined, by clients
  that read the replies.`;

const REPEATING = `## Repeating a request

No answer means that the outcome is unknown. A POST that carries \`Idempotency-Key: KEY\` can be sent again with the same key and
body until an answer comes, and takes effect once:

- A request that changed the world gets the status and body of the first time again, with \`idempotency-replayed: true\`.
- A refusal changed nothing and leaves the key free: the request is judged anew. So is a read.
- Another path or body with a key that is taken: 422 \`idempotency_key_reused\`. While the first reply waits for the disk:
  409 \`idempotency_key_in_flight\`; ask again after \`retryAfterMs\`.
- A key is ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters at most; make it a random UUID. With \`--auth key\` the reply to a creation holds an API key: it
  is stored encrypted with the Idempotency-Key, and whoever knows that one gets it again.
- Keys are each player's own: the caller's, or without \`--auth key\` those of the player that the request acts for. The operator's
  requests have a list of their own, and unauthenticated batches share another, each reply with at most the bytes of a player. A batch has one key for all of it, its operations have none.
- With \`--auth key\` only the owner of a key gets 409 or 422 for another request with it. To anybody else the answer is the same
  as for a key that was never used. Batches without an API key have no owner: each request has its own reply under the key.
- The last ${KEPT_REPLIES_PER_PLAYER_MAX} replies of a player are kept, at most ${KEPT_REPLY_BYTES_PER_PLAYER_MAX / 1024} KiB, through restarts and restores. The reply of a batch that is too
  long is kept as with \`Prefer: return=minimal\`.`;

const CHAPTERS: Readonly<Record<Tag, string>> = {
  game: 'Players, planets and the galaxy',
  fleet: 'Fleets',
  building: 'Buildings',
  shipyard: 'Shipyard',
  research: 'Research',
  batch: 'Batch',
  world: 'The world',
  service: 'Service',
  administration: 'Administration',
};

const ACCESS: Readonly<Record<Audience, string>> = {
  public: 'Anybody.',
  player: 'Anybody; with `--auth key` the player by its key, for what is its own.',
  development: 'Anybody; with `--auth key` only with the admin key.',
  admin: 'With the admin key; without one configured the path does not exist.',
};

function overview(): string {
  const rows = ROUTES.map(
    ({ method, path, summary, operationId }) =>
      `| ${method} | [\`${path}\`](#${operationId.toLowerCase()}) | ${summary} |`,
  );
  return ['| method | path | |', '|---|---|---|', ...rows].join('\n');
}

function chapter(tag: Tag): string {
  return [`## ${CHAPTERS[tag]}`, ...ROUTES.filter((route) => route.tag === tag).map(section)].join('\n\n');
}

function section(route: Route): string {
  const { operationId, method, path, summary, description, access, parameters, query, body, replies, isTagged } = route;
  const parts = [
    `### ${operationId}`,
    `\`${method} ${path}\`${isTagged ? ' · *ETag*' : ''}`,
    description === undefined ? summary : `${summary} ${description}`,
    `Who may ask: ${ACCESS[access]}`,
  ];
  if (parameters.length > 0) parts.push(`Path: ${parameters.map(parameterText).join(', ')}.`);
  if (query.length > 0) parts.push(`Query: ${query.map(parameterText).join(', ')}.`);
  if (body !== null) parts.push(...bodyTexts(body));
  for (const reply of replies) parts.push(replyText(reply), ...exampleOf(route, reply));
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

function bodyTexts({ schema, example, isOptional }: BodyRule): string[] {
  if (isOptional === true) return ['Body: none, or `{}`.'];
  return ['Body:', fieldTable(schema), jsonBlock(example)];
}

/** A shape without a name is told by its example. */
function replyText({ status, description, schema }: ReplyRule): string {
  const shape = shapeText(schema);
  return `${status}: ${description}${shape === 'object' ? '' : ` (${shape})`}`;
}

/** Lines of an example that are shown; a longer one can be had from the server. */
const EXAMPLE_LINES_MAX = 60;

/** An example stands with the first route that has it. */
function exampleOf(route: Route, { example, contentType }: ReplyRule): string[] {
  if (contentType !== undefined) return [`\`${contentType}\``, `\`\`\`\n${String(example).trimEnd()}\n\`\`\``];
  const first = ROUTES.find(({ replies }) => replies.some((reply) => reply.example === example));
  const block = jsonBlock(example);
  return first !== route || block.split('\n').length > EXAMPLE_LINES_MAX ? [] : [block];
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** The shapes of replies; those of requests stand with their routes. */
function shapes(): string {
  const requests = new Set(ROUTES.map(({ body }) => body?.schema));
  const named = [...COMPONENTS].filter(([schema]) => !requests.has(schema));
  const chapters = named.map(([schema, name]) => {
    const { description } = schema as { readonly description?: string };
    return [`### ${name}`, ...(description === undefined ? [] : [description]), fieldTable(schema)].join('\n\n');
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
    'What `GET /metrics` tells, counted since the process began. Beside these, `galaxyd_event_loop_delay_seconds`, and what ' +
    'prom-client tells of any process: `process_*`, and `nodejs_*` of heap and garbage collection.';
  return ['## Metrics', lead, ['| kind | name | |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
}

function errorTable(): string {
  const rows = [...PROBLEMS].map(
    ([code, { status, title }]: [string, ProblemRule]) => `| ${status} | \`${code}\` | ${title} |`,
  );
  return ['## Errors', ['| status | code | |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
}
