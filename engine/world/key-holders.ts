// An index of the players by the hashes of their API keys, derived from their table.

/** What the index reads of a player. */
interface KeyHolder {
  readonly number: number;
  readonly keyHash: string | null;
  readonly oldKeyHash: string | null;
}

/** Finds players by the hashes of their API keys. It is made on first use. */
export class KeyHolders {
  #numbers: Map<string, number> | null = null;

  /** Number of the player that has this hash as its key or the key before; 0 for none. */
  numberOf(players: { values(): Iterable<KeyHolder> }, hash: string): number {
    if (this.#numbers === null) {
      this.#numbers = new Map();
      for (const player of players.values()) this.add(player);
    }
    return this.#numbers.get(hash) ?? 0;
  }

  /** Adds the hashes of a player. */
  add({ number, keyHash, oldKeyHash }: KeyHolder): void {
    if (keyHash !== null) this.#numbers?.set(keyHash, number);
    if (oldKeyHash !== null) this.#numbers?.set(oldKeyHash, number);
  }

  /** Removes the hashes of a player. Call it before they change. */
  remove({ keyHash, oldKeyHash }: KeyHolder): void {
    if (keyHash !== null) this.#numbers?.delete(keyHash);
    if (oldKeyHash !== null) this.#numbers?.delete(oldKeyHash);
  }
}
