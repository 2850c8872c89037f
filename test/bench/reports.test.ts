// What is shown of results: progress, tables and the document.
import t from 'tap';
import { Progress } from '../../bench/runner/progress.js';
import * as results from '../../bench/runner/results.js';
import { number, Table, tableText } from '../../bench/runner/table.js';

function recorder(isTTY: boolean) {
  const lines: string[] = [];
  return { lines, isTTY, write: (text: string | Uint8Array) => lines.push(String(text)) > 0 };
}

const UNITS = new Table('units');
UNITS.rows.push({ unit: 'heap: push', median: 25, 'inner half': [20, 30], 'a second': 4e7, of: 'ns per timer' });
const LOADS = new Table('end to end');
LOADS.notes.push('A note.');
LOADS.add({ mix: 'batch', players: 1000, server: 'galaxyd', 'a second': 200_000 }, 'batch', { failures: 0 });
LOADS.rows.push({ mix: 'read', players: 1000, server: 'not offered' });

const RESULT: results.BenchResult = {
  format: 2,
  measuredAt: '2026-11-20T10:11:12.000Z',
  command: 'bench',
  revision: { name: 'this checkout', commit: 'abc123', isDirty: true },
  machine: results.thisMachine(),
  loader: 'wrk 4.1.0',
  durability: 'durable',
  tables: [UNITS, LOADS],
};

t.test('to a pipe each step is a line', async (t) => {
  const stream = recorder(false);
  const progress = new Progress(2, stream);
  progress.step('one');
  progress.step('two');
  progress.end();
  t.same(stream.lines, ['bench: 50 % one\n', 'bench: 100 % two\n']);
});

t.test('to a terminal progress is one line with a bar, which is gone at the end', async (t) => {
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
    tableText([
      { name: 'a', ns: 1 },
      { name: 'long name', ns: 1000, 'inner half': [1, 2.5] },
      { name: 'unknown', ns: Number.NaN, 'inner half': null },
    ]),
    [
      '| name      |    ns | inner half |',
      '|-----------|------:|-----------:|',
      '| a         |     1 |            |',
      '| long name | 1,000 |   1 to 2.5 |',
      '| unknown   |       |            |',
    ].join('\n'),
  );
});

t.test('a row with failures is a fault of its table', async (t) => {
  const table = new Table('loads');
  table.add({ mix: 'read' }, 'read over 2 connections', { failures: 0 });
  t.same(table.faults, []);
  table.add({ mix: 'read' }, 'read over 2 connections', { failures: 3, firstFailure: '404 {}' });
  t.same(table.faults, ['read over 2 connections: 3 requests failed, the first one with: 404 {}']);
  table.addFaults('read with keys', { failures: 2 });
  t.equal(table.faults[1], 'read with keys: 2 requests failed');
  t.same(table.rows, [
    { mix: 'read', failures: 0 },
    { mix: 'read', failures: 3 },
  ]);
});

t.test('numbers show their significant digits', async (t) => {
  t.same([1234567.8, 99.96, 0.012345, 5, Number.NaN].map(number), ['1,234,568', '100', '0.0123', '5', '']);
});

t.test('a result says what was measured on what, and its faults', async (t) => {
  const text = results.resultText(RESULT);
  t.match(text, /commit abc123 with changes, Node v\d+/);
  t.match(text, /durable, measured 2026-11-20 with .npm run bench./);
  t.match(text, /\| heap: push +\| +25 \| +20 to 30 \| +40,000,000 \| ns per timer \|/);
  t.match(text, /A note\.\n\n\| mix +\|/);
  t.match(text, /batch .*\| +galaxyd \| +200,000 \| +0 \|/);
  t.match(text, /read .*\| not offered \| +\| +\|/, 'what is not known stays blank');
  const faulty = new Table('calls');
  faulty.addFaults('POST', { failures: 2, firstFailure: '{"status":429}' });
  const failed = results.resultText({ ...RESULT, failure: 'wrk failed', tables: [faulty] });
  t.match(failed, /Incomplete: wrk failed\n\nFault: POST: 2 requests failed, the first one with: \{"status":429\}$/);
});

t.test('a command is printed in a form that can be typed again', async (t) => {
  t.equal(results.commandText([]), 'bench');
  t.equal(results.commandText(['units', '--only', 'cancel at 1000']), "bench -- units --only 'cancel at 1000'");
});

t.test('a result is kept and read back; another file is refused', async (t) => {
  const folder = t.testdir({ 'other.json': '{"format":1}' });
  results.saveResult(RESULT, folder);
  const kept = results.readResult(`${folder}/2026-11-20T10-11-12-000Z.json`);
  t.same(kept, JSON.parse(JSON.stringify(RESULT)));
  t.equal(results.resultText(kept), results.resultText(RESULT));
  t.throws(() => results.readResult(`${folder}/other.json`), { message: /is not a result of this bench/ });
  t.throws(() => results.readResult(`${folder}/absent.json`), { message: /absent.json cannot be read/ });
});

t.test('the newest chosen result of each command stays', async (t) => {
  const file = `${t.testdir()}/chosen.jsonl`;
  t.same(results.chosenResults(file), []);
  const [older, other] = [RESULT, { ...RESULT, command: 'bench -- soak' }];
  const newer = { ...RESULT, measuredAt: '2026-11-21T10:11:12.000Z' };
  for (const result of [older, other, newer]) results.chooseResult(result, file);
  t.same(results.chosenResults(file), JSON.parse(JSON.stringify([other, newer])));
});

t.test('results replace what stood between the marks, and nothing else', async (t) => {
  const begin = '<!-- results: written by `npm run bench -- report` -->';
  const end = '<!-- end of results -->';
  const document = `# Title\n\n${begin}\nold\n${end}\n\nby hand\n`;
  const once = results.withResults(document, 'new');
  t.equal(once, `# Title\n\n${begin}\n\nnew\n\n${end}\n\nby hand\n`);
  t.equal(results.withResults(once, 'new'), once, 'twice is the same');
  t.throws(() => results.withResults('# Title', 'new'), { message: /marks/ });
});
