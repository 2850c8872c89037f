// Takes snapshots beside a simulated process. Outside of the simulation this is a process of its own; here it runs on the
// same event loop, and it can be killed.
import type { SnapshotRequest, TakenSnapshot } from '../../persistence/upkeep/snapshot-taking.js';
import type { SnapshotTaker } from '../../persistence/upkeep/snapshot-worker.js';
import type { Device } from '../support/virtual-scheduler.js';

/** Takes a snapshot with devices of its own. */
export type Taking = (request: Required<SnapshotRequest>, device: Device) => Promise<TakenSnapshot>;

export class SimulatedTaker implements SnapshotTaker {
  readonly #device: Device;
  readonly #take: Taking;
  #kill: (() => void) | undefined;
  #wasKilled = false;

  constructor(device: Device, take: Taking) {
    this.#device = device;
    this.#take = take;
  }

  /** Whether the last one was killed. */
  get wasKilled(): boolean {
    return this.#wasKilled;
  }

  async take(request: Required<SnapshotRequest>): Promise<TakenSnapshot> {
    let isKilled = false;
    const device: Device = async (delayMs) => {
      await this.#device(delayMs);
      if (isKilled) await new Promise(() => {});
    };
    this.#wasKilled = false;
    const killed = new Promise<never>((_, reject) => {
      this.#kill = () => {
        isKilled = true;
        this.#wasKilled = true;
        reject(new Error('the process that takes snapshots was killed'));
      };
    });
    try {
      return await Promise.race([killed, this.#take(request, device)]);
    } finally {
      this.#kill = undefined;
    }
  }

  stop(): void {
    this.#kill?.();
  }
}
