// What handlers work with. A handler that needs more names it in the file of its route.
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { WorldRules } from '../checks/world-rules.js';
import type { Views } from '../views/views.js';
import type { Access } from './access.js';
import type { Commands } from './commands.js';
import type { Replies } from './replies.js';

/** Where the world is in time. */
export type WorldTime = Pick<ServedSequencer, 'nowMs' | 'lastSeq'>;

export interface GamePorts {
  readonly world: ReadonlyWorld;
  /** World time of the request that is being handled, in milliseconds, and the seq of the last entry. */
  readonly time: WorldTime;
  /** Names in requests as the numbers of the engine. */
  readonly rules: WorldRules;
  /** Who asks, and what it may see and command. */
  readonly access: Access;
  /** Changes to the world. */
  readonly commands: Commands;
  /** Answers, each once what it depends on is durable. */
  readonly replies: Replies;
  /** The world as JSON. */
  readonly views: Views;
}

/** Each is looked at when somebody asks for what it forbids. */
export interface Restrictions {
  /** True if only the operator creates players. */
  readonly isRegistrationClosed: boolean;
  /** Why players cannot change their keys, in a sentence; null if they can. */
  readonly keyFault: string | null;
  /** Why nobody can advance the clock, in a sentence; null if the operator can. */
  readonly clockFault: string | null;
  /** Why nobody can pause the clock. */
  readonly pauseFault: string | null;
}

export function restrictionsOf(clock: 'real' | 'manual' | 'turns', registration: 'open' | 'closed'): Restrictions {
  return {
    isRegistrationClosed: registration === 'closed',
    keyFault: null,
    clockFault: clock === 'real' ? 'The clock of this world is real and cannot be advanced.' : null,
    pauseFault: clock === 'real' ? null : 'The clock of this world stands until somebody moves it.',
  };
}
