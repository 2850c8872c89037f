// What a process of a shared store knows of its role, for the layers that serve the world.
import type { Member } from '../stores/leadership.js';

/**
 * A process that serves a world of a shared store. All values are those of now: `mayAnswer` reads the clock each time,
 * because a process that was stopped in between learns of it from nothing else.
 */
export interface Replica {
  /** Of this process, random. */
  readonly id: string;
  readonly role: 'leader' | 'standby';
  /** Of the present leader, as far as known; 0 if nobody has led. */
  readonly epoch: number;
  /** Where clients reach the leader; null if nobody leads now, as far as known. */
  readonly leaderUrl: string | null;
  /** False for a leader that cannot be sure that it still leads, and while a process begins to lead. */
  readonly mayAnswer: boolean;
  /** Milliseconds since the last renewal (leader), or since a new beat was seen (standby); null before the first. */
  readonly leaseAgeMs: number | null;
  /**
   * How far a standby is behind the store: entries that it knows of and has not applied, and for how long it has been behind, or
   * has not reached the store. Zeros on the leader.
   */
  readonly lag: { readonly entries: number; readonly ms: number };
  /** All processes that reported lately. */
  readonly members: readonly Member[];

  /** Calls the listener after role, leader or mayAnswer has changed. @returns a function that ends it */
  onChange(listener: () => void): () => void;

  /** Calls the listener after the last seq of a standby has grown. @returns a function that ends it */
  onApplied(listener: () => void): () => void;
}
