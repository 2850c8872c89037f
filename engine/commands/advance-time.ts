// advance_time: the tick. The passage of time is logged; what it causes is derived. It fires every timer that is due,
// in order, each at its own deadline. The number of timers per entry is bounded.
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
  decode: () => ({ type: 'advance_time' }),

  execute(world, _command, untilMs) {
    let firedCount = 0;
    while (firedCount < TIMERS_PER_TICK && world.timers.nextDeadlineMs <= untilMs) {
      fire(world, world.timers.takeFirst());
      firedCount += 1;
    }
    // World time does not pass the deadline of a timer that is still due.
    world.nowMs = Math.min(untilMs, world.timers.nextDeadlineMs);
    return { firedCount };
  },
};
