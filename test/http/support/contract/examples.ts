// The examples of the documents, from what was sent and answered. What differs from run to run is replaced, and what is
// long is cut, in the same way for all operations.
import type { Json, JsonObject } from '../../../../http/documents/openapi-schemas.js';
import type { OperationExample, RecordedExamples } from '../../../../http/documents/recorded-examples.js';
import { BUILD, VERSION } from '../../../../http/version.js';
import type { Reply } from '../game-client.js';
import type { Answered } from './breakages.js';

/** Members whose values depend on the machine, the process or chance. */
const REPLACED: Readonly<Record<string, Json>> = {
  requestId: 'Zm9vYmE-001',
  apiKey: 'gxd_Yb0pX3v1Qe7mKc5tRz9wLs2hUf4jNd6aGi8oBx1yTqE',
  takenAt: '2000-01-01T00:00:00.000Z',
  byteCount: 1640,
  uptimeSeconds: 12,
  wallMsLeft: 598_207,
  node: 'v20.20.2',
  http: 'native',
};
/** Present only on some machines. */
const LEFT_OUT: ReadonlySet<string> = new Set(['hint']);

/** Lists of more entries are cut. */
const ENTRIES_MAX = 5;
const ENTRIES_SHOWN = 3;
/** Members of `constants`, the long object of the catalogue, that are shown. */
const CONSTANTS_SHOWN = 3;
const LINES_SHOWN = 3;
/** Milliseconds; it depends on when the provocation began. */
const RATE_LIMIT_WAIT_MS = 60_000;
/** Folders of tests, in messages. */
const FOLDER = /\S*\/galaxyd-test-\w+/g;

/** What is shown of replies that are too long for a rule. */
const EXCERPTS: Readonly<Record<string, (reply: Reply) => Json>> = {
  getOpenApi: ({ body }) => ({ openapi: (body as { readonly openapi: string }).openapi }),
  getAsyncApi: ({ body }) => ({ asyncapi: (body as { readonly asyncapi: string }).asyncapi }),
  getMetrics: ({ text }) =>
    `${text
      .split('\n')
      .filter((line) => / galaxyd_seq |^galaxyd_seq /.test(line))
      .join('\n')}\n`,
  getBrief: ({ text }) => text,
  // They have real time.
  blockAddress: () => BLOCKED,
  listBlockedAddresses: () => ({ blocks: [BLOCKED] }),
  getAudit: () => AUDIT,
  getTraffic: () => TRAFFIC,
  getMetricHistory: () => METRIC_HISTORY,
};

const SENT = { requests: 5211, commands: 1204, bytesIn: 96_320, bytesOut: 4_816_077, refusals: 12, rateLimited: 3 };
/** Lengths and times differ from run to run. */
const TRAFFIC = {
  by: 'address',
  window: 'minute',
  seconds: 83.4,
  clients: [{ playerId: null, name: null, address: '203.0.113.7', ...SENT, connections: 2 }],
  others: { requests: 0, commands: 0, bytesIn: 0, bytesOut: 0, refusals: 0, rateLimited: 0 },
  total: SENT,
};
const METRIC_HISTORY = {
  asOf: '2000-01-01T00:00:12.000Z',
  series: ['galaxyd_http_requests_total{code="200"}', 'galaxyd_players'],
  points: [
    { at: '2000-01-01T00:00:00.000Z', values: [5211] },
    { at: '2000-01-01T00:00:10.000Z', values: [5299, 3] },
  ],
};

const BLOCKED: JsonObject = { network: '203.0.113.7', until: '2000-01-01T01:00:00.000Z' };

const AUDIT: JsonObject = {
  records: [
    {
      at: '2000-01-01T00:00:00.000Z',
      requestId: 'Zm9vYmE-001',
      key: 'alice',
      address: '198.51.100.7',
      operation: 'suspendPlayer',
      method: 'POST',
      path: '/api/admin/player/player-7/suspend',
      body: '{}',
      status: 200,
      code: null,
      seq: 120_001,
    },
  ],
  nextCursor: null,
};

/** @param problems the reply to each provocation, by its code */
export function examplesOf(answered: readonly Answered[], problems: ReadonlyMap<string, Reply>): RecordedExamples {
  return {
    operations: Object.fromEntries(answered.map((each) => [each.route.operationId, operationExample(each)])),
    problems: Object.fromEntries([...problems].map(([code, { body }]) => [code, abridged(body as Json) as JsonObject])),
  };
}

function operationExample({ route, path, body, replies, minimal }: Answered): OperationExample {
  const values = path.split('?', 1)[0]?.split('/') ?? [];
  const parameters = route.path.split('/').flatMap((segment, index): [string, Json][] => {
    const value = values[index] ?? '';
    return segment.startsWith(':') ? [[segment.slice(1), /^\d+$/.test(value) ? Number(value) : value]] : [];
  });
  const shown = replies.flatMap((reply): [string, Json][] => {
    const excerpt = EXCERPTS[route.operationId]?.(reply) ?? excerptOf(reply);
    return excerpt === undefined ? [] : [[String(reply.status), excerpt]];
  });
  return {
    parameters: Object.fromEntries(parameters),
    ...(route.body === null ? {} : { body: (body ?? {}) as Json }),
    replies: Object.fromEntries(shown),
    ...(minimal === null ? {} : { minimal: abridged(minimal.body as Json) }),
  };
}

/** @returns undefined if the reply is not for human readers */
function excerptOf({ body, text, headers }: Reply): Json | undefined {
  const type = headers['content-type'] ?? '';
  if (type === 'application/json') return abridged(body as Json);
  if (!/^text\/(plain|html|markdown)/.test(type)) return undefined;
  return `${text.split('\n').slice(0, LINES_SHOWN).join('\n')}\n`;
}

function abridged(value: Json): Json {
  if (isList(value)) {
    const shown = value.length > ENTRIES_MAX ? value.slice(0, ENTRIES_SHOWN) : value;
    // A list within a list is a row, whose fields have an order.
    return shown.map((entry) => (isList(entry) ? entry : abridged(entry)));
  }
  if (typeof value === 'string') return value.replaceAll(FOLDER, 'data').replaceAll(BUILD, VERSION);
  if (typeof value !== 'object' || value === null) return value;
  if ((value as JsonObject)['code'] === 'rate_limited' && 'retryAfterMs' in value)
    return abridgedMembers({ ...value, retryAfterMs: RATE_LIMIT_WAIT_MS });
  return abridgedMembers(value as JsonObject);
}

function abridgedMembers(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !LEFT_OUT.has(key))
      .map(([key, member]) => [key, member === null ? null : (REPLACED[key] ?? abridged(cut(key, member)))]),
  );
}

function cut(key: string, member: Json): Json {
  return key === 'constants'
    ? Object.fromEntries(Object.entries(member as JsonObject).slice(0, CONSTANTS_SHOWN))
    : member;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The text of the file that holds the examples. */
export function fileText(examples: RecordedExamples): string {
  const text = JSON.stringify(examples, null, 2).replaceAll(LEAF, onOneLine);
  return `${FILE_HEAD}export const RECORDED: RecordedExamples = ${text};\n`;
}

/** An object or a list that contains no other, on several lines. */
const LEAF = /[{[]\n[^{}[\]]*\n\s*[}\]]/g;
const LEAF_LENGTH_MAX = 120;

function onOneLine(leaf: string): string {
  const line = leaf.replaceAll(/\n\s*/g, ' ');
  return line.length <= LEAF_LENGTH_MAX ? line : leaf;
}

const FILE_HEAD = `// What a server sent and answered while the contract test played a small world of seed 1. Written by
// \`npm run documents\`, and never by hand: the examples of the OpenAPI document and of docs/api.md.
import type { Json, JsonObject } from './openapi-schemas.js';

export interface OperationExample {
  /** Path parameters by name. */
  readonly parameters: JsonObject;
  readonly body?: Json;
  /** Indexed by status. */
  readonly replies: JsonObject;
  /** The reply with \`Prefer: return=minimal\`, if it has a form of its own. */
  readonly minimal?: Json;
}

export interface RecordedExamples {
  /** Indexed by operation id. */
  readonly operations: Readonly<Record<string, OperationExample>>;
  /** Indexed by error code. */
  readonly problems: Readonly<Record<string, JsonObject>>;
}

`;
