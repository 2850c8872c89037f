// An event as a record of bytes: its length in two bytes and the position of the previous event of its receiver in six, both
// little-endian; its receiver, its seq and the seq of its entry; its time; then its kind and fields.
import type { World } from '../state.js';
import { ByteReader, type ByteWriter } from './byte-cursor.js';
import { EventFields, readFields, writeFields } from './event-codec.js';
import type { WorldEvent } from './kinds.js';
import { FIRST_RECEIVER, isTopic } from './receivers.js';

/** Bytes of the longest record: an event of 200 planets, or of 64 types of ships on two sides, takes less. */
export const RECORD_BYTES_MAX = 4 * 1024;
const LENGTH_BYTES = 2;
const LINK_BYTES = 6;
const PREFIX_BYTES = LENGTH_BYTES + LINK_BYTES;

/** What precedes the event in its record. */
export interface RecordHead {
  /** Bytes of the whole record. */
  readonly length: number;
  /** Position of the previous event of the receiver; not valid if that event is no longer kept. */
  readonly link: number;
  readonly receiver: number;
  readonly seq: number;
  /** Seq of the entry that caused it. */
  readonly entrySeq: number;
}

/** Appends a record. There must be room for RECORD_BYTES_MAX. */
export function writeRecord(
  to: ByteWriter,
  head: Omit<RecordHead, 'length'>,
  startMs: number,
  event: WorldEvent,
): void {
  const start = to.end;
  to.end += PREFIX_BYTES;
  to.count(head.receiver - FIRST_RECEIVER);
  to.count(head.seq);
  to.count(head.entrySeq);
  to.count(event.atMs - startMs);
  if (isTopic(head.receiver)) to.count(event.playerNumber);
  writeFields(to, event);
  const length = to.end - start;
  if (length > RECORD_BYTES_MAX) throw new RangeError(`an event cannot have ${length} bytes`);
  to.bytes[start] = length & 0xff;
  to.bytes[start + 1] = length >> 8;
  relink(to.bytes, start, head.link);
}

/** Writes the link of the record at an offset. */
export function relink(bytes: Uint8Array, start: number, link: number): void {
  const low = link | 0;
  const high = Math.floor(link / 0x1_0000_0000);
  const first = start + LENGTH_BYTES;
  bytes[first] = low;
  bytes[first + 1] = low >> 8;
  bytes[first + 2] = low >> 16;
  bytes[first + 3] = low >> 24;
  bytes[first + 4] = high;
  bytes[first + 5] = high >> 8;
}

/** @throws RangeError if it is not a head */
export function readHead(bytes: Uint8Array, start: number): RecordHead {
  return headFrom(new ByteReader(bytes, start + PREFIX_BYTES), bytes, start);
}

/** Length in bytes of the record at an offset; 0 if the chunk has no further record. */
export function lengthAt(bytes: Uint8Array, start: number): number {
  return (bytes[start] ?? 0) + ((bytes[start + 1] ?? 0) << 8);
}

/** @throws RangeError if the world cannot have such an event */
export function readRecord(
  world: World,
  bytes: Uint8Array,
  start: number,
): RecordHead & { readonly event: WorldEvent } {
  const reader = new ByteReader(bytes, start + PREFIX_BYTES);
  const head = headFrom(reader, bytes, start);
  const fields = new EventFields(reader, world);
  const atMs = world.settings.startMs + reader.count();
  const event = readFields(fields, atMs, isTopic(head.receiver) ? fields.player() : head.receiver);
  if (reader.position !== start + head.length)
    throw new RangeError('an event does not have the length that its record states');
  return { ...head, event };
}

function headFrom(reader: ByteReader, bytes: Uint8Array, start: number): RecordHead {
  let link = 0;
  for (let index = PREFIX_BYTES - 1; index >= LENGTH_BYTES; index -= 1)
    link = link * 0x100 + (bytes[start + index] ?? 0);
  const receiver = reader.count() + FIRST_RECEIVER;
  return { length: lengthAt(bytes, start), link, receiver, seq: reader.count(), entrySeq: reader.count() };
}
