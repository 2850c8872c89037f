// The world that hostile loads are sent to: some bots, grown players, and one player with very many planets. It is set up
// once; each load gets a fresh server on a copy of it, so that no load measures what another one left behind.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { HOSTILE_WORLD_PLAYERS, INNOCENT_PLANETS, SETTLED_PLANETS } from '../limits.js';
import type { ChildServer } from '../processes/child-server.js';
import { serveAgain, startGalaxydWorld, type WorldOptions } from '../servers/galaxyd-world.js';
import { forEachAtOnce, type GameClient } from '../servers/game-client.js';

/** Which server carries the requests: `--transport` of `galaxyd serve`. */
export type Transport = 'native' | 'javascript';

export interface HostileNames {
  /** A player with three grown planets. */
  readonly playerId: string;
  /** A player with SETTLED_PLANETS planets. */
  readonly settlerId: string;
  /** Planets of bots, two at least. */
  readonly planetIds: readonly [string, string, ...string[]];
}

export interface HostileWorld {
  readonly names: HostileNames;
  /** `native` or `javascript`, as the server itself reports it. */
  readonly transport: string;
  /** Serves a copy of the world in a folder of its own. */
  serveCopy(folder: string): Promise<ChildServer>;
}

/** @param folder where the original goes */
export async function setUpHostileWorld(
  folder: string,
  durability: WorldOptions['durability'],
  transport: Transport | undefined,
): Promise<HostileWorld> {
  const size = { players: HOSTILE_WORLD_PLAYERS, workedPlanets: 0, grownPlayers: 1 };
  const flags = transport === undefined ? [] : ['--transport', transport];
  const options: WorldOptions = { size, pace: 'calm', durability, folder, flags };
  const { server, client, names } = await startGalaxydWorld(options);
  try {
    const settlerId = await createSettler(client);
    const [first, second, ...others] = names.bots.slice(0, INNOCENT_PLANETS).map(({ planetId }) => planetId);
    const [playerId] = names.grownPlayerIds;
    if (first === undefined || second === undefined || playerId === undefined)
      throw new Error('the world is too small');
    const { http } = await client.get<{ http: string }>('/api/status');
    return {
      names: { playerId, settlerId, planetIds: [first, second, ...others] },
      transport: http,
      serveCopy: async (copy) => {
        await cp(join(folder, 'world'), join(copy, 'world'), { recursive: true });
        return serveAgain({ ...options, folder: copy });
      },
    };
  } finally {
    await server.stop();
  }
}

interface Planet {
  readonly id: string;
  readonly owner: unknown;
}

async function createSettler(client: GameClient): Promise<string> {
  const { id } = await client.post<{ id: string }>('/api/game/player', { name: 'settler', isBot: true });
  const second = await client.post<{ system: { galaxyIndex: number } }>(`/api/game/planet/starter/${id}`, {});
  const free: Planet[] = [];
  for (let index = 0; free.length < SETTLED_PLANETS - 2; index += 1) {
    const path = `/api/game/galaxy/${second.system.galaxyIndex}/system/${index}`;
    const { planets } = await client.get<{ planets: Planet[] }>(path);
    free.push(...planets.filter(({ owner }) => owner === null));
  }
  await forEachAtOnce(free.slice(0, SETTLED_PLANETS - 2), (planet) =>
    client.post(`/api/game/planet/${planet.id}/colonize`, { playerId: id }),
  );
  return id;
}
