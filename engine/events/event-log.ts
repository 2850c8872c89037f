// The events that are kept for each receiver. They are part of the state. New events are written one after the other, whoever receives
// them, and each leads to the one before it of the same receiver. If there is too much, the oldest chunk is given up: of its events,
// only the last few of each receiver are written anew, at the end. So nobody can make the world drop those of another (ADR 43;
// Rosenblum and Ousterhout, "The Design and Implementation of a Log-Structured File System", 1992).
import {
  EVENT_BYTES_MAX,
  EVENT_BYTES_PER_PLAYER,
  EVENTS_KEPT_MIN,
  EVENTS_PER_PLAYER_MAX,
  EVENTS_PER_TOPIC_MAX,
} from '../rules/limits.js';
import type { World } from '../state.js';
import { CHUNK_BYTES, EventChunks, offsetOf } from './event-chunks.js';
import { lengthAt, type RecordHead, readHead, readRecord, writeRecord } from './event-record.js';
import type { WorldEvent } from './kinds.js';
import { FIRST_RECEIVER, isTopic } from './receivers.js';

/** An event as it is kept. */
export interface KeptEvent {
  /** Counts the events of the receiver, from 1 on. */
  readonly seq: number;
  /** Seq of the entry that caused it. */
  readonly entrySeq: number;
  readonly event: WorldEvent;
}

export interface ReadonlyEventLog {
  /** Whether events are recorded; see commands/begin-events.ts. */
  readonly hasBegun: boolean;
  /** Events that were recorded for all receivers, dropped or not. */
  readonly recordedCount: number;
  /** Bytes of memory that are reserved for events. */
  readonly reservedBytes: number;
  /** Seq of the last event of a receiver; 0 before the first. */
  lastSeq(receiver: number): number;
  /** Seq of the oldest event that is kept; lastSeq + 1 if none is. */
  oldestSeq(receiver: number): number;
  /**
   * Seq of the last event of a receiver that an entry up to `entrySeq` caused; 0 before the first. If the event is no longer kept, that
   * of the last one that is not.
   */
  lastSeqUpTo(receiver: number, entrySeq: number): number;
  /**
   * The events after a seq that entries up to `entrySeq` caused, oldest first, at most `count`.
   *
   * @param afterSeq from oldestSeq - 1 to lastSeq
   * @throws RangeError if it is outside
   */
  read(receiver: number, afterSeq: number, count: number, entrySeq: number): KeptEvent[];
}

/** Columns of the table of receivers. */
const LAST_SEQ = 0;
/** The highest seq whose first place was given up. An event up to it is kept only while it is among the last of its receiver. */
const GIVEN_UP_SEQ = 1;
/** From here on the positions of the last events, each at the remainder of its seq. */
const POSITIONS = 2;
const COLUMNS: number = POSITIONS + EVENTS_KEPT_MIN;
const INITIAL_RECEIVERS = 256;
/** More at once would make the world wait. If nearly all of their events are kept, memory grows beyond the bound instead. */
const CHUNKS_GIVEN_UP_AT_ONCE = 2;

export class EventLog implements ReadonlyEventLog {
  hasBegun = false;
  recordedCount = 0;
  readonly #chunks = new EventChunks();
  #table = new Float64Array(INITIAL_RECEIVERS * COLUMNS);

  /** @param bytesMax bytes of all events, besides EVENT_BYTES_PER_PLAYER for each player */
  constructor(
    private readonly world: World,
    private readonly bytesMax: number = EVENT_BYTES_MAX,
  ) {}

  get reservedBytes(): number {
    return this.#chunks.count * CHUNK_BYTES + this.#table.byteLength;
  }

  lastSeq(receiver: number): number {
    return this.#column(receiver, LAST_SEQ);
  }

  oldestSeq(receiver: number): number {
    const lastSeq = this.lastSeq(receiver);
    const oldest = Math.min(this.#column(receiver, GIVEN_UP_SEQ) + 1, firstOfLast(lastSeq));
    return Math.max(oldest, lastSeq - (isTopic(receiver) ? EVENTS_PER_TOPIC_MAX : EVENTS_PER_PLAYER_MAX) + 1);
  }

  lastSeqUpTo(receiver: number, entrySeq: number): number {
    const oldest = this.oldestSeq(receiver);
    let seq = this.lastSeq(receiver);
    let position = this.#lastPosition(receiver, seq);
    while (seq >= oldest) {
      const head = this.#headAt(position);
      if (head.entrySeq <= entrySeq) break;
      seq -= 1;
      position = this.#isOneOfLast(receiver, seq) ? this.#lastPosition(receiver, seq) : position - head.distance;
    }
    return seq;
  }

  read(receiver: number, afterSeq: number, count: number, entrySeq: number): KeptEvent[] {
    const lastSeq = this.lastSeq(receiver);
    if (afterSeq < this.oldestSeq(receiver) - 1 || afterSeq > lastSeq) {
      throw new RangeError(`the events after ${afterSeq} of receiver ${receiver} are not kept`);
    }
    const kept: KeptEvent[] = [];
    for (const position of this.#positions(receiver, afterSeq + 1, Math.min(lastSeq, afterSeq + count))) {
      const { seq, entrySeq: causedBy, event } = readRecord(this.world, this.#chunks.of(position), offsetOf(position));
      if (causedBy > entrySeq) break;
      kept.push({ seq, entrySeq: causedBy, event });
    }
    return kept;
  }

  /** Keeps an event for a receiver; the oldest events of all may be given up for it. */
  append(receiver: number, entrySeq: number, event: WorldEvent): void {
    if (this.#chunks.isFull) this.#beginChunk();
    const row = rowOf(receiver);
    if (row >= this.#table.length) this.#growTable(row);
    const table = this.#table;
    const seq = (table[row + LAST_SEQ] as number) + 1;
    const position = this.#chunks.endPosition;
    const distance = seq === 1 ? 0 : position - (table[row + placeOf(seq - 1)] as number);
    writeRecord(this.#chunks.writer, { receiver, seq, entrySeq, distance }, this.world.settings.startMs, event);
    table[row + LAST_SEQ] = seq;
    table[row + placeOf(seq)] = position;
    this.recordedCount += 1;
  }

  /** Drops all events of a receiver that no longer exists. */
  drop(receiver: number): void {
    const row = rowOf(receiver);
    if (row < this.#table.length) this.#table.fill(0, row, row + COLUMNS);
  }

  /** Everything that restore() needs, besides what table() and chunks() return. */
  get firstPosition(): number {
    return this.#chunks.firstPosition;
  }

  /** For each receiver from the first on: the seq of its last event, and the highest one whose first place was given up. */
  *table(): Generator<readonly [lastSeq: number, givenUpSeq: number]> {
    for (let receiver = FIRST_RECEIVER; receiver <= this.world.lastPlayerNumber; receiver += 1) {
      yield [this.lastSeq(receiver), this.#column(receiver, GIVEN_UP_SEQ)];
    }
  }

  /** The bytes of all events, oldest first, in pieces. */
  chunks(): Iterable<Uint8Array> {
    return this.#chunks.written();
  }

  /** @throws RangeError if no chunk begins there */
  restoreFirstPosition(position: number): void {
    this.#chunks.restoreFirstPosition(position);
  }

  /** Restores a row of table(). Chunks come after all rows. */
  restoreReceiver(receiver: number, lastSeq: number, givenUpSeq: number): void {
    const row = rowOf(receiver);
    if (row >= this.#table.length) this.#growTable(row);
    this.#table[row + LAST_SEQ] = lastSeq;
    this.#table[row + GIVEN_UP_SEQ] = givenUpSeq;
  }

  /**
   * Restores the next piece of chunks().
   *
   * @throws RangeError if its bytes are not those of events that the world can have
   */
  restoreChunk(bytes: Uint8Array): void {
    this.#chunks.restore(bytes);
    const start = this.#chunks.endPosition - bytes.length;
    for (let offset = 0; lengthAt(bytes, offset) > 0; offset += lengthAt(bytes, offset)) {
      this.#restoreRecord(start + offset, readRecord(this.world, bytes, offset));
    }
  }

  /** @throws RangeError if an event that is kept is missing from the chunks */
  requireComplete(): void {
    for (let receiver = FIRST_RECEIVER; receiver <= this.world.lastPlayerNumber; receiver += 1) {
      const oldest = this.oldestSeq(receiver);
      for (const [index, position] of this.#positions(receiver, oldest, this.lastSeq(receiver)).entries()) {
        const head = this.#headAt(position);
        if (head.receiver === receiver && head.seq === oldest + index) continue;
        throw new RangeError(`event ${oldest + index} of receiver ${receiver} is missing`);
      }
    }
  }

  #restoreRecord(
    position: number,
    { receiver, seq, entrySeq, event }: RecordHead & { readonly event: WorldEvent },
  ): void {
    const { seq: worldSeq, lastEntryMs, lastPlayerNumber, players } = this.world;
    if (receiver > lastPlayerNumber) throw new RangeError(`there is no receiver ${receiver}`);
    const isDropped = !isTopic(receiver) && players[receiver] === undefined;
    if (seq > this.lastSeq(receiver) && !isDropped) throw new RangeError(`receiver ${receiver} has no event ${seq}`);
    if (entrySeq > worldSeq || event.atMs > lastEntryMs) throw new RangeError('an event is later than the world');
    if (!isDropped && this.#isOneOfLast(receiver, seq)) {
      this.#table[rowOf(receiver) + placeOf(seq)] = position;
    }
  }

  #beginChunk(): void {
    this.#chunks.begin();
    const bytesMax = this.bytesMax + this.world.lastPlayerNumber * EVENT_BYTES_PER_PLAYER;
    for (let given = 0; given < CHUNKS_GIVEN_UP_AT_ONCE && this.#chunks.count * CHUNK_BYTES > bytesMax; given += 1) {
      this.#giveUpChunk();
    }
  }

  /** Gives up the oldest chunk. Of its events, those among the last of their receiver are written anew. */
  #giveUpChunk(): void {
    const start = this.#chunks.firstPosition;
    const bytes = this.#chunks.of(start);
    for (let offset = 0; lengthAt(bytes, offset) > 0; offset += lengthAt(bytes, offset)) {
      const { receiver, seq, length } = readHead(bytes, offset);
      const row = rowOf(receiver);
      // Of a receiver that was dropped, nothing is kept.
      if (seq > (this.#table[row + LAST_SEQ] as number)) continue;
      if (seq > (this.#table[row + GIVEN_UP_SEQ] as number)) this.#table[row + GIVEN_UP_SEQ] = seq;
      if (this.#table[row + placeOf(seq)] !== start + offset) continue;
      if (this.#chunks.isFull) this.#chunks.begin();
      this.#table[row + placeOf(seq)] = this.#chunks.endPosition;
      const { writer } = this.#chunks;
      writer.bytes.set(bytes.subarray(offset, offset + length), writer.end);
      writer.end += length;
    }
    this.#chunks.giveUpFirst();
  }

  /** Where the events of a receiver are, from one seq to another, which are kept. */
  #positions(receiver: number, firstSeq: number, lastSeq: number): number[] {
    const positions: number[] = [];
    const firstInTable = Math.max(firstSeq, firstOfLast(this.lastSeq(receiver)));
    for (let seq = lastSeq; seq >= firstInTable; seq -= 1) positions.push(this.#lastPosition(receiver, seq));
    // The others are still in their first places, and so are those after them.
    let position = this.#lastPosition(receiver, firstInTable);
    for (let seq = firstInTable - 1; seq >= firstSeq; seq -= 1) {
      position -= this.#headAt(position).distance;
      if (seq <= lastSeq) positions.push(position);
    }
    return positions.reverse();
  }

  #headAt(position: number): RecordHead {
    return readHead(this.#chunks.of(position), offsetOf(position));
  }

  #isOneOfLast(receiver: number, seq: number): boolean {
    return seq >= firstOfLast(this.lastSeq(receiver));
  }

  /** Where one of the last events of a receiver is. */
  #lastPosition(receiver: number, seq: number): number {
    return this.#column(receiver, placeOf(seq));
  }

  /** 0 for a receiver that has had no event. */
  #column(receiver: number, column: number): number {
    return this.#table[rowOf(receiver) + column] ?? 0;
  }

  #growTable(row: number): void {
    const larger = new Float64Array(Math.max(2 * this.#table.length, row + COLUMNS));
    larger.set(this.#table);
    this.#table = larger;
  }
}

/** Where the row of a receiver begins in the table. */
function rowOf(receiver: number): number {
  return (receiver - FIRST_RECEIVER) * COLUMNS;
}

/** The column of the position of one of the last events. A remainder of doubles would take longer than all else. */
function placeOf(seq: number): number {
  return POSITIONS + (seq & (EVENTS_KEPT_MIN - 1));
}

/** The seq of the first of the last events, which are always kept. */
function firstOfLast(lastSeq: number): number {
  return Math.max(1, lastSeq - EVENTS_KEPT_MIN + 1);
}
