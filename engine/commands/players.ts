// The commands that create players and retire them.

import { rename, resume, suspend } from '../players/moderation.js';
import { addPlayer, existingPlayer, hasHad, hasRoomForPlayer, refuseHeld, refuseTaken } from '../players/players.js';
import { endedWith, type RetiredPlayer, retire } from '../players/retirement.js';
import {
  BULK_PLAYERS_MAX,
  FORMER_NAMES_PER_PLAYER_MAX,
  KEY_HASH_LENGTH_MAX,
  NAME_KEY_UNITS_MAX,
  NAME_UNITS_MAX,
  RETIRED_PLAYERS_MAX,
} from '../rules/record-limits.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Player, PlayerIdentity } from '../world/player-table.js';
import { type CommandOf, defineCommand } from './command.js';

/**
 * Creates the one human or a bot, with its starter planet. The caller first checks that the player does not exist: an existing player is
 * read, not created.
 */
export const createPlayer = defineCommand({
  type: 'create_player',
  code: 3,
  decode: (row) => ({
    type: 'create_player',
    name: row.text('name', NAME_UNITS_MAX),
    isBot: row.flag('bot flag'),
    keyHash: row.textOrNull('key hash', KEY_HASH_LENGTH_MAX),
    nameKey: row.text('name key', NAME_KEY_UNITS_MAX),
  }),

  execute(world, command): Player | Refusal {
    if (existingPlayer(world, command) !== undefined) throw new Error(`the player ${command.name} already exists`);
    const taken = refuseTaken(world, command);
    if (taken !== undefined) return taken;
    if (!hasRoomForPlayer(world)) return refuse('universe_full');
    // commit
    return addPlayer(world, command);
  },
});

export interface CreatedPlayers {
  /** In the order of the numbers in their names. */
  readonly players: readonly Player[];
  /** Parallel to `players`: true if this command created the player. */
  readonly created: readonly boolean[];
}

/** Creates bots in bulk, named prefix-1, prefix-2 and so on. Existing bots are not changed. */
export const createPlayers = defineCommand({
  type: 'create_players',
  code: 4,
  decode: (row) => ({
    type: 'create_players',
    count: row.integer('count', 1, BULK_PLAYERS_MAX),
    namePrefix: row.text('name prefix', NAME_UNITS_MAX),
    // One for each player in order; empty if the world has no keys.
    keyHashes: row.fewTexts('key hashes', BULK_PLAYERS_MAX, KEY_HASH_LENGTH_MAX),
    // The key by which the prefix is compared; a hyphen and a number are appended to it.
    namePrefixKey: row.text('name prefix key', NAME_KEY_UNITS_MAX),
  }),

  execute(world, command): CreatedPlayers | Refusal {
    for (let index = 0; index < command.count; index += 1) {
      const taken = refuseTaken(world, botOf(command, index));
      if (taken !== undefined) return taken;
    }
    const players: Player[] = [];
    const created: boolean[] = [];
    for (let index = 0; index < command.count; index += 1) {
      const bot = botOf(command, index);
      const existing = world.players.get(world.namedNumbers.numberOf(bot.nameKey));
      if (existing === undefined && !hasRoomForPlayer(world)) {
        // Players for whom no planet is left are omitted; those created before them stay.
        if (!created.includes(true)) return refuse('universe_full');
        break;
      }
      // commit
      const player = existing ?? addPlayer(world, bot);
      players.push(player);
      created.push(existing === undefined);
    }
    return { players, created };
  },
});

function botOf(
  { namePrefix, namePrefixKey, keyHashes }: CommandOf<typeof createPlayers>,
  index: number,
): PlayerIdentity {
  const ending = `-${index + 1}`;
  return {
    name: namePrefix + ending,
    nameKey: namePrefixKey + ending,
    isBot: true,
    keyHash: keyHashes[index] ?? null,
  };
}

/**
 * Removes players from the world, for the operator. The command names them, so that a replay does not depend on how they were chosen:
 * in ascending order, so that no number occurs twice.
 */
export const retirePlayers = defineCommand({
  type: 'retire_players',
  code: 20,
  decode: (row) => ({ type: 'retire_players', playerNumbers: row.fewIntegers('players', RETIRED_PLAYERS_MAX) }),

  execute(world, { playerNumbers }): readonly RetiredPlayer[] | Refusal {
    const players: Player[] = [];
    for (const number of playerNumbers) {
      const player = world.players.get(number);
      if (player === undefined) return refuse('player_not_found');
      if (number <= (players.at(-1)?.number ?? 0)) throw new Error(`player ${number} is named out of order`);
      players.push(player);
    }
    // commit
    const retired = players.map((player) => endedWith(player));
    for (const player of players) retire(world, player);
    return retired;
  },
});

/** Suspends a player, for the operator, unless it is suspended already: its commands are refused and its plans wait. */
export const suspendPlayer = defineCommand({
  type: 'suspend_player',
  code: 26,
  decode: (row) => ({ type: 'suspend_player', playerNumber: row.integer('player') }),

  execute(world, { playerNumber }): Player | Refusal {
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    // commit
    if (player.suspendedAtMs === null) suspend(world, player);
    return player;
  },
});

/** Lets a suspended player go on, for the operator. */
export const resumePlayer = defineCommand({
  type: 'resume_player',
  code: 27,
  decode: (row) => ({ type: 'resume_player', playerNumber: row.integer('player') }),

  execute(world, { playerNumber }): Player | Refusal {
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    // commit
    if (player.suspendedAtMs !== null) resume(world, player);
    return player;
  },
});

/** Gives a player another name, for the operator. The name before stays its own: nobody else gets it. */
export const renamePlayer = defineCommand({
  type: 'rename_player',
  code: 28,
  decode: (row) => ({
    type: 'rename_player',
    playerNumber: row.integer('player'),
    name: row.text('name', NAME_UNITS_MAX),
    nameKey: row.text('name key', NAME_KEY_UNITS_MAX),
  }),

  execute(world, { playerNumber, name, nameKey }): Player | Refusal {
    const player = world.players.get(playerNumber);
    if (player === undefined) return refuse('player_not_found');
    const taken = refuseHeld(world, { name, nameKey }, playerNumber);
    if (taken !== undefined) return taken;
    if (player.name === name) return player;
    if (player.formerNames.length >= FORMER_NAMES_PER_PLAYER_MAX && !hasHad(player, name))
      return refuseAtLimit('FORMER_NAMES_PER_PLAYER_MAX', FORMER_NAMES_PER_PLAYER_MAX);
    // commit
    rename(world, player, name, nameKey);
    return player;
  },
});
