// One run from a seed, and its result.
import { HONEST_PARTS, type Parts } from './parts.js';
import { HONEST_SHARED_PARTS, type SharedParts } from './shared/shared-parts.js';
import { SharedSimulation } from './shared/shared-simulation.js';
import { Simulation } from './simulation.js';
import type { Stage } from './stage.js';
import { Violation } from './violation.js';

/** What a run drives. */
interface Simulated {
  readonly stage: Stage;
  step(index: number): Promise<void>;
  /** The end of a run: no further faults, and all checks. */
  conclude(): Promise<void>;
  /** Ends everything without further checks. */
  stop(): void;
}

/** Begins a run from its seed. */
export type Begin = (seed: number, isStoryKept: boolean) => Simulated;

/** `single`: one process and its disk. `shared`: several processes on a shared store. */
export const RUN_KINDS = ['single', 'shared'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** A run with one process. */
export function single(parts: Parts = HONEST_PARTS): Begin {
  return (seed, isStoryKept) => new Simulation(seed, parts, isStoryKept);
}

/** A run with several processes. */
export function shared(parts: SharedParts = HONEST_SHARED_PARTS): Begin {
  return (seed, isStoryKept) => new SharedSimulation(seed, parts, isStoryKept);
}

export interface RunOptions {
  readonly seed: number;
  /** Steps from 0 on, or only those that are listed. */
  readonly steps: number | readonly number[];
  /** By default with one process, and nothing broken on purpose. */
  readonly begin?: Begin;
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

export async function run({ seed, steps, begin = single(), isStoryKept = false }: RunOptions): Promise<RunResult> {
  const simulation = begin(seed, isStoryKept);
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
