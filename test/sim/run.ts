// One run from a seed, and its result.
import { HONEST_PARTS, type Parts } from './parts.js';
import { Simulation } from './simulation.js';
import { Violation } from './violation.js';

export interface RunOptions {
  readonly seed: number;
  /** Steps from 0 on, or only those that are listed. */
  readonly steps: number | readonly number[];
  readonly parts?: Parts;
  readonly isStoryKept?: boolean;
}

export interface RunResult {
  readonly seed: number;
  /** The steps that were run; if a promise was broken in a step, that is the last one. */
  readonly steps: readonly number[];
  /** The promise that was broken; undefined if all were kept. */
  readonly violation: string | undefined;
  readonly storyHash: string;
  /** Empty if it was not kept. */
  readonly story: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

export async function run({ seed, steps, parts = HONEST_PARTS, isStoryKept = false }: RunOptions): Promise<RunResult> {
  const simulation = new Simulation(seed, parts, isStoryKept);
  const indexes = typeof steps === 'number' ? Array.from({ length: steps }, (_, index) => index) : [...steps];
  const done: number[] = [];
  let violation: string | undefined;
  try {
    for (const index of indexes) {
      done.push(index);
      await simulation.step(index);
    }
    await simulation.conclude();
  } catch (error) {
    violation = error instanceof Violation ? error.message : String(error instanceof Error ? error.stack : error);
  }
  simulation.stop();
  const { story, counts } = simulation.stage;
  return { seed, steps: done, violation, storyHash: story.hash(), story: story.lines, counts };
}
