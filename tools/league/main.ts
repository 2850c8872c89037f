// `npm run league`: plays a tournament of the shipped bots with any rules, replays its worlds and prints tables: how strong each bot is,
// what is used, what planets wait for, and which bars the rules reach.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { BOTS } from '../../arena/bots/index.js';
import { GAMES_MAX } from '../../arena/limits.js';
import { RESULT_FILE } from '../../arena/tournament/folder.js';
import { gameFolder } from '../../arena/tournament/game.js';
import type { Tournament } from '../../arena/tournament/result.js';
import { printResult, runToExitCode } from '../../cli/commands/command.js';
import { WrongUsage } from '../../cli/commands/exit-codes.js';
import { integer } from '../../cli/commands/options.js';
import { type TournamentFlags, tournamentOptions } from '../../cli/commands/tournament.js';
import { TournamentProgressBar } from '../../cli/output/progress.js';
import { playTournament } from '../../cli/play/tournament-run.js';
import { barsOf } from './bars.js';
import { pointsChart } from './chart.js';
import { type GameCourse, gameCourse } from './game-course.js';
import { gameStory } from './game-story.js';
import { leagueOf } from './tables.js';
import { leagueText } from './text.js';

const NAME = 'league';
/** All bots, and some of them once more with one wake-up a day. */
const ENTRANTS = [...BOTS.map(({ name }) => name), 'greedy@1', 'turtle@1', 'planner@1'].join(',');

/** A known secret, so that the same command line gives the same tables. All entrants are shipped bots, which misuse no keys. */
const KEY_SECRET = 'galaxyd-tournament-without-a-secret';

type LeagueFlags = TournamentFlags & { readonly from?: string; readonly chart?: string; readonly story?: number };

const REMARKS = `
Examples:
  npm run league -- --same-rules --days 30 --seeds 20 --jobs 2 --out ./league
  npm run league -- --same-rules --days 5 --seeds 3 --rules ./my-rules.json --json
  npm run league -- --from ./league --chart points.svg
  npm run league -- --from ./league --story 1

The flags are those of galaxyd tournament. Without --out the worlds are removed at the end. A league that was interrupted is taken
up again by the same command line with --out.`;

const command = new Command(NAME)
  .description('Lets the shipped bots play against each other, and prints tables of the results.')
  .allowExcessArguments(false);
for (const option of tournamentOptions()) command.addOption(option);
command
  .addOption(new Option('--from <folder>', 'prints the tables of a finished tournament instead'))
  .addOption(new Option('--chart <file>', 'writes a chart of the points over time, as an SVG'))
  .addOption(
    new Option('--story <game>', 'tells a game of a finished tournament instead').argParser(integer(1, GAMES_MAX)),
  )
  .setOptionValueWithSource('entrants', ENTRANTS, 'default')
  .setOptionValueWithSource('keySecret', KEY_SECRET, 'default')
  .addHelpText('after', REMARKS)
  .action((flags: Partial<LeagueFlags>) => runToExitCode(NAME, () => league(flags)));
await command.parseAsync();

async function league(flags: Partial<LeagueFlags>): Promise<void> {
  const { from, days, seeds, out, story } = flags;
  if (story !== undefined) return await tell(from, story);
  if (from !== undefined) return await tabulate(from, await resultIn(from), flags);
  if (days === undefined || seeds === undefined) throw new WrongUsage('--days and --seeds are missing; see --help');
  const folder = out ?? (await mkdtemp(join(tmpdir(), 'galaxyd-league-')));
  try {
    await tabulate(folder, await playTournament({ ...(flags as LeagueFlags), out: folder }), flags);
  } finally {
    if (out === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function tell(folder: string | undefined, game: number): Promise<void> {
  if (folder === undefined) throw new WrongUsage('--story needs the folder of a finished tournament: --from <folder>');
  const { games } = await resultIn(folder);
  if (game > games.length) throw new WrongUsage(`the tournament in ${folder} has ${games.length} games`);
  const story = await gameStory(join(folder, gameFolder(game), 'world'));
  printResult({}, {}, () => story.split('\n'));
}

async function tabulate(folder: string, tournament: Tournament, flags: Partial<LeagueFlags>): Promise<void> {
  const bar = new TournamentProgressBar();
  const { games, settings } = tournament;
  const courses: GameCourse[] = [];
  try {
    for (const { number } of games) {
      bar.showPart(courses.length / games.length, `has replayed ${courses.length} of ${games.length} games`);
      courses.push(await gameCourse(join(folder, gameFolder(number), 'world'), settings.days));
    }
  } finally {
    bar.end();
  }
  const tables = leagueOf(tournament, courses);
  const bars = barsOf(tournament, courses, tables);
  if (flags.chart !== undefined) await writeFile(flags.chart, pointsChart(tables));
  printResult(flags.json === true ? { json: true } : {}, { ...tables, bars }, () =>
    leagueText(tables, bars).split('\n'),
  );
}

async function resultIn(folder: string): Promise<Tournament> {
  const result: Tournament = JSON.parse(await readFile(join(folder, RESULT_FILE), 'utf8'));
  if (!result.isFinished) throw new WrongUsage(`the tournament in ${folder} is not finished`);
  return result;
}
