// API keys of players, and the keys of operators and of spectators, which flags set or a file lists. API keys are generated here and shown once.
// Only their hashes are kept; they reach the log inside the command that creates the player or rotates its key.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KnownKey, knownKey } from '../../engine/players/api-keys.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { Exchange } from '../exchange/exchange.js';
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

/** The key of a player name that follows from a secret of the operator, so that two worlds have the same keys. */
export function derivedApiKey(secret: string, name: string): NewApiKey {
  const key = API_KEY_PREFIX + createHmac('sha256', secret).update(name).digest('base64url');
  return { key, hash: keyHash(key) };
}

/** The key in an Authorization header (RFC 6750); '' if there is none. */
export function bearerKey(authorization: string): string {
  if (authorization === '') return '';
  const key = BEARER.exec(authorization)?.[1] ?? '';
  return key.length > KEY_LENGTH_MAX ? '' : key;
}

/** SHA-256 as base64url. Keys are random, so no slow hash is needed. */
export function keyHash(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** The hash of the key that a request carries, computed once; '' if it carries none. */
function keyHashOf(exchange: Exchange): string {
  if (exchange.keyHash === null) {
    const key = bearerKey(exchange.authorization);
    exchange.keyHash = key === '' ? '' : keyHash(key);
  }
  return exchange.keyHash;
}

/** Finds players by the keys that requests carry. */
export class PlayerKeys {
  /** @param nowMs returns the world time */
  constructor(
    private readonly world: ReadonlyWorld,
    private readonly nowMs: () => number,
  ) {}

  /** What is known of the key of a request; null if it carries none, or one that no player has. */
  find(exchange: Exchange): KnownKey | null {
    const hash = keyHashOf(exchange);
    return hash === '' ? null : knownKey(this.world, hash, this.nowMs());
  }

  /** Number of the player whose valid key a request carries; 0 for none. */
  playerNumber(exchange: Exchange): number {
    const known = this.find(exchange);
    return known === null || known.state === 'expired' ? 0 : known.playerNumber;
  }
}

/** `full` may do everything; `read` sees everything, and changes nothing. */
export const ADMIN_KEY_KINDS = ['full', 'read'] as const;
export type AdminKeyKind = (typeof ADMIN_KEY_KINDS)[number];

/** A key of an operator. */
export interface AdminKey {
  readonly name: string;
  readonly kind: AdminKeyKind;
  /** See keyHash(). */
  readonly hash: string;
}

/** The name of the key that the option gives. No other key has it. */
export const OPTION_KEY_NAME = 'admin-key';

/** The keys of operators. They may be replaced while requests are served. */
export class AdminKeys {
  #keys: readonly { readonly key: AdminKey; readonly hash: Buffer }[] = [];

  /** @param optionKey the key that the option gives, which stays; null for none */
  constructor(
    private readonly optionKey: string | null,
    listed: readonly AdminKey[] = [],
  ) {
    this.replace(listed);
  }

  /** Those besides the key of the option. */
  get listed(): readonly AdminKey[] {
    return this.#keys.map(({ key }) => key).filter(({ name }) => name !== OPTION_KEY_NAME);
  }

  replace(listed: readonly AdminKey[]): void {
    const { optionKey } = this;
    const own: readonly AdminKey[] =
      optionKey === null ? [] : [{ name: OPTION_KEY_NAME, kind: 'full', hash: keyHash(optionKey) }];
    this.#keys = [...own, ...listed].map((key) => ({ key, hash: Buffer.from(key.hash) }));
  }

  /** The key that a request carries; null if it is none of them. Takes equally long for each of them. */
  find(exchange: Exchange): AdminKey | null {
    const hash = keyHashOf(exchange);
    if (hash === '') return null;
    const bytes = Buffer.from(hash);
    let found: AdminKey | null = null;
    for (const known of this.#keys) if (timingSafeEqual(known.hash, bytes)) found = known.key;
    return found;
  }
}

/** A key that a flag of the server gives; compared in constant time. */
export class SharedKey {
  readonly #hash: Buffer;

  constructor(key: string) {
    this.#hash = Buffer.from(keyHash(key));
  }

  /** Whether a request carries it. */
  isKeyOf(exchange: Exchange): boolean {
    const hash = keyHashOf(exchange);
    return hash !== '' && timingSafeEqual(this.#hash, Buffer.from(hash));
  }
}
