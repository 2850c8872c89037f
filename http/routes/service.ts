// Where a newcomer begins and what supervisors ask: the links of GET /, the pages for people, the texts for programs and language models,
// liveness, readiness and metrics.
import { gunzipSync } from 'node:zlib';
import { Type } from '../../persistence/typebox.js';
import { contentVersion } from '../exchange/entity-tags.js';
import type { GamePorts } from '../game/game-ports.js';
import { METRICS_TYPE, type MetricsPage } from '../pages/metrics-page.js';
import {
  acceptsGzip,
  COMPRESSED_FILE_HEADERS,
  DASHBOARD_PAGE,
  DASHBOARD_POLICY,
  FILE_HEADERS,
  PAGE_POLICY,
  type PageFileName,
  pageFile,
  pageHeaders,
  VIEWER_PAGE,
} from '../pages/page.js';
import { type HandledRoute, oneOf, readRoute } from '../pipeline/route.js';
import { Health, Readiness, Start, type StartBody } from '../schemas/world.js';
import { VERSION } from '../version.js';

interface MetricsPorts extends GamePorts {
  readonly metrics: Pick<MetricsPage, 'text'>;
}

const getHealth = readRoute({
  operationId: 'getHealth',
  path: '/healthz',
  tag: 'service',
  worldUse: 'none',
  summary: 'Reports that the process is alive.',
  description: 'It looks at nothing else; whether commands are accepted is at `/readyz`.',
  access: 'public',
  cost: 0,
  replies: [{ status: 200, description: 'The process is alive.', schema: Health }],
  handle({ replies }, exchange) {
    if (!replies.answersWithoutBody(exchange, 0, replies.tagOf('ok'))) replies.answer(exchange, 0, '{"status":"ok"}');
  },
});

const getReadiness = readRoute({
  operationId: 'getReadiness',
  path: '/readyz',
  tag: 'service',
  worldUse: 'none',
  summary: 'Reports whether the process can do what its role is for.',
  description:
    'A process that leads, or that alone serves its world, is ready if it accepts commands; if it would refuse them now, the reply is ' +
    'the refusal that they would get. A standby is ready if it answers reads and is not far behind. With `role=leader` a standby ' +
    'is not ready: for load balancers that send commands to the leader only.',
  access: 'public',
  cost: 0,
  query: [
    {
      name: 'role',
      description: 'Ready only in this role: `leader`.',
      example: 'leader',
      form: oneOf('leader'),
    },
  ],
  replies: [{ status: 200, description: 'The process is ready.', schema: Readiness }],
  errors: [
    'read_only',
    'overloaded',
    'storage_unavailable',
    'shutting_down',
    'not_leader',
    'no_leader',
    'replica_behind',
  ],
  handle({ commands, replies }, exchange) {
    const [role = null] = exchange.queryValues;
    const isReady = commands.isReady(exchange, role !== null);
    if (!isReady || replies.answersWithoutBody(exchange, 0, replies.tagOf('ready'))) return;
    replies.answer(exchange, 0, '{"status":"ready"}');
  },
});

const getOpenApi = readRoute({
  operationId: 'getOpenApi',
  path: '/openapi.json',
  tag: 'service',
  worldUse: 'none',
  summary: 'Returns this interface as an OpenAPI 3.1 document.',
  description:
    'Its enumerations are the types of the rules that the world plays by; its examples are from a world that plays by `standard-1`.',
  access: 'public',
  cost: 20,
  replies: [
    {
      status: 200,
      description: 'The document.',
      schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
    },
  ],
  isHeavy: true,
  handle({ documents, replies }: DocumentPorts, exchange) {
    const { present } = documents;
    if (!replies.answersWithoutBody(exchange, present.sinceSeq, replies.tagOf(`document-${present.version}`)))
      replies.answer(exchange, present.sinceSeq, present.openApiText);
  },
});

const getAsyncApi = readRoute({
  operationId: 'getAsyncApi',
  path: '/asyncapi.json',
  tag: 'service',
  worldUse: 'none',
  summary: 'Returns the events, their streams and the frames of the WebSocket as an AsyncAPI 3.0 document.',
  description: 'Its enumerations are the types of the rules that the world plays by.',
  access: 'public',
  cost: 20,
  replies: [
    {
      status: 200,
      description: 'The document.',
      schema: Type.Object({ asyncapi: Type.String() }, { additionalProperties: true }),
    },
  ],
  isHeavy: true,
  handle({ documents, replies }: DocumentPorts, exchange) {
    const { present } = documents;
    if (!replies.answersWithoutBody(exchange, present.sinceSeq, replies.tagOf(`asyncapi-${present.version}`)))
      replies.answer(exchange, present.sinceSeq, present.asyncApiText);
  },
});

const getMetrics = readRoute({
  operationId: 'getMetrics',
  path: '/metrics',
  tag: 'service',
  worldUse: 'none',
  isHeavy: true,
  summary: 'Returns metrics for Prometheus.',
  description:
    'They cover requests, commands, writes to disk, timers, snapshots and the process, each with a help text. ' +
    'Routes are identified by their templates; no label holds anything that a client sent. The text is rendered at ' +
    'most once a second. It is not available in a batch.',
  access: 'public',
  replies: [
    {
      status: 200,
      description: 'Prometheus text exposition format, version 0.0.4.',
      schema: Type.String(),
      contentType: METRICS_TYPE,
    },
  ],
  handle({ metrics, replies }: MetricsPorts, exchange) {
    replies.answerSoon(exchange, METRICS_TYPE, metrics.text());
  },
});

export const SERVICE_ROUTES: readonly HandledRoute<DocumentPorts>[] = [
  getHealth,
  getReadiness,
  getOpenApi,
  getAsyncApi,
];
export const METRICS_ROUTES: readonly HandledRoute<MetricsPorts>[] = [getMetrics];

/** The texts that are derived from the rules of the world. */
export interface DocumentPorts extends GamePorts {
  readonly documents: {
    readonly present: Readonly<
      Record<'catalogText' | 'openApiText' | 'asyncApiText' | 'languageModelText', string | Uint8Array>
    > & {
      /** An entry since which the world has played by these rules. */
      readonly sinceSeq: number;
      readonly version: string;
    };
  };
}

const HTML_TYPE = 'text/html; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';
const PLAIN_TYPE = 'text/plain; charset=utf-8';

const start: StartBody = {
  name: 'galaxyd',
  version: VERSION,
  description: 'A multiplayer space-conquest world that is played by programs.',
  links: {
    dashboard: '/dashboard',
    docs: '/docs',
    openapi: '/openapi.json',
    asyncapi: '/asyncapi.json',
    llms: '/llms.txt',
    status: '/api/status',
    catalog: '/api/catalog',
    errors: '/api/errors',
    limits: '/api/limits',
    leaderboard: '/api/leaderboard',
    health: '/healthz',
    readiness: '/readyz',
    metrics: '/metrics',
  },
};
const START_TEXT = Buffer.from(JSON.stringify(start));

const getStart = readRoute({
  operationId: 'getStart',
  path: '/',
  tag: 'service',
  worldUse: 'none',
  summary: 'Returns links to documents and to the first things to read.',
  description: 'It is JSON for browsers, too.',
  access: 'public',
  replies: [{ status: 200, description: 'The links.', schema: Start }],
  handle({ replies }, exchange) {
    if (!replies.answersWithoutBody(exchange, 0, replies.tagOf('start'))) replies.answer(exchange, 0, START_TEXT);
  },
});

const getDocs = pageRoute({
  operationId: 'getDocs',
  path: '/docs',
  page: VIEWER_PAGE,
  policy: PAGE_POLICY,
  summary: 'Returns a page to read and try this interface in a browser.',
  description: 'The page is Swagger UI. It loads nothing from other hosts and keeps a key only in its memory.',
});

const getDashboard = pageRoute({
  operationId: 'getDashboard',
  path: '/dashboard',
  page: DASHBOARD_PAGE,
  policy: DASHBOARD_POLICY,
  summary: 'Returns a page to watch the world in a browser.',
  description:
    'It reads this interface like any client and commands nothing. It loads nothing from other hosts and keeps a key only in its memory.',
});

const getDocsScript = fileRoute('getDocsScript', '/docs', 'viewer.js');
const getDocsStyle = fileRoute('getDocsStyle', '/docs', 'viewer.css');
const getDashboardScript = fileRoute('getDashboardScript', '/dashboard', 'dashboard.js');
const getDashboardStyle = fileRoute('getDashboardStyle', '/dashboard', 'dashboard.css');

const getLanguageModelText = readRoute({
  operationId: 'getLanguageModelText',
  path: '/llms.txt',
  tag: 'service',
  worldUse: 'none',
  summary: 'Returns the game and this interface as one Markdown text, for language models.',
  description: 'It is enough to play from. It names the types, costs and times of the world that is served.',
  access: 'public',
  replies: [
    {
      status: 200,
      description: 'The text.',
      schema: Type.String(),
      contentType: PLAIN_TYPE,
    },
  ],
  isHeavy: true,
  handle({ documents, replies }: DocumentPorts, exchange) {
    const { present } = documents;
    exchange.replyType = PLAIN_TYPE;
    if (!replies.answersWithoutBody(exchange, present.sinceSeq, replies.tagOf(`llms-${present.version}`)))
      replies.answer(exchange, present.sinceSeq, present.languageModelText);
  },
});

export const DOCUMENT_ROUTES: readonly HandledRoute<DocumentPorts>[] = [
  getStart,
  getDocs,
  getDocsScript,
  getDocsStyle,
  getDashboard,
  getDashboardScript,
  getDashboardStyle,
  getLanguageModelText,
];

interface PageRoute {
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** HTML. */
  readonly page: string;
  /** What it may load. */
  readonly policy: string;
}

/** A page for browsers. */
function pageRoute({ page, policy, ...operation }: PageRoute): HandledRoute<GamePorts> {
  const text = Buffer.from(page);
  const version = contentVersion(text);
  const headers = pageHeaders(policy);
  return readRoute({
    ...operation,
    tag: 'service',
    worldUse: 'none',
    access: 'public',
    replies: [{ status: 200, description: 'The page.', schema: Type.String(), contentType: HTML_TYPE }],
    handle({ replies }, exchange) {
      exchange.replyType = HTML_TYPE;
      exchange.extraHeaders = headers;
      if (!replies.answersWithoutBody(exchange, 0, `W/"${version}"`)) replies.answer(exchange, 0, text);
    },
  });
}

/** A file that a page loads. */
function fileRoute(operationId: string, page: string, name: PageFileName): HandledRoute<GamePorts> {
  const [type, noun] = name.endsWith('.js') ? [SCRIPT_TYPE, 'script'] : [STYLE_TYPE, 'style sheet'];
  return readRoute({
    operationId,
    path: `${page}/${name}`,
    tag: 'service',
    worldUse: 'none',
    summary: `Returns the ${noun} of the page ${page}.`,
    description: 'It is compressed with gzip, unless the client does not take that.',
    access: 'public',
    cost: 20,
    replies: [{ status: 200, description: `The ${noun}.`, schema: Type.String(), contentType: type }],
    isHeavy: true,
    handle({ replies }, exchange) {
      const { bytes, version } = pageFile(name);
      const isCompressed = acceptsGzip(exchange.acceptEncoding);
      exchange.replyType = type;
      exchange.extraHeaders = isCompressed ? COMPRESSED_FILE_HEADERS : FILE_HEADERS;
      if (replies.answersWithoutBody(exchange, 0, `W/"${version}"`)) return;
      replies.answer(exchange, 0, isCompressed ? bytes : gunzipSync(bytes));
    },
  });
}
