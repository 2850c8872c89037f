// A bounded cache in two generations: what was used lately survives, the rest goes at once when the young half is full.
// Cheaper than a least-recently-used list, since a hit moves nothing.

export class GenerationCache<K, V> {
  readonly #halfWeightMax: number;
  readonly #weigh: (value: V) => number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #youngWeight = 0;

  /**
   * @param weightMax bound on the sum of all weights
   * @param weigh what a value counts for
   */
  constructor(weightMax: number, weigh: (value: V) => number) {
    this.#halfWeightMax = weightMax / 2;
    this.#weigh = weigh;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    const replaced = this.#young.get(key);
    if (replaced !== undefined) this.#youngWeight -= this.#weigh(replaced);
    this.#young.set(key, value);
    this.#youngWeight += this.#weigh(value);
    if (this.#youngWeight <= this.#halfWeightMax) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngWeight = 0;
  }
}
