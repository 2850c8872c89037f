// Where a world is kept, as the rest of persistence knows it: its log, its snapshots, where it came from, and the lock of the
// process that writes. A store is made from a URL (store-url.ts). It must stay free of any one store's ideas.
import type { FreeSpace } from '../files/disk-space.js';
import type { CommandLog, ReadableLog } from '../log/log.js';
import type { SnapshotStore } from '../snapshots/snapshot-store.js';
import type { Origin } from './origin.js';

/**
 * What every store does, embedded or remote, and what test/persistence/world-store-contract.ts holds each of them to. Making
 * one does nothing yet: a store may be empty, in use, or not there at all.
 */
export interface WorldStore {
  /** Makes the same store in another process; null if no other process can open it. */
  readonly url: string | null;
  /** What operators are told: where it is. */
  readonly label: string;
  /** What everybody may read of that, in the status of a world that was made from this one. */
  readonly name: string;
  /** Anybody may read them. Only the holder of lockSnapshots() sweeps, and takes one. */
  readonly snapshots: SnapshotStore;

  /** @throws NoWorld if there is neither a log nor a snapshot */
  requireWorld(): Promise<void>;

  /**
   * Reads where the world came from.
   *
   * @returns null for a world that began with its genesis
   * @throws OriginUnreadable
   */
  origin(): Promise<Origin | null>;

  /** Opens the log for reading, also beside the process that writes it. Changes and locks nothing. @throws LogUnreadable */
  openLog(): Promise<ReadableLog>;

  /**
   * Takes the world for this process alone. Makes the store if there is none, and clears away what unfinished snapshots have
   * left.
   *
   * @throws WorldLocked, NoDiskSpace, LogUnreadable
   */
  open(): Promise<HeldWorld>;

  /** Only one process at a time takes snapshots, whether it serves the world or not. @throws SnapshotInProgress */
  lockSnapshots(): Promise<StoreLock>;

  /** The user that serves the world must be able to remove what this process writes. @throws NotOwner */
  requireOwner(): Promise<void>;

  /** Tells ahead of create() that a world can be made here. @throws CannotCreate */
  requireFree(): Promise<void>;

  /**
   * Makes a world that begins with a snapshot. It appears whole or not at all, and nothing is written over.
   *
   * @throws CannotCreate, WorldLocked, NoDiskSpace, SnapshotWriteFailed
   */
  create(beginning: WorldBeginning): Promise<void>;
}

/** A world that this process alone may write. */
export interface HeldWorld {
  readonly log: CommandLog;
  readonly freeSpace: FreeSpace;
  /** Name of the file system, if it is one that may not keep what was promised; null for any other. */
  readonly doubtfulFileSystem: string | null;

  /** @throws NoDiskSpace if there is too little room to cut the log and take a snapshot */
  requireRoom(): Promise<void>;

  /** Lets others have the world. The log must be closed before. */
  release(): Promise<void>;
}

/** What a new world begins with. */
export interface WorldBeginning {
  readonly origin: Origin;
  /** Writes the one snapshot, of the seq in the origin. The log begins behind it. */
  writeSnapshot(snapshots: SnapshotStore): Promise<void>;
}

export interface StoreLock {
  release(): Promise<void>;
}

/** What was named as a world is none. */
export class NoWorld extends Error {
  override readonly name = 'NoWorld';
}

/** No world can be made there. */
export class CannotCreate extends Error {
  override readonly name = 'CannotCreate';
}

/** Another process serves the world. */
export class WorldLocked extends Error {
  override readonly name = 'WorldLocked';
}

/** The world is another user's. */
export class NotOwner extends Error {
  override readonly name = 'NotOwner';
}

/** Somebody else is taking a snapshot. */
export class SnapshotInProgress extends Error {
  override readonly name = 'SnapshotInProgress';

  /** @param label of what is being written to */
  constructor(label: string) {
    super(`another snapshot is being written to ${label}; try again when it is done`);
  }
}

/** The origin of a world cannot be read. */
export class OriginUnreadable extends Error {
  override readonly name = 'OriginUnreadable';
}
