// What the package exports.
export type { components, operations, paths } from './api.js';
export type { AsksForShort, BodyOf, CallOptions, PathOf, ShortBodyOf } from './calls.js';
export { type Operation, operation, type Result, type ResultsOf, type ShortResultsOf } from './calls.js';
export {
  type ActingPlayer,
  type BatchOptions,
  type ClientOptions,
  GalaxydClient,
  type Reply,
  type WaitOptions,
} from './client.js';
export { EventsExpired, GalaxydProblem, NoReply, type Problem } from './errors.js';
export type {
  EventData,
  EventsOptions,
  GameEvent,
  MapBattle,
  MapCell,
  MapFrame,
  MapFramesOptions,
  MapGoods,
  MapLeg,
  MapPact,
  Resync,
  ResyncingOptions,
} from './events.js';
export { type Amounts, affordableAt, earliest, type Producing, type Resource, stockAt } from './planning.js';
export type { GalaxydSocket, SocketCallOptions } from './shared-socket.js';
