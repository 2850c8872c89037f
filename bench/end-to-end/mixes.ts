// The table of mixes: what is sent, in what kind of world, over how many connections by default.
import { BATCH_REQUESTS, OPERATIONS_PER_BATCH } from '../limits.js';
import type { Pace } from '../servers/galaxyd-world.js';
import { getRequest, type LoadRequest, postRequest } from '../servers/load-request.js';
import type { WorldNames } from '../servers/world-set-up.js';
import { SeededDraws } from '../worlds/seeded-draws.js';
import { swarmRequests } from './swarm-requests.js';

export interface Mix {
  readonly title: string;
  readonly pace: Pace;
  readonly connections: number;
  /** Commands of one request. */
  readonly operations: number;
  readonly cancelsWhatItBegins: boolean;
  /** Whether the SQL peer offers everything in it. */
  readonly isOfferedByPeer: boolean;
  requests(names: WorldNames, seed: number): LoadRequest[];
}

const READ = { pace: 'calm', operations: 1, cancelsWhatItBegins: false } as const;
/** Those of a starter planet. */
const STARTER_BUILDINGS = ['iron_mine', 'silver_mine', 'fusion_plant', 'zentrale'];

export const MIXES = {
  read: {
    ...READ,
    title: 'GET state of players with 3 grown planets',
    connections: 64,
    isOfferedByPeer: true,
    requests: ({ grownPlayerIds }) => grownPlayerIds.map((id) => getRequest(`/api/game/state/${id}`)),
  },
  system: {
    ...READ,
    title: 'GET star system',
    connections: 64,
    isOfferedByPeer: false,
    requests: ({ systemPaths }) => systemPaths.map(getRequest),
  },
  upgrade: {
    title: 'POST upgrade, its timer firing under load',
    pace: 'hurried',
    connections: 256,
    operations: 1,
    cancelsWhatItBegins: false,
    isOfferedByPeer: true,
    requests: ({ bots }) => STARTER_BUILDINGS.flatMap((type) => bots.map(({ planetId }) => upgrade(planetId, type))),
  },
  'upgrade-cancel': {
    title: 'POST upgrade and cancel by turns',
    pace: 'calm',
    connections: 256,
    operations: 1,
    cancelsWhatItBegins: true,
    isOfferedByPeer: true,
    requests: ({ bots }) => bots.map(({ planetId }) => upgrade(planetId, 'iron_mine')),
  },
  batch: {
    title: `POST batch of ${OPERATIONS_PER_BATCH} commands, minimal replies`,
    pace: 'calm',
    connections: 16,
    operations: OPERATIONS_PER_BATCH,
    cancelsWhatItBegins: false,
    isOfferedByPeer: false,
    requests: ({ workedPlanetIds }) => batches(workedPlanetIds),
  },
  swarm: {
    title: 'a swarm: four reads to one command',
    pace: 'calm',
    connections: 256,
    operations: 1,
    cancelsWhatItBegins: false,
    isOfferedByPeer: false,
    requests: (names, seed) => swarmRequests(names, new SeededDraws(seed)),
  },
} as const satisfies Record<string, Mix>;

export type MixName = keyof typeof MIXES;
export const MIX_NAMES = Object.keys(MIXES) as MixName[];

function upgrade(planetId: string, buildingType: string): LoadRequest {
  return postRequest('/api/building/upgrade', { planetId, buildingType });
}

/** Ship orders that are taken back in the same batch: commands that can be repeated for ever and need no reply. */
function batches(planetIds: readonly string[]): LoadRequest[] {
  return Array.from({ length: BATCH_REQUESTS }, (_, batch) => {
    const operations = Array.from({ length: OPERATIONS_PER_BATCH / 2 }, (_, pair) => {
      const planetId = planetIds[(batch * OPERATIONS_PER_BATCH + pair) % planetIds.length] ?? '';
      return [
        { method: 'POST', path: '/api/shipyard/build', body: { planetId, shipType: 'scout', count: 1 } },
        { method: 'POST', path: '/api/shipyard/cancel', body: { planetId, shipType: 'scout' } },
      ];
    }).flat();
    return { ...postRequest('/api/batch', { operations }), headers: { prefer: 'return=minimal' } };
  });
}
