// Verifies the folder of a tournament without trusting anything in it: checksums, the schedule that follows from the settings, a
// replay of every world from its genesis, and the ratings. Each thing that is wrong is named, with both values.
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FINDINGS_MAX, GAME_DAYS_MAX, GAMES_MAX, VERIFIED_FILE_BYTES_MAX, VERIFIED_TEXT_BYTES_MAX } from '../limits.js';
import { NoTournament } from './failures.js';
import {
  isOfTournament,
  RESULT_FILE,
  resultText,
  SUMS_FILE,
  summedFiles,
  sumOf,
  TIMINGS_FILE,
  type Timings,
} from './folder.js';
import { gameFolder, MS_PER_DAY } from './game.js';
import { ratingsOf } from './ratings.js';
import { ranksOf, type Settings, type Tournament, type TournamentGame, type TournamentPlayer } from './result.js';
import { type ScheduledGame, scheduleOf, tournamentDigest } from './schedule.js';
import type { RulesIdentity, SealedPlayer, SealedWorld, SealWorld } from './sealed-world.js';

/** Something that is wrong. */
export interface Finding {
  /** Relative to the folder. */
  readonly file: string;
  readonly game: number | null;
  /** Label. */
  readonly entrant: string | null;
  /** What of it is wrong, such as `points`. */
  readonly field: string;
  /** What it should be, as far as that is known. */
  readonly expected: unknown;
  readonly found: unknown;
}

export interface Verification {
  /** In the order in which they were found; FINDINGS_MAX at most. */
  readonly findings: readonly Finding[];
  readonly games: number;
  readonly files: number;
  /** Entries of all logs. */
  readonly entries: number;
  /** Numbers of games that another run may play differently, since an entrant ran out of time. */
  readonly unrepeatable: readonly number[];
}

export interface VerificationPorts {
  readonly sealWorld: SealWorld;
  /** Whether a text is the content of a `result.json`; returns the first thing that is wrong with its shape. */
  readonly shapeFault: (content: unknown) => string | null;
  /** The instance of a rule set; null if galaxyd does not have the rule set, but its author. */
  readonly instanceOf: (rules: RulesIdentity, variation: number) => RulesIdentity | null;
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
  // What is read from a pipe may never come, and what a link leads to has no checksum.
  if (!areAllFiles) return ended(0);
  const result = await resultOf(folder, ports, findings);
  if (result === null) return ended(0);
  const { settings, entrants, games } = result;
  if (!isVerifiable(result, findings) || settings.keySecret === null) return ended(games.length);
  const known: Settings = { ...settings, keySecret: settings.keySecret };
  const schedule = scheduleOf(known, entrants);
  checkPaths(listed, schedule.length, findings);
  findings.compare({ file: RESULT_FILE, field: 'number of games' }, schedule.length, games.length);
  let entries = 0;
  for (const [index, planned] of schedule.entries()) {
    ports.onProgress?.(index, schedule.length);
    const game = games[index];
    if (game !== undefined) entries += await checkGame({ folder, game, planned, result, ports, findings });
  }
  checkRatings(result, tournamentDigest(known, entrants), findings);
  await checkTimings(folder, games, findings);
  const unrepeatable = games.filter(({ isRepeatable }) => !isRepeatable).map(({ number }) => number);
  return { ...ended(games.length), entries, unrepeatable };
}

/** Whether it is finished, and its schedule one that a tournament can have. */
function isVerifiable({ isFinished, settings }: Tournament, findings: Findings): boolean {
  const { keySecret, seeds, rounds, days } = settings;
  const count = findings.all.length;
  const atMost = (field: string, most: number, found: number): void => {
    if (found > most) findings.add({ file: RESULT_FILE, field, expected: `at most ${most}`, found });
  };
  findings.compare({ file: RESULT_FILE, field: 'isFinished' }, true, isFinished);
  if (isFinished && keySecret === null)
    findings.add({ file: RESULT_FILE, field: 'settings.keySecret', expected: 'a text', found: null });
  atMost('settings.days', GAME_DAYS_MAX, days);
  atMost('settings.seeds times settings.rounds', GAMES_MAX, seeds.length * rounds);
  return findings.all.length === count;
}

/** Files that no tournament writes are no part of what is verified, so they must not look as if they were. */
function checkPaths(paths: readonly string[], games: number, findings: Findings): void {
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

/** What is wrong with the checksums alone; verifyTournament() begins with it. */
export async function sumFindings(folder: string): Promise<readonly Finding[]> {
  const findings = new Findings();
  await checkSums(folder, findings);
  return findings.all;
}

interface CheckedFiles {
  /** How many there are. */
  readonly files: number;
  /** Paths of those that have a checksum. */
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

/** @returns null if nothing more can be verified; what is wrong is among the findings */
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
  // A member that is there twice means one thing to one reader and another to the next.
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

/** @returns entries of its log */
async function checkGame(check: GameCheck): Promise<number> {
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
  let sealed: SealedWorld;
  try {
    sealed = await ports.sealWorld(join(folder, path));
  } catch (error) {
    findings.add({
      file: path,
      game: number,
      field: 'world',
      expected: 'a sound log',
      found: (error as Error).message,
    });
    return 0;
  }
  checkWorld(check, sealed, path);
  compare('seq', sealed.seq, game.seq);
  compare('stateHash', sealed.stateHash, game.stateHash);
  compare('logDigest', sealed.logDigest, game.logDigest);
  if (game.rules !== undefined) compare('rules', sealed.rules, game.rules);
  compare('worldTime', endOf(sealed, result.settings.days), game.worldTime);
  const ranks = ranksOf(sealed.players.map(({ points }) => points));
  for (const [index, player] of game.players.entries()) {
    const place = sealed.players.findIndex(({ name }) => name === player.label);
    const played = sealed.players[place];
    const rank = ranks[place];
    if (played !== undefined && rank !== undefined) checkPlayer(check, player, played, rank);
    else compare(`players[${index}].label`, sealed.players[index]?.name, player.label);
  }
  return sealed.seq;
}

/** A game names its rules if each has its own; those of a file are compared only with its world. */
function checkInstance({ game, planned, result, ports, findings }: GameCheck): void {
  const { rules, variation } = result.settings;
  const place = { file: RESULT_FILE, game: planned.number, field: 'rules' };
  if (variation !== 'each' || planned.variation === null) findings.compare(place, undefined, game.rules);
  else if (game.rules === undefined) findings.add({ ...place, expected: 'the rules of the game', found: undefined });
  else findings.compare(place, ports.instanceOf(rules, planned.variation) ?? game.rules, game.rules);
}

/** Whether the world is the one that was to be played in. */
function checkWorld({ planned, result, ports, findings }: GameCheck, sealed: SealedWorld, file: string): void {
  const { settings } = result;
  const game = planned.number;
  const compare = (field: string, expected: unknown, found: unknown): void =>
    findings.compare({ file, game, field }, expected, found);
  compare('seed', planned.seed, sealed.seed);
  compare('speed', settings.speed, sealed.speed);
  compare('systemsPerGalaxy', settings.systemsPerGalaxy, sealed.systemsPerGalaxy);
  if (settings.variation !== 'each') compare('rules.digest', settings.rules.digest, sealed.rules.digest);
  compare(
    'starts',
    planned.starts,
    sealed.players.map(({ name }) => name),
  );
  compare('foreignCommands', [], sealed.foreignCommands);
  for (const { name, keyHash } of sealed.players) {
    findings.compare(
      { file, game, entrant: name, field: 'keyHash' },
      ports.keyHashOf(planned.keySecret, name),
      keyHash,
    );
  }
  const end = endOf(sealed, settings.days);
  if (Date.parse(sealed.worldTime) > Date.parse(end)) compare('worldTime', end, sealed.worldTime);
}

/** World time at which a game of so many days ends. */
function endOf({ startedAt }: SealedWorld, days: number): string {
  return new Date(Date.parse(startedAt) + days * MS_PER_DAY).toISOString();
}

function checkPlayer(check: GameCheck, player: TournamentPlayer, played: SealedPlayer, rank: number): void {
  const { planned, result, findings } = check;
  const { label, commands, refusals } = player;
  const compare = (field: string, expected: unknown, found: unknown): void =>
    findings.compare({ file: RESULT_FILE, game: planned.number, entrant: label, field }, expected, found);
  compare('playerId', played.playerId, player.playerId);
  compare('points', played.points, player.points);
  compare('rank', rank, player.rank);
  // Refused commands are not in the log: they are known only by their sum. Those without a budget do not count.
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
  const wakeupsMax = days * budget.wakeupsPerDay;
  if (player.wakeups > wakeupsMax) compare('wakeups', `at most ${wakeupsMax}`, player.wakeups);
}

/** From the ranks in the result, which were compared with the worlds before. */
function checkRatings({ entrants, games, ratings }: Tournament, digest: string, findings: Findings): void {
  const expected = ratingsOf(
    entrants.map(({ label }) => label),
    games,
    digest,
  );
  const order = (rows: Tournament['ratings']): string[] => rows.map(({ label }) => label);
  findings.compare({ file: RESULT_FILE, field: 'ratings' }, order(expected), order(ratings));
  for (const row of expected) {
    const found = ratings.find(({ label }) => label === row.label);
    for (const [field, value] of Object.entries(row)) {
      const shown = found?.[field as keyof typeof row];
      findings.compare({ file: RESULT_FILE, entrant: row.label, field: `ratings.${field}` }, value, shown);
    }
  }
}

/** Times are not promised; but the games that are marked there must be those of the result. */
async function checkTimings(folder: string, games: readonly TournamentGame[], findings: Findings): Promise<void> {
  const text = await textOf(folder, TIMINGS_FILE);
  let timings: { readonly games?: readonly (Partial<Timings['games'][number]> | null)[] } | null = null;
  try {
    timings = typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    // Told below, as if it was missing.
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
