// Processes that share a world find their roles, and keep what they promise, whatever happens to them or to their way to the store.
// Time is virtual. No test depends on how long something takes, except where a lease must have expired.
import t, { type Test } from 'tap';
import { SNAPSHOT_POLL_MS, STANDBY_RECOVERIES_MAX } from '../../../persistence/limits.js';
import { openReplicatedWorld } from '../../../persistence/open-world.js';
import { recover } from '../../../persistence/recovery/recovery.js';
import { RecoveryRefused } from '../../../persistence/recovery/replay.js';
import { CannotFollow } from '../../../persistence/replication/following.js';
import { MemoryStore } from '../../support/stores/memory-store.js';
import { Cluster, LEASE_MS, type Process } from './cluster.js';

/** A leader and a standby that follows it. */
async function pair(cluster: Cluster): Promise<[leader: Process, standby: Process]> {
  const leader = cluster.start('a');
  await cluster.until(() => leader.leads);
  const standby = cluster.start('b');
  await cluster.until(() => standby.hasRole && standby.world.replica.members.length === 2);
  return [leader, standby];
}

/** Lets a command become durable. */
async function created(t: Test, cluster: Cluster, process: Process, name: string): Promise<void> {
  const reply = process.create(name);
  t.ok(await cluster.until(() => reply.isSent), `${name} is acknowledged`);
}

t.test('the first process founds the world and leads, the next one follows and sees the same', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  t.same([leader.world.isNew, standby.world.isNew], [true, false]);
  t.same([leader.world.replica.role, standby.world.replica.role], ['leader', 'standby']);
  t.same([leader.world.sequencer.availability(), standby.world.sequencer.availability()], ['open', 'not_leader']);
  const { replica } = standby.world;
  t.match(replica, {
    epoch: leader.world.replica.epoch,
    leaderUrl: 'http://a',
    mayAnswer: true,
    lag: { entries: 0, ms: 0 },
  });
  let appliedCount = 0;
  const seen: number[][] = [];
  replica.onApplied(() => {
    appliedCount += 1;
  });
  standby.world.sequencer.watchEvents({ released: (receivers) => seen.push([...receivers]) });
  await created(t, cluster, leader, 'one');
  await cluster.until(() => appliedCount > 0);
  t.equal(standby.world.engine.seq, leader.world.engine.seq);
  t.equal(standby.world.engine.stateHash(), leader.world.engine.stateHash());
  t.equal(seen.length, 1, 'watchers learn of its events');
  t.throws(() => standby.create('nobody'), { name: 'SequencerStopped' });
  t.throws(() => standby.world.sequencer.advanceTo(Number.MAX_SAFE_INTEGER), { name: 'SequencerStopped' });
});

t.test('a process that begins to lead reports that at once, and a handover is not announced as a loss', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  void leader.world.handOver();
  t.ok(await cluster.until(() => standby.leads));
  await cluster.run(10);
  t.equal(cluster.content.lease?.members.get('b')?.report.role, 'leader');
  t.same(
    standby.events.map(({ type }) => type),
    ['role_following', 'role_leading'],
  );
  t.same(
    leader.events.map(({ type }) => type),
    ['role_leading', 'role_handing_over', 'role_handed_over', 'role_following'],
  );
});

t.test('processes that begin at once on an empty store agree on one world', async (t) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const cluster = new Cluster(seed);
    const all = ['a', 'b', 'c'].map((name) => cluster.start(name));
    t.ok(await cluster.until(() => all.every(({ hasRole }) => hasRole)));
    t.equal(all.filter(({ leads }) => leads).length, 1);
    t.equal(all.filter(({ world }) => world.isNew).length, 1);
    t.equal(new Set(all.map(({ world }) => world.engine.stateHash())).size, 1);
  }
});

t.test('a world that cannot have the settings is founded by nobody, and the lease is free', async (t) => {
  const cluster = new Cluster();
  const wrong = cluster.start('wrong', { settings: { speed: -1 } });
  await cluster.until(() => wrong.fatal !== null);
  t.match(wrong.fatal, { name: 'RangeError' });
  const [leader] = await pair(cluster);
  const other = cluster.start('other', { settings: { seed: 2 } });
  await cluster.until(() => other.fatal !== null);
  t.match(other.fatal, { name: 'SettingsMismatch' });
  t.ok(leader.leads);
});

t.test(
  'once the lease of a killed leader has expired, one of two standbys leads, and nothing acknowledged is lost',
  async (t) => {
    for (const seed of [1, 2, 3]) {
      const cluster = new Cluster(seed);
      const [leader, standby] = await pair(cluster);
      const other = cluster.start('c');
      await cluster.until(() => other.hasRole);
      await created(t, cluster, leader, 'one');
      leader.kill();
      await cluster.run(LEASE_MS / 2);
      t.notOk(standby.leads || other.leads, 'the lease is still that of the leader');
      t.ok(await cluster.until(() => standby.leads || other.leads));
      const [next, last] = standby.leads ? [standby, other] : [other, standby];
      await created(t, cluster, next, 'two');
      t.ok(await cluster.until(() => last.playerNames.includes('two')));
      t.same(last.playerNames, ['one', 'two']);
      t.equal(last.world.sequencer.availability(), 'not_leader');
      t.equal(last.world.replica.leaderUrl, `http://${next.name}`);
      t.equal(last.world.engine.stateHash(), next.world.engine.stateHash());
    }
  },
);

t.test(
  'a leader that was stopped acknowledges nothing and answers nothing after another has taken over, and ends',
  async (t) => {
    const cluster = new Cluster();
    const [leader, standby] = await pair(cluster);
    const reply = leader.create('one');
    // The record is on its way to the store, or there, when the process stops.
    await cluster.run(1.5);
    leader.stop();
    t.ok(await cluster.until(() => standby.leads));
    t.equal(leader.world.replica.mayAnswer, false, 'before it runs anything');
    t.equal(leader.world.sequencer.availability(), 'not_leader');
    leader.continue();
    t.ok(await cluster.until(() => leader.fatal !== null));
    t.match(leader.fatal, { name: 'Fenced' });
    t.equal(reply.isSent, false);
    t.equal(leader.world.replica.mayAnswer, false);
    await created(t, cluster, standby, 'two');
  },
);

t.test(
  'a leader that is cut off pauses in time, and goes on under the same epoch if nobody else has claimed',
  async (t) => {
    const cluster = new Cluster();
    const [leader, standby] = await pair(cluster);
    const { epoch } = leader.world.replica;
    let changeCount = 0;
    leader.world.replica.onChange(() => {
      changeCount += 1;
    });
    leader.isCut = true;
    // So that nobody takes over meanwhile.
    standby.isCut = true;
    const reply = leader.create('one');
    t.ok(await cluster.until(() => !leader.world.replica.mayAnswer));
    t.ok((leader.world.replica.leaseAgeMs ?? 0) < LEASE_MS, 'before the lease could have expired for another process');
    t.equal(leader.world.replica.role, 'leader');
    let isAnswered = false;
    leader.world.sequencer.holdUntilDurable(1, {
      durable: () => {
        isAnswered = true;
      },
    });
    t.equal(isAnswered, false, 'not even reads of what is durable');
    leader.isCut = false;
    t.ok(await cluster.until(() => reply.isSent));
    t.equal(isAnswered, true);
    t.match(leader.world.replica, { role: 'leader', epoch, mayAnswer: true });
    t.equal(changeCount, 2);
    t.same(leader.events.slice(-2), [
      { ...leader.events.at(-2), type: 'role_paused' },
      { ...leader.events.at(-1), type: 'role_resumed' },
    ]);
    standby.isCut = false;
    t.ok(await cluster.until(() => standby.world.replica.leaderUrl === 'http://a'));
    t.notOk(standby.leads, 'after the outage the leader had a whole lease to renew');
  },
);

t.test(
  'what was stored while a leader was paused is acknowledged only after a renewal, and never after another claim',
  async (t) => {
    for (const isTakenOver of [false, true]) {
      const cluster = new Cluster();
      const [leader, standby] = await pair(cluster);
      if (!isTakenOver) standby.isCut = true;
      leader.cut.add('renew');
      t.ok(await cluster.until(() => !leader.world.replica.mayAnswer));
      const { sequencer } = leader.world;
      t.equal(sequencer.availability(), 'not_leader');
      // A timer of the world, or a command admitted before, is stored all the same.
      const reply = leader.create('one');
      await cluster.run(20);
      t.equal(cluster.content.records.lastSeq, leader.world.engine.seq, 'it is stored');
      t.equal(reply.isSent, false);
      if (isTakenOver) t.ok(await cluster.until(() => standby.leads));
      leader.cut.delete('renew');
      t.equal(await cluster.until(() => reply.isSent || leader.fatal !== null), true);
      t.equal(reply.isSent, !isTakenOver);
      if (isTakenOver) t.same(standby.playerNames, ['one'], 'the next leader has it');
    }
  },
);

t.test(
  'a jump of the wall clock pauses a leader until it has renewed: the machine may have been suspended',
  async (t) => {
    const cluster = new Cluster();
    const [leader] = await pair(cluster);
    cluster.time.setWallClock(LEASE_MS);
    t.equal(leader.world.replica.mayAnswer, false);
    t.ok(await cluster.until(() => leader.world.replica.mayAnswer));
    cluster.time.setWallClock(-10 * LEASE_MS);
    t.equal(leader.world.replica.mayAnswer, true);
    t.equal(leader.fatal, null);
  },
);

t.test('a claim whose answer is lost leads to a role, under a newer epoch', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  await created(t, cluster, leader, 'one');
  leader.kill();
  standby.mute.add('claim');
  t.ok(await cluster.until(() => cluster.content.lease?.lease.leaderId === 'b'));
  const { epoch } = cluster.content.lease?.lease ?? { epoch: 0 };
  await cluster.run(20);
  t.notOk(standby.leads);
  standby.mute.delete('claim');
  t.ok(await cluster.until(() => standby.leads));
  t.ok(standby.world.replica.epoch > epoch);
  await created(t, cluster, standby, 'two');
});

t.test('a claim that another process overtakes leaves a standby: it has applied nothing of its own', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  await created(t, cluster, leader, 'one');
  // It cannot read the rest of the log, so it claims and does not lead.
  standby.cut.add('log read');
  leader.kill();
  t.ok(await cluster.until(() => standby.world.sequencer.availability() === 'handing_over'));
  t.equal(cluster.content.lease?.lease.leaderId, 'b');
  await cluster.run(5);
  standby.stop();
  const other = cluster.start('c');
  t.ok(await cluster.until(() => other.leads));
  standby.continue();
  standby.cut.clear();
  t.ok(await cluster.until(() => standby.world.replica.leaderUrl === 'http://c'));
  await created(t, cluster, other, 'two');
  t.ok(await cluster.until(() => standby.playerNames.includes('two')));
  t.equal(standby.fatal, null);
  t.equal(standby.world.sequencer.availability(), 'not_leader');
});

t.test('if all processes were stopped, the leader goes on: a standby counts only what it has watched', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  const { epoch } = leader.world.replica;
  for (const process of [leader, standby]) process.stop();
  await cluster.run(5 * LEASE_MS);
  standby.continue();
  await cluster.run(LEASE_MS / 10);
  leader.continue();
  await cluster.run(5 * LEASE_MS);
  t.same([leader.leads, leader.world.replica.epoch, leader.fatal], [true, epoch, null]);
});

t.test('a standby that does not reach the store says for how long, as its lag', async (t) => {
  const cluster = new Cluster();
  const [, standby] = await pair(cluster);
  t.same(standby.world.replica.lag, { entries: 0, ms: 0 });
  standby.isCut = true;
  await cluster.run(5_000);
  const { entries, ms } = standby.world.replica.lag;
  t.equal(entries, 0, 'as far as it knows');
  t.ok(ms > 4_000 && ms <= 5_000, `${ms} ms`);
  standby.isCut = false;
  t.ok(await cluster.until(() => standby.world.replica.lag.ms === 0));
});

t.test('a standby that is behind when it claims applies the rest of the log before it leads', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  standby.cut.add('log read');
  for (const name of ['one', 'two', 'three']) await created(t, cluster, leader, name);
  await cluster.until(() => standby.world.replica.lag.entries > 0);
  t.match(standby.world.replica.lag, { entries: 3 });
  t.same(standby.playerNames, []);
  leader.kill();
  await cluster.until(() => cluster.content.lease?.lease.leaderId === 'b');
  await cluster.run(LEASE_MS);
  t.notOk(standby.leads);
  standby.cut.clear();
  t.ok(await cluster.until(() => standby.leads));
  t.same(standby.playerNames, ['one', 'two', 'three']);
});

t.test('a leader that is fenced while it fires what fell due ends', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  leader.kill();
  let isFenced = false;
  standby.world.replica.onChange(() => {
    // It begins to lead: its engine may be ahead of the log from here on.
    if (standby.world.replica.mayAnswer || isFenced) return;
    isFenced = true;
    cluster.content.records.epoch += 1;
  });
  t.ok(await cluster.until(() => standby.fatal !== null));
  t.match(standby.fatal, { name: 'Fenced' });
  t.ok(isFenced);
});

t.test('a handover on request drains, keeps every reply, and swaps the roles', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  const seen: string[] = [];
  for (const { name, world } of [leader, standby]) {
    world.sequencer.watchEvents({ released: () => seen.push(name) });
  }
  const { engine } = leader.world;
  const admissions = new Set<string>();
  leader.world.replica.onChange(() => admissions.add(leader.world.sequencer.availability()));
  const reply = leader.create('one');
  if (cluster.content.lease !== null) cluster.content.lease.lease = { ...cluster.content.lease.lease, wantedId: 'b' };
  t.ok(await cluster.until(() => standby.leads && leader.world.replica.leaderUrl === 'http://b'));
  t.equal(reply.isSent, true);
  t.same([...admissions], ['handing_over', 'not_leader']);
  t.equal(leader.world.engine, engine);
  seen.length = 0;
  await created(t, cluster, standby, 'two');
  t.ok(await cluster.until(() => leader.playerNames.includes('two')));
  t.same([...seen].sort(), ['a', 'b'], 'the watchers of both go on');
  t.equal(leader.world.engine.stateHash(), standby.world.engine.stateHash());
  standby.kill();
  t.ok(await cluster.until(() => leader.leads), 'it can lead again');
  await created(t, cluster, leader, 'three');
  t.same(leader.playerNames, ['one', 'two', 'three']);
});

t.test('a handover is not made to a process that is unknown or not ready', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  const lease = cluster.content.lease;
  if (lease === null) throw new Error('the store is not shared');
  lease.lease = { ...lease.lease, wantedId: 'nobody' };
  t.ok(await cluster.until(() => lease.lease.wantedId === null), 'the wish is withdrawn');
  t.ok(leader.leads);
  standby.stop();
  await cluster.run(10_000);
  lease.lease = { ...lease.lease, wantedId: 'b' };
  await cluster.run(10_000);
  t.ok(leader.leads, 'it has not reported for long');
});

t.test('a leader that ends hands over if a standby is ready, and releases the lease if none is', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  let isHandedOver: boolean | undefined;
  leader.world.handOver().then((value) => {
    isHandedOver = value;
  });
  t.ok(await cluster.until(() => isHandedOver !== undefined));
  t.same([isHandedOver, standby.leads], [true, true]);
  t.equal(leader.world.sequencer.availability(), 'not_leader');
  let isClosed = false;
  leader.world.close().then(() => {
    isClosed = true;
  });
  t.ok(await cluster.until(() => isClosed));
  t.same([...(cluster.content.lease?.members.keys() ?? [])], ['b']);
  isHandedOver = undefined;
  standby.world.handOver().then((value) => {
    isHandedOver = value;
  });
  t.ok(await cluster.until(() => isHandedOver !== undefined));
  t.same([isHandedOver, standby.leads], [false, true]);
  isClosed = false;
  standby.world.close().then(() => {
    isClosed = true;
  });
  t.ok(await cluster.until(() => isClosed));
  t.match(cluster.content.lease?.lease, { leaderId: null, wantedId: null });
  const startedMs = cluster.time.elapsedMs();
  const next = cluster.start('c');
  t.ok(await cluster.until(() => next.leads));
  t.ok(cluster.time.elapsedMs() - startedMs < LEASE_MS, 'a released lease is claimed at once');
});

t.test('if the successor dies, or the release is lost, somebody leads after the time of a lease', async (t) => {
  for (const what of ['successor', 'release'] as const) {
    const cluster = new Cluster();
    const [leader, standby] = await pair(cluster);
    if (what === 'release') leader.cut.add('release');
    const lease = cluster.content.lease;
    if (lease === null) throw new Error('the store is not shared');
    lease.lease = { ...lease.lease, wantedId: 'b' };
    await cluster.until(() => leader.world.replica.role === 'standby');
    if (what === 'successor') standby.kill();
    t.ok(await cluster.until(() => leader.leads || standby.leads), what);
    const next = leader.leads ? leader : standby;
    await created(t, cluster, next, 'one');
  }
});

t.test('a standby that has applied what the store lost ends with a sentence', async (t) => {
  const lost = async (change: (cluster: Cluster, standby: Process) => Promise<void>): Promise<Error | null> => {
    const cluster = new Cluster();
    const [leader, standby] = await pair(cluster);
    await created(t, cluster, leader, 'one');
    await cluster.until(() => standby.playerNames.includes('one'));
    leader.kill();
    await change(cluster, standby);
    await cluster.until(() => standby.fatal !== null);
    t.equal(standby.world.replica.mayAnswer, false);
    return standby.fatal;
  };
  /** The store after it has lost its newest record. */
  const forget = (cluster: Cluster): void => {
    const { records } = cluster.content;
    records.lastSeq = (records.records.pop()?.firstSeq ?? 1) - 1;
  };
  const shorter = await lost(async (cluster) => forget(cluster));
  t.match(shorter, {
    name: 'CannotFollow',
    message: /seq 3: the store ends at seq 1; it has lost records that it had shown/,
  });
  const other = await lost(async (cluster, standby) => {
    forget(cluster);
    standby.stop();
    const next = cluster.start('c');
    await cluster.until(() => next.leads);
    await created(t, cluster, next, 'another');
    await created(t, cluster, next, 'one more');
    standby.continue();
  });
  t.match(other, { name: 'CannotFollow', message: /seq 3: .* has lost or replaced a record that it had shown/ });
  t.ok(other instanceof CannotFollow);
});

t.test('a standby that was too far behind, or meets damage, ends with a sentence', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  standby.cut.add('log read');
  await created(t, cluster, leader, 'one');
  await created(t, cluster, leader, 'two');
  const { records } = cluster.content;
  records.cuts = [3];
  records.records = records.records.filter(({ firstSeq }) => firstSeq >= 3);
  standby.cut.clear();
  t.ok(await cluster.until(() => standby.fatal !== null));
  t.match(standby.fatal?.message, /seq 2: the log begins at seq 3 now; it was too far behind/);

  const second = new Cluster();
  const [first, follower] = await pair(second);
  follower.stop();
  await created(t, second, first, 'one');
  const [newest] = second.content.records.records.slice(-1);
  newest?.bytes.fill(1, newest.bytes.length - 1);
  follower.continue();
  t.ok(await second.until(() => follower.fatal !== null));
  t.match(follower.fatal?.message, /seq 2: the record there is not sound \(wrong_checksum\)/);
});

t.test('world time never runs backwards when a machine takes over whose clock is behind', async (t) => {
  const cluster = new Cluster();
  const leader = cluster.start('a', { wallAheadMs: 3_600_000 });
  await cluster.until(() => leader.leads);
  const standby = cluster.start('b');
  await cluster.until(() => standby.hasRole);
  await created(t, cluster, leader, 'one');
  await cluster.until(() => standby.playerNames.includes('one'));
  await cluster.run(500);
  const atLeader = leader.world.sequencer.readNow();
  const atStandby = standby.world.sequencer.readNow();
  t.ok(atStandby <= atLeader && atStandby > leader.world.engine.nowMs, 'the standby follows the time of the leader');
  await cluster.run(5_000);
  const last = leader.world.sequencer.readNow();
  leader.kill();
  t.ok(await cluster.until(() => standby.leads));
  t.ok(standby.world.sequencer.readNow() >= last, 'though the standby has served no read for long');
  await created(t, cluster, standby, 'two');
  t.ok(standby.world.engine.nowMs >= atStandby);
});

t.test('a manual clock stands still on every process until the leader moves it', async (t) => {
  const cluster = new Cluster();
  const leader = cluster.start('a', { clockKind: 'manual' });
  await cluster.until(() => leader.leads);
  const standby = cluster.start('b', { clockKind: 'manual' });
  await cluster.until(() => standby.hasRole);
  const startMs = standby.world.sequencer.readNow();
  await cluster.run(5_000);
  t.equal(standby.world.sequencer.readNow(), startMs);
  leader.world.sequencer.advanceTo(startMs + 60_000);
  t.ok(await cluster.until(() => standby.world.sequencer.readNow() === startMs + 60_000));
  leader.kill();
  t.ok(await cluster.until(() => standby.leads));
  t.equal(standby.world.sequencer.readNow(), startMs + 60_000);
});

t.test('relaxed replies of a paused leader wait too', async (t) => {
  const cluster = new Cluster();
  const leader = cluster.start('a', { durability: 'relaxed' });
  await cluster.until(() => leader.leads);
  const reply = leader.create('one');
  t.equal(reply.isSent, true, 'at once');
  leader.cut.add('renew');
  await cluster.until(() => !leader.world.replica.mayAnswer);
  const held = leader.create('two');
  await cluster.run(100);
  t.equal(held.isSent, false);
  leader.cut.clear();
  t.ok(await cluster.until(() => held.isSent));
});

t.test('a leader that cannot reach its store, or not renew, can still be ended in order', async (t) => {
  for (const cut of ['all', 'renew'] as const) {
    const cluster = new Cluster();
    const [leader, standby] = await pair(cluster);
    if (cut === 'all') leader.isCut = true;
    else leader.cut.add('renew');
    await cluster.until(() => !leader.world.replica.mayAnswer);
    let isClosed = false;
    leader.world
      .handOver()
      .then(() => leader.world.close())
      .then(() => {
        isClosed = true;
      });
    t.ok(await cluster.until(() => isClosed), cut);
    t.equal(leader.fatal, null);
    t.ok(await cluster.until(() => standby.leads));
  }
});

t.test('a standby that is ended while it claims gives the lease back', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  standby.cut.add('log read');
  leader.kill();
  await cluster.until(() => standby.world.sequencer.availability() === 'handing_over');
  let isClosed = false;
  standby.world.close().then(() => {
    isClosed = true;
  });
  t.ok(await cluster.until(() => isClosed));
  t.match(cluster.content.lease?.lease, { leaderId: null });
  t.equal(standby.fatal, null);
});

const DAY_MS = 86_400_000;

t.test('a standby whose clock has jumped by years does not lead, says why, and lets another one lead', async (t) => {
  const cluster = new Cluster();
  const [leader, jumped] = await pair(cluster);
  const { epoch } = leader.world.replica;
  await created(t, cluster, leader, 'one');
  await cluster.until(() => jumped.playerNames.includes('one'));
  jumped.wallAheadMs = 20 * 366 * DAY_MS;
  leader.kill();
  const refusals = () => jumped.events.filter(({ type }) => type === 'role_refused');
  t.ok(await cluster.until(() => refusals().length > 0));
  await cluster.run(5 * LEASE_MS);
  t.match(refusals(), [
    {
      epoch,
      message: /^the clock of this machine says .* 7321 days after the last entry .* --max-clock-jump-days 7321$/,
    },
  ]);
  t.notOk(jumped.leads);
  t.equal(cluster.content.lease?.lease.epoch, epoch, 'it has not claimed the lease');
  t.equal(jumped.fatal, null);
  const other = cluster.start('c');
  t.ok(await cluster.until(() => other.leads));
  await created(t, cluster, other, 'two');
  t.ok(await cluster.until(() => jumped.playerNames.includes('two')), 'it follows');
  t.ok(other.world.sequencer.readNow() - cluster.time.wallMs() < DAY_MS);
  other.kill();
  t.ok(await cluster.until(() => refusals().length > 1), 'and says it again after the next leader');
  jumped.wallAheadMs = 0;
  t.ok(await cluster.until(() => jumped.leads), 'once its clock is right, it leads');
  t.ok(jumped.world.sequencer.readNow() - cluster.time.wallMs() < DAY_MS);
});

t.test('a clock that jumps while its process claims the lease gives the lease back', async (t) => {
  const cluster = new Cluster();
  const [leader, standby] = await pair(cluster);
  const epoch = leader.world.replica.epoch + 1;
  leader.kill();
  await cluster.until(() => standby.world.sequencer.availability() === 'handing_over');
  standby.wallAheadMs = 20 * 366 * DAY_MS;
  t.ok(await cluster.until(() => standby.events.some(({ type }) => type === 'role_refused')));
  t.match(cluster.content.lease?.lease, { epoch, leaderId: null });
  const other = cluster.start('c');
  t.ok(await cluster.until(() => other.leads));
});

t.test('a process whose clock is years ahead does not join, unless that is allowed', async (t) => {
  const cluster = new Cluster();
  await pair(cluster);
  const wallAheadMs = 20 * 366 * DAY_MS;
  const refused = cluster.start('c', { wallAheadMs });
  t.ok(await cluster.until(() => refused.fatal !== null));
  t.match(refused.fatal, { name: 'ClockJump' });
  const allowed = cluster.start('d', { wallAheadMs, clockJumpMsMax: wallAheadMs + DAY_MS });
  t.ok(await cluster.until(() => allowed.hasRole));
  const manual = cluster.start('e', { wallAheadMs, clockKind: 'manual' });
  t.ok(await cluster.until(() => manual.hasRole));
});

t.test('a process whose monotonic clock jumps by years ends, as a leader and as a standby', async (t) => {
  for (const role of ['leader', 'standby'] as const) {
    const cluster = new Cluster();
    let leapMs = 0;
    const source = { elapsedMs: () => cluster.time.elapsedMs() + leapMs, wallMs: () => cluster.time.wallMs() };
    const first = cluster.start('a', role === 'leader' ? { source } : {});
    await cluster.until(() => first.leads);
    const second = cluster.start('b', role === 'standby' ? { source } : {});
    await cluster.until(() => second.hasRole);
    const process = role === 'leader' ? first : second;
    leapMs = 20 * 366 * DAY_MS;
    t.throws(() => process.world.sequencer.readNow(), { name: 'ClockJump' });
    t.match(process.fatal, { name: 'ClockJump' }, role);
  }
});

t.test('a leader that cannot read its snapshots reports that once, and takes them once it can', async (t) => {
  const cluster = new Cluster();
  const { snapshots } = new MemoryStore(cluster.content);
  let isFailing = false;
  const list = async (): Promise<readonly number[]> => {
    if (isFailing) throw new Error('the list cannot be read');
    return await snapshots.list();
  };
  const told: string[] = [];
  const leader = cluster.start('a', {
    snapshots: Object.assign(Object.create(snapshots), { list }),
    taker: () => ({ take: () => Promise.reject(new Error('no test takes one')), stop() {} }),
    onSnapshotEvent: (event) => told.push(event.type === 'snapshot_failed' ? event.message : event.type),
  });
  await cluster.until(() => leader.isOpen);
  isFailing = true;
  t.ok(await cluster.until(() => leader.leads));
  await cluster.run(3 * SNAPSHOT_POLL_MS);
  t.same(told, ['the list cannot be read']);
  t.equal(leader.world.snapshots?.report.isInProgress, false);
  isFailing = false;
  await cluster.run(2 * SNAPSHOT_POLL_MS);
  await t.rejects(async () => void (await leader.world.snapshots?.take()), { message: 'no test takes one' });
});

t.test('a store that one process can open has no roles', async (t) => {
  await t.rejects(openReplicatedWorld({ store: new MemoryStore(), version: '1' }), {
    name: 'TypeError',
    message: 'memory can be opened by one process only',
  });
});

t.test(
  'a standby recovers again if the leader has pruned what it was reading, and not if nothing has changed',
  async (t) => {
    const cluster = new Cluster();
    const [leader] = await pair(cluster);
    await created(t, cluster, leader, 'one');
    const { stored } = cluster.content.snapshots;
    const recoverer = (isChanging: boolean, failuresMax: number): [typeof recover, () => number] => {
      let count = 0;
      const failing: typeof recover = async (...given) => {
        count += 1;
        if (count > failuresMax) return await recover(...given);
        if (isChanging && !stored.delete(99)) stored.set(99, { manifest: new Uint8Array(), chunks: [] });
        throw new RecoveryRefused(1, 'it was pruned');
      };
      return [failing, () => count];
    };
    const [twice] = recoverer(true, 2);
    const standby = cluster.start('c', { recover: twice });
    t.ok(await cluster.until(() => standby.isOpen));
    t.same(standby.playerNames, ['one']);
    for (const [isChanging, attempts] of [
      [true, STANDBY_RECOVERIES_MAX],
      [false, 1],
    ] as const) {
      const [always, count] = recoverer(isChanging, Number.POSITIVE_INFINITY);
      const refused = cluster.start('d', { recover: always });
      t.ok(await cluster.until(() => refused.fatal !== null));
      t.match(refused.fatal, { name: 'RecoveryRefused' });
      t.equal(count(), attempts);
      stored.clear();
    }
  },
);
