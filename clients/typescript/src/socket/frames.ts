// The frames of the WebSocket /ws, subprotocol galaxyd.v1: one JSON object each. GET /asyncapi.json describes them.
import type { Problem } from '../errors.js';
import type { GameEvent } from '../events.js';
import type { MapFrame } from '../map.js';

export const SUBPROTOCOL = 'galaxyd.v1';

/** What a subscription is about: the events of a player or of topic `world`, or frames of the map. */
export type Receiver = { readonly playerId: string } | { readonly topic: 'world' | 'map' };

export interface CallFrame {
  readonly op: 'call';
  readonly id: number;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly prefer?: 'return=minimal';
  /** Whose key it uses; without it, that of the last hello. */
  readonly playerId?: string;
  readonly minSeq?: number;
}

export interface HelloFrame {
  readonly op: 'hello';
  readonly id?: string;
  readonly key: string;
  readonly minSeq?: number;
}

export type ClientFrame =
  | HelloFrame
  | ({ readonly op: 'subscribe'; readonly id: number; readonly since?: number } & Receiver)
  | ({ readonly op: 'unsubscribe'; readonly id: number } & Receiver)
  | CallFrame
  | { readonly op: 'ping' };

export interface Welcome {
  readonly op: 'welcome';
  readonly callsMax: number;
}

export interface ReplyFrame {
  readonly op: 'reply';
  readonly id: number;
  readonly status: number;
  readonly body?: unknown;
  readonly code?: string;
  readonly worldSeq?: number;
  /** Where the leader takes the call, if the status is 421. */
  readonly location?: string;
}

/** An event of a player, or of the topic that it names. */
export type EventFrame = { readonly op: 'event'; readonly topic?: 'world' } & GameEvent;

/** A frame of the map. */
export type MapFrameFrame = { readonly op: 'frame'; readonly topic: 'map' } & MapFrame;

export interface ErrorFrame {
  readonly op: 'error';
  /** Of the frame that was refused, a text for a hello; absent if the error concerns more than one. */
  readonly id?: number | string;
  readonly playerId?: string;
  readonly topic?: 'world' | 'map';
  readonly problem: Problem;
}

export type ServerFrame =
  | Welcome
  | { readonly op: 'subscribed'; readonly id: number; readonly lastSeq: number }
  | { readonly op: 'unsubscribed' }
  | EventFrame
  | MapFrameFrame
  | ReplyFrame
  | ErrorFrame
  | { readonly op: 'pong' };
