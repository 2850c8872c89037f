// galaxyd swarm: lets thousands of bots play, in a world of others or in one of its own.
import { Command, InvalidArgumentError, Option } from 'commander';
import { BOTS } from '../../arena/bots/index.js';
import { SWARM_BOTS_MAX, SWARM_PREFIX_LENGTH_MAX, SWARM_SECONDS_MAX } from '../../arena/limits.js';
import { BadMix, mixOf, type Share } from '../../arena/swarm/mix.js';
import { WrongUsage } from '../exit-codes.js';
import { runToExitCode } from '../operator-command.js';
import { integer, keySecret, port, serverUrl, sharedKey, speedFactor, storeUrl } from '../shared-options.js';

const NAME = 'swarm';
/** Of a world that is made for the swarm: at speed 1 the first buildings take minutes. */
const OWN_SPEED = 60;

export interface SwarmFlags {
  /** Undefined for a world of its own. */
  readonly server?: string;
  readonly bots: number;
  readonly mix: readonly Share[];
  /** Undefined to play until it is stopped. */
  readonly seconds?: number;
  readonly json?: true;
  readonly adminKey?: string;
  readonly seed: number;
  readonly prefix: string;
  readonly keys?: string;
  readonly keySecret?: string;
  /** Of a world of its own; undefined for a temporary folder. */
  readonly data?: string;
  readonly port: number;
  readonly speed: number;
  readonly transport?: 'native' | 'javascript';
}

/** What says how a world of its own is made. */
const OF_OWN_WORLD = ['data', 'port', 'speed', 'transport'] as const;
/** What only another one's world needs. */
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
temporary folder, or in the one that --data names; then the next swarm plays on there.

The names of the players are made of --prefix, the kind of bot and a number, so the same command line finds the same players again,
after a restart of either side. In a world with --auth key the players have keys: they are kept in a file (--keys), or follow from a
secret (--key-secret, with --admin-key). With the admin key players are made in bulk, else one by one within the limits of the server.

Ctrl-C ends it in order; a second one at once. docs/arena.md has more.`;

export function swarmCommand(run: (flags: SwarmFlags) => Promise<void>): Command {
  const command = new Command(NAME)
    .description('Lets thousands of bots play.')
    .allowExcessArguments(false)
    .option('--server <url>', 'where the galaxyd is (default: it starts one)', serverUrl)
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
      'how long it plays once all bots are there (default: until it is stopped)',
      integer(1, SWARM_SECONDS_MAX),
    )
    .option('--json', 'the last line of standard output is the summary as JSON')
    .addOption(
      new Option('--admin-key <key>', 'of the server: makes players in bulk')
        .argParser(sharedKey)
        .env('GALAXYD_ADMIN_KEY'),
    )
    .addOption(
      new Option('--seed <number>', 'seed of the choices of the bots, and of a world of its own')
        .default(1)
        .argParser(integer(0, Number.MAX_SAFE_INTEGER)),
    )
    .addOption(new Option('--prefix <name>', 'how the names of the players begin').default(NAME).argParser(prefix))
    .option('--keys <file>', 'file for the keys of the players; made if it is missing, readable only by its owner')
    .option('--key-secret <secret>', 'the keys of the players follow from this secret and their names', keySecret)
    .option('--data <folder>', 'folder of a world of its own (default: a temporary one)', storeUrl)
    .addOption(
      new Option('--port <number>', 'port of a world of its own; 0 takes a free one').default(0).argParser(port),
    )
    .addOption(
      new Option('--speed <factor>', 'speed of a new world of its own').default(OWN_SPEED).argParser(speedFactor),
    )
    .addOption(
      new Option('--transport <kind>', 'transport of a world of its own (default: native if there is a build)').choices(
        ['native', 'javascript'],
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

/** All kinds; most of them build, so that there is something to take. */
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
