// The engine of a simulated process, as everything uses it that applies entries after the recovery. It notes each entry with
// its events and its request, and watches the timers. It changes nothing.
import type { Genesis } from '../../engine/commands/genesis.js';
import type { Command, CommandResult } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { isRefusal, type Refusal } from '../../engine/terms/rejections.js';
import type { ReplayableEngine, ReplayedEntry } from '../../persistence/recovery/replay.js';
import { TimerAudit } from './timer-audit.js';

export class WitnessedEngine implements ReplayableEngine {
  readonly #engine: Engine;
  readonly #onApplied: (entry: ReplayedEntry, request: number | undefined) => void;
  #request: number | undefined;
  #lastRequest: number | undefined;

  /**
   * @param engine with a world
   * @param onApplied called for each entry, with the request for which it was applied
   */
  constructor(engine: Engine, onApplied: (entry: ReplayedEntry, request: number | undefined) => void) {
    this.#engine = engine;
    this.#onApplied = onApplied;
    new TimerAudit(engine);
  }

  get seq(): number {
    return this.#engine.seq;
  }

  get nowMs(): number {
    return this.#engine.nowMs;
  }

  get eventReceivers(): readonly number[] {
    return this.#engine.eventReceivers;
  }

  /** The request for which the last entry was applied; undefined if it was for none. */
  get lastRequest(): number | undefined {
    return this.#lastRequest;
  }

  nextDeadlineMs(): number {
    return this.#engine.nextDeadlineMs();
  }

  /** Entries that `handle` applies are those of a request. */
  during(request: number, handle: () => void): void {
    this.#request = request;
    try {
      handle();
    } finally {
      this.#request = undefined;
    }
  }

  apply<C extends Exclude<Command, Genesis>>(
    atMs: number,
    command: C,
    events?: WorldEvent[],
  ): CommandResult<C> | Refusal;
  apply(atMs: number, command: Command, events?: WorldEvent[]): CommandResult | Refusal | null;
  apply(atMs: number, command: Command, events: WorldEvent[] = []): CommandResult | Refusal | null {
    const outcome = this.#engine.apply(atMs, command, events);
    if (outcome !== null && isRefusal(outcome)) return outcome;
    this.#lastRequest = command.type === 'advance_time' ? undefined : this.#request;
    this.#onApplied({ seq: this.#engine.seq, atMs, command, events }, this.#lastRequest);
    return outcome;
  }
}
