// The rows of messages: the number of the last one; of each player what it has sent lately and whom it blocks; then the messages that are
// kept, in their order. Worlds in which nobody wrote or blocked anybody have none of them.

import { BLOCKED_PLAYERS_MAX, MESSAGES_KEPT_MAX, MESSAGES_SENT_MAX } from '../rules/limits.js';
import { MESSAGE_UNITS_MAX, NUMBER_MAX } from '../rules/record-limits.js';
import {
  EVERYBODY,
  KEPT_BY_BOTH,
  KEPT_BY_RECEIVER,
  KEPT_BY_SENDER,
  type Message,
  type Sent,
} from '../world/message-table.js';
import type { Player } from '../world/player-table.js';
import type { World } from '../world/state.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

/** @returns null if nobody ever wrote */
export function writeLastMessage({ messages: { lastNumber } }: World): Row | null {
  return lastNumber === 0 ? null : [ROW_KINDS.messages, lastNumber];
}

export function readLastMessage({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  if (world.rules.messages === null) throw new Error('the rules have no messages');
  if (world.messages.lastNumber !== 0) throw new Error('there are two such rows');
  world.messages.lastNumber = row.integer('number', 1, NUMBER_MAX);
}

/** @returns null if the player never wrote, and blocks nobody */
export function writeCorrespondence({ messages }: World, { number }: Player): Row | null {
  const sent = messages.lastSentOf(number);
  const blocked = messages.blockedBy(number);
  if (sent === null && blocked.length === 0) return null;
  return [
    ROW_KINDS.correspondence,
    sent === null ? null : [sent.untilMs, [...sent.toEach], sent.broadcasts],
    [...blocked],
  ];
}

export function readCorrespondence(draft: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  const { world, owner } = draft;
  if (world.rules.messages === null) throw new Error('the rules have no messages');
  if (writeCorrespondence(world, owner) !== null) throw new Error('the player has two such rows');
  const sent = row.groupOrNull('period', 3);
  if (sent !== null) world.messages.setLastSentOf(owner.number, readSent(draft, sent));
  const blocked = row.fewIntegers('blocked players', BLOCKED_PLAYERS_MAX);
  for (const [place, number] of blocked.entries()) {
    if (blocked.indexOf(number) !== place) throw new Error(`player ${number} is blocked twice`);
    referenceAnother(draft, number);
  }
  world.messages.setBlockedBy(owner.number, blocked);
  if (writeCorrespondence(world, owner) === null) throw new Error('it says nothing');
}

function readSent(draft: WorldDraft, sent: RowReader): Sent {
  const untilMs = sent.integer('end of the period', 1);
  const toEach = new Map<number, number>();
  for (const toOne of sent.groups('receivers', MESSAGES_SENT_MAX, 2)) {
    const number = referenceAnother(draft, toOne.integer('receiver'));
    if (toEach.has(number)) throw new Error(`player ${number} is listed twice`);
    toEach.set(number, toOne.integer('messages', 1, MESSAGES_SENT_MAX));
  }
  const broadcasts = sent.integer('broadcasts', 0, MESSAGES_SENT_MAX);
  if (toEach.size === 0 && broadcasts === 0) throw new Error('it sent nothing');
  return { untilMs, toEach, broadcasts };
}

/** @returns the number of a player other than the owner, who may be retired */
function referenceAnother(draft: WorldDraft, number: number): number {
  if (number === EVERYBODY || number === draft.owner.number) throw new Error(`${number} is no other player`);
  return draft.referencePlayer(number);
}

export function* writeMessages({ messages }: World): Generator<Row> {
  for (const { message, keepers } of messages.kept()) {
    const { number, atMs, senderNumber, receiverNumber, text } = message;
    yield [ROW_KINDS.message, number, atMs, senderNumber, text, receiverNumber, keepers];
  }
}

export function readMessage(draft: WorldDraft, row: RowReader): void {
  row.requireLength(7);
  const { players, messages } = draft.world;
  const head = readHead(draft, row, draft.lastMessageNumber);
  const receiverNumber = draft.referencePlayer(row.integer('receiver', 1));
  if (receiverNumber === head.senderNumber) throw new Error(`player ${receiverNumber} wrote to itself`);
  const keepers = row.integer('keepers', KEPT_BY_SENDER, KEPT_BY_BOTH);
  for (const [keeper, number, kept] of [
    [KEPT_BY_SENDER, head.senderNumber, messages.sentBy(head.senderNumber)],
    [KEPT_BY_RECEIVER, receiverNumber, messages.receivedBy(receiverNumber)],
  ] as const) {
    if (keepers !== keeper && keepers !== KEPT_BY_BOTH) continue;
    if (!players.has(number)) throw new Error(`player ${number}, who keeps it, does not exist`);
    if (kept.length === MESSAGES_KEPT_MAX) throw new Error(`player ${number} keeps too many`);
  }
  draft.lastMessageNumber = head.number;
  messages.add({ ...head, receiverNumber }, keepers, MESSAGES_KEPT_MAX);
}

export function* writeBroadcasts({ messages }: World): Generator<Row> {
  for (const { number, atMs, senderNumber, text } of messages.broadcasts)
    yield [ROW_KINDS.broadcast, number, atMs, senderNumber, text];
}

export function readBroadcast(draft: WorldDraft, row: RowReader): void {
  row.requireLength(5);
  const { messages } = draft.world;
  const head = readHead(draft, row, messages.broadcasts.at(-1)?.number ?? 0);
  if (messages.isKept(head.number)) throw new Error('it went to one player, too');
  if (messages.broadcasts.length === MESSAGES_KEPT_MAX) throw new Error('there are too many');
  messages.addBroadcast({ ...head, receiverNumber: EVERYBODY }, MESSAGES_KEPT_MAX);
}

/** @param numberBefore of the message in the row of this kind before */
function readHead(draft: WorldDraft, row: RowReader, numberBefore: number): Omit<Message, 'receiverNumber'> {
  const { settings, lastEntryMs, messages } = draft.world;
  return {
    number: row.integer('number', numberBefore + 1, messages.lastNumber),
    atMs: row.integer('time', settings.startMs, lastEntryMs),
    senderNumber: draft.referencePlayer(row.integer('sender', 1)),
    text: row.text('text', MESSAGE_UNITS_MAX),
  };
}
