// The parts of a role, each alone: the time of a standby, the term of a leader, the log of a term, snapshots.
import t from 'tap';
import { HANDOVER_LAG_MAX, MEMBER_READY_MS } from '../../../persistence/limits.js';
import { appendForCertain } from '../../../persistence/log/append.js';
import { NO_PREVIOUS_HASH } from '../../../persistence/log/batch-record.js';
import { type CommandLog, UnknownOutcome } from '../../../persistence/log/log.js';
import { MemoryLog, noRecords } from '../../../persistence/log/memory-log.js';
import { LeaderTerm, momentOf } from '../../../persistence/replication/leader-term.js';
import { TermLog } from '../../../persistence/replication/leading.js';
import { readyStandbys } from '../../../persistence/replication/member-reports.js';
import { RoleSequencer, RoleSnapshots, StandbyTime } from '../../../persistence/replication/role-sequencer.js';
import { NO_SNAPSHOTS } from '../../../persistence/upkeep/snapshot-keeper.js';
import type { Sequencer } from '../../../persistence/writer/sequencer.js';
import { altered } from '../../support/altered.js';
import { Draws } from '../../support/process/draws.js';
import { quiet, VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';
import { soundRecord } from '../log/sound-record.js';

/** An engine, as the time of a standby needs it, and the clock of its machine. */
function standby(): {
  engine: { nowMs: number; deadlineMs: number };
  clock: { ms: number };
  leaderClock: { pausedAtMs: number | null; clockLagMs: number };
  time: StandbyTime;
} {
  const engine = {
    seq: 1,
    nowMs: 1_000,
    deadlineMs: Number.POSITIVE_INFINITY,
    nextDeadlineMs: () => engine.deadlineMs,
  };
  const clock = { kind: 'real' as const, ms: 1_000, nowMs: () => clock.ms };
  const leaderClock = { pausedAtMs: null, clockLagMs: 0 };
  return { engine, clock, leaderClock, time: new StandbyTime(engine, clock, leaderClock, 0) };
}

t.test('time passes on a standby, and stops before the next timer until its tick was applied', (t) => {
  const { engine, clock, time } = standby();
  clock.ms = 1_500;
  t.equal(time.nowMs, 1_500);
  engine.deadlineMs = 1_600;
  clock.ms = 2_000;
  t.equal(time.nowMs, 1_599);
  engine.deadlineMs = 5_000;
  t.equal(time.nowMs, 2_000);
  clock.ms = 1_900;
  t.equal(time.nowMs, 2_000, 'it does not run backwards');
  engine.deadlineMs = 1_950;
  t.equal(time.nowMs, 1_949, 'except to stay before a timer that was set since');
  engine.nowMs = 3_000;
  t.equal(time.nowMs, 3_000, 'it is never before the last entry');
  t.end();
});

t.test(
  'from the first entry on, the time of a standby is not ahead of the leader, and follows it as closely as entries show',
  (t) => {
    const { engine, clock, time } = standby();
    const applied = (atMs: number): void => {
      engine.nowMs = atMs;
      time.applied(atMs);
    };
    // The clock of this machine is 300 ahead of that of the leader. An entry takes 50 to arrive, a later one 10.
    clock.ms = 2_350;
    applied(2_000);
    t.equal(time.nowMs, 2_000);
    clock.ms = 3_310;
    applied(3_000);
    t.equal(time.nowMs, 3_000);
    clock.ms = 4_300;
    t.equal(time.nowMs, 3_990, 'the leader is at 4,000');
    applied(3_991);
    t.equal(time.nowMs, 3_991);
    t.end();
  },
);

t.test('the time of a standby stands while the leader is paused, and goes on from there', (t) => {
  const { engine, clock, leaderClock, time } = standby();
  const applied = (atMs: number): void => {
    engine.nowMs = atMs;
    time.applied(atMs);
  };
  clock.ms = 2_000;
  applied(2_000);
  leaderClock.pausedAtMs = 2_500;
  clock.ms = 2_510;
  applied(2_500);
  clock.ms = 9_000;
  t.equal(time.nowMs, 2_500);
  leaderClock.pausedAtMs = null;
  leaderClock.clockLagMs = 6_500;
  applied(2_500);
  t.equal(time.nowMs, 2_500);
  clock.ms = 9_100;
  t.equal(time.nowMs, 2_600);
  t.end();
});

t.test('what is stored counts as stored only while the term is valid, also if only reading has shown it', async (t) => {
  const log = new MemoryLog(noRecords());
  const epoch = await log.acquire();
  let becomeValid: () => void = () => {};
  const term = {
    untilValid: () =>
      new Promise<void>((resolve) => {
        becomeValid = resolve;
      }),
  };
  const tail = { lastSeq: 0, hash: NO_PREVIOUS_HASH };
  const termLog = new TermLog(log, term, tail);
  const { bytes } = soundRecord(1);
  let isStored = false;
  const append = { epoch, expectedSeq: 0, lastSeq: 1, bytes };
  const stored = termLog.append(append).then(() => {
    isStored = true;
  });
  await quiet();
  t.same([isStored, (await log.last())?.firstSeq], [false, 1]);
  becomeValid();
  await stored;
  t.equal(termLog.tail.lastSeq, 1);

  const unanswered = () => Promise.reject(new UnknownOutcome(1, 'no answer'));
  const mute = altered<CommandLog>(await stocked(1), { append: unanswered });
  const unsure = new TermLog(mute, term, tail);
  isStored = false;
  const scheduler = new VirtualScheduler(new VirtualTime());
  const resolved = appendForCertain(unsure, { ...append, epoch: 1 }, scheduler, () => false).then(() => {
    isStored = true;
  });
  await quiet();
  t.equal(isStored, false, 'the read found it, and the term is not valid');
  becomeValid();
  await resolved;
  await termLog.close();
  await log.append({ ...append, expectedSeq: 1, lastSeq: 2, bytes: soundRecord(2).bytes });
  t.pass('closing it leaves the log open');
});

async function stocked(epoch: number): Promise<MemoryLog> {
  const log = new MemoryLog();
  await log.acquire();
  await log.append({ epoch, expectedSeq: 0, lastSeq: 1, bytes: soundRecord(1).bytes });
  return log;
}

t.test('a renewal that was answered too late does not make a term valid', async (t) => {
  const source = new VirtualTime();
  const scheduler = new VirtualScheduler(source);
  let answer: () => void = () => {};
  const lease = { epoch: 1, leaderId: 'a', leaderUrl: '', beat: 1, leaseMs: 1_000, wantedId: null };
  const term = new LeaderTerm({
    leadership: {
      renew: () =>
        new Promise((resolve) => {
          answer = () => resolve(lease);
        }),
    },
    scheduler,
    source,
    epoch: 1,
    leaseMs: 1_000,
    claimedAt: momentOf(source),
    onRenewed: () => {},
    onChange: () => {},
    onLost: () => {},
  });
  t.teardown(() => term.end());
  term.start();
  t.equal(term.isValid, true);
  const calls: number[] = [];
  const runDue = async (): Promise<void> => {
    while (scheduler.run(new Draws(1))) await quiet();
  };
  source.moveTo(200);
  await runDue();
  source.moveTo(949);
  t.equal(term.isValid, false, 'the claim was sent at 0, three quarters of the lease have passed');
  term.whenValid(() => calls.push(1));
  term.whenValid(() => calls.push(2));
  answer();
  await quiet();
  t.same([term.isValid, calls], [true, [1, 2]], 'the renewal was sent at 200, so it lasts until 950');
  await runDue();
  source.moveTo(2_000);
  answer();
  await quiet();
  t.equal(term.isValid, false, 'sent at 949, answered at 2,000');
  term.whenValid(() => calls.push(3));
  const ended = term.end();
  answer();
  await ended;
  t.same(calls, [1, 2], 'after its end nothing leaves');
});

t.test('a read while a process begins to lead does not fire all that fell due at once', (t) => {
  const { time } = standby();
  const sequencer = new RoleSequencer(time);
  const calls: string[] = [];
  const present = {
    nowMs: 7,
    watchEvents: () => () => {},
    readNow: () => calls.push('readNow'),
    run: (work: () => unknown) => {
      calls.push('run');
      return work();
    },
  };
  sequencer.lead(present as unknown as Sequencer, { isValid: true } as LeaderTerm);
  t.same([sequencer.readNow(), sequencer.run(() => 'work'), calls], [7, 'work', []]);
  sequencer.refuse(null);
  sequencer.readNow();
  sequencer.run(() => 'work');
  t.same(calls, ['readNow', 'run']);
  t.end();
});

t.test('only a leader takes snapshots; a standby shows what it last reported', async (t) => {
  const snapshots = new RoleSnapshots();
  await t.rejects(snapshots.take(), { message: 'only the leader takes snapshots, and this process does not lead' });
  t.equal(snapshots.report, NO_SNAPSHOTS);
  const report = { ...NO_SNAPSHOTS, takenCount: 3 };
  snapshots.keepBy({ report, take: async () => 'taken' } as never);
  t.equal(await snapshots.take(), 'taken');
  t.equal(snapshots.report, report);
  snapshots.keepBy(null);
  t.equal(snapshots.report, report);
  await t.rejects(snapshots.take());
});

t.test('ready for a handover are standbys that reported lately and are not far behind, the foremost first', (t) => {
  const member = { url: '', role: 'standby' as const, version: '', obstacle: null, reportedAgoMs: 0 };
  const seq = HANDOVER_LAG_MAX + 10;
  const members = [
    { ...member, id: 'own', seq },
    { ...member, id: 'late', seq, reportedAgoMs: MEMBER_READY_MS + 1 },
    { ...member, id: 'leader', seq, role: 'leader' as const },
    { ...member, id: 'second', seq: 10 },
    { ...member, id: 'behind', seq: 9 },
    { ...member, id: 'jumped', seq: 12, obstacle: 'its clock has jumped' },
    { ...member, id: 'first', seq: 11, reportedAgoMs: MEMBER_READY_MS },
  ];
  t.same(
    readyStandbys(members, 'own', seq).map(({ id }) => id),
    ['first', 'second'],
  );
  t.end();
});
