// The course of the metrics over the last hour, for the operator's view: a point every few seconds, made of the same table as /metrics, in
// a ring. It keeps the sums over routes, methods and readers, and tells apart only what the labels below name.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { BucketCounts } from '../../persistence/writer/figures.js';
import { HISTORY_POINT_MS, HISTORY_POINTS_MAX, HISTORY_SERIES_MAX } from '../limits.js';
import {
  COUNTERS,
  delaySeconds,
  GAUGES,
  HISTOGRAMS,
  LOOP_DELAY,
  LOOP_DELAY_PERCENTILES,
  LOOP_DELAY_RESOLUTION_MS,
  METRIC_PREFIX,
  type MetricDescription,
  type MetricSources,
} from './metric-table.js';

/** Labels that tell series apart; over the others their values are summed. */
const KEPT_LABELS: ReadonlySet<string> = new Set(['code', 'type', 'result', 'reason']);
/** Not a course. */
const LEFT_OUT: ReadonlySet<string> = new Set(['build_info']);
/** Long polls and streams last while the client wants; their durations say nothing about the server. */
const WAITING_ROUTES = /^\/api\/event\//;

/** What is known of the process itself, under the names that /metrics has for it. */
const PROCESS_METRICS: Readonly<Record<string, () => number>> = {
  process_start_time_seconds: () => Math.round(performance.timeOrigin / 1_000),
  process_cpu_seconds_total: () => cpuSeconds(process.cpuUsage()),
  process_resident_memory_bytes: () => process.memoryUsage.rss(),
  nodejs_heap_size_used_bytes: () => process.memoryUsage().heapUsed,
  nodejs_external_memory_bytes: () => process.memoryUsage().external,
};

function cpuSeconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}

/** All series at one instant. */
export interface HistoryPoint {
  /** The machine's clock, milliseconds since 1970. */
  readonly atMs: number;
  /** In the order of the names of the history; fewer if a series is newer than the point. NaN for a value that was not known. */
  readonly values: Float64Array;
}

interface MetricTable {
  readonly values: typeof COUNTERS;
  readonly histograms: typeof HISTOGRAMS;
}

export class MetricHistory {
  /** The series, such as `galaxyd_http_requests_total{code="200"}`, by their positions. */
  readonly #positions = new Map<string, number>();
  /** The oldest first. */
  readonly #points: HistoryPoint[] = [];
  #values = new Float64Array(HISTORY_SERIES_MAX);
  #delays: IntervalHistogram | null = null;

  constructor(
    private readonly sources: MetricSources,
    private readonly table: MetricTable = { values: [...COUNTERS, ...GAUGES], histograms: HISTOGRAMS },
  ) {}

  get names(): string[] {
    return [...this.#positions.keys()];
  }

  get points(): readonly HistoryPoint[] {
    return this.#points;
  }

  /** Takes points regularly. The timer keeps no process running. */
  begin(): void {
    this.#delays = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS });
    this.#delays.enable();
    this.take();
    setInterval(() => this.take(), HISTORY_POINT_MS).unref();
  }

  /** Takes a point. */
  take(): void {
    this.#values = new Float64Array(HISTORY_SERIES_MAX).fill(Number.NaN);
    for (const row of this.table.values) {
      if (LEFT_OUT.has(row.name)) continue;
      row.read(this.sources, (value, ...labels) => this.#add(row.name, keptLabels(row, labels), value));
    }
    for (const row of this.table.histograms) {
      row.read(this.sources, (counts, ...labels) => {
        if (!labels.some((label) => WAITING_ROUTES.test(label))) this.#addHistogram(row.name, counts);
      });
    }
    for (const [name, read] of Object.entries(PROCESS_METRICS)) this.#addTo(name, read());
    this.#addDelays();
    this.#points.push({ atMs: this.sources.wallMs(), values: this.#values.slice(0, this.#positions.size) });
    if (this.#points.length > HISTORY_POINTS_MAX) this.#points.shift();
  }

  #addHistogram(name: string, counts: BucketCounts): void {
    const cumulated = counts.cumulated();
    for (const [index, bound] of [...counts.bounds.map(String), '+Inf'].entries()) {
      this.#add(`${name}_bucket`, `{le="${bound}"}`, cumulated[index] as number);
    }
    this.#add(`${name}_sum`, '', counts.sum);
    this.#add(`${name}_count`, '', counts.count);
  }

  #addDelays(): void {
    const delays = this.#delays;
    if (delays === null) return;
    for (const percentile of LOOP_DELAY_PERCENTILES) {
      this.#add(LOOP_DELAY, `{percentile="${percentile}"}`, delaySeconds(delays, percentile));
    }
    delays.reset();
  }

  #add(name: string, labels: string, value: number): void {
    this.#addTo(`${METRIC_PREFIX}${name}${labels}`, value);
  }

  #addTo(series: string, value: number): void {
    const position = this.#positions.get(series) ?? this.#positions.size;
    // Names and labels are of our own tables, so there are never so many.
    if (position >= HISTORY_SERIES_MAX) return;
    this.#positions.set(series, position);
    const before = this.#values[position] as number;
    this.#values[position] = Number.isNaN(before) ? value : before + value;
  }
}

function keptLabels({ labels = [] }: MetricDescription, values: readonly string[]): string {
  const pairs = labels.flatMap((label, index) => (KEPT_LABELS.has(label) ? [`${label}="${values[index]}"`] : []));
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Shares what is forgotten when it is read between two readers: each gets the largest value since its own last look. */
export function sharedPeak(take: () => number): readonly [() => number, () => number] {
  const peaks = [0, 0];
  const readerOf = (index: number) => (): number => {
    const value = take();
    for (const [reader, peak] of peaks.entries()) peaks[reader] = Math.max(peak, value);
    const own = peaks[index] as number;
    peaks[index] = 0;
    return own;
  };
  return [readerOf(0), readerOf(1)];
}
