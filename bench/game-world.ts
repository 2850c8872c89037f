// A world to measure on: a galaxyd process of its own with bots whose planets have grown, and the requests that are
// sent to it. Everything is done over its public API.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BareReply } from './bare-server.js';
import { type ChildServer, startServer } from './child-server.js';
import { PLAYERS_PER_REQUEST, WORLD_SPEED } from './limits.js';
import type { LoadRequest } from './wrk.js';

const ADMIN_KEY = 'bench-on-loopback';
const PROGRAM = new URL('../cli/main.js', import.meta.url);
const GRANT = { iron: 1e10, silver: 1e10, ember: 1e10, h2: 1e10, energy: 1e10 };
/** Every building of a grown planet is taken to this level. */
const GROWN_LEVEL = 5;
const BUILDING_TYPES = [
  'zentrale',
  'iron_mine',
  'silver_mine',
  'ember_extractor',
  'h2_extractor',
  'fusion_plant',
  'shipyard',
  'anti_spy',
  'planetary_shield',
];
/** Headers that the bare server sends by itself. */
const SENT_BY_THE_SERVER = new Set(['content-length', 'date', 'uwebsockets', 'connection', 'keep-alive']);

export interface GameWorld {
  readonly server: ChildServer;
  /** A player with three grown planets. */
  readonly grownPlayerId: string;
  /** One starter planet of each bot. */
  readonly planetIds: readonly string[];
  stop(): Promise<void>;
}

export async function startGameWorld(playerCount: number, durability: string): Promise<GameWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'galaxyd-bench-'));
  const server = await startServer(PROGRAM, [
    'serve',
    ...['--port', '0', '--data', folder, '--admin-key', ADMIN_KEY, '--durability', durability],
    ...['--speed', String(WORLD_SPEED), '--systems-per-galaxy', '2000'],
  ]);
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  try {
    const planetIds = await createBots(server.url, playerCount);
    const grownPlayerId = await growPlayer(server.url);
    return { server, grownPlayerId, planetIds, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Upgrades of one building after the other, each on the next planet. */
export function upgradeRequests(planetIds: readonly string[]): LoadRequest[] {
  const types = ['iron_mine', 'silver_mine', 'fusion_plant', 'zentrale'];
  return types.flatMap((buildingType) =>
    planetIds.map((planetId) => ({
      method: 'POST' as const,
      path: '/api/building/upgrade',
      body: JSON.stringify({ planetId, buildingType }),
    })),
  );
}

/** What a bare server has to answer to send the same bytes as this one. */
export async function replyOf(url: string, request: LoadRequest): Promise<BareReply> {
  const response = await send(url, request);
  const headers = [...response.headers].filter(([name]) => !SENT_BY_THE_SERVER.has(name));
  return { headers, body: await response.text() };
}

async function createBots(url: string, playerCount: number): Promise<string[]> {
  const planetIds: string[] = [];
  for (let first = 0; first < playerCount; first += PLAYERS_PER_REQUEST) {
    const count = Math.min(PLAYERS_PER_REQUEST, playerCount - first);
    const { players } = await post<{ players: { planetId: string }[] }>(url, '/api/admin/players', {
      count,
      namePrefix: `bench-${first}`,
    });
    for (const { planetId } of players) planetIds.push(planetId);
  }
  return planetIds;
}

async function growPlayer(url: string): Promise<string> {
  const player = await post<{ id: string; planets: { id: string }[] }>(url, '/api/game/player', {
    name: 'grown',
    isBot: true,
  });
  const second = await post<{ id: string }>(url, `/api/game/planet/starter/${player.id}`, undefined);
  const third = await freePlanetBeside(url, second.id);
  await post(url, `/api/game/planet/${third}/colonize`, { playerId: player.id });
  for (const planetId of [player.planets[0]?.id ?? '', second.id, third]) await growPlanet(url, planetId);
  return player.id;
}

async function growPlanet(url: string, planetId: string): Promise<void> {
  await post(url, `/api/admin/planet/${planetId}/grant`, GRANT);
  for (const buildingType of BUILDING_TYPES) {
    const planet = await (await send(url, { method: 'GET', path: `/api/game/planet/${planetId}` })).json();
    const level = (planet as { buildings: { type: string; level: number }[] }).buildings.find(
      (building) => building.type === buildingType,
    )?.level;
    for (let next = (level ?? 0) + 1; next <= GROWN_LEVEL; next += 1) {
      const verb = next === 1 ? 'construct' : 'upgrade';
      await post(url, `/api/building/${verb}`, { planetId, buildingType });
      await pause();
    }
  }
  for (const shipType of ['scout', 'fighter', 'transport']) {
    await post(url, '/api/shipyard/build', { planetId, shipType, count: 10 });
    await pause();
  }
}

/** At the bench's speed whatever was started is over after this. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
}

async function freePlanetBeside(url: string, planetId: string): Promise<string> {
  const planet = await (await send(url, { method: 'GET', path: `/api/game/planet/${planetId}` })).json();
  const { galaxyIndex, index } = (planet as { system: { galaxyIndex: number; index: number } }).system;
  const view = await (
    await send(url, { method: 'GET', path: `/api/game/galaxy/${galaxyIndex}/system/${index}` })
  ).json();
  const free = (view as { planets: { id: string; owner: unknown }[] }).planets.find(({ owner }) => owner === null);
  if (free === undefined) throw new Error('the system of the grown player has no free planet');
  return free.id;
}

async function post<T>(url: string, path: string, body: unknown): Promise<T> {
  const response = await send(
    url,
    body === undefined ? { method: 'POST', path } : { method: 'POST', path, body: JSON.stringify(body) },
  );
  return (await response.json()) as T;
}

async function send(url: string, { method, path, body }: LoadRequest): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${ADMIN_KEY}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}
