// Finds players by the names that clients use. It changes nothing.
import { playerId } from '../ids.js';
import { type Refusal, refuse } from '../rejections.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../state.js';

/** Whom a create request means. */
export interface Named {
  readonly name: string;
  /** What the name is compared by. */
  readonly nameKey: string;
  readonly isBot: boolean;
}

/** Returns the existing player that a create request means: the one human, whatever the name, or the bot of exactly this name. */
export function existingPlayer(world: ReadonlyWorld, named: Named): ReadonlyPlayer | undefined {
  if (!named.isBot) return world.players[world.humanNumber];
  const holder = holderOf(world, named.nameKey);
  return holder?.isBot === true && holder.name === named.name ? holder : undefined;
}

/** Returns the refusal of a name that another player has, or one that looks like it; undefined if a player can have it. */
export function refuseTaken(world: ReadonlyWorld, named: Named): Refusal | undefined {
  const holder = holderOf(world, named.nameKey);
  if (holder === undefined || holder === existingPlayer(world, named)) return undefined;
  const { number, name, isBot } = holder;
  const id = playerId(world, number);
  const reason = named.name === name ? `${id} has this name.` : `The name looks like that of ${id}.`;
  return refuse('name_taken', { reason, owner: { id, name, isBot } });
}

function holderOf({ namedNumbers, players }: ReadonlyWorld, nameKey: string): ReadonlyPlayer | undefined {
  const number = namedNumbers.get(nameKey);
  return number === undefined ? undefined : players[number];
}
