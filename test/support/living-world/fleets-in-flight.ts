// A world with thousands of fleets in flight: scouts that cross their galaxy with the slowest drive, so that they stay there for hours.
import { forEachAtOnce, GameClient } from '../../../bench/servers/game-client.js';
import { Draws } from '../process/draws.js';
import { launchOf, type Operation } from './choices.js';

export interface FleetsInFlightOptions {
  /** URL of a server without keys, with a manual clock and an admin key. */
  readonly url: string;
  readonly adminKey: string;
  readonly fleets: number;
  readonly seed?: number;
}

/** A player may have 200. */
const FLEETS_PER_PLAYER = 100;
const OPERATIONS_PER_BATCH = 1_000;
const PLENTY = { iron: 1e7, silver: 1e7, h2: 1e7, energy: 1e7 };
/** Longer than a shipyard or an order of scouts takes. */
const HOUR_SECONDS = 3_600;

interface Bot {
  readonly id: string;
  readonly planetId: string;
}

/** Creates players and launches their fleets. It ends when the first of them are on their way for some minutes. */
export async function launchFleets({ url, adminKey, fleets, seed = 1 }: FleetsInFlightOptions): Promise<void> {
  const client = new GameClient(url, adminKey);
  const count = Math.ceil(fleets / FLEETS_PER_PLAYER);
  const bulk = await client.post<{ players: Bot[] }>('/api/admin/players', { count, namePrefix: 'scouting' });
  const bots = bulk.players;
  await forEachAtOnce(bots, ({ planetId }) => client.post(`/api/admin/planet/${planetId}/grant`, PLENTY));
  await perform(client, '/api/building/construct', bots, ({ planetId }) => ({ planetId, buildingType: 'shipyard' }));
  const order = { shipType: 'scout', count: FLEETS_PER_PLAYER };
  await perform(client, '/api/shipyard/build', bots, ({ planetId }) => ({ planetId, ...order }));
  const draws = new Draws(seed);
  const launches = Array.from({ length: fleets }, (_, index) => {
    const bot = bots[index % count] as Bot;
    const others = bots.filter(({ id }) => id !== bot.id);
    const target = draws.pick(others).planetId;
    return launchOf(bot.id, bot.planetId, { mission: 'espionage', target, ships: { scout: 1 } });
  });
  for (let first = 0; first < fleets; first += OPERATIONS_PER_BATCH) {
    await send(client, launches.slice(first, first + OPERATIONS_PER_BATCH));
  }
}

/** The same for every bot, and then the time that it takes. */
async function perform(
  client: GameClient,
  path: string,
  bots: readonly Bot[],
  bodyOf: (bot: Bot) => object,
): Promise<void> {
  await send(
    client,
    bots.map((bot) => ({ method: 'POST', path, body: bodyOf(bot) })),
  );
  await client.post('/api/admin/clock/advance', { seconds: HOUR_SECONDS });
}

/** @throws Error if an operation is refused */
async function send(client: GameClient, operations: readonly Operation[]): Promise<void> {
  const { results } = await client.post<{ results: { status: number; body: unknown }[] }>('/api/batch', { operations });
  const refused = results.find(({ status }) => status >= 400);
  if (refused !== undefined) throw new Error(`an operation was refused: ${JSON.stringify(refused.body)}`);
}
