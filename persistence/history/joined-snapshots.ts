// The snapshots of a store together with those that a replay has made for itself. It only reads them.
import { type ReadableSnapshots, SnapshotDamaged, type SnapshotManifest } from '../snapshots/snapshot-store.js';

export class JoinedSnapshots implements ReadableSnapshots {
  readonly #own: ReadableSnapshots;
  readonly #made: ReadableSnapshots;

  /** @param own of the store; they come first @param made by the replay */
  constructor(own: ReadableSnapshots, made: ReadableSnapshots) {
    this.#own = own;
    this.#made = made;
  }

  async list(): Promise<number[]> {
    const seqs = new Set([...(await this.#own.list()), ...(await this.#made.list())]);
    return [...seqs].sort((a, b) => a - b);
  }

  async manifest(seq: number): Promise<SnapshotManifest> {
    try {
      return await this.#own.manifest(seq);
    } catch (error) {
      if (!(error instanceof SnapshotDamaged)) throw error;
      return this.#made.manifest(seq);
    }
  }

  async *chunks(seq: number): AsyncIterable<Uint8Array> {
    const isOwn = (await this.#own.list()).includes(seq);
    yield* (isOwn ? this.#own : this.#made).chunks(seq);
  }
}
