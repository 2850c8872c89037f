// Worlds with a past, created in this process with the parts of the server: some snapshots, some segments of the log,
// and their seqs.
import { join } from 'node:path';
import type { Test } from 'tap';
import type { OpenWorld } from '../../../persistence/open-world.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { createPlayers, durable, openFolder, snapshotOf } from '../opened-world.js';
import { testSettings } from '../test-rules.js';
import { Client } from './client.js';
import { ADMIN_KEY, stateOf } from './operator.js';

/** A closed world: two snapshots, three segments, and some log after the newest snapshot. Its clock is manual. */
export interface SnapshotWorld {
  readonly folder: string;
  /** Hash of its last state. */
  readonly stateHash: string;
  readonly lastSeq: number;
  /** Ascending. */
  readonly snapshotSeqs: readonly number[];
  /** First seqs of its segments, ascending. */
  readonly segmentSeqs: readonly number[];
}

export interface SnapshotWorldOptions {
  /** 1 by default. */
  readonly seed?: number;
  readonly snapshots?: number;
  /** Minimum number of players in a snapshot. */
  readonly crowd?: number;
}

const BOTS_AT_ONCE = 20;
/** One command creates no more. */
const PLAYERS_AT_ONCE_MAX = 10_000;
const RESEARCH_MS = 120_000;

/**
 * @returns a world from which `snapshots` snapshots were taken. The two newest exist, with two segments of the log
 * after the newest one.
 */
export async function worldWithSnapshots(t: Test, options: SnapshotWorldOptions = {}): Promise<SnapshotWorld> {
  const { seed = 1, snapshots = 2, crowd = 1_000 } = options;
  const folder = join(await temporaryFolder(t), 'world');
  const world = await openFolder(t, folder, { settings: testSettings({ seed }) });
  const taken: number[] = [];
  const cuts = [1];
  for (let left = crowd; left > 0; left -= PLAYERS_AT_ONCE_MAX) {
    world.sequencer.submit(createPlayers(Math.min(left, PLAYERS_AT_ONCE_MAX), `crowd-${left}`));
  }
  for (let snapshot = 1; snapshot <= snapshots; snapshot += 1) {
    await play(world, `bot-${snapshot}`);
    const seq = await snapshotOf(world);
    taken.push(seq);
    cuts.push(seq + 1);
  }
  await play(world, 'behind');
  cuts.push((await world.sequencer.cut()) + 1);
  await play(world, 'last');
  const { seq: lastSeq } = world.engine;
  const stateHash = world.engine.stateHash();
  await world.close();
  const snapshotSeqs = taken.slice(-2);
  const keptFrom = snapshots < 2 ? 1 : (snapshotSeqs[0] ?? 0) + 1;
  return { folder, stateHash, lastSeq, snapshotSeqs, segmentSeqs: cuts.filter((seq) => seq >= keptFrom) };
}

/** Adds some bots, each with something under way, in several records. */
async function play(world: OpenWorld, namePrefix: string): Promise<void> {
  const { sequencer, engine } = world;
  sequencer.submit(createPlayers(BOTS_AT_ONCE, namePrefix));
  await durable(world);
  const { playerCount } = engine.world;
  for (let playerNumber = playerCount - BOTS_AT_ONCE + 1; playerNumber <= playerCount; playerNumber += 1) {
    sequencer.submit({ type: 'start_research', playerNumber, researchType: 0 });
    if (playerNumber % 5 === 0) await durable(world);
  }
  sequencer.advanceTo(engine.nowMs + RESEARCH_MS / 2);
  await durable(world);
}

/** The state hash that a server reports. */
export async function hashOf(url: string): Promise<string> {
  const client = new Client(url, ADMIN_KEY);
  try {
    return (await stateOf(client)).hash;
  } finally {
    client.close();
  }
}
