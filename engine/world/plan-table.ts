// The plans of a world: a map of the planets that have one, beside the planet table. A planet without a plan costs nothing here.
// It also lists the planets whose plans must be examined before the entry ends. This file holds no rule of the game.

import type { PlanetKey } from '../map/universe.js';
import { PLAN_LONGER_THAN_SECONDS_MAX } from '../rules/limits.js';
import {
  FLEETS_LANE,
  LANES,
  type Lane,
  type LaunchOrder,
  laneOf,
  type PackedStep,
  targetOf,
} from '../terms/plan-step.js';
import type { PlanetRow } from './planet-table.js';
import { NO_TIMER, type TimerHandle } from './timer-queue.js';

/** The highest `longerThanMs` of a plan. */
export const LONGER_THAN_MS_MAX: number = PLAN_LONGER_THAN_SECONDS_MAX * 1000;

/** A lane of the plan of a planet, as one number: what the timer of a lane acts on. */
export type PlanLaneRow = number;

/** What a planet is to do. Each lane starts its own steps in order. */
export class Plan {
  /** Timer of each lane; NO_TIMER unless its first step waits for stock that production will cover. */
  readonly timers: TimerHandle[] = LANES.map(() => NO_TIMER);
  /** Deadline of each timer; 0 without one. */
  readonly deadlinesMs: number[] = LANES.map(() => 0);
  /** Whether an event has said that the first step is blocked, for each lane. */
  readonly isReportedBlocked: boolean[] = LANES.map(() => false);

  /**
   * @param isSkipping whether a blocked step is dropped; else its lane waits
   * @param longerThanMs a step that the stocks cover only after more than this counts as blocked; null: it waits, however long
   * @param steps not started yet, of all lanes, in the order in which they were put
   * @param launches what each launch among the steps sends, in their order
   * @throws Error if a plan that does not skip has `longerThanMs`: a command or a row from a foreign folder
   */
  constructor(
    readonly isSkipping: boolean,
    readonly longerThanMs: number | null,
    readonly steps: PackedStep[],
    readonly launches: LaunchOrder[],
  ) {
    if (longerThanMs !== null && !isSkipping) throw new Error('it skips what cannot be paid, but not what is blocked');
  }

  /** The first step of a lane; undefined if the lane is empty. */
  headOf(lane: Lane): PackedStep | undefined {
    for (const step of this.steps) if (laneOf(step) === lane) return step;
    return undefined;
  }

  /** Removes the first step of a lane. */
  dropHead(lane: Lane): void {
    this.steps.splice(
      this.steps.findIndex((step) => laneOf(step) === lane),
      1,
    );
    if (lane === FLEETS_LANE) this.launches.shift();
    this.isReportedBlocked[lane] = false;
  }
}

export class PlanTable {
  readonly #plans = new Map<PlanetRow, Plan>();
  /** Planets whose plans had launches when they were put: a list, since nothing that changes a world walks over a set. */
  readonly #launching: PlanetRow[] = [];
  /** Planets to examine, in the order in which they were marked. Empty between two entries. */
  readonly #marked = new Set<PlanetRow>();

  /** Planets that have a plan. */
  get size(): number {
    return this.#plans.size;
  }

  get hasMarked(): boolean {
    return this.#marked.size > 0;
  }

  get(row: PlanetRow): Plan | undefined {
    return this.#plans.get(row);
  }

  set(row: PlanetRow, plan: Plan): void {
    this.#plans.set(row, plan);
    if (plan.launches.length > 0) this.#launching.push(row);
  }

  /** Removes a plan, whose timers its caller has cancelled. */
  remove(row: PlanetRow): void {
    this.#plans.delete(row);
    const place = this.#launching.indexOf(row);
    if (place >= 0) this.#launching.splice(place, 1);
    this.#marked.delete(row);
  }

  /** Marks a planet, if it has a plan: the plan is examined before the entry ends. */
  mark(row: PlanetRow): void {
    if (this.#plans.size > 0 && this.#plans.has(row)) this.#marked.add(row);
  }

  /** Planets whose plans launch next to a target, in no order. */
  rowsLaunchingTo(targetKey: PlanetKey): PlanetRow[] {
    const rows: PlanetRow[] = [];
    for (const row of this.#launching) {
      const head = this.#plans.get(row)?.headOf(FLEETS_LANE);
      if (head !== undefined && targetOf(head) === targetKey) rows.push(row);
    }
    return rows;
  }

  /** Takes the planet that was marked first; undefined if there is none. */
  takeMarked(): PlanetRow | undefined {
    for (const row of this.#marked) {
      this.#marked.delete(row);
      return row;
    }
    return undefined;
  }
}

export function planLaneRow(row: PlanetRow, lane: Lane): PlanLaneRow {
  return row * LANES.length + lane;
}

export function planetRowOf(laneRow: PlanLaneRow): PlanetRow {
  return Math.trunc(laneRow / LANES.length);
}

export function laneAt(laneRow: PlanLaneRow): Lane {
  return laneRow % LANES.length;
}
