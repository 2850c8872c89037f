// How a program of the bench measures: whatever happens, what was measured before is printed and kept.
import { BenchFailed } from '../bench-failed.js';
import { faultsOf } from './faults.js';
import { type BenchResult, printAndKeep } from './result-file.js';

/**
 * Measures, and prints and keeps the result. A result that is incomplete or shows a fault is never among the chosen ones.
 *
 * @param resultSoFar undefined if there is nothing yet; called once
 * @throws BenchFailed if the measurement fails, or if its result shows what must not be
 */
export async function measureAndKeep(
  measure: () => Promise<void>,
  resultSoFar: () => BenchResult | undefined,
  { isJson, isChosen }: { readonly isJson: boolean; readonly isChosen: boolean },
): Promise<void> {
  let failure: unknown;
  try {
    await measure();
  } catch (error) {
    failure = error;
  }
  const result = resultSoFar();
  const faults = result === undefined ? [] : faultsOf(result);
  if (result !== undefined) {
    const ending = failure instanceof Error ? { failure: failure.message } : {};
    printAndKeep(
      { ...result, ...ending },
      { isJson, isChosen: isChosen && failure === undefined && faults.length === 0 },
    );
  }
  if (failure !== undefined) throw failure;
  const [first, ...others] = faults;
  if (first === undefined) return;
  throw new BenchFailed(others.length === 0 ? first : `${first} (${others.length} more in the result)`);
}
