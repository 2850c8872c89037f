// How a process joins a shared world: it recovers what the store holds, beside a leader that may write and prune meanwhile. If the
// store is empty, one of the processes claims the lease and writes the genesis; every process then begins as a standby.
import { Engine } from '../../engine/engine.js';
import { LEASE_POLL_MAX_MS, STANDBY_RECOVERIES_MAX } from '../limits.js';
import { type CommandLog, Fenced, LogConflict, StoreUnreachable } from '../log/log.js';
import { beginWorld, type ChosenSettings } from '../recovery/genesis.js';
import type { RecoveredWorld, RecoveryOptions, recover } from '../recovery/recovery.js';
import { RecoveryRefused } from '../recovery/replay.js';
import type { SnapshotStore } from '../snapshots/snapshot-store.js';
import type { Leadership, Lease } from '../stores/world-store.js';
import { beginningMs, type Clock, type TimeSource } from '../time/clock.js';
import { pause, type Scheduler } from '../time/scheduler.js';
import { LeaseWatch } from './lease-watch.js';

export interface JoiningParts {
  readonly id: string;
  /** Where clients will reach this process; '' if that is not known yet. */
  readonly url: string;
  readonly leaseMs: number;
  readonly leadership: Leadership;
  readonly log: CommandLog;
  readonly snapshots: SnapshotStore;
  readonly settings: ChosenSettings;
  readonly clockKind: Clock['kind'];
  readonly scheduler: Scheduler;
  readonly source: TimeSource;
  readonly recover: typeof recover;
  readonly options: Pick<RecoveryOptions, 'onProgress'>;
}

export interface JoinedWorld extends RecoveredWorld {
  /** Whether this process has written its genesis. */
  readonly isNew: boolean;
}

/** Recovers the world, after creating it if there is none. @throws StoreUnreachable, and as recover() and beginWorld() do */
export async function joinWorld(parts: JoiningParts): Promise<JoinedWorld> {
  const { leadership, source, id, scheduler } = parts;
  const watch = new LeaseWatch({ leadership, source, id });
  let isNew = false;
  for (;;) {
    const recovered = await recoverBeside(parts);
    if (recovered.engine.seq > 0) return { ...recovered, isNew };
    const lease = await watch.look();
    const { claimInMs } = watch;
    if (claimInMs === 0) {
      isNew = await createWorld(parts, lease);
    } else {
      await pause(scheduler, Math.min(claimInMs, LEASE_POLL_MAX_MS));
    }
  }
}

/** Recovers again if what was being read has been replaced meanwhile: the leader prunes its log and removes snapshots. */
async function recoverBeside(parts: JoiningParts): Promise<RecoveredWorld> {
  const { log, snapshots, recover, options } = parts;
  for (let attempt = 1; ; attempt += 1) {
    const before = await extentOf(parts);
    try {
      return await recover(log, snapshots, options);
    } catch (error) {
      if (!(error instanceof RecoveryRefused) || attempt === STANDBY_RECOVERIES_MAX) throw error;
      if ((await extentOf(parts)) === before) throw error;
    }
  }
}

/** Differs whenever something was pruned or a snapshot was added or removed. */
async function extentOf({ log, snapshots }: Pick<JoiningParts, 'log' | 'snapshots'>): Promise<string> {
  await log.refresh();
  return `${log.firstSeq} ${(await snapshots.list()).join(' ')}`;
}

/**
 * Writes the genesis under a claimed lease, and gives the lease back with a head start for this process.
 *
 * @returns false if another process was faster, or if that is unknown
 */
async function createWorld(parts: JoiningParts, seen: Lease): Promise<boolean> {
  const { id, url, leaseMs, leadership, log, settings, clockKind, source, scheduler } = parts;
  const lease = await leadership.claim({ id, url, leaseMs }, seen).catch((error: unknown) => {
    // The next look at the lease shows whether it is ours.
    if (error instanceof StoreUnreachable) return null;
    throw error;
  });
  if (lease === null) return false;
  try {
    // Another process may have created it, and given the lease back, before this one claimed it.
    await log.refresh();
    if (log.firstSeq !== undefined) return false;
    const startMs = beginningMs(clockKind, source);
    await beginWorld(Engine.create(), log, lease.epoch, settings, startMs, undefined, scheduler);
    return true;
  } catch (error) {
    if (error instanceof Fenced || error instanceof LogConflict) return false;
    throw error;
  } finally {
    // If it cannot be given back, it expires.
    await leadership.release(lease.epoch, id).catch(() => {});
  }
}
