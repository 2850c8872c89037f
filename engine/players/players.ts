// Finds players by the names that clients use, and adds new ones with their starter planets.

import { recordApproachingFleets } from '../fleets/incoming-fleets.js';
import { protectNewcomer } from '../fleets/protection.js';
import { foundStarter } from '../planets/planets.js';
import { PLAYER_NUMBER_MAX } from '../rules/record-limits.js';
import { playerId } from '../terms/ids.js';
import { type Refusal, refuse } from '../terms/rejections.js';
import type { Player, PlayerIdentity } from '../world/player-table.js';
import { type ReadonlyPlayer, type ReadonlyWorld, recordActivity, touchPlayer, type World } from '../world/state.js';

/** What a create request names. */
export interface Named {
  readonly name: string;
  /** The key by which the name is compared. */
  readonly nameKey: string;
  readonly isBot: boolean;
}

/** Returns the existing player that a create request names: the one human under any name, or the bot that has or had exactly this name. */
export function existingPlayer(world: ReadonlyWorld, named: Named): ReadonlyPlayer | undefined {
  if (!named.isBot) return world.players.get(world.humanNumber);
  const holder = holderOf(world, named.nameKey);
  return holder?.isBot === true && (holder.name === named.name || hasHad(holder, named.name)) ? holder : undefined;
}

/** Whether a player had exactly this name before. */
export function hasHad({ formerNames }: ReadonlyPlayer, name: string): boolean {
  return formerNames.some((former) => former.name === name);
}

/** Returns the refusal of a name that another player has, or one that looks like it; undefined if a player can have it. */
export function refuseTaken(world: ReadonlyWorld, named: Named): Refusal | undefined {
  return refuseHeld(world, named, existingPlayer(world, named)?.number);
}

/** The same for a name that one player may have. @param playerNumber undefined if nobody may */
export function refuseHeld(
  world: ReadonlyWorld,
  named: Omit<Named, 'isBot'>,
  playerNumber: number | undefined,
): Refusal | undefined {
  const holder = holderOf(world, named.nameKey);
  if (holder === undefined || holder.number === playerNumber) return undefined;
  const { number, name, isBot } = holder;
  const id = playerId(world, number);
  const had = hasHad(holder, named.name) ? `${id} had this name before.` : `The name looks like that of ${id}.`;
  const reason = named.name === name ? `${id} has this name.` : had;
  return refuse('name_taken', { reason, owner: { id, name, isBot } });
}

function holderOf({ namedNumbers, players }: ReadonlyWorld, nameKey: string): ReadonlyPlayer | undefined {
  return players.get(namedNumbers.numberOf(nameKey));
}

/** Whether there is a starter planet, and a number, for another player. */
export function hasRoomForPlayer(world: World): boolean {
  return world.lastPlayerNumber < PLAYER_NUMBER_MAX && world.starters.nextKey() >= 0;
}

/** Adds a player with its starter planet. Call it only if hasRoomForPlayer(). */
export function addPlayer(world: World, identity: PlayerIdentity): Player {
  const { name, nameKey, isBot } = identity;
  const player = world.players.add(identity);
  world.leaderboard.add(player.number, 0);
  world.namedNumbers.add(nameKey, player.number);
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
