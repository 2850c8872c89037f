// The log of events with a small bound: what it keeps is what was recorded, the last events of everybody stay whatever others do, and a
// log that was restored goes on like the one it was read from.

import t from 'tap';
import { EventLog } from '../../../engine/events/event-log.js';
import { writeFields } from '../../../engine/events/event-record.js';
import type { WorldEvent } from '../../../engine/events/kinds.js';
import { EVENTS_KEPT_MIN, EVENTS_PER_PLAYER_MAX } from '../../../engine/rules/limits.js';
import type { World } from '../../../engine/world/state.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { settleBots } from '../../support/random-play.js';
import { START_MS, WorldStory } from '../../support/world-story.js';

const PLAYERS = 40;
/** One chunk and what the players add. */
const SMALL = 256 * 1024;
/** Not reached by any entry of these tests. */
const LAST_SEQ = 2 ** 31;

function worldOfBots(): World {
  const story = new WorldStory();
  settleBots(story, PLAYERS);
  // The events of these tests are in the future of this world, which a log that is restored refuses.
  return Object.assign(story.world as World, { seq: LAST_SEQ, lastEntryMs: START_MS + LAST_SEQ });
}

const eventOf = (playerNumber: number, number: number): WorldEvent => ({
  kind: 'ships_cancelled',
  atMs: START_MS + number,
  playerNumber,
  planetKey: 25,
  shipType: number % 3,
  count: number,
});

function append(log: EventLog, receiver: number, entrySeq: number, event: WorldEvent): void {
  writeFields(log.numbers, event);
  log.append(receiver, entrySeq, event.atMs, event.playerNumber);
}

/** Plays the same on a log and on a list of all events. */
class Twin {
  readonly recorded = new Map<number, { readonly entrySeq: number; readonly event: WorldEvent }[]>();
  #number = 0;

  constructor(
    readonly world: World,
    public log: EventLog = new EventLog(world, SMALL),
  ) {}

  record(receiver: number, count: number): void {
    const list = this.recorded.get(receiver) ?? [];
    this.recorded.set(receiver, list);
    for (let index = 0; index < count; index += 1) {
      this.#number += 1;
      const event = eventOf(Math.max(receiver, 1), this.#number);
      append(this.log, receiver, this.#number, event);
      list.push({ entrySeq: this.#number, event });
    }
  }

  restored(): EventLog {
    const log = new EventLog(this.world, SMALL);
    log.restoreFirstPosition(this.log.firstPosition);
    for (const [index, row] of [...this.log.table()].entries()) log.restoreReceiver(index - 1, row);
    for (const chunk of this.log.chunks()) log.restoreChunk(chunk.slice());
    log.requireComplete();
    return log;
  }

  /** @returns the events that are kept, by receiver; throws if they are not those that were recorded */
  check(log: EventLog = this.log): Map<number, number> {
    const keptCounts = new Map<number, number>();
    for (const [receiver, list] of this.recorded) {
      const oldest = log.oldestSeq(receiver);
      if (log.lastSeq(receiver) !== list.length) throw new Error(`${receiver} has ${log.lastSeq(receiver)} events`);
      if (list.length - oldest + 1 < Math.min(EVENTS_KEPT_MIN, list.length)) throw new Error(`${receiver} has too few`);
      const kept = log.read(receiver, oldest - 1, list.length, LAST_SEQ);
      const expected = list.slice(oldest - 1).map((event, index) => ({ seq: oldest + index, ...event }));
      if (JSON.stringify(kept) !== JSON.stringify(expected)) throw new Error(`the events of ${receiver} differ`);
      keptCounts.set(receiver, kept.length);
    }
    return keptCounts;
  }
}

const bursts = fc.array(fc.tuple(fc.integer({ min: -1, max: PLAYERS }), fc.integer({ min: 1, max: 2_500 })), {
  minLength: 8,
  maxLength: 16,
});

t.test('what is kept is what was recorded, and a restored log goes on like the first', async (t) => {
  let droppedRuns = 0;
  fc.assert(
    fc.property(bursts, bursts, (before, after) => {
      const twin = new Twin(worldOfBots());
      for (const [receiver, count] of before) twin.record(receiver, count);
      twin.check();
      const restored = twin.restored();
      const lived = twin.log;
      const again = new Twin(twin.world, restored);
      for (const [receiver, list] of twin.recorded) again.recorded.set(receiver, list.slice());
      for (const [receiver, count] of after) {
        twin.record(receiver, count);
      }
      const kept = twin.check(lived);
      if ([...kept].some(([receiver, count]) => count < (twin.recorded.get(receiver)?.length ?? 0))) droppedRuns += 1;
      const later = [...twin.recorded].flatMap(([receiver, list]) =>
        list.slice(again.recorded.get(receiver)?.length ?? 0).map((event) => ({ receiver, ...event })),
      );
      later.sort((one, other) => one.entrySeq - other.entrySeq);
      for (const { receiver, entrySeq, event } of later) append(restored, receiver, entrySeq, event);
      if (JSON.stringify([...twin.check(restored)]) !== JSON.stringify([...kept])) throw new Error('it keeps others');
      if (restored.firstPosition !== lived.firstPosition) throw new Error('it gives up others');
    }),
    { numRuns: 6, seed: drawSeed(t), endOnFailure: true },
  );
  t.ok(droppedRuns > 0, `${droppedRuns} runs dropped events`);
});

t.test('however much one player does, the last events of the others stay, and nothing else grows', async (t) => {
  const twin = new Twin(worldOfBots());
  for (let player = 2; player <= PLAYERS; player += 1) twin.record(player, 2 * EVENTS_KEPT_MIN);
  twin.record(1, 60_000);
  const kept = twin.check();
  t.equal(kept.get(2), EVENTS_KEPT_MIN);
  t.equal(kept.get(PLAYERS), EVENTS_KEPT_MIN);
  t.ok((kept.get(1) ?? 0) > 1_000 && (kept.get(1) ?? 0) <= EVENTS_PER_PLAYER_MAX, `${kept.get(1)} of the busy one`);
  t.ok(twin.log.reservedBytes <= 3 * SMALL, `${twin.log.reservedBytes} bytes`);
  t.throws(() => twin.log.read(2, EVENTS_KEPT_MIN - 1, 1, LAST_SEQ), RangeError);
});

t.test('a search for a kind finds what reading all events finds, within its bounds', async (t) => {
  const twin = new Twin(worldOfBots());
  const { log } = twin;
  let found = 0;
  const kinds = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
  const bounds = fc.record({
    most: fc.integer({ min: 1, max: 8 }),
    lookedAtMax: fc.integer({ min: 1, max: 80 }),
    age: fc.integer({ min: 0, max: 80 }),
  });
  let number = 0;
  fc.assert(
    fc.property(kinds, bounds, (isCompletedOf, { most, lookedAtMax, age }) => {
      for (const isCompleted of isCompletedOf) {
        number += 1;
        const event = eventOf(1, number);
        const { atMs, playerNumber } = event;
        const completed = { kind: 'research_completed', atMs, playerNumber, researchType: 1, level: 3 } as const;
        append(log, 1, number, isCompleted ? completed : event);
      }
      const afterMs = START_MS + number - age;
      const afterSeq = Math.max(log.oldestSeq(1) - 1, log.lastSeq(1) - lookedAtMax);
      const all = log.read(1, afterSeq, lookedAtMax, LAST_SEQ).map(({ event }) => event);
      const wanted = all.filter(({ kind, atMs }) => kind === 'research_completed' && atMs > afterMs);
      const newest = log.newestOf(1, 'research_completed', { most, lookedAtMax, afterMs });
      found += newest.length;
      t.same(newest, wanted.slice(-most).reverse());
    }),
    { numRuns: 200, seed: drawSeed(t), endOnFailure: true },
  );
  t.ok(found > 0, `${found} events were found`);
  t.same(
    log.newestOf(2, 'research_completed', { most: 8, lookedAtMax: 80, afterMs: 0 }),
    [],
    'a player without events',
  );
});

t.test('no receiver has more than EVENTS_PER_PLAYER_MAX', async (t) => {
  const { world } = new Twin(worldOfBots());
  const log = new EventLog(world);
  for (let number = 1; number <= EVENTS_PER_PLAYER_MAX + 5; number += 1) append(log, 1, number, eventOf(1, number));
  t.equal(log.oldestSeq(1), 6);
  t.equal(log.read(1, 5, EVENTS_PER_PLAYER_MAX, LAST_SEQ).length, EVENTS_PER_PLAYER_MAX);
});

t.test('what was dropped with a player is not written anew', async (t) => {
  const twin = new Twin(worldOfBots());
  twin.record(2, 5);
  twin.log.drop(2);
  twin.record(1, 60_000);
  t.equal(twin.log.lastSeq(2), 0);
  t.equal(twin.log.oldestSeq(2), 1);
});

t.test('chunks that are not those of the log are refused', async (t) => {
  const twin = new Twin(worldOfBots());
  twin.record(1, 30);
  const [[lastSeq, lastPosition, givenUpSeq] = [0, 0, 0]] = [...twin.log.table()].slice(2);
  const bytes = [...twin.log.chunks()][0]?.slice() ?? new Uint8Array(0);
  const restore = (change: (bytes: Uint8Array) => Uint8Array, last = lastSeq): void => {
    const log = new EventLog(twin.world, SMALL);
    log.restoreReceiver(1, [last, lastPosition, givenUpSeq]);
    log.restoreChunk(change(bytes.slice()));
    log.requireComplete();
  };
  restore((sound) => sound);
  t.throws(() => restore((sound) => sound, 31), /missing|no event is kept/);
  t.throws(() => restore((sound) => sound.fill(0, 0, 2)), /an end before its end/);
  t.throws(() => restore((sound) => sound.subarray(0, sound.length - 1)), RangeError);
  t.throws(() => restore((sound) => sound.fill(0xff, 2, 9)), RangeError);
});
