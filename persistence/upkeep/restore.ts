// Makes a new world from another one, or from a copied snapshot: the world as it was at some seq. It changes nothing in
// the source, and never overwrites anything.
import { randomBytes, randomInt } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Engine } from '../../engine/engine.js';
import { LINEAGE_GAP_MIN, NUMBER_MAX } from '../../engine/rules/record-limits.js';
import { LINEAGE_SHARE } from '../limits.js';
import type { RecoveryProgress } from '../recovery/recovery.js';
import type { ReplayEnd } from '../recovery/replay.js';
import { writeSnapshot } from '../snapshots/snapshot-writer.js';
import type { Origin } from '../stores/origin.js';
import type { WorldStore } from '../stores/world-store.js';
import { RestoreRefused, type RestoreSource, readSource } from './restore-source.js';

export interface RestoreOptions {
  readonly kind: Origin['kind'];
  readonly source: RestoreSource;
  /** Holds nothing yet. */
  readonly to: WorldStore;
  /** Where to stop. Defaults to the snapshot if one is named, else to the last durable entry. */
  readonly until?: ReplayEnd;
  readonly onProgress?: RecoveryProgress;
}

/**
 * Bytes of the random hash that the first record of the new log continues, so that no record of another log fits there.
 */
const NEW_CHAIN_BYTES = 16;

/**
 * Makes the new world atomically.
 *
 * @returns where the new world came from
 * @throws NoWorld, RestoreRefused, CannotCreate, RecoveryRefused, SnapshotDamaged, LogUnreadable, SnapshotWriteFailed,
 *   NoDiskSpace
 */
export async function restoreWorld(options: RestoreOptions): Promise<Origin> {
  const { source, to, until, onProgress } = options;
  await to.requireFree();
  const engine = await readSource(source, until, onProgress);
  const base = lineageBase(engine.highestNumber);
  const origin = originOf(options, engine, base);
  engine.beginLineage(base);
  const logHash = randomBytes(NEW_CHAIN_BYTES);
  await to.create({
    origin,
    write: async ({ snapshots, log, requireRoom }) => {
      const order = { engine, logHash, store: snapshots, createdAtMs: Date.now() };
      await writeSnapshot({ ...order, ...(onProgress === undefined ? {} : { onProgress }) });
      await requireRoom();
      await log.cut(await log.acquire(), engine.seq + 1);
    },
  });
  return origin;
}

/**
 * The base of the lineage that begins. Clients may have numbers of a past that is lost, and several worlds may go on from one state:
 * nobody knows the numbers of all of them. So it is random, from a range that is large against what a world ever counts. Each range is
 * a share of what is left, so that a world can be restored from a restored one again and again (decision 7).
 *
 * @param highest number of the world that goes on
 * @param draw returns a random integer from 0 to below its argument
 * @throws RestoreRefused if there are too few numbers left
 */
export function lineageBase(highest: number, draw: (range: number) => number = randomInt): number {
  const range = Math.floor((NUMBER_MAX - highest) / LINEAGE_SHARE);
  if (range < LINEAGE_GAP_MIN)
    throw new RestoreRefused('the world was restored or forked too often: its seqs and ids end');
  return highest + LINEAGE_GAP_MIN + draw(range);
}

function originOf({ kind, source: { store, snapshot } }: RestoreOptions, engine: Engine, base: number): Origin {
  return {
    kind,
    // A name and not a path: the status of a world is public.
    from: store?.name ?? (typeof snapshot === 'string' ? basename(resolve(snapshot)) : ''),
    seq: engine.seq,
    base,
    worldTime: new Date(engine.nowMs).toISOString(),
    stateHash: engine.stateHash(),
    madeAt: new Date().toISOString(),
  };
}
