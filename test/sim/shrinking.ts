// Shortens a failing run: leaves out steps, in ever smaller pieces, as long as it still fails (Zeller and Hildebrandt,
// "Simplifying and Isolating Failure-Inducing Input", 2002). A step takes its faults and its players' moves with it.
import { type RunResult, type RunSetting, run } from './run.js';

/** Maximum number of runs for shrinking; the result is short enough by then. */
const RUNS_MAX = 2_000;

/**
 * @param failed a run that failed
 * @returns the shortest run found that still fails, with its story
 */
export async function shrink(failed: RunResult, setting: RunSetting): Promise<RunResult> {
  const { seed } = failed;
  let steps = failed.steps;
  let runCount = 0;
  const stillFails = async (candidate: readonly number[]): Promise<boolean> => {
    runCount += 1;
    const { violation } = await run({ ...setting, seed, steps: candidate });
    return violation !== undefined;
  };
  let pieceLength = Math.ceil(steps.length / 2);
  while (pieceLength >= 1 && runCount < RUNS_MAX) {
    const lengthBefore = steps.length;
    for (let end = steps.length; end > 0 && runCount < RUNS_MAX; end -= pieceLength) {
      const candidate = steps.filter((_, index) => index < end - pieceLength || index >= end);
      if (await stillFails(candidate)) steps = candidate;
    }
    // Single steps are tried again until none can be left out.
    if (pieceLength > 1) pieceLength = Math.ceil(pieceLength / 2);
    else if (steps.length === lengthBefore) break;
  }
  return run({ ...setting, seed, steps, isStoryKept: true });
}
