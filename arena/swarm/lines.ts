// How the bots of a swarm reach the server: a line for each player, many lines over a few connections.

import type { GameEvent } from '../galaxyd-client.js';
import type { Caller } from '../hand.js';
import type { Registered } from './registration.js';

/** What a line reports. */
export interface LineListener {
  happened(event: GameEvent): void;
  /** Events are missing: only the state shows what they did. */
  missed(): void;
  /** No further event comes. */
  failed(error: unknown): void;
}

/** Calls for one player, and its events. */
export interface Line extends Pick<Caller, 'call' | 'callAll'> {
  /** Begins to report events, once. @param since seq of the last one that is known; null to begin after the newest */
  follow(since: number | null, listener: LineListener): void;
  /** Reports no further event. */
  end(): void;
}

export interface Lines {
  readonly transport: 'websocket' | 'http';
  /** @throws RangeError if there are as many as there may be */
  open(player: Registered): Line;
}
