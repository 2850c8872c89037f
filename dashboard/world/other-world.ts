// What the page does if it is shown another world than before: what is known of the one before is of no use, and its ids may be those
// of nobody. A replay shows another game; a server may come back with a world that was restored to an earlier instant.
import { effect, untracked } from '@preact/signals';
import { forgetReplies } from './api.js';
import { firstRanks } from './leaderboard.js';
import { forgetNames } from './names.js';
import { status } from './status.js';

export function forgetWorld(): void {
  forgetNames();
  firstRanks.value = null;
  forgetReplies();
}

/** Notices that the world goes on from an earlier state. The page does it once. */
export function watchOrigin(): void {
  let known: number | null = null;
  effect(() => {
    if (status.value === null) return;
    const base = status.value.origin?.base ?? 0;
    if (known !== null && known !== base) untracked(forgetWorld);
    known = base;
  });
}
