// The truth of a run: every entry that a process accepted, in order, and what its clients were promised. A recovered
// world is compared with it. Entries that were lost in a crash are dropped here too, but only if no client was told of
// them.
import { type CommandRow, decodeCommand, encodeCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import type { TimerKind } from '../../engine/timer-queue.js';
import type { ReplayedEntry } from '../../persistence/recovery/replay.js';
import { EventOracle } from '../support/event-oracle.js';
import { require } from './violation.js';

export interface HistoryEntry {
  readonly atMs: number;
  readonly row: CommandRow;
  /** The request that it belongs to; undefined for ticks and for the genesis. */
  readonly request: number | undefined;
}

export interface Firing {
  /** Seq of the entry that fired it. */
  readonly seq: number;
  readonly id: number;
  readonly deadlineMs: number;
  readonly kind: TimerKind;
}

export class History {
  readonly #entries: HistoryEntry[] = [];
  /** The events that these entries cause. */
  readonly events = new EventOracle(this.#entries);
  readonly #hashes = new Map<number, string>();
  readonly #firings: Firing[] = [];
  /** The released events of entries, by seq. */
  readonly #released = new Map<number, string>();
  #promisedSeq = 0;

  get lastSeq(): number {
    return this.#entries.length;
  }

  /** Everything up to here was promised to a client. */
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
    require(seq === this.lastSeq + 1, () => `seq ${seq} was assigned after ${this.lastSeq}`);
    this.#entries.push(entry);
  }

  noteHash(seq: number, hash: string): void {
    this.#hashes.set(seq, hash);
  }

  /** Records that a timer fires; it must fire once and after all that were due before it. */
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

  /** Checks that the events of an entry are always the same: live, and at each replay. */
  compare({ seq, atMs, command, events }: ReplayedEntry): void {
    const [is, was] = [JSON.stringify([atMs, encodeCommand(command), events]), this.#released.get(seq)];
    if (was === undefined) this.#released.set(seq, is);
    else require(is === was, () => `the entry ${seq} was released as ${was}, and now it is ${is}`);
  }

  /** The hash of the live world at a seq, or that of a plain replay of the entries. */
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

  /** Drops everything after a seq, because a crash has lost it. */
  forgetBehind(seq: number): void {
    this.#entries.length = seq;
    this.events.forgetBehind(seq);
    for (const noted of this.#hashes.keys()) if (noted > seq) this.#hashes.delete(noted);
    for (const released of this.#released.keys()) if (released > seq) this.#released.delete(released);
    while ((this.#firings.at(-1)?.seq ?? 0) > seq) this.#firings.pop();
  }
}
