// The store of a run as the simulation sees it, whether it is the disk of one process or shared by several.
import type { Engine } from '../../engine/engine.js';
import type { ReadableLog } from '../../persistence/log/log.js';
import type { Replica } from '../../persistence/replication/replica-view.js';
import type { SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';
import type { SnapshotKeeper } from '../../persistence/upkeep/snapshot-keeper.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { VirtualScheduler } from '../support/virtual-scheduler.js';
import type { SimulatedProcess } from './process.js';

export interface SimulatedStore {
  /** Schedulers of the machines that the store consists of, besides those of the processes. */
  readonly schedulers: readonly VirtualScheduler[];
  /** How processes replace each other; null for a store that one process can open. */
  readonly failover: Failover | null;
  /** A process begins. */
  connect(process: SimulatedProcess): StoreAccess;
  /** No more faults, and nothing that was late arrives any more. */
  endFaults(): void;
  /** The manifests of all complete snapshots, by seq. */
  readonly manifests: Iterable<readonly [seq: number, manifest: Uint8Array | undefined]>;
  /** Opens its content for reading, without delays. */
  open(): { readonly log: ReadableLog; readonly snapshots: SnapshotStore };
}

export interface Failover {
  /** How long a leader leads after its death, at most. */
  readonly leaseMs: number;
  /** The operator wants another leader. */
  want(processId: string): void;
}

/** The way of one process to its store. */
export interface StoreAccess {
  /** Opens the world as the program does. */
  open(): Promise<OpenedWorld>;
  /** Called if the process has nothing to do. @throws Violation if it must have ended */
  checkIdle(): void;
  /** Why a process may end itself with an error, for the counters; undefined if there was no reason. */
  reasonFor(error: unknown): string | undefined;
  /** The process has ended. */
  end(): void;
}

/** A world that a process has opened. */
export interface OpenedWorld {
  readonly engine: Engine;
  readonly sequencer: ServedSequencer;
  /** Null if no other process can serve the world. */
  readonly replica: Replica | null;
  readonly snapshots: Pick<SnapshotKeeper, 'take' | 'report'> | null;
  /** Begins to serve it. */
  enter(): Promise<unknown>;
  /** An orderly stop, as the program does it. */
  close(): Promise<void>;
}
