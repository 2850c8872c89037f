// create_players: creates bots in bulk, named prefix-1, prefix-2 and so on. Existing bots are not changed.
import { refuseTaken } from '../queries/lookup.js';
import { refuse } from '../rejections.js';
import { BULK_PLAYERS_MAX, KEY_HASH_LENGTH_MAX, NAME_KEY_UNITS_MAX, NAME_UNITS_MAX } from '../rules/record-limits.js';
import type { Player } from '../state.js';
import type { CommandDefinition } from './command.js';
import { addPlayer, hasRoomForPlayer, type NewPlayer } from './create-player.js';

export interface CreatePlayers {
  readonly type: 'create_players';
  readonly count: number;
  readonly namePrefix: string;
  /** One for each player in order; empty if the world has no keys. */
  readonly keyHashes: readonly string[];
  /** What the prefix is compared by: a hyphen and a number after it are compared as they are. */
  readonly namePrefixKey: string;
}

export interface CreatedPlayers {
  /** In the order of the numbers in their names. */
  readonly players: readonly Player[];
  /** By position in `players`: true if this command created the player. */
  readonly created: readonly boolean[];
}

export const createPlayers: CommandDefinition<CreatePlayers, CreatedPlayers> = {
  type: 'create_players',
  code: 4,
  decode: (row) => ({
    type: 'create_players',
    count: row.integer('count', 1, BULK_PLAYERS_MAX),
    namePrefix: row.text('name prefix', NAME_UNITS_MAX),
    keyHashes: row.fewTexts('key hashes', BULK_PLAYERS_MAX, KEY_HASH_LENGTH_MAX),
    namePrefixKey: row.text('name prefix key', NAME_KEY_UNITS_MAX),
  }),

  execute(world, command) {
    for (let index = 0; index < command.count; index += 1) {
      const taken = refuseTaken(world, botOf(command, index));
      if (taken !== undefined) return taken;
    }
    const players: Player[] = [];
    const created: boolean[] = [];
    for (let index = 0; index < command.count; index += 1) {
      const bot = botOf(command, index);
      const existing = world.namedNumbers.get(bot.nameKey);
      if (existing === undefined && !hasRoomForPlayer(world)) {
        // Players for whom no planet is left are omitted; those created before them stay.
        if (!created.includes(true)) return refuse('universe_full');
        break;
      }
      // commit
      const player = existing === undefined ? addPlayer(world, bot) : (world.players[existing] as Player);
      players.push(player);
      created.push(existing === undefined);
    }
    return { players, created };
  },
};

function botOf({ namePrefix, namePrefixKey, keyHashes }: CreatePlayers, index: number): NewPlayer {
  const ending = `-${index + 1}`;
  return {
    name: namePrefix + ending,
    nameKey: namePrefixKey + ending,
    isBot: true,
    keyHash: keyHashes[index] ?? null,
  };
}
