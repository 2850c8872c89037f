// The figures that the view shows, each derived from the metrics in one row of one table.
import type { Exposition } from '../../world/exposition.js';
import {
  type Accepts,
  countOf,
  type Distribution,
  gauge,
  type Interval,
  intervalOf,
  type Labels,
  observed,
  percentile,
  rate,
  ratesBy,
  type Scrape,
  undurableMs,
} from './scrapes.js';

/** All figures of one scrape; null if one is not known: rates need two scrapes, and some metrics do not exist always. */
export interface Figures {
  /** Time of the viewer's clock in ms since 1970. */
  readonly atMs: number;
  readonly values: Readonly<Record<FigureName, number | null>>;
  /** Refused commands per second by code, the most frequent first. */
  readonly refusals: ReadonlyMap<string, number>;
}

export type FigureName = keyof typeof ROWS;

interface Source {
  readonly metrics: Exposition;
  readonly interval: Interval | null;
  readonly durations: Distribution | null;
  readonly flushes: Distribution | null;
  readonly scrapes: readonly Scrape[];
}

/** Commands that the server gives itself. */
const OWN_COMMANDS = new Set(['advance_time', 'keep_reply']);
/** Long polls and streams last as long as the client wants; their durations say nothing about the server. */
const WAITING_ROUTES = /^\/api\/event\//;

const DURATIONS = ['galaxyd_http_request_duration_seconds', 'galaxyd_websocket_call_duration_seconds'] as const;
const REQUESTS = ['galaxyd_http_requests_total', 'galaxyd_websocket_calls_total'] as const;
const COMMANDS = 'galaxyd_engine_commands_total';
const FLUSHES = 'galaxyd_log_flush_duration_seconds';
const LOOP_DELAY = 'galaxyd_event_loop_delay_seconds';

const isPlayed: Accepts = ({ type = '' }) => !OWN_COMMANDS.has(type);
const isAccepted: Accepts = (labels) => isPlayed(labels) && labels['result'] === 'accepted';
const isRefused: Accepts = (labels) => isPlayed(labels) && labels['result'] !== 'accepted';
const isFailure: Accepts = ({ code = '' }) => code.startsWith('5');

const gaugeOf =
  (name: string, accepts?: Accepts) =>
  ({ metrics }: Source): number | null =>
    gauge(metrics, name, accepts);

/** The growth per second of all samples that count. */
const rateOf =
  (names: readonly string[], accepts?: Accepts) =>
  ({ interval }: Source): number | null =>
    interval === null ? null : names.reduce((sum, name) => sum + rate(interval, name, accepts), 0);

const quantileIs =
  (quantile: string): Accepts =>
  (labels) =>
    labels['quantile'] === quantile;

const ROWS = {
  acceptedPerSecond: rateOf([COMMANDS], isAccepted),
  refusedPerSecond: rateOf([COMMANDS], isRefused),
  ticksPerSecond: rateOf([COMMANDS], ({ type }) => type === 'advance_time'),
  requestsPerSecond: rateOf(REQUESTS),
  failuresPerSecond: rateOf(REQUESTS, isFailure),
  latencyP50Seconds: ({ durations }: Source) => durations && percentile(durations, 0.5),
  latencyP90Seconds: ({ durations }: Source) => durations && percentile(durations, 0.9),
  latencyP99Seconds: ({ durations }: Source) => durations && percentile(durations, 0.99),
  flushP50Seconds: ({ flushes }: Source) => flushes && percentile(flushes, 0.5),
  flushP99Seconds: ({ flushes }: Source) => flushes && percentile(flushes, 0.99),
  flushesPerSecond: ({ flushes, interval }: Source) =>
    flushes && interval && (countOf(flushes) / interval.lengthMs) * 1_000,
  entriesPerSecond: rateOf(['galaxyd_log_batch_entries_sum']),
  seq: gaugeOf('galaxyd_seq'),
  durableSeq: gaugeOf('galaxyd_durable_seq'),
  entriesNotDurable: ({ metrics }: Source) =>
    Math.max(0, (gauge(metrics, 'galaxyd_seq') ?? 0) - (gauge(metrics, 'galaxyd_durable_seq') ?? 0)),
  notDurableSeconds: ({ scrapes }: Source) => undurableMs(scrapes) / 1_000,
  repliesHeld: gaugeOf('galaxyd_replies_held'),
  timersPending: gaugeOf('galaxyd_timers_pending'),
  timerLagSeconds: gaugeOf('galaxyd_timer_lag_seconds'),
  loopDelayP50Seconds: gaugeOf(LOOP_DELAY, quantileIs('0.5')),
  loopDelayP99Seconds: gaugeOf(LOOP_DELAY, quantileIs('0.99')),
  loopDelayMaxSeconds: gaugeOf(LOOP_DELAY, quantileIs('1')),
  requestsInFlight: gaugeOf('galaxyd_http_requests_in_flight'),
  requestsQueued: gaugeOf('galaxyd_http_requests_queued'),
  connections: gaugeOf('galaxyd_http_connections'),
  longPolls: gaugeOf('galaxyd_event_long_polls_held'),
  streams: gaugeOf('galaxyd_event_streams'),
  sockets: gaugeOf('galaxyd_websocket_connections'),
  subscriptions: gaugeOf('galaxyd_event_subscriptions'),
  mapViewers: gaugeOf('galaxyd_map_viewers'),
  eventsPerSecond: rateOf(['galaxyd_events_delivered_total']),
  mapFramesPerSecond: rateOf(['galaxyd_map_frames_delivered_total']),
  mapCharactersPerSecond: rateOf(['galaxyd_map_frame_characters_total']),
  cutOffPerSecond: rateOf(['galaxyd_event_readers_cut_off_total'], ({ reason }) => reason === 'stalled'),
  cutOff: gaugeOf('galaxyd_event_readers_cut_off_total'),
  snapshotSeq: gaugeOf('galaxyd_snapshot_seq'),
  snapshotAgeSeconds: gaugeOf('galaxyd_snapshot_age_seconds'),
  snapshotDurationSeconds: gaugeOf('galaxyd_snapshot_duration_seconds'),
  snapshotIsLate: gaugeOf('galaxyd_snapshot_is_late'),
  snapshotsTaken: gaugeOf('galaxyd_snapshots_taken_total'),
  snapshotsFailed: gaugeOf('galaxyd_snapshots_failed_total'),
  logSinceSnapshotBytes: gaugeOf('galaxyd_log_since_snapshot_bytes'),
  diskFreeBytes: gaugeOf('galaxyd_disk_free_bytes'),
  linesDropped: gaugeOf('galaxyd_log_lines_dropped_total'),
  residentBytes: gaugeOf('process_resident_memory_bytes'),
  heapUsedBytes: gaugeOf('nodejs_heap_size_used_bytes'),
  heapTotalBytes: gaugeOf('nodejs_heap_size_total_bytes'),
  externalBytes: gaugeOf('nodejs_external_memory_bytes'),
  collectionShare: rateOf(['nodejs_gc_duration_seconds_sum']),
  collectionsPerSecond: rateOf(['nodejs_gc_duration_seconds_count']),
  cpuShare: rateOf(['process_cpu_seconds_total']),
  filesOpen: gaugeOf('process_open_fds'),
  filesMax: gaugeOf('process_max_fds'),
} as const satisfies Readonly<Record<string, (source: Source) => number | null>>;

const NAMES = Object.keys(ROWS) as FigureName[];

/** The figures of the newest of these scrapes. */
export function figuresOf(scrapes: readonly Scrape[], metrics: Exposition, atMs: number): Figures {
  const interval = intervalOf(scrapes);
  const source: Source = {
    ...{ metrics, interval, scrapes },
    durations: interval && observed(interval, DURATIONS, isShort),
    flushes: interval && observed(interval, [FLUSHES]),
  };
  return {
    atMs,
    values: tableOf((name) => ROWS[name](source)),
    refusals: interval === null ? new Map() : ratesBy(interval, COMMANDS, 'result', isRefused),
  };
}

/** No figures: where the lines of the charts have a gap. */
export function blankFigures(atMs: number): Figures {
  return { atMs, values: tableOf(() => null), refusals: new Map() };
}

/** The load of one route. */
export interface RouteLoad {
  readonly route: string;
  readonly transport: 'HTTP' | 'WebSocket';
  readonly perSecond: number;
  /** Replies with a status of 400 or more. */
  readonly refusedPerSecond: number;
  readonly p50Seconds: number | null;
  readonly p99Seconds: number | null;
}

/** All routes with requests, the busiest first. */
export function routeLoads(interval: Interval): RouteLoad[] {
  const loads = (['HTTP', 'WebSocket'] as const).flatMap((transport, index) => {
    const [requests = '', durations = ''] = [REQUESTS[index], DURATIONS[index]];
    return Array.from(ratesBy(interval, requests, 'route'), ([route, perSecond]) => {
      const isRoute: Accepts = (labels) => labels['route'] === route;
      const distribution = observed(interval, [durations], isRoute);
      return {
        ...{ route, transport, perSecond },
        refusedPerSecond: rate(interval, requests, (labels) => isRoute(labels) && isError(labels)),
        p50Seconds: percentile(distribution, 0.5),
        p99Seconds: percentile(distribution, 0.99),
      };
    });
  });
  return loads.sort((one, other) => other.perSecond - one.perSecond);
}

function isShort({ route = '' }: Labels): boolean {
  return !WAITING_ROUTES.test(route);
}

function isError({ code = '' }: Labels): boolean {
  return /^[45]/.test(code);
}

function tableOf(figureOf: (name: FigureName) => number | null): Record<FigureName, number | null> {
  return Object.fromEntries(NAMES.map((name) => [name, figureOf(name)])) as Record<FigureName, number | null>;
}
