// A bounded cache with two generations. When the young one is full it becomes the old one, and the previous old one is
// dropped: entries that are used survive. It is cheaper than a least-recently-used list, since a hit in the young
// generation moves nothing.

export class GenerationCache<K, V> {
  readonly #halfWeightMax: number;
  readonly #weigh: (value: V) => number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #youngWeight = 0;

  /**
   * @param weightMax maximum sum of all weights
   * @param weigh returns the weight of a value
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

  delete(key: K): void {
    const young = this.#young.get(key);
    if (young !== undefined) this.#youngWeight -= this.#weigh(young);
    this.#young.delete(key);
    this.#old.delete(key);
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
