// A world that lives as long as its process: for tests, and for worlds that need not survive.
import { AMPLE_SPACE } from '../files/disk-space.js';
import { FOLLOW_POLL_MS } from '../limits.js';
import type { ReadableLog } from '../log/log.js';
import { MemoryLog, noRecords } from '../log/memory-log.js';
import { MemorySnapshots } from '../snapshots/memory-snapshots.js';
import type { Origin } from './origin.js';
import {
  CannotCreate,
  type HeldWorld,
  NoWorld,
  SnapshotInProgress,
  type StoreLock,
  type WorldBeginning,
  WorldLocked,
  type WorldStore,
} from './world-store.js';

export class MemoryStore implements WorldStore {
  readonly url = null;
  readonly label = 'memory';
  readonly name = 'memory';
  readonly leadership = null;
  /** Tests insert damaged ones. */
  readonly snapshots: MemorySnapshots = new MemorySnapshots();
  readonly #records = noRecords();
  #origin: Origin | null = null;
  #isOpen = false;
  #isTakingSnapshot = false;

  async requireWorld(): Promise<void> {
    if (!(await this.#holdsWorld())) throw new NoWorld('there is no world in memory');
  }

  async origin(): Promise<Origin | null> {
    return this.#origin;
  }

  async openLog(): Promise<ReadableLog> {
    return new MemoryLog(this.#records, FOLLOW_POLL_MS);
  }

  async open(): Promise<HeldWorld> {
    if (this.#isOpen) throw new WorldLocked('the world in memory is open already');
    this.#isOpen = true;
    return {
      log: new MemoryLog(this.#records),
      freeSpace: AMPLE_SPACE,
      warnings: [],
      requireRoom: async () => {},
      release: async () => {
        this.#isOpen = false;
      },
    };
  }

  async lockSnapshots(): Promise<StoreLock> {
    if (this.#isTakingSnapshot) throw new SnapshotInProgress(this.label);
    this.#isTakingSnapshot = true;
    return {
      release: async () => {
        this.#isTakingSnapshot = false;
      },
    };
  }

  async requireOwner(): Promise<void> {}

  async requireFree(): Promise<void> {
    if (await this.#holdsWorld())
      throw new CannotCreate('there is a world in memory, and galaxyd never overwrites anything');
  }

  async create({ origin, write }: WorldBeginning): Promise<void> {
    await this.requireFree();
    const { release } = await this.open();
    const snapshots = new MemorySnapshots();
    const records = noRecords();
    const log = new MemoryLog(records);
    try {
      await write({ snapshots, log, requireRoom: async () => {} });
      await log.close();
      for (const [seq, snapshot] of snapshots.stored) this.snapshots.stored.set(seq, snapshot);
      Object.assign(this.#records, records);
      this.#origin = origin;
    } finally {
      await release();
    }
  }

  async #holdsWorld(): Promise<boolean> {
    return this.#records.records.length > 0 || (await this.snapshots.list()).length > 0;
  }
}
