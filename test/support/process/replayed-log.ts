// The log of a data folder as the test itself reads it: record by record from a copy, every entry applied to an engine of
// the test's own. It shares the record's codec with the server and nothing of its recovery.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, type CommandRow, decodeCommand } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { isRefusal } from '../../../engine/rejections.js';
import type { ReadonlyWorld } from '../../../engine/state.js';
import { decodeRecord, forEachEntry, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import { LmdbLog } from '../../../persistence/log/lmdb/lmdb-log.js';
import type { ReadableLog, StoredRecord } from '../../../persistence/log/log.js';

/** An entry that has just been applied. */
export interface AppliedEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly row: CommandRow;
  readonly command: Command;
  /** The world right after it; read from it what the entry did before the next one is applied. */
  readonly world: ReadonlyWorld;
}

export interface ReplayedLog {
  readonly engine: Engine;
  /** recordHash() of each record, in order: two logs that begin alike have lists that begin alike. */
  readonly recordHashes: readonly string[];
  /** State hashes by seq, for the seqs that were asked for and exist. */
  readonly hashes: ReadonlyMap<number, string>;
}

export interface ReplayOptions {
  /** Told of every entry. */
  readonly visit?: (entry: AppliedEntry) => void;
  /** Seqs at which the state hash is wanted. */
  readonly hashAt?: Iterable<number>;
}

/**
 * Replays the log of a data folder that no process uses; the folder stays as it is.
 *
 * @throws Error where a record or an entry is not sound
 */
export async function replayLog(dataFolder: string, options: ReplayOptions = {}): Promise<ReplayedLog> {
  const { records } = await keptLog(dataFolder);
  return replayRecords(records, options);
}

/** What a log holds. */
export interface KeptLog {
  /** Seq that it reaches back to; undefined where there is nothing of it. */
  readonly firstSeq: number | undefined;
  readonly records: readonly StoredRecord[];
}

/**
 * What the log of a data folder holds that no process uses; the folder stays as it is. A process that was killed before it
 * had made its folder has left nothing.
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

/** What is safely on disk in the log of a running server. */
export async function runningLog(dataFolder: string): Promise<KeptLog> {
  return await readLog(await LmdbLog.openReadOnly(join(dataFolder, 'log')));
}

/** Every record under a log's folder, as it is stored. */
export async function storedRecords(logFolder: string): Promise<StoredRecord[]> {
  return [...(await readLog(await LmdbLog.open(logFolder))).records];
}

async function readLog(log: ReadableLog): Promise<KeptLog> {
  const { firstSeq } = log;
  const records: StoredRecord[] = [];
  for await (const record of log.read(1)) {
    records.push({ firstSeq: record.firstSeq, bytes: Uint8Array.from(record.bytes) });
  }
  await log.close();
  return { firstSeq, records };
}

/** Replays records from the genesis on. @throws Error where a record or an entry is not sound */
export function replayRecords(records: readonly StoredRecord[], options: ReplayOptions): ReplayedLog {
  const replay = new Replay();
  replay.go(records, options);
  return replay;
}

/** A replay that can go on when there is more. */
export class Replay implements ReplayedLog {
  readonly engine = Engine.create();
  readonly recordHashes: string[] = [];
  readonly hashes = new Map<number, string>();
  #previousHash: Uint8Array = NO_PREVIOUS_HASH;

  /** @param records those that follow. @throws Error where a record or an entry is not sound */
  go(records: readonly StoredRecord[], { visit, hashAt = [] }: ReplayOptions): void {
    const { engine } = this;
    const wanted = new Set(hashAt);
    if (wanted.has(engine.seq)) this.hashes.set(engine.seq, engine.stateHash());
    for (const { firstSeq, bytes } of records) {
      const nextSeq = engine.seq + 1;
      const place = { firstSeq: nextSeq, previousHash: this.#previousHash };
      if (firstSeq !== nextSeq) throw new Error(`a record begins at seq ${firstSeq} instead of ${nextSeq}`);
      const record = decodeRecord(bytes, place);
      if (typeof record === 'string') throw new Error(`the record at seq ${firstSeq}: ${record}`);
      forEachEntry(record, (atMs, row) => {
        const command = decodeCommand(row);
        if (isRefusal(engine.apply(atMs, command))) throw new Error(`the entry ${engine.seq + 1} is refused`);
        visit?.({ seq: engine.seq, atMs, row, command, world: engine.world });
        if (wanted.has(engine.seq)) this.hashes.set(engine.seq, engine.stateHash());
      });
      this.#previousHash = recordHash(bytes);
      this.recordHashes.push(Buffer.from(this.#previousHash).toString('hex'));
    }
  }
}
