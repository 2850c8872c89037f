// An index of the players by the hashes of their API keys, derived from their table.

import { TextIndex } from '../numbers/text-index.js';

/** What the index reads of a player. */
interface KeyHolder {
  readonly number: number;
  readonly keyHash: string | null;
  readonly oldKeyHash: string | null;
}

interface KeyHolderTable {
  get(number: number): KeyHolder | undefined;
  values(): Iterable<KeyHolder>;
}

/** Finds players by the hashes of their API keys. It is made on first use. */
export class KeyHolders {
  #numbers: TextIndex | null = null;

  /** Number of the player that has this hash as its key or the key before; 0 for none. */
  numberOf(players: KeyHolderTable, hash: string): number {
    if (this.#numbers === null) {
      this.#numbers = new TextIndex((number, text) => hashesOf(players.get(number)).includes(text));
      for (const player of players.values()) this.add(player);
    }
    return this.#numbers.numberOf(hash);
  }

  /** Adds the hashes of a player. */
  add(player: KeyHolder): void {
    if (this.#numbers === null) return;
    for (const hash of hashesOf(player)) this.#numbers.add(hash, player.number);
  }

  /** Removes the hashes of a player. Call it before they change. */
  remove(player: KeyHolder): void {
    if (this.#numbers === null) return;
    for (const hash of hashesOf(player)) this.#numbers.remove(hash, player.number);
  }
}

function hashesOf(player: KeyHolder | undefined): string[] {
  return [player?.keyHash, player?.oldKeyHash].filter((hash) => typeof hash === 'string');
}
