// What was scraped from /metrics lately, and what follows from the difference of two scrapes: rates and percentiles. A difference
// never spans a restart of the server, where counters begin at 0 again, or a time in which nothing was read.
import { SCRAPE_GAP_MS, SCRAPE_WINDOW_MS } from '../../limits.js';
import { type Exposition, type MetricSample, numberOf } from '../../world/exposition.js';

export interface Scrape {
  /** Time of performance.now() at which it was read. */
  readonly atMs: number;
  readonly metrics: Exposition;
}

/** Two scrapes of the same process, the older first. */
export interface Interval {
  readonly first: Exposition;
  readonly last: Exposition;
  readonly lengthMs: number;
}

export type Labels = MetricSample['labels'];

/** Which samples of a metric count; by default all. */
export type Accepts = (labels: Labels) => boolean;

const PROCESS_START = 'process_start_time_seconds';
/** What never falls as long as a process serves the same world. */
const GROWING = ['galaxyd_seq', 'galaxyd_http_requests_total', 'galaxyd_engine_commands_total'] as const;

/**
 * Adds a scrape to those of the window.
 *
 * @returns the scrapes that can be compared with the newest one, the oldest first; only that one after a restart or a pause
 */
export function withScrape(scrapes: readonly Scrape[], newest: Scrape): Scrape[] {
  const last = scrapes.at(-1);
  const isGap = last !== undefined && newest.atMs - last.atMs > SCRAPE_GAP_MS;
  if (last === undefined || isGap || isRestarted(last.metrics, newest.metrics)) return [newest];
  const kept = [...scrapes, newest];
  // The first one is at or just before the start of the window.
  const start = kept.findLastIndex(({ atMs }) => newest.atMs - atMs >= SCRAPE_WINDOW_MS);
  return kept.slice(Math.max(0, start));
}

/** The longest interval; null if there is only one scrape. */
export function intervalOf(scrapes: readonly Scrape[]): Interval | null {
  const [first, last] = [scrapes[0], scrapes.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return { first: first.metrics, last: last.metrics, lengthMs: last.atMs - first.atMs };
}

/** Value of a metric without labels; null if it is not known. */
export function gauge(metrics: Exposition, name: string, accepts?: Accepts): number | null {
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
export interface Distribution {
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
export function countOf({ counts }: Distribution): number {
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

/** A restart begins a new process; a replay that jumps keeps the process, but builds its world and the counters of it anew. */
function isRestarted(before: Exposition, after: Exposition): boolean {
  if (gauge(before, PROCESS_START) !== gauge(after, PROCESS_START)) return true;
  return GROWING.some((name) => (gauge(after, name) ?? 0) < (gauge(before, name) ?? 0));
}
