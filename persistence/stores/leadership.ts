// Which of the processes that share a store leads its world. The lease says who is alive; what may be written is decided
// by the epoch of the log alone (decision 8), so a mistake here costs availability and never data.
import type { HeldWorld } from './world-store.js';

/** A process that serves a world of a shared store, as it reports itself. */
export interface MemberReport {
  /** Random, of this process alone. */
  readonly id: string;
  /** Where clients reach it. */
  readonly url: string;
  readonly role: 'leader' | 'standby';
  /** Seq of the last entry that it has applied. */
  readonly seq: number;
  /** Of the program. */
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
