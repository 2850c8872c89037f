// The events that are kept for each receiver. They are part of the state. Events of all receivers are appended to one log, and each
// links to the previous event of its receiver. Inside the log an event has an ordinal; its seq is the ordinal above the base of the
// world's lineage. If the log exceeds its bound, the oldest chunk is given up: those of its events that are among the last
// EVENTS_KEPT_MIN of their receiver are copied to the end. So no receiver can make the world drop the last events of another (decision 18;
// Rosenblum and Ousterhout, "The Design and Implementation of a Log-Structured File System", 1992).

import { NumberColumn } from '../numbers/number-column.js';
import {
  EVENT_BYTES_MAX,
  EVENT_BYTES_PER_PLAYER,
  EVENTS_KEPT_MIN,
  EVENTS_PER_PLAYER_MAX,
  EVENTS_PER_TOPIC_MAX,
} from '../rules/limits.js';
import type { Lineages } from '../terms/lineages.js';
import { EventNumbers } from './event-bytes.js';
import {
  lengthAt,
  RECORD_BYTES_MAX,
  type RecordHead,
  type RecordWorld,
  readHead,
  readKind,
  readRecord,
  relink,
  writeHead,
  writeRecord,
} from './event-record.js';
import { type EventKind, type EventOf, FIRST_RECEIVER, isTopic, type WorldEvent } from './kinds.js';

/** An event as it is kept. */
export interface KeptEvent {
  /** Ordinal of the event among those of its receiver, from 1 on, above the base of the world's lineage. */
  readonly seq: number;
  /** Seq of the entry that caused it. */
  readonly entrySeq: number;
  readonly event: WorldEvent;
}

/** Where a search for events ends. */
interface SearchBounds {
  /** Events that are found. */
  readonly most: number;
  /** Events that are looked at. */
  readonly lookedAtMax: number;
  /** World time in milliseconds; the events at this time and before it are not looked at. */
  readonly afterMs: number;
}

export interface ReadonlyEventLog {
  /** Events that were recorded for all receivers, dropped or not. */
  readonly recordedCount: number;
  /** Bytes of memory that are reserved for events. */
  readonly reservedBytes: number;
  /** Seq of the last event of a receiver; the base of the lineage before the first. */
  lastSeq(receiver: number): number;
  /** Seq of the oldest event that is kept; lastSeq + 1 if none is. */
  oldestSeq(receiver: number): number;
  /**
   * The seq that an event has now. A seq from before the world was restored or forked may have been handed out in a past that the world
   * does not have.
   *
   * @param seq from any time; it need not be that of an event
   * @returns null if it is older than the lineage and not known to be the seq of an event
   */
  presentSeq(receiver: number, seq: number): number | null;
  /**
   * Seq of the last event of a receiver that an entry up to `entrySeq` caused; the base of the lineage if there is none. If that event is no
   * longer kept, the seq of the last event that is not kept.
   */
  lastSeqUpTo(receiver: number, entrySeq: number): number;
  /**
   * The events after a seq that entries up to `entrySeq` caused, oldest first, at most `count`.
   *
   * @param afterSeq from oldestSeq - 1 to lastSeq
   * @throws RangeError if it is outside
   */
  read(receiver: number, afterSeq: number, count: number, entrySeq: number): KeptEvent[];
  /** Events of a kind of a player, the newest first. Of other events it reads no fields. */
  newestOf<Kind extends EventKind>(playerNumber: number, kind: Kind, bounds: SearchBounds): EventOf<Kind>[];
}

/** What the log reads of the world. */
export interface LoggedWorld extends RecordWorld {
  readonly lineages: Pick<Lineages, 'base' | 'baseOf' | 'baseAfter'>;
  /** Those that are not retired, by number. */
  readonly players: { has(number: number): boolean };
  /** Seq and world time of the last accepted entry. */
  readonly seq: number;
  readonly lastEntryMs: number;
}

/** What a snapshot holds of a receiver: how many events it has had, the position of the last, and the ordinal of the last given up. */
export type ReceiverRow = readonly [lastOrdinal: number, lastPosition: number, givenUpOrdinal: number];

/** Columns of the table of receivers. They are few, because each event reads and writes another row. */
const LAST_ORDINAL = 0;
const LAST_POSITION = 1;
const COLUMNS = 2;
const INITIAL_RECEIVERS = 1_024;
/** Giving up more at once would make the world wait. If nearly all of their events are kept, memory grows beyond the bound instead. */
const CHUNKS_GIVEN_UP_AT_ONCE = 2;

export class EventLog implements ReadonlyEventLog {
  recordedCount = 0;
  /** The event that is being recorded. */
  readonly numbers = new EventNumbers();
  readonly #chunks = new EventChunks();
  #table = new Float64Array(INITIAL_RECEIVERS * COLUMNS);
  /**
   * By receiver: the highest ordinal whose first copy was given up. An event up to it is kept only while it is among the last
   * EVENTS_KEPT_MIN of its receiver.
   */
  readonly #givenUpOrdinals = new NumberColumn();

  /** @param bytesMax bytes of all events, besides EVENT_BYTES_PER_PLAYER for each player */
  constructor(
    private readonly world: LoggedWorld,
    private readonly bytesMax: number = EVENT_BYTES_MAX,
  ) {}

  get reservedBytes(): number {
    return this.#chunks.count * CHUNK_BYTES + this.#table.byteLength;
  }

  lastSeq(receiver: number): number {
    return this.world.lineages.base + this.#lastOrdinal(receiver);
  }

  oldestSeq(receiver: number): number {
    return this.world.lineages.base + this.#oldestOrdinal(receiver);
  }

  presentSeq(receiver: number, seq: number): number | null {
    const { lineages } = this.world;
    const nextBase = lineages.baseAfter(seq);
    if (nextBase === undefined) return seq;
    const ordinal = seq - lineages.baseOf(seq);
    if (ordinal > 0 && !(this.#causedBy(receiver, ordinal) <= nextBase)) return null;
    return lineages.base + ordinal;
  }

  lastSeqUpTo(receiver: number, entrySeq: number): number {
    const oldest = this.#oldestOrdinal(receiver);
    let ordinal = this.#lastOrdinal(receiver);
    let position = this.#lastPosition(receiver);
    while (ordinal >= oldest) {
      const head = this.#headAt(position);
      if (head.entrySeq <= entrySeq) break;
      ordinal -= 1;
      position = head.link;
    }
    return this.world.lineages.base + ordinal;
  }

  read(receiver: number, afterSeq: number, count: number, entrySeq: number): KeptEvent[] {
    const { base } = this.world.lineages;
    const after = afterSeq - base;
    const last = this.#lastOrdinal(receiver);
    if (after < this.#oldestOrdinal(receiver) - 1 || after > last) {
      throw new RangeError(`the events after ${afterSeq} of receiver ${receiver} are not kept`);
    }
    const kept: KeptEvent[] = [];
    for (const position of this.#positions(receiver, after + 1, Math.min(last, after + count))) {
      const {
        ordinal,
        entrySeq: causedBy,
        event,
      } = readRecord(this.world, this.#chunks.of(position), offsetOf(position));
      if (causedBy > entrySeq) break;
      kept.push({ seq: base + ordinal, entrySeq: causedBy, event });
    }
    return kept;
  }

  newestOf<Kind extends EventKind>(
    playerNumber: number,
    kind: Kind,
    { most, lookedAtMax, afterMs }: SearchBounds,
  ): EventOf<Kind>[] {
    const found: EventOf<Kind>[] = [];
    const last = this.#lastOrdinal(playerNumber);
    const first = Math.max(this.#oldestOrdinal(playerNumber), last - lookedAtMax + 1);
    let position = this.#lastPosition(playerNumber);
    for (let ordinal = last; ordinal >= first && found.length < most; ordinal -= 1) {
      const [bytes, offset] = [this.#chunks.of(position), offsetOf(position)];
      const at = readKind(this.world, bytes, offset);
      if (at.atMs <= afterMs) break;
      if (at.kind === kind) found.push(readRecord(this.world, bytes, offset).event as EventOf<Kind>);
      position = at.link;
    }
    return found;
  }

  /**
   * Keeps the event in `numbers` for a receiver; then they can be appended for another one. The oldest chunk may be given up for it.
   *
   * @param playerNumber of the event
   */
  append(receiver: number, entrySeq: number, atMs: number, playerNumber: number): void {
    const chunks = this.#chunks;
    if (chunks.isFull) this.#beginChunk();
    const row = rowOf(receiver);
    if (row >= this.#table.length) this.#growTable(row);
    const table = this.#table;
    const ordinal = (table[row + LAST_ORDINAL] as number) + 1;
    const first = writeHead(
      this.numbers,
      receiver,
      ordinal,
      entrySeq,
      atMs - this.world.settings.startMs,
      playerNumber,
    );
    const position = chunks.endPosition;
    chunks.end = writeRecord(chunks.last, chunks.end, table[row + LAST_POSITION] as number, this.numbers, first);
    table[row + LAST_ORDINAL] = ordinal;
    table[row + LAST_POSITION] = position;
    this.recordedCount += 1;
  }

  /** Drops all events of a receiver that no longer exists. */
  drop(receiver: number): void {
    const row = rowOf(receiver);
    if (row < this.#table.length) this.#table.fill(0, row, row + COLUMNS);
    this.#givenUpOrdinals.set(receiver - FIRST_RECEIVER, 0);
  }

  /** Position of the first byte of chunks(). */
  get firstPosition(): number {
    return this.#chunks.firstPosition;
  }

  /** A row for each receiver from FIRST_RECEIVER on. */
  *table(): Generator<ReceiverRow> {
    for (let receiver = FIRST_RECEIVER; receiver <= this.world.lastPlayerNumber; receiver += 1) {
      yield [this.#lastOrdinal(receiver), this.#lastPosition(receiver), this.#givenUpOrdinal(receiver)];
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
  restoreReceiver(receiver: number, [lastOrdinal, lastPosition, givenUpOrdinal]: ReceiverRow): void {
    const row = rowOf(receiver);
    if (row >= this.#table.length) this.#growTable(row);
    this.#table[row + LAST_ORDINAL] = lastOrdinal;
    this.#table[row + LAST_POSITION] = lastPosition;
    this.#givenUpOrdinals.set(receiver - FIRST_RECEIVER, givenUpOrdinal);
  }

  /**
   * Restores the next piece of chunks().
   *
   * @param isTrusted whether the events in it need no check, and its bytes may be used as they are
   * @throws Error if its bytes are not those of events that the world can have
   */
  restoreChunk(bytes: Uint8Array, isTrusted = false): void {
    this.#chunks.restore(bytes, isTrusted);
    if (isTrusted) return;
    const { players, lastPlayerNumber, seq: worldSeq, lastEntryMs } = this.world;
    let offset = 0;
    for (; lengthAt(bytes, offset) > 0; offset += lengthAt(bytes, offset)) {
      const { receiver, ordinal, entrySeq, event } = readRecord(this.world, bytes, offset);
      if (receiver > lastPlayerNumber) throw new RangeError(`there is no receiver ${receiver}`);
      const isDropped = !isTopic(receiver) && !players.has(receiver);
      if (ordinal > this.#lastOrdinal(receiver) && !isDropped)
        throw new RangeError(`receiver ${receiver} has no event ${ordinal}`);
      if (entrySeq > worldSeq || event.atMs > lastEntryMs) throw new RangeError('an event is later than the world');
    }
    const isFull = bytes.length === CHUNK_BYTES && offset > CHUNK_BYTES - RECORD_BYTES_MAX;
    if (offset !== bytes.length && !isFull) throw new RangeError('a chunk of events has an end before its end');
  }

  /** @throws RangeError if an event that is kept is missing from the chunks */
  requireComplete(): void {
    for (let receiver = FIRST_RECEIVER; receiver <= this.world.lastPlayerNumber; receiver += 1) {
      const oldest = this.#oldestOrdinal(receiver);
      let position = this.#lastPosition(receiver);
      for (let ordinal = this.#lastOrdinal(receiver); ordinal >= oldest; ordinal -= 1) {
        const head = this.#headAt(position);
        if (head.receiver !== receiver || head.ordinal !== ordinal)
          throw new RangeError(`event ${ordinal} of receiver ${receiver} is missing`);
        position = head.link;
      }
    }
  }

  #beginChunk(): void {
    this.#chunks.begin();
    const bytesMax = this.bytesMax + this.world.lastPlayerNumber * EVENT_BYTES_PER_PLAYER;
    for (let given = 0; given < CHUNKS_GIVEN_UP_AT_ONCE && this.#chunks.count * CHUNK_BYTES > bytesMax; given += 1) {
      this.#giveUpChunk();
    }
  }

  /** Gives up the oldest chunk. Those of its events that are among the last of their receiver are copied to the end. */
  #giveUpChunk(): void {
    const start = this.#chunks.firstPosition;
    const bytes = this.#chunks.of(start);
    for (let offset = 0; lengthAt(bytes, offset) > 0; offset += lengthAt(bytes, offset)) {
      const { receiver, ordinal, length } = readHead(bytes, offset);
      const lastOrdinal = this.#lastOrdinal(receiver);
      // The receiver was dropped.
      if (ordinal > lastOrdinal) continue;
      if (ordinal > this.#givenUpOrdinal(receiver)) this.#givenUpOrdinals.set(receiver - FIRST_RECEIVER, ordinal);
      if (ordinal > lastOrdinal - EVENTS_KEPT_MIN) this.#writeAnew(receiver, ordinal, start + offset, length);
    }
    this.#chunks.giveUpFirst();
  }

  /** Copies a record to the end, unless it was copied before, and links the next event of its receiver to the copy. */
  #writeAnew(receiver: number, ordinal: number, position: number, length: number): void {
    let next = 0;
    let place = this.#lastPosition(receiver);
    for (let later = this.#lastOrdinal(receiver); later > ordinal; later -= 1) {
      next = place;
      place = this.#headAt(place).link;
    }
    if (place !== position) return;
    if (this.#chunks.isFull) this.#chunks.begin();
    const copy = this.#chunks.endPosition;
    const offset = offsetOf(position);
    this.#chunks.last.set(this.#chunks.of(position).subarray(offset, offset + length), this.#chunks.end);
    this.#chunks.end += length;
    if (ordinal === this.#lastOrdinal(receiver)) this.#table[rowOf(receiver) + LAST_POSITION] = copy;
    else relink(this.#chunks.of(next), offsetOf(next), copy);
  }

  /** Positions of the events of a receiver from one ordinal to another, oldest first. All of them must be kept. */
  #positions(receiver: number, first: number, last: number): number[] {
    const positions: number[] = [];
    let position = this.#lastPosition(receiver);
    for (let ordinal = this.#lastOrdinal(receiver); ordinal >= first; ordinal -= 1) {
      if (ordinal <= last) positions.push(position);
      position = this.#headAt(position).link;
    }
    return positions.reverse();
  }

  #headAt(position: number): RecordHead {
    return readHead(this.#chunks.of(position), offsetOf(position));
  }

  #lastPosition(receiver: number): number {
    return this.#table[rowOf(receiver) + LAST_POSITION] ?? 0;
  }

  #givenUpOrdinal(receiver: number): number {
    return this.#givenUpOrdinals.get(receiver - FIRST_RECEIVER);
  }

  #lastOrdinal(receiver: number): number {
    return this.#table[rowOf(receiver) + LAST_ORDINAL] ?? 0;
  }

  /** Ordinal of the oldest event that is kept; one more than the last if none is. */
  #oldestOrdinal(receiver: number): number {
    const last = this.#lastOrdinal(receiver);
    const oldest = Math.min(this.#givenUpOrdinal(receiver) + 1, Math.max(1, last - EVENTS_KEPT_MIN + 1));
    return Math.max(oldest, last - (isTopic(receiver) ? EVENTS_PER_TOPIC_MAX : EVENTS_PER_PLAYER_MAX) + 1);
  }

  /** Seq of the entry that caused an event; Infinity if the event is not kept. */
  #causedBy(receiver: number, ordinal: number): number {
    const last = this.#lastOrdinal(receiver);
    if (ordinal < this.#oldestOrdinal(receiver) || ordinal > last) return Number.POSITIVE_INFINITY;
    const [position = 0] = this.#positions(receiver, ordinal, ordinal);
    return this.#headAt(position).entrySeq;
  }

  #growTable(row: number): void {
    const larger = new Float64Array(Math.max(2 * this.#table.length, row + COLUMNS));
    larger.set(this.#table);
    this.#table = larger;
  }
}

/** Index in the table at which the row of a receiver begins. */
function rowOf(receiver: number): number {
  return (receiver - FIRST_RECEIVER) * COLUMNS;
}

/** Bytes of a chunk. Giving one up takes about a millisecond. */
export const CHUNK_BYTES: number = 256 * 1024;
/** The highest position of a stored world, half of what a link in a record can hold. No receiver has so many events either. */
export const POSITION_MAX = 0x8000_0000_0000;

/**
 * The memory of the event log: a sequence of chunks of equal size. A position counts bytes from the first byte that was ever written, so it
 * stays the same when old chunks are given up. No record spans two chunks.
 */
class EventChunks {
  /** The last chunk; empty before the first. */
  last: Uint8Array = new Uint8Array(0);
  /** Offset in the last chunk of the next record. */
  end = 0;
  #firstPosition = 0;
  readonly #chunks: Uint8Array[] = [];

  /** Position of the first byte of the oldest chunk. */
  get firstPosition(): number {
    return this.#firstPosition;
  }

  /** Position of the next record. */
  get endPosition(): number {
    return this.#firstPosition + (this.#chunks.length - 1) * CHUNK_BYTES + this.end;
  }

  get count(): number {
    return this.#chunks.length;
  }

  /** Whether the last chunk has no room for another record. */
  get isFull(): boolean {
    return this.end + RECORD_BYTES_MAX > this.last.length;
  }

  /** Adds an empty chunk. */
  begin(): void {
    this.#add(new Uint8Array(CHUNK_BYTES));
    this.end = 0;
  }

  /** Removes the oldest chunk. */
  giveUpFirst(): void {
    this.#chunks.shift();
    this.#firstPosition += CHUNK_BYTES;
  }

  /** The chunk of a position that is not given up. */
  of(position: number): Uint8Array {
    const chunk = this.#chunks[Math.floor((position - this.#firstPosition) / CHUNK_BYTES)];
    if (chunk === undefined) throw new RangeError(`no event is kept at ${position}`);
    return chunk;
  }

  /** The bytes of each chunk, oldest first; of the last chunk only those that are written. */
  *written(): Generator<Uint8Array> {
    for (const chunk of this.#chunks) yield chunk === this.last ? chunk.subarray(0, this.end) : chunk;
  }

  /** @param position a multiple of CHUNK_BYTES; before any chunk */
  restoreFirstPosition(position: number): void {
    if (position % CHUNK_BYTES !== 0) throw new RangeError(`no chunk of events begins at ${position}`);
    this.#firstPosition = position;
  }

  /** Adds a chunk that written() has returned. @param isGiven whether the bytes may be used as they are, and not copied */
  restore(bytes: Uint8Array, isGiven: boolean): void {
    if (bytes.length > CHUNK_BYTES) throw new RangeError(`a chunk of events has ${bytes.length} bytes`);
    if (this.count > 0 && this.end < CHUNK_BYTES - RECORD_BYTES_MAX) throw new RangeError('a chunk of events is short');
    if (isGiven && bytes.length === CHUNK_BYTES) this.#add(bytes);
    else {
      this.begin();
      this.last.set(bytes);
    }
    this.end = bytes.length;
  }

  #add(chunk: Uint8Array): void {
    this.last = chunk;
    this.#chunks.push(chunk);
  }
}

/** Offset of a position in its chunk. */
function offsetOf(position: number): number {
  return position % CHUNK_BYTES;
}
