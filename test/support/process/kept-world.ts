// A world with two snapshots and a pruned log, and its state hash at every seq, so that restores can be checked against
// the original states.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { create } from '../command-words.js';
import { durable, openFolder, snapshotOf } from '../opened-world.js';
import { testSettings } from '../test-rules.js';
import { HOUR_MS } from '../world-story.js';

export interface KeptWorld {
  readonly folder: string;
  /** Seqs of its two snapshots, ascending; the log contains the entries after the older one. */
  readonly snapshotSeqs: readonly [number, number];
  /** State hashes by seq, of the world that was played. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly lastSeq: number;
}

const ROUNDS = ['first', 'second', 'third'];
const BOTS_A_ROUND = 4;

/** The same world in a folder of its own. */
export async function copyOf(t: Test, world: KeptWorld): Promise<KeptWorld> {
  const folder = join(await temporaryFolder(t), 'world');
  await cp(world.folder, folder, { recursive: true });
  return { ...world, folder };
}

/** Creates bots in rounds of an hour, with a snapshot after each, and closes the world. */
export async function keptWorld(t: Test): Promise<KeptWorld> {
  const folder = await temporaryFolder(t);
  const world = await openFolder(t, folder, { settings: testSettings() });
  const { engine, sequencer } = world;
  const hashes = new Map<number, string>();
  const snapshotSeqs: number[] = [];
  const note = async (): Promise<void> => {
    await durable(world);
    hashes.set(engine.seq, engine.stateHash());
  };
  const comeBots = async (round: string): Promise<void> => {
    for (let number = 1; number <= BOTS_A_ROUND; number += 1) {
      sequencer.submit(create(`${round}-${number}`, true));
      await note();
    }
  };
  for (const round of ROUNDS) {
    await comeBots(round);
    sequencer.advanceTo(engine.nowMs + HOUR_MS);
    await note();
    snapshotSeqs.push(await snapshotOf(world));
  }
  await comeBots('last');
  const lastSeq = engine.seq;
  const [, older = 0, newer = 0] = snapshotSeqs;
  await world.close();
  return { folder, snapshotSeqs: [older, newer], hashes, lastSeq };
}
