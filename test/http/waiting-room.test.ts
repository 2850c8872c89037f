// The room in which requests wait for a role or an entry: its limits, its order and its deadlines, on a clock of the test's own.
import t from 'tap';
import { Standing } from '../../http/replica/standing.js';
import { type Guest, WaitingRoom } from '../../http/replica/waiting-room.js';
import type { Alarm, Scheduler } from '../../persistence/writer/scheduler.js';
import type { Admission } from '../../persistence/writer/sequencer.js';

const LIMITS = { guestsMax: 3, guestsPerOwnerMax: 2, bytesMax: 100, pollMs: 10, sliceMs: 5 };

/** Time passes only when the test says so. */
class OwnTime implements Scheduler {
  nowMs = 0;
  #soon: (() => void)[] = [];
  #alarms: { readonly atMs: number; readonly callback: () => void }[] = [];

  readonly soon: Scheduler['soon'] = (callback, ...given) => void this.#soon.push(() => callback(...given));

  readonly after: Scheduler['after'] = (delayMs, callback, ...given): Alarm => {
    const alarm = { atMs: this.nowMs + delayMs, callback: () => callback(...given) };
    this.#alarms.push(alarm);
    return alarm;
  };

  cancel(alarm: Alarm | undefined): void {
    this.#alarms = this.#alarms.filter((one) => one !== alarm);
  }

  async nextTurn(): Promise<void> {}

  get isIdle(): boolean {
    return this.#soon.length + this.#alarms.length === 0;
  }

  /** One turn of the event loop. */
  turn(): void {
    for (const callback of this.#soon.splice(0)) callback();
  }

  pass(ms: number): void {
    this.nowMs += ms;
    const due = this.#alarms.filter(({ atMs }) => atMs <= this.nowMs);
    this.#alarms = this.#alarms.filter(({ atMs }) => atMs > this.nowMs);
    for (const { callback } of due) callback();
    this.turn();
  }
}

function opened() {
  const time = new OwnTime();
  const room = new WaitingRoom({ scheduler: time, elapsedMs: () => time.nowMs, limits: LIMITS });
  const left: string[] = [];
  const ready = new Set<string>();
  const guest = (name: string, workMs = 0): Guest => ({
    isReady: () => ready.has(name),
    leave(isLate) {
      left.push(isLate ? `${name} late` : name);
      time.nowMs += workMs;
    },
  });
  return { time, room, left, ready, guest };
}

t.test('a room has limits for all, for each client and for bytes', async (t) => {
  const { room, guest } = opened();
  const first = room.enter(guest('a'), 'ann', 40, 100);
  room.enter(guest('b'), 'ann', 40, 100);
  t.equal(room.enter(guest('c'), 'ann', 0, 100), null, 'a third of one client');
  t.equal(room.enter(guest('d'), 7, 21, 100), null, 'too many bytes');
  t.not(room.enter(guest('e'), 7, 20, 100), null);
  t.equal(room.enter(guest('f'), 8, 0, 100), null, 'a fourth of all');
  first?.();
  first?.();
  t.equal(room.size, 2, 'whoever leaves frees its place once');
  t.not(room.enter(guest('g'), 'ann', 40, 100), null);
});

t.test('guests leave as soon as they are ready, or at their deadline, in the order in which they came', async (t) => {
  const { time, room, left, ready, guest } = opened();
  for (const name of ['a', 'b']) room.enter(guest(name), name, 0, 100);
  time.pass(50);
  const gone = room.enter(guest('c'), 'c', 0, 100);
  ready.add('b');
  room.look();
  room.look();
  t.same(left, [], 'not within the call');
  time.turn();
  t.same(left, ['b']);
  time.pass(50);
  t.same(left, ['b', 'a late']);
  gone?.();
  time.pass(10);
  time.pass(1_000);
  t.same(left, ['b', 'a late'], 'one that went away is not called');
  t.ok(time.isIdle, 'an empty room sets no timer');
});

t.test('what becomes ready at once leaves in slices', async (t) => {
  const { time, room, left, ready, guest } = opened();
  for (const name of ['a', 'b', 'c']) {
    room.enter(guest(name, 3), name, 0, 100);
    ready.add(name);
  }
  room.look();
  time.turn();
  t.same(left, ['a', 'b'], 'two take longer than a slice');
  time.turn();
  t.same(left, ['a', 'b', 'c']);
});

t.test('a process that was polled notices what nobody has told it', async (t) => {
  const { time, room, left, ready, guest } = opened();
  room.enter(guest('a'), 'a', 0, 1_000);
  time.pass(10);
  t.same(left, []);
  ready.add('a');
  time.pass(10);
  t.same(left, ['a']);
});

t.test('a command waits from the beginning of a handover until a leader is known', async (t) => {
  const replica = { role: 'leader' as 'leader' | 'standby', leaderUrl: 'http://a' as string | null, mayAnswer: true };
  const sequencer = { lastSeq: 9, durableSeq: 7, state: 'open' as Admission, admission: () => sequencer.state };
  const standing = new Standing(replica, sequencer, false);
  const verdict = () => standing.verdict('command', 0);
  t.equal(verdict(), 'go');
  sequencer.state = 'handing_over';
  t.equal(verdict(), 'wait');
  Object.assign(replica, { role: 'standby', leaderUrl: null });
  sequencer.state = 'not_leader';
  t.equal(verdict(), 'wait', 'it is not known yet who leads next');
  replica.leaderUrl = 'http://b';
  t.equal(verdict(), 'not_leader');
  replica.leaderUrl = null;
  t.equal(verdict(), 'no_leader', 'this time nobody has handed over');
  t.equal(standing.verdict('state', 7), 'go');
  t.equal(standing.verdict('state', 8), 'wait');
  replica.mayAnswer = false;
  t.equal(standing.verdict('state', 0), 'no_leader');
  t.equal(standing.verdict('report', 0), 'go');
  t.equal(standing.worldSeqOf(3), 7);
  t.equal(standing.worldSeqOf(8), 8);
  t.equal(new Standing(replica, sequencer, true).worldSeqOf(8), 7, 'with relaxed durability a reply waits for nothing');
});
