// The truth of a run: every entry that a process accepted, in order, and what its clients were promised. A recovered world
// is measured by it; entries that a crash took are forgotten here too, but only as far as nobody was told of them.
import { type CommandRow, decodeCommand, encodeCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import type { FeedEntry } from '../../persistence/writer/feed.js';
import { require } from './violation.js';

export interface HistoryEntry {
  readonly atMs: number;
  readonly row: CommandRow;
  /** The request that it belongs to; undefined for the passing of time and for the beginning. */
  readonly request: number | undefined;
}

export interface Firing {
  /** Of the entry that let it fire. */
  readonly seq: number;
  readonly id: number;
  readonly deadlineMs: number;
}

export class History {
  readonly #entries: HistoryEntry[] = [];
  readonly #hashes = new Map<number, string>();
  readonly #firings: Firing[] = [];
  /** What entries caused, by seq, as far as it was released. */
  readonly #released = new Map<number, string>();
  #promisedSeq = 0;

  get lastSeq(): number {
    return this.#entries.length;
  }

  /** Everything up to here was promised to somebody. */
  get promisedSeq(): number {
    return this.#promisedSeq;
  }

  get entries(): readonly HistoryEntry[] {
    return this.#entries;
  }

  get firings(): readonly Firing[] {
    return this.#firings;
  }

  entry(seq: number): HistoryEntry | undefined {
    return this.#entries[seq - 1];
  }

  add(seq: number, entry: HistoryEntry): void {
    require(seq === this.lastSeq + 1, () => `seq ${seq} was given after ${this.lastSeq}`);
    this.#entries.push(entry);
  }

  noteHash(seq: number, hash: string): void {
    this.#hashes.set(seq, hash);
  }

  /** A timer fires, once and after all that were due before it. */
  addFiring(firing: Firing): void {
    const before = this.#firings.at(-1);
    const isInOrder =
      before === undefined ||
      firing.deadlineMs > before.deadlineMs ||
      (firing.deadlineMs === before.deadlineMs && firing.id > before.id);
    require(isInOrder, () => {
      const [was, is] = [before, firing].map((each) => `${each?.id} (due ${each?.deadlineMs}, seq ${each?.seq})`);
      return `timer ${is} fired after timer ${was}`;
    });
    this.#firings.push(firing);
  }

  promise(seq: number): void {
    this.#promisedSeq = Math.max(this.#promisedSeq, seq);
  }

  /** The follower was given entries and what they caused: from then on they last. */
  release(entries: readonly FeedEntry[]): void {
    for (const entry of entries) this.compare(entry);
    this.promise(entries.at(-1)?.seq ?? 0);
  }

  /** What an entry caused is always the same: live, and whenever it is replayed. */
  compare({ seq, atMs, command, events }: FeedEntry): void {
    const [is, was] = [JSON.stringify([atMs, encodeCommand(command), events]), this.#released.get(seq)];
    if (was === undefined) this.#released.set(seq, is);
    else require(is === was, () => `the entry ${seq} was released as ${was}, and now it is ${is}`);
  }

  /** What the live world was like at a seq, or what a plain replay of the entries makes of it. */
  hashAt(seq: number): string {
    const hash = this.#hashes.get(seq) ?? this.replay(seq).stateHash();
    this.#hashes.set(seq, hash);
    return hash;
  }

  /** A world made from the entries alone, without any log. */
  replay(untilSeq: number): Engine {
    const engine = Engine.create();
    for (const { atMs, row } of this.#entries.slice(0, untilSeq)) engine.apply(atMs, decodeCommand(row));
    return engine;
  }

  /** A crash took everything behind a seq. */
  forgetBehind(seq: number): void {
    this.#entries.length = seq;
    for (const noted of this.#hashes.keys()) if (noted > seq) this.#hashes.delete(noted);
    for (const released of this.#released.keys()) if (released > seq) this.#released.delete(released);
    while ((this.#firings.at(-1)?.seq ?? 0) > seq) this.#firings.pop();
  }
}
