// The real clock and the manual one, on machines whose time the test sets.
import t from 'tap';
import { ManualClock, RealClock } from '../../persistence/writer/clock.js';

/** A machine whose two clocks the test sets. */
class Machine {
  wall = 5_000_000;
  elapsed = 123.456;
  wallMs = () => this.wall;
  elapsedMs = () => this.elapsed;
}

t.test('a real clock starts at the machine’s clock', async (t) => {
  t.equal(new RealClock(0, new Machine()).nowMs(), 5_000_000);
});

t.test('a real clock starts at the last instant of the world if that is later', async (t) => {
  const machine = new Machine();
  const clock = new RealClock(6_000_000, machine);
  t.equal(clock.nowMs(), 6_000_000);
  machine.elapsed += 10;
  t.equal(clock.nowMs(), 6_000_010, 'and goes on from there');
});

t.test('a real clock counts whole milliseconds that pass', async (t) => {
  const machine = new Machine();
  const clock = new RealClock(0, machine);
  const seen = [0.4, 0.5, 0.2, 5, 0.1].map((passedMs) => {
    machine.elapsed += passedMs;
    return clock.nowMs() - 5_000_000;
  });
  t.same(seen, [0, 0, 1, 6, 6]);
});

t.test('a jump of the machine’s clock does not affect the world', async (t) => {
  const machine = new Machine();
  const clock = new RealClock(0, machine);
  for (const wall of [0, 9_999_999_999]) {
    machine.wall = wall;
    t.equal(clock.nowMs(), 5_000_000);
  }
});

t.test('a real clock on the real machine returns an integer that never decreases', async (t) => {
  const clock = new RealClock(0);
  let before = clock.nowMs();
  t.ok(Number.isInteger(before));
  for (let look = 0; look < 100_000; look += 1) {
    const now = clock.nowMs();
    if (now < before) t.fail(`it fell from ${before} to ${now}`);
    before = now;
  }
});

t.test('a manual clock stays where it was moved to', async (t) => {
  const clock = new ManualClock(1_000);
  t.equal(clock.nowMs(), 1_000);
  clock.moveTo(1_000);
  clock.moveTo(9_000);
  t.equal(clock.nowMs(), 9_000);
});

t.test('a manual clock is not moved backwards or to a fraction', async (t) => {
  const clock = new ManualClock(1_000);
  for (const toMs of [999, 1_000.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => clock.moveTo(toMs), RangeError, String(toMs));
  }
  t.equal(clock.nowMs(), 1_000);
});
