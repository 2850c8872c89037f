// The figures that the view shows. The text of /metrics is read, two scrapes are compared, and each figure is one row of one table. A
// comparison never spans a restart of the server, where counters begin at 0 again, or a time in which nothing was read. The figures of the
// last minutes are kept while the page is open, also while another view is shown.
import { signal } from '@preact/signals';
import { FIGURES_MAX, HISTORY_GAP_MS, HISTORY_WINDOW_MS, SCRAPE_GAP_MS, SCRAPE_WINDOW_MS } from '../../limits.js';
import { formatBytes, formatCount, formatKnown, formatRate, formatSeconds } from '../../parts/format.js';
import type { Shapes } from '../../world/api.js';

export interface Scrape {
  /** Time of performance.now() at which it was read. */
  readonly atMs: number;
  readonly metrics: Exposition;
}

/** Two scrapes of the same process, the older first. */
interface Interval {
  readonly first: Exposition;
  readonly last: Exposition;
  readonly lengthMs: number;
}

type Labels = MetricSample['labels'];

/** Which samples of a metric count; by default all. */
type Accepts = (labels: Labels) => boolean;

const PROCESS_START = 'process_start_time_seconds';
/** Counters that never fall while a process serves the same world. */
const GROWING = ['galaxyd_seq', 'galaxyd_http_requests_total', 'galaxyd_engine_commands_total'] as const;

/** Over how long figures are computed, and from which time between two scrapes on nothing is computed across them. */
interface Pace {
  readonly windowMs: number;
  readonly gapMs: number;
}

const SCRAPES: Pace = { windowMs: SCRAPE_WINDOW_MS, gapMs: SCRAPE_GAP_MS };
const POINTS: Pace = { windowMs: HISTORY_WINDOW_MS, gapMs: HISTORY_GAP_MS };

/**
 * Adds a scrape to those of the window.
 *
 * @param pace that of the page's own scrapes by default
 * @returns the scrapes that can be compared with the newest one, the oldest first; only that one after a restart or a pause
 */
export function withScrape(scrapes: readonly Scrape[], newest: Scrape, pace: Pace = SCRAPES): Scrape[] {
  const last = scrapes.at(-1);
  const isGap = last !== undefined && newest.atMs - last.atMs > pace.gapMs;
  if (last === undefined || isGap || isRestarted(last.metrics, newest.metrics)) return [newest];
  const kept = [...scrapes, newest];
  // The first one is at or just before the start of the window.
  const start = kept.findLastIndex(({ atMs }) => newest.atMs - atMs >= pace.windowMs);
  return kept.slice(Math.max(0, start));
}

/** The longest interval; null if there is only one scrape. */
export function intervalOf(scrapes: readonly Scrape[]): Interval | null {
  const [first, last] = [scrapes[0], scrapes.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return { first: first.metrics, last: last.metrics, lengthMs: last.atMs - first.atMs };
}

/** Value of a metric without labels; null if it is not known. */
function gauge(metrics: Exposition, name: string, accepts?: Accepts): number | null {
  const samples = metrics.get(name)?.filter(({ labels }) => accepts?.(labels) ?? true) ?? [];
  return samples.length === 0 ? null : samples.reduce((sum, { value }) => sum + value, 0);
}

/** How much a counter has grown per second, over all samples that count. */
export function rate(interval: Interval, name: string, accepts?: Accepts): number {
  const grown = (gauge(interval.last, name, accepts) ?? 0) - (gauge(interval.first, name, accepts) ?? 0);
  return (Math.max(0, grown) / interval.lengthMs) * 1_000;
}

/** The growth per second by the value of a label, the fastest first; what has not grown is left out. */
export function ratesBy(interval: Interval, name: string, label: string, accepts?: Accepts): Map<string, number> {
  const values = new Set(interval.last.get(name)?.map(({ labels }) => labels[label] ?? ''));
  const rates = Array.from(values, (value) => {
    const isOne: Accepts = (labels) => (labels[label] ?? '') === value && (accepts?.(labels) ?? true);
    return [value, rate(interval, name, isOne)] as const;
  });
  return new Map(rates.filter(([, perSecond]) => perSecond > 0).sort(([, one], [, other]) => other - one));
}

/** Bucket counts of a histogram. */
interface Distribution {
  /** Upper bounds, ascending; the last is infinite. */
  readonly bounds: readonly number[];
  /** How many observations are not above each bound. */
  readonly counts: readonly number[];
}

/** What was observed in the interval, in all series of these histograms that count. */
export function observed(interval: Interval, names: readonly string[], accepts?: Accepts): Distribution {
  const counts = new Map<number, number>();
  const add = (metrics: Exposition, sign: 1 | -1): void => {
    for (const { labels, value } of names.flatMap((name) => metrics.get(`${name}_bucket`) ?? [])) {
      if (accepts !== undefined && !accepts(labels)) continue;
      const bound = numberOf(labels['le'] ?? '');
      counts.set(bound, (counts.get(bound) ?? 0) + sign * value);
    }
  };
  add(interval.last, 1);
  add(interval.first, -1);
  const bounds = Array.from(counts.keys()).sort((one, other) => one - other);
  return { bounds, counts: bounds.map((bound) => Math.max(0, counts.get(bound) ?? 0)) };
}

/** Number of observations. */
function countOf({ counts }: Distribution): number {
  return counts.at(-1) ?? 0;
}

/**
 * A percentile, interpolated within its bucket as Prometheus' histogram_quantile() does it. Above the greatest finite bound it is
 * that bound.
 *
 * @param share such as 0.99
 * @returns null if nothing was observed
 */
export function percentile(distribution: Distribution, share: number): number | null {
  const { bounds, counts } = distribution;
  const wanted = share * countOf(distribution);
  if (wanted === 0) return null;
  const index = counts.findIndex((count) => count >= wanted);
  const [high = 0, low = 0] = [bounds[index], bounds[index - 1]];
  if (high === Number.POSITIVE_INFINITY) return low;
  const below = counts[index - 1] ?? 0;
  return low + (high - low) * ((wanted - below) / ((counts[index] ?? 0) - below));
}

/**
 * How long at least entries have not been durable, as far as the scrapes show it.
 *
 * @returns 0 if all entries of the scrape before are durable
 */
export function undurableMs(scrapes: readonly Scrape[]): number {
  const newest = scrapes.at(-1);
  const durable = newest === undefined ? null : gauge(newest.metrics, 'galaxyd_durable_seq');
  if (newest === undefined || durable === null) return 0;
  const since = scrapes.find(({ metrics }) => (gauge(metrics, 'galaxyd_seq') ?? 0) > durable);
  return since === undefined ? 0 : newest.atMs - since.atMs;
}

/** A restart begins a new process; a replay that jumps keeps the process, but rebuilds its world and its counters. */
function isRestarted(before: Exposition, after: Exposition): boolean {
  if (gauge(before, PROCESS_START) !== gauge(after, PROCESS_START)) return true;
  return GROWING.some((name) => (gauge(after, name) ?? 0) < (gauge(before, name) ?? 0));
}

interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples by name. Buckets of a histogram have names of their own, such as `x_bucket`, as in the text. */
type Exposition = ReadonlyMap<string, readonly MetricSample[]>;

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+([-+]?(?:Inf|NaN|[\d.][\w.+-]*))(?:\s+-?\d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads a text in Prometheus' text exposition format 0.0.4. Skips comments and lines that are not in the format. */
export function parseExposition(text: string): Exposition {
  const samples = new Map<string, MetricSample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const sample = { labels: labelsOf(labels), value: numberOf(value) };
    const known = samples.get(name);
    if (known === undefined) samples.set(name, [sample]);
    else known.push(sample);
  }
  return samples;
}

/** Bounds of buckets are written in the same way. */
function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

function labelsOf(text: string): Record<string, string> {
  const pairs = Array.from(text.matchAll(LABEL), ([, name = '', value = '']) => [name, unescaped(value)] as const);
  return Object.fromEntries(pairs);
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

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
/** Long polls and streams last while the client wants; their durations say nothing about the server. */
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
  loopDelayP50Seconds: gaugeOf(LOOP_DELAY, ({ percentile }) => percentile === '50'),
  loopDelayP99Seconds: gaugeOf(LOOP_DELAY, ({ percentile }) => percentile === '99'),
  loopDelayMaxSeconds: gaugeOf(LOOP_DELAY, ({ percentile }) => percentile === '100'),
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

const FORMATS: readonly (readonly [unit: string, format: (value: number) => string])[] = [
  ['PerSecond', (value) => `${formatRate(value)}/s`],
  ['Seconds', formatSeconds],
  ['Bytes', formatBytes],
  ['Share', (share) => `${(share * 100).toFixed(1)} %`],
];

/** How a figure is written: its unit is at the end of its name. */
export function formatOf(name: FigureName): (value: number) => string {
  return FORMATS.find(([unit]) => name.endsWith(unit))?.[1] ?? formatCount;
}

/** A figure as text; a dash if it is not known. */
export function textOf(values: Figures['values'], name: FigureName): string {
  return formatKnown(values[name], formatOf(name));
}

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

export type RouteLoad = ReturnType<typeof routeLoads>[number];

/** The loads of all routes with requests, the busiest first. Refused are replies with a status of 400 or more. */
export function routeLoads(interval: Interval) {
  const loads = (['HTTP', 'WebSocket'] as const).flatMap((transport, index) => {
    const [requests = '', durations = ''] = [REQUESTS[index], DURATIONS[index]];
    return Array.from(ratesBy(interval, requests, 'route'), ([route, perSecond]) => {
      const isRoute: Accepts = (labels) => labels['route'] === route;
      const isRefusal: Accepts = (labels) => isRoute(labels) && /^[45]/.test(labels['code'] ?? '');
      const distribution = observed(interval, [durations], isRoute);
      return {
        ...{ route, transport, perSecond, refusedPerSecond: rate(interval, requests, isRefusal) },
        ...{ p50Seconds: percentile(distribution, 0.5), p99Seconds: percentile(distribution, 0.99) },
      };
    });
  });
  return loads.sort((one, other) => other.perSecond - one.perSecond);
}

const isShort = ({ route = '' }: Labels): boolean => !WAITING_ROUTES.test(route);

function tableOf(figureOf: (name: FigureName) => number | null): Record<FigureName, number | null> {
  return Object.fromEntries(NAMES.map((name) => [name, figureOf(name)])) as Record<FigureName, number | null>;
}

/** The scrapes that the newest figures were made of. */
export const scrapes = signal<readonly Scrape[]>([]);

/** Figures by time, the newest last. */
export const figures = signal<readonly Figures[]>([]);

let lastText = '';

/**
 * Adds a reply of /metrics. The server renders it once a second at most: the same text twice is one scrape.
 *
 * @param atMs time of performance.now()
 * @param wallMs time of the viewer's clock
 */
export function takeMetrics(text: string, atMs: number, wallMs: number): void {
  if (text === lastText) return;
  lastText = text;
  const metrics = parseExposition(text);
  const before = scrapes.peek();
  const after = withScrape(before, { atMs, metrics });
  const isBroken = before.length > 0 && after.length === 1;
  // Without figures the lines of the charts have a gap.
  const gap = isBroken ? [{ atMs: wallMs - 1, values: tableOf(() => null), refusals: new Map() }] : [];
  scrapes.value = after;
  figures.value = [...figures.peek(), ...gap, figuresOf(after, metrics, wallMs)].slice(-FIGURES_MAX);
  firstScrapeMs ??= wallMs;
}

/** When the page itself began to read, by the viewer's clock; null before. */
let firstScrapeMs: number | null = null;

/**
 * Puts what the server has kept before the page's own figures. Its points are computed like scrapes.
 *
 * @param wallMs time of the viewer's clock, at which the reply came
 */
export function takeHistory(history: Shapes['MetricHistory'], wallMs: number): void {
  const own = figures.peek().filter(({ atMs }) => firstScrapeMs !== null && atMs >= firstScrapeMs);
  const endMs = own[0]?.atMs ?? Number.POSITIVE_INFINITY;
  const kept = historyFigures(history, wallMs).filter(({ atMs }) => atMs < endMs);
  figures.value = [...kept, ...own].slice(-FIGURES_MAX);
}

/** The figures of each point, at times of the viewer's clock. */
export function historyFigures({ asOf, series, points }: Shapes['MetricHistory'], wallMs: number): Figures[] {
  const aheadMs = wallMs - Date.parse(asOf);
  let window: Scrape[] = [];
  return points.map(({ at, values }) => {
    const lines = series.flatMap((name, index) =>
      typeof values[index] === 'number' ? [`${name} ${values[index]}`] : [],
    );
    const atMs = Date.parse(at) + aheadMs;
    const metrics = parseExposition(lines.join('\n'));
    window = withScrape(window, { atMs, metrics }, POINTS);
    return figuresOf(window, metrics, atMs);
  });
}
