// When something of a player happens next by itself. It changes nothing.
import type { ReadonlyPlayer } from '../state.js';

/**
 * Returns the world time, in milliseconds, at which the next upgrade, ship order, research or flight of a player ends;
 * null if nothing is in progress.
 */
export function nextTimerOf({ planets, research, fleets }: ReadonlyPlayer): number | null {
  let earliestMs = research?.finishAtMs ?? Number.POSITIVE_INFINITY;
  for (const planet of planets) earliestMs = Math.min(earliestMs, planet.nextFinishMs);
  for (const { isReturning, arrivesAtMs, returnsAtMs } of fleets) {
    earliestMs = Math.min(earliestMs, (isReturning ? returnsAtMs : arrivesAtMs) ?? Number.POSITIVE_INFINITY);
  }
  return Number.isFinite(earliestMs) ? earliestMs : null;
}
