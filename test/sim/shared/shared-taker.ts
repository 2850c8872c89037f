// Takes snapshots of a shared world beside the process that leads it. Outside of the simulation this is a process of its own,
// with its own connection to the store.
import { type SnapshotRequest, type TakenSnapshot, takeFrom } from '../../../persistence/upkeep/snapshot-taking.js';
import type { SnapshotTaker } from '../../../persistence/upkeep/snapshot-worker.js';
import { LinkedSnapshots } from './linked-leadership.js';
import { LinkedLog } from './linked-log.js';
import type { ProcessLoop } from './process-loop.js';
import type { SharedStore } from './shared-store.js';
import type { StoreLink } from './store-link.js';

export class SharedTaker implements SnapshotTaker {
  #kill: (() => void) | undefined;

  constructor(
    private readonly store: SharedStore,
    private readonly link: StoreLink,
    private readonly loop: ProcessLoop,
  ) {}

  async take(request: Required<SnapshotRequest>): Promise<TakenSnapshot> {
    const killed = new Promise<never>((_, reject) => {
      this.#kill = () => reject(new Error('the process that takes snapshots was killed'));
    });
    const log = new LinkedLog(this.store, this.link, this.loop);
    try {
      return await Promise.race([killed, takeFrom(log, new LinkedSnapshots(this.store, this.link), request)]);
    } finally {
      this.#kill = undefined;
      await log.close();
    }
  }

  stop(): void {
    this.#kill?.();
  }
}
