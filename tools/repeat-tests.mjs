// Runs the tests repeatedly beside processes that keep cores busy. A test that depends on luck or on the speed of the machine fails
// sooner or later. Each run makes other random choices. `npm run test:repeat -- --times 10 --busy 2` takes as long as ten slow runs.

import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { inRepository, repository, say } from './repository.mjs';

const TIMES = 10;
const BUSY = 2;
const PROGRESS_EVERY_MS = 30_000;
/** Computes until its standard input ends, which happens however this process ends. */
const BUSY_LOOP = `
  process.stdin.on('end', () => process.exit()).on('error', () => process.exit()).resume();
  const spin = () => {
    const untilMs = performance.now() + 50;
    while (performance.now() < untilMs);
    setImmediate(spin);
  };
  spin();
`;

/** @typedef {{ isPassed: boolean, seconds: number, passed: number, failed: number, failures: string[] }} Outcome */

const { times, busy, testArguments } = readArguments();
const folder = await mkdtemp(join(tmpdir(), 'galaxyd-test-runs-'));
const loops = Array.from({ length: busy }, () =>
  spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: ['pipe', 'ignore', 'inherit'] }),
);
/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
/** @type {NodeJS.Signals | undefined} */
let signalled;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    signalled = signal;
    running?.kill(signal);
  });
}

try {
  process.exitCode = await repeat();
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
}

/** @returns {Promise<number>} the exit code */
async function repeat() {
  say(`${times} runs beside ${busy} busy processes; the output of a failed run stays in ${folder}`);
  /** @type {Outcome[]} */
  const outcomes = [];
  for (let number = 1; number <= times && signalled === undefined; number += 1) {
    const name = `run ${number} of ${times}`;
    const log = join(folder, `run-${number}.tap`);
    const outcome = await runOnce(name, number, log);
    outcomes.push(outcome);
    const { isPassed, seconds, passed, failed, failures } = outcome;
    console.log(`${name}: ${isPassed ? 'passed' : 'FAILED'}, ${passed} passed, ${failed} failed, ${seconds} s`);
    for (const failure of failures) console.log(`  ${failure}`);
    if (isPassed) await rm(log);
    else console.log(`  ${log}`);
  }
  const good = outcomes.filter(({ isPassed }) => isPassed).length;
  const seconds = outcomes.map((outcome) => outcome.seconds);
  const span = `${Math.min(...seconds)} to ${Math.max(...seconds)} s`;
  console.log(`${good} of ${times} runs passed beside ${busy} busy processes, in ${span} each`);
  if (good === times) await rm(folder, { recursive: true });
  return good === times ? 0 : 1;
}

/**
 * @param {string} name shown with its progress
 * @param {number} number seed of its random choices, unless TEST_SEED is set
 * @param {string} log file for its whole output
 * @returns {Promise<Outcome>}
 */
async function runOnce(name, number, log) {
  const startedMs = performance.now();
  const secondsNow = () => Math.round((performance.now() - startedMs) / 1000);
  const child = spawn(process.execPath, [inRepository('tools/run.mjs'), 'test', ...testArguments], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { TEST_SEED: String(number), ...process.env },
  });
  running = child;
  const output = createWriteStream(log);
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  let files = 0;
  let [passed, failed] = [0, 0];
  /** @type {string[]} */
  const failures = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/^(not )?ok /.test(line)) files += 1;
    const counts = /^# \{ total: \d+, pass: (\d+)(?:, fail: (\d+))?/.exec(line);
    if (counts !== null) [passed, failed] = [Number(counts[1]), Number(counts[2] ?? 0)];
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    const failure = /^galaxyd: (failed: .*)/.exec(line)?.[1];
    if (failure !== undefined) failures.push(failure);
  });
  const progress = setInterval(() => say(`${name}: ${files} files in ${secondsNow()} s`), PROGRESS_EVERY_MS);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(progress);
  await new Promise((resolve) => output.end(resolve));
  return { isPassed: code === 0 && passed > 0, seconds: secondsNow(), passed, failed, failures };
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        times: { type: 'string', default: String(TIMES) },
        busy: { type: 'string', default: String(BUSY) },
      },
      allowPositionals: true,
    });
    return {
      times: wholeNumber(values.times, '--times', 1),
      busy: wholeNumber(values.busy, '--busy', 0),
      testArguments: positionals,
    };
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

/**
 * @param {string} text
 * @param {string} name of the option
 * @param {number} lowest
 */
function wholeNumber(text, name, lowest) {
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= lowest) return value;
  throw new RangeError(`${name} must be a whole number, ${lowest} or more`);
}
