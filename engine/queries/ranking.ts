// The leaderboard as players are shown it.
import type { ReadonlyPlayer, ReadonlyWorld } from '../state.js';

/** The first `count` players by points, best first; equal points by the older player. */
export function rankPlayers(world: ReadonlyWorld, count: number): ReadonlyPlayer[] {
  return world.leaderboard.first(count).map((number) => world.players[number] as ReadonlyPlayer);
}
