// galaxyd bot new and bot try: write the folder of a bot, and let it play a game that says what it did and why it lost.
import { Command, Option } from 'commander';
import { runToExitCode } from './command.js';
import { integer } from './options.js';
import { tournamentOptions } from './tournament.js';

const NAME = 'bot';
export const LANGUAGES = ['python', 'typescript', 'javascript'] as const;
export type Language = (typeof LANGUAGES)[number];
const AGAINST_DEFAULT = 'greedy,planner,raider';

export interface BotNewFlags {
  readonly language: Language;
}

/** The flags as parsed. Rivals and rules are looked up later. */
export interface BotTryFlags {
  readonly against: string;
  readonly days: number;
  readonly seed: number;
  readonly rules: string;
  readonly sameRules?: true;
  readonly keep?: string;
  readonly json?: true;
}

/** What the two subcommands do. */
interface BotRuns {
  create(folder: string, flags: BotNewFlags): Promise<void>;
  try(folder: string, flags: BotTryFlags): Promise<void>;
}

const EXAMPLES = `
Examples:
  galaxyd bot new ./my-bot --language python
  galaxyd bot try ./my-bot
  galaxyd bot try ./my-bot --against idler,./my-old-bot --days 3 --keep ./game
  galaxyd tournament --entrants greedy,./my-bot --days 3 --seeds 5 --out ./cup

The folder plays at once: in bot try, in a tournament, and in a live world with the key of a player. Its README.md says how.`;

export function botCommand(runs: BotRuns): Command {
  return new Command(NAME)
    .description('Writes a bot that plays at once, and says what it did in a game and why it lost.')
    .allowExcessArguments(false)
    .addCommand(newCommand(runs))
    .addCommand(tryCommand(runs))
    .addHelpText('after', EXAMPLES);
}

function newCommand(runs: BotRuns): Command {
  return new Command('new')
    .description(
      'Writes the folder of a bot: its loop, its strategy, a client of the API, a test and how it is started.',
    )
    .argument('<folder>', 'new or empty folder; its name is that of the bot')
    .allowExcessArguments(false)
    .addOption(new Option('--language <language>', 'language of the bot').choices(LANGUAGES).default(LANGUAGES[0]))
    .addHelpText(
      'after',
      '\nNothing is installed. TypeScript needs a Node that runs it as it is; JavaScript runs with any.',
    )
    .action((folder: string, flags: BotNewFlags) => runToExitCode(`${NAME} new`, () => runs.create(folder, flags)));
}

/** Options of a tournament that a trial has, too. */
const SHARED = ['days', 'rules', 'sameRules'];

function tryCommand(runs: BotRuns): Command {
  const command = new Command('try')
    .description('Plays one game against other bots, and says what the bot did, and why it lost or won.')
    .argument('<folder>', 'folder of the bot, with entrant.json')
    .allowExcessArguments(false)
    .option('--against <list>', 'rivals, as the entrants of a tournament', AGAINST_DEFAULT)
    .addOption(
      new Option('--seed <number>', 'seed of the game and of its rules')
        .default(1)
        .argParser(integer(0, Number.MAX_SAFE_INTEGER)),
    );
  for (const option of tournamentOptions().filter((each) => SHARED.includes(each.attributeName())))
    command.addOption(option.attributeName() === 'days' ? option.default(1) : option);
  return command
    .option('--keep <folder>', 'keep the game: the folder of a tournament, which must be empty or missing')
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      '\nThe game is a tournament of one game: the same seed and the same bots play the same game, unless one runs out of real time.\nExit code 1: the bot crashed, could not be started or ran out of time.',
    )
    .action((folder: string, flags: BotTryFlags) => runToExitCode(`${NAME} try`, () => runs.try(folder, flags)));
}
