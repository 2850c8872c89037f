// The log of a data folder as the test itself reads it: record by record from a copy, every entry applied to an engine
// of the test's own. It shares the codec of records with the server, but none of its recovery.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, type CommandRow, decodeCommand } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { ReadonlyWorld } from '../../../engine/world/state.js';
import { decodeRecord, entriesOf, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import { LmdbLog } from '../../../persistence/log/lmdb/lmdb-log.js';
import type { ReadableLog, StoredRecord } from '../../../persistence/log/log.js';
import type { Origin } from '../../../persistence/stores/origin.js';

/** An entry that has just been applied. */
export interface AppliedEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly row: CommandRow;
  readonly command: Command;
  /** The world right after it. It must be read before the next entry is applied. */
  readonly world: ReadonlyWorld;
}

export interface ReplayedLog {
  readonly engine: Engine;
  /** recordHash() of each record, in order: two logs with the same beginning have lists with the same beginning. */
  readonly recordHashes: readonly string[];
  /** State hashes by seq, for the requested seqs that exist. */
  readonly hashes: ReadonlyMap<number, string>;
}

export interface ReplayOptions {
  /** Called for every entry. */
  readonly visit?: (entry: AppliedEntry) => void;
  /** Seqs at which the state hash is wanted. */
  readonly hashAt?: Iterable<number>;
  /** Where it stops; at the end by default. */
  readonly untilSeq?: number;
}

/**
 * Replays the log of a data folder that no process uses; the folder stays as it is.
 *
 * @throws Error if a record or an entry is not sound
 */
export async function replayLog(dataFolder: string, options: ReplayOptions = {}): Promise<ReplayedLog> {
  const { records } = await keptLog(dataFolder);
  return replayRecords(records, options);
}

/** Hash of the state that a restore or fork makes of the state at a seq: the same, in a lineage with another base. */
export function hashOfRestored(records: readonly StoredRecord[], { seq, base }: Pick<Origin, 'seq' | 'base'>): string {
  const { engine } = replayRecords(records, { untilSeq: seq });
  engine.beginLineage(base);
  return engine.stateHash();
}

/** The content of a log. */
export interface KeptLog {
  /** Seq that it reaches back to; undefined if there is no log. */
  readonly firstSeq: number | undefined;
  readonly records: readonly StoredRecord[];
}

/**
 * The content of the log of a data folder that no process uses; the folder stays as it is. There is none if a process
 * was killed before it had created its folder.
 */
export async function keptLog(dataFolder: string): Promise<KeptLog> {
  if (!existsSync(join(dataFolder, 'log'))) return { firstSeq: undefined, records: [] };
  const copy = await mkdtemp(join(tmpdir(), 'galaxyd-replay-'));
  try {
    await cp(join(dataFolder, 'log'), copy, { recursive: true, filter: (path) => !path.endsWith('lock.mdb') });
    return await readLog(await LmdbLog.open(copy));
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** The durable content of the log of a running server. */
export async function runningLog(dataFolder: string): Promise<KeptLog> {
  return await readLog(await LmdbLog.openReadOnly(join(dataFolder, 'log')));
}

/** Every record under a log's folder, as it is stored. */
export async function storedRecords(logFolder: string): Promise<StoredRecord[]> {
  return [...(await readLog(await LmdbLog.open(logFolder))).records];
}

/** Everything that a log holds; closes it. */
export async function readLog(log: ReadableLog): Promise<KeptLog> {
  const { firstSeq } = log;
  const records: StoredRecord[] = [];
  for await (const record of log.read(1)) {
    records.push({ firstSeq: record.firstSeq, bytes: Uint8Array.from(record.bytes) });
  }
  await log.close();
  return { firstSeq, records };
}

/** Replays records from the genesis on. @throws Error if a record or an entry is not sound */
export function replayRecords(records: readonly StoredRecord[], options: ReplayOptions): ReplayedLog {
  const replay = new Replay();
  replay.go(records, options);
  return replay;
}

/** A replay that can continue with further records. */
export class Replay implements ReplayedLog {
  readonly engine = Engine.create();
  readonly recordHashes: string[] = [];
  readonly hashes = new Map<number, string>();
  #previousHash: Uint8Array = NO_PREVIOUS_HASH;

  /** @param records those that follow. @throws Error if a record or an entry is not sound */
  go(
    records: readonly StoredRecord[],
    { visit, hashAt = [], untilSeq = Number.POSITIVE_INFINITY }: ReplayOptions,
  ): void {
    const { engine } = this;
    const wanted = new Set(hashAt);
    if (wanted.has(engine.seq)) this.hashes.set(engine.seq, engine.stateHash());
    for (const { firstSeq, bytes } of records) {
      const nextSeq = engine.seq + 1;
      const place = { firstSeq: nextSeq, previousHash: this.#previousHash };
      if (firstSeq !== nextSeq) throw new Error(`a record begins at seq ${firstSeq} instead of ${nextSeq}`);
      const record = decodeRecord(bytes, place);
      if (typeof record === 'string') throw new Error(`the record at seq ${firstSeq}: ${record}`);
      for (const [atMs, row] of entriesOf(record)) {
        if (engine.seq === untilSeq) return;
        const command = decodeCommand(row);
        if (isRefusal(engine.apply(atMs, command))) throw new Error(`the entry ${engine.seq + 1} is refused`);
        visit?.({ seq: engine.seq, atMs, row, command, world: engine.world });
        if (wanted.has(engine.seq)) this.hashes.set(engine.seq, engine.stateHash());
      }
      if (engine.seq === untilSeq) return;
      this.#previousHash = recordHash(bytes);
      this.recordHashes.push(Buffer.from(this.#previousHash).toString('hex'));
    }
  }
}
