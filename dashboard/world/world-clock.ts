// World time now: what the server said last, carried on as the world's clock runs. Small differences are corrected slowly, so that
// nothing on the map jumps.
import { computed, signal } from '@preact/signals';
import { CLOCK_CORRECTION_MS, CLOCK_TICK_MS, OFFSET_STEP_MS } from '../limits.js';

interface Anchor {
  /** World time at `atMs`, before the correction. */
  readonly worldMs: number;
  /** Time of performance.now(). */
  readonly atMs: number;
  /** World time per real time: 1, the speed of a replay, or 0 if the world stands still. */
  readonly rate: number;
  /** World time that is added during the CLOCK_CORRECTION_MS after `atMs`. */
  readonly correctionMs: number;
}

let anchor: Anchor | null = null;

/** Rate of world time; 0 while the world stands still: a manual clock, a replay that is paused. */
export const rate = signal(0);

/** Changes a few times a second; what reads worldMs() in a component renders again then. */
const tick = signal(0);

/** World time in ms since 1970 for texts, renewed a few times a second; null before the first answer. */
export const worldNowMs = computed(() => {
  tick.value;
  return worldMsAt(performance.now());
});

/**
 * World time for an animation.
 *
 * @param atMs time of performance.now(), such as that of an animation frame
 * @returns ms since 1970, or null before the first answer of the server
 */
export function worldMsAt(atMs: number): number | null {
  if (anchor === null) return null;
  const elapsedMs = Math.max(0, atMs - anchor.atMs);
  const corrected = anchor.correctionMs * Math.min(1, elapsedMs / CLOCK_CORRECTION_MS);
  return anchor.worldMs + elapsedMs * anchor.rate + corrected;
}

/**
 * Sets the clock to what the server says.
 *
 * @param worldMs world time of a reply, in ms since 1970
 * @param newRate world time per real time; by default the last one
 * @param atMs time of performance.now() at which it was so
 */
export function noteWorldTime(worldMs: number, newRate = rate.peek(), atMs = performance.now()): void {
  const expectedMs = worldMsAt(atMs);
  const differenceMs = expectedMs === null ? 0 : worldMs - expectedMs;
  // A difference that a second of the world explains is latency; a greater one is a jump of the clock.
  const isSmall = expectedMs !== null && newRate > 0 && Math.abs(differenceMs) < newRate * CLOCK_CORRECTION_MS;
  anchor = isSmall
    ? { worldMs: expectedMs, atMs, rate: newRate, correctionMs: differenceMs }
    : { worldMs, atMs, rate: newRate, correctionMs: 0 };
  rate.value = newRate;
  if (!isSmall) tick.value += 1;
}

/** Viewer's time minus world time; null if the world has no clock of its own. */
const viewerOffsetMs = signal<number | null>(null);

/**
 * Compares the clock of the world with that of the viewer's machine.
 *
 * @param worldMs world time now; null if a hand moves the clock, or if it is a replay
 * @param viewerMs time of the viewer's clock now, in ms since 1970
 */
export function noteViewerTime(worldMs: number | null, viewerMs: number): void {
  const offsetMs = worldMs === null ? null : viewerMs - worldMs;
  const knownMs = viewerOffsetMs.peek();
  // Latency changes with each answer; texts need not.
  if (offsetMs !== null && knownMs !== null && Math.abs(offsetMs - knownMs) < OFFSET_STEP_MS) return;
  viewerOffsetMs.value = offsetMs;
}

/**
 * The viewer's time at some world time.
 *
 * @returns ms since 1970, or null if there is none
 */
export function viewerMsOf(worldMs: number): number | null {
  const offsetMs = viewerOffsetMs.value;
  return offsetMs === null ? null : worldMs + offsetMs;
}

/** Begins to renew the texts. The page calls it once, when it starts. */
export function startClock(): void {
  setInterval(() => {
    tick.value += 1;
  }, CLOCK_TICK_MS);
}
