// The two ways in which cases are sampled: benny runs steady ones, and the bench itself those that use up what they need.
import { add, configure, suite } from 'benny';
import { spreadOf } from '../runner/statistics.js';
import type { DirectReading, Effort, OneShotCase, Reading, SteadyCase } from './unit-case.js';

const NANOSECONDS = 1e9;
const NANOSECONDS_PER_MS = 1e6;
/** Shorter samples than benny's own 50 ms, but more of them: medians and quartiles gain from that. */
const SAMPLE_SECONDS = 0.01;
/** Share of the time that goes into runs that are not counted: the code is being optimised meanwhile. */
const WARM_UP_SHARE = 0.25;

let lastResult: unknown;
let resultCount = 0;

/** Keeps a result, so that no compiler can leave out the work that led to it. */
export function consume(result: unknown): void {
  lastResult = result;
  resultCount += 1;
}

/** @returns how many results were consumed; none means that what was measured did nothing */
export function consumed(): number {
  return lastResult === undefined ? 0 : resultCount;
}

/** benny decides how often to run the case, and samples until it is sure enough. */
export async function sampleSteady(measured: SteadyCase, effort: Effort, id: string): Promise<Reading> {
  const run = await measured.prepare();
  const consuming = () => {
    const result = run();
    consume(result);
    return result;
  };
  const cases = { minTime: SAMPLE_SECONDS, maxTime: effort.steadySeconds, minSamples: 5, delay: 0 };
  try {
    const { results } = await suite(
      id,
      add(measured.name, () => consuming),
      configure({ cases }),
    );
    const secondsPerRun = results[0]?.details.sampleResults ?? [];
    if (secondsPerRun.length === 0) throw new Error(`${id} was not measured`);
    return readingOf(
      id,
      measured.unit,
      secondsPerRun.map((seconds) => (seconds * NANOSECONDS) / measured.countPerRun),
    );
  } catch (thrown) {
    // benny wraps an error of a run in an event of its own.
    const { target } = thrown as { target?: { error?: unknown } };
    throw target?.error ?? thrown;
  } finally {
    await measured.close?.();
  }
}

/** Prepares off the clock and runs on it, again and again. */
export async function sampleOneShot(measured: OneShotCase, effort: Effort, id: string): Promise<Reading> {
  const { oneShotSeconds, oneShotRunsMin, oneShotRunsMax } = effort;
  try {
    await sampleFor(measured, oneShotSeconds * WARM_UP_SHARE, 1, oneShotRunsMax);
    return readingOf(id, measured.unit, await sampleFor(measured, oneShotSeconds, oneShotRunsMin, oneShotRunsMax));
  } finally {
    await measured.close?.();
  }
}

/** @returns nanoseconds per unit, one of each run */
async function sampleFor(measured: OneShotCase, seconds: number, runsMin: number, runsMax: number): Promise<number[]> {
  const nanoseconds: number[] = [];
  const endMs = performance.now() + seconds * 1000;
  while (nanoseconds.length < runsMin || (nanoseconds.length < runsMax && performance.now() < endMs)) {
    const { count, run } = await measured.prepare();
    const startMs = performance.now();
    const result = run();
    if (result instanceof Promise) await result;
    const elapsedMs = performance.now() - startMs;
    consume(result);
    nanoseconds.push((elapsedMs * NANOSECONDS_PER_MS) / count);
  }
  return nanoseconds;
}

function readingOf(id: string, unit: string, nanoseconds: readonly number[]): Reading {
  const samples = nanoseconds.length;
  return { id, unit: `ns per ${unit}`, isLowerBetter: true, samples, ...spreadOf(nanoseconds) };
}

/** A number that is counted, not sampled. */
export function counted(name: string, unit: string, value: number): DirectReading {
  return { name, unit, isLowerBetter: true, samples: 1, lower: value, median: value, upper: value };
}
