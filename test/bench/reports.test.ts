// What is told of results: progress, tables, the chart and the document.
import t from 'tap';
import { barChart } from '../../bench/reports/bar-chart.js';
import { thisMachine } from '../../bench/reports/machine.js';
import { withResults } from '../../bench/reports/performance-document.js';
import { Progress } from '../../bench/reports/progress.js';
import {
  chooseResult,
  chosenResults,
  commandText,
  readResult,
  type SuiteResult,
  saveResult,
} from '../../bench/reports/result-file.js';
import { number, resultTables, table } from '../../bench/reports/tables.js';

function recorder(isTTY: boolean) {
  const lines: string[] = [];
  return { lines, isTTY, write: (text: string | Uint8Array) => lines.push(String(text)) > 0 };
}

const latencies = { p50Ms: 0.5, p99Ms: 2, p999Ms: 3, maxMs: 4 };
const RESULT: SuiteResult = {
  format: 1,
  kind: 'suite',
  measuredAt: '2026-11-20T10:11:12.000Z',
  command: 'bench',
  revision: { name: 'this checkout', commit: 'abc123', isDirty: true },
  machine: thisMachine(),
  loader: 'wrk 4.1.0',
  durability: 'durable',
  units: [
    { id: 'heap: push', unit: 'ns per timer', isLowerBetter: true, samples: 9, lower: 20, median: 25, upper: 30 },
  ],
  endToEnd: [
    {
      mix: 'batch',
      title: 'POST batch',
      players: 1000,
      connections: 16,
      operations: 500,
      standings: [
        {
          name: 'galaxyd',
          requestsPerSecond: { lower: 390, median: 400, upper: 410 },
          ratio: 1,
          failures: 0,
          ...latencies,
        },
      ],
    },
    { mix: 'read', title: 'GET', players: 1000, connections: 1, operations: 1, standings: [], note: 'not offered' },
  ],
  openLoop: [],
};

t.test('to a pipe each step is a line', async (t) => {
  const stream = recorder(false);
  const progress = new Progress(2, stream);
  progress.step('one');
  progress.step('two');
  progress.end();
  t.same(stream.lines, ['bench: 50 % one\n', 'bench: 100 % two\n']);
});

t.test('to a terminal it is one line with a bar, and gone at the end', async (t) => {
  const stream = recorder(true);
  const progress = new Progress(2, stream);
  progress.say('zero');
  progress.step('one');
  progress.end();
  t.equal(stream.lines.length, 3);
  t.match(stream.lines[0], /\[\.{24}\] 0 % zero$/);
  t.match(stream.lines[1], /^\r.*\[#{12}\.{12}\] 50 % one$/);
  t.notOk(stream.lines.some((line) => line.includes('\n')));
  t.match(stream.lines[2], /^\r.*K$/);
});

t.test('a table stands in columns and is Markdown', async (t) => {
  t.equal(
    table(
      ['name', 'ns'],
      [
        ['a', '1'],
        ['long name', '1,000'],
      ],
    ),
    ['| name      |    ns |', '|-----------|------:|', '| a         |     1 |', '| long name | 1,000 |'].join('\n'),
  );
});

t.test('numbers show what counts', async (t) => {
  t.same([1234567.8, 99.96, 0.012345, 5, Number.NaN].map(number), ['1,234,568', '100', '0.0123', '5', '']);
});

t.test('the tables say what was measured on what, commands where a request holds several', async (t) => {
  const text = resultTables(RESULT);
  t.match(text, /commit abc123 with changes, Node v\d+/);
  t.match(text, /durable, measured 2026-11-20 with .npm run bench./);
  t.match(text, /\| heap: push +\| +25 \| +20 to 30 \| +40,000,000 \| ns per timer \|/);
  t.match(text, /batch .*\| +galaxyd \| +200,000 \|/, '400 requests of 500 commands');
  t.match(text, /read .*\| not offered \|/);
});

t.test(
  'a hostile row shows waits, failures, large batches and how the server ended; what is not known stays blank',
  async (t) => {
    const waits = { samples: 40, failures: 1, p50Ms: 7, p99Ms: 81, maxMs: 93 };
    const known = { hostile: { repliesPerSecond: 1234, statuses: { 200: 617, 429: 5553 }, closed: 0 }, heldMaxMib: 55 };
    const row = { title: '', connections: 64, read: waits, command: { ...waits, failures: 2 } };
    const text = resultTables({
      ...RESULT,
      hostile: {
        transport: 'native',
        seconds: 5,
        readings: [
          { ...row, row: 'idle', limits: 'off' },
          { ...row, ...known, row: 'unread', largeBatch: { ...waits, failures: 40 }, serverEndedBy: 'SIGABRT' },
        ],
      },
    });
    t.match(text, /native transport, 5 s each/);
    t.match(text, /\| idle +\| +off \| +64 \|( +7 \| +81 \| +93 \|){2} +\| +\| +\| +3 of 80 \|/);
    t.match(
      text,
      /\| unread .* 1,234 \| +90 % \| +55 \| 3 of 80; of large batches 40 of 40; the server ended with SIGABRT \|/,
    );
  },
);

t.test('a command is told so that it can be typed again', async (t) => {
  t.equal(commandText('bench', []), 'bench');
  t.equal(commandText('bench', ['units', '--only', 'cancel at 1000']), "bench -- units --only 'cancel at 1000'");
});

t.test('a result is kept and read back; another file is refused', async (t) => {
  const folder = t.testdir({ 'other.json': '{"format":9}' });
  saveResult(RESULT, folder);
  t.same(readResult(`${folder}/2026-11-20T10-11-12-000Z-suite.json`), RESULT);
  t.throws(() => readResult(`${folder}/other.json`), { message: /no result of this bench/ });
  t.throws(() => readResult(`${folder}/absent.json`), { message: /absent.json cannot be read/ });
});

t.test('of each command the newest chosen result stays', async (t) => {
  const file = `${t.testdir()}/chosen.jsonl`;
  t.same(chosenResults(file), []);
  const [older, other] = [RESULT, { ...RESULT, command: 'bench -- soak' }];
  const newer = { ...RESULT, measuredAt: '2026-11-21T10:11:12.000Z' };
  for (const result of [older, other, newer]) chooseResult(result, file);
  t.same(chosenResults(file), [other, newer]);
});

t.test('results replace what stood between the marks, and nothing else', async (t) => {
  const begin = '<!-- results: written by `npm run bench -- report` -->';
  const end = '<!-- end of results -->';
  const document = `# Title\n\n${begin}\nold\n${end}\n\nby hand\n`;
  const once = withResults(document, 'new');
  t.equal(once, `# Title\n\n${begin}\n\nnew\n\n${end}\n\nby hand\n`);
  t.equal(withResults(once, 'new'), once, 'twice is the same');
  t.throws(() => withResults('# Title', 'new'), { message: /marks/ });
});

t.test(
  'a chart has a bar for each value, the longest of a group at full length, and no markup from outside',
  async (t) => {
    const bars = [
      { label: 'galaxyd', value: 50, series: 'a' },
      { label: '<b>&', value: 100, series: 'b' },
    ];
    const svg = barChart([{ title: 'reads', unit: 'requests/s', bars }]);
    const widths = [...svg.matchAll(/<rect [^>]*width="(\d+)"/g)].map(([, width]) => Number(width));
    t.equal(widths.length, 2);
    t.equal(widths[1], 2 * (widths[0] ?? 0));
    t.ok(svg.includes('&lt;b&gt;&amp;'));
    t.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  },
);

t.test('calls show their ratios, and the first failure is shown in full', async (t) => {
  const rate = { lower: 90, median: 100, upper: 110 };
  const shape = { title: '', connections: 64, inFlight: 40, commandsPerSecond: rate, serverUs: 5, ...latencies };
  const text = resultTables({
    ...RESULT,
    calls: [
      { load: 'call ships', ...shape, ratioToEcho: 0.5, ratioToPosts: 8, loaderUs: 1.25, failures: 0 },
      { load: 'POST', ...shape, failures: 2, firstFailure: '{"status":429}' },
    ],
  });
  t.match(
    text,
    /\| call ships +\| +64 x 40 +\| +100 +\| +90 to 110 +\| +0\.5 +\| +8 +\| +0\.5 +\| +2 +\| +5 +\| +1\.25 +\| +0 \|/,
  );
  t.match(text, 'The first failure: `{"status":429}`');
});

t.test('readers show what was lost, or that nothing was', async (t) => {
  const nothing = { missing: 0, misplaced: 0, behind: 0, cutOff: 0 };
  const saturation = { commandsPerSecond: 200_000, eventsPerSecond: 199_000, readerCheck: nothing };
  const counts = { connections: 10_000, resumedCount: 77, subscribedMs: 900, caughtUpMs: 950 };
  const storm = { ...counts, readerCheck: { ...nothing, missing: 3 }, heldMib: { before: 50, after: 60 } };
  const report = { players: 10_000, ratePerSecond: 20_000, seconds: 5, saturation, readings: [], storm };
  const text = resultTables({ ...RESULT, subscribers: report });
  t.match(text, '200,000 commands/s, 199,000 events/s (none lost)');
  t.match(
    text,
    '77 events that they had missed after 950 ms (3 missing, 0 misplaced, 0 behind, 0 connections cut off)',
  );
});
