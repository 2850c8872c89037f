// The commands that stop the clock of a world and let it go on. The clock itself is outside the engine: entries while it stands have its instant.

import { NOBODY } from '../events/kinds.js';
import { WORLD_TIME_MS_MAX } from '../rules/limits.js';
import { defineCommand } from './command.js';

/** Notes that the clock stands, for the operator. */
export const pauseClock = defineCommand({
  type: 'pause_clock',
  code: 24,
  decode: () => ({ type: 'pause_clock' }),

  execute(world, _command, atMs): number {
    if (world.pausedAtMs !== null) return world.pausedAtMs;
    world.pausedAtMs = atMs;
    world.events.push({ kind: 'clock_paused', atMs, playerNumber: NOBODY });
    return atMs;
  },
});

/** Notes that the clock goes on, and how far it is behind the clock of the machine from now on. */
export const resumeClock = defineCommand({
  type: 'resume_clock',
  code: 25,
  decode: (row) => ({ type: 'resume_clock', lagMs: row.integer('lag', 0, WORLD_TIME_MS_MAX) }),

  execute(world, { lagMs: measuredMs }, atMs): number {
    const lagMs = Math.max(world.clockLagMs, measuredMs);
    world.pausedAtMs = null;
    world.clockLagMs = lagMs;
    world.events.push({ kind: 'clock_resumed', atMs, playerNumber: NOBODY, lagMs });
    return lagMs;
  },
});
