// The content of a simulated store that several processes share, at the machine of the store: each call happens there at
// one instant, and what it has done is durable. It is the store in memory, with a witness.
import type { Append, StoredRecord } from '../../../persistence/log/log.js';
import { MemoryLog } from '../../../persistence/log/memory-log.js';
import type { Claim, Lease } from '../../../persistence/stores/leadership.js';
import { MemoryLeadership, noLease } from '../../support/stores/memory-leadership.js';
import { noContent } from '../../support/stores/memory-store.js';
import type { Stage } from '../stage.js';
import { require } from '../violation.js';
import type { SharedTruth } from './shared-truth.js';

/** No clock of a process is that much faster than the true time. */
const FASTEST_CLOCK = 1.05;

export class SharedStore {
  readonly #stage: Stage;
  readonly #truth: SharedTruth;
  readonly #lease = noLease(() => this.#stage.time.elapsedMs());
  readonly content = noContent(this.#lease);
  readonly log = new MemoryLog(this.content.records);
  readonly leadership = new MemoryLeadership(this.content.records, this.#lease, () => {
    throw new Error('the store does not open itself');
  });
  /** Called after each stored record. */
  readonly #listeners = new Set<() => void>();
  /** When the lease was last claimed or renewed. */
  #renewedAtMs = 0;

  constructor(stage: Stage, truth: SharedTruth) {
    this.#stage = stage;
    this.#truth = truth;
  }

  get lease(): Lease {
    return this.#lease.lease;
  }

  get lastSeq(): number {
    return this.content.records.lastSeq;
  }

  /** @returns a function that ends it */
  onStored(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Only a claim may raise the epoch. */
  acquire(): Promise<number> {
    require(false, () => `the log is acquired without the lease, which ${this.lease.leaderId} has`);
  }

  append(append: Append): Promise<void> {
    const { epoch, expectedSeq, lastSeq } = append;
    const before = this.lastSeq;
    const stored = this.log.append(append);
    const what = `the append of ${expectedSeq + 1}..${lastSeq} under epoch ${epoch}`;
    if (this.lastSeq > before) {
      this.#stage.tell(`${what} is stored`);
      this.#stage.count('appends: stored');
      this.#truth.stored(append);
      for (const listener of this.#listeners) listener();
    } else {
      const why = epoch === this.content.records.epoch ? 'conflict' : 'fenced';
      this.#stage.tell(`${what}: ${why}`);
      this.#stage.count(`appends: ${why}`);
    }
    return stored;
  }

  /** At most `limit` records, from the one that holds `fromSeq` on, and where the log begins. */
  page(fromSeq: number, limit: number): { firstSeq: number; records: readonly StoredRecord[] } {
    const { records } = this.content.records;
    const next = records.findIndex(({ firstSeq }) => firstSeq > fromSeq);
    const from = Math.max((next === -1 ? records.length : next) - 1, 0);
    return { firstSeq: this.log.firstSeq ?? 1, records: records.slice(from, from + limit) };
  }

  prune(epoch: number, keepFromSeq: number): Promise<void> {
    const standing = [...this.content.snapshots.stored.keys()].filter((seq) => seq + 1 >= keepFromSeq).length;
    const isFenced = epoch !== this.content.records.epoch;
    require(isFenced || standing >= 2, () => {
      return `the log is pruned up to seq ${keepFromSeq}, with ${standing} snapshots behind that`;
    });
    const { firstSeq } = this.log;
    const pruned = this.log.prune(epoch, keepFromSeq);
    if (this.log.firstSeq !== firstSeq) {
      this.#stage.tell(`the log is pruned before seq ${this.log.firstSeq}`);
      this.#stage.count('prunes');
    }
    return pruned;
  }

  claim(claim: Claim, seen: Lease): Promise<Lease | null> {
    const { epoch, beat, leaderId, leaseMs } = this.lease;
    const { id } = claim;
    const isLost = epoch !== seen.epoch || beat !== seen.beat;
    const ageMs = this.#stage.time.elapsedMs() - this.#renewedAtMs;
    const isFree = leaderId === null || leaderId === id || ageMs >= leaseMs / FASTEST_CLOCK;
    require(isLost || isFree, () => {
      return `${id} claims the lease of ${leaderId} ${ageMs} ms after it was renewed, and it holds for ${leaseMs} ms`;
    });
    const claimed = this.leadership.claim(claim, seen);
    this.#stage.count(isLost ? 'claims: lost' : leaderId === null ? 'claims: released' : 'claims: expired');
    if (isLost) return claimed;
    this.#renewedAtMs = this.#stage.time.elapsedMs();
    this.#stage.tell(`${id} claims the lease, epoch ${this.lease.epoch}; the log ends at ${this.lastSeq}`);
    return claimed;
  }

  renew(epoch: number): Promise<Lease> {
    if (epoch === this.content.records.epoch) this.#renewedAtMs = this.#stage.time.elapsedMs();
    else this.#stage.count('renewals: fenced');
    return this.leadership.renew(epoch);
  }

  release(epoch: number, successorId: string | null): Promise<void> {
    const isFenced = epoch !== this.content.records.epoch;
    this.#stage.tell(
      `the lease of epoch ${epoch} is released for ${successorId ?? 'anybody'}${isFenced ? ': fenced' : ''}`,
    );
    this.#stage.count(isFenced ? 'releases: fenced' : 'releases');
    return this.leadership.release(epoch, successorId);
  }
}
