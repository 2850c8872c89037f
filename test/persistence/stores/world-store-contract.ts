// What every store of worlds must do: tests that the one on disk and the one in memory both pass. Its log and its
// snapshots have contracts of their own.
import type { Test } from 'tap';
import type { ReadableLog, StoredRecord } from '../../../persistence/log/log.js';
import { type OpenWorld, openWorld } from '../../../persistence/open-world.js';
import type { Origin } from '../../../persistence/stores/origin.js';
import type { WorldParts, WorldStore } from '../../../persistence/stores/world-store.js';
import { restoreWorld } from '../../../persistence/upkeep/restore.js';
import { takeSnapshot } from '../../../persistence/upkeep/snapshot-taking.js';
import { verifyWorld } from '../../../persistence/upkeep/verify.js';
import { appendRecords } from '../../support/log-writing.js';
import { soundRecord } from '../log/sound-record.js';

/** Returns a store that is still empty. */
export type NewStore = (t: Test) => Promise<WorldStore>;

export async function testWorldStoreContract(t: Test, newStore: NewStore): Promise<void> {
  await t.test('an empty store has no world, and one can be created', async (t) => {
    const store = await newStore(t);
    await t.rejects(store.requireWorld(), { name: 'NoWorld' });
    await t.rejects(takeSnapshot(store), { name: 'NoWorld' });
    await t.rejects(verifyWorld(store), { name: 'NoWorld' });
    await t.rejects(restoreWorld({ kind: 'fork', source: { store }, to: await newStore(t) }), { name: 'NoWorld' });
    t.equal(await store.origin(), null);
    t.same(await store.snapshots.list(), []);
    await store.requireFree();
    t.equal(await store.isInUse(), false);
  });

  await t.test('one process opens it at a time, and the next one finds what that process left', async (t) => {
    const store = await newStore(t);
    const first = await played(t, store);
    await t.rejects(store.open(), { name: 'WorldLocked' });
    t.equal(await store.isInUse(), true);
    const { seq } = first.engine;
    const hash = first.engine.stateHash();
    await first.close();
    t.equal(await store.isInUse(), false);
    await store.requireWorld();
    await t.rejects(store.requireFree(), { name: 'CannotCreate' });
    const second = await open(t, store);
    t.same([second.isNew, second.engine.seq, second.engine.stateHash()], [false, seq, hash]);
    await second.close();
    t.same(await verifyWorld(store).then(({ lastSeq, stateHash }) => [lastSeq, stateHash]), [seq, hash]);
  });

  await t.test('records of operators are kept in their order, and a document replaces the one before', async (t) => {
    const store = await newStore(t);
    const world = await played(t, store);
    const records = store.operatorRecords();
    t.same([await records.lines('actions'), await records.document()], [[], null]);
    const numbers = Array.from({ length: 20 }, (_, number) => `{"number":${number}}`);
    await Promise.all(numbers.map((line) => records.append('actions', line)));
    await records.append('refusals', '{"other":true}');
    const again = store.operatorRecords();
    t.same((await again.lines('actions')).toSorted(), numbers.toSorted());
    t.same(await again.lines('refusals'), ['{"other":true}']);
    for (const text of ['{"one":1}', '{}']) {
      await records.putDocument(text);
      t.equal(await again.document(), text);
    }
    await world.close();
  });

  await t.test('a release before the log was opened lets the next process in', async (t) => {
    const store = await newStore(t);
    const held = await store.open();
    await held.requireRoom();
    t.equal(held.freeSpace.isLow, false);
    await held.log.close();
    await held.release();
    await (await open(t, store)).close();
  });

  await t.test('others read, follow and take snapshots beside the process that has opened it', async (t) => {
    const store = await newStore(t);
    const world = await played(t, store);
    const log = await store.openLog();
    t.teardown(() => log.close());
    t.same((await log.last())?.firstSeq, world.engine.seq);
    const enough = new AbortController();
    const following = log.follow(world.engine.seq, enough.signal)[Symbol.asyncIterator]();
    const next = following.next();
    await play(world, 'later');
    t.match(await next, { done: false, value: { firstSeq: world.engine.seq } });
    enough.abort();
    t.match(await following.next(), { done: true });
    const { manifest } = await takeSnapshot(store);
    t.same([manifest.seq, manifest.stateHash], [world.engine.seq, world.engine.stateHash()]);
    t.same(await store.snapshots.list(), [manifest.seq]);
  });

  await t.test('one process at a time takes snapshots, and that is not the lock of the world', async (t) => {
    const store = await newStore(t);
    const world = await played(t, store);
    const lock = await store.lockSnapshots();
    await t.rejects(store.lockSnapshots(), { name: 'SnapshotInProgress' });
    await t.rejects(takeSnapshot(store), { name: 'SnapshotInProgress' });
    await world.close();
    await (await open(t, store)).close();
    await lock.release();
    t.equal((await takeSnapshot(store)).isNew, true);
  });

  await t.test(
    'a world that was created from another one has its state, its origin, and a future of its own',
    async (t) => {
      const store = await newStore(t);
      const world = await played(t, store);
      const to = await newStore(t);
      const origin = await restoreWorld({ kind: 'fork', source: { store }, to });
      const { seq } = world.engine;
      t.match(origin, { kind: 'fork', from: store.name, seq, stateHash: world.engine.stateHash() });
      t.same(await to.origin(), origin);
      const { base } = origin;
      t.same(await to.snapshots.list(), [base]);
      const fork = await open(t, to);
      t.same([fork.engine.seq, fork.engine.world.lineages.base, fork.origin], [base, base, origin]);
      await play(fork, 'of-the-fork');
      t.not(fork.engine.stateHash(), world.engine.stateHash());
      const again = restoreWorld({ kind: 'fork', source: { store }, to });
      await t.rejects(again, { name: 'CannotCreate' }, 'and is not overwritten');
      await fork.close();
      t.equal((await verifyWorld(to)).lastSeq, base + 1);
    },
  );

  await t.test('a world can be created out of records, and keeps the origin that it is given', async (t) => {
    const store = await newStore(t);
    const world = await played(t, store);
    const hash = world.engine.stateHash();
    await world.close();
    for (const origin of [null, ORIGIN]) {
      const to = await newStore(t);
      await to.create({ origin, write: (parts) => copyLog(store, parts) });
      t.same(await to.origin(), origin);
      t.equal((await verifyWorld(to)).stateHash, hash);
      const copy = await open(t, to);
      t.same([copy.isNew, copy.engine.stateHash()], [false, hash]);
      await play(copy, 'of-the-copy');
      await copy.close();
      await t.rejects(to.create({ origin, write: async () => void t.fail('it is not even begun') }), {
        name: 'CannotCreate',
      });
    }
  });

  await t.test('the log of a new world takes many records at once', async (t) => {
    const to = await newStore(t);
    const records = Array.from({ length: 300 }, (_, index) => soundRecord(2 * index + 1, 2));
    const write = async ({ log, requireRoom }: WorldParts): Promise<void> => {
      await requireRoom();
      const epoch = await log.acquire();
      const appends = records.map(({ firstSeq, bytes }) => {
        return { epoch, expectedSeq: firstSeq - 1, lastSeq: firstSeq + 1, bytes };
      });
      await log.appendAll(appends.slice(0, 200));
      await log.cut(epoch, 401);
      await log.appendAll(appends.slice(200));
      await log.appendAll([]);
      await t.rejects(log.appendAll(appends.slice(299)), { name: 'LogConflict' });
    };
    await to.create({ origin: null, write });
    const log = await to.openLog();
    t.same(await recordsOf(log), records);
    await log.close();
  });

  await t.test('a world that could not be created leaves nothing', async (t) => {
    const store = await newStore(t);
    await played(t, store);
    const to = await newStore(t);
    const onProgress = (step: string): void => {
      if (step === 'verified rows') throw new Error('interrupted');
    };
    await t.rejects(restoreWorld({ kind: 'fork', source: { store }, to, onProgress }), { message: /interrupted/ });
    const write = async (parts: WorldParts): Promise<void> => {
      await copyLog(store, parts);
      throw new Error('interrupted');
    };
    await t.rejects(to.create({ origin: null, write }), { message: 'interrupted' });
    await t.rejects(to.requireWorld(), { name: 'NoWorld' });
    await to.requireFree();
    t.same(await to.snapshots.list(), []);
    await restoreWorld({ kind: 'fork', source: { store }, to });
    await to.requireWorld();
  });
}

const ORIGIN: Origin = {
  kind: 'restore',
  from: 'elsewhere',
  seq: 5,
  base: 5_000_000_000,
  worldTime: '2030-01-01T00:00:00.000Z',
  stateHash: '0123456789abcdef',
  madeAt: '2026-11-23T00:00:00.000Z',
};

async function recordsOf(log: ReadableLog): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const stored of log.read(1)) records.push(stored);
  return records;
}

async function copyLog(store: WorldStore, { log: to, requireRoom }: WorldParts): Promise<void> {
  const log = await store.openLog();
  const records = await recordsOf(log);
  await log.close();
  await requireRoom();
  await appendRecords(to, records);
}

async function open(t: Test, store: WorldStore): Promise<OpenWorld> {
  const world = await openWorld({ store, clock: 'manual' });
  t.teardown(() => world.close());
  return world;
}

/** A new world with some players, open. */
async function played(t: Test, store: WorldStore): Promise<OpenWorld> {
  const world = await open(t, store);
  await play(world, 'before');
  return world;
}

async function play({ sequencer }: OpenWorld, namePrefix: string): Promise<void> {
  sequencer.submit({ type: 'create_players', count: 3, namePrefix, keyHashes: [], namePrefixKey: namePrefix });
  await new Promise<void>((resolve) => sequencer.holdUntilDurable(sequencer.lastSeq, { durable: resolve }));
}
