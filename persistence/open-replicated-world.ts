// Opens a world of a store that several processes share. The command line and tests call it.
import { randomUUID } from 'node:crypto';
import { killProcess } from './fatal.js';
import type { OpenWorldOptions } from './open-world.js';
import { ReplicatedWorld } from './replication/replicated-world.js';
import type { RoleEvent } from './replication/role-event.js';
import { SnapshotWorker } from './upkeep/snapshot-worker.js';

export interface OpenReplicatedWorldOptions extends OpenWorldOptions {
  /** Of the program, for the other processes. */
  readonly version: string;
  /** Where clients reach this process, if that is known already. */
  readonly url?: string;
  /** How long its lease holds without a renewal; LEASE_MS by default. */
  readonly leaseMs?: number;
  /** Called for each change of the role. */
  readonly onRoleEvent?: (event: RoleEvent) => void;
}

/**
 * Joins the world in a shared store as a standby, or creates it there. Call enter() of the world once clients can reach it: then the
 * process leads if nobody else does.
 *
 * @throws StoreUnreachable, RecoveryRefused, LogUnreadable, SettingsMismatch, OriginUnreadable, ClockJump
 * @throws TypeError if the store is not shared
 */
export async function openReplicatedWorld(options: OpenReplicatedWorldOptions): Promise<ReplicatedWorld> {
  const { store, clock, onFatal = killProcess, ...others } = options;
  const { leadership, url, snapshots } = store;
  if (leadership === null) throw new TypeError(`${store.label} can be opened by one process only`);
  return await ReplicatedWorld.open({
    ...others,
    ...(clock === undefined ? {} : { clockKind: clock }),
    leadership,
    snapshots,
    taker: url === null ? null : () => new SnapshotWorker(url),
    origin: await store.origin(),
    id: randomUUID(),
    onFatal,
  });
}
