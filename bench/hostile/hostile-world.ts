// The world that hostile loads are sent to: some bots, grown players, one player with very many planets, and their keys. It
// is set up once; each load gets a fresh server on a copy of it, so that no load measures what another one left behind.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { HOSTILE_WORLD_PLAYERS, INNOCENT_PLANETS, SETTLED_PLANETS } from '../limits.js';
import type { ChildServer } from '../processes/child-server.js';
import { ADMIN_KEY, serveAgain, startGalaxydWorld, type WorldOptions } from '../servers/galaxyd-world.js';
import { GameClient } from '../servers/game-client.js';
import { PlayerKeys } from '../servers/player-keys.js';
import { type BotName, createSettler } from '../servers/world-set-up.js';

/** Which server carries the requests: `--transport` of `galaxyd serve`. */
export type Transport = 'native' | 'javascript';

export interface HostileNames {
  /** A player with three grown planets, whose key hostile clients have. */
  readonly playerId: string;
  /** Two of its planets. */
  readonly planetIds: readonly [string, string];
  /** A player with SETTLED_PLANETS planets, whose key hostile clients have. */
  readonly settlerId: string;
}

/** Whom the innocent client plays. */
export interface InnocentNames {
  /** A player with three grown planets. */
  readonly playerId: string;
  /** Bots, each with a planet. */
  readonly bots: readonly BotName[];
}

/** Whether requests are limited, by the server's own numbers. */
export type Limits = 'off' | 'on';

export interface HostileWorld {
  readonly names: HostileNames;
  readonly innocent: InnocentNames;
  readonly keys: PlayerKeys;
  /** `native` or `javascript`, as the server itself reports it. */
  readonly transport: string;
  /** Serves a copy of the world in a folder of its own. */
  serveCopy(folder: string, limits: Limits): Promise<ChildServer>;
}

/** @param folder of the original */
export async function setUpHostileWorld(
  folder: string,
  durability: WorldOptions['durability'],
  transport: Transport | undefined,
): Promise<HostileWorld> {
  const size = { players: HOSTILE_WORLD_PLAYERS, workedPlanets: 0, grownPlayers: 2 };
  const flags = transport === undefined ? [] : ['--transport', transport];
  const options: WorldOptions = { size, pace: 'calm', durability, folder, flags };
  const { server, client, names } = await startGalaxydWorld(options);
  let settlerId: string;
  let transportOfServer: string;
  try {
    settlerId = (await createSettler(client, 'settler', SETTLED_PLANETS)).id;
    transportOfServer = (await client.get<{ http: string }>('/api/status')).http;
  } finally {
    await server.stop();
  }
  const [hostileId, innocentId] = names.grownPlayerIds;
  if (hostileId === undefined || innocentId === undefined) throw new Error('the world is too small');
  const bots = names.bots.slice(0, INNOCENT_PLANETS);
  const keyed = { ...options, flags: [...flags, '--auth', 'key'] };
  const { keys, planetIds } = await issueKeys(keyed, [hostileId, innocentId, settlerId], bots);
  return {
    names: { playerId: hostileId, planetIds, settlerId },
    innocent: { playerId: innocentId, bots },
    keys,
    transport: transportOfServer,
    serveCopy: async (copy, limits) => {
      await cp(join(folder, 'world'), join(copy, 'world'), { recursive: true });
      // Registrations are limited by default; here nothing but the rate of requests is.
      const limited = ['--rate-limits', limits, '--registrations-per-minute', '0'];
      return serveAgain({ ...keyed, folder: copy, flags: [...keyed.flags, ...limited] });
    },
  };
}

/** Also finds two planets of the first player. */
async function issueKeys(
  options: WorldOptions,
  playerIds: readonly [string, ...string[]],
  bots: readonly BotName[],
): Promise<{ readonly keys: PlayerKeys; readonly planetIds: readonly [string, string] }> {
  const server = await serveAgain({ ...options, durability: 'relaxed' });
  try {
    const keys = await PlayerKeys.issue(new GameClient(server.url, ADMIN_KEY), playerIds, bots);
    const [first] = playerIds;
    const reply = await fetch(`${server.url}/api/game/state/${first}`, { headers: keys.headersOf(first) });
    const { planets } = (await reply.json()) as { planets: readonly { id: string }[] };
    const [one, other] = planets.map(({ id }) => id);
    if (one === undefined || other === undefined) throw new Error(`${first} has too few planets`);
    return { keys, planetIds: [one, other] };
  } finally {
    await server.stop();
  }
}
