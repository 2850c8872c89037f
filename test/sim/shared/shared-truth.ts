// What is true in a run with a shared store: the entries of its log, applied by a reference world that no process knows.
// Everything that a process shows is compared with it.
import { decodeCommand } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { isRefusal } from '../../../engine/rejections.js';
import { decodeRecord, forEachEntry, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import type { Append } from '../../../persistence/log/log.js';
import { History } from '../history.js';
import { require } from '../violation.js';
import { WitnessedEngine } from '../witnessed-engine.js';

/** What a read of a planet shows: the seq of its last change; null if nobody owns it. */
export type Shown = number | null;

interface PlanetState {
  readonly fromSeq: number;
  readonly shown: Shown;
}

export class SharedTruth {
  readonly history = new History();
  readonly engine = Engine.create();
  readonly #witness = new WitnessedEngine(this.engine, this.history);
  /** Of the entries that leaders have applied, the request: by epoch and seq. */
  readonly #requests = new Map<string, number>();
  readonly #planets = new Map<number, PlanetState[]>();
  #lastHash: Uint8Array = NO_PREVIOUS_HASH;

  /** Whether the store holds a world. */
  get hasBegun(): boolean {
    return this.engine.seq > 0;
  }

  /** A leader has applied entries for a request. They are true only once they are stored. */
  noteRequest(epoch: number, fromSeq: number, untilSeq: number, request: number): void {
    for (let seq = fromSeq; seq <= untilSeq; seq += 1) this.#requests.set(`${epoch} ${seq}`, request);
  }

  /** A record is stored. It must continue the log without a gap, and a plain replay must accept its entries. */
  stored({ epoch, expectedSeq, lastSeq, bytes }: Append): void {
    const { engine } = this;
    const record = decodeRecord(bytes, { firstSeq: engine.seq + 1, previousHash: this.#lastHash });
    require(typeof record !== 'string', () =>
      `the record at seq ${expectedSeq + 1} is stored, and is not sound: ${record}`);
    forEachEntry(record, (atMs, row) => {
      this.#witness.request = this.#requests.get(`${epoch} ${engine.seq + 1}`);
      const outcome = this.#witness.apply(atMs, decodeCommand(row));
      require(outcome === null || !isRefusal(outcome), () =>
        `the entry after seq ${engine.seq} is stored, and refused`);
      this.#notePlanets();
    });
    require(engine.seq === lastSeq, () => `the record up to seq ${lastSeq} ends at ${engine.seq}`);
    this.#lastHash = recordHash(bytes);
    this.history.noteHash(engine.seq, engine.stateHash());
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
