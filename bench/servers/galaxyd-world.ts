// The server under test with a world of a chosen size: set up once with a manual clock, which is then moved to the present, and
// served with the real one. Years go by in between, so that no player is short of anything.
import { join } from 'node:path';
import { BOTS_PER_GROWN_PLAYER, GROWN_PLAYERS, WORKED_PLANETS_MAX } from '../limits.js';
import { type ChildServer, startServer } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import type { Progress } from '../reports/progress.js';
import { GameClient } from './game-client.js';
import { setUpWorld, type WorldNames, type WorldSize } from './world-set-up.js';

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

/** The usual parts of a world of so many bots. */
export function sizeOfWorld(players: number): WorldSize {
  const grownPlayers = Math.min(Math.ceil(players / BOTS_PER_GROWN_PLAYER), GROWN_PLAYERS);
  return { players, workedPlanets: Math.min(players, WORKED_PLANETS_MAX), grownPlayers };
}

/** Sets up and serves a world of so many bots in a temporary folder, for as long as the work takes. */
export function inGalaxydWorld<T>(
  { players, ...options }: Pick<WorldOptions, 'pace' | 'durability'> & { readonly players: number },
  progress: Progress,
  work: (world: GalaxydWorld) => Promise<T>,
): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    progress.say(`setting up a world of ${players} bots`);
    const world = await startGalaxydWorld({ ...options, size: sizeOfWorld(players), folder });
    try {
      return await work(world);
    } finally {
      await world.server.stop();
    }
  });
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
