// Makes the world from records: checks every record, then applies its entries, in order. It changes nothing in the log,
// and never continues past damage.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Command, type CommandRow, decodeCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import { ENTRIES_PER_CLOCK_LOOK, REPLAY_TURN_MS } from '../limits.js';
import {
  decodeRecord,
  entriesOf,
  lastSeqOf,
  NO_PREVIOUS_HASH,
  RECORD_FAULTS,
  type RecordFault,
  recordHash,
} from '../log/batch-record.js';
import type { LogTail, ReadableLog, StoredRecord } from '../log/log.js';
import { requireSoundRulesOf } from '../rules/stored-rules.js';

/** The log is damaged, or was not written for this program. Nothing was changed in it. */
export class RecoveryRefused extends Error {
  override readonly name = 'RecoveryRefused';

  /** @param seq where the damage begins: everything before it is sound */
  constructor(
    readonly seq: number,
    sentence: string,
    cause?: unknown,
  ) {
    super(`the log cannot be replayed from seq ${seq} on: ${sentence}`, { cause });
  }
}

/** An entry of a log, and what applying it caused. */
export interface ReplayedEntry {
  readonly seq: number;
  /** World time in milliseconds. */
  readonly atMs: number;
  readonly command: Command;
  readonly events: readonly WorldEvent[];
}

/** Where a replay ends before the log does. */
export interface ReplayEnd {
  /** Last entry that is applied. */
  readonly seq?: number;
  /** Latest world time of an applied entry, in milliseconds. */
  readonly atMs?: number;
}

export interface ReplayOptions {
  /** recordHash() of the record that ends at the engine's seq; NO_PREVIOUS_HASH by default. */
  readonly startHash?: Uint8Array;
  readonly until?: ReplayEnd | undefined;
  /** Asked after each record whether to end there. By default the replay goes on. */
  readonly endsAfter?: ((seq: number) => boolean) | undefined;
  /** Receives the entries of each replayed record with their events; must not throw. */
  readonly onEntries?: ((entries: readonly ReplayedEntry[]) => void) | undefined;
  /** Called with the last seq after each record; `lastSeq` is undefined if the newest record is damaged. */
  readonly onProgress?: ((seq: number, lastSeq: number | undefined) => void) | undefined;
}

/** The newest record, if it is incomplete. */
export interface TornTail {
  readonly firstSeq: number;
  readonly byteCount: number;
  readonly fault: RecordFault;
}

export interface Replay {
  readonly recordCount: number;
  readonly entryCount: number;
  /** Bytes of the records. */
  readonly byteCount: number;
  /** Where it ended; the hash is that of the last record that was applied completely. */
  readonly tail: LogTail;
  readonly tornTail?: TornTail | undefined;
}

/**
 * Replays the log after the engine's seq.
 *
 * @param engine empty, or as a snapshot left it
 * @throws RecoveryRefused, LogUnreadable
 */
export async function replay(log: ReadableLog, engine: ReplayableEngine, options: ReplayOptions = {}): Promise<Replay> {
  const startSeq = engine.seq;
  const { onEntries, onProgress, endsAfter, startHash: hashBefore = NO_PREVIOUS_HASH } = options;
  const { seq: untilSeq = Number.POSITIVE_INFINITY, atMs: untilMs = Number.POSITIVE_INFINITY } = options.until ?? {};
  const newest = await log.last();
  const lastSeq = newest && lastSeqOf(newest.bytes);
  let hash = hashBefore;
  let recordCount = 0;
  let byteCount = 0;
  let tornTail: TornTail | undefined;
  let seenSeq = 0;
  let isOver = startSeq >= untilSeq;
  let turnEndMs = performance.now() + REPLAY_TURN_MS;
  requireReach(log, startSeq);
  // The record that ends at the engine's seq comes first, if the log still has it.
  for await (const stored of log.read(Math.max(startSeq, 1))) {
    seenSeq = stored.firstSeq;
    if (stored.firstSeq <= startSeq) {
      requireConnection(stored, startSeq, hashBefore);
      continue;
    }
    if (isOver) break;
    const place = { firstSeq: engine.seq + 1, previousHash: hash };
    requireNext(stored, place.firstSeq);
    const record = decodeRecord(stored.bytes, place);
    if (typeof record === 'string') {
      tornTail = requireTornTail(stored, record, stored.firstSeq === newest?.firstSeq);
      break;
    }
    const replayed: ReplayedEntry[] | undefined = onEntries && [];
    for (const [atMs, row] of entriesOf(record)) {
      isOver ||= engine.seq >= untilSeq || atMs > untilMs;
      if (isOver) break;
      replayEntry(engine, atMs, row, replayed);
      // A record may hold thousands of long entries, and a signal is handled only between two turns.
      if (engine.seq % ENTRIES_PER_CLOCK_LOOK !== 0 || performance.now() < turnEndMs) continue;
      await nextTurn();
      turnEndMs = performance.now() + REPLAY_TURN_MS;
    }
    if (replayed !== undefined && replayed.length > 0) onEntries?.(replayed);
    if (isOver) break;
    hash = recordHash(stored.bytes);
    recordCount += 1;
    byteCount += stored.bytes.length;
    onProgress?.(engine.seq, lastSeq);
    isOver = engine.seq >= untilSeq || endsAfter?.(engine.seq) === true;
  }
  const isCutOff =
    newest !== undefined && (seenSeq < newest.firstSeq || (lastSeq !== undefined && engine.seq < lastSeq));
  if (!isOver && isCutOff) throw missingBefore(lastSeq ?? newest.firstSeq, engine.seq + 1);
  const entryCount = engine.seq - startSeq;
  return { recordCount, entryCount, byteCount, tail: { lastSeq: engine.seq, hash }, tornTail };
}

/** The log must reach back to the engine's seq. */
function requireReach(log: ReadableLog, startSeq: number): void {
  const { firstSeq } = log;
  if (firstSeq === undefined && startSeq > 0) {
    throw new RecoveryRefused(startSeq + 1, `the world is at seq ${startSeq}, and there is no log after it`);
  }
  if (firstSeq !== undefined && firstSeq > startSeq + 1) {
    throw new RecoveryRefused(startSeq + 1, `the log begins at seq ${firstSeq}`);
  }
}

/** The record before the first replayed one must be the one that the world continues. */
function requireConnection(stored: StoredRecord, startSeq: number, startHash: Uint8Array): void {
  const lastSeq = lastSeqOf(stored.bytes);
  if (lastSeq !== undefined && lastSeq < startSeq) {
    throw new RecoveryRefused(lastSeq + 1, `records are missing, since there is a snapshot at seq ${startSeq}`);
  }
  if (lastSeq === startSeq && recordHash(stored.bytes).equals(startHash)) return;
  throw new RecoveryRefused(
    stored.firstSeq,
    `the record there is not the one that the snapshot at seq ${startSeq} ends with`,
  );
}

/** @throws RecoveryRefused unless the record begins with the seq */
export function requireNext(stored: StoredRecord, firstSeq: number): void {
  if (stored.firstSeq === firstSeq) return;
  throw new RecoveryRefused(firstSeq, `a record must begin there, but the next one begins at ${stored.firstSeq}`);
}

/** Reading ended before the newest record, although it exists: a record before it is missing or damaged. */
function missingBefore(lastSeq: number, nextSeq: number): RecoveryRefused {
  return new RecoveryRefused(nextSeq, `records are missing, since the newest one reaches to seq ${lastSeq}`);
}

/** @throws RecoveryRefused unless it is the newest record and only its beginning is there */
export function requireTornTail(stored: StoredRecord, fault: RecordFault, isNewest: boolean): TornTail {
  const { torn, sentence } = RECORD_FAULTS[fault];
  if (torn && isNewest) return { firstSeq: stored.firstSeq, byteCount: stored.bytes.length, fault };
  throw new RecoveryRefused(stored.firstSeq, `the record there is not sound (${fault}): ${sentence}`);
}

/**
 * Applies the next entry of a record.
 *
 * @param replayed receives the entry with its events
 * @throws RecoveryRefused
 */
export function replayEntry(engine: ReplayableEngine, atMs: number, row: CommandRow, replayed?: ReplayedEntry[]): void {
  const seq = engine.seq + 1;
  const events: WorldEvent[] | undefined = replayed && [];
  const command = applyEntry(engine, atMs, () => decodeCommand(row), events);
  if (events !== undefined) replayed?.push({ seq, atMs, command, events });
}

/**
 * Applies the next entry of a log. It is the same call that accepted the entry live: any other outcome now means a
 * different world or program.
 *
 * @param read returns the command of the entry
 * @throws RecoveryRefused
 */
export function applyEntry(
  engine: ReplayableEngine,
  atMs: number,
  read: () => Command,
  events?: WorldEvent[],
): Command {
  const seq = engine.seq + 1;
  let command: Command;
  let outcome: unknown;
  try {
    command = read();
    requireSoundRulesOf(command);
    outcome = engine.apply(atMs, command, events);
  } catch (error) {
    throw new RecoveryRefused(seq, `the entry there cannot be applied: ${String(error)}`, error);
  }
  if (isRefusal(outcome)) throw new RecoveryRefused(seq, `the entry there is refused now (${outcome.code})`);
  if (engine.seq !== seq) throw new RecoveryRefused(seq, `applying the entry there led to seq ${engine.seq}`);
  return command;
}

export type ReplayableEngine = Pick<Engine, 'seq' | 'nowMs' | 'nextDeadlineMs' | 'apply' | 'eventReceivers'>;
