// advance_time: the tick. The passing of time is logged; what it fires is derived: every timer due by then, in order,
// each at its own deadline, a bounded number an entry.
import { TIMERS_PER_TICK } from '../rules/limits.js';
import { fire } from '../timers/index.js';
import type { CommandDefinition } from './command.js';

export interface AdvanceTime {
  readonly type: 'advance_time';
}

export interface AdvancedTime {
  /** Timers that fired. */
  readonly firedCount: number;
}

export const advanceTime: CommandDefinition<AdvanceTime, AdvancedTime> = {
  type: 'advance_time',
  code: 2,
  fields: {},

  execute(world, _command, untilMs) {
    let firedCount = 0;
    while (firedCount < TIMERS_PER_TICK && world.timers.nextDeadlineMs <= untilMs) {
      fire(world, world.timers.takeFirst());
      firedCount += 1;
    }
    // What is still due keeps the time from passing its deadline.
    world.nowMs = Math.min(untilMs, world.timers.nextDeadlineMs);
    return { firedCount };
  },
};
