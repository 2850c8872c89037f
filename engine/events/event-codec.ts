// Events as numbers and bytes: the number of the kind, then its fields, as their row in the table says (kinds.ts).

import type { ByteReader } from './byte-cursor.js';
import type { EventNumbers } from './event-numbers.js';
import { type EventWorld, FIELD_TYPES, type FieldType, type FieldTypeName } from './fields.js';
import { EVENT_KINDS, type EventKind, type WorldEvent } from './kinds.js';

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

/** Reads the kind of an event and its fields. @throws RangeError if the world cannot have such an event */
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
