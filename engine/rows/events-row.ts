// The rows of the events that a world keeps: one that says that it does, then one for each receiver that has any, with the bytes of its
// events as characters. A world from before begin_events has none of them.
import type { EventLog } from '../events/event-log.js';
import { OPEN_WORLD_TOPIC, WORLD_TOPIC } from '../events/receivers.js';
import type { World } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

/** Characters that one call can make of bytes. */
const BYTES_PER_CALL = 8 * 1024;

export function* writeEvents({ eventLog }: { readonly eventLog: EventLog }): Generator<Row> {
  if (!eventLog.hasBegun) return;
  yield [ROW_KINDS.event_log, eventLog.recordedCount];
  for (const { receiver, lastSeq, bytes } of eventLog.kept()) {
    yield [ROW_KINDS.events, receiver, lastSeq, textOf(bytes)];
  }
}

export function readEventLog(draft: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  draft.endPlayers();
  const { eventLog } = draft.world;
  if (eventLog.hasBegun) throw new Error('there are two such rows');
  eventLog.hasBegun = true;
  eventLog.recordedCount = row.integer('number of events');
}

export function readEvents({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(4);
  if (!world.eventLog.hasBegun) throw new Error('the world does not keep events');
  const receiver = receiverOf(world, row.integer('receiver', OPEN_WORLD_TOPIC, world.lastPlayerNumber));
  const lastSeq = row.integer('last seq', 1, world.eventLog.recordedCount);
  world.eventLog.restore({ receiver, lastSeq, bytes: bytesOf(row.text('events')) });
}

function receiverOf({ players }: World, receiver: number): number {
  if (receiver <= WORLD_TOPIC || players[receiver] !== undefined) return receiver;
  throw new Error(`player ${receiver} does not exist`);
}

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += BYTES_PER_CALL) {
    text += String.fromCharCode(...bytes.subarray(start, start + BYTES_PER_CALL));
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
