// The snapshots of one simulated process, on a simulated disk: written in pieces that take time, visible to other
// processes only when finished, and refused by a full disk.
import { decodeManifest, encodeManifest } from '../../../persistence/snapshots/snapshot-codec.js';
import {
  SnapshotDamaged,
  SnapshotExists,
  type SnapshotManifest,
  type SnapshotSink,
  type SnapshotStore,
} from '../../../persistence/snapshots/snapshot-store.js';
import type { Device } from '../../support/virtual-scheduler.js';
import type { Stage } from '../stage.js';
import type { Disk, DiskSnapshot } from './disk.js';

/** Maximum time of each operation. */
const OPERATION_MS = 6;

export class DiskSnapshots implements SnapshotStore {
  readonly #disk: Disk;
  readonly #device: Device;
  readonly #stage: Stage;
  #hasFailed = false;

  constructor(disk: Disk, device: Device, stage: Stage) {
    this.#disk = disk;
    this.#device = device;
    this.#stage = stage;
  }

  /** Whether a write has failed, so that a snapshot may fail too. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  async list(): Promise<number[]> {
    await this.#operate();
    return [...this.#disk.snapshots]
      .filter(([, { present }]) => present !== undefined)
      .map(([seq]) => seq)
      .sort((a, b) => a - b);
  }

  async manifest(seq: number): Promise<SnapshotManifest> {
    await this.#operate();
    const createdAtMs = this.#disk.snapshots.get(seq)?.createdAtMs ?? 0;
    const stored = this.#get(seq).manifest;
    const manifest = stored === undefined ? 'no_manifest' : decodeManifest(stored, seq);
    if (typeof manifest === 'string') throw new SnapshotDamaged(seq, manifest);
    return { ...manifest, createdAtMs };
  }

  async *chunks(seq: number): AsyncGenerator<Uint8Array> {
    for (const chunk of this.#get(seq).chunks) {
      await this.#operate();
      yield chunk;
    }
  }

  async begin(seq: number): Promise<SnapshotSink> {
    await this.#write(`snapshot ${seq} begins`);
    const { snapshots, unfinished } = this.#disk;
    if (snapshots.get(seq)?.present !== undefined) throw new SnapshotExists(seq);
    unfinished.add(seq);
    const chunks: Uint8Array[] = [];
    return {
      append: async (bytes) => {
        await this.#write(`chunk ${chunks.length + 1} of snapshot ${seq}`);
        chunks.push(Uint8Array.from(bytes));
      },
      finish: async (manifest) => {
        await this.#write(`manifest of snapshot ${seq}`);
        const { createdAtMs } = manifest;
        const told = { ...manifest, createdAtMs: this.#stage.time.wallMs() };
        const written: DiskSnapshot = { manifest: encodeManifest(told), chunks };
        await this.#write(`snapshot ${seq} is there`);
        unfinished.delete(seq);
        snapshots.set(seq, { written, present: written, createdAtMs });
      },
      abandon: async () => {
        await this.#operate();
        unfinished.delete(seq);
      },
    };
  }

  async remove(seq: number): Promise<void> {
    await this.#operate();
    if (this.#disk.snapshots.delete(seq)) this.#stage.tell(`snapshot ${seq} is removed`);
  }

  async sweep(): Promise<void> {
    await this.#operate();
    this.#stage.count('unfinished snapshots swept away', this.#disk.unfinished.size);
    this.#disk.unfinished.clear();
  }

  #get(seq: number): DiskSnapshot {
    const snapshot = this.#disk.snapshots.get(seq)?.present;
    if (snapshot === undefined) throw new SnapshotDamaged(seq, 'missing');
    return snapshot;
  }

  #operate(): Promise<void> {
    return this.#device(this.#stage.draws.below(OPERATION_MS));
  }

  async #write(what: string): Promise<void> {
    await this.#operate();
    const fault = this.#disk.takeFault('snapshots');
    if (fault !== 'no space' && fault !== 'input/output error') return;
    this.#hasFailed = true;
    this.#stage.tell(`${what}: ${fault}`);
    this.#stage.count(`fault: ${fault} in a snapshot`);
    throw new Error(`${what}: ${fault}`);
  }
}
