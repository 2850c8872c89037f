// One run from a seed, and its result.
import { conclude } from './conclusion.js';
import type { RunKind } from './kinds.js';
import { HONEST_PARTS, type Parts } from './parts.js';
import { Simulation } from './simulation.js';
import { StepTable } from './steps.js';
import { Violation } from './violation.js';

/** What is run, whatever the seed. */
export interface RunSetting {
  readonly kind: RunKind;
  /** Nothing is broken on purpose by default. */
  readonly parts?: Parts;
}

export interface RunOptions extends RunSetting {
  readonly seed: number;
  /** Steps from 0 on, or only those that are listed. */
  readonly steps: number | readonly number[];
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

export async function run(options: RunOptions): Promise<RunResult> {
  const { seed, steps, kind, parts = HONEST_PARTS, isStoryKept = false } = options;
  const simulation = new Simulation(kind, seed, parts, isStoryKept);
  const table = new StepTable(kind, simulation.stage.draws);
  const indexes = typeof steps === 'number' ? Array.from({ length: steps }, (_, index) => index) : [...steps];
  const done: number[] = [];
  let violation: string | undefined;
  try {
    for (const index of indexes) {
      done.push(index);
      await simulation.step(index, (draws) => table.run(simulation, draws, index));
    }
    await conclude(simulation);
  } catch (error) {
    violation = error instanceof Violation ? error.message : String(error instanceof Error ? error.stack : error);
  }
  simulation.stop();
  const { story, counts } = simulation.stage;
  return { seed, steps: done, violation, storyHash: story.hash(), story: story.lines, counts };
}
