// Worlds that a test opens in its own process, with a clock that stands still.
import type { Test } from 'tap';
import type { CommandNamed } from '../../engine/commands/table.js';
import {
  type OpenWorld,
  type OpenWorldOptions,
  openWorld,
  type ReplacedWorldParts,
} from '../../persistence/open-world.js';
import { storeAt } from '../../persistence/store-url.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';
import { takeSnapshot } from '../../persistence/upkeep/snapshot-taking.js';
import type { SnapshotTaker } from '../../persistence/upkeep/snapshot-worker.js';

/** Takes snapshots in this process: starting another one takes longer than most snapshots. */
const takerOf = (store: WorldStore): SnapshotTaker => ({
  take: (request) => takeSnapshot(store, request),
  stop: () => {},
});

/** Opens the world in a data folder until the test ends. */
export async function openFolder(
  t: Pick<Test, 'teardown'>,
  folder: string,
  options: Partial<OpenWorldOptions & ReplacedWorldParts> = {},
): Promise<OpenWorld> {
  const store = options.store ?? storeAt(folder, { diskFloorBytes: 1 });
  const world = await openWorld({ clock: 'manual', taker: takerOf(store), ...options, store });
  t.teardown(() => world.close());
  return world;
}

/** Waits until everything that was submitted is on disk. */
export function durable({ sequencer }: Pick<OpenWorld, 'sequencer'>): Promise<void> {
  return new Promise((resolve) => void sequencer.holdUntilDurable(sequencer.lastSeq, { durable: resolve }));
}

/** A command that creates bots without keys. */
export function createPlayers(count: number, namePrefix: string): CommandNamed<'create_players'> {
  return { type: 'create_players', count, namePrefix, keyHashes: [], namePrefixKey: namePrefix };
}

/** Takes a snapshot of the present state. @returns its seq */
export async function snapshotOf({ snapshots }: OpenWorld): Promise<number> {
  if (snapshots === null) throw new Error('no snapshots are taken of this world');
  return (await snapshots.take()).manifest.seq;
}
