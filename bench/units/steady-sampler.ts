// Measures a steady case with benny, which decides how often to run it and samples until it is sure enough.
import { add, configure, suite } from 'benny';
import { spreadOf } from '../reports/statistics.js';
import { consume } from './sink.js';
import type { Effort, Reading, SteadyCase } from './unit-case.js';

const NANOSECONDS = 1e9;
/** Shorter samples than benny's own 50 ms, but more of them: medians and quartiles gain from that. */
const SAMPLE_SECONDS = 0.01;

export async function sampleSteady(measured: SteadyCase, effort: Effort, id: string): Promise<Reading> {
  const secondsPerRun = await sample(measured, effort, id);
  if (secondsPerRun.length === 0) throw new Error(`${id} was not measured`);
  const nanoseconds = secondsPerRun.map((seconds) => (seconds * NANOSECONDS) / measured.countPerRun);
  const unit = `ns per ${measured.unit}`;
  return { id, unit, isLowerBetter: true, samples: nanoseconds.length, ...spreadOf(nanoseconds) };
}

/** @returns seconds per run, one of each sample */
async function sample(measured: SteadyCase, effort: Effort, id: string): Promise<readonly number[]> {
  const cases = { minTime: SAMPLE_SECONDS, maxTime: effort.steadySeconds, minSamples: 5, delay: 0 };
  try {
    const { results } = await suite(id, add(measured.name, test(measured)), configure({ cases }));
    return results[0]?.details.sampleResults ?? [];
  } catch (thrown) {
    // The library wraps what a run has thrown in an event of its own.
    const { target } = thrown as { target?: { error?: unknown } };
    throw target?.error ?? thrown;
  }
}

/** benny asks more than once for the function it runs, to find out whether it is asynchronous: it is prepared once. */
function test(measured: SteadyCase): () => () => unknown {
  let prepared: (() => unknown) | undefined;
  return () => {
    prepared ??= consuming(measured.prepare());
    return prepared;
  };
}

function consuming(run: () => unknown): () => unknown {
  return () => {
    const result = run();
    consume(result);
    return result;
  };
}
