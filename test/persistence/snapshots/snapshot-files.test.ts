// Snapshots on disk: the contract of every store, and what is specific to files: names, flushes, leftovers of a dead
// writer.
import { chmod, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { NUMBER_MAX } from '../../../engine/rules/record-limits.js';
import { SNAPSHOT_FLUSH_BYTES, SNAPSHOT_MANIFEST_BYTES_MAX } from '../../../persistence/limits.js';
import { firstSeqOf } from '../../../persistence/log/lmdb/lmdb-segment.js';
import { SnapshotFolder } from '../../../persistence/snapshots/snapshot-files.js';
import { verifySnapshot } from '../../../persistence/snapshots/snapshot-reader.js';
import type { SnapshotFault } from '../../../persistence/snapshots/snapshot-store.js';
import { writeSnapshot } from '../../../persistence/snapshots/snapshot-writer.js';
import { fullScene } from '../../support/full-scene.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { chunksIn, manifestAt, put, testSnapshotStoreContract } from './snapshot-store-contract.js';

const NAME = 'snapshot-0000000000000007';

await testSnapshotStoreContract(t, async (t) => new SnapshotFolder(join(await temporaryFolder(t), 'snapshots')));

/** A folder with the snapshot of a small world, and the paths of its files. */
async function written(t: Test) {
  const folder = await temporaryFolder(t);
  const store = new SnapshotFolder(folder);
  const { engine } = fullScene().story;
  const manifest = await writeSnapshot({ engine, logHash: Buffer.alloc(16, 1), store, createdAtMs: 1 });
  const path = join(folder, `snapshot-${String(engine.seq).padStart(16, '0')}`);
  return { store, manifest, seq: engine.seq, path, rows: join(path, 'rows'), text: join(path, 'manifest.json') };
}

t.test('a snapshot is a folder with its rows and its manifest, readable only by its owner', async (t) => {
  const folder = join(await temporaryFolder(t), 'snapshots');
  await put(new SnapshotFolder(folder), 7, 2);
  t.same(await readdir(folder), [NAME]);
  t.same((await readdir(join(folder, NAME))).sort(), ['manifest.json', 'rows']);
  const { byteCount } = manifestAt(7, 2);
  t.equal((await stat(join(folder, NAME, 'rows'))).size, byteCount, 'the chunks and nothing else');
  if (process.platform === 'win32') return;
  const modes = [folder, join(folder, NAME), join(folder, NAME, 'rows'), join(folder, NAME, 'manifest.json')];
  t.same(await Promise.all(modes.map(async (path) => (await stat(path)).mode & 0o777)), [0o700, 0o700, 0o600, 0o600]);
});

t.test('a snapshot is durable with all of its names before it gets its final name', async (t) => {
  const folder = await temporaryFolder(t);
  const synced: string[][] = [];
  const sync = async (path: string): Promise<void> => void synced.push((await readdir(path)).sort());
  await put(new SnapshotFolder(folder, sync), 7, 1);
  t.same(synced, [['manifest.json', 'rows'], [NAME]]);
});

t.test('the rename for a removal is durable before anything is deleted', async (t) => {
  const folder = await temporaryFolder(t);
  const store = new SnapshotFolder(folder, async (path) => {
    const names = await readdir(path);
    if (names.some((name) => name.startsWith('.removed-'))) removed.push(...names);
  });
  const removed: string[] = [];
  await put(store, 7, 1);
  await store.remove(7);
  t.match(removed, [/^\.removed-snapshot-0000000000000007-/]);
  t.same(await readdir(folder), []);
});

t.test('leftovers of dead writers and removers are not listed, and are swept away', async (t) => {
  const folder = await temporaryFolder(t);
  const store = new SnapshotFolder(folder);
  await put(store, 7, 1);
  const unfinished = await store.begin(8);
  t.teardown(() => unfinished.abandon());
  await unfinished.append(Buffer.alloc(100));
  await mkdir(join(folder, '.removed-snapshot-0000000000000001-00'));
  for (const name of ['snapshot-9', 'snapshot-00000000000000009', 'notes.txt']) await writeFile(join(folder, name), '');
  t.same(await store.list(), [7]);
  t.equal((await readdir(folder)).filter((name) => name.startsWith('.')).length, 2);
  await store.sweep();
  t.same(
    (await readdir(folder)).sort(),
    ['notes.txt', 'snapshot-00000000000000009', NAME, 'snapshot-9'].sort(),
    'unknown files stay',
  );
});

t.test('if the name cannot be made durable, nothing is left of the snapshot', async (t) => {
  const folder = await temporaryFolder(t);
  const store = new SnapshotFolder(folder, async (path) => {
    if (path === folder) throw new Error('EIO');
  });
  const { engine } = fullScene().story;
  const order = { engine, logHash: Buffer.alloc(16), store, createdAtMs: 1 };
  await t.rejects(writeSnapshot(order), { name: 'SnapshotWriteFailed', message: /could not be written: EIO/ });
  t.same(await readdir(folder), []);
});

t.test('a long snapshot is flushed in steps, so that the log need not wait for all of it', async (t) => {
  const folder = await temporaryFolder(t);
  const probe = await open(join(folder, 'probe'), 'w');
  const flushes = t.capture(Object.getPrototypeOf(probe), 'datasync', Object.getPrototypeOf(probe).datasync);
  await probe.close();
  const sink = await new SnapshotFolder(folder).begin(7);
  for (let part = 0; part < 10; part += 1) await sink.append(Buffer.alloc(SNAPSHOT_FLUSH_BYTES / 4));
  await sink.abandon();
  t.equal(flushes().length, 2);
});

type FileFault = 'missing' | 'unreadable' | 'no_manifest' | 'damaged_manifest' | 'no_rows';
const damages: Record<FileFault, (files: Awaited<ReturnType<typeof written>>) => Promise<void>> = {
  missing: ({ path }) => rm(path, { recursive: true }),
  unreadable: async ({ rows }) => {
    await rm(rows);
    await mkdir(rows);
  },
  no_manifest: ({ text }) => rm(text),
  damaged_manifest: ({ text }) => writeFile(text, ' '.repeat(SNAPSHOT_MANIFEST_BYTES_MAX + 1)),
  no_rows: ({ rows }) => rm(rows),
};
for (const [fault, damage] of Object.entries(damages)) {
  t.test(`a snapshot is refused with ${fault}`, async (t) => {
    const files = await written(t);
    await damage(files);
    await t.rejects(verifySnapshot(files.store, files.seq), { name: 'SnapshotDamaged', seq: files.seq, fault });
  });
}

t.test('an unreadable folder is reported as such', { skip: process.getuid?.() === 0 }, async (t) => {
  const files = await written(t);
  await chmod(files.text, 0);
  await t.rejects(files.store.manifest(files.seq), { name: 'SnapshotDamaged', fault: 'unreadable', message: /EACCES/ });
});

t.test('rows that are cut at any byte are detected', async (t) => {
  const { store, seq, rows, manifest } = await written(t);
  const sound = await readFile(rows);
  t.equal(sound.length, manifest.byteCount);
  const faults = new Map<SnapshotFault | undefined, number>();
  for (let length = sound.length - 1; length >= 0; length -= 1) {
    await truncate(rows, length);
    const fault = await verifySnapshot(store, seq).then(
      () => undefined,
      (error) => error.fault as SnapshotFault,
    );
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
  }
  t.same(
    [...faults],
    [
      ['cut_short', sound.length - 1],
      ['wrong_counts', 1],
    ],
  );
});

t.test('a manifest that is cut at any byte is detected', async (t) => {
  const { store, seq, text } = await written(t);
  for (let length = (await stat(text)).size - 1; length >= 0; length -= 1) {
    await truncate(text, length);
    await t.rejects(store.manifest(seq), { name: 'SnapshotDamaged', fault: 'damaged_manifest' }, `at ${length}`);
  }
});

t.test('a chunk whose header exceeds the maximum size is not waited for', async (t) => {
  const { store, seq, rows } = await written(t);
  const bytes = await readFile(rows);
  bytes.writeUInt32BE(0xffff_ffff, 8);
  await writeFile(rows, bytes);
  t.equal((await chunksIn(store, seq)).length, 1, 'the rest comes as one');
  await t.rejects(verifySnapshot(store, seq), { name: 'SnapshotDamaged', fault: 'wrong_length' });
});

t.test('a name with a number that no seq can have is not that of a snapshot, nor that of a segment', (t) => {
  t.equal(SnapshotFolder.seqOf('snapshot-0999999999999999'), NUMBER_MAX);
  t.equal(SnapshotFolder.seqOf('snapshot-9999999999999999'), null);
  t.equal(firstSeqOf('log-0999999999999999'), NUMBER_MAX);
  t.equal(firstSeqOf('log-9999999999999999'), undefined);
  t.end();
});
