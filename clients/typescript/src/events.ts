// The types of events and of frames of the map, and the options of their readers.
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

/** From where to where something flies, and when. */
type MapWay = readonly [
  fromGalaxy: number,
  fromSystem: number,
  fromSlot: number,
  toGalaxy: number,
  toSystem: number,
  toSlot: number,
  departsAtMs: number,
  arrivesAtMs: number,
];

/** One way of a fleet. Departure and arrival are world time in milliseconds since 1970; its position is linear in world time. */
export type MapLeg = readonly [
  fleetNumber: number,
  playerNumber: number,
  /** Position in `missions` of /api/map/fleets. */
  mission: number,
  /** 1 if the fleet returns. */
  isReturning: number,
  ...way: MapWay,
];

export type MapBattle = readonly [
  galaxy: number,
  system: number,
  slot: number,
  attackerNumber: number,
  defenderNumber: number,
  /** Ships. */
  attackerLost: number,
  defenderLost: number,
];

/** A cell of a galaxy, as in /api/map. */
export type MapCell = readonly [galaxy: number, cell: number, ownerNumber: number, owned: number];

export type MapPact = readonly [
  pactNumber: number,
  /** Position in `pactKinds` of /api/map/fleets. */
  kind: number,
  proposerNumber: number,
  partnerNumber: number,
  proposerGalaxy: number,
  proposerSystem: number,
  proposerSlot: number,
  partnerGalaxy: number,
  partnerSystem: number,
  partnerSlot: number,
  endsAtMs: number,
];

/** Goods on their way to a player who has traded for them. */
export type MapGoods = readonly [goodsNumber: number, senderNumber: number, receiverNumber: number, ...way: MapWay];

/** What has changed on the map after `since`. It is the same for all who watch, so it may repeat what you have already. */
export interface MapFrame {
  readonly since: number;
  /** Continue from here. */
  readonly seq: number;
  readonly worldTime: string;
  /** Only fleets whose number is divisible by it are in frames. If it rises, forget the others; if it falls, read /api/map/fleets again. */
  readonly stride: number;
  /** Fleets in flight. */
  readonly total: number;
  readonly legs: readonly MapLeg[];
  /** Numbers of fleets that are not in flight any more. */
  readonly gone: readonly number[];
  /** Numbers of players that exist no more, and so do their fleets and goods on their way to them. */
  readonly retired: readonly number[];
  readonly battles: readonly MapBattle[];
  readonly owners: readonly MapCell[];
  /** Pacts that have begun or were cancelled. */
  readonly pacts: readonly MapPact[];
  /** Numbers of pacts that have ended. */
  readonly pactsGone: readonly number[];
  /** Goods that were sent. No frame tells when they arrive: they say so. */
  readonly goods: readonly MapGoods[];
  /** Public events from `since` to `seq`; `events` has some of them. */
  readonly eventCount: number;
  readonly events: readonly GameEvent[];
}

export interface MapFramesOptions {
  /** `feedSeq` of the documents that you have; by default it begins with the present. */
  readonly since?: number | undefined;
  /** Ends it; the iteration throws its reason. */
  readonly signal?: AbortSignal | undefined;
}
