// What each receiver of events must get: the events of the entries of a log, caused again in an engine of the oracle's own, and counted by
// the oracle. It uses neither the log of events, nor what the writer released, nor snapshots.
import { type CommandRow, decodeCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import { EVENT_KINDS, OPEN_WORLD_TOPIC, WORLD_TOPIC, type WorldEvent } from '../../engine/events/kinds.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { EventView } from '../../http/events/event-view.js';

/** An entry as it is in the log. */
export interface LoggedEntry {
  readonly atMs: number;
  readonly row: CommandRow;
}

/** Stands between the entries of a world and those of one that was restored or forked from it. */
export interface LineageBeginning {
  readonly base: number;
}

/** An event, and its place in the sequence of a receiver. */
export interface TrueEvent {
  readonly seq: number;
  /** Seq of the entry that caused it. */
  readonly entrySeq: number;
  readonly event: WorldEvent;
}

export class EventOracle {
  readonly #entries: readonly (LoggedEntry | LineageBeginning)[];
  /** Number of entries that were applied. */
  #applied = 0;
  readonly #sequences = new Map<number, TrueEvent[]>();
  readonly #retired = new Set<number>();
  #engine = Engine.create();
  #view: EventView | undefined;

  /** @param entries grows and shrinks; forgetBehind() must be called when it shrinks */
  constructor(entries: readonly (LoggedEntry | LineageBeginning)[]) {
    this.#entries = entries;
  }

  /** All events of a receiver, the first one included. */
  of(receiver: number): readonly TrueEvent[] {
    this.#catchUp();
    return this.#sequences.get(receiver) ?? [];
  }

  /** Seq of the receiver's last event that an entry up to `entrySeq` caused; 0 for none. */
  lastSeqUpTo(receiver: number, entrySeq: number): number {
    return this.of(receiver).findLast((event) => event.entrySeq <= entrySeq)?.seq ?? 0;
  }

  /** Everybody who has received events, except for players who no longer exist: nothing is kept for them. */
  get receivers(): readonly number[] {
    this.#catchUp();
    return [...this.#sequences.keys()].filter((receiver) => !this.#retired.has(receiver));
  }

  /** How a reader sees an event. */
  text({ seq, event }: TrueEvent): string {
    this.#view ??= new EventView(this.#engine.world);
    return this.#view.text(seq, event);
  }

  /** The world after the last entry. */
  get world(): ReadonlyWorld {
    this.#catchUp();
    return this.#engine.world;
  }

  /** Drops the events of the entries after a seq. */
  forgetBehind(seq: number): void {
    if (this.#engine.seq <= seq) return;
    this.#engine = Engine.create();
    this.#applied = 0;
    this.#view = undefined;
    this.#sequences.clear();
    this.#retired.clear();
  }

  #catchUp(): void {
    for (const entry of this.#entries.slice(this.#applied)) {
      this.#applied += 1;
      if ('base' in entry) {
        this.#beginLineage(entry.base);
        continue;
      }
      const command = decodeCommand(entry.row);
      const events: WorldEvent[] = [];
      this.#engine.apply(entry.atMs, command, events);
      for (const event of events) this.#add(event, this.#engine.seq);
    }
  }

  /** Lets the world count on from a base. It shows its earlier events under seqs above it, too. */
  #beginLineage(base: number): void {
    this.#engine.beginLineage(base);
    for (const [receiver, sequence] of this.#sequences) {
      const counted = sequence.map((event, index) => ({ ...event, seq: base + index + 1 }));
      this.#sequences.set(receiver, counted);
    }
  }

  #add(event: WorldEvent, entrySeq: number): void {
    const { player, world, openWorld } = EVENT_KINDS[event.kind].audience;
    const receivers = [
      ...(player ? [event.playerNumber] : []),
      ...(world ? [WORLD_TOPIC] : []),
      ...(openWorld ? [OPEN_WORLD_TOPIC] : []),
    ];
    for (const receiver of receivers) {
      const sequence = this.#sequences.get(receiver) ?? [];
      sequence.push({ seq: this.#engine.world.lineages.base + sequence.length + 1, entrySeq, event });
      this.#sequences.set(receiver, sequence);
    }
    if (event.kind === 'player_retired') this.#retired.add(event.playerNumber);
  }
}
