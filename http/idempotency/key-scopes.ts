// Whose Idempotency-Key a request brings, by what it names in the world as it is now. It checks nothing: a player or planet that
// does not exist has kept no replies, and the handler refuses what concerns it.
import { PUBLIC_SCOPE } from '../../engine/kept-replies.js';
import { existingPlayer } from '../../engine/queries/lookup.js';
import type { ReadonlyWorld } from '../../engine/state.js';
import type { PlanetKey } from '../../engine/universe.js';

/** Nothing is kept in it. */
export const NOBODY_SCOPE = PUBLIC_SCOPE - 1;

/** @param key negative if the planet does not exist */
export function ownerScope(world: ReadonlyWorld, key: PlanetKey): number {
  return key < 0 ? NOBODY_SCOPE : (world.planets.get(key)?.ownerNumber ?? NOBODY_SCOPE);
}

/** Nobody before the player is created; the reply to its creation is its first. */
export function nameScope(world: ReadonlyWorld, name: string, isBot: boolean): number {
  return existingPlayer(world, name, isBot)?.number ?? NOBODY_SCOPE;
}
