// The engine of a simulated process as the sequencer gets it: it records every accepted entry as it is applied, and
// every timer as it fires. It changes nothing.
import type { Genesis } from '../../engine/commands/genesis.js';
import { type Command, type CommandResult, encodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { isRefusal, type Refusal } from '../../engine/rejections.js';
import type { ReplayableEngine } from '../../persistence/recovery/replay.js';
import type { History } from './history.js';
import { TimerAudit } from './timer-audit.js';

export class WitnessedEngine implements ReplayableEngine {
  readonly #engine: Engine;
  readonly #history: History;
  #timers: TimerAudit | undefined;
  /** The request that is being handled. */
  request: number | undefined;

  /** @param engine as it was recovered, or without a world */
  constructor(engine: Engine, history: History) {
    this.#engine = engine;
    this.#history = history;
    if (engine.seq > 0) this.#timers = new TimerAudit(engine, history);
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

  nextDeadlineMs(): number {
    return this.#engine.nextDeadlineMs();
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
    const request = isOfTheWorld(command) ? undefined : this.request;
    this.#history.add(this.#engine.seq, { atMs, row: encodeCommand(command), request });
    this.#history.compare({ seq: this.#engine.seq, atMs, command, events });
    this.#timers ??= new TimerAudit(this.#engine, this.#history);
    return outcome;
  }
}

function isOfTheWorld({ type }: WorldCommand | Genesis): boolean {
  return type === 'advance_time' || type === 'genesis';
}
