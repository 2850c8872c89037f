// The table of hostile loads: what each client sends, over how many connections, and how it behaves.
import * as limits from '../limits.js';
import { getRequest, type LoadRequest, postRequest } from '../servers/game-client.js';

export interface HostileNames {
  /** A player with three grown planets, whose key hostile clients have. */
  readonly playerId: string;
  /** Two of its planets. */
  readonly planetIds: readonly [string, string];
  /** A player with SETTLED_PLANETS planets, whose key hostile clients have. */
  readonly settlerId: string;
}

/**
 * `exchange`: reads its replies, and writes again once all of them have arrived. `unread`: writes whenever the socket takes it, and
 * reads nothing. `slow-upload`: sends a body quickly up to its last part, and then a byte now and then.
 */
export type Behaviour = 'exchange' | 'unread' | 'slow-upload';

export interface HostileLoad {
  readonly title: string;
  readonly behaviour: Behaviour;
  readonly connections: number;
  /** Pipelined requests of one write. */
  readonly requestsPerWrite: number;
  /** Whose key it sends; `guess` is a wrong one, another one with each write. Absent: none. */
  readonly key?: 'player' | 'settler' | 'guess';
  /** True if it shares the address of the innocent client. */
  readonly isNeighbour?: boolean;
  /** The one request that it sends over and over, without its key. A SERIAL_MARK in it differs from write to write. */
  request(names: HostileNames): LoadRequest;
}

/** Stands in a request for digits that no other write of the load has. */
export const SERIAL_MARK = '########';

const EXCHANGE = { behaviour: 'exchange', connections: 64, requestsPerWrite: 1 } as const;
const KEYED = { ...EXCHANGE, key: 'player' } as const;
/** Wrong ship entries of a launch. Type and count of each are wrong, and 20 errors are reported at most. */
const WRONG_ENTRIES = 15;

const HOSTILE_LOADS_TABLE = {
  'metrics-64': { ...EXCHANGE, title: 'GET /metrics', request: () => getRequest('/metrics') },
  'metrics-1000': {
    ...EXCHANGE,
    title: 'GET /metrics',
    connections: 1_000,
    request: () => getRequest('/metrics'),
  },
  reads: {
    ...KEYED,
    title: 'GET state, one after the other',
    request: ({ playerId }) => getRequest(`/api/game/state/${playerId}`),
  },
  'costly-reads': { ...KEYED, title: 'GET /openapi.json', request: () => getRequest('/openapi.json') },
  'refused-commands': {
    ...KEYED,
    title: 'POST construct of a building that is there already',
    request: ({ planetIds: [planetId] }) =>
      postRequest('/api/building/construct', { planetId, buildingType: 'zentrale' }),
  },
  guesses: {
    ...EXCHANGE,
    key: 'guess',
    title: 'GET state with wrong keys',
    request: ({ playerId }) => getRequest(`/api/game/state/${playerId}`),
  },
  neighbour: {
    ...EXCHANGE,
    isNeighbour: true,
    title: 'GET /api/status without a key, from the address of the innocent client',
    request: () => getRequest('/api/status'),
  },
  'shape-errors': {
    ...KEYED,
    title: `batches of ${limits.HOSTILE_OPERATIONS} launches with 20 shape errors each`,
    request: ({ planetIds: [originPlanetId, targetPlanetId], playerId }) => {
      const ships = Array.from({ length: WRONG_ENTRIES }, () => ({ type: 'cruiser', count: -1 }));
      const body = { playerId, originPlanetId, targetPlanetId, ships, mission: 'transport' };
      return batchOf(() => ({ ...post('/api/fleet/launch'), body }));
    },
  },
  'batch-reads': {
    ...KEYED,
    title: `batches of ${limits.HOSTILE_OPERATIONS} state reads`,
    request: ({ playerId }) => batchOf(() => ({ method: 'GET', path: `/api/game/state/${playerId}` })),
  },
  'batch-creations': {
    ...EXCHANGE,
    title: `batches of ${limits.HOSTILE_OPERATIONS} creations`,
    request: () =>
      batchOf((index) => ({ ...post('/api/game/player'), body: { name: `h-${SERIAL_MARK}-${index}`, isBot: true } })),
  },
  'batch-simulations': {
    ...KEYED,
    title: `batches of ${limits.HOSTILE_OPERATIONS} simulated flights`,
    request: ({ planetIds: [originPlanetId, targetPlanetId] }) => {
      const body = { originPlanetId, targetPlanetId, ships: [{ type: 'transport', count: 1 }] };
      return batchOf(() => ({ ...post('/api/fleet/simulate'), body }));
    },
  },
  'large-player': {
    ...EXCHANGE,
    key: 'settler',
    title: 'GET planets of a player with 200 planets',
    request: ({ settlerId }) => getRequest(`/api/game/planets/${settlerId}`),
  },
  pipelined: {
    ...KEYED,
    title: `GET state, segments of ${limits.HOSTILE_SEGMENT_REQUESTS} requests, replies read`,
    requestsPerWrite: limits.HOSTILE_SEGMENT_REQUESTS,
    request: ({ playerId }) => getRequest(`/api/game/state/${playerId}`),
  },
  'slow-uploads': {
    behaviour: 'slow-upload',
    title: 'batch bodies that never end',
    connections: limits.SLOW_UPLOADS,
    requestsPerWrite: 1,
    request: () => paddedBatch([], limits.SLOW_UPLOAD_BYTES),
  },
  unread: {
    behaviour: 'unread',
    title: 'GET /api/errors, replies never read',
    connections: limits.UNREAD_CONNECTIONS,
    requestsPerWrite: limits.UNREAD_SEGMENT_REQUESTS,
    request: () => getRequest('/api/errors'),
  },
} as const satisfies Record<string, HostileLoad>;

export type HostileName = keyof typeof HOSTILE_LOADS_TABLE;
export const HOSTILE_LOADS: Readonly<Record<HostileName, HostileLoad>> = HOSTILE_LOADS_TABLE;
export const HOSTILE_NAMES = Object.keys(HOSTILE_LOADS) as HostileName[];

/** What the innocent client sends now and then beside slow uploads: one read in a body as large as a large batch. */
export function largeBatch(playerId: string): LoadRequest {
  return paddedBatch([{ method: 'GET', path: `/api/game/planets/${playerId}` }], limits.LARGE_BATCH_BYTES);
}

function post(path: string) {
  return { method: 'POST', path };
}

function batchOf(operation: (index: number) => unknown): LoadRequest {
  return postRequest('/api/batch', {
    operations: Array.from({ length: limits.HOSTILE_OPERATIONS }, (_, at) => operation(at)),
  });
}

/** A batch with spaces inside, which take bytes but almost no time to parse. */
function paddedBatch(operations: readonly unknown[], byteCount: number): LoadRequest {
  const { body = '', ...request } = postRequest('/api/batch', { operations });
  return { ...request, body: `${body.slice(0, -1).padEnd(byteCount - 1)}}` };
}
