// The API keys of a swarm's players, by their names: so that the swarm finds its players again.
import { createHmac } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { BadKeyFile } from './failures.js';

export interface PlayerKeys {
  /** Sent to the server, which derives the same keys; undefined if it makes random ones. */
  readonly secret?: string;
  /** Undefined if the key of a player is not known. */
  of(playerName: string): string | undefined;
  /** Remembers the keys of new players. */
  keep(keys: readonly (readonly [playerName: string, apiKey: string])[]): void;
}

/** For a world without keys. */
export const NO_KEYS: PlayerKeys = { of: () => '', keep: () => {} };

/** How every API key begins. */
const API_KEY_PREFIX = 'gxd_';

/** Keys that follow from a secret and the names: nothing needs to be kept. */
export function derivedKeys(secret: string): PlayerKeys {
  return {
    secret,
    of: (playerName) => API_KEY_PREFIX + createHmac('sha256', secret).update(playerName).digest('base64url'),
    keep: () => {},
  };
}

/** How every line of a file of keys begins. */
const BEGINNING = '["';

/**
 * Keys in a file that only its owner can read: a JSON array of name and key in each line, the later one counts. It is made if it is
 * missing, and an incomplete last line, of a process that was killed, is skipped.
 *
 * @throws BadKeyFile, and errors of the file system
 */
export function keyFile(path: string): PlayerKeys {
  closeSync(openSync(path, 'a', 0o600));
  const known = new Map<string, string>();
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const torn = lines.pop() ?? '';
  for (const [index, line] of lines.entries()) {
    const [name, key] = entryOf(line);
    if (name === undefined || key === undefined) throw new BadKeyFile(`${path}: line ${index + 1} is no name and key`);
    known.set(name, key);
  }
  // Another file that was named by mistake must stay as it is.
  if (!torn.startsWith(BEGINNING) && !BEGINNING.startsWith(torn))
    throw new BadKeyFile(`${path}: line ${lines.length + 1} is no name and key`);
  chmodSync(path, 0o600);
  if (torn !== '') truncateSync(path, Buffer.byteLength(text) - Buffer.byteLength(torn));
  return {
    of: (playerName) => known.get(playerName),
    keep(keys) {
      if (keys.length === 0) return;
      const out = openSync(path, 'a', 0o600);
      try {
        writeSync(out, keys.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        fsyncSync(out);
      } finally {
        closeSync(out);
      }
      for (const [name, key] of keys) known.set(name, key);
    },
  };
}

function entryOf(line: string): readonly (string | undefined)[] {
  try {
    const entry: unknown = JSON.parse(line);
    return Array.isArray(entry) && entry.every((part) => typeof part === 'string') ? entry : [];
  } catch {
    return [];
  }
}
