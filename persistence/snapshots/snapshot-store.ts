// Snapshots as the rest of persistence knows them: named by their seq, whole or not there at all, made of chunks and a
// manifest. It must stay free of any one store's ideas; what is in a chunk is the codec's affair.

/** What a snapshot says of itself; written last, so that a snapshot that has one was written whole. */
export interface SnapshotManifest {
  readonly formatVersion: number;
  /** Rules version of the world. */
  readonly rulesVersion: number;
  /** Seq of the last entry that is in it; it ends a record of the log. */
  readonly seq: number;
  /** World time of that entry in milliseconds. */
  readonly worldTimeMs: number;
  /** Engine.stateHash() of the world, 16 hexadecimal digits. */
  readonly stateHash: string;
  /** recordHash() of the record that ends at seq, 32 hexadecimal digits: what the next record of the log continues. */
  readonly logHash: string;
  readonly rowCount: number;
  readonly chunkCount: number;
  /** Of all chunks together. */
  readonly byteCount: number;
  /** By the machine's clock, in milliseconds since 1970. */
  readonly createdAtMs: number;
}

/**
 * What every store of snapshots does, on this machine's disk or elsewhere, and what
 * test/persistence/snapshot-store-contract.ts holds each of them to.
 */
export interface SnapshotStore {
  /** Seqs of all complete snapshots, ascending. */
  list(): Promise<number[]>;

  /** @throws SnapshotDamaged also where there is no such snapshot */
  manifest(seq: number): Promise<SnapshotManifest>;

  /**
   * The bytes of the chunks in order. Where they cannot be told apart any more the rest comes as one: whoever decodes it
   * finds out why. Leaves the event loop its turns, and holds no more than a few chunks.
   *
   * @throws SnapshotDamaged where there is nothing to read
   */
  chunks(seq: number): AsyncIterable<Uint8Array>;

  /**
   * Begins a snapshot, which nobody sees before it is finished.
   *
   * @throws SnapshotExists
   */
  begin(seq: number): Promise<SnapshotSink>;

  /** Removes a snapshot; whole, also where the process dies meanwhile. None there is none to remove. */
  remove(seq: number): Promise<void>;

  /**
   * Removes what writers have left behind that died before they had finished. Only where nobody is writing: it would take
   * away what they write.
   */
  sweep(): Promise<void>;
}

/** A snapshot that is being written. One call at a time. */
export interface SnapshotSink {
  /** Adds a chunk. The bytes must not change until it settles. */
  append(bytes: Uint8Array): Promise<void>;

  /**
   * Settles once the snapshot is there for everybody and survives a power cut. Nothing else can be done with the sink then.
   *
   * @throws SnapshotExists where somebody else has finished the same one meanwhile
   */
  finish(manifest: SnapshotManifest): Promise<void>;

  /** Leaves nothing of it. Also after a failed finish(). */
  abandon(): Promise<void>;
}

/** What can be wrong with a snapshot. */
export const SNAPSHOT_FAULTS = {
  missing: 'there is none',
  unreadable: 'it cannot be read',
  no_manifest: 'it has no manifest',
  damaged_manifest: 'its manifest is not as it was written',
  wrong_manifest: 'its manifest is not one of a snapshot',
  foreign_manifest: 'its manifest belongs to another snapshot',
  unknown_format: 'its format version is not known to this program',
  unknown_rules: 'its rules version is not known to this program',
  no_rows: 'it has no rows',
  cut_short: 'a chunk of it is shorter than its header says',
  wrong_magic: 'a chunk of it does not begin like one',
  wrong_length: 'a chunk of it is longer than its header says, or than any chunk',
  wrong_checksum: 'the checksum of a chunk does not match',
  foreign_chunk: 'a chunk of it belongs to another snapshot',
  wrong_order: 'a chunk of it is not the one that follows',
  undecodable_chunk: 'the rows of a chunk cannot be decoded',
  wrong_row_count: 'a chunk of it does not hold as many rows as its header says',
  wrong_counts: 'its chunks are not those that its manifest tells of',
  impossible_rows: 'its rows do not make a world',
  foreign_world: 'its rows make another world than its manifest tells of',
  wrong_state_hash: 'its rows do not have the state hash that its manifest tells of',
} as const;
export type SnapshotFault = keyof typeof SNAPSHOT_FAULTS;

/** A snapshot cannot be used. Nothing was changed in it. */
export class SnapshotDamaged extends Error {
  override readonly name = 'SnapshotDamaged';

  /** @param detail what else there is to say, such as the row that does not fit */
  constructor(
    readonly seq: number,
    readonly fault: SnapshotFault,
    detail?: string,
    cause?: unknown,
  ) {
    const sentence = SNAPSHOT_FAULTS[fault];
    const told = detail === undefined ? sentence : `${sentence}: ${detail}`;
    super(`the snapshot at seq ${seq} cannot be used (${fault}): ${told}`, { cause });
  }
}

/** There is a snapshot of this seq already. A seq has one state, so it is the same; a damaged one is removed first. */
export class SnapshotExists extends Error {
  override readonly name = 'SnapshotExists';

  constructor(readonly seq: number) {
    super(`there is a snapshot at seq ${seq} already`);
  }
}

/** A snapshot could not be written, or not as it should be. Nothing is left of it. */
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
