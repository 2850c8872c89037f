// galaxyd swarm: lets thousands of bots play, on a server that exists or on one that it starts.
import { Command, InvalidArgumentError, Option } from 'commander';
import { BOTS } from '../../arena/bots/index.js';
import { SWARM_BOTS_MAX, SWARM_PREFIX_LENGTH_MAX, SWARM_SECONDS_MAX } from '../../arena/limits.js';
import { BadMix, mixOf, type Share } from '../../arena/swarm/players.js';
import { TRANSPORT_KINDS, type TransportKind } from '../../http/server/transport.js';
import { runToExitCode } from './command.js';
import { WrongUsage } from './exit-codes.js';
import { integer, keySecret, port, serverUrl, sharedKey, speedFactor, storeUrl } from './options.js';

const NAME = 'swarm';
/**
 * Default speed of a world that the swarm makes: two hours a second. Bots launch their first fleets after about a day, and their first
 * attacks when the protection of newcomers ends.
 */
const OWN_SPEED = 7_200;

export interface SwarmFlags {
  /** Undefined if the swarm starts a server of its own. */
  readonly server?: string;
  readonly bots: number;
  readonly mix: readonly Share[];
  /** Undefined to play until a signal. */
  readonly seconds?: number;
  readonly json?: true;
  readonly adminKey?: string;
  readonly seed: number;
  readonly prefix: string;
  readonly keys?: string;
  readonly keySecret?: string;
  /** Folder of a world of its own; undefined for a temporary one. */
  readonly data?: string;
  readonly port: number;
  readonly speed: number;
  readonly transport?: TransportKind;
}

/** Options that only a world of its own needs. */
const OF_OWN_WORLD = ['data', 'port', 'speed', 'transport'] as const;
/** Options that only another server needs. */
const OF_OTHERS = ['adminKey', 'keys', 'keySecret'] as const;

const REMARKS = `
Bots:
${BOTS.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`).join('\n')}

Examples:
  galaxyd swarm --bots 1000
  galaxyd swarm --bots 200 --mix greedy:5,raider:2 --seconds 60 --json
  galaxyd swarm --server http://127.0.0.1:3000 --bots 50
  GALAXYD_ADMIN_KEY=secret-key galaxyd swarm --server https://galaxy.example.org --bots 10000 --keys ./swarm-keys

Without --server it starts a world of its own, prints the address of its dashboard, and stops it at the end. The world is in a
temporary folder, or in the folder that --data names, where the next swarm can continue.

The name of a player consists of --prefix, the kind of bot and a number. So the same command line finds the same players again, also
after a restart of either side. In a world with --auth key the players have keys. They are kept in a file (--keys), or derived from a
secret (--key-secret, with --admin-key). With the admin key players are created in bulk, else one by one within the limits of the
server.

Ctrl-C ends the swarm in order, a second one at once. docs/arena.md has more.`;

export function swarmCommand(run: (flags: SwarmFlags) => Promise<void>): Command {
  const command = new Command(NAME)
    .description('Lets thousands of bots play.')
    .allowExcessArguments(false)
    .option('--server <url>', 'URL of the galaxyd server (default: it starts one)', serverUrl)
    .addOption(
      new Option('--bots <number>', `how many bots, ${SWARM_BOTS_MAX} at most`)
        .default(100)
        .argParser(integer(1, SWARM_BOTS_MAX)),
    )
    .addOption(
      new Option('--mix <bots>', 'kinds of bots with weights, such as greedy:5,raider:2')
        .default(defaultMix(), 'all kinds, mostly those that build')
        .argParser(mix),
    )
    .option(
      '--seconds <number>',
      'seconds that it plays once all bots are registered (default: until it is stopped)',
      integer(1, SWARM_SECONDS_MAX),
    )
    .option('--json', 'the last line of standard output is the summary as JSON')
    .addOption(
      new Option('--admin-key <key>', 'admin key of the server: creates players in bulk')
        .argParser(sharedKey)
        .env('GALAXYD_ADMIN_KEY'),
    )
    .addOption(
      new Option('--seed <number>', 'seed of the choices of the bots, and of a world of its own')
        .default(1)
        .argParser(integer(0, Number.MAX_SAFE_INTEGER)),
    )
    .addOption(new Option('--prefix <name>', 'beginning of the names of the players').default(NAME).argParser(prefix))
    .option('--keys <file>', 'file for the keys of the players; created if it is missing, readable only by its owner')
    .option('--key-secret <secret>', 'derives the keys of the players from this secret and their names', keySecret)
    .option('--data <folder>', 'folder of a world of its own (default: a temporary one)', storeUrl)
    .addOption(
      new Option('--port <number>', 'port of a world of its own; 0 takes a free one').default(0).argParser(port),
    )
    .addOption(
      new Option('--speed <factor>', 'speed of a new world of its own').default(OWN_SPEED).argParser(speedFactor),
    )
    .addOption(
      new Option('--transport <kind>', 'transport of a world of its own (default: native if it loads)').choices(
        TRANSPORT_KINDS,
      ),
    )
    .addHelpText('after', REMARKS);
  return command.action((flags: SwarmFlags) =>
    runToExitCode(NAME, async () => {
      refuseContradictions(command, flags);
      await run(flags);
    }),
  );
}

function refuseContradictions(command: Command, { server, keys, keySecret: secret }: SwarmFlags): void {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  const wrong = (server === undefined ? OF_OTHERS : OF_OWN_WORLD).find(isGiven);
  const flag = wrong?.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
  if (flag !== undefined) {
    throw new WrongUsage(
      server === undefined
        ? `--${flag} needs --server: a world of its own has no keys`
        : `--${flag} is for a world of its own, without --server`,
    );
  }
  if (keys !== undefined && secret !== undefined) throw new WrongUsage('--keys and --key-secret exclude each other');
}

/** All kinds except the idler. Most of them build, so that raiders find something to take. */
function defaultMix(): readonly Share[] {
  const weights: Readonly<Record<string, number>> = { greedy: 5, expander: 4, raider: 2, turtle: 2, trader: 2 };
  const lively = BOTS.filter(({ name }) => name !== 'idler');
  return lively.map((kind) => ({ kind, weight: weights[kind.name] ?? 1 }));
}

function mix(text: string): readonly Share[] {
  try {
    return mixOf(text);
  } catch (error) {
    if (error instanceof BadMix) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function prefix(text: string): string {
  if (/^[a-z0-9][a-z0-9-]*$/i.test(text) && text.length <= SWARM_PREFIX_LENGTH_MAX) return text;
  throw new InvalidArgumentError(
    `It must have 1 to ${SWARM_PREFIX_LENGTH_MAX} letters, digits and hyphens, and begin with no hyphen.`,
  );
}
