// An append whose outcome is unknown: the log is read, and the record is appended again only if it is not there.
import t, { type Test } from 'tap';
import { FLUSH_STALL_MS, OUTCOME_ATTEMPTS_MAX, OUTCOME_WAIT_MS } from '../../persistence/limits.js';
import { type Append, LogUnreadable, LogWriteFailed, UnknownOutcome } from '../../persistence/log/log.js';
import { MemoryLog } from '../../persistence/log/memory-log.js';
import { appendForCertain } from '../../persistence/log/outcome.js';
import { NODE_SCHEDULER, type Scheduler } from '../../persistence/time/scheduler.js';
import { recordsOf } from './log-contract.js';
import { soundRecord } from './sound-record.js';

/** The outcome of one append: before it settles, the record is stored or not. */
type Fate = 'stored' | 'unknown: stored' | 'unknown: lost' | 'failed';

/** A log that loses the answers to appends as the test chooses, and records the appends. */
class ForgetfulLog extends MemoryLog {
  readonly appends: number[] = [];
  readsToFail = 0;
  /** Called after each read: what other writers do meanwhile. */
  meanwhile: (() => Promise<unknown>) | undefined;

  constructor(readonly fates: Fate[]) {
    super();
  }

  override async append(append: Append): Promise<void> {
    const firstSeq = append.expectedSeq + 1;
    this.appends.push(firstSeq);
    const fate = this.fates.shift() ?? 'stored';
    if (fate === 'failed') throw new LogWriteFailed(firstSeq, new Error('no space'));
    if (fate !== 'unknown: lost') await super.append(append);
    if (fate !== 'stored') throw new UnknownOutcome(firstSeq, new Error('the connection is lost'));
  }

  override async *read(fromSeq: number) {
    if (this.readsToFail > 0) {
      this.readsToFail -= 1;
      throw new LogUnreadable('no connection');
    }
    try {
      yield* super.read(fromSeq);
    } finally {
      await this.meanwhile?.();
    }
  }
}

/** Does not wait, and records the waits. */
class NoWaits implements Scheduler {
  readonly soon = NODE_SCHEDULER.soon;
  readonly cancel = NODE_SCHEDULER.cancel;
  readonly nextTurn = NODE_SCHEDULER.nextTurn;
  readonly waitedMs: number[] = [];

  after<Arguments extends unknown[]>(delayMs: number, callback: (...given: Arguments) => void, ...given: Arguments) {
    this.waitedMs.push(delayMs);
    return setImmediate(callback, ...given);
  }
}

async function begin(fates: Fate[]) {
  const log = new ForgetfulLog(fates);
  const epoch = await log.acquire();
  const { bytes } = soundRecord(1);
  const scheduler = new NoWaits();
  const append: Append = { epoch, expectedSeq: 0, lastSeq: 1, bytes };
  const appendOnce = (isOver = () => false): Promise<void> => appendForCertain(log, append, scheduler, isOver);
  return { log, append, scheduler, appendOnce };
}

async function isStoredOnce(t: Test, log: MemoryLog): Promise<void> {
  t.same(await recordsOf(log, 1), [soundRecord(1)]);
}

t.test('a record that is there is not appended again', async (t) => {
  const { log, appendOnce } = await begin(['unknown: stored']);
  await appendOnce();
  t.same(log.appends, [1]);
  await isStoredOnce(t, log);
});

t.test('a record that is not there is appended again, as often as its outcome is unknown', async (t) => {
  const { log, appendOnce, scheduler } = await begin(['unknown: lost', 'unknown: lost', 'unknown: stored']);
  await appendOnce();
  t.same(log.appends, [1, 1, 1]);
  t.same(scheduler.waitedMs, [OUTCOME_WAIT_MS, OUTCOME_WAIT_MS], 'with a pause after each append of unknown outcome');
  await isStoredOnce(t, log);
});

t.test('a record that arrives between the read and the second append is found by the next read', async (t) => {
  const { log, append, appendOnce } = await begin(['unknown: lost']);
  log.meanwhile = async () => {
    log.meanwhile = undefined;
    await MemoryLog.prototype.append.call(log, append);
  };
  await appendOnce();
  t.same(log.appends, [1, 1]);
  await isStoredOnce(t, log);
});

t.test('a log that cannot be read is read again', async (t) => {
  const { log, appendOnce } = await begin(['unknown: stored']);
  log.readsToFail = OUTCOME_ATTEMPTS_MAX - 1;
  await appendOnce();
  t.same(log.appends, [1]);
});

t.test('it gives up after a limited number of attempts, within the time limit of an append', async (t) => {
  const { log, appendOnce, scheduler } = await begin(['unknown: stored']);
  log.readsToFail = OUTCOME_ATTEMPTS_MAX;
  await t.rejects(appendOnce(), { name: 'UnknownOutcome', firstSeq: 1 });
  t.same(log.appends, [1], 'nothing was appended blindly');
  t.equal(scheduler.waitedMs.length, OUTCOME_ATTEMPTS_MAX);
  t.ok(OUTCOME_ATTEMPTS_MAX * OUTCOME_WAIT_MS < FLUSH_STALL_MS);
});

t.test('a writer that was fenced meanwhile acknowledges nothing, whether the record is there or not', async (t) => {
  for (const fate of ['unknown: stored', 'unknown: lost'] as const) {
    const { log, appendOnce } = await begin([fate]);
    log.meanwhile = () => log.acquire();
    await t.rejects(appendOnce(), { name: 'Fenced', epoch: 1 }, fate);
    t.same(log.appends, [1], 'and appends nothing');
  }
});

t.test("another writer's record at its place is a conflict", async (t) => {
  const { log, append, appendOnce } = await begin(['unknown: lost']);
  // Of a program that knows of no epochs.
  await MemoryLog.prototype.append.call(log, { ...append, bytes: soundRecord(1, 1, 5).bytes });
  await t.rejects(appendOnce(), { name: 'LogConflict', firstSeq: 1 });
  t.same(log.appends, [1]);
});

t.test('the log is not read after an append that failed for certain', async (t) => {
  const { log, appendOnce } = await begin(['failed']);
  await t.rejects(appendOnce(), { name: 'LogWriteFailed' });
  t.same(log.appends, [1]);
  const again = await begin(['unknown: lost', 'failed']);
  await t.rejects(again.appendOnce(), { name: 'LogWriteFailed' });
  t.same(again.log.appends, [1, 1]);
});

t.test('a writer that has died meanwhile appends nothing', async (t) => {
  const { log, appendOnce } = await begin(['unknown: lost']);
  let isOver = false;
  log.meanwhile = async () => {
    isOver = true;
  };
  await t.rejects(
    appendOnce(() => isOver),
    { name: 'UnknownOutcome' },
  );
  t.same(log.appends, [1]);
});
