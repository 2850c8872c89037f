// create_player: creates the one human or a bot, with its starter planet. The caller first checks that the player does
// not exist: an existing player is read, not created.
import { recordApproachingFleets } from '../incoming-fleets.js';
import { foundStarter } from '../planets.js';
import { protectNewcomer } from '../protection.js';
import { existingPlayer, refuseTaken } from '../queries/lookup.js';
import { refuse } from '../rejections.js';
import { KEY_HASH_LENGTH_MAX, NAME_KEY_UNITS_MAX, NAME_UNITS_MAX, PLAYER_NUMBER_MAX } from '../rules/record-limits.js';
import { nextStarterKey } from '../starters.js';
import { Player, recordActivity, touchPlayer, type World } from '../state.js';
import type { CommandDefinition } from './command.js';

export interface CreatePlayer {
  readonly type: 'create_player';
  readonly name: string;
  readonly isBot: boolean;
  /** SHA-256 of the API key, base64url, or null. */
  readonly keyHash: string | null;
  /** What the name is compared by. */
  readonly nameKey: string;
}

export const createPlayer: CommandDefinition<CreatePlayer, Player> = {
  type: 'create_player',
  code: 3,
  decode: (row) => ({
    type: 'create_player',
    name: row.text('name', NAME_UNITS_MAX),
    isBot: row.flag('bot flag'),
    keyHash: row.textOrNull('key hash', KEY_HASH_LENGTH_MAX),
    nameKey: row.text('name key', NAME_KEY_UNITS_MAX),
  }),

  execute(world, command) {
    if (existingPlayer(world, command) !== undefined) throw new Error(`the player ${command.name} already exists`);
    const taken = refuseTaken(world, command);
    if (taken !== undefined) return taken;
    if (!hasRoomForPlayer(world)) return refuse('universe_full');
    // commit
    return addPlayer(world, command);
  },
};

/** Whether there is a starter planet, and a number, for another player. */
export function hasRoomForPlayer(world: World): boolean {
  return world.lastPlayerNumber < PLAYER_NUMBER_MAX && nextStarterKey(world) >= 0;
}

export type NewPlayer = Omit<CreatePlayer, 'type'>;

/** Adds a player with its starter planet. Call it only if hasRoomForPlayer(). */
export function addPlayer(world: World, { name, nameKey, isBot, keyHash }: NewPlayer): Player {
  const player = new Player(world, world.players.length, name, nameKey, isBot, keyHash);
  world.players.push(player);
  world.leaderboard.add(player.number, 0);
  world.namedNumbers.set(nameKey, player.number);
  if (!isBot) world.humanNumber = player.number;
  protectNewcomer(world, player);
  const starter = foundStarter(world, player);
  const planetKey = starter.key;
  touchPlayer(world, player);
  recordActivity(world, player.number);
  world.keyHolders.add(player);
  world.events.push({
    kind: 'player_created',
    atMs: world.nowMs,
    playerNumber: player.number,
    name,
    isBot,
    planetKey,
  });
  world.events.push({
    kind: 'player_joined',
    atMs: world.nowMs,
    playerNumber: player.number,
    name,
    isBot,
    planetKey,
  });
  recordApproachingFleets(world, starter);
  return player;
}
