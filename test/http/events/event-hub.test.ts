// The hub of events: what it reads is durable and complete, and each listener is woken once a release, in slices.
import t from 'tap';
import type { KeptEvent, ReadonlyEventLog } from '../../../engine/events/event-log.js';
import { OPEN_WORLD_TOPIC, WORLD_TOPIC, type WorldEvent } from '../../../engine/events/kinds.js';
import type { ReadonlyWorld } from '../../../engine/world/state.js';
import { EventHub } from '../../../http/events/event-hub.js';
import { EVENT_REPLY_LENGTH_MAX, TOPIC_TEXTS_MAX } from '../../../http/limits.js';
import type { EventWatcher } from '../../../persistence/writer/group-commit.js';
import { VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';
import { begin } from '../support/serving.js';

/** A hub over a log of events in which the event `seq` of every receiver is of entry `seq`. */
async function scene(test: Parameters<typeof begin>[0], elapsedMs = () => performance.now()) {
  const { world } = await begin(test);
  const log = { oldest: 1, last: 0, name: 'x' };
  const durable = { seq: 0 };
  const reads: number[] = [];
  const eventLog: Pick<ReadonlyEventLog, 'oldestSeq' | 'lastSeqUpTo' | 'read'> = {
    oldestSeq: () => log.oldest,
    lastSeqUpTo: (_, entrySeq) => Math.max(Math.min(log.last, entrySeq), log.oldest - 1),
    read(_, afterSeq, count, entrySeq): KeptEvent[] {
      const end = Math.min(afterSeq + count, entrySeq, log.last);
      return Array.from({ length: end - afterSeq }, (_, index) => {
        const seq = afterSeq + index + 1;
        const event: WorldEvent = {
          kind: 'player_created',
          atMs: 0,
          playerNumber: 1,
          get name() {
            reads.push(seq);
            return log.name;
          },
          isBot: true,
          planetKey: 0,
        };
        return { seq, entrySeq: seq, event };
      });
    },
  };
  let watcher: EventWatcher | null = null;
  const slices = new VirtualScheduler(new VirtualTime());
  const { lineages, rules, universe } = world.engine.world;
  const hub = new EventHub({
    world: { eventLog, lineages, rules, universe } as unknown as ReadonlyWorld,
    sequencer: {
      get durableSeq() {
        return durable.seq;
      },
      watchEvents(added: EventWatcher) {
        watcher = added;
        return () => {};
      },
    },
    soon: (slice) => slices.soon(slice),
    later: (slice, delayMs) => void slices.after(delayMs, slice),
    elapsedMs,
  });
  const released = (receivers: readonly number[]): void => watcher?.released(receivers);
  return { hub, log, durable, reads, released, slices };
}

const seqsOf = (texts: readonly string[] | null) => texts?.map((text) => (JSON.parse(text) as { seq: number }).seq);

t.test('it reads what is durable, and nothing else', async (t) => {
  const { hub, log, durable } = await scene(t);
  t.same(hub.span(1), { oldestSeq: 1, lastSeq: 0 });
  t.same(hub.read(1, 0, 10), []);
  t.equal(hub.read(1, 1, 10), null, 'the seq of no event');
  Object.assign(log, { oldest: 3, last: 9 });
  durable.seq = 7;
  t.same(hub.span(1), { oldestSeq: 3, lastSeq: 7 });
  t.equal(hub.read(1, 1, 10), null, 'event 2 is no longer kept');
  t.same(seqsOf(hub.read(1, 2, 10)), [3, 4, 5, 6, 7]);
  t.same(seqsOf(hub.read(1, 4, 2)), [5, 6]);
  t.same(hub.read(1, 7, 10), []);
  t.equal(hub.read(1, 8, 10), null, 'event 8 may still be lost');
});

t.test('a reply is as long as it may be, and at least one event', async (t) => {
  const { hub, log, durable } = await scene(t);
  Object.assign(log, { last: 10, name: 'x'.repeat(EVENT_REPLY_LENGTH_MAX / 3) });
  durable.seq = 10;
  t.same(seqsOf(hub.read(1, 0, 10)), [1, 2]);
  log.name = 'x'.repeat(EVENT_REPLY_LENGTH_MAX);
  t.same(seqsOf(hub.read(1, 0, 10)), [1]);
});

t.test('the events of a topic are rendered once for all readers, and those of players for each', async (t) => {
  const { hub, log, durable, reads } = await scene(t);
  Object.assign(log, { last: TOPIC_TEXTS_MAX + 1 });
  durable.seq = log.last;
  for (const topic of [WORLD_TOPIC, OPEN_WORLD_TOPIC]) {
    reads.length = 0;
    const texts = hub.read(topic, log.last - 3, 3);
    t.same(hub.read(topic, log.last - 3, 3), texts);
    t.equal(reads.length, 3);
    t.same(seqsOf(hub.read(topic, 0, 1)), [1], 'an old one in the place of a new one');
    t.same(seqsOf(hub.read(topic, log.last - 1, 1)), [log.last]);
    t.equal(reads.length, 4, 'does not push it out');
  }
  reads.length = 0;
  for (let reader = 0; reader < 2; reader += 1) hub.read(1, log.last - 3, 3);
  t.equal(reads.length, 6);
});

t.test('a listener is woken once a release, after it, and never once it has ended', async (t) => {
  const { hub, released, slices } = await scene(t);
  const woken: string[] = [];
  const listen = (receiver: number, name: string) => hub.listen(receiver, { wake: () => void woken.push(name) });
  const listeners = [listen(1, 'a'), listen(1, 'b'), listen(2, 'c'), listen(WORLD_TOPIC, 'd')];
  t.equal(hub.listenerCount, 4);
  released([1, 1, WORLD_TOPIC, 3]);
  t.same(woken, [], 'the replies of the record come first');
  released([1]);
  t.equal(slices.size, 1);
  while (slices.size > 0) slices.next();
  t.same(woken.splice(0), ['a', 'b', 'd']);
  released([1, 2]);
  listeners[1]?.end();
  listeners[1]?.end();
  t.equal(hub.listenerCount, 3);
  while (slices.size > 0) slices.next();
  t.same(woken.splice(0), ['a', 'c']);
  for (const listener of listeners) listener.end();
  released([1, 2, WORLD_TOPIC]);
  t.same([hub.listenerCount, slices.size], [0, 0]);
});

t.test('many listeners are woken in slices', async (t) => {
  const { hub, released, slices } = await scene(t);
  let woken = 0;
  const slow = (): void => {
    woken += 1;
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
  };
  for (let count = 0; count < 50; count += 1) hub.listen(1, { wake: slow });
  released([1]);
  let turns = 0;
  while (slices.size > 0) {
    slices.next();
    turns += 1;
  }
  t.equal(woken, 50);
  t.ok(turns > 1, 'others had their turn in between');
});

t.test(
  'who catches up has its turn in a slice of its own, and behind the others again once it has caught up',
  async (t) => {
    const { hub, released, slices } = await scene(t);
    const woken: string[] = [];
    const listen = (receiver: number, name: string, onWake = () => {}) =>
      hub.listen(receiver, {
        wake() {
          woken.push(name);
          onWake();
        },
      });
    const late = listen(9, 'late', () => late.wakeLater(woken.length < 3 ? 'one' : null));
    const other = listen(9, 'other');
    listen(1, 'a');
    late.wakeLater('one');
    late.wakeLater('one');
    other.wakeLater('one');
    released([1, 9]);
    const runSlice = () => slices.next();
    runSlice();
    t.same(woken, ['late', 'other']);
    runSlice();
    t.same(woken, ['late', 'other', 'a'], 'the release did not wake them again');
    runSlice();
    t.same(woken, ['late', 'other', 'a', 'late']);
    runSlice();
    t.same(woken.slice(4), ['late'], 'now it is like the others');
    late.end();
    while (slices.size > 0) runSlice();
    t.equal(woken.length, 5);
  },
);
