// Finding things by what an agent names them. All of it is pure reading.
import type { ReadonlyPlayer, ReadonlyWorld } from '../state.js';

/** The player that a create request means: the one human whatever the name, or the bot of that name. */
export function existingPlayer(world: ReadonlyWorld, name: string, isBot: boolean): ReadonlyPlayer | undefined {
  const number = isBot ? world.botNumbers.get(name) : world.humanNumber;
  return number === undefined ? undefined : world.players[number];
}
