// What is true in a run: the entries that are durable in the store, applied by a reference world that no process knows. It only
// grows. Everything that a process recovers, applies or shows is compared with it.
import { type CommandRow, decodeCommand, encodeCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import { decodeRecord, entriesOf, NO_PREVIOUS_HASH, recordHash } from '../../persistence/log/batch-record.js';
import type { Append } from '../../persistence/log/log.js';
import type { ReplayedEntry } from '../../persistence/recovery/replay.js';
import { EventOracle } from '../support/event-oracle.js';
import { type Firing, TimerAudit } from './timer-audit.js';
import { require } from './violation.js';

export interface TrueEntry {
  readonly atMs: number;
  readonly row: CommandRow;
  /** The request that it belongs to; undefined for ticks and for the genesis. */
  readonly request: number | undefined;
}

/** What a read of a planet shows: the seq of its last change; null if nobody owns it. */
export type Shown = number | null;

interface AppliedEntry {
  readonly told: string;
  readonly request: number | undefined;
}

interface PlanetState {
  readonly fromSeq: number;
  readonly shown: Shown;
}

export class Truth {
  /** The reference world. */
  readonly engine = Engine.create();
  readonly #entries: TrueEntry[] = [];
  /** The events that these entries cause. */
  readonly events = new EventOracle(this.#entries);
  /** What each entry says and what it has caused. */
  readonly #told: string[] = [];
  readonly #hashes = new Map<number, string>();
  /** What processes have applied, by epoch and seq. */
  readonly #applied = new Map<string, AppliedEntry>();
  readonly #planets = new Map<number, PlanetState[]>();
  #timers: TimerAudit | undefined;
  #lastHash: Uint8Array = NO_PREVIOUS_HASH;

  get entries(): readonly TrueEntry[] {
    return this.#entries;
  }

  get lastSeq(): number {
    return this.#entries.length;
  }

  /** Whether the store holds a world. */
  get hasBegun(): boolean {
    return this.lastSeq > 0;
  }

  get firings(): readonly Firing[] {
    return this.#timers?.firings ?? [];
  }

  entry(seq: number): TrueEntry | undefined {
    return this.#entries[seq - 1];
  }

  /** A process has applied an entry. It is true only once it is durable. @param request for which it was applied */
  noteApplied(epoch: number, { seq, atMs, command, events }: ReplayedEntry, request: number | undefined): void {
    this.#applied.set(`${epoch} ${seq}`, { told: told(atMs, encodeCommand(command), events), request });
  }

  /** A record is durable. It must continue the log without a gap, and a plain replay must accept its entries. */
  stored({ epoch, expectedSeq, lastSeq, bytes }: Append): void {
    const firstSeq = this.lastSeq + 1;
    const record = decodeRecord(bytes, { firstSeq, previousHash: this.#lastHash });
    require(typeof record !== 'string', () =>
      `the record at seq ${expectedSeq + 1} is stored, and is not sound: ${record}`);
    for (const [atMs, row] of entriesOf(record)) {
      this.#apply(atMs, row, this.#applied.get(`${epoch} ${this.lastSeq + 1}`));
    }
    require(this.lastSeq === lastSeq, () => `the record up to seq ${lastSeq} ends at ${this.lastSeq}`);
    const [before, after] = [this.entry(firstSeq - 1)?.request, this.entry(firstSeq)?.request];
    require(after === undefined || before !== after, () =>
      `a crash before seq ${firstSeq} would leave half of request ${after}`);
    this.#lastHash = recordHash(bytes);
    this.#hashes.set(lastSeq, this.engine.stateHash());
  }

  /** Checks that a replay of entries says the same as they do here, and causes the same events. */
  compare(entries: readonly ReplayedEntry[]): void {
    for (const { seq, atMs, command, events } of entries) {
      const [is, was] = [told(atMs, encodeCommand(command), events), this.#told[seq - 1]];
      require(is === was, () => `the entry ${seq} is ${was}, and in a replay it is ${is}`);
    }
  }

  hashAt(seq: number): string {
    const hash = this.#hashes.get(seq) ?? this.#replay(seq).stateHash();
    this.#hashes.set(seq, hash);
    return hash;
  }

  /** Whether a read of a planet shows it as it was at a seq, or later. */
  isShownAt(planetKey: number, shown: Shown, seq: number): boolean {
    const states = this.#planets.get(planetKey) ?? [];
    if (states.length === 0) return shown === null;
    return states.some((state, index) => {
      const untilSeq = states[index + 1]?.fromSeq ?? Number.POSITIVE_INFINITY;
      return state.shown === shown && untilSeq > seq;
    });
  }

  #apply(atMs: number, row: CommandRow, applied: AppliedEntry | undefined): void {
    const { engine } = this;
    const events: WorldEvent[] = [];
    const command = decodeCommand(row);
    const outcome = engine.apply(atMs, command, events);
    require(outcome === null || !isRefusal(outcome), () => `the entry after seq ${engine.seq} is stored, and refused`);
    this.#timers ??= new TimerAudit(engine);
    this.#entries.push({ atMs, row, request: applied?.request });
    const is = told(atMs, row, events);
    this.#told.push(is);
    require(applied === undefined || applied.told === is, () =>
      `the entry ${engine.seq} is stored as ${is}, and was applied as ${applied?.told}`);
    this.#notePlanets();
  }

  /** A world made from the entries alone. */
  #replay(untilSeq: number): Engine {
    const engine = Engine.create();
    for (const { atMs, row } of this.#entries.slice(0, untilSeq)) engine.apply(atMs, decodeCommand(row));
    return engine;
  }

  #notePlanets(): void {
    const { world, seq } = this.engine;
    for (const { key, changedSeq } of world.planets.values()) {
      if (changedSeq === seq) this.#notePlanet(key, seq);
    }
    for (const [key, states] of this.#planets) {
      if (states.at(-1)?.shown !== null && !world.planets.has(key)) this.#notePlanet(key, null);
    }
  }

  #notePlanet(key: number, shown: Shown): void {
    const states = this.#planets.get(key) ?? [{ fromSeq: 0, shown: null }];
    states.push({ fromSeq: this.engine.seq, shown });
    this.#planets.set(key, states);
  }
}

function told(atMs: number, row: CommandRow, events: readonly WorldEvent[]): string {
  return JSON.stringify([atMs, row, events]);
}
