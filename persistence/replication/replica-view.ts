// What the layers that serve the world see of the role of their process, and who is notified when it changes.

import type { Member } from '../stores/world-store.js';
import type { TimeSource } from '../time/clock.js';

/** The present role, as the process itself knows it; see Replica. */
export interface RoleState
  extends Pick<Replica, 'role' | 'epoch' | 'leaderUrl' | 'mayAnswer' | 'leaseAgeMs' | 'members'> {
  /** Seq of the last entry that was applied. */
  readonly seq: number;
  /** Milliseconds for which a standby has not reached the store; 0 if it reaches it. */
  readonly cutOffMs: number;
  /** What else a listener of changes must learn of. */
  readonly refusal: string | null;
}

export class ReplicaView implements Replica {
  readonly id: string;
  readonly #source: Pick<TimeSource, 'elapsedMs'>;
  readonly #state: () => RoleState;
  readonly #changeListeners = new Set<() => void>();
  readonly #appliedListeners = new Set<() => void>();
  /** The state of which the listeners of changes were last notified. */
  #notified = '';
  /** The last seq that the leader has reported. */
  #newestKnownSeq = 0;
  #behindSinceMs: number | null = null;

  constructor(id: string, source: Pick<TimeSource, 'elapsedMs'>, state: () => RoleState) {
    this.id = id;
    this.#source = source;
    this.#state = state;
  }

  get role(): Replica['role'] {
    return this.#state().role;
  }

  get epoch(): number {
    return this.#state().epoch;
  }

  get leaderUrl(): string | null {
    return this.#state().leaderUrl;
  }

  get mayAnswer(): boolean {
    return this.#state().mayAnswer;
  }

  get leaseAgeMs(): number | null {
    return this.#state().leaseAgeMs;
  }

  get members(): readonly Member[] {
    return this.#state().members;
  }

  get lag(): Replica['lag'] {
    const { role, seq, cutOffMs } = this.#state();
    const entries = role === 'leader' ? 0 : Math.max(this.#newestKnownSeq - seq, 0);
    const sinceMs = entries === 0 ? null : this.#behindSinceMs;
    const behindMs = sinceMs === null ? 0 : this.#source.elapsedMs() - sinceMs;
    return { entries, ms: Math.max(behindMs, cutOffMs) };
  }

  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => {
      this.#changeListeners.delete(listener);
    };
  }

  onApplied(listener: () => void): () => void {
    this.#appliedListeners.add(listener);
    return () => {
      this.#appliedListeners.delete(listener);
    };
  }

  /** Something may have changed. */
  changed(): void {
    const { role, epoch, leaderUrl, mayAnswer, refusal } = this.#state();
    const state = [role, epoch, leaderUrl, mayAnswer, refusal].join(' ');
    if (state === this.#notified) return;
    this.#notified = state;
    for (const listener of this.#changeListeners) listener();
  }

  /** A record was applied that another process has written. */
  applied(): void {
    this.#noteLag();
    for (const listener of this.#appliedListeners) listener();
  }

  reported(members: readonly Member[]): void {
    this.#newestKnownSeq = Math.max(0, ...members.filter(({ role }) => role === 'leader').map(({ seq }) => seq));
    this.#noteLag();
  }

  #noteLag(): void {
    if (this.#newestKnownSeq <= this.#state().seq) this.#behindSinceMs = null;
    else this.#behindSinceMs ??= this.#source.elapsedMs();
  }
}

/**
 * A process that serves a world of a shared store. All values are those of now: `mayAnswer` reads the clock each time,
 * because a process that was stopped in between learns of it from nothing else.
 */
export interface Replica {
  /** Id of this process, random. */
  readonly id: string;
  readonly role: 'leader' | 'standby';
  /** Epoch of the present leader, as far as known; 0 if nobody has led. */
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
