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
      doubtfulFileSystem: null,
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

  async create({ origin, writeSnapshot }: WorldBeginning): Promise<void> {
    await this.requireFree();
    const { log, release } = await this.open();
    try {
      await writeSnapshot(this.snapshots);
      await log.cut(await log.acquire(), origin.seq + 1);
      this.#origin = origin;
    } catch (error) {
      for (const seq of await this.snapshots.list()) await this.snapshots.remove(seq);
      throw error;
    } finally {
      await release();
    }
  }

  async #holdsWorld(): Promise<boolean> {
    return this.#records.records.length > 0 || (await this.snapshots.list()).length > 0;
  }
}
