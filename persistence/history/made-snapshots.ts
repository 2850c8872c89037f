// The snapshots that a replay makes for itself, at short distances, so that a jump replays little. Only the replay reads them: the
// bytes of their events are in files of their own.

import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../engine/engine.js';
import type { EventBytes } from '../../engine/rows/world-rows.js';
import { REPLAY_SNAPSHOT_BYTES_MAX, REPLAY_SNAPSHOT_ENTRIES, REPLAY_SNAPSHOTS_MAX } from '../limits.js';
import { SnapshotFolder } from '../snapshots/snapshot-files.js';
import {
  type ReadableSnapshots,
  type SnapshotManifest,
  type SnapshotStore,
  SnapshotWriteFailed,
} from '../snapshots/snapshot-store.js';
import { writeSnapshot } from '../snapshots/snapshot-writer.js';

export class MadeSnapshots {
  readonly snapshots: SnapshotStore;
  readonly events: EventFiles;
  /** Entries between two of them. It doubles if they become too many or too large. */
  #distance: number;
  #lastSeq = 0;
  /** Bytes of each without its events, by its seq. */
  readonly #byteCounts = new Map<number, number>();

  /**
   * @param folder nothing else is in it
   * @param distance entries between two of them at first; REPLAY_SNAPSHOT_ENTRIES by default
   */
  constructor(folder: string, distance: number = REPLAY_SNAPSHOT_ENTRIES) {
    this.snapshots = new SnapshotFolder(folder);
    this.events = new EventFiles(join(folder, 'events'));
    this.#distance = distance;
  }

  /** @param seq where the history begins */
  begin(seq: number): void {
    this.#lastSeq = seq;
  }

  isDue(seq: number): boolean {
    return seq - this.#lastSeq >= this.#distance;
  }

  /** Makes one; none if there is no room for it. @param logHash of the record that ends at the engine's seq */
  async take(engine: Engine, logHash: Uint8Array): Promise<void> {
    const { seq, nowMs, world } = engine;
    this.#lastSeq = seq;
    const snapshotRows = () => engine.snapshotRows(this.events);
    try {
      const order = { engine: { seq, nowMs, world, snapshotRows }, logHash, store: this.snapshots };
      const { byteCount } = await writeSnapshot({ ...order, createdAtMs: Date.now() });
      this.events.keepFor(seq);
      this.#byteCounts.set(seq, byteCount);
    } catch (error) {
      if (!(error instanceof SnapshotWriteFailed)) throw error;
      this.events.remove(null);
      await this.#thinOut();
    }
    while (this.#byteCounts.size > REPLAY_SNAPSHOTS_MAX || this.#byteCount > REPLAY_SNAPSHOT_BYTES_MAX) {
      await this.#thinOut();
    }
  }

  get #byteCount(): number {
    return [...this.#byteCounts.values()].reduce((sum, bytes) => sum + bytes, this.events.byteCount);
  }

  /** Removes every second one. */
  async #thinOut(): Promise<void> {
    this.#distance *= 2;
    for (const [index, seq] of [...this.#byteCounts.keys()].entries()) {
      if (index % 2 === 1) continue;
      await this.snapshots.remove(seq);
      this.events.remove(seq);
      this.#byteCounts.delete(seq);
    }
  }
}

/** The snapshots of a store together with those that a replay has made for itself. It only reads them. */
export class JoinedSnapshots implements ReadableSnapshots {
  readonly #own: ReadableSnapshots;
  readonly #made: MadeSnapshots;
  /** Those that the last list() has found. */
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

/** The bytes of the events of these snapshots: a file for each content. Events are appended to one log, so nearly all of its bytes are the same in the next snapshot and are kept once. */
class EventFiles implements EventBytes {
  /** Bytes of all files that this process has written. */
  byteCount = 0;
  readonly #folder: string;
  readonly #sizes = new Map<string, number>();
  /** Names of the files of each snapshot, by its seq. */
  readonly #ofSnapshots = new Map<number, ReadonlySet<string>>();
  /** Those that were put since the last snapshot. */
  #present = new Set<string>();

  /** @param folder created with the first file */
  constructor(folder: string) {
    this.#folder = folder;
  }

  put(bytes: Uint8Array): string {
    const name = hash('sha256', bytes, 'base64url');
    this.#present.add(name);
    if (this.#sizes.has(name)) return name;
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, name), bytes);
    this.#sizes.set(name, bytes.length);
    this.byteCount += bytes.length;
    return name;
  }

  get(name: string): Uint8Array {
    const { buffer, byteOffset, length } = readFileSync(join(this.#folder, name));
    return new Uint8Array(buffer, byteOffset, length);
  }

  /** What was put since belongs to a snapshot. */
  keepFor(seq: number): void {
    this.#ofSnapshots.set(seq, this.#present);
    this.#present = new Set();
  }

  /** Removes what only this snapshot needs, or what was put since the last one. @param seq null for the latter */
  remove(seq: number | null): void {
    const names = seq === null ? this.#present : (this.#ofSnapshots.get(seq) ?? []);
    if (seq === null) this.#present = new Set();
    else this.#ofSnapshots.delete(seq);
    for (const name of names) {
      if ([...this.#ofSnapshots.values()].some((others) => others.has(name))) continue;
      rmSync(join(this.#folder, name), { force: true });
      this.byteCount -= this.#sizes.get(name) ?? 0;
      this.#sizes.delete(name);
    }
  }
}
