// What is watched of a server: who sends how much, for the operator, and the course of the metrics over the last hour.
import { playerId } from '../../engine/terms/ids.js';
import {
  type ClientCounts,
  type ClientTraffic,
  TRAFFIC_FIELDS,
  type TrafficReport,
} from '../admission/client-traffic.js';
import type { Owner } from '../admission/owners.js';
import { contentVersion } from '../exchange/entity-tags.js';
import type { Exchange } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import type { GamePorts } from '../game/game-ports.js';
import {
  HISTORY_POINT_MS,
  HISTORY_POINTS_MAX,
  TRAFFIC_CLIENTS_PER_REPLY_MAX,
  TRAFFIC_EXACT_PER_SECOND,
  TRAFFIC_MINUTES,
  TRAFFIC_SAMPLE,
} from '../limits.js';
import type { MetricHistory } from '../pages/metric-history.js';
import { type HandledRoute, oneOf, readRoute } from '../pipeline/route.js';
import {
  type ClientTrafficBody,
  ClientTraffic as ClientTrafficSchema,
  type MetricHistoryBody,
  MetricHistory as MetricHistorySchema,
} from '../schemas/world.js';

interface WatchingPorts extends GamePorts {
  readonly traffic: Pick<ClientTraffic, 'players' | 'addresses' | 'openOf'>;
  readonly history: Pick<MetricHistory, 'names' | 'points'>;
  /** The clock of the traffic, and that of the machine in milliseconds since 1970. */
  readonly clocks: { readonly monotonicMs: () => number; readonly wallMs: () => number };
}

/** What clients are ordered by: the largest first. */
const SORTS = [...TRAFFIC_FIELDS, 'connections'] as const;
type Sort = (typeof SORTS)[number];
const LISTED_BY_DEFAULT = 20;
const WINDOW_MINUTES = { minute: 1, hour: TRAFFIC_MINUTES } as const;
/** Seconds of the history. */
const HISTORY_SECONDS_MAX = (HISTORY_POINT_MS * HISTORY_POINTS_MAX) / 1_000;

const getTraffic = readRoute({
  operationId: 'getTraffic',
  path: '/api/admin/traffic',
  tag: 'administration',
  worldUse: 'report',
  summary: 'Lists the players or addresses that send most, over the last minute or hour.',
  description:
    'Of this process, since it started. Requests with the key of a player count for the player, and all count for the address they come from. ' +
    'A minute counts the clients that come first in it by themselves, and later keeps the heaviest; the others are counted together. ' +
    `Beyond ${TRAFFIC_EXACT_PER_SECOND} requests in a second one in ${TRAFFIC_SAMPLE} is drawn, and counts for as many.`,
  access: 'admin',
  cost: 10,
  isHeavy: true,
  query: [
    {
      name: 'by',
      description: '`player` (the default) or `address`.',
      example: 'address',
      form: oneOf('player', 'address'),
    },
    {
      name: 'window',
      description: '`minute` (the default) or `hour`.',
      example: 'hour',
      form: oneOf('minute', 'hour'),
    },
    {
      name: 'sort',
      description: `${SORTS.map((sort) => `\`${sort}\``).join(', ')}; \`requests\` by default. The largest comes first.`,
      example: 'bytesOut',
      form: oneOf(...SORTS),
    },
    {
      name: 'limit',
      description: 'How many clients are listed at most; 20 by default.',
      example: 10,
      minimum: 1,
      maximum: TRAFFIC_CLIENTS_PER_REPLY_MAX,
    },
  ],
  replies: [{ status: 200, description: 'The clients.', schema: ClientTrafficSchema }],
  handle(ports: WatchingPorts, exchange) {
    const { traffic, clocks } = ports;
    const [by = null, window = null, sort = null, limit = null] = exchange.queryValues;
    const asked = {
      window: window === 'hour' ? 'hour' : 'minute',
      sort: SORTS.find((name) => name === sort) ?? 'requests',
      limit: Number(limit ?? LISTED_BY_DEFAULT),
    } as const;
    const minutes = WINDOW_MINUTES[asked.window];
    const nowMs = clocks.monotonicMs();
    const body =
      by === 'address'
        ? bodyOf(ports, asked, 'address', traffic.addresses(minutes, nowMs), (address) => ({
            playerId: null,
            name: null,
            address,
          }))
        : bodyOf(ports, asked, 'player', traffic.players(minutes, nowMs), (number) => nameOf(ports, number));
    answerReport(ports, exchange, { ...body, seconds: 0 }, body);
  },
});

interface Asked {
  readonly window: 'minute' | 'hour';
  readonly sort: Sort;
  readonly limit: number;
}

type Named = Pick<ClientTrafficBody['clients'][number], 'playerId' | 'name' | 'address'>;

function bodyOf<Client extends Owner>(
  { traffic }: WatchingPorts,
  { window, sort, limit }: Asked,
  by: 'player' | 'address',
  { seconds, clients, others, total }: TrafficReport<Client>,
  named: (client: Client) => Named,
): ClientTrafficBody {
  const rows = Array.from(clients, ([client, counts]) => ({ client, counts, connections: traffic.openOf(client) }));
  const amountOf = ({ counts, connections }: (typeof rows)[number]): number =>
    sort === 'connections' ? connections : counts[sort];
  rows.sort((one, other) => amountOf(other) - amountOf(one));
  const rest = shown(others);
  for (const { counts } of rows.slice(limit)) for (const field of TRAFFIC_FIELDS) rest[field] += counts[field];
  return {
    ...{ by, window, seconds },
    clients: rows
      .slice(0, limit)
      .map(({ client, counts, connections }) => ({ ...named(client), ...shown(counts), connections })),
    others: rest,
    total: shown(total),
  };
}

function shown({
  requests,
  commands,
  bytesIn,
  bytesOut,
  refusals,
  rateLimited,
}: ClientCounts): ClientTrafficBody['total'] {
  return { requests, commands, bytesIn, bytesOut, refusals, rateLimited };
}

function nameOf({ world }: WatchingPorts, number: number): Named {
  return { playerId: playerId(world, number), name: world.players.get(number)?.name ?? null, address: null };
}

const getMetricHistory = readRoute({
  operationId: 'getMetricHistory',
  path: '/api/metrics/history',
  tag: 'service',
  worldUse: 'report',
  summary: 'Returns the course of the metrics over the last hour.',
  description:
    `A point every ${HISTORY_POINT_MS / 1_000} seconds has the values of \`/metrics\`, without routes, methods and readers, over which ` +
    'they are summed: counters grow, buckets of histograms are cumulated. Of this process, since it started.',
  access: 'public',
  cost: 20,
  isHeavy: true,
  query: [
    {
      name: 'seconds',
      description: 'How far back it reaches; an hour by default.',
      example: 600,
      minimum: 1,
      maximum: HISTORY_SECONDS_MAX,
    },
  ],
  replies: [{ status: 200, description: 'The points.', schema: MetricHistorySchema }],
  handle(ports: WatchingPorts, exchange) {
    const { history, clocks } = ports;
    const [seconds = null] = exchange.queryValues;
    const asOfMs = clocks.wallMs();
    const sinceMs = asOfMs - Number(seconds ?? HISTORY_SECONDS_MAX) * 1_000;
    const body: MetricHistoryBody = {
      asOf: isoText(asOfMs),
      series: history.names,
      points: history.points
        .filter(({ atMs }) => atMs >= sinceMs)
        .map(({ atMs, values }) => ({
          at: isoText(atMs),
          values: Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
        })),
    };
    answerReport(ports, exchange, body.points, body);
  },
});

/** @param content what its tag is made of: all that is more than the passing of time */
function answerReport({ replies }: GamePorts, exchange: Exchange, content: object, body: object): void {
  const tag = replies.tagOf(contentVersion(JSON.stringify(content)));
  if (!replies.answersWithoutBody(exchange, 0, tag)) replies.answer(exchange, 0, JSON.stringify(body));
}

export const WATCHING_ROUTES: readonly HandledRoute<WatchingPorts>[] = [getTraffic, getMetricHistory];
