// Fills a world over its public API: many bots, planets with a shipyard that write mixes work on, and players whose three
// planets have grown. The clock is a manual one, so that years of growing take seconds.
import { GROWN_LEVEL, PLAYERS_PER_REQUEST } from '../limits.js';
import { forEachAtOnce, type GameClient } from './game-client.js';

export interface WorldSize {
  readonly players: number;
  /** Planets that get a shipyard and plenty of everything; at most one of each bot. */
  readonly workedPlanets: number;
  readonly grownPlayers: number;
  /** Transports of each worked planet; none by default. */
  readonly transports?: number;
}

/** What was set up, in the server's own names. */
export interface WorldNames {
  readonly bots: readonly BotName[];
  readonly workedPlanetIds: readonly string[];
  readonly grownPlayerIds: readonly string[];
  /** Paths of star systems in which bots live. */
  readonly systemPaths: readonly string[];
}

export interface BotName {
  readonly playerId: string;
  readonly planetId: string;
}

interface Building {
  readonly type: string;
  readonly level: number;
}

const GRANT = { iron: 1e12, silver: 1e12, ember: 1e12, h2: 1e12, energy: 1e12 };
const GROWN_PLANETS = 3;
const SHIP_TYPES = ['scout', 'fighter', 'transport'];
const SHIPS_OF_EACH_TYPE = 10;
/** Longer than anything takes that is begun here. */
const DAY_SECONDS = 86_400;
/** Bots whose names are kept: enough that no cache holds them all. */
const BOTS_NAMED_MAX = 40_000;
const SYSTEMS_NAMED_MAX = 256;

export async function setUpWorld(client: GameClient, size: WorldSize): Promise<WorldNames> {
  const bots = await createBots(client, size.players);
  const workedPlanetIds = bots.slice(0, size.workedPlanets).map(({ planetId }) => planetId);
  await equip(client, workedPlanetIds, size.transports ?? 0);
  const grownPlayerIds = await growPlayers(client, size.grownPlayers);
  const systemPaths = await forEachAtOnce(spread(bots, SYSTEMS_NAMED_MAX), async ({ planetId }) => {
    const { system } = await client.get<{ system: System }>(`/api/game/planet/${planetId}`);
    return pathOf(system);
  });
  return { bots, workedPlanetIds, grownPlayerIds, systemPaths: [...new Set(systemPaths)] };
}

/** At most `countMax` of a list, evenly spread over it. */
export function spread<T>(items: readonly T[], countMax: number): T[] {
  const step = Math.max(1, items.length / countMax);
  const count = Math.min(items.length, countMax);
  return Array.from({ length: count }, (_, index) => items[Math.floor(index * step)] as T);
}

async function createBots(client: GameClient, playerCount: number): Promise<BotName[]> {
  const bots: BotName[] = [];
  for (let first = 0; first < playerCount; first += PLAYERS_PER_REQUEST) {
    const count = Math.min(PLAYERS_PER_REQUEST, playerCount - first);
    const request = { count, namePrefix: `bench-${first}` };
    const { players } = await client.post<{ players: { id: string; planetId: string }[] }>(
      '/api/admin/players',
      request,
    );
    const named = spread(players, Math.ceil((BOTS_NAMED_MAX * count) / playerCount));
    for (const { id, planetId } of named) bots.push({ playerId: id, planetId });
  }
  return bots;
}

async function equip(client: GameClient, planetIds: readonly string[], transports: number): Promise<void> {
  await forEachAtOnce(planetIds, async (planetId) => {
    await client.post(`/api/admin/planet/${planetId}/grant`, GRANT);
    await client.post('/api/building/construct', { planetId, buildingType: 'shipyard' });
  });
  await passDay(client);
  if (transports === 0) return;
  const order = { shipType: 'transport', count: transports };
  await forEachAtOnce(planetIds, (planetId) => client.post('/api/shipyard/build', { planetId, ...order }));
  await passDay(client);
}

/** @returns their ids */
async function growPlayers(client: GameClient, count: number): Promise<string[]> {
  if (count === 0) return [];
  const players: { id: string; planetIds: string[] }[] = [];
  // One after the other: two at once could choose the same free planet.
  for (let number = 1; number <= count; number += 1) {
    players.push(await createSettler(client, `grown-${number}`, GROWN_PLANETS));
  }
  const planetIds = players.flatMap((player) => player.planetIds);
  await forEachAtOnce(planetIds, (planetId) => client.post(`/api/admin/planet/${planetId}/grant`, GRANT));
  const planets = await forEachAtOnce(planetIds, async (planetId) => {
    const { buildings } = await client.get<{ buildings: Building[] }>(`/api/game/planet/${planetId}`);
    return { planetId, levels: new Map(buildings.map(({ type, level }) => [type, level])) };
  });
  const { buildings } = await client.get<{ buildings: Pick<Building, 'type'>[] }>('/api/catalog');
  for (const { type: buildingType } of buildings) {
    for (let level = 1; level <= GROWN_LEVEL; level += 1) {
      const lower = planets.filter(({ levels }) => (levels.get(buildingType) ?? 0) < level);
      if (lower.length === 0) continue;
      const orders = lower.map(({ planetId }) => ({ planetId, buildingType }));
      await client.postAll(`/api/building/${level === 1 ? 'construct' : 'upgrade'}`, orders);
      await passDay(client);
    }
  }
  for (const shipType of SHIP_TYPES) {
    const orders = planetIds.map((planetId) => ({ planetId, shipType, count: SHIPS_OF_EACH_TYPE }));
    await client.postAll('/api/shipyard/build', orders);
    await passDay(client);
  }
  return players.map(({ id }) => id);
}

/** A player with two starter planets and colonies from its second starter's system on. */
export async function createSettler(
  client: GameClient,
  name: string,
  planetCount: number,
): Promise<{ id: string; planetIds: string[] }> {
  const { id, planets } = await client.post<{ id: string; planets: { id: string }[] }>('/api/game/player', {
    name,
    isBot: true,
  });
  const second = await client.post<{ id: string; system: System }>(`/api/game/planet/starter/${id}`, {});
  const free: string[] = [];
  for (let { galaxyIndex, index } = second.system; free.length < planetCount - 2; index += 1) {
    const system = await client.get<{ planets: { id: string; owner: unknown }[] }>(pathOf({ galaxyIndex, index }));
    free.push(...system.planets.filter(({ owner }) => owner === null).map((planet) => planet.id));
  }
  const colonies = free.slice(0, planetCount - 2);
  await forEachAtOnce(colonies, (planetId) => client.post(`/api/game/planet/${planetId}/colonize`, { playerId: id }));
  return { id, planetIds: [...planets.map((planet) => planet.id), second.id, ...colonies] };
}

interface System {
  readonly galaxyIndex: number;
  readonly index: number;
}

function pathOf({ galaxyIndex, index }: System): string {
  return `/api/game/galaxy/${galaxyIndex}/system/${index}`;
}

/** Moves the manual clock on, past everything that was begun. */
async function passDay(client: GameClient): Promise<void> {
  await client.post('/api/admin/clock/advance', { seconds: DAY_SECONDS });
}
