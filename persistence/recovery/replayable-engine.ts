// As much of the engine as the log needs: what applies an entry, live and in replay alike, and when to apply a tick.
import type { Engine } from '../../engine/engine.js';

export type ReplayableEngine = Pick<Engine, 'seq' | 'nowMs' | 'nextDeadlineMs' | 'apply'>;
