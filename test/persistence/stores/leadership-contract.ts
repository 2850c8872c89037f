// What every shared store must do for the processes that share it: tests that the one in PostgreSQL and the one in memory
// both pass.
import type { Test } from 'tap';
import { Fenced, LogConflict } from '../../../persistence/log/log.js';
import type { HeldWorld, Leadership, MemberReport, WorldStore } from '../../../persistence/stores/world-store.js';
import { soundRecord } from '../log/sound-record.js';

/** Returns what gives each process its store of one world, which is still empty. */
export type NewSharedWorld = (t: Test) => Promise<() => WorldStore>;

export async function testLeadershipContract(t: Test, newWorld: NewSharedWorld): Promise<void> {
  /** Several processes that have opened one world. */
  async function processes(t: Test, count: number): Promise<Process[]> {
    const newStore = await newWorld(t);
    const opened: Process[] = [];
    for (let index = 0; index < count; index += 1) {
      const { leadership } = newStore();
      if (leadership === null) throw new Error('the store is not shared');
      const held = await leadership.openShared();
      opened.push({ leadership, held });
      t.teardown(async () => {
        await held.log.close();
        await held.release();
        await leadership.close();
      });
    }
    return opened;
  }

  const pair = async (t: Test): Promise<[Process, Process]> => (await processes(t, 2)) as [Process, Process];

  await t.test('nobody leads a new world', async (t) => {
    const [{ leadership, held }] = await pair(t);
    t.match(await leadership.read(), { epoch: 0, leaderId: null, leaderUrl: null, wantedId: null });
    t.same(await leadership.members(), []);
    t.equal(await held.log.currentEpoch(), 0);
  });

  await t.test('a claim gives the lease and the epoch of the log, and every process sees both', async (t) => {
    const [one, other] = await pair(t);
    const lease = await claim(one.leadership, 'one');
    t.match(lease, { epoch: 1, leaderId: 'one', leaderUrl: 'http://one', leaseMs: 700, wantedId: null });
    t.same(await other.leadership.read(), lease);
    t.equal(await other.held.log.currentEpoch(), lease.epoch);
    await append(one.held, lease.epoch, 1);
    await other.held.log.refresh();
    t.equal((await other.held.log.last())?.firstSeq, 1);
  });

  await t.test('one of several claims of the same lease wins', async (t) => {
    const claimants = await processes(t, 3);
    const seen = await Promise.all(claimants.map(({ leadership }) => leadership.read()));
    const claims = await Promise.all(
      claimants.map(({ leadership }, index) =>
        leadership.claim({ id: `${index}`, url: '', leaseMs: 700 }, seen[index] as (typeof seen)[number]),
      ),
    );
    const won = claims.filter((lease) => lease !== null);
    t.equal(won.length, 1);
    t.same(await claimants[0]?.leadership.read(), won[0]);
    t.equal(await claimants[0]?.held.log.currentEpoch(), won[0]?.epoch, 'the others have not fenced it');
  });

  await t.test('a renewal or a release since it was seen makes a claim void', async (t) => {
    const [one, other] = await pair(t);
    const seen = await claim(one.leadership, 'one');
    await one.leadership.renew(seen.epoch);
    t.equal(await other.leadership.claim({ id: 'other', url: '', leaseMs: 700 }, seen), null);
    const renewed = await other.leadership.read();
    await one.leadership.release(seen.epoch, null);
    t.equal(await other.leadership.claim({ id: 'other', url: '', leaseMs: 700 }, renewed), null);
    await append(one.held, seen.epoch, 1);
    t.equal((await claim(other.leadership, 'other')).epoch, seen.epoch + 1);
  });

  await t.test('a claim fences the former leader, whatever that does', async (t) => {
    const [one, other] = await pair(t);
    const older = await claim(one.leadership, 'one');
    await append(one.held, older.epoch, 1);
    const newer = await claim(other.leadership, 'other');
    t.ok(newer.epoch > older.epoch);
    await t.rejects(append(one.held, older.epoch, 2), Fenced);
    await t.rejects(one.held.log.cut(older.epoch, 2), Fenced);
    await t.rejects(one.leadership.renew(older.epoch), Fenced);
    await one.leadership.release(older.epoch, 'one');
    t.same(await one.leadership.read(), newer, 'its release does nothing');
    await append(other.held, newer.epoch, 2);
  });

  await t.test('an append beside a claim is in the log before it, or never', async (t) => {
    const [one, other] = await pair(t);
    const older = await claim(one.leadership, 'one');
    for (let round = 0, nextSeq = 1, { epoch } = older; round < 5; round += 1) {
      const appended = append(one.held, epoch, nextSeq).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Fenced)) throw error;
          return false;
        },
      );
      const lease = await claim(other.leadership, 'other');
      await other.held.log.refresh();
      const isThere = (await other.held.log.last())?.firstSeq === nextSeq;
      t.equal(isThere, await appended);
      if (isThere) nextSeq += 1;
      await append(other.held, lease.epoch, nextSeq);
      nextSeq += 1;
      ({ epoch } = await claim(one.leadership, 'one'));
    }
  });

  await t.test('each renewal changes the beat, and reports whether a handover is wanted', async (t) => {
    const [one, other] = await pair(t);
    const lease = await claim(one.leadership, 'one');
    const renewed = await one.leadership.renew(lease.epoch);
    t.not(renewed.beat, lease.beat);
    t.same({ ...renewed, beat: lease.beat }, lease);
    await other.leadership.want('other');
    const wanted = await other.leadership.read();
    t.equal(wanted.beat, renewed.beat, 'a request for a handover does not renew the lease');
    t.equal((await one.leadership.renew(lease.epoch)).wantedId, 'other');
    await other.leadership.want(null);
    t.equal((await one.leadership.renew(lease.epoch)).wantedId, null);
  });

  await t.test('a released lease names the successor, until a process claims it', async (t) => {
    const [one, other] = await pair(t);
    const { epoch, beat } = await claim(one.leadership, 'one');
    await one.leadership.release(epoch, 'other');
    const released = await other.leadership.read();
    t.match(released, { epoch, leaderId: null, leaderUrl: null, wantedId: 'other' });
    t.not(released.beat, beat);
    t.match(await one.leadership.renew(epoch), { epoch, leaderId: null }, 'a late renewal does not take it back');
    t.match(await claim(other.leadership, 'other'), { epoch: epoch + 1, leaderId: 'other', wantedId: null });
    t.match(await claim(other.leadership, 'other'), { epoch: epoch + 2, leaderId: 'other' }, 'its own lease again');
  });

  await t.test('a process that acquires the log without the lease fences the leader', async (t) => {
    const [one, other] = await pair(t);
    const { epoch } = await claim(one.leadership, 'one');
    t.equal(await other.held.log.acquire(), epoch + 1);
    await t.rejects(one.leadership.renew(epoch), Fenced);
    await t.rejects(append(one.held, epoch, 1), Fenced);
    t.equal((await claim(one.leadership, 'one')).epoch, epoch + 2);
  });

  await t.test('a leader that expects another end of the log appends nothing', async (t) => {
    const [one] = await pair(t);
    const { epoch } = await claim(one.leadership, 'one');
    await t.rejects(append(one.held, epoch, 5), LogConflict);
    await append(one.held, epoch, 1);
  });

  await t.test('processes are listed as they reported last, until they leave', async (t) => {
    const [one, other] = await pair(t);
    await one.leadership.report(REPORT);
    await other.leadership.report({ ...REPORT, id: 'b', role: 'standby', seq: 2 ** 40 });
    await one.leadership.report({ ...REPORT, seq: 8 });
    const members = [...(await other.leadership.members())].sort((a, b) => (a.id < b.id ? -1 : 1));
    t.ok(members.every(({ reportedAgoMs }) => reportedAgoMs >= 0 && reportedAgoMs < 30_000));
    t.same(
      members.map(({ reportedAgoMs: _, ...report }) => report),
      [
        { ...REPORT, seq: 8 },
        { ...REPORT, id: 'b', role: 'standby', seq: 2 ** 40 },
      ],
    );
    await one.leadership.leave('a');
    await one.leadership.leave('nobody');
    t.same(
      (await other.leadership.members()).map(({ id }) => id),
      ['b'],
    );
  });
}

interface Process {
  readonly leadership: Leadership;
  readonly held: HeldWorld;
}

const REPORT: MemberReport = {
  id: 'a',
  url: 'http://a',
  role: 'leader',
  seq: 7,
  version: '1.2.3',
  obstacle: 'its clock has jumped',
};

/** Claims the lease as it is now. */
async function claim(leadership: Leadership, id: string) {
  const lease = await leadership.claim({ id, url: `http://${id}`, leaseMs: 700 }, await leadership.read());
  if (lease === null) throw new Error('the claim was lost');
  return lease;
}

/** Appends a record of one entry. */
async function append({ log }: HeldWorld, epoch: number, firstSeq: number): Promise<void> {
  const { bytes } = soundRecord(firstSeq);
  await log.append({ epoch, expectedSeq: firstSeq - 1, lastSeq: firstSeq, bytes });
}
