// Snapshots as the rest of persistence sees them: named by their seq, complete or absent, made of chunks and a
// manifest. Nothing here may depend on one kind of store; only the codec knows the content of a chunk.

/** Describes a snapshot. It is written last, so a snapshot that has one is complete. */
export interface SnapshotManifest {
  readonly formatVersion: number;
  /** Rules version of the world. */
  readonly rulesVersion: number;
  /** Seq of the last entry in the snapshot; it ends a record of the log. */
  readonly seq: number;
  /** World time of that entry in milliseconds. */
  readonly worldTimeMs: number;
  /** Engine.stateHash() of the world, 16 hexadecimal digits. */
  readonly stateHash: string;
  /** recordHash() of the record that ends at seq, 32 hexadecimal digits: the next record of the log continues it. */
  readonly logHash: string;
  readonly rowCount: number;
  readonly chunkCount: number;
  /** Bytes of all chunks together. */
  readonly byteCount: number;
  /** An instant of the machine's clock, in milliseconds since 1970. */
  readonly createdAtMs: number;
}

/**
 * The contract of every snapshot store, on this machine's disk or elsewhere, which
 * test/persistence/snapshots/snapshot-store-contract.ts checks.
 */
export interface SnapshotStore {
  /** Seqs of all complete snapshots, ascending. */
  list(): Promise<number[]>;

  /** @throws SnapshotDamaged also if there is no such snapshot */
  manifest(seq: number): Promise<SnapshotManifest>;

  /**
   * Yields the bytes of the chunks in order. If the chunks can no longer be separated, the rest comes as one, and
   * decoding it reports why. Yields to the event loop, and holds only a few chunks in memory.
   *
   * @throws SnapshotDamaged if there is nothing to read
   */
  chunks(seq: number): AsyncIterable<Uint8Array>;

  /**
   * Begins a snapshot, which is invisible until it is finished.
   *
   * @throws SnapshotExists
   */
  begin(seq: number): Promise<SnapshotSink>;

  /** Removes a snapshot atomically, even if the process dies meanwhile. Does nothing if there is no such snapshot. */
  remove(seq: number): Promise<void>;

  /**
   * Removes leftovers of writers that died before they finished. Call it only while no snapshot is being written, since
   * it would remove that one too.
   */
  sweep(): Promise<void>;
}

/** Snapshots that are only read. */
export type ReadableSnapshots = Pick<SnapshotStore, 'list' | 'manifest' | 'chunks'>;

/** A snapshot that is being written. One call at a time. */
export interface SnapshotSink {
  /** Adds a chunk. The bytes must not change until it settles. */
  append(bytes: Uint8Array): Promise<void>;

  /**
   * Settles once the snapshot is visible and durable. The sink cannot be used afterwards.
   *
   * @throws SnapshotExists if another process has finished the same one meanwhile
   */
  finish(manifest: SnapshotManifest): Promise<void>;

  /** Removes all of it. May be called after a failed finish(). */
  abandon(): Promise<void>;
}

/** What can be wrong with a snapshot. */
export const SNAPSHOT_FAULTS = {
  missing: 'it does not exist',
  unreadable: 'it cannot be read',
  no_manifest: 'it has no manifest',
  damaged_manifest: 'its manifest is not as it was written',
  wrong_manifest: 'its manifest is not that of a snapshot',
  foreign_manifest: 'its manifest belongs to another snapshot',
  unknown_format: 'its format version is not known to this program',
  unknown_rules: 'its rules version is not known to this program',
  no_rows: 'it has no rows',
  cut_short: 'a chunk of it is shorter than its header says',
  wrong_magic: 'a chunk of it does not begin like a chunk',
  wrong_length: 'a chunk of it is longer than its header says, or than the maximum',
  wrong_checksum: 'the checksum of a chunk does not match',
  foreign_chunk: 'a chunk of it belongs to another snapshot',
  wrong_order: 'its chunks are out of order',
  undecodable_chunk: 'the rows of a chunk cannot be decoded',
  wrong_row_count: 'a chunk of it does not hold as many rows as its header says',
  wrong_counts: 'its chunks do not match the counts in its manifest',
  impossible_rows: 'its rows do not make a world',
  foreign_world: 'its rows make another world than its manifest says',
  wrong_state_hash: 'its rows do not have the state hash in its manifest',
} as const;
export type SnapshotFault = keyof typeof SNAPSHOT_FAULTS;

/** A snapshot cannot be used. Nothing was changed in it. */
export class SnapshotDamaged extends Error {
  override readonly name = 'SnapshotDamaged';

  /** @param detail further facts, such as the row that does not fit */
  constructor(
    readonly seq: number,
    readonly fault: SnapshotFault,
    detail?: string,
    cause?: unknown,
  ) {
    const sentence = SNAPSHOT_FAULTS[fault];
    const text = detail === undefined ? sentence : `${sentence}: ${detail}`;
    super(`the snapshot at seq ${seq} cannot be used (${fault}): ${text}`, { cause });
  }
}

/** A snapshot of this seq exists already. A seq has one state, so it is the same; a damaged one is removed first. */
export class SnapshotExists extends Error {
  override readonly name = 'SnapshotExists';

  constructor(readonly seq: number) {
    super(`there is a snapshot at seq ${seq} already`);
  }
}

/** A snapshot could not be written, or was not written correctly. Nothing is left of it. */
export class SnapshotWriteFailed extends Error {
  override readonly name = 'SnapshotWriteFailed';

  constructor(
    readonly seq: number,
    cause: unknown,
  ) {
    super(
      `the snapshot at seq ${seq} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}
