// The leaderboard as players see it.
import type { ReadonlyPlayer, ReadonlyWorld } from '../state.js';

/** Returns the first `count` players by points, best first; with equal points the older player comes first. */
export function rankPlayers(world: ReadonlyWorld, count: number): ReadonlyPlayer[] {
  return world.leaderboard.first(count).map((number) => world.players[number] as ReadonlyPlayer);
}
