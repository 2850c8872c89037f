// The events that are kept for each receiver, bounded: the oldest are dropped. They are part of the state. The share of a receiver
// depends on nothing but the number of players, so nobody can make the world drop the events of another (ADR 43).
//
// The events of a receiver are bytes without gaps, oldest first. After each event stands its length, so that the last ones are found
// from the end. A length below 128 takes one byte; a longer one takes two, of which the last has its top bit set.
import {
  EVENT_BYTES_MAX,
  EVENT_BYTES_PER_PLAYER_MAX,
  EVENT_BYTES_PER_PLAYER_MIN,
  EVENT_BYTES_PER_TOPIC_MAX,
  EVENTS_PER_PLAYER_MAX,
  EVENTS_PER_TOPIC_MAX,
} from '../rules/limits.js';
import type { World } from '../state.js';
import { ByteReader, ByteWriter } from './byte-cursor.js';
import { EventFields, readEvent, writeEvent } from './event-codec.js';
import type { WorldEvent } from './kinds.js';
import { OPEN_WORLD_TOPIC } from './receivers.js';
import { offsetOf, type Region, Regions, sizeOf } from './regions.js';

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

/** What is kept of a receiver, as a row of a snapshot holds it. */
export interface KeptBytes {
  readonly receiver: number;
  readonly lastSeq: number;
  readonly bytes: Uint8Array;
}

/** Columns of the table of receivers. */
const LAST_SEQ = 0;
const COUNT = 1;
/** Bytes that are used of the region. */
const USED = 2;
const REGION = 3;
const COLUMNS = 4;
/** Topics have numbers from -1 on. */
const FIRST_RECEIVER = OPEN_WORLD_TOPIC;
const INITIAL_RECEIVERS = 1_024;
/** The longest event is one of 200 planets, or of 64 types of ships on two sides. */
const EVENT_BYTES_LIMIT = 8 * 1024;

export class EventLog implements ReadonlyEventLog {
  hasBegun = false;
  recordedCount = 0;
  readonly #regions = new Regions();
  #table = new Float64Array(INITIAL_RECEIVERS * COLUMNS);
  readonly #writer = new ByteWriter();

  constructor(private readonly world: World) {
    this.#writer.bytes = new Uint8Array(EVENT_BYTES_LIMIT);
  }

  get reservedBytes(): number {
    return this.#regions.byteCount;
  }

  lastSeq(receiver: number): number {
    return this.#get(receiver, LAST_SEQ);
  }

  oldestSeq(receiver: number): number {
    return this.#get(receiver, LAST_SEQ) - this.#get(receiver, COUNT) + 1;
  }

  lastSeqUpTo(receiver: number, entrySeq: number): number {
    const count = this.#get(receiver, COUNT);
    if (count === 0) return this.lastSeq(receiver);
    const cursor = this.#cursor(receiver);
    let left = count;
    while (left > 0 && cursor.toPrevious() > entrySeq) left -= 1;
    return this.lastSeq(receiver) - count + left;
  }

  read(receiver: number, afterSeq: number, count: number, entrySeq: number): KeptEvent[] {
    const lastSeq = this.lastSeq(receiver);
    if (afterSeq < this.oldestSeq(receiver) - 1 || afterSeq > lastSeq) {
      throw new RangeError(`the events after ${afterSeq} of receiver ${receiver} are not kept`);
    }
    const kept: KeptEvent[] = [];
    if (afterSeq === lastSeq) return kept;
    const cursor = this.#cursor(receiver);
    for (let seq = lastSeq; seq > afterSeq; seq -= 1) cursor.toPrevious();
    for (let seq = afterSeq + 1; seq <= lastSeq && kept.length < count; seq += 1) {
      const event = cursor.readNext(seq, receiver);
      if (event.entrySeq > entrySeq) break;
      kept.push(event);
    }
    return kept;
  }

  /** Keeps an event, and drops the oldest ones beyond the bounds. */
  append(receiver: number, entrySeq: number, event: WorldEvent): void {
    this.recordedCount += 1;
    this.#add(receiver, this.#write(receiver, entrySeq, event));
  }

  /** Drops what a receiver has beyond its share, which others have reduced by joining. */
  trim(receiver: number): void {
    if (this.#get(receiver, USED) > this.#bytesMax(receiver)) this.#dropOldest(receiver, 0);
  }

  /** Drops all events of a receiver. */
  drop(receiver: number): void {
    const region = this.#get(receiver, REGION);
    if (region !== 0) this.#regions.give(region);
    for (const column of [LAST_SEQ, COUNT, USED, REGION]) this.#set(receiver, column, 0);
  }

  /** All receivers of whom events are kept, in order of their numbers. */
  *kept(): Generator<KeptBytes> {
    for (let receiver = FIRST_RECEIVER; receiver <= this.world.lastPlayerNumber; receiver += 1) {
      if (this.#get(receiver, COUNT) === 0) continue;
      const region = this.#get(receiver, REGION);
      const start = offsetOf(region);
      const bytes = this.#regions.blockOf(region).slice(start, start + this.#get(receiver, USED));
      yield { receiver, lastSeq: this.lastSeq(receiver), bytes };
    }
  }

  /**
   * Restores what kept() has returned.
   *
   * @throws Error if the bytes are not those of events that the world can have
   */
  restore({ receiver, lastSeq, bytes }: KeptBytes): void {
    if (this.#get(receiver, COUNT) > 0) throw new Error(`receiver ${receiver} has two rows`);
    const count = this.#countIn(receiver, bytes);
    if (count === 0 || count > lastSeq) throw new Error(`${count} events are kept of ${lastSeq}`);
    this.#set(receiver, LAST_SEQ, lastSeq - count);
    this.#grow(receiver, bytes.length);
    const region = this.#get(receiver, REGION);
    this.#regions.blockOf(region).set(bytes, offsetOf(region));
    this.#set(receiver, LAST_SEQ, lastSeq);
    this.#set(receiver, COUNT, count);
    this.#set(receiver, USED, bytes.length);
  }

  /** Number of events in bytes, each of which must be as append() would write it. */
  #countIn(receiver: number, bytes: Uint8Array): number {
    const cursor = new EventCursor(this.world, bytes, 0);
    let count = 0;
    let lastEntrySeq = 0;
    while (cursor.position < bytes.length) {
      const start = cursor.position;
      const { entrySeq, event } = cursor.readNext(0, receiver);
      if (entrySeq < lastEntrySeq || entrySeq > this.world.seq) throw new Error(`an event has the entry ${entrySeq}`);
      if (event.atMs > this.world.lastEntryMs) throw new Error('an event is later than the world');
      this.#requireSame(receiver, { seq: 0, entrySeq, event }, bytes.subarray(start, cursor.position));
      lastEntrySeq = entrySeq;
      count += 1;
    }
    return count;
  }

  #requireSame(receiver: number, { entrySeq, event }: KeptEvent, bytes: Uint8Array): void {
    const length = this.#write(receiver, entrySeq, event);
    const isSame = length === bytes.length && bytes.every((byte, index) => byte === this.#writer.bytes[index]);
    if (!isSame) throw new Error('an event is not written as it should be');
  }

  /** Writes an event into the buffer of the writer. @returns its length in bytes */
  #write(receiver: number, entrySeq: number, event: WorldEvent): number {
    const writer = this.#writer;
    writer.end = 0;
    writer.count(entrySeq);
    writer.count(event.atMs - this.world.settings.startMs);
    if (receiver < 1) writer.count(event.playerNumber);
    writeEvent(writer, event);
    writeLength(writer);
    return writer.end;
  }

  /** Adds what #write() has written. */
  #add(receiver: number, length: number): void {
    const { bytes: event } = this.#writer;
    const count = this.#get(receiver, COUNT);
    const bytesMax = this.#bytesMax(receiver);
    if (count > 0 && (this.#get(receiver, USED) + length > bytesMax || count === eventsMax(receiver))) {
      this.#dropOldest(receiver, length);
    }
    const used = this.#get(receiver, USED);
    if (used + length > sizeOf(this.#get(receiver, REGION))) this.#grow(receiver, used + length);
    const region = this.#get(receiver, REGION);
    const block = this.#regions.blockOf(region);
    const start = offsetOf(region) + used;
    // A copy of so few bytes takes longer to ask for than to make.
    for (let index = 0; index < length; index += 1) block[start + index] = event[index] as number;
    this.#set(receiver, USED, used + length);
    this.#set(receiver, COUNT, this.#get(receiver, COUNT) + 1);
    this.#set(receiver, LAST_SEQ, this.#get(receiver, LAST_SEQ) + 1);
  }

  /** Leaves three quarters of what a receiver may keep, with the event that is about to follow. */
  #dropOldest(receiver: number, nextLength: number): void {
    const region = this.#get(receiver, REGION);
    const start = offsetOf(region);
    const used = this.#get(receiver, USED);
    const bytesMax = Math.floor((this.#bytesMax(receiver) * 3) / 4) - nextLength;
    const countMax = Math.floor((eventsMax(receiver) * 3) / 4);
    const cursor = this.#cursor(receiver);
    let keptFrom = start + used;
    let keptCount = 0;
    while (keptCount < countMax && keptCount < this.#get(receiver, COUNT)) {
      cursor.toPrevious();
      if (start + used - cursor.position > bytesMax) break;
      keptFrom = cursor.position;
      keptCount += 1;
    }
    this.#regions.blockOf(region).copyWithin(start, keptFrom, start + used);
    this.#set(receiver, USED, start + used - keptFrom);
    this.#set(receiver, COUNT, keptCount);
    if (this.#get(receiver, USED) * 4 < sizeOf(region)) this.#grow(receiver, 2 * this.#get(receiver, USED));
  }

  /** Moves the events of a receiver to a region of another size. */
  #grow(receiver: number, bytes: number): void {
    const old: Region = this.#get(receiver, REGION);
    const region = this.#regions.take(Math.max(bytes, 1));
    if (old !== 0) {
      const start = offsetOf(old);
      const kept = this.#regions.blockOf(old).subarray(start, start + this.#get(receiver, USED));
      this.#regions.blockOf(region).set(kept, offsetOf(region));
      this.#regions.give(old);
    }
    this.#set(receiver, REGION, region);
  }

  /** A cursor behind the last event of a receiver. */
  #cursor(receiver: number): EventCursor {
    const region = this.#get(receiver, REGION);
    const end = offsetOf(region) + this.#get(receiver, USED);
    return new EventCursor(this.world, this.#regions.blockOf(region), end);
  }

  /** Bytes that a receiver may keep. Equal for all players, and constant while their number does not double. */
  #bytesMax(receiver: number): number {
    if (receiver < 1) return EVENT_BYTES_PER_TOPIC_MAX;
    const places = 1 << (32 - Math.clz32(this.world.lastPlayerNumber));
    return Math.max(EVENT_BYTES_PER_PLAYER_MIN, Math.min(EVENT_BYTES_PER_PLAYER_MAX, EVENT_BYTES_MAX / places));
  }

  #get(receiver: number, column: number): number {
    return this.#table[(receiver - FIRST_RECEIVER) * COLUMNS + column] ?? 0;
  }

  #set(receiver: number, column: number, value: number): void {
    const index = (receiver - FIRST_RECEIVER) * COLUMNS + column;
    if (index >= this.#table.length) {
      const larger = new Float64Array(Math.max(2 * this.#table.length, (receiver - FIRST_RECEIVER + 1) * COLUMNS));
      larger.set(this.#table);
      this.#table = larger;
    }
    this.#table[index] = value;
  }
}

function eventsMax(receiver: number): number {
  return receiver < 1 ? EVENTS_PER_TOPIC_MAX : EVENTS_PER_PLAYER_MAX;
}

/** Writes the length of what was written, in the form that is read backwards. */
function writeLength(writer: ByteWriter): void {
  const length = writer.end;
  if (length < 0x80) {
    writer.bytes[writer.end++] = length;
  } else {
    if (length >= 0x4000) throw new RangeError(`an event cannot have ${length} bytes`);
    writer.bytes[writer.end++] = length >> 7;
    writer.bytes[writer.end++] = 0x80 | (length & 0x7f);
  }
}

/** A position between two events of a receiver. */
class EventCursor {
  constructor(
    private readonly world: World,
    private readonly bytes: Uint8Array,
    /** Of the next byte. */
    public position: number,
  ) {}

  /** Moves before the previous event, which must exist. @returns the seq of the entry that caused it */
  toPrevious(): number {
    const last = this.bytes[this.position - 1] as number;
    if (last < 0x80) this.position -= last + 1;
    else this.position -= ((this.bytes[this.position - 2] as number) << 7) + (last & 0x7f) + 2;
    return new ByteReader(this.bytes, this.position).count();
  }

  /** Reads the next event, and moves behind it. */
  readNext(seq: number, receiver: number): KeptEvent {
    const start = this.position;
    const reader = new ByteReader(this.bytes, start);
    const fields = new EventFields(reader, this.world);
    const entrySeq = reader.count();
    const atMs = this.world.settings.startMs + reader.count();
    const playerNumber = receiver < 1 ? fields.player() : receiver;
    const event = readEvent(fields, atMs, playerNumber);
    const length = reader.position - start;
    this.position = reader.position + (length < 0x80 ? 1 : 2);
    return { seq, entrySeq, event };
  }
}
