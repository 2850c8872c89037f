// A new data folder from another one: it appears whole or not at all, however it was interrupted, and whatever a
// running server does meanwhile.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { LINEAGE_GAP_MIN, NUMBER_MAX } from '../../../engine/rules/record-limits.js';
import { LINEAGE_SHARE } from '../../../persistence/limits.js';
import { makeNewFolder } from '../../../persistence/log/lmdb/new-folder.js';
import type { OpenWorld } from '../../../persistence/open-world.js';
import { type RecoveryProgress, recover } from '../../../persistence/recovery/recovery.js';
import { storeAt } from '../../../persistence/store-url.js';
import { lineageBase, restoreWorld } from '../../../persistence/upkeep/restore.js';
import { verifyWorld } from '../../../persistence/upkeep/verify.js';
import { createPlayers, durable, openFolder, snapshotOf } from '../../support/opened-world.js';
import { temporaryFolder } from '../support/temporary-folder.js';

async function comeBots(world: OpenWorld, namePrefix: string): Promise<void> {
  world.sequencer.submit(createPlayers(20, namePrefix));
  await durable(world);
}

t.test('interrupted at any step, a restore leaves nothing behind, not even the folders on the way', async (t) => {
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder);
  await comeBots(world, 'before');
  await snapshotOf(world);
  await comeBots(world, 'behind');
  const place = await temporaryFolder(t);
  const empty = join(place, 'empty');
  await mkdir(empty);
  for (const to of [join(place, 'some', 'where', 'new'), empty]) {
    let isDone = false;
    const steps = new Set<string>();
    for (let stepsLeft = 0; !isDone; stepsLeft += 1) {
      let left = stepsLeft;
      const onProgress: RecoveryProgress = (step) => {
        steps.add(step);
        if (left === 0) throw new Error('interrupted');
        left -= 1;
      };
      try {
        await restoreWorld({ kind: 'fork', source: { store: storeAt(folder) }, to: storeAt(to), onProgress });
        isDone = true;
      } catch {
        t.same(await readdir(place, { recursive: true }), ['empty']);
      }
    }
    t.same([...steps], ['rows', 'entries', 'written rows', 'verified rows']);
    t.same((await readdir(to)).sort(), ['log', 'origin.json', 'snapshots']);
    if (to !== empty) await rm(join(place, 'some'), { recursive: true });
  }
});

t.test('while it reads, the server may take snapshots and remove others', async (t) => {
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder);
  await comeBots(world, 'first');
  await snapshotOf(world);
  await comeBots(world, 'second');
  const { seq } = world.engine;
  const hash = world.engine.stateHash();
  const store = storeAt(folder);
  const log = await store.openLog();
  t.teardown(() => log.close());
  const { snapshots } = store;
  const chunks = snapshots.chunks.bind(snapshots);
  // It has begun with the newest snapshot, and the server takes another.
  snapshots.chunks = async function* (chosenSeq) {
    await comeBots(world, 'third');
    await snapshotOf(world);
    yield* chunks(chosenSeq);
  };
  const { engine } = await recover(log, snapshots);
  t.same([engine.seq, engine.stateHash()], [seq, hash], 'the state that was on disk when it began');
});

t.test('while it verifies, the server may take snapshots and remove others', async (t) => {
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder);
  for (const namePrefix of ['first', 'second']) {
    await comeBots(world, namePrefix);
    await snapshotOf(world);
  }
  const store = storeAt(folder);
  const { snapshots } = store;
  const list = snapshots.list.bind(snapshots);
  let lists = 0;
  // Between two reads of the list of snapshots the server takes two.
  snapshots.list = async () => {
    const seqs = await list();
    lists += 1;
    if (lists > 3) return seqs;
    await comeBots(world, `meanwhile-${lists}`);
    await snapshotOf(world);
    return seqs;
  };
  const found = await verifyWorld(store);
  t.equal(found.lastSeq, world.engine.seq);
  t.equal(found.stateHash, world.engine.stateHash());
});

t.test('a folder that is not empty is not overwritten, whenever it was filled', async (t) => {
  const place = await temporaryFolder(t);
  for (const name of ['missing', 'empty']) {
    const path = join(place, name);
    if (name === 'empty') await mkdir(path);
    const made = makeNewFolder(path, 'last', async (stage) => {
      await writeFile(join(stage, 'last'), '');
      await mkdir(path, { recursive: true });
      await writeFile(join(path, 'last'), 'of somebody else');
    });
    await t.rejects(made, { name: 'CannotCreate', message: /is not empty/ });
    t.same(await readdir(path), ['last']);
  }
  t.same((await readdir(place)).sort(), ['empty', 'missing']);
});

t.test('a base is drawn from a share of the numbers that are left, as long as there are enough', async (t) => {
  const share = Math.floor((NUMBER_MAX - 1_000) / LINEAGE_SHARE);
  t.equal(
    lineageBase(1_000, () => 0),
    1_000 + LINEAGE_GAP_MIN,
  );
  t.equal(
    lineageBase(1_000, (range) => range - 1),
    1_000 + LINEAGE_GAP_MIN + share - 1,
  );
  let highest = 1_000;
  for (let restores = 0; restores < 500; restores += 1) {
    const base = lineageBase(highest);
    t.ok(base >= highest + LINEAGE_GAP_MIN && base < NUMBER_MAX, `restore ${restores + 1}: ${base}`);
    highest = base;
  }
  const last = NUMBER_MAX - LINEAGE_GAP_MIN * LINEAGE_SHARE;
  t.ok(lineageBase(last) < NUMBER_MAX);
  t.throws(() => lineageBase(last + 1), { name: 'RestoreRefused', message: /too often/ });
});
