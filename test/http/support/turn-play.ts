// A world of turns for tests, and how entrants and their operator play in it.
import type { Test } from 'tap';
import type { PlanetBody } from '../../../http/schemas/planet.js';
import type { EndTurnBody, TurnBody, TurnsBody } from '../../../http/schemas/turns.js';
import type { BulkPlayersBody } from '../../../http/schemas/world.js';
import type { GameClient, Reply } from './game-client.js';
import { begin, type Serving, type ServingOptions } from './serving.js';

/** One who plays with its own key. */
export interface Seat {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly planetId: string;
  readonly client: GameClient;
}

/** What a game is begun with; a day, and budgets that no test exhausts. */
export const GAME = {
  until: '2000-01-02T00:00:00Z',
  orderSeed: 7,
  commandsPerDay: 100,
  wakeupsPerDay: 100,
  wallSecondsPerTurn: 600,
};

const KEY_SECRET = 'the-secret-of-this-test';

/** Serves a world whose clock is that of turns. */
export function beginTurnWorld(t: Test, options: ServingOptions = {}): Promise<Serving> {
  return begin(t, { auth: 'key', ...options, server: { turns: {}, ...options.server } });
}

/** Creates players with keys that follow from their names. */
export async function seats({ client, admin }: Pick<Serving, 'client' | 'admin'>, ...names: string[]): Promise<Seat[]> {
  const body = { names, keySecret: KEY_SECRET };
  const { players } = await admin.command<BulkPlayersBody>('/api/admin/players', body, 201);
  return players.map(({ id, name, apiKey: key = '', planetId }) => ({
    id,
    name,
    key,
    planetId,
    client: client.as(key),
  }));
}

/** Begins a game of these players. */
export function beginGame(
  { admin }: Pick<Serving, 'admin'>,
  players: readonly Seat[],
  changes: object = {},
): Promise<TurnsBody> {
  const entrants = players.map(({ id }) => ({ playerId: id }));
  return admin.command<TurnsBody>('/api/admin/turns', { ...GAME, entrants, ...changes }, 201);
}

/** One player with its first turn. */
export async function inTurn(serving: Serving, changes: object = {}): Promise<Seat> {
  const [ada] = (await seats(serving, 'ada')) as [Seat];
  await beginGame(serving, [ada], changes);
  await turnOf(ada);
  return ada;
}

/** Waits for a turn, or for the end of the game. */
export function turnOf({ client }: Seat): Promise<TurnBody> {
  return client.read<TurnBody>('/api/turn?wait=30');
}

export function endOf({ client }: Seat, wish?: EndTurnBody): Promise<TurnBody> {
  return client.command<TurnBody>('/api/turn/end', wish);
}

export function gameOf({ admin }: Pick<Serving, 'admin'>): Promise<TurnsBody> {
  return admin.read<TurnsBody>('/api/admin/turns');
}

/** Waits for the end of the game. */
export function gameOver({ admin }: Pick<Serving, 'admin'>): Promise<TurnsBody> {
  return admin.read<TurnsBody>('/api/admin/turns?wait=30');
}

/** Upgrades a mine: accepted if the player has its turn and nothing is in progress. */
export function upgrade({ client, planetId }: Seat, buildingType = 'iron_mine'): Promise<Reply> {
  return client.request('POST', '/api/building/upgrade', { body: { planetId, buildingType } });
}

export function levelOf(planet: PlanetBody, type: string): number {
  return planet.buildings.find((building) => building.type === type)?.level ?? 0;
}
