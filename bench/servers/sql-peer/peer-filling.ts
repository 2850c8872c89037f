// What the SQL peer is filled with. All of it comes from the public interface of the server under test: the states of its
// players, the catalogue with its costs and times, and the schemas of its OpenAPI document.
import { PEER_PLAYERS_MAX } from '../../limits.js';
import { forEachAtOnce, type GameClient } from '../game-client.js';

export const RESOURCE_NAMES = ['iron', 'silver', 'ember', 'h2', 'energy'] as const;
export type ResourceUnits = Record<(typeof RESOURCE_NAMES)[number], number>;

/** As much of a planet and of a player's state as the peer keeps. */
export interface PlanetBody extends ResourceUnits {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
  readonly system: { readonly galaxyIndex: number; readonly index: number };
  readonly buildings: readonly { readonly type: string; readonly level: number }[];
  readonly planetShips: readonly { readonly shipType: string; readonly count: number }[];
}

export interface StateBody {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
  readonly planets: readonly PlanetBody[];
  readonly lastEventSeq: number;
}

/** As much of GET /api/catalog as the peer uses. Lists by level begin with level 1, amounts are in the order of RESOURCE_NAMES. */
export interface Catalog {
  /** Durations are divided by it, production is multiplied by it. */
  readonly speed: number;
  readonly buildings: readonly {
    readonly type: string;
    readonly costs: readonly (readonly number[])[];
    readonly outputsPerHour: readonly (readonly number[])[];
    readonly seconds: readonly number[];
  }[];
  readonly ships: readonly { readonly type: string }[];
}

export interface PeerFilling {
  readonly catalog: Catalog;
  /** JSON Schemas by name; they refer to each other as `#/components/schemas/NAME`. */
  readonly schemas: Readonly<Record<string, object>>;
  readonly states: readonly StateBody[];
}

/** Asks the server under test for the states of players; at most PEER_PLAYERS_MAX of them. */
export async function readFilling(client: GameClient, playerIds: readonly string[]): Promise<PeerFilling> {
  const catalog = await client.get<Catalog>('/api/catalog');
  const { components } = await client.get<{ components: Pick<PeerFilling, 'schemas'> }>('/openapi.json');
  const wanted = playerIds.slice(0, PEER_PLAYERS_MAX);
  const states = await forEachAtOnce(wanted, (playerId) => client.get<StateBody>(`/api/game/state/${playerId}`));
  return { catalog, schemas: components.schemas, states };
}
