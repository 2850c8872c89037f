// The types of events, and the options of their readers.
import type { components } from './api.js';

type Schemas = components['schemas'];

/** Something that has happened; `type` says what, and which members `data` has. */
export type GameEvent = Schemas['GameEvent'];

/** Data of events of a type. */
export type EventData<Type extends GameEvent['type']> = Extract<GameEvent, { readonly type: Type }>['data'];

/**
 * Events between the last item and this one are missing, because the server no longer keeps them or its world was restored. The events
 * after `seq` follow.
 */
export interface Resync<State> {
  readonly type: 'resync';
  readonly seq: number;
  /** The state of the player, which contains the effects of all events up to `seq`; null in topic `world`. */
  readonly state: State;
}

export interface EventsOptions {
  /** Seq of the last event that you know, such as `lastEventSeq` of a state; by default it begins after the newest. */
  readonly since?: number | undefined;
  /** Ends it; the iteration throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The same, for a reader that goes on if events have expired. */
export interface ResyncingOptions extends EventsOptions {
  /** Returns a `resync` item then, instead of throwing EventsExpired. */
  readonly resync: true;
}
