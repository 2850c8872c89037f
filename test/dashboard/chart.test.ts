// The parts of a chart that need no browser: axes, the places of names, the picture, the text for a spreadsheet.
import t from 'tap';
import { shareOf, timeAxis, timeTickText, valueAxis } from '../../dashboard/chart/axes.js';
import { type Drawing, svgOf } from '../../dashboard/chart/picture.js';
import { csvOf, dashesOf, spread } from '../../dashboard/chart/series.js';

const LINEAR = { scale: 'linear', steps: 'decimal', isFromZero: false, ticksMax: 7 } as const;

t.test('an axis has round ticks around all values', async (t) => {
  t.same(valueAxis([3, null, 97], LINEAR).ticks, [0, 20, 40, 60, 80, 100]);
  t.same(valueAxis([0.31, 0.34], LINEAR).ticks, [0.31, 0.32, 0.33, 0.34]);
  t.equal(valueAxis([900, 1_000], { ...LINEAR, isFromZero: true }).min, 0);
  t.same(
    valueAxis([1, 200 * 2 ** 20], { ...LINEAR, steps: 'binary' }).ticks,
    [0, 64, 128, 192, 256].map((mib) => mib * 2 ** 20),
  );
  t.same(
    valueAxis([3, 0, 450_000], { ...LINEAR, scale: 'log' }).ticks,
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000],
  );
  t.same(valueAxis([5.9e6, 7.9e6], { ...LINEAR, scale: 'log' }).ticks, [5e6, 1e7], 'without empty room');
  for (const [low, high] of [
    [1, 1],
    [0.003, 1e9],
    [7, 1e12],
  ] as const) {
    const { min, max, ticks } = valueAxis([low, high], { ...LINEAR, scale: 'log' });
    t.ok(
      min <= low && max >= high && max > min && ticks.length >= 2 && ticks.length <= 8,
      `${low} to ${high}: ${ticks}`,
    );
  }
  t.same(valueAxis([], LINEAR).ticks.at(-1), 1, 'without values there is an axis');
  for (const same of [0, 5, -5]) t.ok(valueAxis([same], LINEAR).max > same, `one value, ${same}, has room`);
});

t.test('a value has its place on the axis', async (t) => {
  t.equal(shareOf(valueAxis([0, 100], LINEAR), 50), 0.5);
  const log = valueAxis([1, 100], { ...LINEAR, scale: 'log' });
  t.ok(Math.abs(shareOf(log, 10) - 0.5) < 1e-9, 'equal factors are equal distances');
});

t.test('instants of the world are written in UTC, as short as the step allows', async (t) => {
  const start = Date.UTC(2026, 0, 30, 22, 7, 13);
  const day = timeAxis(start, start + 4 * 3_600_000, 'world', 7);
  t.equal(day.stepMs, 3_600_000);
  t.same(
    day.ticks.map((tick) => timeTickText(tick, day, 'world')),
    ['23:00', '01-31', '01:00', '02:00'],
    'midnight is a date',
  );
  const month = timeAxis(start, start + 60 * 86_400_000, 'world', 7);
  t.equal(timeTickText(month.ticks[0] ?? 0, month, 'world').length, 5);
  t.ok(timeAxis(start, start + 1e14, 'world', 7).ticks.length > 0, 'however long');
});

t.test('names at the ends of lines do not cover each other', async (t) => {
  t.same(spread([50, 10], 20, 0, 100), [50, 10], 'those with room stay');
  const places = spread([48, 50, 52, 95, 99], 20, 0, 100);
  const sorted = places.toSorted((one, other) => one - other);
  t.same(places, sorted, 'their order is that of the lines');
  for (const [index, place] of sorted.entries())
    if (index > 0) t.ok(place - (sorted[index - 1] ?? 0) >= 20 - 1e-9, `${place} keeps its distance`);
  t.ok((sorted.at(-1) ?? 0) <= 100);
});

t.test('a picture contains names only as text, and gaps as gaps', async (t) => {
  const values = [1, 2, null, 4];
  const times = [0, 1_000, 2_000, 3_000];
  const drawing: Drawing = {
    title: 'Points & <more>',
    times,
    series: [{ id: 'player-1', label: '<script>"\u0000\ud800', colour: '#123456', values }],
    timeAxis: timeAxis(0, 3_000, 'world', 7),
    valueAxis: valueAxis(values, LINEAR),
    zone: 'world',
    format: String,
    formatTick: String,
    colours: { ground: '#fff', text: '#000', soft: '#888', line: '#ccc' },
  };
  const svg = svgOf(drawing);
  for (const text of ['<script', '\u0000', '\ud800']) t.notOk(svg.includes(text), JSON.stringify(text));
  t.match(svg, '&lt;script&gt;&quot;\ufffd\ufffd');
  t.match(svg, 'Points &amp; &lt;more&gt;');
  const path = /<path d="([^"]*)" fill="none" stroke="#123456" stroke-width/.exec(svg)?.[1] ?? '';
  t.equal(path.match(/M/g)?.length, 2, 'the line begins again after the gap');
  t.notMatch(svg, /NaN|Infinity|undefined/);
});

t.test('a spreadsheet gets text, and no formula of a stranger', async (t) => {
  const series = [
    { id: 'a', label: '=HYPERLINK("x")', colour: '', values: [1, null] },
    { id: 'b', label: 'Ada, "the first"', colour: '', values: [2.5, 3] },
  ];
  t.equal(
    csvOf({ times: [0, 1_000], series }),
    'time,"\'=HYPERLINK(""x"")","Ada, ""the first"""\r\n1970-01-01T00:00:00.000Z,1,2.5\r\n1970-01-01T00:00:01.000Z,,3\r\n',
  );
});

t.test('lines that lie on each other take turns, so that each is seen, in the picture too', async (t) => {
  const series = [
    [1, 2],
    [3, 4],
    [1, 2],
    [1, null],
    [1, 2],
  ].map((values) => ({ values }));
  t.same(dashesOf(series), [[0, 0, 9, 18], null, [0, 9, 9, 9], null, [0, 18, 9, 0]]);
});
