// How long things take at a world's speed. Every duration of the game passes through here.
import { multiplyDivideCeil } from './arithmetic.js';
import type { ReadonlyWorld } from './state.js';

/** A duration at speed 1 as it is at the world's speed: divided, rounded up to a millisecond, never zero. */
export function durationMs(world: ReadonlyWorld, baseMs: number): number {
  return Math.max(1, multiplyDivideCeil(baseMs, 1000, world.settings.speedThousandths));
}
