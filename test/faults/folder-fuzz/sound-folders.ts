// The sound data folders of which the fuzz makes unsound ones, made once per run by the program's own code: worlds of both shipped rule
// sets with everything in them, with their whole log, restored, and restored and played on.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenWorld } from '../../../persistence/open-world.js';
import { storeAt } from '../../../persistence/store-url.js';
import { restoreWorld } from '../../../persistence/upkeep/restore.js';
import { verifyWorld } from '../../../persistence/upkeep/verify.js';
import { fullScene, NEWCOMERS } from '../../support/full-scene.js';
import { durable, openFolder } from '../../support/opened-world.js';
import type { Owner } from '../../support/process/galaxyd-process.js';
import type { SnapshotWorld } from '../../support/process/snapshot-worlds.js';
import { chooseCommand, chooseWaitMs, seededChoice } from '../../support/random-play.js';
import { standard2Scene } from '../../support/standard-2-scene.js';
import { HOUR_MS, type WorldStory } from '../../support/world-story.js';
import { HistoryWriter } from '../../support/written-history.js';

/**
 * `whole`: its log begins with the genesis, in three segments, and there are two snapshots. `restored`: a snapshot, and no entry after
 * it. `continued`: a restored one with entries after the snapshot.
 */
export const FOLDER_KINDS = ['whole', 'restored', 'continued'] as const;
export type FolderKind = (typeof FOLDER_KINDS)[number];

export interface SoundFolder extends SnapshotWorld {
  readonly kind: FolderKind;
  readonly rules: string;
}

const SEGMENT_PREFIX = 'log-';
const RECORD_ENTRIES = 12;
const MOVES = 40;
const MOVES_PER_RECORD = 8;
const SCENES: Readonly<Record<string, () => WorldStory>> = {
  'standard-1': () => fullScene().story,
  'standard-2': standard2Scene,
};

/** @param place an empty folder */
export async function soundFolders(owner: Owner, place: string): Promise<SoundFolder[]> {
  const folders: SoundFolder[] = [];
  for (const [rules, scene] of Object.entries(SCENES)) {
    const story = scene();
    story.does(NEWCOMERS);
    const paths = Object.fromEntries(FOLDER_KINDS.map((kind) => [kind, join(place, `${rules}-${kind}`)]));
    const { whole = '', restored = '', continued = '' } = paths;
    await writeWhole(whole, story);
    for (const to of [restored, continued])
      await restoreWorld({ kind: 'restore', source: { store: storeAt(whole) }, to: storeAt(to) });
    const world = await openFolder(owner, continued);
    await playOn(world);
    await world.close();
    for (const kind of FOLDER_KINDS) folders.push({ kind, rules, ...(await described(paths[kind] ?? '')) });
  }
  return folders;
}

async function writeWhole(folder: string, { entries }: WorldStory): Promise<void> {
  const snapshotSeqs = [1, 2].map((third) => Math.floor((third * entries.length) / 3));
  const store = storeAt(folder);
  const writer = await HistoryWriter.open({ store, snapshotSeqs, recordEntries: RECORD_ENTRIES });
  await writer.write(entries);
  await writer.close();
}

async function playOn(world: OpenWorld): Promise<void> {
  const { engine, sequencer } = world;
  const choose = seededChoice(1);
  for (let move = 1; move <= MOVES; move += 1) {
    const { nowMs } = engine;
    sequencer.advanceTo(nowMs + Math.min(chooseWaitMs({ engine, nowMs }, choose), HOUR_MS));
    sequencer.submit(chooseCommand(engine.world, choose));
    if (move % MOVES_PER_RECORD === 0) await durable(world);
  }
  await durable(world);
}

/** @throws Error if the folder is not sound */
async function described(folder: string): Promise<SnapshotWorld> {
  const { lastSeq, stateHash, snapshots } = await verifyWorld(storeAt(folder));
  const names = (await readdir(join(folder, 'log'))).filter((name) => name.startsWith(SEGMENT_PREFIX));
  const segmentSeqs = names.map((name) => Number(name.slice(SEGMENT_PREFIX.length))).sort((one, other) => one - other);
  return { folder, lastSeq, stateHash, segmentSeqs, snapshotSeqs: snapshots.map(({ seq }) => seq) };
}
