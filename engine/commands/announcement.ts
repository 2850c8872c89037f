// The command with which the operator says something to everybody.

import { NOBODY } from '../events/kinds.js';
import { WORLD_TIME_MS_MAX } from '../rules/limits.js';
import { ANNOUNCEMENT_UNITS_MAX } from '../rules/record-limits.js';
import type { Announcement } from '../world/state.js';
import { defineCommand } from './command.js';

/** What is announced now. */
export interface Announced {
  readonly announcement: Announcement | null;
}

/** Announces a text in place of the one before, or withdraws it. No timer ends it: each view compares its end with the present. */
export const announce = defineCommand({
  type: 'announce',
  code: 29,
  decode: (row) => ({
    type: 'announce',
    // Null withdraws the present one.
    text: row.textOrNull('text', ANNOUNCEMENT_UNITS_MAX),
    // How long it lasts; null if only another one ends it.
    lastsMs: row.integerOrNull('duration', 1, WORLD_TIME_MS_MAX),
  }),

  execute(world, { text, lastsMs }, atMs): Announced {
    if (text === null) {
      world.announcement = null;
      return { announcement: null };
    }
    const untilMs = lastsMs === null ? null : Math.min(atMs + lastsMs, WORLD_TIME_MS_MAX);
    world.announcement = { text, atMs, untilMs };
    world.events.push({ kind: 'announcement', atMs, playerNumber: NOBODY, text, untilMs });
    return { announcement: world.announcement };
  },
});
