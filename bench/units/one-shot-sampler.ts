// Measures a case that uses up what it needs: prepares off the clock, runs on it, again and again.
import { spreadOf } from '../reports/statistics.js';
import { consume } from './sink.js';
import type { Effort, OneShotCase, Reading } from './unit-case.js';

const NANOSECONDS_PER_MS = 1e6;
/** Share of the time that goes into runs that are not counted: the code is being optimised meanwhile. */
const WARM_UP_SHARE = 0.25;

export async function sampleOneShot(measured: OneShotCase, effort: Effort, id: string): Promise<Reading> {
  await sampleFor(measured, effort.oneShotSeconds * WARM_UP_SHARE, 1, effort.oneShotRunsMax);
  const nanoseconds = await sampleFor(measured, effort.oneShotSeconds, effort.oneShotRunsMin, effort.oneShotRunsMax);
  const unit = `ns per ${measured.unit}`;
  return { id, unit, isLowerBetter: true, samples: nanoseconds.length, ...spreadOf(nanoseconds) };
}

/** @returns nanoseconds per unit, one of each run */
async function sampleFor(measured: OneShotCase, seconds: number, runsMin: number, runsMax: number): Promise<number[]> {
  const nanoseconds: number[] = [];
  const endMs = performance.now() + seconds * 1000;
  while (nanoseconds.length < runsMin || (nanoseconds.length < runsMax && performance.now() < endMs)) {
    const { count, run } = await measured.prepare();
    const startMs = performance.now();
    const result = run();
    const isLate = result instanceof Promise;
    if (isLate) await result;
    const elapsedMs = performance.now() - startMs;
    consume(result);
    nanoseconds.push((elapsedMs * NANOSECONDS_PER_MS) / count);
  }
  return nanoseconds;
}
