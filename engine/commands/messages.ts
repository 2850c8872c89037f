// The commands with which players write to each other, and refuse to be written to.

import { refuseBlock, refuseMessage, send, setBlocked } from '../diplomacy/messages.js';
import { refuseSuspended } from '../planets/planets.js';
import { MESSAGE_UNITS_MAX } from '../rules/record-limits.js';
import { type Refusal, refuse } from '../terms/rejections.js';
import { EVERYBODY, type Message } from '../world/message-table.js';
import type { Player } from '../world/player-table.js';
import { recordActivity } from '../world/state.js';
import { defineCommand } from './command.js';

/** Sends a text to one other player, or to everybody. */
export const sendMessage = defineCommand({
  type: 'send_message',
  code: 31,
  decode: (row) => ({
    type: 'send_message',
    playerNumber: row.integer('player'),
    // Or EVERYBODY.
    receiverNumber: row.integer('receiver'),
    text: row.text('text', MESSAGE_UNITS_MAX),
  }),

  execute(world, { playerNumber, receiverNumber, text }): Message | Refusal {
    const sender = world.players.get(playerNumber);
    const receiver = receiverNumber === EVERYBODY ? null : world.players.get(receiverNumber);
    if (sender === undefined || receiver === undefined) return refuse('player_not_found');
    requireAnother(playerNumber, receiverNumber);
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    const { messages } = world.rules;
    if (messages === null) return refuse('messages_not_in_rules');
    const refusal = refuseMessage(world, messages, sender, receiver, text);
    if (refusal !== null) return refusal;
    // commit
    recordActivity(world, playerNumber);
    return send(world, messages, sender, receiver, text);
  },
});

/** Refuses the messages of another player from now on, or no longer. */
export const blockPlayer = defineCommand({
  type: 'block_player',
  code: 32,
  decode: (row) => ({
    type: 'block_player',
    playerNumber: row.integer('player'),
    blockedNumber: row.integer('blocked player'),
    isBlocked: row.flag('whether it is blocked'),
  }),

  execute(world, { playerNumber, blockedNumber, isBlocked }): Player | Refusal {
    const player = world.players.get(playerNumber);
    const other = world.players.get(blockedNumber);
    if (player === undefined || other === undefined) return refuse('player_not_found');
    requireAnother(playerNumber, blockedNumber);
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    const { messages } = world.rules;
    if (messages === null) return refuse('messages_not_in_rules');
    const refusal = isBlocked ? refuseBlock(world, messages, player, other) : null;
    if (refusal !== null) return refusal;
    // commit
    setBlocked(world, player, other, isBlocked);
    recordActivity(world, playerNumber);
    return player;
  },
});

/** @throws Error if a player writes to itself, or blocks itself: the server refuses that as a fault of shape, and a foreign log may have it */
function requireAnother(playerNumber: number, otherNumber: number): void {
  if (playerNumber === otherNumber) throw new Error(`player ${playerNumber} is its own other player`);
}
