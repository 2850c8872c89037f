// A world in which no command can succeed, whatever it names: every planet has an owner, every starter planet is being
// upgraded, every player does research, colonies own nothing, and the clock stands still. Requests can therefore name
// what exists and pass every check but the last, and still nothing may change.
import type { Static } from 'typebox';
import { GALAXY_COUNT } from '../../engine/rules/limits.js';
import { BATCH_OPERATIONS_MAX } from '../../http/limits.js';
import type { SystemViewBody } from '../../http/schemas/planet.js';
import type { CreatedPlayer } from '../../http/schemas/player.js';
import type { BulkPlayersBody } from '../../http/schemas/world.js';
import { Client } from '../support/process/client.js';
import { ADMIN_KEY } from '../support/process/operator.js';
import type { AuthKind } from './transports.js';

/** Flags that `freeze` needs: the smallest universe, so that it can be filled, and a clock that stands still. */
export const FROZEN_WORLD_FLAGS: readonly string[] = ['--systems-per-galaxy', '1', '--seed', '1', '--clock', 'manual'];

export interface FrozenPlayer {
  readonly id: string;
  readonly starterId: string;
  /** '' with --auth none. */
  readonly apiKey: string;
}

export interface FrozenWorld {
  readonly players: readonly FrozenPlayer[];
  /** Colonies of the first players. */
  readonly colonyIds: readonly string[];
  /** A request of the first player that was accepted with an Idempotency-Key, to be sent again. */
  readonly kept: { readonly key: string; readonly path: string; readonly body: string };
}

/** The first COLONISTS own every colony, up to 200 each; the others own only their starter planet. */
const PLAYERS = 24;
const COLONISTS = 16;
const KEPT_KEY = 'torture-kept-reply-1';
const UPGRADE_PATH = '/api/building/upgrade';

type CreatedPlayerBody = Static<typeof CreatedPlayer>;

interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** Fills and freezes a new world, started with FROZEN_WORLD_FLAGS. @throws Error if it does not become frozen */
export async function freeze(url: string, auth: AuthKind): Promise<FrozenWorld> {
  const operator = new Client(url, ADMIN_KEY);
  try {
    const players = await createPlayers(operator);
    const colonyIds = await colonizeAll(operator, players);
    for (const [index, player] of players.entries()) {
      const own = new Client(url, player.apiKey);
      await busy(own, player, index === 0);
      own.close();
    }
    const { status } = await operator.post('/api/game/player', { name: 'newcomer', isBot: true });
    if (status !== 409) throw new Error(`a newcomer is answered with ${status} in a ${auth} world that should be full`);
    const [first] = players;
    if (first === undefined) throw new Error('the world has no players');
    return { players, colonyIds, kept: { key: KEPT_KEY, path: UPGRADE_PATH, body: upgradeBody(first) } };
  } finally {
    operator.close();
  }
}

/** Bots, and the one human, so that no request can create it. */
async function createPlayers(operator: Client): Promise<FrozenPlayer[]> {
  const bots = await operator.post<BulkPlayersBody>('/api/admin/players', { count: PLAYERS, namePrefix: 'bot' });
  const human = await operator.post<CreatedPlayerBody>('/api/game/player', { name: 'Ada' });
  if (human.status !== 201 || bots.status !== 201) throw new Error(`creation: ${human.status}, ${bots.status}`);
  const { id, planets, apiKey = '' } = human.body;
  return [
    ...bots.body.players.map(({ id, planetId, apiKey = '' }) => ({ id, starterId: planetId, apiKey })),
    { id, starterId: planets[0]?.id ?? '', apiKey },
  ];
}

/** Gives every planet without an owner to one of the first players. */
async function colonizeAll(operator: Client, players: readonly FrozenPlayer[]): Promise<string[]> {
  const systems = await runBatch<SystemViewBody>(
    operator,
    Array.from({ length: GALAXY_COUNT }, (_, index) => ({
      method: 'GET',
      path: `/api/game/galaxy/${index + 1}/system/0`,
    })),
  );
  const planets = systems.flatMap(({ planets }) => planets);
  const colonyIds = planets.filter(({ owner }) => owner === null).map(({ id }) => id);
  const colonize = colonyIds.map((planetId, index): Operation => {
    const body = { playerId: players[index % COLONISTS]?.id };
    return { method: 'POST', path: `/api/game/planet/${planetId}/colonize`, body };
  });
  await runBatch(operator, colonize);
  return colonyIds;
}

/** Starts the player's one upgrade and its one research. */
async function busy(own: Client, player: FrozenPlayer, isKept: boolean): Promise<void> {
  const upgrade = await own.post(UPGRADE_PATH, JSON.parse(upgradeBody(player)), isKept ? KEPT_KEY : '');
  const research = await own.post('/api/research/start', { playerId: player.id, researchType: 'drive_ion' });
  if (upgrade.status !== 200 || research.status !== 200) throw new Error(`busy: ${upgrade.status}, ${research.status}`);
}

function upgradeBody({ starterId }: FrozenPlayer): string {
  return JSON.stringify({ planetId: starterId, buildingType: 'iron_mine' });
}

/** @returns the bodies of the results. @throws Error unless each operation succeeded */
async function runBatch<T>(client: Client, operations: readonly Operation[]): Promise<T[]> {
  const bodies: T[] = [];
  for (let start = 0; start < operations.length; start += BATCH_OPERATIONS_MAX) {
    const part = operations.slice(start, start + BATCH_OPERATIONS_MAX);
    const { status, body } = await client.post<{ results: { status: number; body: T }[] }>('/api/batch', {
      operations: part,
    });
    if (status !== 200) throw new Error(`a batch is answered with ${status}`);
    const refused = body.results.find(({ status }) => status >= 300);
    if (refused !== undefined) throw new Error(`an operation is refused: ${JSON.stringify(refused)}`);
    bodies.push(...body.results.map(({ body }) => body));
  }
  return bodies;
}
