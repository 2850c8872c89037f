// Starter planets of retired players: newcomers start there before the search for new places goes on (starters.ts). All of them
// are free: a planet that gets an owner is removed.
import type { PlanetKey } from './universe.js';

export class FreedStarters {
  readonly #keys: PlanetKey[] = [];
  /** By key: its place in the list. */
  readonly #places = new Map<PlanetKey, number>();

  /** The place of the next newcomer; undefined if there is none. */
  get next(): PlanetKey | undefined {
    return this.#keys.at(-1);
  }

  /** In the order of the list, whose last one is the next. */
  get keys(): readonly PlanetKey[] {
    return this.#keys;
  }

  has(key: PlanetKey): boolean {
    return this.#places.has(key);
  }

  /** @param key not in the list */
  add(key: PlanetKey): void {
    this.#places.set(key, this.#keys.length);
    this.#keys.push(key);
  }

  /** Removes a key, if it is in the list; the last one takes its place. */
  remove(key: PlanetKey): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    const last = this.#keys.pop() as PlanetKey;
    this.#places.delete(key);
    if (last === key) return;
    this.#keys[place] = last;
    this.#places.set(last, place);
  }
}
