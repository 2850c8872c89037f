// begin_events: from here on the world keeps events. A world that was created before there were events gets this command when it is
// opened; newer worlds keep events from their genesis on.
import type { CommandDefinition } from './command.js';

export interface BeginEvents {
  readonly type: 'begin_events';
}

export interface BegunEvents {
  /** Seq of the entry; the ones after it record events. */
  readonly seq: number;
}

export const beginEvents: CommandDefinition<BeginEvents, BegunEvents> = {
  type: 'begin_events',
  code: 21,
  decode: () => ({ type: 'begin_events' }),

  execute(world) {
    if (world.eventLog.hasBegun) throw new Error('the world keeps events already');
    // commit
    world.eventLog.hasBegun = true;
    return { seq: world.seq + 1 };
  },
};
