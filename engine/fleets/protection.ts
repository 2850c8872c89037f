// The protection of new players, under rules with `war`: attacks on their planets turn round for a time, or until they launch an attack
// themselves. Players that exist when a world gets such rules are not protected.

import type { Player } from '../world/player-table.js';
import type { ReadonlyPlayer, World } from '../world/state.js';
import { durationMs } from '../world/timer-queue.js';

/** Protects a player that is created now. */
export function protectNewcomer(world: World, player: Player): void {
  const { war } = world.rules;
  if (war === null || war.protectionMs === 0) return;
  player.protectedUntilMs = world.nowMs + durationMs(world, war.protectionMs);
}

/** Whether attacks on a player's planets turn round. @param atMs of the arrival */
export function isProtected({ protectedUntilMs }: Pick<ReadonlyPlayer, 'protectedUntilMs'>, atMs: number): boolean {
  return atMs < protectedUntilMs;
}

/** Ends the protection of a player that attacks. */
export function endProtection(player: Player): void {
  player.protectedUntilMs = 0;
}
