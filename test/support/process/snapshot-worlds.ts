// Worlds with a past, created in this process with the parts of the server: some snapshots, some segments of the log,
// and their seqs.
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Static } from 'typebox';
import type { StateHash } from '../../../http/schemas/world.js';
import { type OpenWorld, openWorld } from '../../../persistence/open-world.js';
import { storeAt } from '../../../persistence/store-url.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { testSettings } from '../test-rules.js';
import { Client } from './client.js';
import { ADMIN_KEY } from './operator.js';

/** A closed world: two snapshots, three segments, and some log after the newest snapshot. Its clock is manual. */
export interface SnapshotWorld {
  readonly folder: string;
  /** Of its last state. */
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
const RESEARCH_MS = 120_000;

/**
 * @returns a world from which `snapshots` snapshots were taken. The two newest exist, with two segments of the log
 * after the newest one.
 */
export async function worldWithSnapshots(t: Test, options: SnapshotWorldOptions = {}): Promise<SnapshotWorld> {
  const { seed = 1, snapshots = 2, crowd = 1_000 } = options;
  const folder = join(await temporaryFolder(t), 'world');
  const world = await openWorld({
    store: storeAt(folder, { diskFloorBytes: 1 }),
    settings: testSettings({ seed }),
    clock: 'manual',
  });
  const taken: number[] = [];
  const cuts = [1];
  world.sequencer.submit({
    type: 'create_players',
    count: crowd,
    namePrefix: 'crowd',
    keyHashes: [],
    namePrefixKey: 'crowd',
  });
  for (let snapshot = 1; snapshot <= snapshots; snapshot += 1) {
    await play(world, `bot-${snapshot}`);
    const { manifest } = (await world.snapshots?.take()) ?? {};
    if (manifest === undefined) throw new Error('the world has no snapshots');
    taken.push(manifest.seq);
    cuts.push(manifest.seq + 1);
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
  const durable = (): Promise<void> =>
    new Promise((resolve) => sequencer.holdUntilDurable(sequencer.lastSeq, { durable: resolve }));
  sequencer.submit({
    type: 'create_players',
    count: BOTS_AT_ONCE,
    namePrefix,
    keyHashes: [],
    namePrefixKey: namePrefix,
  });
  await durable();
  const { playerCount } = engine.world;
  for (let playerNumber = playerCount - BOTS_AT_ONCE + 1; playerNumber <= playerCount; playerNumber += 1) {
    sequencer.submit({ type: 'start_research', playerNumber, researchType: 0 });
    if (playerNumber % 5 === 0) await durable();
  }
  sequencer.advanceTo(engine.nowMs + RESEARCH_MS / 2);
  await durable();
}

/** The state hash that a server reports. */
export async function hashOf(url: string): Promise<string> {
  const client = new Client(url, ADMIN_KEY);
  try {
    const { status, body } = await client.get<Static<typeof StateHash>>('/api/admin/state-hash');
    if (status !== 200) throw new Error(`the state hash is answered with ${status}`);
    return body.hash;
  } finally {
    client.close();
  }
}
