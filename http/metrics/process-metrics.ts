// What /metrics tells of the process itself: one registry a process, however many worlds it serves, since what observes
// the process is never let go of by the library.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** How often the event loop is looked at. */
const RESOLUTION_MS = 20;

/** What is shown of the library's own: the rest is deprecated in Node, or told better here. */
const SHOWN = /^(process_\w+|nodejs_(gc|heap_size|external_memory|version)_\w+)$/;

/** The registry of this process. What it tells of garbage collection begins with the first call. */
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
    help: 'By how much turns of the event loop came late since the last scrape; quantile 1 is the worst.',
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

/** Node tells how long a period was, of which RESOLUTION_MS are as they should be; and 0 before the first. */
function delaySeconds(delays: IntervalHistogram, percentile: number): number {
  return Math.max(0, delays.percentile(percentile) / 1e9 - RESOLUTION_MS / 1_000);
}
