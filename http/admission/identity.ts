// API keys of players, and the key of the operator. API keys are generated here and shown once. Only their hashes are
// kept; they reach the log inside the command that creates the player.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ReadonlyWorld } from '../../engine/state.js';
import { API_KEY_BYTES, KEY_LENGTH_MAX } from '../limits.js';

/** Prefix of every API key, so that a leaked one is recognised. */
const API_KEY_PREFIX = 'gxd_';
const BEARER = /^bearer +([^ ]+) *$/i;

export interface NewApiKey {
  readonly key: string;
  readonly hash: string;
}

export function newApiKey(): NewApiKey {
  const key = API_KEY_PREFIX + randomBytes(API_KEY_BYTES).toString('base64url');
  return { key, hash: keyHash(key) };
}

/** The key in an Authorization header (RFC 6750); '' if there is none. */
export function bearerKey(authorization: string): string {
  if (authorization === '') return '';
  const key = BEARER.exec(authorization)?.[1] ?? '';
  return key.length > KEY_LENGTH_MAX ? '' : key;
}

/** SHA-256 as base64url. Keys are random, so no slow hash is needed. */
function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Finds players by their keys. Players are only ever appended, with a hash that never changes. */
export class KeyIndex {
  readonly #world: ReadonlyWorld;
  readonly #numbers = new Map<string, number>();
  #indexedCount = 0;

  constructor(world: ReadonlyWorld) {
    this.#world = world;
  }

  /** Number of the player with this key; 0 for none. */
  playerNumber(key: string): number {
    if (key === '') return 0;
    while (this.#indexedCount < this.#world.playerCount) {
      this.#indexedCount += 1;
      const hash = this.#world.players[this.#indexedCount]?.keyHash;
      if (typeof hash === 'string') this.#numbers.set(hash, this.#indexedCount);
    }
    return this.#numbers.get(keyHash(key)) ?? 0;
  }
}

/** The operator's key; compared in constant time. */
export class AdminKey {
  readonly #digest: Buffer;

  constructor(key: string) {
    this.#digest = digest(key);
  }

  matches(key: string): boolean {
    return timingSafeEqual(this.#digest, digest(key));
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
