// The engine, as the rest of the program sees it: state = fold(apply, log). apply() changes the world, and everything else only reads it.
// The engine never reads a clock, has no randomness of its own and does no input or output.

import { createWorld, type Genesis } from './commands/genesis.js';
import { type Command, type CommandResult, executeCommand, type WorldCommand } from './commands/table.js';
import type { WorldEvent } from './events/kinds.js';
import type { EventBytes } from './rows/events-row.js';
import type { Row } from './rows/row.js';
import { writeWorld } from './rows/settings-rows.js';
import { StateHash } from './rows/state-hash.js';
import { WorldLoader } from './rows/world-loader.js';
import { snapshotRows, worldRows } from './rows/world-rows.js';
import { LINEAGE_GAP_MIN } from './rules/record-limits.js';
import { isRefusal, type Refusal } from './terms/rejections.js';
import type { ReadonlyWorld, World } from './world/state.js';

/** Builds an engine from the rows of another one. */
export interface EngineLoader {
  /**
   * Adds the next row, in the order of Engine.rows() or Engine.snapshotRows().
   *
   * @throws Error that names the row and what is wrong with it; afterwards the loader accepts no more rows
   */
  add(row: Row): void;
  /** @throws Error if the rows do not form a world */
  finish(): Engine;
}

export class Engine {
  #world: World | null = null;

  /** Returns an engine without a world; its first entry must be a genesis. */
  static create(): Engine {
    return new Engine();
  }

  /**
   * Returns a loader for the rows of a world. Its engine behaves exactly like the one that the rows were read from.
   *
   * @param eventBytes has the bytes of the events, if snapshotRows() put them there. They are not checked: a check takes far longer
   *   than reading them
   */
  static loader(eventBytes?: EventBytes): EngineLoader {
    const loader = new WorldLoader(eventBytes);
    return {
      add: (row) => loader.add(row),
      finish: () => {
        const engine = new Engine();
        engine.#world = loader.finish();
        return engine;
      },
    };
  }

  /** @throws Error before the genesis */
  get world(): ReadonlyWorld {
    return this.#requireWorld();
  }

  /** Seq of the last accepted entry; 0 before the genesis. */
  get seq(): number {
    return this.#world?.seq ?? 0;
  }

  /** World time of the last accepted entry in milliseconds; 0 before the genesis. */
  get nowMs(): number {
    return this.#world?.lastEntryMs ?? 0;
  }

  /** Receivers of the events that the last entry caused, in order and with repeats; valid until the next one. */
  get eventReceivers(): readonly number[] {
    return this.#requireWorld().events.receivers;
  }

  /** World time of the next timer in milliseconds; Infinity if none is pending. */
  nextDeadlineMs(): number {
    return this.#world?.timers.nextDeadlineMs ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Applies an entry, live and in replay alike. If it is accepted, it becomes the entry `seq + 1`. If it is refused,
   * nothing changes.
   *
   * @param atMs world time in milliseconds; not before the last entry and, except for a tick, before the next timer
   * @param events receives what the entry causes, in order, whether or not the world keeps events
   * @throws Error if an invariant is broken; the engine must not be used afterwards
   */
  apply<C extends Exclude<Command, Genesis>>(
    atMs: number,
    command: C,
    events?: WorldEvent[],
  ): CommandResult<C> | Refusal;
  apply(atMs: number, command: Command, events?: WorldEvent[]): CommandResult | Refusal | null;
  apply(atMs: number, command: Command, events?: WorldEvent[]): CommandResult | Refusal | null {
    if (command.type === 'genesis') {
      if (this.#world !== null) throw new Error('a world has only one genesis');
      this.#world = createWorld(command);
      this.#world.seq = 1;
      return null;
    }
    return applyToWorld(this.#requireWorld(), atMs, command, events);
  }

  /** The highest number that the world has handed out. */
  get highestNumber(): number {
    const world = this.#requireWorld();
    const { seq, lastFleetNumber, lastQueueNumber, lastReportNumber, lastTimerId, messages } = world;
    // No receiver has more events than all of them.
    const counted = world.lineages.base + Math.max(world.eventLog.recordedCount, world.lastPlayerNumber);
    return Math.max(seq, lastFleetNumber, lastQueueNumber, lastReportNumber, lastTimerId, messages.lastNumber, counted);
  }

  /**
   * Begins a lineage: the world becomes a new one that goes on from this state. Call it before anything reads the world, because it is no
   * entry of the log.
   *
   * @param base LINEAGE_GAP_MIN above highestNumber at least, and above the numbers of all other worlds that go on from this state
   */
  beginLineage(base: number): void {
    const world = this.#requireWorld();
    if (!(base >= this.highestNumber + LINEAGE_GAP_MIN)) throw new RangeError(`no lineage can begin at ${base}`);
    world.lineages.begin({ base, playersBefore: world.lastPlayerNumber });
    world.seq = base;
    world.lastFleetNumber = base;
    world.lastQueueNumber = base;
    world.lastReportNumber = base;
    // Pacts and offers are numbered by their timers.
    world.lastTimerId = base;
  }

  /** All rows of the state in canonical order. */
  rows(): Iterable<Row> {
    return worldRows(this.#requireWorld());
  }

  /**
   * All rows of a snapshot: those of the state, then those of what is kept beside it and restored with it.
   *
   * @param eventBytes keeps the bytes of the events beside the rows; by default they are in the rows
   */
  snapshotRows(eventBytes?: EventBytes): Iterable<Row> {
    return snapshotRows(this.#requireWorld(), eventBytes);
  }

  /** Hash of the whole state: 16 hexadecimal digits. */
  stateHash(): string {
    const hash = new StateHash();
    for (const row of this.rows()) hash.add(row);
    return hash.toString();
  }

  /**
   * Hash of the counters alone: 16 hexadecimal digits. Every change moves a counter, and the cost does not grow with
   * the world. Worlds with different fingerprints differ; worlds with the same one may still differ.
   */
  fingerprint(): string {
    const { timers, planets, fleets, playerCount, eventLog } = this.#requireWorld();
    const hash = new StateHash();
    hash.add(writeWorld(this.#requireWorld()));
    hash.add([timers.size, timers.nextDeadlineMs, planets.size, fleets.size, playerCount, eventLog.recordedCount]);
    return hash.toString();
  }

  #requireWorld(): World {
    if (this.#world === null) throw new Error('there is no world before its genesis');
    return this.#world;
  }
}

function applyToWorld(
  world: World,
  atMs: number,
  command: WorldCommand,
  events: WorldEvent[] | undefined,
): CommandResult | Refusal {
  const { nowMs: beforeMs, lastEntryMs } = world;
  if (!(atMs >= lastEntryMs)) throw new Error(`world time would run backwards from ${lastEntryMs} to ${atMs}`);
  // A tick advances the time itself, from one deadline to the next.
  if (command.type !== 'advance_time') {
    if (world.timers.nextDeadlineMs <= atMs) {
      throw new Error(`a timer was due at ${world.timers.nextDeadlineMs}, before the ${command.type} at ${atMs}`);
    }
    world.nowMs = atMs;
  }
  world.events.begin(events ?? null);
  const outcome = executeCommand(world, command, atMs);
  if (isRefusal(outcome)) {
    world.nowMs = beforeMs;
  } else {
    world.seq += 1;
    world.lastEntryMs = atMs;
  }
  return outcome;
}
