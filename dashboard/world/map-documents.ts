// The documents and frames of the map as the server sends them: the frame is written by hand until the generated one is there.
import type { GalaxydClient, GameEvent } from 'galaxyd-client';
import type { Shapes } from './api.js';

export type MapDocument = Shapes['MapOverview'];
export type FleetsDocument = Shapes['MapFleets'];

export interface MapFrame {
  readonly since: number;
  readonly seq: number;
  readonly worldTime: string;
  readonly stride: number;
  readonly total: number;
  readonly legs: readonly (readonly number[])[];
  readonly gone: readonly number[];
  readonly retired: readonly number[];
  readonly battles: readonly (readonly number[])[];
  readonly owners: readonly (readonly number[])[];
  readonly eventCount: number;
  readonly events: readonly GameEvent[];
}

interface MapClient {
  mapFrames(options: { since: number; signal: AbortSignal }): AsyncIterableIterator<MapFrame>;
}

/** The client with the frames of the map. */
export function mapClient(client: GalaxydClient): MapClient {
  return client as unknown as MapClient;
}
