// What players say to each other, under rules with `messages`: a message to one player, or to everybody. In a period, which its first message
// begins, a player sends a limited number of them in all and to each one. So nobody fills what another player keeps, which drops its oldest
// messages. The text is data: nothing in the engine looks at it, besides its length.

import type { MessageRules } from '../rules/rule-set.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import { EVERYBODY, KEPT_BY_BOTH, type Message, type Sent } from '../world/message-table.js';
import type { Player } from '../world/player-table.js';
import { type ReadonlyPlayer, type ReadonlyWorld, touchPlayer, type World } from '../world/state.js';
import { durationMs } from '../world/timer-queue.js';

/** @returns why a player cannot send a text now; null if it can. @param receiver null for everybody */
export function refuseMessage(
  world: ReadonlyWorld,
  messages: MessageRules,
  sender: ReadonlyPlayer,
  receiver: ReadonlyPlayer | null,
  text: string,
): Refusal | null {
  if (lengthOf(text) > messages.charactersMax) return refuseAtLimit('messages.charactersMax', messages.charactersMax);
  return receiver === null
    ? refuseAnother(messages, sentInPeriod(world, sender.number, world.nowMs), EVERYBODY)
    : refuseContact(world, sender.number, receiver.number);
}

/**
 * Returns why a player cannot turn to another one now, by a message, the proposal of a pact, or an offer to it alone: all of them count as
 * messages, so that nobody fills the events of another player. Null if it can, or the rules have no messages.
 */
export function refuseContact(world: ReadonlyWorld, senderNumber: number, receiverNumber: number): Refusal | null {
  const { messages } = world.rules;
  if (messages === null) return null;
  if (world.messages.blockedBy(receiverNumber).includes(senderNumber)) return refuse('blocked_by_receiver');
  return refuseAnother(messages, sentInPeriod(world, senderNumber, world.nowMs), receiverNumber);
}

/** Counts a proposal or an offer to one player as a message to it. */
export function countContact(world: World, senderNumber: number, receiverNumber: number): void {
  const { messages } = world.rules;
  if (messages !== null) countSent(world, messages, senderNumber, receiverNumber);
}

/** @param receiverNumber EVERYBODY or a player */
function refuseAnother(rules: MessageRules, sent: Sent | null, receiverNumber: number): Refusal | null {
  if (sent === null) return null;
  const { untilMs, toEach, broadcasts } = sent;
  const counts: readonly (readonly [count: number, name: MessageLimit])[] =
    receiverNumber === EVERYBODY
      ? [[broadcasts, 'broadcastsMax']]
      : [
          [sentToOthers(sent), 'sentMax'],
          [toEach.get(receiverNumber) ?? 0, 'sentToOneMax'],
        ];
  const reached = counts.find(([count, name]) => count >= rules[name]);
  if (reached === undefined) return null;
  const [, name] = reached;
  const limit = { name: `messages.${name}`, maximum: rules[name] };
  return refuse('message_limit_reached', { reason: REASONS[name], limit, possibleAtMs: untilMs });
}

const REASONS = {
  sentMax: 'The player has sent as many messages as it may in a period.',
  sentToOneMax: 'The player has sent this player as many messages as it may in a period.',
  broadcastsMax: 'The player has sent as many messages to everybody as it may in a period.',
} as const;

type MessageLimit = keyof typeof REASONS;

/** Sends a text that refuseMessage() does not refuse. @param receiver null for everybody */
export function send(
  world: World,
  messages: MessageRules,
  sender: Player,
  receiver: Player | null,
  text: string,
): Message {
  const { nowMs: atMs, messages: table, lineages } = world;
  // A world that goes on from an earlier state hands out no number of the past that it does not have.
  table.lastNumber = Math.max(table.lastNumber, lineages.base) + 1;
  const head = { number: table.lastNumber, atMs, senderNumber: sender.number, text };
  const message = { ...head, receiverNumber: receiver?.number ?? EVERYBODY };
  countSent(world, messages, sender.number, message.receiverNumber);
  if (receiver === null) {
    table.addBroadcast(message, messages.broadcastsKeptMax);
    world.events.push({
      kind: 'message_broadcast',
      atMs,
      playerNumber: sender.number,
      messageNumber: head.number,
      text,
    });
  } else {
    table.add(message, KEPT_BY_BOTH, messages.keptMax);
    recordMessage(world, message);
  }
  return message;
}

/** Both players learn the text, everybody that they spoke. */
function recordMessage(
  { events }: World,
  { number: messageNumber, atMs, senderNumber, receiverNumber, text }: Message,
): void {
  events.push({ kind: 'message_sent', atMs, playerNumber: senderNumber, messageNumber, receiverNumber, text });
  events.push({ kind: 'message_received', atMs, playerNumber: receiverNumber, messageNumber, senderNumber, text });
  events.push({ kind: 'players_spoke', atMs, playerNumber: senderNumber, receiverNumber });
}

function countSent(world: World, { periodSeconds }: MessageRules, senderNumber: number, receiverNumber: number): void {
  const before = sentInPeriod(world, senderNumber, world.nowMs);
  const untilMs = before?.untilMs ?? world.nowMs + durationMs(world, periodSeconds * 1000);
  const toEach = new Map(before?.toEach);
  if (receiverNumber !== EVERYBODY) toEach.set(receiverNumber, 1 + (toEach.get(receiverNumber) ?? 0));
  const broadcasts = (before?.broadcasts ?? 0) + (receiverNumber === EVERYBODY ? 1 : 0);
  world.messages.setLastSentOf(senderNumber, { untilMs, toEach, broadcasts });
}

/** What a player has sent in the period that an instant is in; null outside of one. */
function sentInPeriod({ messages }: ReadonlyWorld, playerNumber: number, atMs: number): Sent | null {
  const sent = messages.lastSentOf(playerNumber);
  return sent === null || sent.untilMs <= atMs ? null : sent;
}

/** What a player may still send in its period at an instant. */
export interface LeftToSend {
  /** To single players. */
  readonly messages: number;
  readonly broadcasts: number;
  /** World time at which the period ends; null outside of one. */
  readonly untilMs: number | null;
}

export function leftToSend(
  world: ReadonlyWorld,
  { sentMax, broadcastsMax }: MessageRules,
  player: ReadonlyPlayer,
  atMs: number,
): LeftToSend {
  const sent = sentInPeriod(world, player.number, atMs);
  if (sent === null) return { messages: sentMax, broadcasts: broadcastsMax, untilMs: null };
  return {
    messages: Math.max(0, sentMax - sentToOthers(sent)),
    broadcasts: Math.max(0, broadcastsMax - sent.broadcasts),
    untilMs: sent.untilMs,
  };
}

/** Messages to single players. */
function sentToOthers({ toEach }: Sent): number {
  let count = 0;
  for (const toOne of toEach.values()) count += toOne;
  return count;
}

/** @returns why a player cannot block another one; null if it can, or does already */
export function refuseBlock(
  world: ReadonlyWorld,
  { blockedMax }: MessageRules,
  player: ReadonlyPlayer,
  other: ReadonlyPlayer,
): Refusal | null {
  const present = presentlyBlocked(world, player);
  if (present.includes(other.number) || present.length < blockedMax) return null;
  return refuseAtLimit('messages.blockedMax', blockedMax);
}

/** Lets a player refuse the messages of another one from now on, or no longer. */
export function setBlocked(world: World, player: Player, other: ReadonlyPlayer, isBlocked: boolean): void {
  const others = presentlyBlocked(world, player).filter((number) => number !== other.number);
  world.messages.setBlockedBy(player.number, isBlocked ? [...others, other.number] : others);
  touchPlayer(world, player);
}

/** Those who are retired write no more. */
export function presentlyBlocked({ messages, players }: ReadonlyWorld, { number }: ReadonlyPlayer): readonly number[] {
  return messages.blockedBy(number).filter((blocked) => players.has(blocked));
}

/**
 * What a player sent and received after a message, and what everybody may read, except of those whom it blocks. In the order of the
 * messages.
 *
 * @param afterNumber of a message; 0 for all that are kept
 */
export function messagesOf({ messages }: ReadonlyWorld, { number }: ReadonlyPlayer, afterNumber: number): Message[] {
  const blocked = messages.blockedBy(number);
  const broadcasts = messages.broadcasts.filter(({ senderNumber }) => !blocked.includes(senderNumber));
  return [...messages.receivedBy(number), ...messages.sentBy(number), ...broadcasts]
    .filter((message) => message.number > afterNumber)
    .sort((one, other) => one.number - other.number);
}

/** What others have told a player or everybody, except those whom it blocks. The newest first, at most `count`. */
export function heardBy(world: ReadonlyWorld, player: ReadonlyPlayer, count: number): Message[] {
  const heard = messagesOf(world, player, 0).filter(({ senderNumber }) => senderNumber !== player.number);
  return heard.slice(-count).reverse();
}

/** Unicode code points of a text. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
