// The command that changes the speed of a world.

import { NOBODY } from '../events/kinds.js';
import { settleOutputs } from '../planets/output.js';
import { SPEED_THOUSANDTHS_MAX, SPEED_THOUSANDTHS_MIN } from '../rules/limits.js';
import { touchPlayer } from '../world/state.js';
import { defineCommand } from './command.js';

/**
 * Gives the world another speed, for the operator. What was produced until now stays, and pending timers keep their deadlines. Production, and
 * durations that begin from now on, follow the new speed. Plans look again when they can go on.
 */
export const setSpeed = defineCommand({
  type: 'set_speed',
  code: 23,
  decode: (row) => ({
    type: 'set_speed',
    speedThousandths: row.integer('speed in thousandths', SPEED_THOUSANDTHS_MIN, SPEED_THOUSANDTHS_MAX),
  }),

  execute(world, { speedThousandths }, atMs): number {
    if (speedThousandths === world.settings.speedThousandths) return speedThousandths;
    for (const player of world.players.values()) {
      settleOutputs(world, player);
      touchPlayer(world, player);
    }
    world.settings = { ...world.settings, speedThousandths };
    world.events.push({ kind: 'speed_changed', atMs, playerNumber: NOBODY, speedThousandths });
    return speedThousandths;
  },
});
