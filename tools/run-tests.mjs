// Runs compiled test files, each in its own Node process, and prints a TAP stream, or a summary on a terminal. The command of tap would
// load hooks for TypeScript, mocks and coverage into each file. Compiled tests need none of them and load three times as fast.

import { spawn } from 'node:child_process';
import { availableParallelism, constants } from 'node:os';
import { parseArgs } from 'node:util';
import t from 'tap';
import { BUNDLED_PROGRAM } from './build.mjs';
import { inRepository, repository, say } from './repository.mjs';

/** Only a test that hangs takes this long. The slowest file takes about a minute on two idle cores. */
const TIMEOUT_SECONDS = 600;
/** The slowest files, as `--slowest` prints them, start first, so that no core waits for one of them at the end. */
const LONG = [
  /\/bench\/measuring-commands\./,
  /\/faults\/faults\./,
  /\/over-/,
  /\/(browser|torture|sim)\//,
  /\/tournament\/(faults|tournament)\./,
  /\/(clients\/python|lmdb-damage|documents\/(contract|operating))\./,
  /\/(process|cli)\//,
  /\/(bench|postgres|tools)\//,
];
/** Two more than there are cores, since many files wait for a disk or a process. */
const JOBS = availableParallelism() + 2;

const { values, positionals } = readArguments();
const files = positionals.toSorted((one, other) => rank(one) - rank(other));
/** The library adds a hook to the NODE_OPTIONS of its children; `env` restores the original value. */
const ownOptions = process.env['NODE_OPTIONS'];
const plainNode = [
  ...(ownOptions === undefined ? ['-u', 'NODE_OPTIONS'] : [`NODE_OPTIONS=${ownOptions}`]),
  process.execPath,
];

t.setTimeout(0);
t.bail = values.bail;
t.jobs = Number(values.jobs);
t.plan(files.length);
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
/** @type {{ file: string, seconds: number }[]} */
const durations = [];
/** One line for each check that failed: its file, its tests, its title and its place. @type {string[]} */
const failures = [];
t.on('spawn', (file) => {
  collectFailures(file.parser);
  file.on('complete', (/** @type {{ ok: boolean }} */ { ok }) => {
    if (!ok && !failures.some((failure) => failure.startsWith(file.name)))
      failures.push(`${file.name} ended too early`);
  });
  file.on('process', (/** @type {import('node:child_process').ChildProcess} */ child) => {
    const startedMs = performance.now();
    children.add(child);
    child.once('close', () => {
      children.delete(child);
      durations.push({ file: file.name, seconds: (performance.now() - startedMs) / 1000 });
    });
  });
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  });
}
if (process.stdout.isTTY) t.pipe(reporter());
for (const file of files) {
  t.spawn('env', [...plainNode, '--enable-source-maps', file], {
    name: file,
    cwd: repository,
    buffered: files.length > 1,
    timeout: 1000 * Number(values.timeout),
    env: { ...process.env, TAP_TIMEOUT: values.timeout, TEST_PROGRAM: inRepository(BUNDLED_PROGRAM, 'main.js') },
  });
}

process.on('exit', () => {
  const slowest = durations.toSorted((one, other) => other.seconds - one.seconds).slice(0, Number(values.slowest));
  for (const { file, seconds } of slowest) say(`${seconds.toFixed(1).padStart(6)} s  ${file}`);
  // Last, so that the end of a long output tells what failed.
  for (const failure of failures) say(`failed: ${failure}`);
});

/**
 * Lists the failed checks of a test and of the tests in it. A test whose own checks failed is not listed once more.
 * @param {import('tap-parser').Parser} parser
 */
function collectFailures(parser) {
  let hasFailedInside = false;
  parser.on('child', (/** @type {import('tap-parser').Parser} */ child) => {
    child.on('assert', (result) => {
      if (!result.ok) hasFailedInside = true;
    });
    collectFailures(child);
  });
  parser.on('assert', (result) => {
    if (result.ok || hasFailedInside) {
      hasFailedInside = false;
      return;
    }
    const at = result.diag?.at;
    failures.push(`${result.fullname}${at?.fileName ? ` (${at.fileName}:${at.lineNumber})` : ''}`);
  });
}

/** @param {string} file */
function rank(file) {
  const index = LONG.findIndex((pattern) => pattern.test(file));
  return index < 0 ? LONG.length : index;
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        timeout: { type: 'string', default: String(TIMEOUT_SECONDS) },
        jobs: { type: 'string', default: String(JOBS) },
        slowest: { type: 'string', default: '0' },
        bail: { type: 'boolean', short: 'b', default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

/** Reads TAP and shows it to a person. */
function reporter() {
  const program = inRepository('node_modules/tap/dist/esm/run.mjs');
  return spawn(process.execPath, [program, '--disable-coverage', '-'], {
    cwd: repository,
    stdio: ['pipe', 'inherit', 'inherit'],
  }).stdin;
}
