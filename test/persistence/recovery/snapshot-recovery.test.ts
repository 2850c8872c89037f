// A world that is recovered from its snapshots, in real folders: the same as by replay, whichever snapshot is damaged.
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { OpenWorld } from '../../../persistence/open-world.js';
import { storeAt } from '../../../persistence/store-url.js';
import type { SnapshotEvent } from '../../../persistence/upkeep/snapshot-keeper.js';
import { SnapshotWorker } from '../../../persistence/upkeep/snapshot-worker.js';
import { createPlayers, durable, openFolder, snapshotOf } from '../../support/opened-world.js';
import { flipMiddle, snapshotName } from '../../support/process/damages.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const RESEARCH_MS = 120_000;

/** Adds some bots, each with something under way. */
async function play(world: OpenWorld, namePrefix: string): Promise<void> {
  const { sequencer } = world;
  sequencer.submit(createPlayers(20, namePrefix));
  const playerCount = world.engine.world.playerCount;
  for (let playerNumber = playerCount - 19; playerNumber <= playerCount; playerNumber += 1) {
    sequencer.submit({ type: 'start_research', playerNumber, researchType: 0 });
  }
  await durable(world);
  sequencer.advanceTo(world.engine.nowMs + RESEARCH_MS / 2);
  await durable(world);
}

function keeperOf({ snapshots }: OpenWorld): NonNullable<OpenWorld['snapshots']> {
  if (snapshots === null) throw new Error('the world has no data folder');
  return snapshots;
}

interface Present {
  readonly seq: number;
  readonly hash: string;
}

function presentOf({ engine }: OpenWorld): Present {
  return { seq: engine.seq, hash: engine.stateHash() };
}

function snapshotNames(folder: string): Promise<string[]> {
  return readdir(join(folder, 'snapshots'));
}

interface PlayedFolder {
  readonly folder: string;
  readonly present: Present;
  readonly seqs: readonly number[];
}

/** Takes three snapshots, with play before and after each, and closes the folder. */
async function playThreeSnapshots(): Promise<PlayedFolder> {
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder);
  const seqs: number[] = [];
  for (const namePrefix of ['first', 'second', 'third']) {
    await play(world, namePrefix);
    seqs.push(await snapshotOf(world));
  }
  await play(world, 'last');
  const present = presentOf(world);
  await world.close();
  return { folder, present, seqs };
}

let original: Promise<PlayedFolder> | undefined;

/** A copy for one test: playing takes seconds. */
async function playedFolder(t: Test): Promise<PlayedFolder> {
  original ??= playThreeSnapshots();
  const played = await original;
  const folder = join(await temporaryFolder(t), 'copy');
  await cp(played.folder, folder, { recursive: true });
  return { ...played, folder };
}

t.test(
  'a snapshot of another process contains the live state, and the world is recovered from it and the tail of the log',
  async (t) => {
    const folder = await temporaryFolder(t);
    const taker = new SnapshotWorker(storeAt(folder).url ?? '');
    const world = await openFolder(t, folder, { taker });
    await play(world, 'before');
    const before = presentOf(world);
    const taken = await keeperOf(world).take();
    t.match(taken, { isNew: true, basisSeq: null, damaged: [], manifest: { seq: before.seq, stateHash: before.hash } });
    t.type(taken.auditFingerprint, 'string', 'the replay was compared with the live world');
    await play(world, 'behind');
    const present = presentOf(world);
    await world.close();
    const next = await openFolder(t, folder);
    t.same(presentOf(next), present);
    t.match(next.recovery, { snapshot: { seq: before.seq }, entryCount: present.seq - before.seq });
    await play(next, 'and on');
    const later = presentOf(next);
    await next.close();
    t.same(presentOf(await openFolder(t, folder)), later, 'timers of the snapshot fired as they would have');
  },
);

t.test('if nothing has changed, the existing snapshot is used', async (t) => {
  const world = await openFolder(t, await temporaryFolder(t));
  await play(world, 'bot');
  const first = await keeperOf(world).take();
  const second = await keeperOf(world).take();
  t.equal(second.isNew, false);
  t.same(second.manifest, first.manifest);
});

t.test('two snapshots are kept, and the log reaches back to the older one', async (t) => {
  const { folder, present, seqs } = await playedFolder(t);
  const [, older = 0, newer = 0] = seqs;
  t.same(await snapshotNames(folder), [older, newer].map(snapshotName));
  const world = await openFolder(t, folder);
  t.same(presentOf(world), present);
  t.equal(world.recovery.snapshot?.seq, newer);
  const segments = await readdir(join(folder, 'log'));
  t.same(
    segments,
    [older, newer].map((seq) => `log-${String(seq + 1).padStart(16, '0')}`),
  );
});

t.test('if the newest snapshot is damaged, the one before is used, with a longer replay', async (t) => {
  const { folder, present, seqs } = await playedFolder(t);
  const [, older = 0, newer = 0] = seqs;
  await damage(folder, newer);
  const events: SnapshotEvent[] = [];
  const world = await openFolder(t, folder, { onSnapshotEvent: (event) => events.push(event) });
  t.same(presentOf(world), present);
  t.equal(world.recovery.snapshot?.seq, older);
  t.equal(world.recovery.entryCount, present.seq - older);
  t.match(world.recovery.damagedSnapshots, [{ name: 'SnapshotDamaged', seq: newer }]);
  const taken = await keeperOf(world).take();
  t.match(taken, { basisSeq: older, damaged: [{ seq: newer }] });
  t.match(events, [{ type: 'snapshot_damaged', seq: newer }, { type: 'snapshot_taken' }]);
  t.equal((await snapshotNames(folder)).length, 2, 'the damaged one is gone, the sound ones stay');
});

t.test('if no snapshot is sound and the log does not begin with the genesis, the start is refused', async (t) => {
  const { folder, seqs } = await playedFolder(t);
  for (const seq of seqs.slice(1)) await damage(folder, seq);
  await t.rejects(openFolder(t, folder), {
    name: 'RecoveryRefused',
    message: /the log begins at seq \d+, and no snapshot before it can be read; .*snapshot at seq/,
  });
});

t.test('if all snapshots are gone, the start is refused, because the log has lost its beginning', async (t) => {
  const { folder } = await playedFolder(t);
  await rm(join(folder, 'snapshots'), { recursive: true });
  await t.rejects(openFolder(t, folder), { name: 'RecoveryRefused', seq: 1 });
});

t.test('if the log is gone, the start is refused: the entries after the snapshot are missing', async (t) => {
  const { folder } = await playedFolder(t);
  await rm(join(folder, 'log'), { recursive: true });
  await t.rejects(openFolder(t, folder), {
    name: 'RecoveryRefused',
    message: /there is no log after it/,
  });
});

t.test('a log that ends before the newest snapshot is refused, whether that snapshot is sound or not', async (t) => {
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder);
  await play(world, 'early');
  await world.close();
  const earlyLog = join(await temporaryFolder(t), 'log');
  await cp(join(folder, 'log'), earlyLog, { recursive: true });
  const later = await openFolder(t, folder);
  await play(later, 'late');
  const { manifest } = await keeperOf(later).take();
  await later.close();
  await rm(join(folder, 'log'), { recursive: true });
  await cp(earlyLog, join(folder, 'log'), { recursive: true });
  const refusal = { name: 'RecoveryRefused', message: new RegExp(`there is a snapshot at seq ${manifest.seq}`) };
  await t.rejects(openFolder(t, folder), refusal);
  await damage(folder, manifest.seq);
  await t.rejects(openFolder(t, folder), refusal);
});

t.test('a snapshot of another world is refused', async (t) => {
  const folder = await temporaryFolder(t);
  const foreign = await temporaryFolder(t);
  const worlds = [await openFolder(t, folder), await openFolder(t, foreign, { settings: { seed: 99 } })];
  for (const world of worlds) await play(world, 'bot');
  await keeperOf(worlds[1] as OpenWorld).take();
  await play(worlds[0] as OpenWorld, 'more');
  for (const world of worlds) await world.close();
  await cp(join(foreign, 'snapshots'), join(folder, 'snapshots'), { recursive: true });
  await t.rejects(openFolder(t, folder), {
    name: 'RecoveryRefused',
    message: /is not the one that the snapshot at seq \d+ ends with/,
  });
});

t.test('if the disk is too full to cut the log, no snapshot is begun, and the world goes on', async (t) => {
  let freeBytes = Number.MAX_SAFE_INTEGER;
  const events: SnapshotEvent[] = [];
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder, {
    store: storeAt(folder, { diskFloorBytes: 1, freeBytes: async () => freeBytes }),
    onSnapshotEvent: (event) => events.push(event),
  });
  await play(world, 'before');
  freeBytes = 1_000;
  await t.rejects(keeperOf(world).take(), { name: 'NoDiskSpace', message: /1000 bytes left, .* to take a snapshot/ });
  t.match(events, [{ type: 'snapshot_failed', message: /1000 bytes left/ }]);
  t.match(keeperOf(world).report, { failedCount: 1, isInProgress: false, newest: null });
  freeBytes = Number.MAX_SAFE_INTEGER;
  await play(world, 'behind');
  t.equal((await keeperOf(world).take()).isNew, true);
});

t.test('leftovers of an unfinished snapshot are swept away', async (t) => {
  const { folder, present } = await playedFolder(t);
  const before = await snapshotNames(folder);
  const left = join(folder, 'snapshots', '.partial-0000000000000999');
  await cp(join(folder, 'snapshots', before[0] ?? ''), left, { recursive: true });
  t.same(presentOf(await openFolder(t, folder)), present);
  t.same(await snapshotNames(folder), before);
});

/** Flips a bit in the middle of the rows of a snapshot. */
function damage(folder: string, seq: number): Promise<void> {
  return flipMiddle(join(folder, 'snapshots', snapshotName(seq), 'rows'));
}
