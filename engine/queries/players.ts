// Lists players: the leaderboard, and inactive players.
import type { ReadonlyPlayer, ReadonlyWorld } from '../world/state.js';

/** Returns the first `count` players by points, best first; with equal points the older player comes first. */
export function rankPlayers(world: ReadonlyWorld, count: number): ReadonlyPlayer[] {
  return world.leaderboard.first(count).map((number) => world.players[number] as ReadonlyPlayer);
}

/**
 * Returns the players whose last command is at or before an instant, by number.
 *
 * @param sinceMs world time
 */
export function inactivePlayers(world: ReadonlyWorld, sinceMs: number): ReadonlyPlayer[] {
  const inactive: ReadonlyPlayer[] = [];
  for (const player of world.players) {
    if (player !== undefined && world.activity.lastMs(player.number) <= sinceMs) inactive.push(player);
  }
  return inactive;
}
