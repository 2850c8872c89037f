// The steps of a plan by lane: equal steps that follow each other are one line.
import type { Shapes } from '../../world/api.js';

export type Plan = Shapes['Plan'];
export type Step = Plan['steps'][number];
export type Lane = Plan['lanes'][number];

export interface StepLine {
  readonly step: Step;
  /** Equal steps in a row. */
  readonly times: number;
  /** Ordinal of the first of them in its lane, from 0. */
  readonly first: number;
}

const LANES: Readonly<Record<Step['action'], Lane['lane']>> = {
  upgrade: 'buildings',
  construct: 'buildings',
  build_ships: 'ships',
  research: 'research',
};

export function linesOfLane({ steps }: Pick<Plan, 'steps'>, lane: Lane['lane']): StepLine[] {
  const lines: StepLine[] = [];
  const own = steps.filter(({ action }) => LANES[action] === lane);
  for (const [first, step] of own.entries()) {
    const last = lines.at(-1);
    if (last !== undefined && JSON.stringify(last.step) === JSON.stringify(step)) {
      lines[lines.length - 1] = { ...last, times: last.times + 1 };
    } else lines.push({ step, times: 1, first });
  }
  return lines;
}

/** Name of the document, for usePolled() and readNow(). */
export function planName(planetId: string): string {
  return `plan of ${planetId}`;
}
