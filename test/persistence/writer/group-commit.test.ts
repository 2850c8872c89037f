// Group commit: which entries become one record, when replies leave, and that nothing leaves after a failure.
import t, { type Test } from 'tap';
import type { CommandRow } from '../../../engine/commands/table.js';
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_ENTRIES,
  MAX_HELD_REPLIES,
  MAX_PENDING_BYTES,
  MAX_PENDING_ENTRIES,
  TOGETHER_BYTES_MAX,
  TOGETHER_ENTRIES_MAX,
} from '../../../persistence/limits.js';
import { decodeRecord, entriesOf, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import { CutRefused, Fenced, type StoredRecord, UnknownOutcome } from '../../../persistence/log/log.js';
import { GroupCommit, type GroupCommitOptions } from '../../../persistence/writer/group-commit.js';
import { FaultyLog, turns } from '../../support/faulty-log.js';
import { Replies } from './replies.js';

function begin(t: Test, options: Partial<GroupCommitOptions> = {}) {
  const log = new FaultyLog({ isHeld: true });
  t.teardown(() => log.finishAll());
  const replies = new Replies();
  const fatal: Error[] = [];
  const commit = new GroupCommit({
    log,
    epoch: log.epoch,
    tail: { lastSeq: 0, hash: NO_PREVIOUS_HASH },
    rulesVersion: () => 1,
    durability: 'durable',
    onFatal: (error) => fatal.push(error),
    ...options,
  });
  return { log, replies, fatal, commit };
}

/** The entries of the records, record by record; checks that each record continues the one before. */
function entriesByRecord(records: readonly StoredRecord[]): { atMs: number; row: CommandRow }[][] {
  let firstSeq = 1;
  let previousHash: Uint8Array = NO_PREVIOUS_HASH;
  return records.map(({ bytes }) => {
    const record = decodeRecord(bytes, { firstSeq, previousHash });
    if (typeof record === 'string') throw new Error(record);
    firstSeq += record.count;
    previousHash = recordHash(bytes);
    const entries: { atMs: number; row: CommandRow }[] = [];
    for (const [atMs, row] of entriesOf(record)) entries.push({ atMs, row });
    return entries;
  });
}

function rowsOf(records: readonly StoredRecord[]): CommandRow[][] {
  return entriesByRecord(records).map((entries) => entries.map(({ row }) => row));
}

t.test('all entries of one turn of the event loop become one record', async (t) => {
  const { log, commit } = begin(t);
  commit.add(10, [7, 1]);
  commit.add(10, [7, 2]);
  t.equal(log.begun.length, 0, 'nothing is written before the turn is over');
  await turns();
  commit.add(12, [7, 3]);
  await log.finish();
  await log.finish();
  t.same(rowsOf(log.begun), [
    [
      [7, 1],
      [7, 2],
    ],
    [[7, 3]],
  ]);
});

t.test('entries that arrive while a write is in flight gather into the next record', async (t) => {
  const { log, commit } = begin(t);
  commit.add(1, [7, 1]);
  await turns();
  for (const number of [2, 3, 4]) {
    commit.add(number, [7, number]);
    await turns();
  }
  t.equal(log.begun.length, 1, 'one append in flight');
  await log.finish();
  await log.finish();
  t.same(rowsOf(log.begun), [
    [[7, 1]],
    [
      [7, 2],
      [7, 3],
      [7, 4],
    ],
  ]);
  t.equal(commit.durableSeq, 4);
});

t.test('a reply leaves when its entry is durable, and not before', async (t) => {
  const { log, commit, replies } = begin(t);
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('first'));
  await turns();
  t.ok(log.isWaiting);
  t.same(replies.sent, []);
  await log.finish();
  t.same(replies.sent, ['first']);
});

t.test('replies leave in the order of their seqs, then of their arrival', async (t) => {
  const { log, commit, replies } = begin(t);
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('command 1'));
  await turns();
  commit.add(2, [7, 2]);
  commit.holdUntilDurable(2, replies.reply('command 2'));
  commit.holdUntilDurable(2, replies.reply('refusal after 2'));
  commit.holdUntilDurable(1, replies.reply('read of what 1 changed'));
  await log.finish();
  t.same(replies.sent, ['command 1', 'read of what 1 changed']);
  await log.finish();
  t.same(replies.sent, ['command 1', 'read of what 1 changed', 'command 2', 'refusal after 2']);
});

t.test('a reply that depends only on durable entries leaves at once', async (t) => {
  const { log, commit, replies } = begin(t);
  commit.holdUntilDurable(0, replies.reply('in an empty world'));
  commit.add(1, [7, 1]);
  await turns();
  await log.finish();
  commit.holdUntilDurable(1, replies.reply('later'));
  t.same(replies.sent, ['in an empty world', 'later']);
});

t.test('waiting for an entry that was never applied is a broken invariant', async (t) => {
  const { commit, replies } = begin(t);
  t.throws(() => commit.holdUntilDurable(1, replies.reply('too early')), RangeError);
});

t.test('under relaxed durability a reply leaves at once, and the log is still written', async (t) => {
  const { log, commit, replies } = begin(t, { durability: 'relaxed' });
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('at apply'));
  t.same(replies.sent, ['at apply']);
  await turns();
  await log.finish();
  t.same(rowsOf(log.begun), [[[7, 1]]]);
});

t.test('a batch beyond the limit of entries is split into records', async (t) => {
  const { log, commit, replies } = begin(t);
  const count = 2 * MAX_BATCH_ENTRIES + 1;
  for (let number = 1; number <= count; number += 1) commit.add(1, [7]);
  commit.holdUntilDurable(MAX_BATCH_ENTRIES + 1, replies.reply('first of the second'));
  commit.holdUntilDurable(count, replies.reply('last'));
  await turns();
  await log.finish();
  t.same(replies.sent, []);
  await log.finish();
  t.same(replies.sent, ['first of the second']);
  await log.finish();
  t.same(replies.sent, ['first of the second', 'last']);
  t.same(
    rowsOf(log.begun).map((rows) => rows.length),
    [MAX_BATCH_ENTRIES, MAX_BATCH_ENTRIES, 1],
  );
});

t.test('a batch beyond the limit of bytes is split, and an entry beyond it is a record of its own', async (t) => {
  const { log, commit } = begin(t);
  const huge = 'x'.repeat(MAX_BATCH_BYTES);
  const half = 'x'.repeat(MAX_BATCH_BYTES / 8);
  for (const text of [half, half, half, huge, half]) commit.add(1, [7, text]);
  await turns();
  await log.finishAll();
  t.same(
    rowsOf(log.begun).map((rows) => rows.length),
    [2, 1, 1, 1],
  );
});

t.test('it is full at the limit of entries, until they are durable', async (t) => {
  const { log, commit } = begin(t);
  for (let count = 1; count < MAX_PENDING_ENTRIES; count += 1) commit.add(1, [7]);
  t.notOk(commit.isFull);
  commit.add(1, [7]);
  t.ok(commit.isFull);
  await turns();
  await log.finish();
  t.notOk(commit.isFull);
});

t.test('it is full at the limit of bytes', async (t) => {
  const { log, commit } = begin(t);
  const text = 'x'.repeat(MAX_PENDING_BYTES / 16);
  for (let count = 0; count < 5; count += 1) commit.add(1, [7, text]);
  t.notOk(commit.isFull, 'five entries of at most three bytes a letter');
  commit.add(1, [7, text]);
  t.ok(commit.isFull);
  await turns();
  await log.finishAll();
  t.notOk(commit.isFull);
});

t.test('it is full at the limit of held replies', async (t) => {
  const { log, commit, replies } = begin(t);
  commit.add(1, [7]);
  for (let count = 1; count < MAX_HELD_REPLIES; count += 1) commit.holdUntilDurable(1, replies.reply('held'));
  t.notOk(commit.isFull);
  t.ok(commit.holdUntilDurable(1, replies.reply('held')));
  t.ok(commit.isFull);
  t.notOk(commit.holdUntilDurable(1, replies.reply('one too many')), 'a read beyond it is not held');
  t.ok(commit.holdUntilDurable(0, replies.reply('of old state')), 'a reply that need not wait leaves');
  await turns();
  await log.finish();
  t.notOk(commit.isFull);
  t.equal(replies.sent.length, 1 + MAX_HELD_REPLIES);
  t.notOk(replies.sent.includes('one too many'));
});

t.test('after a failed append no further reply leaves, and nothing is written', async (t) => {
  const { log, commit, replies, fatal } = begin(t);
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('in flight'));
  await turns();
  commit.add(2, [7, 2]);
  commit.holdUntilDurable(2, replies.reply('gathering'));
  await log.fail(new Error('no space left on device'));
  commit.add(3, [7, 3]);
  commit.holdUntilDurable(3, replies.reply('afterwards'));
  commit.holdUntilDurable(0, replies.reply('of old state'));
  await turns();
  t.same(
    fatal.map(({ message }) => message),
    ['no space left on device'],
    'told once',
  );
  t.same(replies.sent, []);
  t.equal(log.begun.length, 1);
  t.ok(commit.isDead);
  t.equal(commit.durableSeq, 0);
});

t.test('a reply waits until the outcome of its append is known', async (t) => {
  const { log, commit, replies, fatal } = begin(t);
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('found'));
  await turns();
  commit.add(2, [7, 2]);
  await log.fail(new UnknownOutcome(1, new Error('the connection is lost')));
  t.same(replies.sent, [], 'the record is not in the log');
  t.equal(log.begun.length, 2);
  t.same(log.begun[1], log.begun[0], 'so the same record is appended again');
  await log.finish();
  t.same(replies.sent, ['found']);
  await log.finish();
  t.equal(commit.durableSeq, 2);
  t.same(fatal, []);
});

t.test('a writer that is fenced ends, and acknowledges nothing', async (t) => {
  for (const error of [new UnknownOutcome(1, new Error('the connection is lost')), new Fenced(1)]) {
    const { log, commit, replies, fatal } = begin(t);
    commit.add(1, [7, 1]);
    commit.holdUntilDurable(1, replies.reply('never'));
    await turns();
    await log.acquire();
    await log.fail(error);
    t.match(fatal, [{ name: 'Fenced', epoch: 1 }]);
    t.same(replies.sent, []);
    t.equal(log.begun.length, 1);
  }
});

t.test('an append that takes too long is fatal, and its late success changes nothing', async (t) => {
  let told: (error: Error) => void;
  const stalled = new Promise<Error>((resolve) => {
    told = resolve;
  });
  const { log, commit, replies } = begin(t, { flushStallMs: 20, onFatal: (error) => told(error) });
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('too late'));
  t.match(await stalled, { message: 'the record at seq 1 was not on disk after 1020 ms' });
  await log.finish();
  t.same(replies.sent, []);
});

t.test('a process that was stopped for a while does not count that time as a stall', async (t) => {
  const { log, commit, replies, fatal } = begin(t, { flushStallMs: 20 });
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('sound'));
  await turns();
  // All the time of an append is over when the process continues, and the result of the flush needs a few more turns.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
  for (let turn = 0; turn < 5; turn += 1) await turns();
  await log.finish();
  t.same(fatal, []);
  t.same(replies.sent, ['sound']);
});

t.test('an entry that cannot be encoded is fatal', async (t) => {
  const { commit, fatal } = begin(t);
  commit.add(1, [(2n ** 70n) as unknown as number]);
  await turns();
  t.equal(fatal.length, 1);
});

t.test('if the next record cannot be written, the replies of the one before are held back', async (t) => {
  const { log, commit, fatal, replies } = begin(t);
  commit.add(1, [7]);
  commit.holdUntilDurable(1, replies.reply('on disk'));
  await turns();
  commit.add(2, [(2n ** 70n) as unknown as number]);
  await log.finish();
  t.equal(fatal.length, 1);
  t.same(replies.sent, []);
});

t.test('a large unit is one record of its own, even beyond the usual limits', async (t) => {
  const { log, commit } = begin(t);
  const text = 'x'.repeat(MAX_BATCH_BYTES / 8);
  commit.add(1, [7, 0]);
  commit.together(() => {
    for (let number = 1; number <= 5; number += 1) commit.add(1, [7, number, text]);
  });
  commit.add(1, [7, 6, text]);
  await turns();
  await log.finishAll();
  t.same(
    rowsOf(log.begun).map((rows) => rows.map(([, number]) => number)),
    [[0], [1, 2, 3, 4, 5], [6]],
  );
});

t.test('a unit that throws ends, and the entries that it has added stay together', async (t) => {
  const { log, commit } = begin(t);
  const text = 'x'.repeat(MAX_BATCH_BYTES / 8);
  const unit = (): void => {
    for (let number = 1; number <= 3; number += 1) commit.add(1, [7, number, text]);
    throw new Error('broken');
  };
  t.throws(() => commit.together(unit), { message: 'broken' });
  commit.together(() => commit.add(1, [7, 4, text]));
  await turns();
  await log.finishAll();
  t.same(
    rowsOf(log.begun).map((rows) => rows.map(([, number]) => number)),
    [[1, 2, 3], [4]],
  );
});

t.test(
  'small units share records within the limits of a record, and their replies wait for the right one',
  async (t) => {
    const { log, commit, replies } = begin(t);
    const text = 'x'.repeat(MAX_BATCH_BYTES / 8);
    const unit = (atMs: number, number: number): void => {
      commit.together(() => {
        commit.add(atMs, [7, number]);
        commit.holdUntilDurable(2 * number - 1, replies.reply(`unit ${number}`));
        commit.add(atMs + 1, [7, number, number < 4 ? '' : text]);
      });
    };
    for (let number = 1; number <= 6; number += 1) unit(10 * number, number);
    commit.add(70, [7, 7]);
    await turns();
    await log.finish();
    t.same(replies.sent, ['unit 1', 'unit 2', 'unit 3', 'unit 4', 'unit 5']);
    await log.finishAll();
    t.same(replies.sent.length, 6);
    t.same(
      rowsOf(log.begun).map((rows) => rows.map(([, number]) => number)),
      [
        [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
        [6, 6, 7],
      ],
    );
    const times = entriesByRecord(log.begun).flatMap((entries) => entries.map(({ atMs }) => atMs));
    t.same(times, [10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60, 61, 70]);
    t.equal(commit.durableSeq, 13);
  },
);

t.test('a unit inside a unit is part of it', async (t) => {
  const { log, commit } = begin(t);
  const text = 'x'.repeat(MAX_BATCH_BYTES / 8);
  const result = commit.together(() => {
    commit.add(1, [7, 1, text]);
    commit.together(() => {
      commit.add(1, [7, 2, text]);
      commit.add(1, [7, 3, text]);
    });
    commit.add(1, [7, 4, text]);
    return 'the result';
  });
  t.equal(result, 'the result');
  await turns();
  await log.finishAll();
  t.same(
    rowsOf(log.begun).map((rows) => rows.map(([, number]) => number)),
    [[1, 2, 3, 4]],
  );
});

t.test('two units that begin one after the other need not share a record', async (t) => {
  const { log, commit } = begin(t);
  const text = 'x'.repeat(MAX_BATCH_BYTES / 8);
  commit.together(() => {
    for (const number of [1, 2]) commit.add(1, [7, number, text]);
    commit.beginUnit();
    for (const number of [3, 4, 5]) commit.add(1, [7, number, text]);
  });
  await turns();
  await log.finishAll();
  t.same(
    rowsOf(log.begun).map((rows) => rows.map(([, number]) => number)),
    [
      [1, 2],
      [3, 4, 5],
    ],
  );
});

t.test('a unit is full at its limits, and nothing else is', async (t) => {
  const { log, commit } = begin(t);
  const text = 'x'.repeat(TOGETHER_BYTES_MAX / 3);
  commit.together(() => {
    t.notOk(commit.isFull);
    commit.add(1, [7, text]);
    t.ok(commit.isFull, 'in bytes');
  });
  t.notOk(commit.isFull);
  commit.together(() => {
    for (let count = 1; count < TOGETHER_ENTRIES_MAX; count += 1) commit.add(1, [7]);
    t.notOk(commit.isFull);
    commit.add(1, [7]);
    t.ok(commit.isFull, 'in entries');
  });
  await turns();
  await log.finishAll();
});

t.test('a reply that throws is fatal', async (t) => {
  const { log, commit, fatal, replies } = begin(t);
  commit.add(1, [7]);
  commit.holdUntilDurable(1, {
    durable: () => {
      throw new Error('broken reply');
    },
  });
  commit.holdUntilDurable(1, replies.reply('behind it'));
  await turns();
  await log.finish();
  t.same(
    fatal.map(({ message }) => message),
    ['broken reply'],
  );
  t.same(replies.sent, []);
});

t.test('it is drained when everything is durable', async (t) => {
  const { log, commit } = begin(t);
  await commit.drained();
  commit.add(1, [7]);
  let isDrained = false;
  const drained = commit.drained().then(() => {
    isDrained = true;
  });
  await turns();
  commit.add(2, [7]);
  await log.finish();
  t.notOk(isDrained);
  await log.finish();
  await drained;
  t.equal(commit.durableSeq, 2);
});

t.test('a cut waits for the append in flight, and entries that gather meanwhile come after it', async (t) => {
  const { log, commit, replies } = begin(t);
  commit.add(1, [7, 1]);
  await turns();
  const cut = commit.cut();
  commit.add(2, [7, 2]);
  commit.holdUntilDurable(2, replies.reply('after the cut'));
  await turns();
  t.same(log.cutsBegun, [], 'an append is in flight');
  await log.finish();
  t.same(log.cutsBegun, [2]);
  t.equal(log.begun.length, 1, 'nothing is appended during the cut');
  await log.finish();
  t.equal(await cut, 1);
  await log.finish();
  t.same(replies.sent, ['after the cut']);
  t.equal(commit.durableSeq, 2);
});

t.test('an idle log is cut at once, and appends continue afterwards', async (t) => {
  const { log, commit } = begin(t);
  const cut = commit.cut();
  t.same(log.cutsBegun, [1]);
  commit.add(1, [7, 1]);
  await turns();
  t.equal(log.begun.length, 0);
  await log.finish();
  t.equal(await cut, 0);
  await log.finish();
  t.equal(commit.durableSeq, 1);
});

t.test('a second request for a cut joins the one under way', async (t) => {
  const { log, commit } = begin(t);
  const cuts = [commit.cut(), commit.cut()];
  await log.finish();
  t.same(await Promise.all(cuts), [0, 0]);
  t.same(log.cutsBegun, [1]);
});

t.test('a cut that fails is like an append that fails', async (t) => {
  const { log, commit, fatal, replies } = begin(t);
  const cut = commit.cut();
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('never'));
  const refused = t.rejects(cut, { message: 'no space left on device' });
  await log.fail(new Error('no space left on device'));
  await refused;
  t.equal(fatal.length, 1);
  t.ok(commit.isDead);
  t.equal(log.begun.length, 0);
  await t.rejects(commit.cut(), { message: 'the log is no longer written' });
});

t.test('a refused cut changes nothing: gathered entries are written, and the cut can be tried again', async (t) => {
  const { log, commit, fatal, replies } = begin(t, { bytesSinceCut: 1_000 });
  const cut = commit.cut();
  commit.add(1, [7, 1]);
  commit.holdUntilDurable(1, replies.reply('after the cut'));
  const refused = t.rejects(cut, { name: 'CutRefused', message: /before seq 1: too many open files$/ });
  await log.fail(new CutRefused(1, new Error('too many open files')));
  await refused;
  t.equal(commit.bytesSinceCut, 1_000 + (log.begun[0]?.bytes.length ?? 0), 'the bytes keep counting');
  await log.finish();
  t.same(replies.sent, ['after the cut']);
  t.same(fatal, []);
  const again = commit.cut();
  await log.finish();
  t.equal(await again, 1);
  t.equal(commit.bytesSinceCut, 0);
});

t.test('it is drained even if the last operation was a refused cut', async (t) => {
  const { log, commit } = begin(t);
  const refused = t.rejects(commit.cut(), { name: 'CutRefused' });
  const drained = commit.drained();
  await log.fail(new CutRefused(1, new Error('too many open files')));
  await refused;
  await drained;
  t.notOk(commit.isDead);
});

t.test('a cut that takes too long is fatal', async (t) => {
  let told: (error: Error) => void;
  const stalled = new Promise<Error>((resolve) => {
    told = resolve;
  });
  const { commit } = begin(t, { flushStallMs: 20, onFatal: (error) => told(error) });
  const refused = t.rejects(commit.cut(), { name: 'LogStalled' });
  t.match(await stalled, { name: 'LogStalled' });
  await refused;
});

t.test('it is drained only after the cut', async (t) => {
  const { log, commit } = begin(t);
  const cut = commit.cut();
  let isDrained = false;
  const drained = commit.drained().then(() => {
    isDrained = true;
  });
  await turns();
  t.notOk(isDrained);
  await log.finish();
  await cut;
  await drained;
});

t.test('it counts the bytes after the last cut', async (t) => {
  const { log, commit } = begin(t, { bytesSinceCut: 1_000 });
  commit.add(1, [7, 1]);
  await turns();
  await log.finish();
  t.equal(commit.bytesSinceCut, 1_000 + (log.begun[0]?.bytes.length ?? 0));
  const cut = commit.cut();
  await log.finish();
  await cut;
  t.equal(commit.bytesSinceCut, 0);
  commit.add(2, [7, 2]);
  await turns();
  await log.finish();
  t.equal(commit.bytesSinceCut, log.begun[1]?.bytes.length);
});
