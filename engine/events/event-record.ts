// Writes and reads an event as a record of bytes: its length in two bytes and the position of the previous event of its receiver in six, both
// little-endian; its receiver, its ordinal and the seq of its entry; its time; then the number of its kind and its fields, as the row of the
// kind says (kinds.ts).

import { ByteReader, type EventNumbers, HEAD_NUMBERS, writeCounts } from './event-bytes.js';
import { type EventWorld, FIELD_TYPES, type FieldType, type FieldTypeName, readSubject } from './fields.js';
import { EVENT_KINDS, type EventKind, FIRST_RECEIVER, isTopic, NOBODY, type WorldEvent } from './kinds.js';

/** Bytes of the longest record: an event of 200 planets, or of 64 types of ships on two sides, takes less. */
export const RECORD_BYTES_MAX = 4 * 1024;
const LENGTH_BYTES = 2;
const LINK_BYTES = 6;
const PREFIX_BYTES = LENGTH_BYTES + LINK_BYTES;

/** What a record refers to. */
export interface RecordWorld extends EventWorld {
  readonly settings: { readonly startMs: number };
}

/** What precedes the event in its record. */
export interface RecordHead {
  /** Bytes of the whole record. */
  readonly length: number;
  /** Position of the previous event of the receiver; not valid if that event is no longer kept. */
  readonly link: number;
  readonly receiver: number;
  /** Counts the events of the receiver, from 1 on. */
  readonly ordinal: number;
  /** Seq of the entry that caused it. */
  readonly entrySeq: number;
}

/**
 * Writes the head of a record before the numbers of its event.
 *
 * @param time of the event, relative to the beginning of the world
 * @returns the index of its first number
 */
export function writeHead(
  { numbers }: EventNumbers,
  receiver: number,
  ordinal: number,
  entrySeq: number,
  time: number,
  playerNumber: number,
): number {
  let index = HEAD_NUMBERS;
  if (isTopic(receiver)) numbers[--index] = playerNumber;
  numbers[--index] = time;
  numbers[--index] = entrySeq;
  numbers[--index] = ordinal;
  numbers[--index] = receiver - FIRST_RECEIVER;
  return index;
}

/**
 * Writes a record. There must be room for RECORD_BYTES_MAX.
 *
 * @param first index of the first number of its head
 * @returns the offset after it
 */
export function writeRecord(
  bytes: Uint8Array,
  start: number,
  link: number,
  { numbers, end: last }: EventNumbers,
  first: number,
): number {
  const end = writeCounts(bytes, start + PREFIX_BYTES, numbers, first, last);
  const length = end - start;
  if (length > RECORD_BYTES_MAX) throw new RangeError(`an event cannot have ${length} bytes`);
  bytes[start] = length & 0xff;
  bytes[start + 1] = length >> 8;
  relink(bytes, start, link);
  return end;
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

/** Reads where a record leads, and the kind and time of its event, but none of its fields. @param bytes with an event of a player, not of a topic */
export function readKind(
  world: RecordWorld,
  bytes: Uint8Array,
  start: number,
): Pick<RecordHead, 'link'> & { readonly atMs: number; readonly kind: EventKind | undefined } {
  const reader = new ByteReader(bytes, start + PREFIX_BYTES);
  const { link } = headFrom(reader, bytes, start);
  const atMs = world.settings.startMs + reader.count();
  return { link, atMs, kind: CODECS_BY_CODE[reader.count()]?.kind };
}

/** @throws Error if the world cannot have such an event */
export function readRecord(
  world: RecordWorld,
  bytes: Uint8Array,
  start: number,
): RecordHead & { readonly event: WorldEvent } {
  const reader = new ByteReader(bytes, start + PREFIX_BYTES);
  const head = headFrom(reader, bytes, start);
  const atMs = world.settings.startMs + reader.count();
  const playerNumber = isTopic(head.receiver) ? readSubject(reader, world) : head.receiver;
  const event = readFields(reader, world, atMs, playerNumber);
  if ((playerNumber === NOBODY) !== EVENT_KINDS[event.kind].audience.isAboutWorld)
    throw new RangeError(`an event of the kind ${event.kind} cannot be about player ${playerNumber}`);
  if (reader.position !== start + head.length)
    throw new RangeError('an event does not have the length that its record states');
  return { ...head, event };
}

function headFrom(reader: ByteReader, bytes: Uint8Array, start: number): RecordHead {
  let link = 0;
  for (let index = PREFIX_BYTES - 1; index >= LENGTH_BYTES; index -= 1)
    link = link * 0x100 + (bytes[start + index] ?? 0);
  const receiver = reader.count() + FIRST_RECEIVER;
  return { length: lengthAt(bytes, start), link, receiver, ordinal: reader.count(), entrySeq: reader.count() };
}

/** The codec of a kind. The two lists are in the order of the fields. */
interface KindCodec {
  readonly kind: EventKind;
  readonly names: readonly string[];
  readonly types: readonly FieldType<unknown>[];
}

const CODECS_BY_CODE: (KindCodec | undefined)[] = [];
for (const [kind, { code, fields }] of Object.entries(EVENT_KINDS)) {
  if (CODECS_BY_CODE[code] !== undefined) throw new Error(`two kinds of events have the number ${code}`);
  CODECS_BY_CODE[code] = {
    kind: kind as EventKind,
    names: Object.keys(fields),
    types: Object.values<FieldTypeName>(fields).map((name) => FIELD_TYPES[name] as FieldType<unknown>),
  };
}

/** Writes the kind of an event and its fields, without its time and its player. */
export function writeFields(to: EventNumbers, event: WorldEvent): void {
  const { code } = EVENT_KINDS[event.kind];
  const { names, types } = CODECS_BY_CODE[code] as KindCodec;
  const values = event as unknown as Readonly<Record<string, unknown>>;
  to.begin(code);
  for (let place = 0; place < names.length; place += 1) {
    (types[place] as FieldType<unknown>).write(to, values[names[place] as string], event.atMs);
  }
}

/** Reads the kind of an event and its fields. @throws Error if the world cannot have such an event */
export function readFields(from: ByteReader, world: EventWorld, atMs: number, playerNumber: number): WorldEvent {
  const codec = CODECS_BY_CODE[from.count()];
  if (codec === undefined) throw new RangeError('there is no such kind of event');
  const { kind, names, types } = codec;
  const event: Record<string, unknown> = { kind, atMs, playerNumber };
  for (let place = 0; place < names.length; place += 1) {
    event[names[place] as string] = (types[place] as FieldType<unknown>).read(from, world, atMs);
  }
  return event as unknown as WorldEvent;
}
