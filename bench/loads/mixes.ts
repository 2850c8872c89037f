// The table of mixes: what is sent, in what kind of world, over how many connections by default.
import { BATCH_REQUESTS, OPERATIONS_PER_BATCH } from '../limits.js';
import { SeededDraws } from '../seeded-draws.js';
import type { GalaxydWorld, Pace } from '../servers/galaxyd-world.js';
import { getRequest, type LoadRequest, postRequest, TESTED } from '../servers/game-client.js';
import { spread, type WorldNames } from '../servers/world-set-up.js';
import type { LoadPlan } from './load.js';

export interface Mix {
  readonly title: string;
  readonly pace: Pace;
  readonly connections: number;
  /** Commands of one request. */
  readonly operations: number;
  readonly cancelsWhatItBegins: boolean;
  readonly isOnce: boolean;
  /** Whether the SQL peer offers everything in it. */
  readonly isOfferedBySqlPeer: boolean;
  requests(names: WorldNames, seed: number): LoadRequest[];
}

/** Agents whose states are read; the world may hold many more. */
const AGENTS_MAX = 4_000;
/** One request in this many is a command. */
const COMMAND_ONE_IN = 5;
/** Per cent of all reads; what is left over reads the catalogue. */
const STATE_SHARE = 70;
const PLANET_SHARE = 15;
const SYSTEM_SHARE = 13;
/** Enough for five rounds of a second. */
const CREATIONS = 250_000;
/** Those of a starter planet. */
const STARTER_BUILDINGS = ['iron_mine', 'silver_mine', 'fusion_plant', 'zentrale'];

/** What most mixes have in common. */
const PLAIN = {
  pace: 'calm',
  operations: 1,
  cancelsWhatItBegins: false,
  isOnce: false,
  isOfferedBySqlPeer: false,
} as const;

export const MIXES = {
  read: {
    ...PLAIN,
    title: 'GET state of players with 3 grown planets',
    connections: 64,
    isOfferedBySqlPeer: true,
    requests: ({ grownPlayerIds }) => grownPlayerIds.map((id) => getRequest(`/api/game/state/${id}`)),
  },
  system: {
    ...PLAIN,
    title: 'GET star system',
    connections: 64,
    requests: ({ systemPaths }) => systemPaths.map(getRequest),
  },
  upgrade: {
    ...PLAIN,
    title: 'POST upgrade, its timer firing under load',
    pace: 'hurried',
    connections: 256,
    isOfferedBySqlPeer: true,
    requests: ({ bots }) => STARTER_BUILDINGS.flatMap((type) => bots.map(({ planetId }) => upgrade(planetId, type))),
  },
  'upgrade-minimal': {
    ...PLAIN,
    title: 'POST upgrade, its timer firing under load, minimal replies',
    pace: 'hurried',
    connections: 256,
    requests: ({ bots }) =>
      STARTER_BUILDINGS.flatMap((type) => bots.map(({ planetId }) => minimal(upgrade(planetId, type)))),
  },
  'upgrade-cancel': {
    ...PLAIN,
    title: 'POST upgrade and cancel, alternating',
    connections: 256,
    cancelsWhatItBegins: true,
    isOfferedBySqlPeer: true,
    requests: ({ bots }) => bots.map(({ planetId }) => upgrade(planetId, 'iron_mine')),
  },
  batch: {
    ...PLAIN,
    title: `POST batch of ${OPERATIONS_PER_BATCH} commands, minimal replies`,
    connections: 16,
    operations: OPERATIONS_PER_BATCH,
    requests: ({ workedPlanetIds }) => batches(workedPlanetIds),
  },
  swarm: {
    ...PLAIN,
    title: 'a swarm: four reads to one command',
    connections: 256,
    requests: (names, seed) => swarmRequests(names, new SeededDraws(seed)),
  },
  create: {
    ...PLAIN,
    title: 'POST player, whose reply is a whole state',
    connections: 256,
    isOnce: true,
    requests: () =>
      Array.from({ length: CREATIONS }, (_, number) =>
        postRequest('/api/game/player', { name: `created-${number}`, isBot: true }),
      ),
  },
} as const satisfies Record<string, Mix>;

export type MixName = keyof typeof MIXES;
export const MIX_NAMES = Object.keys(MIXES) as MixName[];
/** Measured by default: what is accepted only once is soon used up. */
export const LASTING_MIXES = MIX_NAMES.filter((name) => !MIXES[name].isOnce);

/** A mix as it is sent to one world. @param connections the mix's own number by default */
export function loadOf(
  name: MixName,
  { server, names }: Pick<GalaxydWorld, 'server' | 'names'>,
  seed: number,
  connections: number = MIXES[name].connections,
): LoadPlan {
  const { requests, cancelsWhatItBegins, isOnce } = MIXES[name];
  const sent = { requests: requests(names, seed), cancelsWhatItBegins, isOnce };
  return { server: TESTED, url: server.url, connections, ...sent };
}

function upgrade(planetId: string, buildingType: string): LoadRequest {
  return postRequest('/api/building/upgrade', { planetId, buildingType });
}

function minimal(request: LoadRequest): LoadRequest {
  return { ...request, headers: { prefer: 'return=minimal' } };
}

/** Ship orders that are taken back in the same batch: commands that can be repeated for ever and need no reply. */
export function batches(planetIds: readonly string[], operationCount = OPERATIONS_PER_BATCH): LoadRequest[] {
  return Array.from({ length: BATCH_REQUESTS }, (_, batch) => {
    const operations = Array.from({ length: operationCount / 2 }, (_, pair) => {
      const planetId = planetIds[(batch * operationCount + pair) % planetIds.length] ?? '';
      return [
        { method: 'POST', path: '/api/shipyard/build', body: { planetId, shipType: 'scout', count: 1 } },
        { method: 'POST', path: '/api/shipyard/cancel', body: { planetId, shipType: 'scout' } },
      ];
    }).flat();
    return minimal(postRequest('/api/batch', { operations }));
  });
}

/**
 * What a swarm of agents sends: mostly reads of their own states, and now and then a command. The commands come in rounds that
 * undo each other, so that the load can go on for ever: as many requests as it takes to order ships on every worked planet and to cancel them all.
 */
function swarmRequests(names: WorldNames, draws: SeededDraws): LoadRequest[] {
  const { workedPlanetIds } = names;
  const commands = [
    ...workedPlanetIds.map((planetId) => postRequest('/api/shipyard/build', { planetId, shipType: 'scout', count: 2 })),
    ...workedPlanetIds.map((planetId) => postRequest('/api/shipyard/cancel', { planetId, shipType: 'scout' })),
  ];
  const agents = spread(names.bots, AGENTS_MAX);
  return commands.flatMap((command) => {
    const reads = Array.from({ length: COMMAND_ONE_IN - 1 }, () => drawRead({ ...names, bots: agents }, draws));
    return [...reads, command];
  });
}

function drawRead({ bots, systemPaths }: WorldNames, draws: SeededDraws): LoadRequest {
  const bot = bots[draws.below(bots.length)];
  if (bot === undefined) throw new Error('a swarm needs bots');
  const choice = draws.below(100);
  if (choice < STATE_SHARE) return getRequest(`/api/game/state/${bot.playerId}`);
  if (choice < STATE_SHARE + PLANET_SHARE) return getRequest(`/api/game/planet/${bot.planetId}`);
  const systemPath = systemPaths[draws.below(systemPaths.length)];
  if (choice < STATE_SHARE + PLANET_SHARE + SYSTEM_SHARE && systemPath !== undefined) return getRequest(systemPath);
  return getRequest('/api/catalog');
}
