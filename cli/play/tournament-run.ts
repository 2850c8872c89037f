// `galaxyd tournament`, `tournament verify` and `tournament table`: resolve the flags, run, and print the result.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { ANNOUNCED_SECONDS_MIN, GAMES_MAX, SANDBOX_MEMORY_MIB_DEFAULT } from '../../arena/limits.js';
import { repeatingGames } from '../../arena/tournament/course.js';
import { type Entrant, entrantsOf } from '../../arena/tournament/entrants.js';
import { estimatedSeconds } from '../../arena/tournament/estimate.js';
import { faultyEntrants } from '../../arena/tournament/faults.js';
import { keptOrDrawnKeySecret, timingsIn } from '../../arena/tournament/folder.js';
import {
  NAMED_SETTINGS,
  playersPerGameOf,
  type SettingName,
  settledBy,
} from '../../arena/tournament/named-settings.js';
import {
  NoTournament,
  type Settings,
  type Tournament,
  type TournamentGame,
  UnfitTournament,
} from '../../arena/tournament/result.js';
import { requireSandbox, type Sandbox } from '../../arena/tournament/sandbox.js';
import { gamesOf } from '../../arena/tournament/schedule.js';
import {
  runTournament,
  type TournamentOptions,
  type TournamentProgress,
  unboundedOf,
} from '../../arena/tournament/tournament.js';
import { type Finding, type Verification, verifyTournament } from '../../arena/tournament/verify.js';
import { systemsForPlayers } from '../../arena/tournament/world-size.js';
import { SHIPPED_RULES } from '../../engine/rules/shipped.js';
import { nameFault } from '../../http/checks/player-names.js';
import { TournamentFolder, TournamentUnreadable } from '../../http/replay/tournament-folder.js';
import { rulesIdentity } from '../../persistence/rules/stored-rules.js';
import { printResult, withSignals } from '../commands/command.js';
import { EXIT_CODES, WrongUsage } from '../commands/exit-codes.js';
import { rulesOf } from '../commands/rule-source.js';
import type { TableFlags, TournamentFlags, VerifyFlags } from '../commands/tournament.js';
import { TournamentProgressBar } from '../output/progress.js';
import { dealLines, tableLines } from './standings-table.js';
import { resultLines } from './standings-text.js';
import { tournamentPorts, verificationPorts } from './tournament-ports.js';

const PLAYERS_NAMED_MAX = 8;
const LEFT = 'it was interrupted; its finished games are kept, and the same command line plays the others';

export async function tournament(flags: TournamentFlags): Promise<void> {
  const result = await playTournament(flags);
  const timings = await timingsIn(flags.out);
  printResult(flags, { out: flags.out, ...summaryOf(result) }, () => resultLines(result, flags.out, timings));
  // Refused connections differ from run to run, so they do not decide.
  if (flags.strict === true && faultyEntrants(result, []).length > 0) process.exitCode = EXIT_CODES.failed.code;
}

/**
 * Plays a tournament and shows its progress.
 *
 * @param words.left what an interruption leaves behind, as a sentence
 * @param words.warns whether it says what is not bounded of programs that play
 */
export async function playTournament(flags: TournamentFlags, { left = LEFT, warns = true } = {}): Promise<Tournament> {
  const options = await optionsOf(flags);
  const bar = new TournamentProgressBar();
  const announcement = announcementOf(options);
  if (announcement !== null) bar.tell(announcement);
  const unbounded = unboundedOf(options);
  if (warns && unbounded.length > 0) bar.tell(unboundedSentence(unbounded, options.sandbox));
  const onProgress = (progress: TournamentProgress): void => {
    if (progress.finished !== undefined) bar.tell(gameSentence(progress.finished, progress.games));
    const { gamesDone, games, daysDone, days } = progress;
    bar.showPart(daysDone / days, `has played ${gamesDone} of ${games} games, ${daysDone.toFixed(1)} of ${days} days`);
  };
  try {
    return await withSignals((signal) => runTournament(options, { ...tournamentPorts(), onProgress, signal }), left);
  } finally {
    bar.end();
  }
}

async function optionsOf(flags: TournamentFlags): Promise<TournamentOptions> {
  const { PATH: path = '' } = process.env;
  const entrants = entrantsOf(flags.entrants, { folder: process.cwd(), path, nameFault });
  const out = resolve(flags.out);
  const keySecret = flags.keySecret ?? (await keptOrDrawnKeySecret(out));
  const { setting } = flags;
  if (setting !== undefined) refuseOwnBudgets(setting, entrants);
  const settled =
    setting === undefined ? settledByFlags(flags, entrants.length) : settledBy(setting, entrants.length, keySecret);
  const { variation } = settled;
  const source = setting === undefined ? flags.rules : NAMED_SETTINGS[setting].rules;
  const rules = rulesIdentity(await rulesOf(source, variation === 'each' ? undefined : (variation ?? undefined)));
  const settings = { rules, ...settled, keySecret };
  const games = gamesOf(settings, entrants.length);
  if (games > GAMES_MAX) {
    const { seeds, rounds } = settings;
    throw new UnfitTournament(
      `${seeds.length} seeds in ${rounds} rounds are ${games} games; a tournament has at most ${GAMES_MAX}`,
    );
  }
  const isShipped = SHIPPED_RULES.some(({ set }) => set.name === source);
  const rulesSource = isShipped ? source : resolve(source);
  const { jobs, transport = null } = flags;
  const sandbox = await sandboxOf(flags, path, out);
  return { settings, entrants, rulesSource, out, jobs, transport, sandbox };
}

/** A named setting gives each entrant the same budget. @throws UnfitTournament */
function refuseOwnBudgets(setting: SettingName, entrants: readonly Entrant[]): void {
  const limited = entrants.find(({ wakeupsPerDay }) => wakeupsPerDay !== null);
  if (limited === undefined) return;
  throw new UnfitTournament(
    `--setting ${setting} settles the wake-ups of each entrant: leave out @${limited.wakeupsPerDay} of ${limited.label}`,
  );
}

function settledByFlags(flags: TournamentFlags, entrants: number): Omit<Settings, 'rules' | 'keySecret'> {
  const { days, seeds, rounds, speed } = flags;
  const { commandsPerDay, wakeupsPerDay, wakeupsByOthersPerDay, wallSecondsPerTurn } = flags;
  const budgets = { commandsPerDay, wakeupsPerDay, wakeupsByOthersPerDay, wallSecondsPerTurn };
  const grouping = playersPerGameOf(flags.playersPerGame, entrants);
  const variation = variationOf(flags);
  const systemsPerGalaxy = flags.systemsPerGalaxy ?? systemsForPlayers(grouping.playersPerGame ?? entrants);
  return { variation, days, seeds: [...seeds], rounds, ...grouping, ...budgets, speed, systemsPerGalaxy };
}

async function sandboxOf(flags: TournamentFlags, path: string, out: string): Promise<Sandbox | null> {
  const { sandbox, sandboxRead, sandboxMemoryMib } = flags;
  if (sandbox === true) {
    const folders = (sandboxRead ?? []).map((folder) => resolve(folder));
    return await requireSandbox({ path, folders, memoryMib: sandboxMemoryMib ?? SANDBOX_MEMORY_MIB_DEFAULT, out });
  }
  if (sandboxRead !== undefined || sandboxMemoryMib !== undefined)
    throw new WrongUsage('--sandbox-read and --sandbox-memory-mib are for --sandbox, which is missing');
  return null;
}

function variationOf({ vary, sameRules }: TournamentFlags): Settings['variation'] {
  if (sameRules !== true) return vary ?? 'each';
  if (vary !== undefined) throw new WrongUsage('--vary and --same-rules exclude each other: the latter varies nothing');
  return null;
}

/** @returns what will be played, and about how long that takes; null if that is short */
function announcementOf({ settings, entrants, jobs }: TournamentOptions): string | null {
  const games = gamesOf(settings, entrants.length);
  const players = settings.playersPerGame ?? entrants.length;
  const { days, systemsPerGalaxy } = settings;
  const botShare = entrants.filter(({ kind }) => kind === 'bot').length / entrants.length;
  const seconds = estimatedSeconds({ games, players, botShare, days, jobs, processors: availableParallelism() });
  if (seconds < ANNOUNCED_SECONDS_MIN) return null;
  const each = (games * players) / entrants.length;
  return `plays ${games} games with ${players} of ${entrants.length} entrants each, so that each plays ${each}, in galaxies of ${systemsPerGalaxy} systems; that takes about ${durationWords(seconds)}, and longer if programs think longer than the bots of galaxyd`;
}

function durationWords(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function unboundedSentence(unbounded: readonly string[], sandbox: Sandbox | null): string {
  const hint = sandbox === null ? '; --sandbox bounds them' : '';
  return `does not bound everything of programs that play: ${unbounded.join('; ')}${hint}`;
}

/** The result for programs, without its games, which are in the folder. */
function summaryOf({ isFinished, settings, games, ratings, withheld, unseparated }: Tournament) {
  const unrepeatable = games.filter(({ isRepeatable }) => !isRepeatable).map(({ number }) => number);
  const repeating = repeatingGames(games).map(({ number }) => number);
  return {
    isFinished,
    games: games.length,
    unrepeatable,
    keySecret: settings.keySecret,
    ratings,
    withheld,
    unseparated,
    repeating,
  };
}

function gameSentence({ number, seed, round, players }: TournamentGame, games: number): string {
  const ranked = players.toSorted((one, other) => one.rank - other.rank);
  const named = ranked
    .slice(0, PLAYERS_NAMED_MAX)
    .map(({ label, points }) => `${label} ${points.toLocaleString('en')}`);
  const rest = ranked.length > PLAYERS_NAMED_MAX ? ` and ${ranked.length - PLAYERS_NAMED_MAX} more` : '';
  return `played game ${number} of ${games} (seed ${seed}, round ${round}): ${named.join(', ')}${rest}`;
}

/** Prints the standings of a tournament or the deals of its entrants, also while it still runs. */
export async function table(folder: string, { format, deals }: TableFlags): Promise<void> {
  const reader = await TournamentFolder.open(resolve(folder), () => {}).catch((error: unknown) => {
    if (!(error instanceof TournamentUnreadable)) throw error;
    throw new NoTournament(`${error.message}; name a folder that galaxyd tournament has as --out`);
  });
  const { body } = await reader.result();
  if (deals === true) return printResult({}, {}, () => dealLines(body, format));
  const timings = await timingsIn(folder);
  printResult({}, {}, () => tableLines(body, folder, timings, format));
}

export async function verify(folder: string, flags: VerifyFlags): Promise<void> {
  const bar = new TournamentProgressBar();
  const onProgress = (done: number, games: number): void =>
    bar.showPart(done / games, `has replayed ${done} of ${games} games`);
  const verification = await verifyTournament(resolve(folder), { ...verificationPorts(), onProgress }).finally(() =>
    bar.end(),
  );
  const isSound = verification.findings.length === 0;
  printResult(flags, { isSound, ...verification }, () => verificationLines(verification));
  if (!isSound) process.exitCode = EXIT_CODES.failed.code;
}

function verificationLines({ findings, games, files, entries, unrepeatable }: Verification): string[] {
  if (findings.length > 0) {
    const counted = findings.length === 1 ? 'something' : `${findings.length} things`;
    return [`galaxyd found ${counted} wrong:`, ...findings.map(findingSentence)];
  }
  const counted = `${games} ${games === 1 ? 'game' : 'games'}, ${entries.toLocaleString('en')} entries of their logs, ${files} files`;
  const late =
    unrepeatable.length === 0 ? '' : `; games that another run may play differently: ${unrepeatable.join(', ')}`;
  return [`galaxyd found everything sound: ${counted}${late}`];
}

function findingSentence({ file, game, entrant, field, expected, found }: Finding): string {
  const place = [file, game === null ? '' : `game ${game}`, entrant ?? '', field]
    .filter((part) => part !== '')
    .join(', ');
  return `  ${place}: is ${shown(found)}, and should be ${shown(expected)}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
}
