// create_player: creates the one human or a bot, with its starter planet. The caller first checks that the player does
// not exist: an existing player is read, not created.
import { recordApproachingFleets } from '../incoming-fleets.js';
import { foundStarter } from '../planets.js';
import { protectNewcomer } from '../protection.js';
import { refuse } from '../rejections.js';
import { nextStarterKey } from '../starters.js';
import { Player, recordActivity, touchPlayer, type World } from '../state.js';
import type { CommandDefinition } from './command.js';

export interface CreatePlayer {
  readonly type: 'create_player';
  readonly name: string;
  readonly isBot: boolean;
  /** SHA-256 of the API key, base64url, or null. */
  readonly keyHash: string | null;
}

export const createPlayer: CommandDefinition<CreatePlayer, Player> = {
  type: 'create_player',
  code: 3,
  decode: ([, name, isBot, keyHash]) => ({ type: 'create_player', name, isBot, keyHash }) as CreatePlayer,

  execute(world, { name, isBot, keyHash }) {
    const exists = isBot ? world.botNumbers.has(name) : world.humanNumber !== 0;
    if (exists) throw new Error(`the player ${name} already exists`);
    if (nextStarterKey(world) < 0) return refuse('universe_full');
    // commit
    return addPlayer(world, name, isBot, keyHash);
  },
};

/** Adds a player with its starter planet. Call it only after nextStarterKey() has found one. */
export function addPlayer(world: World, name: string, isBot: boolean, keyHash: string | null): Player {
  const player = new Player(world, world.players.length, name, isBot, keyHash);
  world.players.push(player);
  world.leaderboard.add(player.number, 0);
  if (isBot) world.botNumbers.set(name, player.number);
  else world.humanNumber = player.number;
  protectNewcomer(world, player);
  const starter = foundStarter(world, player);
  const planetKey = starter.key;
  touchPlayer(world, player);
  recordActivity(world, player.number);
  world.keyHolders.add(player);
  world.events?.push({
    kind: 'player_created',
    atMs: world.nowMs,
    playerNumber: player.number,
    name,
    isBot,
    planetKey,
  });
  world.events?.push({
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
