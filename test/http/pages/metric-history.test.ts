// The history of the metrics: its points have what /metrics has, and taking them takes nothing from a scrape.
import t from 'tap';
import { HISTORY_POINTS_MAX, HISTORY_SERIES_MAX } from '../../../http/limits.js';
import { MetricHistory, sharedPeak } from '../../../http/pages/metric-history.js';
import { COUNTERS, GAUGES, HISTOGRAMS, type MetricSources } from '../../../http/pages/metric-table.js';
import type { MetricHistoryBody } from '../../../http/schemas/world.js';
import { ServerCounts } from '../../../http/server/request-counts.js';
import { begin } from '../support/serving.js';

t.test('a value that is forgotten when it is read is shared by two readers', async (t) => {
  const values = [5, 0, 2, 0, 0];
  const [page, history] = sharedPeak(() => values.shift() ?? 0);
  t.equal(page(), 5);
  t.equal(history(), 5, 'the other has not seen it yet');
  t.equal(history(), 2);
  t.equal(page(), 2);
  t.equal(page(), 0);
});

/** A history of requests alone. */
function historyOf(counts: ServerCounts, wallMs: () => number): MetricHistory {
  // The other sources are not read.
  const sources = { counts, wallMs } as unknown as MetricSources;
  return new MetricHistory(sources, {
    values: COUNTERS.filter(({ name }) => name === 'http_requests_total'),
    histograms: HISTOGRAMS.filter(({ name }) => name === 'http_request_duration_seconds'),
  });
}

t.test('requests are summed over routes and methods, by status; long polls do not count as slow', async (t) => {
  const counts = new ServerCounts();
  counts.ofRoute('/api/status').of('GET').answered(200, 3);
  counts.ofRoute('/api/game/player').of('POST').answered(201, 3);
  counts.ofRoute('/api/leaderboard').of('GET').answered(200, 3);
  counts.ofRoute('/api/event/world').of('GET').answered(200, 30_000);
  let nowMs = 1_000;
  const history = historyOf(counts, () => nowMs);
  history.take();
  const current = (name: string) => history.points.at(-1)?.values[history.names.indexOf(name)];
  t.equal(current('galaxyd_http_requests_total{code="200"}'), 3);
  t.equal(current('galaxyd_http_requests_total{code="201"}'), 1);
  t.equal(current('galaxyd_http_request_duration_seconds_count'), 3);
  t.equal(current('galaxyd_http_request_duration_seconds_bucket{le="0.005"}'), 3);
  t.ok((current('process_resident_memory_bytes') ?? 0) > 1_000_000);
  for (let point = 0; point < HISTORY_POINTS_MAX; point += 1) {
    nowMs += 10_000;
    history.take();
  }
  t.equal(history.points.length, HISTORY_POINTS_MAX);
  t.equal(history.points[0]?.atMs, 11_000, 'the oldest point has made room');
});

t.test(
  'everybody reads it; it has each metric of the table that has a value, and its points those of then',
  async (t) => {
    const { client, play } = await begin(t, { server: { keepsMetricHistory: true } });
    await play.newcomer('ada');
    const { series, points } = await client.read<MetricHistoryBody>('/api/metrics/history');
    t.equal(points.length, 1, 'one is taken at once');
    t.ok(points[0]?.values.every((value) => value === null || Number.isFinite(value)));
    const text = (await client.request('GET', '/metrics')).text;
    const names = new Set(series.map((name) => name.replace(/\{.*/, '')));
    for (const { name } of [...COUNTERS, ...GAUGES]) {
      const isShown = new RegExp(`^galaxyd_${name}[{ ]`, 'm').test(text);
      if (isShown && !['build_info', 'http_requests_total', 'engine_commands_total'].includes(name))
        t.ok(names.has(`galaxyd_${name}`), name);
    }
    t.ok(HISTOGRAMS.length > 0 && names.has('galaxyd_log_flush_duration_seconds_bucket'));
    t.ok(series.length < HISTORY_SERIES_MAX / 4, `${series.length} series`);
    const none = await client.read<MetricHistoryBody>('/api/metrics/history?seconds=1');
    t.ok(none.points.length <= 1);
  },
);
