// Messages of players as plain objects.
import { leftToSend, messagesOf, presentlyBlocked } from '../../engine/diplomacy/messages.js';
import type { MessageRules } from '../../engine/rules/rule-set.js';
import { messageId, playerId } from '../../engine/terms/ids.js';
import { EVERYBODY, type Message } from '../../engine/world/message-table.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText, isoTextOrNull } from '../exchange/iso-time.js';
import type { BlockedPlayersBody, MessageBody, MessagesBody } from '../schemas/diplomacy.js';

export function messageBody(world: ReadonlyWorld, message: Message): MessageBody {
  const { number, atMs, senderNumber, receiverNumber, text } = message;
  return {
    id: messageId(number),
    at: isoText(atMs),
    senderId: playerId(world, senderNumber),
    senderName: world.players.get(senderNumber)?.name ?? null,
    receiverId: receiverNumber === EVERYBODY ? null : playerId(world, receiverNumber),
    receiverName: world.players.get(receiverNumber)?.name ?? null,
    text,
  };
}

export interface MessageRange {
  /** Only messages with a higher number, the oldest of them first; null for the newest. */
  readonly afterNumber: number | null;
  /** How many at most. */
  readonly limit: number;
}

export function messagesBody(
  world: ReadonlyWorld,
  rules: MessageRules,
  player: ReadonlyPlayer,
  nowMs: number,
  { afterNumber, limit }: MessageRange,
): MessagesBody {
  const kept = messagesOf(world, player, afterNumber ?? 0);
  const shown = afterNumber === null ? kept.slice(-limit) : kept.slice(0, limit);
  const { messages, broadcasts, untilMs } = leftToSend(world, rules, player, nowMs);
  return {
    messages: shown.map((message) => messageBody(world, message)),
    left: { messages, broadcasts, until: isoTextOrNull(untilMs) },
    ...blockedPlayersBody(world, player),
  };
}

export function blockedPlayersBody(world: ReadonlyWorld, player: ReadonlyPlayer): BlockedPlayersBody {
  return { blockedPlayerIds: presentlyBlocked(world, player).map((number) => playerId(world, number)) };
}
