// The table of hostile loads: what each client sends, over how many connections, and how it behaves.
import * as limits from '../limits.js';
import { getRequest, type LoadRequest, postRequest } from '../servers/game-client.js';
import { frameBytes, jsonFrame, OPCODES } from '../sockets/frames.js';

export interface HostileNames {
  /** A player with three grown planets, whose key hostile clients have. */
  readonly playerId: string;
  /** Two of its planets. */
  readonly planetIds: readonly [string, string];
  /** A player with SETTLED_PLANETS planets, whose key hostile clients have. */
  readonly settlerId: string;
}

/**
 * `exchange`: reads its replies, and writes again once all of them have arrived; over a WebSocket, a call for each reply. `repeat`: reads,
 * and writes at intervals. `unread`: writes at intervals, and reads nothing. `slow-upload`: sends a body or a frame quickly up to its
 * last part, and then a byte now and then.
 */
export type Behaviour = 'exchange' | 'repeat' | 'unread' | 'slow-upload';

interface AnyLoad {
  readonly title: string;
  readonly behaviour: Behaviour;
  readonly connections: number;
  /** Pipelined requests, or frames, of one write. */
  readonly perWrite: number;
  /** The interval, which begins when the socket has taken what was written before. */
  readonly everyMs?: number;
  /** Whose key it sends; `guess` is a wrong one, another one with each write. Absent: none. */
  readonly key?: 'player' | 'settler' | 'operator' | 'guess';
  /** True if it shares the address of the innocent client. */
  readonly isNeighbour?: boolean;
}

export interface RequestLoad extends AnyLoad {
  /** The one request that it sends over and over, without its key. A SERIAL_MARK in it differs from write to write. */
  request(names: HostileNames): LoadRequest;
}

export interface SocketLoad extends AnyLoad {
  /** What a WebSocket sends over and over. @param index of the connection */
  frame(names: HostileNames, index: number): Buffer;
}

export type HostileLoad = RequestLoad | SocketLoad;

/** Stands in a request for digits that no other write of the load has. */
export const SERIAL_MARK = '########';

const EXCHANGE = { behaviour: 'exchange', connections: 64, perWrite: 1 } as const;
const SOCKETS = {
  behaviour: 'repeat',
  connections: limits.HOSTILE_SOCKETS,
  perWrite: limits.HOSTILE_FRAMES,
  everyMs: limits.HOSTILE_FRAMES_EVERY_MS,
  key: 'player',
} as const;
const KEYED = { ...EXCHANGE, key: 'player' } as const;
/** Wrong ship entries of a launch. Type and count of each are wrong, and 20 errors are reported at most. */
const WRONG_ENTRIES = 15;

export const HOSTILE_LOADS = {
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
    perWrite: limits.HOSTILE_SEGMENT_REQUESTS,
    request: ({ playerId }) => getRequest(`/api/game/state/${playerId}`),
  },
  'slow-uploads': {
    behaviour: 'slow-upload',
    title: 'batch bodies that never end',
    connections: limits.SLOW_UPLOADS,
    perWrite: 1,
    request: () => paddedBatch([], limits.SLOW_UPLOAD_BYTES),
  },
  unread: {
    behaviour: 'unread',
    title: 'GET /api/errors, replies never read',
    connections: limits.UNREAD_CONNECTIONS,
    perWrite: limits.UNREAD_SEGMENT_REQUESTS,
    everyMs: limits.UNREAD_WRITE_EVERY_MS,
    request: () => getRequest('/api/errors'),
  },
  'sockets-unread-pings': {
    ...SOCKETS,
    behaviour: 'unread',
    title: 'pings whose pongs are never read',
    connections: limits.HOSTILE_UNREAD_SOCKETS,
    frame: () => frameBytes(OPCODES.ping, Buffer.alloc(limits.HOSTILE_PING_BYTES)),
  },
  'sockets-pings': { ...SOCKETS, title: 'pings', frame: () => frameBytes(OPCODES.ping, '') },
  'sockets-pongs': { ...SOCKETS, title: 'pongs that nobody asked for', frame: () => frameBytes(OPCODES.pong, '') },
  'sockets-calls': {
    ...SOCKETS,
    title: 'GET /api/status over WebSockets, many calls at once',
    perWrite: limits.HOSTILE_CALLS,
    frame: () => jsonFrame({ op: 'call', method: 'GET', path: '/api/status' }),
  },
  'sockets-costly-calls': {
    ...SOCKETS,
    behaviour: 'exchange',
    key: 'settler',
    title: `GET state of a player with ${limits.SETTLED_PLANETS} planets, ${limits.HOSTILE_CALLS_IN_FLIGHT} calls in flight`,
    connections: limits.HOSTILE_COSTLY_SOCKETS,
    perWrite: limits.HOSTILE_CALLS_IN_FLIGHT,
    frame: ({ settlerId }) => jsonFrame({ op: 'call', method: 'GET', path: `/api/game/state/${settlerId}` }),
  },
  'sockets-slow-frames': {
    ...SOCKETS,
    behaviour: 'slow-upload',
    title: 'frames that never end',
    connections: limits.HOSTILE_SLOW_SOCKETS,
    perWrite: 1,
    frame: () => frameBytes(OPCODES.text, Buffer.alloc(limits.HOSTILE_FRAME_BYTES, 'a')),
  },
  'sockets-catch-ups': {
    ...SOCKETS,
    key: 'operator',
    title: 'viewers of the map at different positions',
    connections: limits.HOSTILE_MAP_VIEWERS,
    perWrite: 1,
    everyMs: limits.HOSTILE_CATCH_UP_EVERY_MS,
    frame: (_names, index) =>
      Buffer.concat([
        jsonFrame({ op: 'unsubscribe', topic: 'map' }),
        jsonFrame({ op: 'subscribe', topic: 'map', since: index }),
      ]),
  },
  'sockets-held': {
    ...SOCKETS,
    title: 'WebSockets that are opened and held',
    connections: limits.HOSTILE_HELD_SOCKETS,
    perWrite: 1,
    everyMs: limits.HOSTILE_HELD_EVERY_MS,
    frame: () => jsonFrame({ op: 'ping' }),
  },
} as const satisfies Record<string, HostileLoad>;

export type HostileName = keyof typeof HOSTILE_LOADS;
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
