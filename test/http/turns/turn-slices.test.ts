// How a game of turns moves the clock: in slices, between which the server answers, and only as fast as the log takes it.
import t from 'tap';
import { WORK_SLICE_MS } from '../../../http/limits.js';
import { DAY_MS } from '../../../http/turns/turn-game.js';
import { Turns } from '../../../http/turns/turns.js';
import type { Availability } from '../../../persistence/writer/sequencer.js';
import { VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';

/** A world with a deadline each minute, a log that a test can close, and a scheduler that it runs step by step. */
function scene() {
  const time = new VirtualTime();
  const scheduler = new VirtualScheduler(time);
  const player = { keyHash: 'the hash of a key', keyExpiresAtMs: null };
  const world = {
    players: { get: (number: number) => (number === 1 ? player : undefined) },
    eventLog: { lastSeq: () => 0 },
  };
  const state = { nowMs: 0, elapsedMs: 0, availability: 'open' as Availability, isDraining: false };
  const moves: number[] = [];
  const turns = new Turns({
    engine: { world, nextDeadlineMs: () => (Math.floor(state.nowMs / 60_000) + 1) * 60_000 } as never,
    sequencer: {
      get nowMs() {
        return state.nowMs;
      },
      lastSeq: 0,
      availability: () => state.availability,
      advanceTo(toMs) {
        moves.push(toMs);
        state.nowMs = toMs;
        return toMs;
      },
    },
    traffic: state,
    scheduler,
    // Each look at it takes a tenth of a millisecond.
    elapsedMs: () => {
      state.elapsedMs += 0.1;
      return state.elapsedMs;
    },
  });
  const entrants = [{ playerNumber: 1, commandsPerDay: 1, wakeupsPerDay: 9 }];
  turns.begin({ entrants, untilMs: DAY_MS, orderSeed: 0, wakeupsByOthersPerDay: 0, wallMsPerTurn: 60_000 });
  scheduler.next();
  turns.end(1, { atMs: null, on: new Set() });
  return { turns, state, moves, scheduler };
}

t.test('time moves in slices, and each deadline is an instant of its own', (t) => {
  const { turns, state, moves, scheduler } = scene();
  let slices = 0;
  let longestMs = 0;
  while (turns.isRunning) {
    const beforeMs = state.elapsedMs;
    scheduler.next();
    slices += 1;
    longestMs = Math.max(longestMs, state.elapsedMs - beforeMs);
    t.ok(scheduler.size <= 1);
  }
  t.same(
    moves,
    Array.from({ length: 1_440 }, (_, minute) => (minute + 1) * 60_000),
  );
  t.ok(slices > 50 && longestMs < WORK_SLICE_MS + 1, `${slices} slices of ${longestMs} ms at most`);
  t.end();
});

t.test('time waits for the log, and stands still while the server stops', (t) => {
  const { state, moves, scheduler } = scene();
  scheduler.next();
  for (const availability of ['overloaded', 'storage_unavailable'] as const) {
    state.availability = availability;
    const before = moves.length;
    scheduler.next();
    t.ok(scheduler.next() > 0, 'it is tried again later');
    t.equal(moves.length, before, availability);
  }
  state.availability = 'open';
  const before = moves.length;
  scheduler.next();
  t.ok(moves.length > before, 'time moves again');
  state.isDraining = true;
  scheduler.next();
  t.equal(scheduler.size, 0, 'nothing follows');
  t.end();
});
