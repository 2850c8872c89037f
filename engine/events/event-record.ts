// An event as a record of bytes: its length in two bytes, the lower one first; its receiver, seq and entry; how far before it the event
// before it of the same receiver begins; its time; then its kind and fields. The event that nobody received yet is never in bytes.
import type { World } from '../state.js';
import { ByteReader, type ByteWriter } from './byte-cursor.js';
import { EventFields, readFields, writeFields } from './event-codec.js';
import type { WorldEvent } from './kinds.js';
import { FIRST_RECEIVER, isTopic } from './receivers.js';

/** Bytes of the longest record: an event of 200 planets, or of 64 types of ships on two sides, takes less. */
export const RECORD_BYTES_MAX = 4 * 1024;
const LENGTH_BYTES = 2;

/** What stands before the event itself. */
export interface RecordHead {
  /** Bytes of the whole record; 0 if there is none. */
  readonly length: number;
  readonly receiver: number;
  readonly seq: number;
  /** Seq of the entry that caused it. */
  readonly entrySeq: number;
  /** Bytes between the begin of the receiver's event before and that of this one, when it was written; 0 if it is the first. */
  readonly distance: number;
}

/** Writes a record at the end of what was written, where RECORD_BYTES_MAX must be free. */
export function writeRecord(
  to: ByteWriter,
  head: Omit<RecordHead, 'length'>,
  startMs: number,
  event: WorldEvent,
): void {
  const start = to.end;
  to.end += LENGTH_BYTES;
  to.count(head.receiver - FIRST_RECEIVER);
  to.count(head.seq);
  to.count(head.entrySeq);
  to.count(head.distance);
  to.count(event.atMs - startMs);
  if (isTopic(head.receiver)) to.count(event.playerNumber);
  writeFields(to, event);
  const length = to.end - start;
  if (length > RECORD_BYTES_MAX) throw new RangeError(`an event cannot have ${length} bytes`);
  to.bytes[start] = length & 0xff;
  to.bytes[start + 1] = length >> 8;
}

/** @throws RangeError if it is not a head */
export function readHead(bytes: Uint8Array, start: number): RecordHead {
  return headFrom(new ByteReader(bytes, start + LENGTH_BYTES), lengthAt(bytes, start));
}

/** Bytes of the record that begins there; 0 if the chunk has no further one. */
export function lengthAt(bytes: Uint8Array, start: number): number {
  return (bytes[start] ?? 0) + ((bytes[start + 1] ?? 0) << 8);
}

/** @throws RangeError if the world cannot have such an event */
export function readRecord(
  world: World,
  bytes: Uint8Array,
  start: number,
): RecordHead & { readonly event: WorldEvent } {
  const reader = new ByteReader(bytes, start + LENGTH_BYTES);
  const head = headFrom(reader, lengthAt(bytes, start));
  const fields = new EventFields(reader, world);
  const atMs = world.settings.startMs + reader.count();
  const event = readFields(fields, atMs, isTopic(head.receiver) ? fields.player() : head.receiver);
  if (reader.position !== start + head.length) throw new RangeError('an event has another length than it says');
  return { ...head, event };
}

function headFrom(reader: ByteReader, length: number): RecordHead {
  const receiver = reader.count() + FIRST_RECEIVER;
  return { length, receiver, seq: reader.count(), entrySeq: reader.count(), distance: reader.count() };
}
