// Documented commands that send loads with wrk run to their end in a short form, against real servers, and nothing of what they send
// fails; with LONG=1 all of them. The whole bench is its parts (arguments.test.ts); units, readers and loads without wrk have tests of their own.
import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { MIX_NAMES, MIXES } from '../../bench/loads/mixes.js';
import { wrkVersion } from '../../bench/loads/wrk.js';
import { defaultTransport } from '../../http/server/native/native-library.js';
import { PostgresPrograms } from '../support/postgres/programs.js';
import { ONLY_LONG } from '../support/process/lengths.js';
import { bench } from './support/bench.js';

const SKIPPED = { skip: wrkVersion() === undefined ? 'wrk is not installed (Debian: apt-get install wrk)' : false };
/** What differs from another command by its numbers. */
const RARELY = { skip: ONLY_LONG || SKIPPED.skip };
/** Players are few, since setting up their world takes most of the time, but enough that an upgrade has finished before the planet's turn comes again. */
const SHORT = ['--players', '64', '--connections', '2', '--loader', 'wrk'];
/** Of the maximum. A command ends with few requests as it does with many. */
const SPARSE = ['--share', '0.05'];
/** Rounds have planets of their own, so that a failure with those of another round shows in the second. */
const TWICE = ['--rounds', '2', '--seconds', '0.1'];

t.jobs = 2;

t.test('end-to-end: every mix, beside both peers', SKIPPED, async (t) => {
  const { rows, faults } = await bench(['end-to-end', ...MIX_NAMES, ...SHORT, '--rounds', '1', '--seconds', '0.1']);
  t.same(faults, []);
  const offered = new Set(['read', 'upgrade', 'upgrade-cancel']);
  for (const name of MIX_NAMES)
    t.equal(
      rows('end to end').filter(({ mix }) => mix === name).length,
      2 + (offered.has(name) ? 1 : 0) + (MIXES[name].cancelsWhatItBegins ? 1 : 0),
      name,
    );
  const silent = rows('end to end').filter((row) => !(Number(row['a second']) > 0));
  t.same(silent, []);
});

t.test('end-to-end: the transports, each beside its own bare server', RARELY, async (t) => {
  const words = ['read', '--transports', 'javascript', '--peers', 'bare', ...SHORT, ...TWICE];
  const { rows, faults } = await bench(['end-to-end', ...words]);
  t.same(faults, []);
  t.match(rows('end to end'), [
    { transport: 'javascript', server: 'galaxyd' },
    { transport: 'javascript', server: 'bare node:http', 'galaxyd : it': Number },
  ]);
});

t.test('open-loop', SKIPPED, async (t) => {
  const times = ['--warm-up', '1', '--seconds', '2', '--by-second'];
  const { rows, faults } = await bench(['open-loop', 'upgrade-cancel', ...SHORT, ...SPARSE, ...times]);
  t.same(faults, []);
  t.match(rows('open loop'), [
    { 'open loop': 'upgrade-cancel', 'bare p99 ms': Number, 'of maximum': Number, 'warm-up s': 1 },
  ]);
  t.match(rows('open loop by second'), [
    { second: 1, 'p99 ms': Number, 'max ms': Number },
    { second: 2, 'p99 ms': Number, 'max ms': Number },
  ]);
});

// An open loop with windows.
t.test('soak', RARELY, async (t) => {
  const { rows, faults } = await bench(['soak', ...SHORT, '--seconds', '0.4']);
  t.same(faults, []);
  t.match(rows('open loop'), [{ 'open loop': 'swarm', 'throughput ± %': Number }]);
});

t.test('snapshots', RARELY, async (t) => {
  const { rows, faults } = await bench(['snapshots', 'read', ...SHORT, ...SPARSE, '--rounds', '1', '--seconds', '0.1']);
  t.same(faults, []);
  t.match(rows('snapshots'), [{ snapshot: 'none' }, { snapshot: 'being taken', ratio: Number }]);
  t.match(rows('times of snapshots'), [{ mix: 'read', 'start from it, s': Number }]);
});

t.test('settings: keys go with upgrades and their cancels', RARELY, async (t) => {
  const { rows, faults } = await bench(['settings', 'upgrade-cancel', '--settings', 'keys', ...SHORT, ...TWICE]);
  t.same(faults, []);
  t.match(rows('settings'), [{ mix: 'upgrade-cancel', setting: 'keys', 'server µs/request': Number }]);
});

t.test('call, beside single POSTs and batches', SKIPPED, async (t) => {
  const size = ['--players', '10', '--connections', '1', '--in-flight', '2'];
  const { rows, faults } = await bench(['call', 'ships', ...size, '--loader', 'wrk', ...TWICE]);
  t.same(faults, []);
  t.equal(rows('calls').length, defaultTransport() === 'native' ? 5 : 4);
});

t.test('compare', SKIPPED, async (t) => {
  const size = [...SHORT, '--connections', '1', '--seconds', '0.1'];
  const words = ['compare', '.', '.', '--units', 'none', '--mixes', 'upgrade-cancel', ...size];
  const { rows, faults, notes } = await bench(words);
  t.same(faults, []);
  t.match(notes, [/^this checkout, commit .* → this checkout, .* 5 rounds, interleaved\.$/]);
  t.match(rows('comparison'), [{ unit: 'requests/s' }, { unit: 'ms' }]);
});

const programs = PostgresPrograms.find();
const replicasSkipped = typeof programs === 'string' ? { skip: programs } : SKIPPED;
t.test('replicas', replicasSkipped, async (t) => {
  const words = ['--players', '10', '--rounds', '1', '--seconds', '0.1', '--rate', '50', '--json'];
  const { code, stdout, stderr } = await run('../../test/bench/replicas/main.js', words);
  t.equal(code, 0, stderr);
  const { tables } = JSON.parse(stdout) as { tables: { name: string; rows: unknown[] }[] };
  t.same(
    tables.map(({ name, rows }) => [name, rows.length]),
    [
      ['durable', 3],
      ['reads', 3],
      ['events', 4],
    ],
  );
});

/** Answers the first load as wrk would, and fails on every other one as wrk does on an error in its Lua. */
const FAILING_WRK = `#!/bin/sh
[ "$1" = -v ] && { echo 'wrk 4.1.0 [epoll]'; exit 1; }
if mkdir "$FAILING_WRK_MARK" 2>/dev/null; then
  echo 'result {"requestsPerSecond":10,"answered":10,"bytesPerReply":9999,"p50Ms":1,"p99Ms":1,"p999Ms":1,"maxMs":1,"failures":0}'
else
  echo 'PANIC: unprotected error in call to Lua API (load.lua:34: attempt to concatenate a nil value)' >&2
  exit 1
fi
`;

t.test('a run that fails ends with one sentence and 1, and prints what it measured before', async (t) => {
  const folder = t.testdir({ wrk: FAILING_WRK });
  await chmod(join(folder, 'wrk'), 0o755);
  const env = {
    ...process.env,
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
    FAILING_WRK_MARK: join(folder, 'mark'),
  };
  const words = ['end-to-end', 'read', 'system', '--peers', 'none', ...SHORT, '--rounds', '1', '--json', '--choose'];
  const { code, stdout, stderr } = await run('../../bench/main.js', words, env);
  t.equal(code, 1, stderr);
  const failure =
    'galaxyd: wrk failed: PANIC: unprotected error in call to Lua API (load.lua:34: attempt to concatenate a nil value)';
  t.equal(stderr.trimEnd().split('\n').at(-1), `bench: ${failure}`);
  t.match(stderr, /kept in bench\/results\/local\//);
  t.notMatch(stderr, /chosen\.jsonl/, 'it is not among the results to be committed');
  t.match(JSON.parse(stdout), {
    failure,
    tables: [{ name: 'end to end', rows: [{ mix: 'read', server: 'galaxyd' }] }],
  });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a compiled program to its end. @param path relative to dist/test/bench */
function run(path: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  const program = fileURLToPath(new URL(path, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
