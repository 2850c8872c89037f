// The view of the server: what it computes from /metrics, and what it calls wrong. The texts are those of a real server, so a metric
// that is renamed fails here.
import t from 'tap';
import { SCRAPE_GAP_MS, SCRAPE_PERIOD_MS, SCRAPE_WINDOW_MS } from '../../dashboard/limits.js';
import { concernsOf } from '../../dashboard/views/operator/concerns.js';
import {
  type FigureName,
  type Figures,
  figuresOf,
  historyFigures,
  intervalOf,
  observed,
  parseExposition,
  percentile,
  rate,
  ratesBy,
  type Scrape,
  undurableMs,
  withScrape,
} from '../../dashboard/views/operator/figures.js';
import type { MetricHistoryBody } from '../../http/schemas/world.js';
import { begin } from '../http/support/serving.js';

const COMMANDS = 'galaxyd_engine_commands_total';

/** A scrape of a process that began at `start`. */
function scrape(atMs: number, start: number, lines: string): Scrape {
  return { atMs, metrics: parseExposition(`process_start_time_seconds ${start}\n${lines}`) };
}

const counted = (accepted: number, refused = 0): string =>
  `${COMMANDS}{type="build_ships",result="accepted"} ${accepted}\n${COMMANDS}{type="build_ships",result="busy"} ${refused}`;

function after(scrapes: readonly Scrape[]): Scrape[] {
  return scrapes.reduce<Scrape[]>((kept, next) => withScrape(kept, next), []);
}

t.test('the text format is read as it is specified', async (t) => {
  const metrics = parseExposition(
    [
      '# HELP a_total Says {things} 1',
      'a_total 3',
      'b{le="+Inf",path="C:\\\\x\\n\\"y\\"",brace="}"} 1.5e3 1395066363000',
      'c -Inf',
      'd NaN',
      'not a metric at all!',
      '',
    ].join('\n'),
  );
  t.same(Array.from(metrics.keys()), ['a_total', 'b', 'c', 'd']);
  t.same(metrics.get('b'), [{ labels: { le: '+Inf', path: 'C:\\x\n"y"', brace: '}' }, value: 1_500 }]);
  t.equal(metrics.get('c')?.[0]?.value, Number.NEGATIVE_INFINITY);
  t.ok(Number.isNaN(metrics.get('d')?.[0]?.value));
});

t.test('rates come from the window, and never from before a restart or a pause', async (t) => {
  const every = SCRAPE_PERIOD_MS;
  const steady = after(Array.from({ length: 20 }, (_, index) => scrape(index * every, 1, counted(index * 10))));
  const interval = intervalOf(steady);
  t.ok((interval?.lengthMs ?? 0) >= SCRAPE_WINDOW_MS && (interval?.lengthMs ?? 0) < SCRAPE_WINDOW_MS + every);
  t.equal(interval && rate(interval, COMMANDS), 5);

  const restarted = after([...steady, scrape(20 * every, 2, counted(900))]);
  t.equal(intervalOf(restarted), null, 'another process, though its counters are higher');
  const going = after([...restarted, scrape(21 * every, 2, counted(904))]);
  const anew = intervalOf(going);
  t.equal(anew && rate(anew, COMMANDS), 2);

  const jumped = after([...steady, scrape(20 * every, 1, counted(3))]);
  t.equal(intervalOf(jumped), null, 'the counters of a replay begin again with each jump');
  const paused = after([...steady, scrape(20 * every + SCRAPE_GAP_MS, 1, counted(500))]);
  t.equal(intervalOf(paused), null, 'the tab slept');
});

t.test('rates by code leave out what does not happen, and are ordered', async (t) => {
  const lines = (busy: number, poor: number): string =>
    `${COMMANDS}{result="busy"} ${busy}\n${COMMANDS}{result="poor"} ${poor}\n${COMMANDS}{result="old"} 7`;
  const interval = intervalOf(after([scrape(0, 1, lines(0, 0)), scrape(1_000, 1, lines(2, 6))]));
  t.same(interval && Array.from(ratesBy(interval, COMMANDS, 'result')), [
    ['poor', 6],
    ['busy', 2],
  ]);
});

t.test('percentiles are interpolated in the buckets of what happened in the interval', async (t) => {
  const buckets = (...counts: number[]): string =>
    ['1', '2', '4', '+Inf'].map((le, index) => `h_bucket{le="${le}"} ${counts[index]}`).join('\n');
  const of = (before: string, now: string, share: number): number | null => {
    const interval = intervalOf(after([scrape(0, 1, before), scrape(1_000, 1, now)]));
    return interval && percentile(observed(interval, ['h']), share);
  };
  t.equal(of(buckets(5, 5, 5, 5), buckets(5, 15, 15, 15), 0.5), 1.5, 'the five of before do not count');
  t.equal(of(buckets(0, 0, 0, 0), buckets(0, 0, 0, 10), 0.99), 4, 'above all bounds it is the greatest');
  t.equal(of(buckets(3, 3, 3, 3), buckets(3, 3, 3, 3), 0.5), null, 'nothing happened');
});

t.test('entries that stay in memory are noticed; a batch in flight is not', async (t) => {
  const at = (atMs: number, seq: number, durable: number): Scrape =>
    scrape(atMs, 1, `galaxyd_seq ${seq}\ngalaxyd_durable_seq ${durable}`);
  t.equal(undurableMs([at(0, 10, 9), at(2_000, 30, 28)]), 0);
  t.equal(undurableMs([at(0, 10, 10), at(2_000, 12, 10), at(4_000, 20, 10)]), 2_000);
});

t.test('each figure is in the metrics of a real server, and a healthy one has no concern', async (t) => {
  const { client } = await begin(t);
  const read = async (atMs: number): Promise<Scrape> => {
    const { text } = await client.request('GET', '/metrics');
    return { atMs, metrics: parseExposition(text) };
  };
  const newest = await read(0);
  const second = { ...newest, atMs: 2_000 };
  const figures = figuresOf([newest, second], second.metrics, 0);
  // Known only after a snapshot, with requests in the interval, or on a disk.
  const unknown: readonly RegExp[] = [/^snapshot(Seq|Age|Duration)/, /P\d\dSeconds$/, /^diskFree/];
  for (const [name, value] of Object.entries(figures.values)) {
    if (unknown.some((pattern) => pattern.test(name))) continue;
    t.ok(value !== null && value >= 0, `${name} is known`);
  }
  t.same(
    concernsOf(figures).filter(({ figure }) => figure !== 'timerLagSeconds' && figure !== 'loopDelayP99Seconds'),
    [],
  );
});

t.test('the history that a server keeps fills the charts, and a silence in it is a gap', async (t) => {
  const { admin } = await begin(t, { server: { keepsMetricHistory: true } });
  const kept = await admin.read<MetricHistoryBody>('/api/metrics/history');
  const values = kept.points[0]?.values ?? [];
  const asOfMs = Date.parse(kept.asOf);
  const pointAt = (secondsAgo: number, requests: number) => ({
    at: new Date(asOfMs - secondsAgo * 1_000).toISOString(),
    values: [...values, requests],
  });
  const points = [pointAt(120, 0), pointAt(110, 40), pointAt(10, 80), pointAt(0, 180)];
  const series = [...kept.series, 'galaxyd_websocket_calls_total{code="200"}'];
  const viewersMs = asOfMs + 3_600_000;
  const figures = historyFigures({ asOf: kept.asOf, series, points }, viewersMs);
  t.same(
    figures.map(({ values: { requestsPerSecond } }) => requestsPerSecond),
    [null, 4, null, 10],
  );
  t.equal(figures.at(-1)?.atMs, viewersMs, 'by the clock of the viewer');
  const charted: readonly FigureName[] = [
    ...(['acceptedPerSecond', 'flushesPerSecond', 'timerLagSeconds', 'loopDelayP99Seconds'] as const),
    ...(['residentBytes', 'heapUsedBytes', 'externalBytes', 'cpuShare'] as const),
  ];
  for (const name of charted) t.type(figures.at(-1)?.values[name], 'number', name);
});

t.test('what is wrong is said in words, the worst first', async (t) => {
  const metrics = parseExposition('');
  const healthy = figuresOf([], metrics, 0);
  const withValues = (values: Partial<Record<FigureName, number>>): Figures => ({
    ...healthy,
    values: { ...healthy.values, ...values },
  });
  t.same(concernsOf(healthy), [], 'what is not known is not wrong');
  const concerns = concernsOf(
    withValues({
      flushP99Seconds: 0.2,
      diskFreeBytes: 100 * 2 ** 20,
      timerLagSeconds: 0.5,
      filesOpen: 99,
      filesMax: 100,
    }),
  );
  t.same(
    concerns.map(({ severity, text }) => [severity, text]),
    [
      ['bad', 'Only 100 MiB of the disk are free.'],
      ['bad', '99 of 100 files and connections are open.'],
      ['watch', 'One flush in a hundred takes longer than 200 ms.'],
    ],
  );
});
