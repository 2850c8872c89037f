// The API keys of players: checks, rotation and revocation. The world knows only hashes of keys; this file does not know how they are made.

import { WORLD_TIME_MS_MAX } from '../rules/limits.js';
import type { Player } from '../world/player-table.js';
import type { ReadonlyWorld, World } from '../world/state.js';

export type KeyState =
  /** It is the player's key. */
  | 'current'
  /** It is the key before, which a rotation left valid for a while. */
  | 'replaced'
  /** It is no longer valid. */
  | 'expired';

/** What is known of a key. */
export interface KnownKey {
  readonly playerNumber: number;
  readonly state: KeyState;
}

/** Returns what is known of the key with this hash at an instant; null if no player has it. @param nowMs world time */
export function knownKey(world: ReadonlyWorld, hash: string, nowMs: number): KnownKey | null {
  const playerNumber = world.keyHolders.numberOf(world.players, hash);
  const player = world.players.get(playerNumber);
  if (player === undefined) return null;
  const isCurrent = player.keyHash === hash;
  const untilMs = (isCurrent ? player.keyExpiresAtMs : player.oldKeyUntilMs) ?? Number.POSITIVE_INFINITY;
  return { playerNumber, state: nowMs >= untilMs ? 'expired' : isCurrent ? 'current' : 'replaced' };
}

/** Whether a player has a key that is valid at an instant. @param nowMs world time */
export function hasValidKey(
  { keyHash, keyExpiresAtMs }: Pick<Player, 'keyHash' | 'keyExpiresAtMs'>,
  nowMs: number,
): boolean {
  return keyHash !== null && (keyExpiresAtMs === null || nowMs < keyExpiresAtMs);
}

export interface KeyRotation {
  /** SHA-256 of the new key, base64url. */
  readonly keyHash: string;
  /** How long the new key is valid; null for ever. */
  readonly validMs: number | null;
  /** How long the present key stays valid, if it is; 0 for not at all. */
  readonly oldKeyValidMs: number;
}

/** Gives a player another key. Of the keys before, only the present one can stay valid for a while. */
export function rotateKey(world: World, player: Player, { keyHash, validMs, oldKeyValidMs }: KeyRotation): void {
  const { nowMs, keyHolders } = world;
  const oldUntilMs = Math.min(instantAfter(nowMs, oldKeyValidMs), player.keyExpiresAtMs ?? Number.POSITIVE_INFINITY);
  const isOldKept = player.keyHash !== null && oldUntilMs > nowMs;
  keyHolders.remove(player);
  player.oldKeyHash = isOldKept ? player.keyHash : null;
  player.oldKeyUntilMs = isOldKept ? oldUntilMs : null;
  player.keyHash = keyHash;
  player.keyExpiresAtMs = validMs === null ? null : instantAfter(nowMs, validMs);
  keyHolders.add(player);
}

/** Makes all keys of a player invalid. */
export function revokeKeys(world: World, player: Player): void {
  world.keyHolders.remove(player);
  player.keyHash = null;
  player.keyExpiresAtMs = null;
  player.oldKeyHash = null;
  player.oldKeyUntilMs = null;
}

function instantAfter(nowMs: number, durationMs: number): number {
  return Math.min(nowMs + durationMs, WORLD_TIME_MS_MAX);
}
