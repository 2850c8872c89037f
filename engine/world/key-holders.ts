// Finds players by the hashes of their API keys. The index is derived from the players, and made on first use.

/** What the index reads of a player. */
interface KeyHolder {
  readonly number: number;
  readonly keyHash: string | null;
  readonly oldKeyHash: string | null;
}

export class KeyHolders {
  #numbers: Map<string, number> | null = null;

  /** Number of the player that has this hash as its key or the key before; 0 for none. */
  numberOf(players: readonly (KeyHolder | undefined)[], hash: string): number {
    if (this.#numbers === null) {
      this.#numbers = new Map();
      for (const player of players) if (player !== undefined) this.add(player);
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
