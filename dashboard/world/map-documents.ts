// The documents and frames of the map as the server sends them: types written by hand until the generated ones are there.
import type { GalaxydClient, GameEvent, Reply } from 'galaxyd-client';

export interface MapDocument {
  readonly feedSeq: number;
  readonly worldTime: string;
  readonly systemsPerGalaxy: number;
  readonly systemsPerCell: number;
  readonly planets: number;
  readonly players: number;
  readonly galaxies: readonly {
    readonly index: number;
    readonly planets: number;
    readonly players: number;
    readonly owners: readonly number[];
    readonly owned: readonly number[];
  }[];
}

/** One way of a fleet, as a row of numbers. */
export type LegRow = readonly [
  fleet: number,
  owner: number,
  mission: number,
  isReturning: number,
  fromGalaxy: number,
  fromSystem: number,
  fromSlot: number,
  toGalaxy: number,
  toSystem: number,
  toSlot: number,
  departsAtMs: number,
  arrivesAtMs: number,
];

export interface FleetsDocument {
  readonly feedSeq: number;
  readonly worldTime: string;
  readonly total: number;
  readonly stride: number;
  readonly missions: readonly string[];
  readonly legs: readonly LegRow[];
}

export type BattleRow = readonly [
  galaxy: number,
  system: number,
  slot: number,
  attacker: number,
  defender: number,
  attackerLost: number,
  defenderLost: number,
];

export interface MapFrame {
  readonly since: number;
  readonly seq: number;
  readonly worldTime: string;
  readonly stride: number;
  readonly total: number;
  readonly legs: readonly LegRow[];
  readonly gone: readonly number[];
  readonly battles: readonly BattleRow[];
  readonly owners: readonly (readonly [galaxy: number, cell: number, owner: number, owned: number])[];
  readonly eventCount: number;
  readonly events: readonly GameEvent[];
}

interface MapClient {
  get(path: '/api/map', options: { signal: AbortSignal }): Promise<Reply<MapDocument>>;
  get(path: '/api/map/fleets', options: { signal: AbortSignal }): Promise<Reply<FleetsDocument>>;
  mapFrames(options: { since: number; signal: AbortSignal }): AsyncIterableIterator<MapFrame>;
}

/** The client with the operations of the map. */
export function mapClient(client: GalaxydClient): MapClient {
  return client as unknown as MapClient;
}
