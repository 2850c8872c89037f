// galaxyd tournament, tournament verify and tournament table: let bots and programs play against each other, verify the result and print it.
import { Command, InvalidArgumentError, Option } from 'commander';
import { BOTS } from '../../arena/bots/index.js';
import {
  COMMANDS_PER_DAY_DEFAULT,
  COMMANDS_PER_DAY_MAX,
  ENTRANTS_MAX,
  GAME_DAYS_MAX,
  GAME_DAYS_MIN,
  GAMES_MAX,
  JOBS_MAX,
  SANDBOX_MEMORY_MIB_DEFAULT,
  SANDBOX_MEMORY_MIB_MAX,
  SANDBOX_MEMORY_MIB_MIN,
  WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT,
  WAKEUPS_PER_DAY_DEFAULT,
  WAKEUPS_PER_DAY_MAX,
  WALL_SECONDS_DEFAULT,
  WALL_SECONDS_MAX,
} from '../../arena/limits.js';
import { SETTING_NAMES, type SettingName } from '../../arena/tournament/named-settings.js';
import { SYSTEMS_PER_PLAYER } from '../../arena/tournament/world-size.js';
import { SYSTEMS_PER_GALAXY_MAX } from '../../engine/rules/limits.js';
import { DEFAULT_RULES } from '../../engine/rules/shipped.js';
import { TRANSPORT_KINDS } from '../../http/server/transport.js';
import { runToExitCode } from './command.js';
import { integer, KEY_SECRET_VARIABLE, keySecret, speedFactor } from './options.js';

const NAME = 'tournament';
export const TABLE_FORMATS = ['text', 'csv', 'markdown', 'latex'] as const;

/** The flags as parsed. Entrants and rules are looked up later. */
export interface TournamentFlags {
  readonly entrants: string;
  readonly days: number;
  readonly seeds: readonly number[];
  readonly out: string;
  readonly rounds: number;
  readonly setting?: SettingName;
  readonly playersPerGame?: number;
  readonly rules: string;
  readonly vary?: number;
  readonly sameRules?: true;
  readonly speed: number;
  readonly systemsPerGalaxy?: number;
  readonly commandsPerDay: number;
  readonly wakeupsPerDay: number;
  readonly wakeupsByOthersPerDay: number;
  readonly wallSecondsPerTurn: number;
  readonly keySecret?: string;
  readonly jobs: number;
  readonly transport?: string;
  readonly sandbox?: true;
  readonly sandboxRead?: readonly string[];
  readonly sandboxMemoryMib?: number;
  readonly strict?: true;
  readonly json?: true;
}

export interface VerifyFlags {
  readonly json?: true;
}

export interface TableFlags {
  readonly deals?: true;
  readonly format: (typeof TABLE_FORMATS)[number];
}

/** What the three subcommands do. */
interface TournamentRuns {
  play(flags: TournamentFlags): Promise<void>;
  verify(folder: string, flags: VerifyFlags): Promise<void>;
  table(folder: string, flags: TableFlags): Promise<void>;
}

const SEEDS_FORM = /^(\d{1,15})(?:\.\.(\d{1,15}))?$/;

const EXAMPLES = `
Examples:
  galaxyd tournament --entrants greedy,expander --days 3 --seeds 5 --out ./first
  galaxyd tournament --entrants "greedy,once=greedy@1,'python3 my_bot.py'" --days 30 --seeds 5 --rounds 3 --jobs 2 --out ./cup
  galaxyd tournament --entrants greedy,planner --days 3 --seeds 5 --same-rules --out ./same
  galaxyd tournament --entrants "$(cat fifty-bots.txt)" --players-per-game 8 --days 10 --seeds 5 --sandbox --out ./large
  galaxyd tournament --entrants "$(cat fifty-bots.txt)" --setting melee --jobs 2 --out ./melee
  galaxyd tournament verify ./cup
  galaxyd tournament table ./cup --format latex

An entrant is a bot of galaxyd (${BOTS.map(({ name }) => name).join(', ')}), a command line, or a folder whose
entrant.json has a command, as galaxyd bot new writes it. LABEL= before it names it, @N after it limits its wake-ups per world day. A
command is started for each game in a folder of its own. Its environment has only GALAXYD_SERVER, GALAXYD_PLAYER, GALAXYD_API_KEY,
PATH and HOME. Files that it names are looked up in the current folder. It waits for its turn with GET /api/turn?wait=N and ends it
with POST /api/turn/end.

The same programs, build of galaxyd, settings and key secret give the same result.json, byte for byte, unless an entrant runs out of
real time. The key secret is in the result. The same command line resumes a tournament that was interrupted.`;

/** What a named setting settles. */
const SETTLED_FLAGS = [
  ...['days', 'seeds', 'rounds', 'playersPerGame', 'rules', 'vary', 'sameRules', 'speed', 'systemsPerGalaxy'],
  ...['commandsPerDay', 'wakeupsPerDay', 'wakeupsByOthersPerDay', 'wallSecondsPerTurn'],
];

export function tournamentCommand(runs: TournamentRuns): Command {
  const command = new Command(NAME)
    .description('Lets bots and programs play against each other, in turns, and rates them.')
    .allowExcessArguments(false);
  for (const option of tournamentOptions()) command.addOption(option);
  return command
    .option(
      '--sandbox',
      'entrants that are commands see only their own files, and reach only their game (needs bubblewrap)',
    )
    .option('--sandbox-read <folder...>', 'further folders that they can read in a sandbox')
    .addOption(
      new Option(
        '--sandbox-memory-mib <number>',
        `memory of each of their processes (default: ${SANDBOX_MEMORY_MIB_DEFAULT})`,
      ).argParser(integer(SANDBOX_MEMORY_MIB_MIN, SANDBOX_MEMORY_MIB_MAX)),
    )
    .addOption(
      new Option('--setting <name>', 'a named setting, which settles everything but the entrants').choices(
        SETTING_NAMES,
      ),
    )
    .option('--strict', 'exit with code 1 if an entrant crashed, could not be started or ran out of time')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Partial<TournamentFlags>) => {
      const { entrants, days, seeds, out, setting } = flags;
      const contradicting =
        setting === undefined ? [] : SETTLED_FLAGS.filter((flag) => command.getOptionValueSource(flag) === 'cli');
      if (contradicting.length > 0) command.error(`error: --setting ${setting} settles ${contradicting.join(', ')}`);
      const needed = setting === undefined ? { entrants, days, seeds, out } : { entrants, out };
      const missing = Object.entries(needed).filter(([, value]) => value === undefined);
      if (missing.length > 0) {
        const names = missing.map(([name]) => `--${name}`).join(', ');
        command.error(`error: missing: ${names}, as in --entrants greedy,planner --days 3 --seeds 5 --out ./cup`);
      }
      await runToExitCode(NAME, () => runs.play(flags as TournamentFlags));
    })
    .addCommand(verifyCommand(runs))
    .addCommand(tableCommand(runs));
}

function tableCommand(runs: TournamentRuns): Command {
  return new Command('table')
    .description('Prints the standings of a tournament, or what was said and kept, for papers and spreadsheets.')
    .argument('<folder>', 'folder of the tournament')
    .allowExcessArguments(false)
    .addOption(new Option('--format <format>', 'form of the table').choices(TABLE_FORMATS).default(TABLE_FORMATS[0]))
    .option('--deals', 'what entrants agreed on with each other and what became of it, instead of the standings')
    .addHelpText(
      'after',
      '\nThe points of each day are in points.csv of the folder, those of each game in results.csv.',
    )
    .action((folder: string, flags: TableFlags) => runToExitCode(`${NAME} table`, () => runs.table(folder, flags)));
}

function verifyCommand(runs: TournamentRuns): Command {
  return new Command('verify')
    .description('Verifies the folder of a finished tournament: replays every world, and compares everything with it.')
    .argument('<folder>', 'folder of the tournament')
    .allowExcessArguments(false)
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      '\nIt changes nothing and needs only the folder. It names everything that is wrong, with both values, and then exits with code 1.',
    )
    .action((folder: string, flags: VerifyFlags) => runToExitCode(`${NAME} verify`, () => runs.verify(folder, flags)));
}

/** The options that define what is played. */
export function tournamentOptions(): Option[] {
  return [
    new Option('--entrants <list>', 'bots by name and command lines, separated by commas; LABEL=…, …@N'),
    new Option('--days <number>', 'world days of each game').argParser(days),
    new Option('--seeds <number|from..to>', '5 plays the seeds 1 to 5, 7..9 plays 7, 8 and 9').argParser(seeds),
    new Option('--out <folder>', 'folder of the result; it must be empty or missing'),
    new Option('--rounds <number>', 'how often each seed is played, each time with other starts')
      .default(1)
      .argParser(integer(1, GAMES_MAX)),
    new Option(
      '--players-per-game <number>',
      'entrants of each game, in a balanced schedule; 1 lets each play alone (default: all)',
    ).argParser(integer(1, ENTRANTS_MAX)),
    new Option('--rules <name|file>', 'rules of the worlds; galaxyd rules list prints the names').default(
      DEFAULT_RULES.set.name,
    ),
    new Option(
      '--vary <seed>',
      'other numbers and names in the rules, drawn from this seed; the same in all games (default: others for each seed)',
    ).argParser(integer(0, Number.MAX_SAFE_INTEGER)),
    new Option('--same-rules', 'the rules as they are, in all games'),
    new Option('--speed <factor>', 'speed of the worlds: multiplies production, divides durations')
      .default(1)
      .argParser(speedFactor),
    new Option(
      '--systems-per-galaxy <number>',
      `size of the worlds: entrants start in the same galaxy (default: ${SYSTEMS_PER_PLAYER} for each player of a game)`,
    ).argParser(integer(1, SYSTEMS_PER_GALAXY_MAX)),
    new Option('--commands-per-day <number>', 'commands that an entrant may send per world day')
      .default(COMMANDS_PER_DAY_DEFAULT)
      .argParser(integer(0, COMMANDS_PER_DAY_MAX)),
    new Option('--wakeups-per-day <number>', 'turns that an entrant may have per world day')
      .default(WAKEUPS_PER_DAY_DEFAULT)
      .argParser(integer(1, WAKEUPS_PER_DAY_MAX)),
    new Option('--wakeups-by-others-per-day <number>', 'further turns that events of other entrants may cause')
      .default(WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT)
      .argParser(integer(0, WAKEUPS_PER_DAY_MAX)),
    new Option('--wall-seconds-per-turn <number>', 'real seconds after which the server ends a turn')
      .default(WALL_SECONDS_DEFAULT)
      .argParser(integer(1, WALL_SECONDS_MAX)),
    new Option('--key-secret <text>', 'secret from which the API keys of players are derived (default: a random one)')
      .argParser(keySecret)
      .env(KEY_SECRET_VARIABLE),
    new Option('--jobs <number>', 'games played at a time').default(1).argParser(integer(1, JOBS_MAX)),
    new Option('--transport <kind>', 'transport of the servers (default: native if it loads)').choices(TRANSPORT_KINDS),
    new Option('--json', 'print the result as one line of JSON, for programs'),
  ];
}

/** Parses world days of a game. */
export function days(text: string): number {
  const value = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= GAME_DAYS_MIN && value <= GAME_DAYS_MAX) return value;
  throw new InvalidArgumentError(
    `It must be a number from ${GAME_DAYS_MIN} to ${GAME_DAYS_MAX} with three decimals at most.`,
  );
}

/** Parses a number of seeds, or the first and the last seed. */
function seeds(text: string): number[] {
  const [, one, last] = SEEDS_FORM.exec(text) ?? [];
  const first = last === undefined ? 1 : Number(one);
  const count = last === undefined ? Number(one) : Number(last) - first + 1;
  if (count >= 1 && count <= GAMES_MAX) return Array.from({ length: count }, (_, index) => first + index);
  throw new InvalidArgumentError(`It must be a number from 1 to ${GAMES_MAX}, or a range such as 7..11 of as many.`);
}
