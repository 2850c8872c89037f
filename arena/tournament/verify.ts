// Verifies the folder of a tournament without trusting anything in it: checks the checksums, derives the schedule from the settings,
// replays every world from its genesis, and computes the ratings again. It names everything that is wrong, with both values.
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FINDINGS_MAX, GAME_DAYS_MAX, GAMES_MAX, VERIFIED_FILE_BYTES_MAX, VERIFIED_TEXT_BYTES_MAX } from '../limits.js';
import { sumOf } from './checksum.js';
import { contestsOf } from './contests.js';
import { courseDigestOf } from './course.js';
import {
  isOfTournament,
  RESULT_FILE,
  resultText,
  SUMS_FILE,
  summedFiles,
  TIMINGS_FILE,
  type Timings,
} from './folder.js';
import { gameFolder, MS_PER_DAY } from './game.js';
import { NAMED_SETTINGS, SETTING_NAMES, settledBy } from './named-settings.js';
import { standingsOf } from './ratings.js';
import {
  type FinishedPlayer,
  type FinishedWorld,
  NoTournament,
  type ReadFinishedWorld,
  type RulesIdentity,
  ranksOf,
  type Settings,
  type Tournament,
  type TournamentEntrant,
  type TournamentGame,
  type TournamentPlayer,
} from './result.js';
import { gamesOf, type ScheduledGame, scheduleOf, tournamentDigest } from './schedule.js';
import {
  POINTS_FILE,
  POINTS_HEADING,
  pointsRows,
  RESULTS_FILE,
  resultsText,
  TRANSCRIPT_FILE,
  transcriptText,
} from './tables.js';

/** Something that is wrong. */
export interface Finding {
  /** Relative to the folder. */
  readonly file: string;
  readonly game: number | null;
  /** Label. */
  readonly entrant: string | null;
  /** What is wrong, such as `points`. */
  readonly field: string;
  /** The right value, as far as it is known. */
  readonly expected: unknown;
  readonly found: unknown;
}

export interface Verification {
  /** In the order of discovery; at most FINDINGS_MAX. */
  readonly findings: readonly Finding[];
  readonly games: number;
  readonly files: number;
  /** Entries of all logs. */
  readonly entries: number;
  /** Numbers of games that another run may play differently, because an entrant ran out of time. */
  readonly unrepeatable: readonly number[];
}

export interface VerificationPorts {
  readonly readFinishedWorld: ReadFinishedWorld;
  /** @returns the first thing that is wrong with the shape of a `result.json`; null if it is right */
  readonly shapeFault: (content: unknown) => string | null;
  /** @returns the instance of a rule set; null if the rule set is not built in */
  readonly instanceOf: (rules: RulesIdentity, variation: number) => RulesIdentity | null;
  /** @returns null if no rule set of this name is built in */
  readonly shippedRules: (name: string) => RulesIdentity | null;
  /** What a server of turns allows; see http/limits.ts. */
  readonly turns: { readonly overrunsMax: number; readonly ownWakeupsPerWakeupByOthers: number };
  /** Hash of the API key of a player. */
  readonly keyHashOf: (keySecret: string, playerName: string) => string;
  readonly onProgress?: (gamesDone: number, games: number) => void;
}

/** @throws NoTournament, and errors of the operating system */
export async function verifyTournament(folder: string, ports: VerificationPorts): Promise<Verification> {
  const findings = new Findings();
  const { files, listed, areAllFiles } = await checkSums(folder, findings);
  const ended = (games: number): Verification => {
    return { findings: findings.all, games, files, entries: 0, unrepeatable: [] };
  };
  // Reading a pipe may never end, and the target of a link has no checksum.
  if (!areAllFiles) return ended(0);
  const result = await resultOf(folder, ports, findings);
  if (result === null) return ended(0);
  const { settings, entrants, games } = result;
  if (!isVerifiable(result, findings) || settings.keySecret === null) return ended(games.length);
  for (const { label, kind, programDigest, commandsPerDay } of entrants) {
    findings.compare(
      { file: RESULT_FILE, entrant: label, field: 'commandsPerDay' },
      settings.commandsPerDay,
      commandsPerDay,
    );
    // Programs are not in the folder.
    const place = { file: RESULT_FILE, entrant: label, field: 'programDigest' };
    if ((kind === 'bot') !== (programDigest === null))
      findings.add({ ...place, expected: kind === 'bot' ? null : 'a digest', found: programDigest });
  }
  const known: Settings = { ...settings, keySecret: settings.keySecret };
  checkNamedSetting(known, entrants, ports, findings);
  const schedule = scheduleOf(known, entrants);
  checkPaths(listed, schedule, findings);
  findings.compare({ file: RESULT_FILE, field: 'number of games' }, schedule.length, games.length);
  let entries = 0;
  const points: string[] = [];
  for (const [index, planned] of schedule.entries()) {
    ports.onProgress?.(index, schedule.length);
    const game = games[index];
    if (game === undefined) continue;
    const finished = await checkGame({ folder, game, planned, result, ports, findings });
    if (finished === null) continue;
    entries += finished.seq;
    await checkTranscript(folder, planned.number, finished, findings);
    points.push(pointsRows(planned, finished, settings.days));
  }
  await checkTable(folder, RESULTS_FILE, resultsText(games), findings);
  // What is wrong with a world that cannot be read is reported above.
  if (points.length === schedule.length)
    await checkTable(folder, POINTS_FILE, POINTS_HEADING + points.join(''), findings);
  checkStandings(result, tournamentDigest(known, entrants), findings);
  await checkTimings(folder, games, findings);
  const unrepeatable = games.filter(({ isRepeatable }) => !isRepeatable).map(({ number }) => number);
  return { ...ended(games.length), entries, unrepeatable };
}

/** Whether the tournament is finished and its schedule within the limits. */
function isVerifiable({ isFinished, settings, entrants }: Tournament, findings: Findings): boolean {
  const { keySecret, days, playersPerGame = 0 } = settings;
  const count = findings.all.length;
  const atMost = (field: string, most: number, found: number): void => {
    if (found > most) findings.add({ file: RESULT_FILE, field, expected: `at most ${most}`, found });
  };
  findings.compare({ file: RESULT_FILE, field: 'isFinished' }, true, isFinished);
  if (isFinished && keySecret === null)
    findings.add({ file: RESULT_FILE, field: 'settings.keySecret', expected: 'a text', found: null });
  atMost('settings.days', GAME_DAYS_MAX, days);
  atMost('settings.playersPerGame', entrants.length, playersPerGame);
  atMost('games of settings.seeds and settings.rounds', GAMES_MAX, gamesOf(settings, entrants.length));
  return findings.all.length === count;
}

/** A tournament that names its setting must have been played by it. */
function checkNamedSetting(
  settings: Settings,
  entrants: readonly TournamentEntrant[],
  ports: VerificationPorts,
  findings: Findings,
): void {
  const { setting } = settings;
  if (setting === undefined) return;
  const name = SETTING_NAMES.find((one) => one === setting.name);
  if (name === undefined || NAMED_SETTINGS[name].version !== setting.version) {
    const expected = SETTING_NAMES.map((one) => `${one} ${NAMED_SETTINGS[one].version}`).join(', ');
    findings.add({
      file: RESULT_FILE,
      field: 'settings.setting',
      expected,
      found: `${setting.name} ${setting.version}`,
    });
    return;
  }
  const { rules, playersPerGame } = NAMED_SETTINGS[name];
  const compare = (field: string, expected: unknown, found: unknown): void =>
    findings.compare({ file: RESULT_FILE, field }, expected, found);
  compare('settings.rules', ports.shippedRules(rules), settings.rules);
  for (const { label, wakeupsPerDay } of entrants)
    findings.compare(
      { file: RESULT_FILE, entrant: label, field: 'wakeupsPerDay' },
      settings.wakeupsPerDay,
      wakeupsPerDay,
    );
  if (entrants.length < playersPerGame) {
    compare('number of entrants', `at least ${playersPerGame}`, entrants.length);
    return;
  }
  const settled = { playersPerGame: undefined, ...settledBy(name, entrants.length, settings.keySecret) };
  for (const field of Object.keys(settled) as (keyof typeof settled)[])
    compare(`settings.${field}`, settled[field], settings[field]);
}

/** Reports files that no tournament writes, since they must not look verified. */
function checkPaths(paths: readonly string[], games: readonly ScheduledGame[], findings: Findings): void {
  const foreign = paths.filter((path) => !isOfTournament(path, games));
  for (const file of foreign) findings.add({ file, field: 'file', expected: 'nothing', found: 'a file' });
}

type Place = Pick<Finding, 'file' | 'field'> & Partial<Pick<Finding, 'game' | 'entrant'>>;

class Findings {
  readonly all: Finding[] = [];

  add(finding: Place & Pick<Finding, 'expected' | 'found'>): void {
    if (this.all.length < FINDINGS_MAX) this.all.push({ game: null, entrant: null, ...finding });
  }

  /** Adds a finding unless both values are the same. */
  compare(place: Place, expected: unknown, found: unknown): void {
    if (JSON.stringify(expected) !== JSON.stringify(found)) this.add({ ...place, expected, found });
  }
}

/** Verifies only the checksums, with which verifyTournament() begins. */
export async function sumFindings(folder: string): Promise<readonly Finding[]> {
  const findings = new Findings();
  await checkSums(folder, findings);
  return findings.all;
}

interface CheckedFiles {
  /** Number of files. */
  readonly files: number;
  /** Paths of the files with a checksum. */
  readonly listed: readonly string[];
  /** False if there is a link, a pipe or the like, or a file that is too large to be read. */
  readonly areAllFiles: boolean;
}

async function checkSums(folder: string, findings: Findings): Promise<CheckedFiles> {
  const sums = await sumsOf(folder, findings);
  const paths = await summedFiles(folder);
  const listed = paths.filter((path) => sums?.has(path));
  let areAllFiles = true;
  for (const path of paths) {
    const sum = sums?.get(path);
    const status = await lstat(join(folder, path));
    const isFile = status.isFile();
    const isTooLarge = status.size > VERIFIED_FILE_BYTES_MAX;
    areAllFiles &&= isFile && !isTooLarge;
    if (!isFile) findings.add({ file: path, field: 'kind', expected: 'a file', found: 'a link or something else' });
    else if (isTooLarge)
      findings.add({ file: path, field: 'bytes', expected: `at most ${VERIFIED_FILE_BYTES_MAX}`, found: status.size });
    else if (sum !== undefined)
      findings.compare({ file: path, field: 'checksum' }, sum, await sumOf(join(folder, path)));
    else if (sums !== null)
      findings.add({ file: path, field: 'checksum', expected: 'a checksum', found: 'a file without one' });
    sums?.delete(path);
  }
  for (const [path, sum] of sums ?? [])
    findings.add({ file: path, field: 'checksum', expected: sum, found: 'no such file' });
  return { files: paths.length, listed, areAllFiles };
}

/** @returns checksums by path; null if there are none */
async function sumsOf(folder: string, findings: Findings): Promise<Map<string, string> | null> {
  const text = await textOf(folder, SUMS_FILE);
  if (typeof text !== 'string') {
    const found = text === null ? 'missing' : text.whyNot;
    findings.add({ file: SUMS_FILE, field: 'file', expected: 'checksums of all files', found });
    return null;
  }
  const sums = new Map<string, string>();
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    const [, sum, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum === undefined || path === undefined) {
      findings.add({ file: SUMS_FILE, field: `line ${index + 1}`, expected: 'a checksum and a path', found: line });
    } else sums.set(path, sum);
  }
  return sums;
}

/** @returns the content of a file; null if there is none */
async function textOf(folder: string, name: string): Promise<string | null | { readonly whyNot: string }> {
  const path = join(folder, name);
  const status = await lstat(path).catch(() => null);
  if (status === null) return null;
  if (!status.isFile()) return { whyNot: 'a folder, a link or something else' };
  if (status.size > VERIFIED_TEXT_BYTES_MAX) return { whyNot: `a file of ${status.size} bytes` };
  return await readFile(path, 'utf8');
}

/** @returns null if nothing more can be verified. The findings say why */
async function resultOf(folder: string, ports: VerificationPorts, findings: Findings): Promise<Tournament | null> {
  const text = await textOf(folder, RESULT_FILE);
  if (text === null) throw new NoTournament(`${folder} holds no tournament: there is no ${RESULT_FILE}`);
  if (typeof text !== 'string') {
    const expected = `a file of at most ${VERIFIED_TEXT_BYTES_MAX} bytes`;
    findings.add({ file: RESULT_FILE, field: 'file', expected, found: text.whyNot });
    return null;
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    findings.add({ file: RESULT_FILE, field: 'content', expected: 'JSON', found: (error as Error).message });
    return null;
  }
  const fault = ports.shapeFault(content);
  if (fault !== null) {
    findings.add({ file: RESULT_FILE, field: 'shape', expected: 'the result of a tournament', found: fault });
    return null;
  }
  // Readers may understand a duplicate member differently, so the text must be exactly what a tournament writes.
  if (text !== resultText(content as Tournament))
    findings.add({ file: RESULT_FILE, field: 'form', expected: 'as a tournament writes it', found: 'another' });
  return content as Tournament;
}

interface GameCheck {
  readonly folder: string;
  readonly game: TournamentGame;
  readonly planned: ScheduledGame;
  readonly result: Tournament;
  readonly ports: VerificationPorts;
  readonly findings: Findings;
}

/** @returns the world of the game; null if it cannot be read */
async function checkGame(check: GameCheck): Promise<FinishedWorld | null> {
  const { folder, game, planned, result, ports, findings } = check;
  const { number } = planned;
  const compare = (field: string, expected: unknown, found: unknown): void =>
    findings.compare({ file: RESULT_FILE, game: number, field }, expected, found);
  compare('number', number, game.number);
  compare('seed', planned.seed, game.seed);
  compare('round', planned.round, game.round);
  checkInstance(check);
  compare('orderSeed', planned.orderSeed, game.orderSeed);
  compare(
    'starts',
    planned.starts,
    game.players.map(({ label }) => label),
  );
  const isOnTime = game.players.every(({ overruns }) => overruns === 0);
  compare('isRepeatable', isOnTime, game.isRepeatable);
  const path = join(gameFolder(number), 'world');
  let finished: FinishedWorld;
  try {
    finished = await ports.readFinishedWorld(join(folder, path));
  } catch (error) {
    findings.add({
      file: path,
      game: number,
      field: 'world',
      expected: 'a sound log',
      found: (error as Error).message,
    });
    return null;
  }
  checkWorld(check, finished, path);
  compare('seq', finished.seq, game.seq);
  compare('stateHash', finished.stateHash, game.stateHash);
  compare('logDigest', finished.logDigest, game.logDigest);
  compare('courseDigest', courseDigestOf(finished, result.settings.days), game.courseDigest);
  if (game.rules !== undefined) compare('rules', finished.rules, game.rules);
  compare('worldTime', endOf(finished, result.settings.days), game.worldTime);
  const ranks = ranksOf(finished.players.map(({ points }) => points));
  for (const [index, player] of game.players.entries()) {
    const place = finished.players.findIndex(({ name }) => name === player.label);
    const played = finished.players[place];
    const rank = ranks[place];
    if (played !== undefined && rank !== undefined) checkPlayer(check, player, played, rank);
    else compare(`players[${index}].label`, finished.players[index]?.name, player.label);
  }
  return finished;
}

/** Compares a table in the folder with what the worlds and the result say. */
async function checkTable(folder: string, name: string, expected: string, findings: Findings): Promise<void> {
  const found = await textOf(folder, name);
  if (found === expected) return;
  const described = typeof found === 'string' ? 'another' : found === null ? 'missing' : found.whyNot;
  findings.add({ file: name, field: 'content', expected: 'the table of these games', found: described });
}

/** Compares what the folder says was said in a game with what its world says. There is no file if nobody said anything. */
async function checkTranscript(
  folder: string,
  game: number,
  finished: FinishedWorld,
  findings: Findings,
): Promise<void> {
  const file = join(gameFolder(game), TRANSCRIPT_FILE);
  const found = await textOf(folder, file);
  const expected = transcriptText(finished);
  if ((found ?? '') === expected && (found === null) === (expected === '')) return;
  const described = typeof found === 'string' ? 'another' : found === null ? 'missing' : found.whyNot;
  const words = expected === '' ? 'no file: nobody said anything' : 'the messages of the game';
  findings.add({ file, game, field: 'content', expected: words, found: described });
}

/** A game names its rules if each seed has its own. An instance of rules from a file is compared only with its world. */
function checkInstance({ game, planned, result, ports, findings }: GameCheck): void {
  const { rules, variation } = result.settings;
  const place = { file: RESULT_FILE, game: planned.number, field: 'rules' };
  if (variation !== 'each' || planned.variation === null) findings.compare(place, undefined, game.rules);
  else if (game.rules === undefined) findings.add({ ...place, expected: 'the rules of the game', found: undefined });
  else findings.compare(place, ports.instanceOf(rules, planned.variation) ?? game.rules, game.rules);
}

/** Checks that the world is the one of the schedule. */
function checkWorld({ planned, result, ports, findings }: GameCheck, finished: FinishedWorld, file: string): void {
  const { settings } = result;
  const game = planned.number;
  const compare = (field: string, expected: unknown, found: unknown): void =>
    findings.compare({ file, game, field }, expected, found);
  compare('seed', planned.seed, finished.seed);
  compare('speed', settings.speed, finished.speed);
  compare('systemsPerGalaxy', settings.systemsPerGalaxy, finished.systemsPerGalaxy);
  if (settings.variation !== 'each') compare('rules.digest', settings.rules.digest, finished.rules.digest);
  compare(
    'starts',
    planned.starts,
    finished.players.map(({ name }) => name),
  );
  compare('foreignCommands', [], finished.foreignCommands);
  for (const { name, keyHash } of finished.players) {
    findings.compare(
      { file, game, entrant: name, field: 'keyHash' },
      ports.keyHashOf(planned.keySecret, name),
      keyHash,
    );
  }
  const end = endOf(finished, settings.days);
  if (Date.parse(finished.worldTime) > Date.parse(end)) compare('worldTime', end, finished.worldTime);
}

/** World time at which a game ends. */
function endOf({ startedAt }: FinishedWorld, days: number): string {
  return new Date(Date.parse(startedAt) + days * MS_PER_DAY).toISOString();
}

function checkPlayer(check: GameCheck, player: TournamentPlayer, played: FinishedPlayer, rank: number): void {
  const { planned, result, ports, findings } = check;
  const { label, commands, refusals } = player;
  const compare = (field: string, expected: unknown, found: unknown): void =>
    findings.compare({ file: RESULT_FILE, game: planned.number, entrant: label, field }, expected, found);
  compare('playerId', played.playerId, player.playerId);
  compare('points', played.points, player.points);
  compare('rank', rank, player.rank);
  for (const [field, units] of Object.entries(played.income))
    compare(field, units, player.income[field as keyof typeof played.income]);
  for (const [field, times] of Object.entries(played.deals))
    compare(field, times, player.deals[field as keyof typeof played.deals]);
  // How it ended is not in the log. But only one that ended or overran is withdrawn.
  const { overrunsMax, ownWakeupsPerWakeupByOthers } = ports.turns;
  const mayBeWithdrawn = player.isWithdrawn && player.overruns >= overrunsMax;
  compare('isWithdrawn', player.earlyEnd !== null || mayBeWithdrawn, player.isWithdrawn);
  // Refused commands are not in the log. Commands beyond the budget do not count.
  const counted = Object.entries(refusals).filter(([code]) => code !== 'command_budget_spent');
  const refused = counted.reduce((sum, [, count]) => sum + count, 0);
  compare('commands', played.acceptedCommands + refused, commands);
  const budget = result.entrants.find((entrant) => entrant.label === label);
  if (budget === undefined) return;
  if (played.acceptedCommandsInADay > budget.commandsPerDay) {
    compare('commands in a day', `at most ${budget.commandsPerDay}`, played.acceptedCommandsInADay);
  }
  const days = Math.ceil(result.settings.days);
  if (commands > days * budget.commandsPerDay) compare('commands', `at most ${days * budget.commandsPerDay}`, commands);
  const { wakeups, wakeupsByOthers } = player;
  const byOthersOfOwn = Math.floor(budget.wakeupsPerDay / ownWakeupsPerWakeupByOthers);
  const byOthersMax = days * Math.min(result.settings.wakeupsByOthersPerDay, byOthersOfOwn);
  if (wakeupsByOthers > byOthersMax) compare('wakeupsByOthers', `at most ${byOthersMax}`, wakeupsByOthers);
  const wakeupsMax = wakeupsByOthers + days * budget.wakeupsPerDay;
  if (wakeups > wakeupsMax) compare('wakeups', `at most ${wakeupsMax}`, wakeups);
}

/** Computes the ratings from the ranks in the result, which were compared with the worlds before. */
function checkStandings(result: Tournament, digest: string, findings: Findings): void {
  const labels = result.entrants.map(({ label }) => label);
  const expected = standingsOf(labels, contestsOf(result.games), digest);
  compareRows('ratings', expected.ratings, result.ratings, findings);
  compareRows('withheld', expected.withheld, result.withheld, findings);
  findings.compare({ file: RESULT_FILE, field: 'unseparated' }, expected.unseparated, result.unseparated);
}

/** Compares rows of the standings, which are sorted and have labels. */
function compareRows<Row extends { readonly label: string }>(
  name: string,
  expected: readonly Row[],
  found: readonly Row[],
  findings: Findings,
): void {
  const order = (rows: readonly Row[]): string[] => rows.map(({ label }) => label);
  findings.compare({ file: RESULT_FILE, field: name }, order(expected), order(found));
  for (const row of expected) {
    const other = found.find(({ label }) => label === row.label);
    for (const [field, value] of Object.entries(row)) {
      const shown = other?.[field as keyof Row];
      findings.compare({ file: RESULT_FILE, entrant: row.label, field: `${name}.${field}` }, value, shown);
    }
  }
}

/** Durations cannot be verified. But the games that are not repeatable must be those of the result. */
async function checkTimings(folder: string, games: readonly TournamentGame[], findings: Findings): Promise<void> {
  const text = await textOf(folder, TIMINGS_FILE);
  let timings: { readonly games?: readonly (Partial<Timings['games'][number]> | null)[] } | null = null;
  try {
    timings = typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    // Reported below, as if the file were missing.
  }
  if (!Array.isArray(timings?.games)) {
    findings.add({
      file: TIMINGS_FILE,
      field: 'content',
      expected: 'the timings of a tournament',
      found: text && 'something else',
    });
    return;
  }
  for (const { number, isRepeatable } of games) {
    const found = timings.games.find((timing) => timing?.number === number)?.isRepeatable;
    findings.compare({ file: TIMINGS_FILE, game: number, field: 'isRepeatable' }, isRepeatable, found);
  }
}
