// The snapshots of a store together with those that a replay has made for itself. It only reads them.
import type { ReadableSnapshots, SnapshotManifest } from '../snapshots/snapshot-store.js';

export class JoinedSnapshots implements ReadableSnapshots {
  readonly #own: ReadableSnapshots;
  readonly #made: ReadableSnapshots;
  /** As the last list() has found them. */
  #ownSeqs: ReadonlySet<number> = new Set();

  /** @param own of the store; they come first @param made by the replay */
  constructor(own: ReadableSnapshots, made: ReadableSnapshots) {
    this.#own = own;
    this.#made = made;
  }

  async list(): Promise<number[]> {
    this.#ownSeqs = new Set(await this.#own.list());
    const seqs = new Set([...this.#ownSeqs, ...(await this.#made.list())]);
    return [...seqs].sort((a, b) => a - b);
  }

  /** Whether a snapshot that list() has returned was made by the replay. */
  isMade(seq: number): boolean {
    return !this.#ownSeqs.has(seq);
  }

  async manifest(seq: number): Promise<SnapshotManifest> {
    return this.#ownSeqs.has(seq) ? this.#own.manifest(seq) : this.#made.manifest(seq);
  }

  async *chunks(seq: number): AsyncIterable<Uint8Array> {
    yield* (this.#ownSeqs.has(seq) ? this.#own : this.#made).chunks(seq);
  }
}
