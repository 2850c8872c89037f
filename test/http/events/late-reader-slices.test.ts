// The readers that catch up have slices of the turns of the event loop, and pause between them while commands come.
import t from 'tap';
import { LateReaders } from '../../../http/events/late-readers.js';
import { LATE_READERS_PAUSE, READER_SLICE_MS } from '../../../http/limits.js';
import { VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';

/** Late readers on a clock of their own; a turn of a reader takes a part of a slice. */
function scene(partOfSlice: number) {
  const turnMs = partOfSlice * READER_SLICE_MS;
  const world = { seq: 7 };
  const time = new VirtualTime();
  time.moveTo(1_000);
  const scheduler = new VirtualScheduler(time);
  const lateReaders = new LateReaders({
    world,
    soon: (slice) => scheduler.soon(slice),
    later: (slice, delayMs) => void scheduler.after(delayMs, slice),
    elapsedMs: () => time.elapsedMs(),
  });
  const turns: string[] = [];
  /** @param turnCount how many turns it needs */
  const add = (name: string, turnCount = 1, owner = 'one'): void => {
    let left = turnCount;
    const reader = {
      catchUp() {
        time.moveTo(time.elapsedMs() + turnMs);
        turns.push(name);
        left -= 1;
        if (left > 0) lateReaders.add(owner, reader);
      },
    };
    lateReaders.add(owner, reader);
  };
  return { add, scheduler, time, turns, world };
}

t.test('a slice ends when its time is over, and those that need more come behind the others', (t) => {
  const { add, scheduler, turns } = scene(0.5);
  add('a', 2);
  for (const name of ['b', 'c', 'd', 'e']) add(name);
  t.equal(scheduler.size, 1);
  scheduler.next();
  t.same(turns, ['a', 'b']);
  scheduler.next();
  t.same(turns.slice(2), ['c', 'd']);
  scheduler.next();
  t.same(turns.slice(4), ['e', 'a'], 'one that is added again waits for those that were there');
  t.equal(scheduler.size, 0);
  t.end();
});

t.test('a client with many readers leaves every other turn to a client with one', (t) => {
  const { add, scheduler, turns } = scene(1);
  for (const name of ['a', 'b', 'c', 'd']) add(name, 3);
  add('other', 2, 'two');
  for (let slice = 0; slice < 4; slice += 1) scheduler.next();
  t.same(turns, ['a', 'other', 'b', 'other']);
  t.end();
});

t.test('while commands come, they pause for a multiple of what the last slice took', (t) => {
  const { add, scheduler, turns, world } = scene(3);
  add('a', 9);
  scheduler.next();
  t.equal(scheduler.next(), LATE_READERS_PAUSE * 3 * READER_SLICE_MS, 'there were commands before the first slice');
  t.equal(scheduler.next(), 0, 'none since');
  world.seq += 1;
  t.equal(scheduler.next(), 0, 'that is known only after the slice');
  t.equal(scheduler.next(), LATE_READERS_PAUSE * 3 * READER_SLICE_MS);
  t.equal(turns.length, 5, 'one has its turn in each slice, however long it takes');
  t.end();
});

t.test('the pause holds for those that are added in it', (t) => {
  const { add, scheduler, time } = scene(1);
  add('a');
  scheduler.next();
  t.equal(scheduler.size, 0);
  time.moveTo(time.elapsedMs() + READER_SLICE_MS);
  add('b');
  t.equal(scheduler.next(), (LATE_READERS_PAUSE - 1) * READER_SLICE_MS);
  t.end();
});
