// How a game of turns moves the clock: in slices, between which the server answers, and only as fast as the log takes it.
import t from 'tap';
import { WORK_SLICE_MS } from '../../../http/limits.js';
import { DAY_MS } from '../../../http/turns/turn-game.js';
import { Turns } from '../../../http/turns/turns.js';
import type { Scheduler } from '../../../persistence/time/scheduler.js';
import type { Availability } from '../../../persistence/writer/sequencer.js';

/** A world with a deadline each minute, a log that a test can close, and a scheduler that it runs step by step. */
function scene() {
  const calls: (() => void)[] = [];
  const delays: number[] = [];
  const scheduler: Scheduler = {
    soon: (callback, ...given) => void calls.push(() => callback(...given)),
    after(delayMs, callback, ...given) {
      delays.push(delayMs);
      calls.push(() => callback(...given));
      return {};
    },
    cancel() {},
    nextTurn: async () => {},
  };
  const world = { players: [undefined, {}], eventLog: { lastSeq: () => 0 } };
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
  turns.begin({ entrants, untilMs: DAY_MS, orderSeed: 0, wallMsPerTurn: 60_000 });
  const step = (): void => calls.shift()?.();
  step();
  // The alarm of the turn.
  calls.length = 0;
  delays.length = 0;
  turns.end(1, { atMs: null, on: new Set() });
  return { turns, state, moves, delays, step, calls };
}

t.test('time moves in slices, and each deadline is an instant of its own', (t) => {
  const { turns, state, moves, step, calls } = scene();
  let slices = 0;
  let longestMs = 0;
  while (turns.isRunning) {
    const beforeMs = state.elapsedMs;
    step();
    slices += 1;
    longestMs = Math.max(longestMs, state.elapsedMs - beforeMs);
    t.ok(calls.length <= 1);
  }
  t.same(
    moves,
    Array.from({ length: 1_440 }, (_, minute) => (minute + 1) * 60_000),
  );
  t.ok(slices > 50 && longestMs < WORK_SLICE_MS + 1, `${slices} slices of ${longestMs} ms at most`);
  t.end();
});

t.test('time waits for the log, and stands still while the server stops', (t) => {
  const { state, moves, delays, step, calls } = scene();
  step();
  for (const availability of ['overloaded', 'storage_unavailable'] as const) {
    state.availability = availability;
    const before = moves.length;
    step();
    step();
    t.equal(moves.length, before, availability);
    t.ok(delays.length > 0, 'it is tried again later');
  }
  state.availability = 'open';
  const before = moves.length;
  step();
  t.ok(moves.length > before, 'time moves again');
  state.isDraining = true;
  step();
  t.equal(calls.length, 0, 'nothing follows');
  t.end();
});
