// The report of runs for people: the command that repeats one, the story of a failed one, and what was counted in all of them.
import type { RunKind } from './kinds.js';
import type { RunResult } from './run.js';

/** How a run was chosen, besides its seed and its steps. */
export interface Chosen {
  readonly kind?: RunKind;
  /** Name of what was broken on purpose. */
  readonly breakage?: string | undefined;
}

export function commandFor(
  { seed, steps }: Pick<RunResult, 'seed' | 'steps'>,
  { kind = 'single', breakage }: Chosen = {},
): string {
  const chosen = steps.length === 0 ? '--steps 0' : `--only ${steps.join(',')}`;
  const flags = [
    ...(kind === 'single' ? [] : [`--kind ${kind}`]),
    `--seed ${seed} ${chosen}`,
    ...(breakage === undefined ? [] : [`--breakage '${breakage}'`]),
    '--story',
  ];
  return `npm run sim -- ${flags.join(' ')}`;
}

/** The lines of a shrunk run that failed. */
export function failureLines(shrunk: RunResult, chosen?: Chosen): string[] {
  return [
    `The shortest story of seed ${shrunk.seed} that fails, ${shrunk.steps.length} steps:`,
    ...shrunk.story,
    `it fails: ${shrunk.violation}`,
    `to see it again: ${commandFor(shrunk, chosen)}`,
  ];
}

export type Counts = Record<string, number>;

export function addCounts(sum: Counts, counts: Readonly<Counts>): void {
  for (const [what, count] of Object.entries(counts)) sum[what] = (sum[what] ?? 0) + count;
}

/** One line for each counter, by name. */
export function countLines(counts: Readonly<Counts>): string[] {
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, count]) => `${what}: ${count}`);
}
