// The snapshots of a store together with those that a replay has made for itself. It only reads them.
import type { EventBytes } from '../../engine/rows.js';
import type { ReadableSnapshots, SnapshotManifest } from '../snapshots/snapshot-store.js';
import type { MadeSnapshots } from './made-snapshots.js';

export class JoinedSnapshots implements ReadableSnapshots {
  readonly #own: ReadableSnapshots;
  readonly #made: MadeSnapshots;
  /** As the last list() has found them. */
  #ownSeqs: ReadonlySet<number> = new Set();

  /** @param own of the store; they come first @param made by the replay */
  constructor(own: ReadableSnapshots, made: MadeSnapshots) {
    this.#own = own;
    this.#made = made;
  }

  async list(): Promise<number[]> {
    this.#ownSeqs = new Set(await this.#own.list());
    const seqs = new Set([...this.#ownSeqs, ...(await this.#made.snapshots.list())]);
    return [...seqs].sort((a, b) => a - b);
  }

  /** The bytes of the events of a snapshot that list() has returned; undefined if they are in it. */
  eventBytesOf(seq: number): EventBytes | undefined {
    return this.#ownSeqs.has(seq) ? undefined : this.#made.events;
  }

  async manifest(seq: number): Promise<SnapshotManifest> {
    return this.#ownSeqs.has(seq) ? this.#own.manifest(seq) : this.#made.snapshots.manifest(seq);
  }

  async *chunks(seq: number): AsyncIterable<Uint8Array> {
    yield* (this.#ownSeqs.has(seq) ? this.#own : this.#made.snapshots).chunks(seq);
  }
}
