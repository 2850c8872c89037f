// When an append counts as one that never ends: after a time in which the process runs.
import t from 'tap';
import { FLUSH_STALL_GRACE_MS, FLUSH_STALL_MS, FLUSH_STALL_TIMERS } from '../../../persistence/limits.js';
import { StallWatch } from '../../../persistence/log/append.js';
import type { LogStalled } from '../../../persistence/log/log.js';
import { VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';

const LIMIT_MS = FLUSH_STALL_MS + FLUSH_STALL_GRACE_MS;

function begin() {
  const time = new VirtualTime();
  const scheduler = new VirtualScheduler(time);
  const stalls: LogStalled[] = [];
  const watch = new StallWatch((error) => stalls.push(error), undefined, scheduler);
  const wait = (forMs: number): void => void scheduler.pass(forMs);
  /** The process does not run meanwhile. */
  const stop = (forMs: number): void => {
    time.moveTo(time.elapsedMs() + forMs);
    wait(0);
  };
  return { watch, stalls, wait, stop };
}

t.test('an append that does not end is overdue', async (t) => {
  const { watch, stalls, wait } = begin();
  watch.begin(7);
  wait(LIMIT_MS - 1);
  t.same(stalls, []);
  wait(1);
  t.match(stalls, [{ name: 'LogStalled', firstSeq: 7, waitedMs: LIMIT_MS }]);
});

t.test('the time in which the process was stopped does not count, however often that was', async (t) => {
  const { watch, stalls, wait, stop } = begin();
  const stops = 3;
  watch.begin(7);
  for (let count = 0; count < stops; count += 1) stop(60_000);
  const leftMs = LIMIT_MS - (stops * LIMIT_MS) / FLUSH_STALL_TIMERS;
  wait(leftMs - 1);
  t.same(stalls, []);
  wait(1);
  t.equal(stalls.length, 1);
});

t.test('an append that has ended is never overdue', async (t) => {
  const { watch, stalls, wait, stop } = begin();
  watch.begin(7);
  stop(60_000);
  watch.end();
  wait(60_000);
  t.same(stalls, []);
});
