// Every documented command that sends loads with wrk runs to its end in a short form, against real servers, and nothing of what
// it sends fails. The whole bench is its parts (arguments.test.ts); units, readers and loads without wrk have tests of their own.
import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import t from 'tap';
import { parseArguments, parseCompareArguments } from '../../bench/arguments.js';
import { type Comparison, comparisonSteps, runComparison } from '../../bench/comparison/comparison-run.js';
import { closedLoop } from '../../bench/end-to-end/closed-loop.js';
import { MIX_NAMES } from '../../bench/end-to-end/mixes.js';
import { wrkVersion } from '../../bench/end-to-end/wrk.js';
import { faultsOf } from '../../bench/reports/faults.js';
import { KeptParts } from '../../bench/reports/kept-parts.js';
import { thisMachine } from '../../bench/reports/machine.js';
import { Progress } from '../../bench/reports/progress.js';
import type { SuiteParts } from '../../bench/reports/result-file.js';
import { measureParts, stepsOf } from '../../bench/suite.js';
import { PostgresPrograms } from '../support/postgres/programs.js';
import { ONLY_LONG } from '../support/process/lengths.js';

const SKIPPED = { skip: wrkVersion() === undefined ? 'wrk is not installed (Debian: apt-get install wrk)' : false };
const SILENT = { isTTY: false, write: () => true };
const SHORT = ['--players', '20', '--connections', '2', '--loader', 'wrk'];
/** Rounds have planets of their own, so that a failure with those of another round shows in the second. */
const TWICE = ['--rounds', '2', '--seconds', '0.1'];
const throwing = (command: Command): void => void command.exitOverride();

const HEAD = {
  format: 1,
  measuredAt: '',
  command: '',
  loader: 'wrk',
  durability: 'durable',
  machine: thisMachine(),
} as const;
const REVISION = { name: '', commit: '', isDirty: false };

/** Runs `npm run bench -- WORDS`. */
async function bench(...words: string[]): Promise<SuiteParts> {
  const plan = parseArguments(words, throwing);
  if (plan.kind !== 'measure') throw new Error('it was to measure');
  const kept = new KeptParts();
  const progress = new Progress(stepsOf(plan), SILENT);
  await measureParts(plan, { loop: closedLoop(plan.loader), progress }, kept);
  return kept.all() ?? kept;
}

function faultsIn(parts: SuiteParts): string[] {
  return faultsOf({ ...HEAD, kind: 'suite', revision: REVISION, ...parts });
}

t.jobs = 2;

t.test('end-to-end: every mix, beside both peers', SKIPPED, async (t) => {
  const parts = await bench('end-to-end', ...SHORT, ...TWICE);
  t.same(faultsIn(parts), []);
  const sent = parts.endToEnd.map(({ mix, standings }) => [mix, standings.length] as const);
  const offered = new Set(['read', 'upgrade', 'upgrade-cancel']);
  t.same(new Map(sent), new Map(MIX_NAMES.map((mix) => [mix, offered.has(mix) ? 3 : 2])));
  const silent = parts.endToEnd
    .flatMap(({ standings }) => standings)
    .filter((one) => !(one.requestsPerSecond.lower > 0));
  t.same(silent, []);
});

t.test('open-loop', SKIPPED, async (t) => {
  const parts = await bench('open-loop', 'upgrade-cancel', ...SHORT, '--seconds', '0.1');
  t.same(faultsIn(parts), []);
  t.match(parts.openLoop, [{ mix: 'upgrade-cancel', floor: { p50Ms: Number }, maximumPerSecond: Number }]);
});

// An open loop with windows.
t.test('soak', { skip: ONLY_LONG || SKIPPED.skip }, async (t) => {
  const parts = await bench('soak', ...SHORT, '--seconds', '0.4');
  t.same(faultsIn(parts), []);
  t.match(parts.openLoop, [{ mix: 'swarm', flatness: { throughput: Number } }]);
});

t.test('snapshots', SKIPPED, async (t) => {
  const parts = await bench('snapshots', 'read', ...SHORT, '--rounds', '1', '--seconds', '0.1');
  t.same(faultsIn(parts), []);
  t.match(parts.snapshots, [{ mix: 'read', startMs: Number }]);
});

t.test('settings: keys go with upgrades and their cancels', SKIPPED, async (t) => {
  const parts = await bench('settings', 'upgrade-cancel', '--settings', 'keys', ...SHORT, ...TWICE);
  t.same(faultsIn(parts), []);
  t.match(parts.settings, [{ mix: 'upgrade-cancel', setting: 'keys', processorUs: Number }]);
});

t.test('call, beside single POSTs and batches', SKIPPED, async (t) => {
  const size = ['--players', '20', '--connections', '2', '--in-flight', '2'];
  const parts = await bench('call', 'ships', ...size, '--loader', 'wrk', ...TWICE);
  t.same(faultsIn(parts), []);
  t.equal(parts.calls?.length, 5);
});

t.test('bench:compare', SKIPPED, async (t) => {
  const words = ['.', '.', '--units', 'none', '--mixes', 'upgrade-cancel', '--seconds', '0.1', ...SHORT];
  const { plan } = parseCompareArguments(words, throwing);
  const compared: Comparison[] = [];
  const progress = new Progress(comparisonSteps(plan), SILENT);
  await runComparison({ plan, loop: closedLoop('wrk'), progress, keep: (comparison) => compared.push(comparison) });
  t.match(compared, [{ failures: [], notes: [], readings: [{ unit: 'requests/s' }, { unit: 'ms' }] }]);
});

const programs = PostgresPrograms.find();
const replicasSkipped = typeof programs === 'string' ? { skip: programs } : SKIPPED;
t.test('replicas', replicasSkipped, async (t) => {
  const words = ['--players', '10', '--rounds', '1', '--seconds', '0.1', '--rate', '50', '--json'];
  const { code, stdout, stderr } = await run('../../test/bench/replicas/main.js', words);
  t.equal(code, 0, stderr);
  const { durable, reads, events } = JSON.parse(stdout) as Record<string, unknown[]>;
  t.same([durable?.length, reads?.length, events?.length], [3, 3, 4]);
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
  t.match(JSON.parse(stdout), { failure, endToEnd: [{ mix: 'read', standings: [{ name: 'galaxyd' }] }] });
});

t.test('a result that shows failures is a fault of its run', async (t) => {
  const latencies = { p50Ms: 1, p99Ms: 1, p999Ms: 1, maxMs: 1 };
  const one = { name: 'galaxyd', requestsPerSecond: { lower: 1, median: 1, upper: 1 }, ratio: 1, ...latencies };
  const head = { mix: 'read', title: '', players: 1, connections: 2, operations: 1 } as const;
  const parts = { units: [], endToEnd: [{ ...head, standings: [{ ...one, failures: 0 }] }], openLoop: [] };
  t.same(faultsIn(parts), []);
  const standings = [{ ...one, failures: 3, firstFailure: '404 {}' }];
  t.same(faultsIn({ ...parts, endToEnd: [{ ...head, standings }] }), [
    'read over 2 connections to galaxyd: 3 requests failed, the first one with: 404 {}',
  ]);
  const setting = { mix: 'read', title: '', players: 1, connections: 1, processorUs: 1, failures: 2 } as const;
  const settings = (['keys', 'keys-limits-tags'] as const).map((name) => ({ ...one, ...setting, setting: name }));
  t.same(faultsIn({ ...parts, settings }), ['read with keys: 2 requests failed'], 'replies without a body are exempt');
  const revisions = [REVISION, REVISION] as const;
  const comparison = { ...HEAD, kind: 'comparison', revisions, rounds: 5, readings: [], notes: [] } as const;
  t.same(faultsOf({ ...comparison, failures: ['read, before'] }), ['read, before']);
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
