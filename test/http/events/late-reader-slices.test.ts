// The readers that catch up have slices of the turns of the event loop, and pause between them while commands come.
import t from 'tap';
import { LateReaders } from '../../../http/events/late-readers.js';
import { LATE_READERS_PAUSE, READER_SLICE_MS } from '../../../http/limits.js';

/** Late readers on a clock of their own; a turn of a reader takes a part of a slice. */
function scene(partOfSlice: number) {
  const turnMs = partOfSlice * READER_SLICE_MS;
  const state = { elapsedMs: 1_000, world: { seq: 7 } };
  const scheduled: { readonly slice: () => void; readonly delayMs: number }[] = [];
  const lateReaders = new LateReaders({
    world: state.world,
    soon: (slice) => void scheduled.push({ slice, delayMs: 0 }),
    later: (slice, delayMs) => void scheduled.push({ slice, delayMs }),
    elapsedMs: () => state.elapsedMs,
  });
  const turns: string[] = [];
  /** @param turnCount how many turns it needs */
  const add = (name: string, turnCount = 1, owner = 'one'): void => {
    let left = turnCount;
    const reader = {
      catchUp() {
        state.elapsedMs += turnMs;
        turns.push(name);
        left -= 1;
        if (left > 0) lateReaders.add(owner, reader);
      },
    };
    lateReaders.add(owner, reader);
  };
  /** Runs the next slice when it is due. @returns how long it was waited for */
  const runSlice = (): number => {
    const [next] = scheduled.splice(0, 1);
    if (next === undefined) throw new Error('no slice is due');
    state.elapsedMs += next.delayMs;
    next.slice();
    return next.delayMs;
  };
  return { add, runSlice, scheduled, state, turns };
}

t.test('a slice ends when its time is over, and those that need more come behind the others', (t) => {
  const { add, runSlice, scheduled, turns } = scene(0.5);
  add('a', 2);
  for (const name of ['b', 'c', 'd', 'e']) add(name);
  t.equal(scheduled.length, 1);
  runSlice();
  t.same(turns, ['a', 'b']);
  runSlice();
  t.same(turns.slice(2), ['c', 'd']);
  runSlice();
  t.same(turns.slice(4), ['e', 'a'], 'one that is added again waits for those that were there');
  t.equal(scheduled.length, 0);
  t.end();
});

t.test('a client with many readers leaves every other turn to a client with one', (t) => {
  const { add, runSlice, turns } = scene(1);
  for (const name of ['a', 'b', 'c', 'd']) add(name, 3);
  add('other', 2, 'two');
  for (let slice = 0; slice < 4; slice += 1) runSlice();
  t.same(turns, ['a', 'other', 'b', 'other']);
  t.end();
});

t.test('while commands come, they pause for a multiple of what the last slice took', (t) => {
  const { add, runSlice, state, turns } = scene(3);
  add('a', 9);
  runSlice();
  t.equal(runSlice(), LATE_READERS_PAUSE * 3 * READER_SLICE_MS, 'there were commands before the first slice');
  t.equal(runSlice(), 0, 'none since');
  state.world.seq += 1;
  t.equal(runSlice(), 0, 'that is known only after the slice');
  t.equal(runSlice(), LATE_READERS_PAUSE * 3 * READER_SLICE_MS);
  t.equal(turns.length, 5, 'one has its turn in each slice, however long it takes');
  t.end();
});

t.test('the pause holds for those that are added in it', (t) => {
  const { add, runSlice, scheduled, state } = scene(1);
  add('a');
  runSlice();
  t.equal(scheduled.length, 0);
  state.elapsedMs += READER_SLICE_MS;
  add('b');
  t.equal(runSlice(), (LATE_READERS_PAUSE - 1) * READER_SLICE_MS);
  t.end();
});
