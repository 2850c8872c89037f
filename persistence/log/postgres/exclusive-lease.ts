// The lease of a process that has a world in PostgreSQL for itself: taken once, renewed until it is released. Appends need no
// lease, so a renewal that fails changes nothing here: the epoch of the log keeps a second writer out.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { EXCLUSIVE_LEASE_POLLS, LEASE_MS, LEASE_RENEWALS } from '../../limits.js';
import type { Leadership, Lease } from '../../stores/leadership.js';
import { WorldLocked } from '../../stores/world-store.js';
import { Fenced } from '../log.js';

export class ExclusiveLease {
  readonly #leadership: Leadership;
  /** The newest epoch that this process has acquired. */
  readonly #epochOf: () => number;
  readonly #alarm: NodeJS.Timeout;
  #renewal: Promise<unknown> = Promise.resolve();
  #isHeld = true;

  private constructor(leadership: Leadership, epochOf: () => number) {
    this.#leadership = leadership;
    this.#epochOf = epochOf;
    this.#alarm = setInterval(() => this.#renew(), LEASE_MS / LEASE_RENEWALS).unref();
  }

  /**
   * Takes the lease. If another process holds it, waits for as long as it lasts without a renewal.
   *
   * @param acquiredEpoch the newest epoch of the log that this process has acquired since
   * @throws WorldLocked if it is renewed meanwhile
   * @throws StoreUnreachable
   */
  static async take(leadership: Leadership, label: string, acquiredEpoch: () => number): Promise<ExclusiveLease> {
    const seen = await expired(leadership, label);
    const claimed = await leadership.claim({ id: randomUUID(), url: '', leaseMs: LEASE_MS }, seen);
    if (claimed === null) throw new WorldLocked(`another process has just opened the world in ${label}`);
    return new ExclusiveLease(leadership, () => Math.max(claimed.epoch, acquiredEpoch()));
  }

  async release(): Promise<void> {
    clearInterval(this.#alarm);
    await this.#renewal;
    // If that fails, the lease expires.
    if (this.#isHeld) await this.#leadership.release(this.#epochOf(), null).catch(() => {});
    await this.#leadership.close();
  }

  #renew(): void {
    this.#renewal = this.#leadership.renew(this.#epochOf()).catch((error: unknown) => {
      if (!(error instanceof Fenced)) return;
      this.#isHeld = false;
      clearInterval(this.#alarm);
    });
  }
}

/** Waits until nobody holds the lease. */
async function expired(leadership: Leadership, label: string): Promise<Lease> {
  const first = await leadership.read();
  if (first.leaderId === null && first.wantedId === null) return first;
  for (let look = 0; look < EXCLUSIVE_LEASE_POLLS; look += 1) {
    await delay(first.leaseMs / EXCLUSIVE_LEASE_POLLS);
    const lease = await leadership.read();
    if (lease.beat === first.beat) continue;
    const where = lease.leaderUrl === null || lease.leaderUrl === '' ? '' : ` at ${lease.leaderUrl}`;
    if (lease.leaderId !== null) throw new WorldLocked(`the world in ${label} is led by another process${where}`);
    return lease;
  }
  return first;
}
