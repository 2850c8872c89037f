// Metrics of the process itself. There is one registry per process, however many worlds it serves, since the library
// never releases its observers of the process.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Sampling interval of the event loop delay. */
const RESOLUTION_MS = 20;

/** The library's own metrics that are shown; the others are deprecated in Node, or covered better here. */
const SHOWN = /^(process_\w+|nodejs_(gc|heap_size|external_memory|version)_\w+)$/;

/** The registry of this process. Garbage collection is observed from the first call on. */
export function processMetrics(): Registry {
  shown ??= begin();
  return shown;
}

let shown: Registry | undefined;

function begin(): Registry {
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults, eventLoopMonitoringPrecision: RESOLUTION_MS });
  const registry = new Registry();
  for (const { name } of defaults.getMetricsAsArray()) {
    const metric = defaults.getSingleMetric(name);
    if (metric !== undefined && SHOWN.test(name)) registry.registerMetric(metric);
  }
  registry.registerMetric(eventLoopDelay());
  return registry;
}

function eventLoopDelay(): Gauge {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return new Gauge({
    name: 'galaxyd_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last scrape; quantile 1 is the maximum.',
    labelNames: ['quantile'],
    registers: [],
    collect() {
      this.set({ quantile: '0.5' }, delaySeconds(delays, 50));
      this.set({ quantile: '0.99' }, delaySeconds(delays, 99));
      this.set({ quantile: '1' }, delaySeconds(delays, 100));
      delays.reset();
    },
  });
}

/** Node reports the length of a sampling period, of which RESOLUTION_MS are expected; and 0 before the first period. */
function delaySeconds(delays: IntervalHistogram, percentile: number): number {
  return Math.max(0, delays.percentile(percentile) / 1e9 - RESOLUTION_MS / 1_000);
}
