// An append whose outcome is unknown: the log is read, and the record is appended again only if it is not there.
import t, { type Test } from 'tap';
import { FLUSH_STALL_MS, OUTCOME_ATTEMPTS_MAX, OUTCOME_WAIT_MS } from '../../../persistence/limits.js';
import { appendForCertain } from '../../../persistence/log/append.js';
import type { Append } from '../../../persistence/log/log.js';
import { type Fate, FaultyLog } from '../../support/faulty-log.js';
import { VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';
import { recordsOf } from './log-contract.js';
import { soundRecord } from './sound-record.js';

async function begin(fates: readonly Fate[]) {
  const log = new FaultyLog({ fates });
  const append: Append = { epoch: log.epoch, expectedSeq: 0, lastSeq: 1, bytes: soundRecord(1).bytes };
  const time = new VirtualTime();
  const scheduler = new VirtualScheduler(time);
  const appendOnce = (isOver = () => false): Promise<void> =>
    scheduler.during(appendForCertain(log, append, scheduler, isOver));
  const appends = (): number[] => log.begun.map(({ firstSeq }) => firstSeq);
  return { log, append, appends, time, appendOnce };
}

async function isStoredOnce(t: Test, log: FaultyLog): Promise<void> {
  t.same(await recordsOf(log, 1), [soundRecord(1)]);
}

t.test('a record that is there is not appended again', async (t) => {
  const { log, appends, appendOnce } = await begin(['unknown: stored']);
  await appendOnce();
  t.same(appends(), [1]);
  await isStoredOnce(t, log);
});

t.test('a record that is not there is appended again, as often as its outcome is unknown', async (t) => {
  const { log, appends, appendOnce, time } = await begin(['unknown: lost', 'unknown: lost', 'unknown: stored']);
  await appendOnce();
  t.same(appends(), [1, 1, 1]);
  t.equal(time.elapsedMs(), 2 * OUTCOME_WAIT_MS, 'with a pause after each append of unknown outcome');
  await isStoredOnce(t, log);
});

t.test('a record that arrives between the read and the second append is found by the next read', async (t) => {
  const { log, append, appends, appendOnce } = await begin(['unknown: lost']);
  log.meanwhile = async () => {
    log.meanwhile = undefined;
    await log.appendElsewhere(append);
  };
  await appendOnce();
  t.same(appends(), [1, 1]);
  await isStoredOnce(t, log);
});

t.test('a log that cannot be read is read again', async (t) => {
  const { log, appends, appendOnce } = await begin(['unknown: stored']);
  log.readsToFail = OUTCOME_ATTEMPTS_MAX - 1;
  await appendOnce();
  t.same(appends(), [1]);
});

t.test('it gives up after a limited number of attempts, within the time limit of an append', async (t) => {
  const { log, appends, appendOnce, time } = await begin(['unknown: stored']);
  log.readsToFail = OUTCOME_ATTEMPTS_MAX;
  await t.rejects(appendOnce(), { name: 'UnknownOutcome', firstSeq: 1 });
  t.same(appends(), [1], 'nothing was appended blindly');
  t.equal(time.elapsedMs(), OUTCOME_ATTEMPTS_MAX * OUTCOME_WAIT_MS);
  t.ok(OUTCOME_ATTEMPTS_MAX * OUTCOME_WAIT_MS < FLUSH_STALL_MS);
});

t.test('a writer that was fenced meanwhile acknowledges nothing, whether the record is there or not', async (t) => {
  for (const fate of ['unknown: stored', 'unknown: lost'] as const) {
    const { log, appends, appendOnce } = await begin([fate]);
    log.meanwhile = () => log.acquire();
    await t.rejects(appendOnce(), { name: 'Fenced', epoch: 1 }, fate);
    t.same(appends(), [1], 'and appends nothing');
  }
});

t.test("another writer's record at its place is a conflict", async (t) => {
  const { log, append, appends, appendOnce } = await begin(['unknown: lost']);
  // This record is of a program that knows of no epochs.
  await log.appendElsewhere({ ...append, bytes: soundRecord(1, 1, 5).bytes });
  await t.rejects(appendOnce(), { name: 'LogConflict', firstSeq: 1 });
  t.same(appends(), [1]);
});

t.test('the log is not read after an append that failed for certain', async (t) => {
  const { appends, appendOnce } = await begin(['failed']);
  await t.rejects(appendOnce(), { name: 'LogWriteFailed' });
  t.same(appends(), [1]);
  const again = await begin(['unknown: lost', 'failed']);
  await t.rejects(again.appendOnce(), { name: 'LogWriteFailed' });
  t.same(again.appends(), [1, 1]);
});

t.test('a writer that has died meanwhile appends nothing', async (t) => {
  const { log, appends, appendOnce } = await begin(['unknown: lost']);
  let isOver = false;
  log.meanwhile = async () => {
    isOver = true;
  };
  await t.rejects(
    appendOnce(() => isOver),
    { name: 'UnknownOutcome' },
  );
  t.same(appends(), [1]);
});
