// The bytes of the events of snapshots that a replay makes: a file for each content. Events are appended to one log, so that nearly
// all of its bytes are the same in the next snapshot, and are kept once.
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBytes } from '../../engine/rows.js';

export class EventFiles implements EventBytes {
  /** Bytes of all files that this process has written. */
  byteCount = 0;
  readonly #folder: string;
  readonly #sizes = new Map<string, number>();
  /** Names of the files of each snapshot, by its seq. */
  readonly #ofSnapshots = new Map<number, ReadonlySet<string>>();
  /** Those that were put since the last snapshot. */
  #present = new Set<string>();

  /** @param folder created with the first file */
  constructor(folder: string) {
    this.#folder = folder;
  }

  put(bytes: Uint8Array): string {
    const name = hash('sha256', bytes, 'base64url');
    this.#present.add(name);
    if (this.#sizes.has(name)) return name;
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, name), bytes);
    this.#sizes.set(name, bytes.length);
    this.byteCount += bytes.length;
    return name;
  }

  get(name: string): Uint8Array {
    const { buffer, byteOffset, length } = readFileSync(join(this.#folder, name));
    return new Uint8Array(buffer, byteOffset, length);
  }

  /** What was put since belongs to a snapshot. */
  keepFor(seq: number): void {
    this.#ofSnapshots.set(seq, this.#present);
    this.#present = new Set();
  }

  /** Removes what only this snapshot needs, or what was put since the last one. @param seq null for the latter */
  remove(seq: number | null): void {
    const names = seq === null ? this.#present : (this.#ofSnapshots.get(seq) ?? []);
    if (seq === null) this.#present = new Set();
    else this.#ofSnapshots.delete(seq);
    for (const name of names) {
      if ([...this.#ofSnapshots.values()].some((others) => others.has(name))) continue;
      rmSync(join(this.#folder, name), { force: true });
      this.byteCount -= this.#sizes.get(name) ?? 0;
      this.#sizes.delete(name);
    }
  }
}
