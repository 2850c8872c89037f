// How long things take at a world's speed. Every duration of the game is computed here.
import { multiplyDivideCeil } from './arithmetic.js';
import type { ReadonlyWorld } from './state.js';

/** Converts a duration at speed 1 to the world's speed: divided, rounded up to a millisecond, at least 1. */
export function durationMs(world: ReadonlyWorld, baseMs: number): number {
  return Math.max(1, multiplyDivideCeil(baseMs, 1000, world.settings.speedThousandths));
}
