// A fixed snapshot of this format: it detects any change of the format, and every later version must still read it.
// After an intended change: `TAP_SNAPSHOT=1 npm test -- test/persistence/golden-snapshot.test.ts` writes it anew.
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Engine } from '../../engine/engine.js';
import type { Row } from '../../engine/rows.js';
import { SnapshotFolder } from '../../persistence/snapshots/snapshot-files.js';
import { readSnapshot, verifySnapshot } from '../../persistence/snapshots/snapshot-reader.js';
import { writeGoldenSnapshot } from './golden-files.js';
import { temporaryFolder } from './temporary-folder.js';

const GOLDEN = fileURLToPath(new URL('../../../test/golden/snapshots', import.meta.url));
const WORLD = fileURLToPath(new URL('../../../test/golden/engine-world.txt', import.meta.url));
const SEQ = 39;

/** The first world of engine-world.txt: its rows, and its hash. */
function goldenWorld(): { rows: Row[]; stateHash: string } {
  const lines = readFileSync(WORLD, 'utf8').split('\n\n')[0]?.split('\n') ?? [];
  return { rows: lines.slice(0, -1).map((line) => JSON.parse(line) as Row), stateHash: lines.at(-1) ?? '' };
}

/** Writes the snapshot that the golden one must be. @returns its name */
async function writeGolden(folder: string): Promise<string> {
  const loader = Engine.loader();
  for (const row of goldenWorld().rows) loader.add(row);
  return await writeGoldenSnapshot(folder, loader.finish());
}

t.test('the golden snapshot is the golden world', async (t) => {
  if (process.env['TAP_SNAPSHOT'] === '1') {
    await rm(GOLDEN, { recursive: true, force: true });
    await writeGolden(GOLDEN);
  }
  const { rows, stateHash } = goldenWorld();
  const store = new SnapshotFolder(GOLDEN);
  t.same(await store.list(), [SEQ]);
  const { engine, manifest } = await readSnapshot(store, SEQ);
  t.equal(engine.stateHash(), stateHash);
  t.equal(manifest.stateHash, stateHash);
  t.same([...engine.rows()], rows);
  t.same(await verifySnapshot(store, SEQ), manifest);
});

t.test('a snapshot of the golden world has the bytes of the golden snapshot', async (t) => {
  const folder = await temporaryFolder(t);
  const name = await writeGolden(folder);
  for (const file of ['manifest.json', 'rows']) {
    const [written, golden] = await Promise.all([folder, GOLDEN].map((path) => readFile(join(path, name, file))));
    t.equal(written?.toString('hex'), golden?.toString('hex'), file);
  }
});
