// Finds a number by a text. The index holds only hashes: whoever made it knows the texts, and the collector has none to mark.

import { KeyIndex } from './key-index.js';

export class TextIndex {
  /** By the hash of a text. */
  readonly #numbers = new KeyIndex();
  /** Numbers of the texts whose hash another text had first. */
  readonly #others = new Map<string, number>();

  /** @param hasText whether a number that is in the index has this text */
  constructor(private readonly hasText: (number: number, text: string) => boolean) {}

  /** Returns the number that has a text; 0 for none. */
  numberOf(text: string): number {
    const number = this.#numbers.rowOf(hashOf(text));
    return number > 0 && this.hasText(number, text) ? number : (this.#others.get(text) ?? 0);
  }

  /** Adds a text that no number has. @param number from 1 to 2^31 - 1 */
  add(text: string, number: number): void {
    const hash = hashOf(text);
    if (this.#numbers.rowOf(hash) < 0) this.#numbers.add(hash, number);
    else this.#others.set(text, number);
  }

  /** Removes the text of a number, if it is there. */
  remove(text: string, number: number): void {
    const hash = hashOf(text);
    if (this.#others.get(text) === number) this.#others.delete(text);
    else if (this.#numbers.rowOf(hash) === number) this.#numbers.remove(hash);
  }
}

/** 31 bits (FNV-1a, Fowler, Noll and Vo). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) & 0x7fff_ffff;
}
