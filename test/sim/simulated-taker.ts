// Takes snapshots beside a simulated server. Outside of the simulation this is a process of its own; here its program
// runs on the same clock, and it can be killed.
import type { ReadableLog } from '../../persistence/log/log.js';
import type { SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';
import type { SnapshotRequest, TakenSnapshot } from '../../persistence/upkeep/snapshot-taking.js';
import type { SnapshotTaker } from '../../persistence/upkeep/snapshot-worker.js';
import type { Parts } from './parts.js';
import type { SimulatedDisk } from './simulated-disk.js';
import { SimulatedLogReader } from './simulated-log-reader.js';
import { SimulatedSnapshots } from './simulated-snapshots.js';
import type { Stage } from './stage.js';
import type { Device, VirtualScheduler } from './virtual-scheduler.js';

export class SimulatedTaker implements SnapshotTaker {
  readonly #disk: SimulatedDisk;
  readonly #scheduler: VirtualScheduler;
  readonly #stage: Stage;
  readonly #parts: Parts;
  #kill: (() => void) | undefined;
  /** Whether one has ended for another reason than what it read: killed, or by a failed write. */
  #hadReason = false;

  constructor(disk: SimulatedDisk, scheduler: VirtualScheduler, stage: Stage, parts: Parts) {
    this.#disk = disk;
    this.#scheduler = scheduler;
    this.#stage = stage;
    this.#parts = parts;
  }

  /** Whether the last snapshot had a reason to fail in the process that took it. */
  get hadReason(): boolean {
    return this.#hadReason;
  }

  async take(request: Required<SnapshotRequest>): Promise<TakenSnapshot> {
    let isKilled = false;
    const device: Device = async (delayMs) => {
      await this.#scheduler.device(delayMs);
      if (isKilled) await new Promise(() => {});
    };
    const snapshots = new SimulatedSnapshots(this.#disk, device, this.#stage);
    const log = new SimulatedLogReader(this.#disk, device, this.#stage);
    this.#hadReason = false;
    const killed = new Promise<never>((_, reject) => {
      this.#kill = () => {
        isKilled = true;
        this.#hadReason = true;
        reject(new Error('the process that takes snapshots was killed'));
      };
    });
    try {
      return await Promise.race([killed, this.#run(log, snapshots, request)]);
    } finally {
      this.#hadReason ||= snapshots.hasFailed;
      this.#kill = undefined;
    }
  }

  async #run(log: ReadableLog, snapshots: SnapshotStore, request: SnapshotRequest): Promise<TakenSnapshot> {
    await snapshots.sweep();
    return this.#parts.takeFrom(log, this.#parts.snapshots(snapshots), request);
  }

  stop(): void {
    this.#kill?.();
  }
}
