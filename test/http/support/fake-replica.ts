// The role of a process, as a test sets it.

import type { Replica } from '../../../persistence/replication/replica-view.js';
import type { Member } from '../../../persistence/stores/world-store.js';

export const LEADER_URL = 'http://leader.example:8080';

/** What a test sets. */
interface Role extends Pick<Replica, 'role' | 'leaderUrl' | 'mayAnswer' | 'lag'> {
  readonly isHandingOver: boolean;
}

export class FakeReplica implements Replica {
  readonly id = 'this-process';
  readonly epoch = 3;
  readonly leaseAgeMs = 120;
  readonly members: readonly Member[] = [
    {
      id: 'this-process',
      url: LEADER_URL,
      role: 'leader',
      seq: 7,
      version: '1.0.0',
      obstacle: null,
      reportedAgoMs: 40.2,
    },
    {
      id: 'another',
      url: 'http://standby.example',
      role: 'standby',
      seq: 6,
      version: '1.0.0',
      obstacle: null,
      reportedAgoMs: 90,
    },
  ];
  role: Replica['role'] = 'leader';
  leaderUrl: string | null = LEADER_URL;
  mayAnswer = true;
  lag = { entries: 0, ms: 0 };
  isHandingOver = false;
  readonly #onChange = new Set<() => void>();
  readonly #onApplied = new Set<() => void>();

  becomes(role: Partial<Role>): void {
    Object.assign(this, role);
    for (const listener of this.#onChange) listener();
  }

  applied(): void {
    for (const listener of this.#onApplied) listener();
  }

  onChange(listener: () => void): () => void {
    this.#onChange.add(listener);
    return () => void this.#onChange.delete(listener);
  }

  onApplied(listener: () => void): () => void {
    this.#onApplied.add(listener);
    return () => void this.#onApplied.delete(listener);
  }
}
