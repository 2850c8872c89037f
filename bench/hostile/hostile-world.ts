// The world that hostile loads are sent to: some bots, grown players, and one player with very many planets. It is set up
// once; each load gets a fresh server on a copy of it, so that no load measures what another one left behind.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { HOSTILE_WORLD_PLAYERS, INNOCENT_PLANETS, SETTLED_PLANETS } from '../limits.js';
import type { ChildServer } from '../processes/child-server.js';
import { serveAgain, startGalaxydWorld, type WorldOptions } from '../servers/galaxyd-world.js';
import { createSettler } from '../servers/world-set-up.js';

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

/** @param folder of the original */
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
    const settler = await createSettler(client, 'settler', SETTLED_PLANETS);
    const [first, second, ...others] = names.bots.slice(0, INNOCENT_PLANETS).map(({ planetId }) => planetId);
    const [playerId] = names.grownPlayerIds;
    if (first === undefined || second === undefined || playerId === undefined)
      throw new Error('the world is too small');
    const { http } = await client.get<{ http: string }>('/api/status');
    return {
      names: { playerId, settlerId: settler.id, planetIds: [first, second, ...others] },
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
