// Finds players by the names that clients use. It changes nothing.
import type { ReadonlyPlayer, ReadonlyWorld } from '../state.js';

/** Returns the existing player that a create request means: the one human, whatever the name, or the bot by name. */
export function existingPlayer(world: ReadonlyWorld, name: string, isBot: boolean): ReadonlyPlayer | undefined {
  const number = isBot ? world.botNumbers.get(name) : world.humanNumber;
  return number === undefined ? undefined : world.players[number];
}
