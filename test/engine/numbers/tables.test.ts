// The data structures behind the tables of a world, each checked against the simplest equivalent: the heap of the
// timers, the ranking, the index of keys.

import t from 'tap';
import { KeyIndex } from '../../../engine/numbers/key-index.js';
import { PositionalHeap } from '../../../engine/numbers/positional-heap.js';
import { NO_ROW, RowLists, RowPages } from '../../../engine/numbers/row-pages.js';
import { TextColumn } from '../../../engine/numbers/text-column.js';
import { TextIndex } from '../../../engine/numbers/text-index.js';
import { NAME_KEY_UNITS_MAX } from '../../../engine/rules/record-limits.js';
import { Leaderboard } from '../../../engine/world/leaderboard.js';
import { NO_TIMER, TIMER_KINDS, TimerQueue } from '../../../engine/world/timer-queue.js';
import fc from '../../support/properties.js';

interface Member {
  readonly slot: number;
  readonly key: number;
  readonly tie: number;
}

/** Does the same as the heap in the simplest way: it sorts at every call. */
class NaiveList {
  readonly #members = new Map<number, Member>();

  sorted(): Member[] {
    return [...this.#members.values()].sort((a, b) => a.key - b.key || a.tie - b.tie);
  }

  has(slot: number): boolean {
    return this.#members.has(slot);
  }

  insert(slot: number, key: number, tie: number): void {
    this.#members.set(slot, { slot, key, tie });
  }

  remove(slot: number): void {
    this.#members.delete(slot);
  }
}

// Few slots and few keys, so that slots are used again and keys are often equal.
const step = fc.record({
  action: fc.constantFrom('insert', 'insert', 'insert', 'remove', 'take'),
  slot: fc.oneof(fc.nat(30), fc.nat(5000)),
  key: fc.oneof(fc.nat(10), fc.maxSafeNat()),
});

t.test('the heap agrees with a naive sorted list after every insert and removal', async () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new PositionalHeap();
      const list = new NaiveList();
      for (const [tie, { action, slot, key }] of steps.entries()) {
        const [first] = list.sorted();
        const target = action === 'take' && first !== undefined ? first.slot : slot;
        if (action === 'insert') {
          if (list.has(slot)) continue;
          heap.insert(slot, key, tie);
          list.insert(slot, key, tie);
        } else if (list.has(target)) {
          heap.remove(target);
          list.remove(target);
        }
        const [expected] = list.sorted();
        if (heap.size !== list.sorted().length || heap.firstSlot !== (expected?.slot ?? -1)) return false;
        if (heap.firstKey !== (expected?.key ?? Number.POSITIVE_INFINITY)) return false;
      }
      return list.sorted().every(({ slot, key, tie }) => {
        const isFirst = heap.firstSlot === slot && heap.firstKey === key && heap.tieOf(slot) === tie;
        heap.remove(slot);
        return isFirst;
      });
    }),
    { numRuns: 500 },
  );
});

t.test('a heap grows far beyond its first capacity', async (t) => {
  const heap = new PositionalHeap();
  const count = 10_000;
  for (let slot = 0; slot < count; slot += 1) heap.insert(slot, (slot * 7919) % count, slot);
  const keys: number[] = [];
  while (heap.size > 0) {
    keys.push(heap.firstKey);
    heap.remove(heap.firstSlot);
  }
  t.ok(keys.every((key, index) => key === index));
  t.throws(() => heap.remove(7), /slot 7 is not in the heap/, 'an absent slot cannot be removed');
});

t.test('timers fire in the order of deadline and id, and cancelled ones not at all', async () => {
  const timer = fc.record({ deadlineMs: fc.nat(20), isCancelled: fc.boolean(), isTaken: fc.boolean() });
  fc.assert(
    fc.property(fc.array(timer, { maxLength: 100 }), (timers) => {
      const queue = new TimerQueue();
      let pending: { id: number; deadlineMs: number; handle: number }[] = [];
      const inOrder = () => pending.sort((a, b) => a.deadlineMs - b.deadlineMs || a.id - b.id);
      const takesTheFirst = (): boolean => {
        const first = inOrder().shift();
        return first === undefined || queue.takeFirst().target === first.id;
      };
      for (const [id, { deadlineMs, isCancelled, isTaken }] of timers.entries()) {
        const handle = queue.schedule(id, deadlineMs, TIMER_KINDS.fleet_arrive, id);
        if (handle === NO_TIMER || queue.idOf(handle) !== id) return false;
        pending.push({ id, deadlineMs, handle });
        const victim = pending[id % pending.length];
        if (isCancelled && victim !== undefined) {
          queue.cancel(victim.handle);
          pending = pending.filter((entry) => entry !== victim);
        }
        // Taking in between makes the queue reuse handles.
        if (isTaken && !takesTheFirst()) return false;
        if (queue.size !== pending.length) return false;
        if (queue.nextDeadlineMs !== (inOrder()[0]?.deadlineMs ?? Number.POSITIVE_INFINITY)) return false;
      }
      while (pending.length > 0) if (!takesTheFirst()) return false;
      return queue.size === 0;
    }),
    { numRuns: 500 },
  );
});

t.test('a timer keeps its kind and its target', async (t) => {
  const queue = new TimerQueue();
  queue.schedule(2, 100, TIMER_KINDS.ships_complete, 22);
  queue.schedule(1, 100, TIMER_KINDS.building_complete, 11);
  t.same(queue.takeFirst(), { deadlineMs: 100, kind: TIMER_KINDS.building_complete, target: 11 });
  t.same(queue.takeFirst(), { deadlineMs: 100, kind: TIMER_KINDS.ships_complete, target: 22 });
});

t.test('the leaderboard sorts players by points, and the older one comes first if they are equal', async (t) => {
  const change = fc.record({
    player: fc.nat(100),
    points: fc.nat(15),
    isLookedAt: fc.boolean(),
    isRetired: fc.nat(9).map((drawn) => drawn === 0),
  });
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 150 }),
      fc.integer({ min: 1, max: 30 }),
      fc.nat(30),
      (changes, length, count) => {
        const leaderboard = new Leaderboard(length);
        const points: number[] = [];
        const isRight = () => {
          const present = [...points.entries()].filter(([, held]) => held > Number.NEGATIVE_INFINITY);
          const sorted = present.sort(([a, x], [b, y]) => y - x || a - b).map(([index]) => index + 1);
          return String(leaderboard.first(count)) === String(sorted.slice(0, Math.min(count, length)));
        };
        for (const change of changes) {
          // A number that no player has yet is that of the next newcomer.
          const index = Math.min(change.player, points.length);
          if (points[index] === Number.NEGATIVE_INFINITY) continue;
          if (index === points.length) leaderboard.add(index + 1, change.points);
          else if (change.isRetired) leaderboard.remove(index + 1);
          else leaderboard.set(index + 1, change.points);
          const isNew = index === points.length;
          points[index] = change.isRetired && !isNew ? Number.NEGATIVE_INFINITY : change.points;
          if (change.isLookedAt && !isRight()) return false;
        }
        return isRight();
      },
    ),
    { numRuns: 2_000 },
  );
  const board = new Leaderboard();
  board.add(2, 0);
  t.throws(() => board.add(2, 0), /player 2 is not the next player/);
  const crowd = new Leaderboard(2);
  for (let number = 1; number <= 5_000; number += 1) crowd.add(number, number);
  t.same(crowd.first(9), [5_000, 4_999], 'a table that has grown');
});

t.test('the index finds the keys that are left after others were removed', async () => {
  const key = fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1));
  const step = fc.record({ key, isRemoved: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
      const index = new KeyIndex();
      const rows = new Map<number, number>();
      for (const [row, { key, isRemoved }] of steps.entries()) {
        if (rows.has(key) && isRemoved) {
          index.remove(key);
          rows.delete(key);
        } else {
          if (rows.has(key)) index.replace(key, row);
          else index.add(key, row);
          rows.set(key, row);
        }
      }
      return index.size === rows.size && steps.every(({ key }) => index.rowOf(key) === (rows.get(key) ?? -1));
    }),
    { numRuns: 500 },
  );
});

t.test('the index finds every added key, and no other', async () => {
  // Neighbours, and keys that are far apart.
  const key = fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1));
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 300 }), key, (keys, other) => {
      const index = new KeyIndex();
      for (const [row, key] of keys.entries()) index.add(key, row);
      return (
        index.size === keys.length &&
        keys.every((key, row) => index.rowOf(key) === row) &&
        index.rowOf(other) === keys.indexOf(other)
      );
    }),
    { numRuns: 500 },
  );
});

t.test('lists through rows agree with plain lists, also after the rows got wider', async () => {
  const [next, previous] = [1, 2];
  const step = fc.record({ list: fc.nat(2), place: fc.nat(20), isRemoved: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.nat(100), (steps, widenedAt) => {
      const pages = new RowPages();
      pages.widen(3, []);
      const lists = new RowLists(pages, next, previous);
      const firsts = [NO_ROW, NO_ROW, NO_ROW];
      const plain: number[][] = [[], [], []];
      for (const [row, { list, place, isRemoved }] of steps.entries()) {
        pages.reserve(row);
        if (row === widenedAt) pages.widen(20, [{ from: 0, to: 0, length: 3 }]);
        const [first = NO_ROW, rows = []] = [firsts[list], plain[list]];
        const removed = rows[place];
        if (isRemoved && removed !== undefined) {
          firsts[list] = lists.remove(first, removed);
          rows.splice(place, 1);
        } else {
          firsts[list] = lists.append(first, row);
          rows.push(row);
        }
      }
      return plain.every((rows, list) => String(lists.rows(firsts[list] as number)) === String(rows));
    }),
    { numRuns: 500 },
  );
});

t.test('a column of texts has the last text of each row', async (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 80, size: 'max' });
  const step = fc.record({ row: fc.nat(9), text: fc.option(text) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const column = new TextColumn();
      const plain = new Map<number, string | null>();
      for (const { row, text } of steps) {
        column.set(row, text);
        plain.set(row, text);
      }
      const rows = Array.from({ length: 12 }, (_, row) => row);
      return rows.every((row) => {
        const text = plain.get(row) ?? null;
        const begins = (beginning: string): boolean =>
          column.beginsWith(row, beginning) === (text?.startsWith(beginning) ?? null);
        return column.get(row) === text && begins('') && begins('a') && begins(text ?? 'b') && begins(`${text}c`);
      });
    }),
    { numRuns: 300 },
  );
  const column = new TextColumn();
  const longest = 'x'.repeat(NAME_KEY_UNITS_MAX);
  for (let row = 0; row < 200; row += 1) column.set(row, longest + row);
  for (let row = 0; row < 200; row += 1) t.equal(column.get(row), longest + row);
  t.throws(() => column.set(1, 'x'.repeat(100_000)), /too long for a column/);
});

t.test('the index of texts finds the number of each text, also of texts with equal hashes', async (t) => {
  // FNV-1a of both is the same.
  const [costarring, liquid] = ['costarring', 'liquid'];
  const texts = [costarring, liquid, 'a', 'b', ''];
  const step = fc.record({ text: fc.constantFrom(...texts), isRemoved: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const plain = new Map<string, number>();
      const textOf = new Map<number, string>();
      const index = new TextIndex((number, text) => textOf.get(number) === text);
      for (const [place, { text, isRemoved }] of steps.entries()) {
        const number = plain.get(text);
        if (isRemoved) {
          index.remove(text, number ?? 1_000);
          plain.delete(text);
        } else if (number === undefined) {
          textOf.set(place + 1, text);
          index.add(text, place + 1);
          plain.set(text, place + 1);
        }
      }
      return texts.every((text) => index.numberOf(text) === (plain.get(text) ?? 0));
    }),
    { numRuns: 300 },
  );
  t.equal(new TextIndex(() => true).numberOf('a'), 0);
});
