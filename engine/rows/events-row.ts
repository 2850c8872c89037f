// The rows of the events that a world keeps: a head, the table of receivers, then the bytes of the events as characters.

import { CHUNK_BYTES, type EventLog, POSITION_MAX } from '../events/event-log.js';
import { FIRST_RECEIVER } from '../events/kinds.js';
import { NUMBER_MAX } from '../rules/record-limits.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

/** Receivers in one row. */
const RECEIVERS_PER_ROW = 1_000;
/** Values of a ReceiverRow. */
const COLUMNS = 3;
/** Bytes that one call of String.fromCharCode takes. */
const BYTES_PER_CALL = 8 * 1024;

/** Keeps the bytes of events beside the rows of a world. The rows contain their names. */
export interface EventBytes {
  /** @returns the name */
  put(bytes: Uint8Array): string;
  /** Returns bytes that nobody else uses: the world writes to them. */
  get(name: string): Uint8Array;
}

export function* writeEvents(
  { eventLog }: { readonly eventLog: EventLog },
  eventBytes: EventBytes | undefined,
): Generator<Row> {
  yield [ROW_KINDS.event_log, eventLog.recordedCount, eventLog.firstPosition];
  let first = FIRST_RECEIVER;
  let values: number[] = [];
  for (const ofReceiver of eventLog.table()) {
    values.push(...ofReceiver);
    if (values.length < COLUMNS * RECEIVERS_PER_ROW) continue;
    yield [ROW_KINDS.event_receivers, first, values];
    first += RECEIVERS_PER_ROW;
    values = [];
  }
  if (values.length > 0) yield [ROW_KINDS.event_receivers, first, values];
  for (const bytes of eventLog.chunks()) yield [ROW_KINDS.events, eventBytes?.put(bytes) ?? textOf(bytes)];
}

export function readEventLog(draft: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  draft.beginEvents();
  const { eventLog } = draft.world;
  eventLog.recordedCount = row.integer('number of events', 0, NUMBER_MAX);
  eventLog.restoreFirstPosition(row.integer('first position', 0, POSITION_MAX));
}

export function readEventReceivers({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  const { eventLog, players, lastPlayerNumber } = world;
  const first = row.integer('first receiver', FIRST_RECEIVER, lastPlayerNumber);
  const receivers = Math.min(RECEIVERS_PER_ROW, lastPlayerNumber - first + 1);
  const values = row.integers('table', COLUMNS * receivers, 0, POSITION_MAX);
  for (let index = 0; index < receivers; index += 1) {
    const receiver = first + index;
    const [lastOrdinal = 0, lastPosition = 0, givenUpOrdinal = 0] = values.slice(
      COLUMNS * index,
      COLUMNS * (index + 1),
    );
    if (lastOrdinal > 0 && receiver > 0 && !players.has(receiver)) throw new Error(`player ${receiver} is retired`);
    if (givenUpOrdinal > lastOrdinal) throw new Error(`the ordinals of receiver ${receiver} contradict each other`);
    eventLog.restoreReceiver(receiver, [lastOrdinal, lastPosition, givenUpOrdinal]);
  }
}

export function readEvents({ world, eventBytes }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  const text = row.text('events', CHUNK_BYTES);
  if (eventBytes === undefined) world.eventLog.restoreChunk(bytesOf(text));
  else world.eventLog.restoreChunk(eventBytes.get(text), true);
}

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += BYTES_PER_CALL) {
    // apply() takes the array as it is; spreading it would iterate over it.
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + BYTES_PER_CALL) as unknown as number[]);
  }
  return text;
}

function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0xff) throw new Error('its events are not bytes');
    bytes[index] = code;
  }
  return bytes;
}
