// Where a world is kept, as the rest of persistence sees it: its log, its snapshots, its origin, the lock of the process that writes,
// and the lease of the one that leads. A store is made from a URL (store-url.ts). Nothing here may depend on one kind of store.
import type { FreeSpace } from '../files/disk-space.js';
import type { CommandLog, NewLog, ReadableLog } from '../log/log.js';
import type { SnapshotStore } from '../snapshots/snapshot-store.js';
import type { OperatorRecords } from './operator-records.js';
import type { Origin } from './origin.js';

/**
 * The contract of every store, embedded or remote, which test/persistence/stores/world-store-contract.ts checks. Constructing
 * one does nothing yet: a store may be empty, in use, or missing.
 */
export interface WorldStore {
  /** URL with which another process opens the same store; null if no other process can. */
  readonly url: string | null;
  /** Where it is, for operators. */
  readonly label: string;
  /** The public part of the label, shown in the status of worlds made from this one. */
  readonly name: string;
  /** Any process may read them. Only the holder of lockSnapshots() may sweep them or take one. */
  readonly snapshots: SnapshotStore;
  /** Lets several processes serve the world, of which one leads; null if only one process can open it. */
  readonly leadership: Leadership | null;

  /** @throws NoWorld if there is neither a log nor a snapshot */
  requireWorld(): Promise<void>;

  /**
   * Reads where the world came from.
   *
   * @returns null for a world that began with its genesis
   * @throws OriginUnreadable
   */
  origin(): Promise<Origin | null>;

  /** The records of its operators. Any process may read them; only those that serve the world write them. */
  operatorRecords(): OperatorRecords;

  /** Opens the log for reading, also beside the process that writes it. Changes and locks nothing. @throws LogUnreadable */
  openLog(): Promise<ReadableLog>;

  /**
   * Locks the world for this process. Creates the store if it is missing, and removes leftovers of unfinished
   * snapshots.
   *
   * @throws WorldLocked, NoDiskSpace, LogUnreadable
   */
  open(): Promise<HeldWorld>;

  /** Whether a process has the world open for writing now. Takes and changes nothing. */
  isInUse(): Promise<boolean>;

  /** Only one process at a time takes snapshots, whether it serves the world or not. @throws SnapshotInProgress */
  lockSnapshots(): Promise<StoreLock>;

  /** Checks that the user that serves the world can remove what this process writes. @throws NotOwner */
  requireOwner(): Promise<void>;

  /** Checks in advance that create() can make a world here. @throws CannotCreate */
  requireFree(): Promise<void>;

  /**
   * Creates a world out of what `beginning` writes. Atomic, and overwrites nothing.
   *
   * @throws CannotCreate, WorldLocked, NoDiskSpace, SnapshotWriteFailed, LogWriteFailed
   */
  create(beginning: WorldBeginning): Promise<void>;
}

/** A world that only this process may write. */
export interface HeldWorld {
  readonly log: CommandLog;
  readonly freeSpace: FreeSpace;
  /** Sentences for the operator: what could lose durable data here, and what to do about it. Usually none. */
  readonly warnings: readonly string[];

  /**
   * Must be called before the log is cut.
   *
   * @throws NoDiskSpace if there is too little room to cut the log and take a snapshot
   * @throws LogMisplaced
   */
  requireRoom(): Promise<void>;

  /** Unlocks the world. The log must be closed before. */
  release(): Promise<void>;
}

/** What a new world begins with. */
export interface WorldBeginning {
  /** Null for a copy of a world that began with its genesis. */
  readonly origin: Origin | null;
  /** Writes the log, the snapshots, or both. The world appears once it settles; if it fails, nothing is left of it. */
  write(parts: WorldParts): Promise<void>;
}

/** The empty parts of a world that is being created. */
export interface WorldParts {
  readonly snapshots: SnapshotStore;
  readonly log: NewLog;

  /** Must be called before the first write to the log. @throws NoDiskSpace if there is too little room to begin it */
  requireRoom(): Promise<void>;
}

export interface StoreLock {
  release(): Promise<void>;
}

/** A file of the log is not in its place any more, although it is open: no cut is made, and no command accepted. */
export class LogMisplaced extends Error {
  override readonly name = 'LogMisplaced';
}

/** The named place does not hold a world. */
export class NoWorld extends Error {
  override readonly name = 'NoWorld';
}

/** A world cannot be created there. */
export class CannotCreate extends Error {
  override readonly name = 'CannotCreate';
}

/** Another process serves the world. */
export class WorldLocked extends Error {
  override readonly name = 'WorldLocked';
}

/** The world belongs to another user. */
export class NotOwner extends Error {
  override readonly name = 'NotOwner';
}

/** Another process is taking a snapshot. */
export class SnapshotInProgress extends Error {
  override readonly name = 'SnapshotInProgress';

  /** @param label of the place that is being written to */
  constructor(label: string) {
    super(`another snapshot is being written to ${label}; try again when it is done`);
  }
}

/** The store refuses what is asked of it: wrong credentials, no permission, a format that is not known. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}

/** A process that serves a world of a shared store, as it reports itself. */
export interface MemberReport {
  /** Random, of this process alone. */
  readonly id: string;
  /** Where clients reach it. */
  readonly url: string;
  readonly role: 'leader' | 'standby';
  /** Seq of the last entry that it has applied. */
  readonly seq: number;
  /** Version of the program. */
  readonly version: string;
  /** Why it would not take over, as a sentence about its clock; null if it would. */
  readonly obstacle: string | null;
}

export interface Member extends MemberReport {
  /** Milliseconds since its last report, by the clock of the store. */
  readonly reportedAgoMs: number;
}

/** The lease as it is stored. */
export interface Lease {
  /** The log's epoch that its leader has acquired with it; 0 if nobody has led yet. */
  readonly epoch: number;
  /** Id of the process that leads; null if it has released the lease. */
  readonly leaderId: string | null;
  readonly leaderUrl: string | null;
  /** Differs after each claim, renewal and release. */
  readonly beat: number;
  /** How long it holds without a renewal. The process that claims it decides. */
  readonly leaseMs: number;
  /** Id of the process that is to lead next; null if no handover is wanted. */
  readonly wantedId: string | null;
}

/** What a process claims the lease with. */
export interface Claim {
  readonly id: string;
  readonly url: string;
  readonly leaseMs: number;
}

/**
 * Which of the processes that share a store leads its world. The lease says who is alive; what may be written is decided by the epoch
 * of the log alone (decision 8), so a mistake here costs availability and never data.
 *
 * The contract of every shared store, which test/persistence/stores/leadership-contract.ts checks. Every call settles within
 * LEASE_CALL_MAX_MS or is rejected.
 */
export interface Leadership {
  /** Opens the world beside other processes. Only the holder of the newest epoch can write to it. @throws LogUnreadable */
  openShared(): Promise<HeldWorld>;

  /** Reads the lease. @throws StoreUnreachable */
  read(): Promise<Lease>;

  /**
   * Claims the lease and raises the epoch of the log, in one step, if the lease is still the one that was seen. It waits
   * for an append in flight: its record is in the log afterwards, or never.
   *
   * @param seen what read() returned; another epoch or beat is a lost claim
   * @returns the new lease, durable; null if another process was faster
   * @throws StoreUnreachable the outcome is unknown: read() shows it
   */
  claim(claim: Claim, seen: Lease): Promise<Lease | null>;

  /**
   * Renews the lease.
   *
   * @returns the lease, which shows whether a handover is wanted
   * @throws Fenced if another process has acquired the log
   * @throws StoreUnreachable
   */
  renew(epoch: number): Promise<Lease>;

  /**
   * Gives the lease back. Does nothing if the epoch is out of date.
   *
   * @param successorId the process that is to lead next, if one is known: the others wait for the time of a lease before they claim
   * @throws StoreUnreachable
   */
  release(epoch: number, successorId: string | null): Promise<void>;

  /** Asks the leader to hand over to a process, or withdraws that with null. @throws StoreUnreachable */
  want(memberId: string | null): Promise<void>;

  /** Reports this process. @throws StoreUnreachable */
  report(report: MemberReport): Promise<void>;

  /** All processes that have reported within MEMBER_KEPT_MS. @throws StoreUnreachable */
  members(): Promise<readonly Member[]>;

  /** Removes a process that ends. @throws StoreUnreachable */
  leave(memberId: string): Promise<void>;

  /** Closes connections that these calls use. */
  close(): Promise<void>;
}
