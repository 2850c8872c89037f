// The one timeout: it wakes at the deadline, once.
import t from 'tap';
import { DeadlineTimer } from '../../../persistence/time/scheduler.js';

/** A timer that counts how often it woke, and a promise of its first time. */
function counted() {
  let tell: () => void;
  const woken = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const count = { wakes: 0 };
  const timer = new DeadlineTimer(() => {
    count.wakes += 1;
    tell();
  });
  return { timer, count, woken };
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

t.test('it wakes once at a deadline, including one that has passed', async (t) => {
  for (const deadlineMs of [1_003, 1_000, 3]) {
    const { timer, count, woken } = counted();
    timer.wakeBy(deadlineMs, 1_000);
    await woken;
    await pause(10);
    t.equal(count.wakes, 1);
  }
});

t.test('an earlier deadline replaces a later one, and a later one changes nothing', async (t) => {
  const { timer, count, woken } = counted();
  timer.wakeBy(1_000_000, 0);
  timer.wakeBy(5, 0);
  timer.wakeBy(2_000_000, 0);
  await woken;
  timer.wakeBy(1_000_000, 0);
  await pause(10);
  t.equal(count.wakes, 1, 'armed anew, it sleeps again');
  timer.stop();
});

t.test('a deadline in many years does not fire at once', async (t) => {
  const { timer, count } = counted();
  timer.wakeBy(2 ** 45, 0);
  await pause(30);
  t.equal(count.wakes, 0);
  timer.stop();
});

t.test('without a deadline it does not keep the process awake', async (t) => {
  const { timer } = counted();
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  timer.wakeBy(Number.POSITIVE_INFINITY, 0);
  t.equal(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, before);
});

t.test('stopped, it does not wake', async (t) => {
  const { timer, count } = counted();
  timer.wakeBy(5, 0);
  timer.stop();
  await pause(30);
  t.equal(count.wakes, 0);
});
