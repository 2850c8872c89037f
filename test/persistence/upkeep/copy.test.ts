// A copy is the world that was copied: every byte, from any store to any other, also beside a process that writes. The
// tests of faults show that the verification at its end can fail.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { recordHash } from '../../../persistence/log/batch-record.js';
import { type Append, type NewLog, type StoredRecord, StoreUnreachable } from '../../../persistence/log/log.js';
import { encodeManifest } from '../../../persistence/snapshots/snapshot-codec.js';
import { storeAt } from '../../../persistence/store-url.js';
import type { WorldBeginning, WorldStore } from '../../../persistence/stores/world-store.js';
import { type CopiedWorld, type CopyOptions, copyWorld, type FollowState } from '../../../persistence/upkeep/copy.js';
import { restoreWorld } from '../../../persistence/upkeep/restore.js';
import { verifyWorld } from '../../../persistence/upkeep/verify.js';
import { until } from '../../http/support/waiting.js';
import { altered } from '../../support/altered.js';
import { chooseCommand, chooseWaitMs, seededChoice, settleBots } from '../../support/random-play.js';
import { MemoryStore } from '../../support/stores/memory-store.js';
import { WorldStory } from '../../support/world-story.js';
import { HistoryWriter, type WrittenHistory } from '../../support/written-history.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const entries = playedStory().entries;
const length = entries.length;
const [FIRST, SECOND] = [Math.floor(length / 3), Math.floor((2 * length) / 3)];
const SNAPSHOT_SEQS = [FIRST, SECOND];

function playedStory(): WorldStory {
  const story = new WorldStory();
  const choose = seededChoice(3);
  settleBots(story, 2);
  for (let move = 0; move < 100; move += 1) {
    story.advance(chooseWaitMs(story, choose));
    story.attempt(chooseCommand(story.world, choose));
  }
  return story;
}

const inFolder = async (t: Test): Promise<WorldStore> =>
  storeAt(join(await temporaryFolder(t), 'world'), { diskFloorBytes: 1 });

/** A writer that has written up to a seq. */
async function writing(store: WorldStore, seq = length, options: Partial<WrittenHistory> = {}): Promise<HistoryWriter> {
  const writer = await HistoryWriter.open({ store, snapshotSeqs: SNAPSHOT_SEQS, ...options });
  await writer.write(entries.slice(0, seq));
  return writer;
}

async function written<Store extends WorldStore>(store: Store): Promise<Store> {
  await (await writing(store)).close();
  return store;
}

function copied(from: WorldStore, to: WorldStore, options: Partial<CopyOptions> = {}): Promise<CopiedWorld> {
  return copyWorld({ from, to, signal: new AbortController().signal, ...options });
}

/** Everything that a store holds, as bytes. */
async function bytesOf(store: WorldStore): Promise<unknown> {
  const log = await store.openLog();
  const records: StoredRecord[] = [];
  for await (const { firstSeq, bytes } of log.read(1)) records.push({ firstSeq, bytes: Buffer.from(bytes) });
  const { firstSeq } = log;
  await log.close();
  const snapshots = [];
  for (const seq of await store.snapshots.list()) {
    const chunks: Buffer[] = [];
    for await (const chunk of store.snapshots.chunks(seq)) chunks.push(Buffer.from(chunk));
    snapshots.push({ seq, manifest: encodeManifest(await store.snapshots.manifest(seq)), chunks });
  }
  return { firstSeq, records, snapshots, origin: await store.origin() };
}

async function isNothing(t: Test, store: WorldStore): Promise<void> {
  await t.rejects(store.requireWorld(), { name: 'NoWorld' });
  await store.requireFree();
  t.same(await store.snapshots.list(), []);
}

t.test('a copy has every byte of its source', async (t) => {
  const folder = await written(await inFolder(t));
  const there = new MemoryStore();
  const progress: string[] = [];
  const result = await copied(folder, there, { onProgress: (step) => progress.push(step) });
  t.same(await bytesOf(there), await bytesOf(folder), 'from a folder to another kind of store');
  const back = await inFolder(t);
  t.match(await copied(there, back), { stateHash: result.stateHash, recordHash: result.recordHash });
  t.same(await bytesOf(back), await bytesOf(folder), 'and back');
  const log = await folder.openLog();
  const newest = await log.last();
  await log.close();
  const { stateHash } = await verifyWorld(folder);
  t.match(result, {
    lastSeq: length,
    stateHash,
    recordHash: recordHash(newest?.bytes ?? Buffer.of()).toString('hex'),
    snapshotSeqs: SNAPSHOT_SEQS,
    isSourceInUse: false,
    switchMs: null,
  });
  const steps = ['copied bytes', 'copied entries', 'rows', 'entries', 'verified rows'];
  t.same([...new Set(progress)].sort(), steps.sort());
});

t.test('a copy of a copy, a pruned world, a restored one and one without snapshots', async (t) => {
  const pruned = await inFolder(t);
  const writer = await writing(pruned);
  await writer.log.prune(writer.epoch, FIRST + 1);
  await writer.close();
  const restored = await inFolder(t);
  await restoreWorld({ kind: 'restore', source: { store: pruned }, to: restored });
  const bare = new MemoryStore();
  await (await writing(bare, length, { snapshotSeqs: [] })).close();
  for (const from of [pruned, restored, bare]) {
    const to = await inFolder(t);
    await copied(from, to);
    const again = new MemoryStore();
    await copied(to, again);
    t.same(await bytesOf(again), await bytesOf(from));
    t.same(await verifyWorld(again), await verifyWorld(from));
  }
  t.not(await restored.origin(), null);
});

t.test('the log of a copy can be pruned where its snapshots are', async (t) => {
  const to = await inFolder(t);
  await copied(await written(new MemoryStore()), to);
  const { log, release } = await to.open();
  await log.prune(await log.acquire(), SECOND + 1);
  t.equal(log.firstSeq, SECOND + 1);
  await log.close();
  await release();
});

t.test('nothing is overwritten, and there must be a world', async (t) => {
  const from = await written(new MemoryStore());
  await t.rejects(copied(from, await written(await inFolder(t))), { name: 'CannotCreate' });
  await t.rejects(copied(new MemoryStore(), await inFolder(t)), { name: 'NoWorld' });
});

t.test('beside a process that writes, it copies what is durable, and says so', async (t) => {
  const from = await inFolder(t);
  const writer = await writing(from, SECOND + 10);
  const to = new MemoryStore();
  t.match(await copied(from, to), { lastSeq: SECOND + 10, isSourceInUse: true });
  await writer.write(entries);
  await writer.close();
  t.equal((await verifyWorld(to)).lastSeq, SECOND + 10);
});

t.test('it follows a process that writes, and ends with it: nothing is missing', async (t) => {
  const from = await inFolder(t);
  const writer = await writing(from, FIRST);
  const to = await inFolder(t);
  let followedSeq = 0;
  const following = copied(from, to, {
    follow: {
      onReport: ({ seq }) => {
        followedSeq = seq;
      },
    },
  });
  for (let seq = FIRST; seq < length - 30; seq += 30) {
    await until(() => followedSeq >= seq);
    await writer.write(entries.slice(0, seq + 30));
  }
  await isNothing(t, to);
  await writer.write(entries);
  await writer.close();
  const result = await following;
  t.match(result, { lastSeq: length, isSourceInUse: false, switchMs: Number });
  t.same(await recordsOf(to), await recordsOf(from));
  t.same((await verifyWorld(to)).stateHash, (await verifyWorld(from)).stateHash);
  await (await to.open()).release();
});

async function recordsOf(store: WorldStore): Promise<unknown> {
  const { records } = (await bytesOf(store)) as { records: unknown };
  return records;
}

t.test('it has the server stopped once it has caught up, and holds the source until the copy is there', async (t) => {
  const from = await written(new MemoryStore());
  const writer = await from.open();
  const to = new MemoryStore();
  const states: FollowState[] = [];
  let stops = 0;
  const stopServer = async (): Promise<void> => {
    stops += 1;
    t.equal(states.at(-1), 'following', 'only after the verification');
    await until(() => states.at(-1) === 'stopping');
    await writer.release();
  };
  const create = to.create.bind(to);
  to.create = async (beginning: WorldBeginning) => {
    await create(beginning);
    await t.rejects(from.open(), { name: 'WorldLocked' }, 'no server can start on the source before');
  };
  await copied(from, to, { follow: { stopServer, onReport: ({ state }) => states.push(state) } });
  t.equal(stops, 1);
  await (await from.open()).release();
});

t.test('another process takes over from the one that was stopped: it goes on following', async (t) => {
  const from = await written(new MemoryStore());
  const first = await from.open();
  const states: FollowState[] = [];
  let second = first;
  const stopServer = async (): Promise<void> => {
    await first.release();
    second = await from.open();
  };
  const following = copied(from, new MemoryStore(), {
    follow: { stopServer, onReport: ({ state }) => states.push(state) },
  });
  await until(() => states.at(-1) === 'in_use');
  await second.release();
  t.match(await following, { lastSeq: length });
});

t.test('the server cannot be stopped: the copy fails, and leaves nothing', async (t) => {
  const from = await inFolder(t);
  const writer = await writing(from);
  const to = await inFolder(t);
  const stopServer = async (): Promise<void> => {
    throw new Error('permission denied');
  };
  await t.rejects(copied(from, to, { follow: { stopServer, onReport: () => {} } }), { message: 'permission denied' });
  await isNothing(t, to);
  await writer.close();
});

t.test('a source that does not answer for a while is asked again', async (t) => {
  const from = await written(new MemoryStore());
  const writer = await from.open();
  const states: FollowState[] = [];
  const isInUse = from.isInUse.bind(from);
  let isCutOff = false;
  from.isInUse = async () => {
    if (isCutOff) throw new StoreUnreachable('it does not answer');
    return await isInUse();
  };
  const openLog = from.openLog.bind(from);
  from.openLog = async () => {
    const log = await openLog();
    log.refresh = async () => {
      if (isCutOff) throw new StoreUnreachable('it does not answer');
    };
    return log;
  };
  const following = copied(from, new MemoryStore(), { follow: { onReport: ({ state }) => states.push(state) } });
  await until(() => states.length > 0);
  isCutOff = true;
  await until(() => states.at(-1) === 'unreachable');
  isCutOff = false;
  await until(() => states.at(-1) === 'following');
  await writer.release();
  t.match(await following, { lastSeq: length });
});

t.test('interrupted at any step, it leaves nothing', async (t) => {
  const from = await written(new MemoryStore());
  let steps = 0;
  await copied(from, new MemoryStore(), {
    onProgress: () => {
      steps += 1;
    },
  });
  t.ok(steps > 8);
  for (let last = 1; last <= steps; last += 1) {
    const interruption = new AbortController();
    const to = last === 5 ? await inFolder(t) : new MemoryStore();
    let left = last;
    const onProgress = (): void => {
      left -= 1;
      if (left === 0) interruption.abort(new Error('interrupted'));
    };
    const copy = copied(from, to, { onProgress, signal: interruption.signal });
    // After the last step there is nothing left to interrupt.
    if (last < steps) await t.rejects(copy, { message: 'interrupted' });
    else await copy;
    if (last < steps) await isNothing(t, to);
  }
  const writer = await from.open();
  const interruption = new AbortController();
  const to = await inFolder(t);
  const onReport = (): void => interruption.abort(new Error('interrupted'));
  await t.rejects(copied(from, to, { follow: { onReport }, signal: interruption.signal }), { message: 'interrupted' });
  await isNothing(t, to);
  await writer.release();
});

t.test('an incomplete newest record, which was never acknowledged, is not copied', async (t) => {
  const from = new MemoryStore();
  const writer = await writing(from);
  const newest = (await writer.log.last())?.bytes ?? Buffer.of();
  await writer.log.append({
    ...{ epoch: writer.epoch, expectedSeq: length, lastSeq: length + 1 },
    bytes: newest.subarray(0, newest.length - 3),
  });
  await writer.close();
  const to = await inFolder(t);
  t.match(await copied(from, to), { lastSeq: length });
  t.match(await verifyWorld(to), { lastSeq: length });
});

t.test('a damaged source is refused, and nothing is left', async (t) => {
  const flip = (bytes: Uint8Array): Uint8Array => {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(flipped.length - 9) ^ 1, flipped.length - 9);
    return flipped;
  };
  const inSnapshot = await written(new MemoryStore());
  const kept = inSnapshot.snapshots.stored.get(FIRST);
  if (kept !== undefined) inSnapshot.snapshots.stored.set(FIRST, { ...kept, chunks: kept.chunks.map(flip) });
  const inLog = new MemoryStore();
  const writer = await writing(inLog, SECOND);
  const sound = (await writer.log.last())?.bytes ?? Buffer.of();
  await writer.log.append({ epoch: writer.epoch, expectedSeq: SECOND, lastSeq: SECOND + 1, bytes: flip(sound) });
  await writer.close();
  for (const [from, name] of [
    [inSnapshot, 'SnapshotDamaged'],
    [inLog, 'RecoveryRefused'],
  ] as const) {
    const to = await inFolder(t);
    await t.rejects(copied(from, to), { name });
    await isNothing(t, to);
  }
});

t.test('a snapshot with a hole behind its chunks is refused before the hole is written', async (t) => {
  const from = await written(new MemoryStore());
  const kept = from.snapshots.stored.get(FIRST);
  if (kept === undefined) throw new Error('there is no snapshot');
  from.snapshots.stored.set(FIRST, { ...kept, chunks: [...kept.chunks, Buffer.alloc(1_000), Buffer.alloc(1_000)] });
  const soundBytes = kept.chunks.reduce((sum, { length }) => sum + length, 0);
  const copiedBytes: number[] = [];
  const to = await inFolder(t);
  const onProgress: CopyOptions['onProgress'] = (step, done) => {
    if (step === 'copied bytes') copiedBytes.push(done);
  };
  await t.rejects(copied(from, to, { onProgress }), { name: 'SnapshotDamaged', fault: 'wrong_counts' });
  t.equal(Math.max(...copiedBytes), soundBytes);
  await isNothing(t, to);
});

/** A store that writes a new world wrongly. */
function faulty(append: (log: NewLog, appends: readonly Append[]) => Promise<void>): MemoryStore {
  const to = new MemoryStore();
  return altered(to, {
    create: ({ origin, write }) =>
      to.create({
        origin,
        write: (parts) => {
          const log = altered(parts.log, { appendAll: (appends) => append(parts.log, appends) });
          return write({ ...parts, log });
        },
      }),
  });
}

t.test('a store that loses or changes what it stores is found out', async (t) => {
  const from = await written(new MemoryStore());
  const losesTheEnd = faulty((log, appends) =>
    log.appendAll(appends.at(-1)?.lastSeq === length ? appends.slice(0, -1) : appends),
  );
  await t.rejects(copied(from, losesTheEnd), { name: 'CopyDiffers' });
  const swapsARecord = faulty((log, appends) => {
    const [first] = appends;
    return log.appendAll(appends.map((each) => ({ ...each, bytes: first?.bytes ?? each.bytes })));
  });
  await t.rejects(copied(from, swapsARecord), { name: 'RecoveryRefused' });
  for (const to of [losesTheEnd, swapsARecord]) await isNothing(t, to);
});

t.test('the server removes a snapshot and prunes its log during the copy', async (t) => {
  const from = new MemoryStore();
  const writer = await writing(from);
  const prune = async (seq: number): Promise<void> => {
    await from.snapshots.remove(FIRST);
    await writer.log.prune(writer.epoch, seq + 1);
  };
  const { openLog } = from;
  from.openLog = async () => {
    from.openLog = openLog;
    await prune(SECOND);
    return await from.openLog();
  };
  const to = new MemoryStore();
  t.match(await copied(from, to), { lastSeq: length, snapshotSeqs: [SECOND] }, 'it copies what is left');
  t.equal((await verifyWorld(to)).entryCount, length - SECOND);
  await writer.close();
});

t.test('the server prunes what was not copied yet', async (t) => {
  const from = new MemoryStore();
  const writer = await writing(from, FIRST + 5);
  const to = new MemoryStore();
  let isBehind = false;
  const openLog = from.openLog.bind(from);
  from.openLog = async () => {
    from.openLog = openLog;
    const log = await openLog();
    const refresh = log.refresh.bind(log);
    // The network between the copy and the source hangs.
    log.refresh = async () => {
      if (isBehind) await until(() => !isBehind);
      await refresh();
    };
    return log;
  };
  const following = copied(from, to, {
    follow: {
      onReport: () => {
        isBehind = true;
      },
    },
  });
  following.catch(() => {});
  await until(() => isBehind);
  await writer.write(entries);
  await writer.log.prune(writer.epoch, SECOND + 1);
  isBehind = false;
  await t.rejects(following, {
    name: 'CopyRefused',
    message: /deleted its log from seq \d+ to \d+ before it was copied/,
  });
  await isNothing(t, to);
  await writer.close();
});
