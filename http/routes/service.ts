// Routes for supervisors and monitoring: liveness, readiness, the OpenAPI and AsyncAPI documents, and metrics.

import { Type } from '../../persistence/typebox.js';
import type { GamePorts } from '../game/game-ports.js';
import { METRICS_TYPE, type MetricsPage } from '../metrics/metrics-page.js';
import { type HandledRoute, readRoute } from '../pipeline/route.js';
import { Health, Readiness } from '../schemas/world.js';
import type { DocumentPorts } from './documents.js';

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
      pattern: /^leader$/,
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
  handle({ documents, replies, rules }: DocumentPorts, exchange) {
    const { present } = documents;
    if (!replies.answersWithoutBody(exchange, present.sinceSeq, replies.tagOf(`document-${rules.identity.digest}`)))
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
  handle({ documents, replies, rules }: DocumentPorts, exchange) {
    const { present } = documents;
    if (!replies.answersWithoutBody(exchange, present.sinceSeq, replies.tagOf(`asyncapi-${rules.identity.digest}`)))
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
