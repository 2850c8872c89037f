// galaxyd replay: serves the past of a world or of the games of a tournament, read-only.
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { TOURNAMENT_GAMES_MAX } from '../../http/limits.js';
import { TRANSPORT_KINDS, type TransportKind } from '../../http/server/transport.js';
import { REPLAY_SPEED_MAX, REPLAY_SPEED_MIN } from '../../persistence/limits.js';
import { integer, port, seq, sharedKey, storeUrl, WORLD_PLACE } from './options.js';

export interface ReplayOptions {
  readonly data: string;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Defaults to the oldest seq that is kept. */
  readonly at?: number;
  /** Number of the game of a tournament that is shown first. Defaults to the first game. */
  readonly game?: number;
  /** If given, the replay plays at once. */
  readonly speed?: number;
  readonly adminKey?: string;
  /** Defaults to native if the library loads. */
  readonly transport?: TransportKind;
  /** Defaults to text on a terminal, else json. */
  readonly logFormat?: 'json' | 'text';
}

const PORT_DEFAULT = 3001;

const REMARKS = `
Examples:
  galaxyd replay ./data
  galaxyd replay ./data --at 120000 --speed 3600
  galaxyd replay ./tournament --game 3
  GALAXYD_ADMIN_KEY=secret-key galaxyd replay ./data

Open its /dashboard in a browser, or use the API: it answers reads and events as of its position, and accepts no commands. GET
and POST /api/replay read and move the position, which all viewers share. It writes nothing to the world, and may run beside
the server of the same world. A replay shows everything of all players. So a world whose players have API keys needs
--admin-key, and then every request below /api needs that key.

With the folder of a tournament (galaxyd tournament --out) it shows the standings and the games: POST /api/replay with
{"game": N}, or a button of the dashboard, opens another game. The keys of a finished tournament are published with it, so it
needs no --admin-key on a loopback address.

Without --keep-history a server deletes its past, so the replay begins with the oldest snapshot. A second process replays the
past once, to index the timeline and to take frequent snapshots. They are in the folder for temporary files until the replay
ends.`;

/** @param run serves with checked options */
export function replayCommand(run: (options: ReplayOptions) => Promise<void>): Command {
  return new Command('replay')
    .description('Serves the past of a world or of a tournament, read-only.')
    .allowExcessArguments(false)
    .addArgument(
      new Argument('[place]', `${WORLD_PLACE}; or the folder of a tournament`)
        .default(process.env['GALAXYD_DATA'] ?? './data', './data')
        .argParser(storeUrl),
    )
    .option('--at <seq>', 'seq at which it begins (default: the oldest seq that is kept)', seq)
    .option(
      '--game <number>',
      'game of a tournament that is shown first (default: 1)',
      integer(1, TOURNAMENT_GAMES_MAX),
    )
    .option('--speed <factor>', 'plays at once, with this many world seconds a second', speed)
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes a free one').default(PORT_DEFAULT).argParser(port),
    )
    .addOption(
      new Option('--admin-key <key>', 'every request below /api needs this key; 8 characters or more')
        .argParser(sharedKey)
        .env('GALAXYD_ADMIN_KEY'),
    )
    .addOption(
      new Option(
        '--transport <kind>',
        "native: uWebSockets.js; javascript: Node's own HTTP server (default: native if it loads)",
      ).choices(TRANSPORT_KINDS),
    )
    .addOption(
      new Option(
        '--log-format <kind>',
        'json: one object a line; text: sentences (default: text on a terminal, else json)',
      ).choices(['json', 'text']),
    )
    .addHelpText('after', REMARKS)
    .action((data: string, options: Omit<ReplayOptions, 'data'>) => run({ ...options, data }));
}

function speed(text: string): number {
  const value = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= REPLAY_SPEED_MIN && value <= REPLAY_SPEED_MAX) return value;
  throw new InvalidArgumentError(`It must be a number from ${REPLAY_SPEED_MIN} to ${REPLAY_SPEED_MAX}.`);
}
