// The command line of `npm run bench:compare`. It starts nothing.
import { Command, Option } from 'commander';
import { THIS_CHECKOUT } from './comparison/checkout.js';
import type { ComparisonPlan } from './comparison/comparison-run.js';
import type { LoaderName } from './end-to-end/closed-loop.js';
import { MIX_NAMES, type MixName } from './end-to-end/mixes.js';
import {
  CLOSED_LOOP_SECONDS_MAX,
  COMPARED_ROUNDS_MIN,
  CONNECTIONS_MAX,
  PLAYERS_MAX,
  ROUNDS_DEFAULT,
  ROUNDS_MAX,
} from './limits.js';
import { nameOf, wholeNumber } from './option-values.js';
import { UNIT_GROUP_NAMES, UNIT_GROUP_SIZES, type UnitGroupName } from './units/group-sizes.js';

export interface CompareArguments {
  readonly plan: ComparisonPlan;
  readonly loader: LoaderName | undefined;
  readonly isJson: boolean;
  readonly isChosen: boolean;
}

interface Flags extends Pick<ComparisonPlan, 'mixes' | 'players' | 'seconds' | 'rounds' | 'durability' | 'seed'> {
  readonly units: readonly UnitGroupName[];
  readonly only: string;
  readonly connections?: number;
  readonly loader?: LoaderName;
  readonly json: boolean;
  readonly choose: boolean;
}

const UNITS_DEFAULT: readonly UnitGroupName[] = ['commands', 'ticks', 'heap', 'codec', 'views', 'mix'];
const MIXES_DEFAULT: readonly MixName[] = ['read', 'upgrade-cancel'];
const PLAYERS_DEFAULT = 10_000;
const SECONDS_DEFAULT = 2;

/**
 * @param words the command line without the program
 * @param prepare changes how commander ends and prints; for tests
 * @throws CommanderError where commander does not end the process, which it does on wrong arguments and --help
 */
export function parseCompareArguments(
  words: readonly string[],
  prepare: (command: Command) => void = () => {},
): CompareArguments {
  let parsed: CompareArguments | undefined;
  const program = new Command('bench:compare')
    .description('Measures two revisions side by side, in turn, and marks what differs by more than noise.')
    .argument('<before>', 'anything git knows a commit by')
    .argument('[after]', 'the same; a full stop is this checkout with its changes', THIS_CHECKOUT)
    .addOption(list('--units <list>', 'groups of units', UNIT_GROUP_NAMES, UNITS_DEFAULT))
    .addOption(list('--mixes <list>', 'mixes end to end', MIX_NAMES, MIXES_DEFAULT))
    .option('--only <text>', 'only units whose names hold this', '')
    .addOption(numeric('--rounds <number>', 'of each revision', COMPARED_ROUNDS_MIN, ROUNDS_MAX, ROUNDS_DEFAULT))
    .addOption(numeric('--seconds <number>', 'of each load', 1, CLOSED_LOOP_SECONDS_MAX, SECONDS_DEFAULT))
    .addOption(numeric('--players <number>', 'size of the worlds', 2, PLAYERS_MAX, PLAYERS_DEFAULT))
    .addOption(numeric('--connections <number>', "the mix's own by default", 1, CONNECTIONS_MAX))
    .addOption(numeric('--seed <number>', 'seed of all choices', 0, 999_999_999, 1))
    .addOption(new Option('--loader <name>', 'defaults to wrk if it is installed').choices(['wrk', 'autocannon']))
    .addOption(new Option('--durability <kind>').choices(['durable', 'relaxed']).default('durable'))
    .option('--json', 'print one JSON object instead of a table', false)
    .option('--choose', 'keep the result in bench/results, to be committed', false)
    .showHelpAfterError('(--help tells what there is)')
    .action((before: string, after: string, flags: Flags) => {
      parsed = {
        plan: { ...planOf(flags), before, after },
        loader: flags.loader,
        isJson: flags.json,
        isChosen: flags.choose,
      };
    });
  prepare(program);
  program.parse([...words], { from: 'user' });
  if (parsed === undefined) throw new Error('commander ran no action');
  return parsed;
}

function planOf(flags: Flags): Omit<ComparisonPlan, 'before' | 'after'> {
  const { units, only, mixes, players, connections, seconds, rounds, durability, seed } = flags;
  const tasks = units.map((group) => {
    const isSized = UNIT_GROUP_SIZES[group].short[0] !== 0;
    return { group, only, players: isSized ? players : 0, isFull: false, seed };
  });
  return { units: tasks, mixes, players, connections, seconds, rounds, durability, seed };
}

function list<Name extends string>(flags: string, description: string, known: readonly Name[], given: readonly Name[]) {
  return new Option(flags, `${description}, of ${known.join(', ')}; or none`)
    .default(given, given.join(','))
    .argParser((text) => (text === 'none' ? [] : text.split(',').map(nameOf(known))));
}

function numeric(flags: string, description: string, lowest: number, highest: number, standard?: number): Option {
  const option = new Option(flags, description).argParser(wholeNumber(lowest, highest));
  return standard === undefined ? option : option.default(standard);
}
