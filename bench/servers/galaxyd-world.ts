// The server under test with a world of a chosen size: set up once with a manual clock, which is then moved to the present, and
// served with the real one. Years go by in between, so that no player is short of anything.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BOTS_PER_GROWN_PLAYER, GROWN_PLAYERS, WORKED_PLANETS_MAX } from '../limits.js';
import { type ChildServer, startServer } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { forEachAtOnce, GameClient, type LoadRequest, planetAskedFor } from './game-client.js';
import { type BotName, setUpWorld, type WorldNames, type WorldSize } from './world-set-up.js';

/**
 * `calm`: speed 1, nothing ends while it is measured. `hurried`: so fast that an upgrade is over before its planet's turn
 * comes again, so that each upgrade is a new, accepted one and its timer fires under load.
 */
export type Pace = 'calm' | 'hurried';

const SPEEDS: Readonly<Record<Pace, number>> = { calm: 1, hurried: 1_000_000 };
export const ADMIN_KEY = 'bench-on-loopback';
/** The largest world fits: a galaxy gives a quarter of its planets to newcomers before the next one is begun. */
const SYSTEMS_PER_GALAXY = 2_000;
/** Named, so that the figures of revisions with other defaults can be compared. */
const RULES = 'standard-1';

export interface WorldOptions {
  readonly size: WorldSize;
  readonly pace: Pace;
  readonly durability: 'durable' | 'relaxed';
  /** Where its data goes. */
  readonly folder: string;
  /** URL of its store; a folder in `folder` by default. */
  readonly store?: string | undefined;
  /** dist/cli/main.js of the checkout to measure; this one's by default. */
  readonly program?: URL;
  /** Further flags of `galaxyd serve`. */
  readonly flags?: readonly string[];
}

export interface GalaxydWorld {
  readonly options: WorldOptions;
  readonly server: ChildServer;
  readonly client: GameClient;
  readonly names: WorldNames;
}

const PROGRAM = new URL('../../cli/main.js', import.meta.url);

/** The usual parts of a world with a number of bots. */
export function sizeOfWorld(players: number): WorldSize {
  const grownPlayers = Math.min(Math.ceil(players / BOTS_PER_GROWN_PLAYER), GROWN_PLAYERS);
  return { players, workedPlanets: Math.min(players, WORKED_PLANETS_MAX), grownPlayers };
}

/** Sets up and serves a world in a temporary folder, for as long as the work takes. */
export function inGalaxydWorld<T>(
  options: Omit<WorldOptions, 'folder'>,
  say: (text: string) => void,
  work: (world: GalaxydWorld) => Promise<T>,
): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    say(`setting up a world of ${options.size.players} bots`);
    const world = await startGalaxydWorld({ ...options, folder });
    try {
      return await work(world);
    } finally {
      await world.server.stop();
    }
  });
}

/** A world that is set up once, and whose copies are served: what one load leaves behind, no other one finds. */
export interface OriginalWorld<Extra = undefined> {
  readonly names: WorldNames;
  readonly extra: Extra;
  /** Gives players keys. @param bots whose planets requests may name instead of their player */
  issueKeys(playerIds: readonly string[], bots: readonly BotName[]): Promise<PlayerKeys>;
  /** @param folder must not exist */
  serveCopy(folder: string, changes: Partial<Pick<WorldOptions, 'durability' | 'flags'>>): Promise<ChildServer>;
}

/** What most worlds need. */
export const nothingMore = async (): Promise<undefined> => undefined;

/** @param addExtra adds more to the world, such as further players */
export async function setUpOriginal<Extra>(
  wanted: WorldOptions,
  addExtra: (client: GameClient, names: WorldNames) => Promise<Extra>,
): Promise<OriginalWorld<Extra>> {
  const original = { ...wanted, folder: join(wanted.folder, 'original') };
  const { flags = [] } = original;
  await mkdir(original.folder);
  const { server, client, names } = await startGalaxydWorld(original);
  try {
    const extra = await addExtra(client, names);
    return {
      names,
      extra,
      async issueKeys(playerIds, bots) {
        const operator = await serveAgain({ ...original, durability: 'relaxed', flags: [...flags, '--auth', 'key'] });
        const client = new GameClient(operator.url, ADMIN_KEY);
        return PlayerKeys.issue(client, playerIds, bots).finally(() => operator.stop());
      },
      async serveCopy(folder, changes) {
        await cp(join(original.folder, 'world'), join(folder, 'world'), { recursive: true });
        return serveAgain({ ...original, ...changes, flags: [...flags, ...(changes.flags ?? [])], folder });
      },
    };
  } finally {
    await server.stop();
  }
}

/** Sets a world up and serves it. Stopping its server is the caller's part. */
export async function startGalaxydWorld(options: WorldOptions): Promise<GalaxydWorld> {
  const builder = await serve(options, 'manual');
  let names: WorldNames;
  try {
    const operator = new GameClient(builder.url, ADMIN_KEY);
    names = await setUpWorld(operator, options.size);
    await operator.post('/api/admin/clock/advance', { to: new Date().toISOString() });
  } finally {
    await builder.stop();
  }
  const server = await serve(options, 'real');
  return { options, server, names, client: new GameClient(server.url, ADMIN_KEY) };
}

/** Serves a world that was set up before. */
export function serveAgain(options: WorldOptions): Promise<ChildServer> {
  return serve(options, 'real');
}

function serve(
  { folder, store = join(folder, 'world'), pace, durability, program, flags = [] }: WorldOptions,
  clock: 'manual' | 'real',
): Promise<ChildServer> {
  return startServer(program ?? PROGRAM, [
    'serve',
    ...['--port', '0', '--data', store, '--admin-key', ADMIN_KEY, '--clock', clock],
    ...['--speed', String(SPEEDS[pace]), '--systems-per-galaxy', String(SYSTEMS_PER_GALAXY), '--rules', RULES],
    // Setting up needs no durable replies.
    ...['--durability', clock === 'manual' ? 'relaxed' : durability],
    // Snapshots are taken only when they are measured. An older checkout may not have the flags.
    ...(program === undefined ? ['--snapshot-minutes', '0', '--snapshot-log-mib', '0'] : []),
    ...flags,
  ]);
}

/** API keys for players of a world that was set up without any, and requests that carry them. */
export class PlayerKeys {
  readonly #byPlayer = new Map<string, string>();
  readonly #ownerOfPlanet: ReadonlyMap<string, string>;

  private constructor(bots: readonly BotName[]) {
    this.#ownerOfPlanet = new Map(bots.map(({ playerId, planetId }) => [planetId, playerId]));
  }

  /**
   * Gives each player a key.
   *
   * @param client with the admin key, of a server with --auth key
   * @param bots whose planets requests may name instead of their player
   */
  static async issue(client: GameClient, playerIds: readonly string[], bots: readonly BotName[]): Promise<PlayerKeys> {
    const keys = new PlayerKeys(bots);
    await forEachAtOnce([...new Set([...playerIds, ...bots.map(({ playerId }) => playerId)])], async (playerId) => {
      const { apiKey } = await client.post<{ apiKey: string }>(`/api/admin/player/${playerId}/key`, {});
      keys.#byPlayer.set(playerId, apiKey);
    });
    return keys;
  }

  /** The header of a player. @throws Error if it has no key */
  headersOf(playerId: string): Readonly<Record<string, string>> {
    const key = this.#byPlayer.get(playerId);
    if (key === undefined) throw new Error(`${playerId} has no key`);
    return { authorization: `Bearer ${key}` };
  }

  /** The same request with the key of the player that its path names, or whose planet its body names. */
  sign(request: LoadRequest): LoadRequest {
    const planetId = planetAskedFor(request) ?? '';
    const playerId = /player-\d+/.exec(request.path)?.[0] ?? this.#ownerOfPlanet.get(planetId) ?? '';
    return { ...request, headers: { ...request.headers, ...this.headersOf(playerId) } };
  }
}
