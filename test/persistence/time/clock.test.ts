// The real clock and the manual one, on machines whose time the test sets.
import t from 'tap';
import { clockJump, ManualClock, RealClock } from '../../../persistence/time/clock.js';

/** A machine whose two clocks the test sets. */
class Machine {
  wall = 5_000_000;
  elapsed = 123.456;
  wallMs = () => this.wall;
  elapsedMs = () => this.elapsed;

  pass(ms: number): void {
    this.wall += ms;
    this.elapsed += ms;
  }
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

const DAY_MS = 86_400_000;

t.test('a start is refused if the machine’s clock is further after the last entry than the bound', async (t) => {
  const machine = new Machine();
  const lastEntryMs = Date.UTC(2026, 10, 26);
  const world = { nowMs: lastEntryMs, pausedAtMs: null, clockLagMs: 0 };
  const jump = (kind: 'real' | 'manual' = 'real') => clockJump(kind, world, 366 * DAY_MS, machine);
  machine.wall = lastEntryMs + 366 * DAY_MS;
  t.equal(jump(), null);
  machine.wall += 1;
  t.match(jump(), {
    name: 'ClockJump',
    message:
      'the clock of this machine says 2027-11-27T00:00:00.001Z, 367 days after the last entry of the log ' +
      '(2026-11-26T00:00:00.000Z), and a world is never moved back; correct the clock, or allow the jump with ' +
      '--max-clock-jump-days 367',
  });
  t.equal(clockJump('real', world, 367 * DAY_MS, machine), null, 'the named number allows it');
  t.equal(jump('manual'), null, 'no machine moves a manual clock');
  t.equal(clockJump('real', { ...world, pausedAtMs: 0 }, 0, machine), null, 'nor one that stands');
  t.equal(
    clockJump('real', { ...world, clockLagMs: 1 }, 366 * DAY_MS, machine),
    null,
    'what it is behind does not count',
  );
  machine.wall = 0;
  t.equal(jump(), null, 'a clock that is behind moves nothing');
});

t.test('a monotonic clock that jumps further than the bound moves no world either', async (t) => {
  const machine = new Machine();
  const clock = new RealClock(0, machine);
  machine.elapsed += 366 * DAY_MS;
  t.equal(clock.nowMs(), 5_000_000 + 366 * DAY_MS, 'no step is too far');
  machine.elapsed += 366 * DAY_MS + 1;
  for (const look of ['first', 'second']) t.throws(() => clock.nowMs(), { name: 'ClockJump' }, `the ${look} look`);
  machine.elapsed -= 1;
  t.equal(clock.nowMs(), 5_000_000 + 2 * 366 * DAY_MS);
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

t.test('a paused clock stands, and goes on from there; a later start keeps the distance to the machine', async (t) => {
  const machine = new Machine();
  machine.elapsed = 0;
  const clock = new RealClock(0, machine);
  machine.pass(1_000);
  clock.pause(clock.nowMs());
  machine.pass(10_000);
  t.equal(clock.nowMs(), 5_001_000);
  t.equal(clock.lagMs, 10_000);
  clock.resume();
  machine.pass(5);
  t.equal(clock.nowMs(), 5_001_005);
  t.equal(new RealClock(0, machine, { pausedAtMs: null, clockLagMs: 10_000 }).nowMs(), 5_001_005);
  t.equal(new RealClock(77, machine, { pausedAtMs: 77, clockLagMs: 0 }).nowMs(), 77);
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
