// Finds the scope of an idempotency key from what the request names in the current world. It checks nothing: a player
// or planet that does not exist has no kept replies, and the handler refuses the request.

import type { PlanetKey } from '../../engine/map/universe.js';
import { existingPlayer } from '../../engine/players/players.js';
import { PUBLIC_SCOPE } from '../../engine/world/kept-replies.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { nameKey } from '../checks/player-names.js';

/** A scope in which nothing is kept. */
export const NOBODY_SCOPE = PUBLIC_SCOPE - 1;

/** @param key negative if the planet does not exist */
export function ownerScope(world: ReadonlyWorld, key: PlanetKey): number {
  return key < 0 ? NOBODY_SCOPE : (world.planets.get(key)?.ownerNumber ?? NOBODY_SCOPE);
}

/** NOBODY_SCOPE before the player is created. The reply to its creation is the first that it keeps. */
export function nameScope(world: ReadonlyWorld, name: string, isBot: boolean): number {
  return existingPlayer(world, { name, nameKey: nameKey(name), isBot })?.number ?? NOBODY_SCOPE;
}
