// The connections that have something to write: each is flushed once, in order, and for a part of a turn at most.
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { INLINE_TURN_MS } from '../../http/limits.js';
import { Outbox } from '../../http/sockets/outbox.js';

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
