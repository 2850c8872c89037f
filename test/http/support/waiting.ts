// Waiting for a condition, without saying how long that takes: a test fails by its own time limit or not at all.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets the event loop turn until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

/** Lets all pending work inside this process happen. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
