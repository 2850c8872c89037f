// Converts durations to the speed of a world. Every duration of the game is computed here.
import { multiplyDivideCeil } from '../numbers/arithmetic.js';

/** What durations depend on. */
export interface WorldSpeed {
  readonly settings: { readonly speedThousandths: number };
}

/** Converts a duration at speed 1 to the world's speed: divided, rounded up to a millisecond, at least 1. */
export function durationMs(world: WorldSpeed, baseMs: number): number {
  return Math.max(1, multiplyDivideCeil(baseMs, 1000, world.settings.speedThousandths));
}
