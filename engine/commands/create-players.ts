// create_players: creates bots in bulk, named prefix-1, prefix-2 and so on. Existing bots are not changed.
import { refuse } from '../rejections.js';
import { BULK_NAME_PREFIX_LENGTH_MAX, BULK_PLAYERS_MAX, KEY_HASH_LENGTH_MAX } from '../rules/limits.js';
import type { Player } from '../state.js';
import type { CommandDefinition } from './command.js';
import { addPlayer, hasRoomForPlayer } from './create-player.js';

export interface CreatePlayers {
  readonly type: 'create_players';
  readonly count: number;
  readonly namePrefix: string;
  /** One for each player in order; empty if the world has no keys. */
  readonly keyHashes: readonly string[];
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
    namePrefix: row.text('name prefix', BULK_NAME_PREFIX_LENGTH_MAX),
    keyHashes: row.fewTexts('key hashes', BULK_PLAYERS_MAX, KEY_HASH_LENGTH_MAX),
  }),

  execute(world, { count, namePrefix, keyHashes }) {
    const players: Player[] = [];
    const created: boolean[] = [];
    for (let index = 0; index < count; index += 1) {
      const name = `${namePrefix}-${index + 1}`;
      const existing = world.botNumbers.get(name);
      if (existing === undefined && !hasRoomForPlayer(world)) {
        // Players for whom no planet is left are omitted; those created before them stay.
        if (!created.includes(true)) return refuse('universe_full');
        break;
      }
      // commit
      const player =
        existing === undefined
          ? addPlayer(world, name, true, keyHashes[index] ?? null)
          : (world.players[existing] as Player);
      players.push(player);
      created.push(existing === undefined);
    }
    return { players, created };
  },
};
