// A world that lives as long as its process: for tests, and for worlds that need not survive.
import { AMPLE_SPACE } from '../../../persistence/files/disk-space.js';
import type { ReadableLog } from '../../../persistence/log/log.js';
import { MemoryLog, type MemoryRecords, noRecords } from '../../../persistence/log/memory-log.js';
import { MemoryOperatorRecords, type OperatorRecords } from '../../../persistence/stores/operator-records.js';
import type { Origin } from '../../../persistence/stores/origin.js';
import {
  CannotCreate,
  type HeldWorld,
  type Leadership,
  NoWorld,
  SnapshotInProgress,
  type StoreLock,
  type WorldBeginning,
  WorldLocked,
  type WorldStore,
} from '../../../persistence/stores/world-store.js';
import { MemoryLeadership, type MemoryLease } from './memory-leadership.js';
import { MemorySnapshots } from './memory-snapshots.js';

/** The content of a store in memory. Several stores with the same content act as those of several processes. */
export interface MemoryContent {
  readonly records: MemoryRecords;
  /** Tests insert damaged ones. */
  readonly snapshots: MemorySnapshots;
  /** Null if only one process can open it. */
  readonly lease: MemoryLease | null;
  readonly operatorRecords: OperatorRecords;
  origin: Origin | null;
  isOpen: boolean;
  isTakingSnapshot: boolean;
}

/** @param lease lets several processes open it; null by default */
export function noContent(lease: MemoryLease | null = null): MemoryContent {
  const snapshots = new MemorySnapshots();
  const operatorRecords = new MemoryOperatorRecords();
  return {
    records: noRecords(),
    snapshots,
    operatorRecords,
    lease,
    origin: null,
    isOpen: false,
    isTakingSnapshot: false,
  };
}

export class MemoryStore implements WorldStore {
  readonly url = null;
  readonly label = 'memory';
  readonly name = 'memory';
  readonly leadership: Leadership | null;
  readonly snapshots: MemorySnapshots;
  readonly #content: MemoryContent;

  constructor(content: MemoryContent = noContent()) {
    const { records, lease, snapshots } = content;
    this.#content = content;
    this.snapshots = snapshots;
    this.leadership = lease && new MemoryLeadership(records, lease, async () => this.#held());
  }

  async requireWorld(): Promise<void> {
    if (!(await this.#holdsWorld())) throw new NoWorld('there is no world in memory');
  }

  operatorRecords(): OperatorRecords {
    return this.#content.operatorRecords;
  }

  async origin(): Promise<Origin | null> {
    return this.#content.origin;
  }

  async openLog(): Promise<ReadableLog> {
    return new MemoryLog(this.#content.records);
  }

  async open(): Promise<HeldWorld> {
    if (this.#content.isOpen) throw new WorldLocked('the world in memory is open already');
    this.#content.isOpen = true;
    const release = async (): Promise<void> => {
      this.#content.isOpen = false;
    };
    return { ...this.#held(), release };
  }

  async isInUse(): Promise<boolean> {
    return this.#content.isOpen;
  }

  async lockSnapshots(): Promise<StoreLock> {
    if (this.#content.isTakingSnapshot) throw new SnapshotInProgress(this.label);
    this.#content.isTakingSnapshot = true;
    return {
      release: async () => {
        this.#content.isTakingSnapshot = false;
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
      const { followers } = this.#content.records;
      Object.assign(this.#content.records, records, { followers });
      this.#content.origin = origin;
    } finally {
      await release();
    }
  }

  #held(): HeldWorld {
    return {
      log: new MemoryLog(this.#content.records),
      freeSpace: AMPLE_SPACE,
      warnings: [],
      requireRoom: async () => {},
      release: async () => {},
    };
  }

  async #holdsWorld(): Promise<boolean> {
    return this.#content.records.records.length > 0 || (await this.snapshots.list()).length > 0;
  }
}
