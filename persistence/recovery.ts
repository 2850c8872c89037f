// From the log to the world: every record is checked, then every entry is applied, in order. It never repairs anything but
// a tail that was not written whole, and never goes on past anything else.
import { type CommandRow, decodeCommand } from '../engine/commands/table.js';
import { isRefusal } from '../engine/rejections.js';
import {
  decodeRecord,
  forEachEntry,
  lastSeqOf,
  NO_PREVIOUS_HASH,
  RECORD_FAULTS,
  type RecordFault,
  recordHash,
} from './batch-record.js';
import type { CommandLog, LogTail, StoredRecord } from './log.js';
import type { ReplayableEngine } from './replayable-engine.js';

/** The log is damaged, or not for this program. Nothing was changed in it. */
export class RecoveryRefused extends Error {
  override readonly name = 'RecoveryRefused';

  /** @param seq where the trouble begins: everything below it is sound */
  constructor(
    readonly seq: number,
    sentence: string,
    cause?: unknown,
  ) {
    super(`the log cannot be replayed from seq ${seq} on: ${sentence}`, { cause });
  }
}

/** The newest record, which was not written whole and is gone now. */
export interface DroppedTail {
  readonly firstSeq: number;
  readonly byteCount: number;
  readonly fault: RecordFault;
}

export interface Recovery {
  readonly recordCount: number;
  readonly entryCount: number;
  readonly durationMs: number;
  readonly tail: LogTail;
  readonly droppedTail?: DroppedTail;
}

export interface RecoveryOptions {
  /** Rules versions this program can replay. */
  readonly rulesVersions: ReadonlySet<number>;
  /** Told after each record; the total is unknown where the newest record is damaged. */
  readonly onProgress?: (entriesDone: number, entriesTotal: number | undefined) => void;
}

/**
 * Replays a log into an empty engine.
 *
 * @throws RecoveryRefused, LogUnreadable
 */
export async function recover(log: CommandLog, engine: ReplayableEngine, options: RecoveryOptions): Promise<Recovery> {
  const startedMs = performance.now();
  const newest = await log.last();
  const total = newest && lastSeqOf(newest.bytes);
  let hash: Uint8Array = NO_PREVIOUS_HASH;
  let recordCount = 0;
  let droppedTail: DroppedTail | undefined;
  for await (const stored of log.read(1)) {
    const place = { firstSeq: engine.seq + 1, previousHash: hash, rulesVersions: options.rulesVersions };
    if (stored.firstSeq !== place.firstSeq) {
      throw new RecoveryRefused(
        place.firstSeq,
        `a record must begin there, but the next one begins at ${stored.firstSeq}`,
      );
    }
    const record = decodeRecord(stored.bytes, place);
    if (typeof record === 'string') {
      droppedTail = droppableTail(stored, record, stored.firstSeq === newest?.firstSeq);
      break;
    }
    forEachEntry(record, (atMs, row) => replayEntry(engine, atMs, row));
    hash = recordHash(stored.bytes);
    recordCount += 1;
    options.onProgress?.(engine.seq, total);
  }
  if (droppedTail !== undefined) await log.dropLast(droppedTail.firstSeq);
  const durationMs = performance.now() - startedMs;
  const recovery = { recordCount, entryCount: engine.seq, durationMs, tail: { lastSeq: engine.seq, hash } };
  return droppedTail === undefined ? recovery : { ...recovery, droppedTail };
}

function droppableTail(stored: StoredRecord, fault: RecordFault, isNewest: boolean): DroppedTail {
  const { torn, sentence } = RECORD_FAULTS[fault];
  if (torn && isNewest) return { firstSeq: stored.firstSeq, byteCount: stored.bytes.length, fault };
  throw new RecoveryRefused(stored.firstSeq, `the record there is not sound (${fault}): ${sentence}`);
}

/** The same call as live, where the entry was accepted: anything else now means that it was another world or program. */
function replayEntry(engine: ReplayableEngine, atMs: number, row: CommandRow): void {
  const seq = engine.seq + 1;
  let outcome: unknown;
  try {
    outcome = engine.apply(atMs, decodeCommand(row));
  } catch (error) {
    throw new RecoveryRefused(seq, `the entry there cannot be applied: ${String(error)}`, error);
  }
  if (isRefusal(outcome)) throw new RecoveryRefused(seq, `the entry there is refused now (${outcome.code})`);
  if (engine.seq !== seq) throw new RecoveryRefused(seq, `applying the entry there led to seq ${engine.seq}`);
}
