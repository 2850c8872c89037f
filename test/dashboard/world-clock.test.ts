// The world clock of the dashboard: it runs at the speed of the world, corrects small differences slowly and without running
// backwards, and jumps if the world does.
import t from 'tap';
import { CLOCK_CORRECTION_MS, OFFSET_STEP_MS } from '../../dashboard/limits.js';
import { noteViewerTime, noteWorldTime, viewerMsOf, worldMsAt } from '../../dashboard/world/world-clock.js';

t.test('the clock of the dashboard', async (t) => {
  t.equal(worldMsAt(0), null, 'nothing is known before the first answer');
  noteWorldTime(1_000_000, 60, 0);
  t.equal(worldMsAt(500), 1_030_000, 'it runs at the speed of the world');

  noteWorldTime(1_059_000, 60, 1_000);
  t.equal(worldMsAt(1_000), 1_060_000, 'a small difference does not show at once');
  let last = 1_060_000;
  for (let atMs = 1_100; atMs <= 2_500; atMs += 100) {
    const now = worldMsAt(atMs) ?? 0;
    if (now <= last) t.fail(`it runs backwards at ${atMs}`);
    last = now;
  }
  t.equal(worldMsAt(1_000 + CLOCK_CORRECTION_MS), 1_059_000 + 60 * CLOCK_CORRECTION_MS, 'and is gone after a while');

  noteWorldTime(9_000_000, 60, 3_000);
  t.equal(worldMsAt(3_000), 9_000_000, 'a great one is a jump');
  noteWorldTime(2_000_000, 0, 4_000);
  t.equal(worldMsAt(90_000), 2_000_000, 'a world whose clock is moved by hand stands still');
});

t.test('the time of the viewer', async (t) => {
  t.equal(viewerMsOf(5), null, 'is not known at first');
  noteViewerTime(1_000, 8_000);
  t.equal(viewerMsOf(1_500), 8_500);
  noteViewerTime(2_000, 9_000 + OFFSET_STEP_MS - 1);
  t.equal(viewerMsOf(1_500), 8_500, 'does not follow every latency');
  noteViewerTime(2_000, 9_000 + OFFSET_STEP_MS);
  t.equal(viewerMsOf(1_500), 8_500 + OFFSET_STEP_MS);
  noteViewerTime(null, 10_000);
  t.equal(viewerMsOf(1_500), null, 'a world that is moved by hand has none');
});
