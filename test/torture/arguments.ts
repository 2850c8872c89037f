// The command line of the torture.
import { Command, Option } from 'commander';
import { wholeNumber, wholeNumbers } from '../../bench/option-values.js';
import { AUTH_KINDS, type AuthKind, TRANSPORT_NAMES, type TransportName } from './transports.js';

const SEED_MAX = 999_999_999;
const REQUESTS_MAX = 100_000_000;
export const REQUESTS_DEFAULT = 100_000;

export interface TorturePlan {
  readonly seed: number;
  /** Requests for each pair of transport and auth. */
  readonly requests: number;
  readonly transports: readonly TransportName[];
  readonly auths: readonly AuthKind[];
  /** Numbers of cases; undefined for all. */
  readonly only: readonly number[] | undefined;
  readonly isStormy: boolean;
  readonly isJson: boolean;
}

interface Flags {
  readonly seed?: number;
  readonly requests: number;
  readonly transport?: TransportName;
  readonly auth?: AuthKind;
  readonly only?: number[];
  readonly storms: boolean;
  readonly json: boolean;
}

/**
 * @param words the command line without the program
 * @param prepare changes how commander ends and prints; for tests
 * @throws CommanderError if commander does not end the process, which it does on wrong arguments and --help
 */
export function parseArguments(words: readonly string[], prepare: (command: Command) => void = () => {}): TorturePlan {
  const program = new Command('torture')
    .description('Sends malformed, split, reset, pipelined and unread requests to a real server, and then storms.')
    .showHelpAfterError('(--help lists the options)')
    .allowExcessArguments(false)
    .addOption(
      new Option('--seed <number>', 'seed of the requests; drawn if left out').argParser(wholeNumber(0, SEED_MAX)),
    )
    .addOption(
      new Option('--requests <count>', 'requests to each server')
        .default(REQUESTS_DEFAULT)
        .argParser(wholeNumber(1, REQUESTS_MAX)),
    )
    .addOption(new Option('--transport <name>', 'this transport alone').choices(TRANSPORT_NAMES))
    .addOption(new Option('--auth <kind>', 'with or without keys alone').choices(AUTH_KINDS))
    .addOption(
      new Option('--only <list>', 'only these cases, as a failed run prints them').argParser(wholeNumbers(0, SEED_MAX)),
    )
    .addOption(new Option('--no-storms', 'leaves out idle connections, resets, slow readers and slow writers'))
    .addOption(new Option('--json', 'prints one JSON object for each server').default(false))
    .addHelpText(
      'after',
      '\nExamples:\n  npm run torture                                    both transports, with and without keys\n' +
        '  npm run torture -- --transport native --auth none\n' +
        '  npm run torture -- --seed 7 --only 412 --transport native --auth none\n' +
        '\nExit code: 0 no faults were found, 1 faults were found.',
    );
  prepare(program);
  program.parse([...words], { from: 'user' });
  const { seed = Date.now() % 1_000_000, requests, transport, auth, only, storms, json } = program.opts<Flags>();
  return {
    seed,
    requests,
    transports: transport === undefined ? TRANSPORT_NAMES : [transport],
    auths: auth === undefined ? AUTH_KINDS : [auth],
    only,
    isStormy: storms && only === undefined,
    isJson: json,
  };
}
