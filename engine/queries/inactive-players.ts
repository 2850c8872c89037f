// Players who have done nothing for a while. It changes nothing.
import type { ReadonlyPlayer, ReadonlyWorld } from '../state.js';

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
