// Renders /metrics. Only this file uses prom-client. The library receives the values on a scrape and does no counting: its own counters
// look up an object of labels for each request. The metrics of the process itself have one registry per process, however many worlds
// it serves, since the library never releases its observers of the process.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BucketCounts } from '../../persistence/writer/figures.js';
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

/** Content type of the text (Prometheus exposition format 0.0.4). */
export const METRICS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

export class MetricsPage {
  readonly #sources: MetricSources;
  /** Created on the first scrape: observing the process has a small cost, which a server without scrapes avoids. */
  #registry: Registry | null = null;
  /** The latest text; null before the first scrape. */
  #text: string | null = null;
  #rendering: Promise<string> | null = null;
  #renderedAtMs = Number.NEGATIVE_INFINITY;

  /** @param maxAgeMs how long the same text is served */
  constructor(
    sources: MetricSources,
    private readonly maxAgeMs: number,
  ) {
    this.#sources = sources;
  }

  /**
   * The text, rendered at most once in `maxAgeMs`. A promise while it is being rendered: the library is slow, and
   * asynchronous.
   */
  text(): string | Promise<string> {
    if (this.#rendering !== null) return this.#rendering;
    if (this.#text !== null && performance.now() - this.#renderedAtMs < this.maxAgeMs) return this.#text;
    this.#rendering = this.#render().finally(() => {
      this.#rendering = null;
    });
    return this.#rendering;
  }

  async #render(): Promise<string> {
    this.#registry ??= Registry.merge([worldMetrics(this.#sources), processMetrics()]);
    this.#renderedAtMs = performance.now();
    this.#text = await this.#registry.metrics();
    return this.#text;
  }
}

function worldMetrics(sources: MetricSources): Registry {
  const registry = new Registry();
  const registers = [registry];
  for (const row of COUNTERS) {
    new Counter({
      ...described(row),
      registers,
      collect() {
        this.reset();
        row.read(sources, (value, ...labels) => this.inc(labelled(row, labels), value));
      },
    });
  }
  for (const row of GAUGES) {
    new Gauge({
      ...described(row),
      registers,
      collect() {
        this.reset();
        // Without labels a reset leaves the value 0.
        if (row.labels === undefined) this.remove();
        row.read(sources, (value, ...labels) => this.set(labelled(row, labels), value));
      },
    });
  }
  for (const row of HISTOGRAMS) {
    const samples = (name: string): Sample[] => {
      const all: Sample[] = [];
      row.read(sources, (counts, ...labels) => all.push(...samplesOf(name, counts, labelled(row, labels))));
      return all;
    };
    new CountedHistogram({ ...described(row), registers }, samples);
  }
  return registry;
}

/** A line of the text, in the library's format. */
interface Sample {
  readonly metricName: string;
  readonly labels: { readonly le?: string };
  readonly sharedLabels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Configuration = ConstructorParameters<typeof Histogram>[0];

/**
 * The library's histograms accept observations, but not counts made elsewhere. This one overrides the method that
 * collects the samples, which the library's types do not declare.
 */
class CountedHistogram extends Histogram {
  readonly #configuration: Configuration;
  readonly #samples: (name: string) => Sample[];

  constructor(configuration: Configuration, samples: (name: string) => Sample[]) {
    super(configuration);
    this.#configuration = configuration;
    this.#samples = samples;
  }

  async getForPromString() {
    const { name, help } = this.#configuration;
    return { name, help, type: 'histogram', aggregator: 'sum', values: this.#samples(name) };
  }
}

function samplesOf(name: string, counts: BucketCounts, sharedLabels: Record<string, string>): Sample[] {
  const cumulated = counts.cumulated();
  const bounds = [...counts.bounds.map(String), '+Inf'];
  const buckets = bounds.map((le, index) => ({
    metricName: `${name}_bucket`,
    labels: { le },
    sharedLabels,
    value: cumulated[index] as number,
  }));
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: counts.sum },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: counts.count },
  ];
}

function described({ name, help, labels = [] }: MetricDescription): {
  name: string;
  help: string;
  labelNames: readonly string[];
} {
  return { name: `${METRIC_PREFIX}${name}`, help, labelNames: labels };
}

function labelled({ labels = [] }: MetricDescription, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] as string]));
}

/** The library's own metrics that are shown; the others are deprecated in Node, or covered better here. */
const SHOWN = /^(process_\w+|nodejs_(gc|heap_size|external_memory|version)_\w+)$/;

/** The registry of this process. Garbage collection is observed from the first call on. */
function processMetrics(): Registry {
  shown ??= begin();
  return shown;
}

let shown: Registry | undefined;

function begin(): Registry {
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults, eventLoopMonitoringPrecision: LOOP_DELAY_RESOLUTION_MS });
  const registry = new Registry();
  for (const { name } of defaults.getMetricsAsArray()) {
    const metric = defaults.getSingleMetric(name);
    if (metric !== undefined && SHOWN.test(name)) registry.registerMetric(metric);
  }
  registry.registerMetric(eventLoopDelay());
  return registry;
}

function eventLoopDelay(): Gauge {
  const delays = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS });
  delays.enable();
  return new Gauge({
    name: `${METRIC_PREFIX}${LOOP_DELAY}`,
    help: 'Delay of the event loop since the last scrape; percentile 100 is the maximum.',
    labelNames: ['percentile'],
    registers: [],
    collect() {
      for (const percentile of LOOP_DELAY_PERCENTILES) {
        this.set({ percentile: String(percentile) }, delaySeconds(delays, percentile));
      }
      delays.reset();
    },
  });
}
