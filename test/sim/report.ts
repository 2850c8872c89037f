// The report of a run for people: the command that repeats it, and the story of a failed one.
import type { RunResult } from './run.js';

/** @param breakage name of what was broken on purpose */
export function commandFor({ seed, steps }: Pick<RunResult, 'seed' | 'steps'>, breakage?: string): string {
  const chosen = steps.length === 0 ? '--steps 0' : `--only ${steps.join(',')}`;
  return `npm run sim -- --seed ${seed} ${chosen}${breakage === undefined ? '' : ` --breakage '${breakage}'`} --story`;
}

/** The lines of a shrunk run that failed. */
export function failureLines(shrunk: RunResult, breakage?: string): string[] {
  return [
    `The shortest story of seed ${shrunk.seed} that fails, ${shrunk.steps.length} steps:`,
    ...shrunk.story,
    `it fails: ${shrunk.violation}`,
    `to see it again: ${commandFor(shrunk, breakage)}`,
  ];
}
