// The part of the engine that the log needs: it applies entries, live and in replay alike, and knows when the next tick
// is due.
import type { Engine } from '../../engine/engine.js';

export type ReplayableEngine = Pick<Engine, 'seq' | 'nowMs' | 'nextDeadlineMs' | 'apply' | 'eventReceivers'>;
