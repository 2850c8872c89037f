// Makes a new world from another one, or from a copied snapshot: the world as it was at some seq. It changes nothing in
// the source, and never overwrites anything.
import { randomBytes } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Engine } from '../../engine/engine.js';
import type { RecoveryProgress } from '../recovery/recovery.js';
import type { ReplayEnd } from '../recovery/replay.js';
import { writeSnapshot } from '../snapshots/snapshot-writer.js';
import type { Origin } from '../stores/origin.js';
import type { WorldStore } from '../stores/world-store.js';
import { type RestoreSource, readSource } from './restore-source.js';

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
  const origin = originOf(options, engine);
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

function originOf({ kind, source: { store, snapshot } }: RestoreOptions, engine: Engine): Origin {
  return {
    kind,
    // A name and not a path: the status of a world is public.
    from: store?.name ?? (typeof snapshot === 'string' ? basename(resolve(snapshot)) : ''),
    seq: engine.seq,
    worldTime: new Date(engine.nowMs).toISOString(),
    stateHash: engine.stateHash(),
    madeAt: new Date().toISOString(),
  };
}
