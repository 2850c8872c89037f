// The connections that have something to write: each is flushed once, in order, and for a part of a turn at most.
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { INLINE_TURN_MS, READER_SLICE_MS } from '../../../http/limits.js';
import { Outbox } from '../../../http/sockets/outbox.js';

t.test('connections that take long to write have others in between', async (t) => {
  let elapsedMs = 0;
  const outbox = new Outbox(() => elapsedMs);
  const flushed: string[] = [];
  const writer = (name: string) => ({
    flush() {
      elapsedMs += INLINE_TURN_MS / 2;
      flushed.push(name);
      if (name === 'a') outbox.add(writer('more'));
    },
    flushEvents() {
      flushed.push(`events of ${name}`);
    },
  });
  for (const name of ['a', 'b', 'c', 'd', 'e']) outbox.add(writer(name));
  await new Promise(process.nextTick);
  t.same(flushed, ['a', 'b'], 'at the end of this turn');
  while (flushed.length < 6) await nextTurn();
  t.same(flushed, ['a', 'b', 'c', 'd', 'e', 'more']);
  outbox.add(writer('again'));
  await nextTurn();
  t.same(flushed.at(-1), 'again');
});

t.test('events are written behind all frames, and for a smaller part of a turn', async (t) => {
  let elapsedMs = 0;
  const outbox = new Outbox(() => elapsedMs);
  const flushed: string[] = [];
  const writer = (name: string) => ({
    flush: () => void flushed.push(name),
    flushEvents() {
      elapsedMs += READER_SLICE_MS;
      flushed.push(`events of ${name}`);
      if (name === 'a') outbox.add(writer('reply'));
    },
  });
  for (const name of ['a', 'b', 'c']) outbox.addEvents(writer(name));
  outbox.add(writer('first'));
  await new Promise(process.nextTick);
  t.same(flushed, ['first', 'events of a']);
  while (flushed.length < 5) await nextTurn();
  t.same(flushed.slice(2), ['reply', 'events of b', 'events of c']);
});
