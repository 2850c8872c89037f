// A tournament: plays all games of a schedule, some at a time, and writes the results to a folder. The same programs, build, settings and key
// secret give the same result, byte for byte, unless an entrant runs out of real time (decision 24).
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { BotKind } from '../bot.js';
import { botNamed as shippedBotNamed } from '../bots/index.js';
import { ENTRANT_CONNECTIONS_MAX, RELAY_FILES_SHARE } from '../limits.js';
import { contestsOf } from './contests.js';
import type { Entrant } from './entrants.js';
import { type GameTiming, type Timings, TournamentFolder, timingsIn } from './folder.js';
import { type GameSetup, gameFolder, type PlayedGame, playGame } from './game.js';
import { programDigest } from './program.js';
import { NO_STANDINGS, type Standings, standingsOf } from './ratings.js';
import type { ReadFinishedWorld, Settings, Tournament, TournamentEntrant, TournamentGame } from './result.js';
import { UnfitTournament } from './result.js';
import { type Sandbox, UNBOUNDED_WITHOUT, unboundedWith } from './sandbox.js';
import { type ScheduledGame, scheduleOf, tournamentDigest } from './schedule.js';
import { POINTS_FILE, POINTS_HEADING, pointsRows, RESULTS_FILE, resultsText } from './tables.js';

/** What is played, and where. */
export interface TournamentOptions {
  readonly settings: Settings;
  readonly entrants: readonly Entrant[];
  /** Name of the rule set, or the path of its file. */
  readonly rulesSource: string;
  /** Folder of the result: empty, missing, or that of an interrupted tournament with the same options. */
  readonly out: string;
  /** Games that are played at a time. */
  readonly jobs: number;
  /** Of each entrant that is a command; null for none. */
  readonly sandbox: Sandbox | null;
  /** Transport of the servers; null for the default of the platform. */
  readonly transport: string | null;
}

/** What a tournament needs of galaxyd. */
export interface TournamentPorts {
  /** Version and commit of galaxyd. */
  readonly version: string;
  /** Program and arguments that start galaxyd. */
  readonly program: readonly string[];
  /** PATH of entrants. */
  readonly path: string;
  /** Files that this process may open. */
  readonly openFilesMax: number;
  readonly readFinishedWorld: ReadFinishedWorld;
  /** Looks up the bots of entrants by their source; the shipped bots by default. */
  readonly botNamed?: (source: string) => BotKind | undefined;
  /** @returns the first thing that is wrong with the shape of a `result.json`; null if it is right */
  readonly shapeFault: (content: unknown) => string | null;
  readonly onProgress?: (progress: TournamentProgress) => void;
  /** Ends the tournament. Finished games are kept. */
  readonly signal?: AbortSignal;
}

export interface TournamentProgress {
  readonly gamesDone: number;
  readonly games: number;
  /** World days of all games, including those in progress. */
  readonly daysDone: number;
  readonly days: number;
  /** The game that has just ended. */
  readonly finished?: TournamentGame;
}

/** While games are played, ratings are computed again only after this many times as long as the last computation took. */
const RATING_PAUSE = 20;

/** The result before the first game: settings, entrants and format. */
async function beginningOf({ settings, entrants }: TournamentOptions, version: string): Promise<Tournament> {
  const { setting, rules, variation, days, seeds, rounds, playersPerGame, speed, systemsPerGalaxy } = settings;
  const { commandsPerDay, wakeupsPerDay, wakeupsByOthersPerDay, wallSecondsPerTurn } = settings;
  const { name, version: rulesVersion, digest } = rules;
  return {
    format: 1,
    galaxyd: version,
    isFinished: false,
    settings: {
      ...(setting === undefined ? {} : { setting }),
      rules: { name, version: rulesVersion, digest },
      variation,
      days,
      seeds: [...seeds],
      rounds,
      ...(playersPerGame === undefined ? {} : { playersPerGame }),
      commandsPerDay,
      wakeupsPerDay,
      wakeupsByOthersPerDay,
      wallSecondsPerTurn,
      speed,
      systemsPerGalaxy,
      // An entrant that finds the file must not learn the keys of others.
      keySecret: null,
    },
    entrants: await Promise.all(entrants.map((entrant) => entrantRow(entrant, settings))),
    games: [],
    ...NO_STANDINGS,
  };
}

async function entrantRow(entrant: Entrant, settings: Settings): Promise<TournamentEntrant> {
  const { label, kind, source } = entrant;
  const { commandsPerDay } = settings;
  const wakeupsPerDay = entrant.wakeupsPerDay ?? settings.wakeupsPerDay;
  return { label, kind, source, programDigest: await programDigest(entrant), commandsPerDay, wakeupsPerDay };
}

/**
 * Plays a tournament to its end.
 *
 * @returns its result, as in the folder
 * @throws UnfitTournament, ServerFailed, what readFinishedWorld() throws, and the reason of the signal
 */
export async function runTournament(options: TournamentOptions, ports: TournamentPorts): Promise<Tournament> {
  const beginning = await beginningOf(options, ports.version);
  const schedule = scheduleOf(options.settings, beginning.entrants);
  const { folder, found } = await TournamentFolder.take(options.out, (earlier) => {
    const fault = ports.shapeFault(earlier);
    return fault === null ? whyUnfit(earlier, beginning, schedule) : `its result is not that of a tournament: ${fault}`;
  });
  try {
    const run = new Run(options, ports, folder, beginning, schedule);
    if (found !== null) await run.resume(found);
    await run.playAll();
    return await run.finish();
  } finally {
    await folder.release();
  }
}

/** @returns why a result in the folder does not belong to this tournament; null if it does */
function whyUnfit(found: Tournament, beginning: Tournament, schedule: readonly ScheduledGame[]): string | null {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  if (!isSame(found.galaxyd, beginning.galaxyd))
    return `galaxyd ${found.galaxyd} began a tournament there, and this is ${beginning.galaxyd}`;
  const unlessProgram = (entrants: readonly TournamentEntrant[]) =>
    entrants.map((one) => ({ ...one, programDigest: null }));
  if (!isSame(unlessProgram(found.entrants), unlessProgram(beginning.entrants)))
    return 'a tournament of other entrants was begun there';
  const changed = beginning.entrants.filter((one, index) => !isSame(one, found.entrants[index]));
  if (changed.length > 0) return changedPrograms(changed.map(({ label }) => label));
  const names = Object.keys({ ...beginning.settings, ...found.settings });
  for (const name of names as (keyof Settings)[]) {
    const [value, other] = [beginning.settings[name], found.settings[name]];
    if (!isSame(other, value)) {
      return `a tournament with ${name} ${JSON.stringify(other)} was begun there, and not ${JSON.stringify(value)}`;
    }
  }
  // The settings are the same, so the key secret differs.
  const isScheduled = ({ number, orderSeed }: TournamentGame): boolean => schedule[number - 1]?.orderSeed === orderSeed;
  return found.games.every(isScheduled) ? null : 'a tournament with another key secret was begun there';
}

/** Says that a tournament cannot go on with other programs. */
function changedPrograms(labels: readonly string[]): string {
  const programs = labels.length === 1 ? 'the program' : 'the programs';
  return `${programs} of ${labels.join(', ')} changed since the tournament began; restore what was there, or begin another tournament`;
}

/** A tournament that is being played. */
class Run {
  readonly #options: TournamentOptions;
  readonly #ports: TournamentPorts;
  readonly #folder: TournamentFolder;
  readonly #beginning: Tournament;
  readonly #schedule: readonly ScheduledGame[];
  readonly #setup: GameSetup;
  readonly #games = new Map<number, TournamentGame>();
  /** Rows of `points.csv` of the games that this run has played, by number. */
  readonly #points = new Map<number, string>();
  readonly #timings = new Map<number, GameTiming>();
  /** World days of games in progress, by number. */
  readonly #daysUnderWay = new Map<number, number>();
  #standings: Standings = NO_STANDINGS;
  /** When the games so far are rated again, by performance.now(). */
  #ratedAgainMs = 0;
  /** Resolves when everything is written. */
  #written: Promise<void> = Promise.resolve();

  constructor(
    options: TournamentOptions,
    ports: TournamentPorts,
    folder: TournamentFolder,
    beginning: Tournament,
    schedule: readonly ScheduledGame[],
  ) {
    this.#options = options;
    this.#ports = ports;
    this.#folder = folder;
    this.#beginning = beginning;
    this.#schedule = schedule;
    const { settings, rulesSource, transport, sandbox } = options;
    const { program, path, readFinishedWorld, botNamed = shippedBotNamed } = ports;
    const connectionsMax = connectionsMaxOf(options, ports.openFilesMax);
    const entrants = options.entrants.map((entrant, index) => ({
      ...entrant,
      ...(beginning.entrants[index] as TournamentEntrant),
    }));
    const chosen = { rulesSource, transport, connectionsMax, sandbox };
    this.#setup = { ...chosen, settings, entrants, program, path, readFinishedWorld, botNamed };
  }

  /** Continues after the games that an earlier run has finished. */
  async resume({ games }: Tournament): Promise<void> {
    for (const game of games) this.#games.set(game.number, game);
    const timings = await timingsIn(this.#folder.path);
    for (const timing of timings?.games ?? [])
      if (this.#games.has(timing.number)) this.#timings.set(timing.number, timing);
  }

  /** Plays all missing games. If one fails, those in progress are ended, too. */
  async playAll(): Promise<void> {
    const failure = new AbortController();
    const signal = AbortSignal.any([failure.signal, ...(this.#ports.signal === undefined ? [] : [this.#ports.signal])]);
    signal.throwIfAborted();
    await this.#folder.keepKeySecret(this.#options.settings.keySecret);
    await this.#write();
    const missing = this.#schedule.filter(({ number }) => !this.#games.has(number));
    const play = async (): Promise<void> => {
      for (let game = missing.shift(); game !== undefined; game = missing.shift()) await this.#play(game, signal);
    };
    const jobs = Array.from({ length: Math.min(this.#options.jobs, missing.length) }, play);
    for (const job of jobs) job.catch((error: unknown) => failure.abort(error));
    // All jobs must end before the folder is unlocked.
    await Promise.allSettled(jobs);
    await Promise.all(jobs);
  }

  /** Writes the tables, the complete result with the key secret, and the checksums. */
  async finish(): Promise<Tournament> {
    const { keySecret } = this.#options.settings;
    this.#rate();
    const shown = this.#result();
    const result: Tournament = { ...shown, isFinished: true, settings: { ...shown.settings, keySecret } };
    await this.#folder.writeTable(POINTS_FILE, await this.#pointsText());
    await this.#folder.writeTable(RESULTS_FILE, resultsText(result.games));
    await this.#folder.writeResult(result);
    await this.#folder.writeTimings(this.#timingsNow());
    await this.#folder.removeKeySecret();
    await this.#folder.writeSums();
    return result;
  }

  /** The worlds of games that an earlier run has played are replayed again. */
  async #pointsText(): Promise<string> {
    const { days } = this.#options.settings;
    let text = POINTS_HEADING;
    for (const game of inOrder(this.#games)) {
      const world = join(this.#folder.path, gameFolder(game.number), 'world');
      text += this.#points.get(game.number) ?? pointsRows(game, await this.#ports.readFinishedWorld(world), days);
    }
    return text;
  }

  async #play(game: ScheduledGame, signal: AbortSignal): Promise<void> {
    const { number } = game;
    const folder = join(this.#folder.path, gameFolder(number));
    const onDays = (days: number): void => {
      this.#daysUnderWay.set(number, days);
      this.#report();
    };
    let played: PlayedGame;
    try {
      await this.#requireUnchangedPrograms();
      played = await playGame(game, this.#setup, folder, { onDays, signal });
    } catch (error) {
      await this.#folder.removeGame(number);
      throw error;
    }
    const { row, points, wallMs, ...measured } = played;
    this.#daysUnderWay.delete(number);
    this.#games.set(number, row);
    this.#points.set(number, points);
    const wholeMs = Math.round(wallMs);
    const unbounded = unboundedOf(this.#options);
    this.#timings.set(number, { number, wallMs: wholeMs, isRepeatable: row.isRepeatable, ...measured, unbounded });
    await this.#write();
    this.#report(row);
  }

  /** @throws UnfitTournament */
  async #requireUnchangedPrograms(): Promise<void> {
    const changed: string[] = [];
    for (const entrant of this.#setup.entrants)
      if ((await programDigest(entrant)) !== entrant.programDigest) changed.push(entrant.label);
    if (changed.length > 0) throw new UnfitTournament(changedPrograms(changed));
  }

  /** Writes one after the other, since games end while others are written. */
  async #write(): Promise<void> {
    this.#written = this.#written.then(async () => {
      await this.#folder.writeTimings(this.#timingsNow());
      if (performance.now() >= this.#ratedAgainMs) this.#rate();
      await this.#folder.writeResult(this.#result());
    });
    await this.#written;
  }

  #result(): Tournament {
    return { ...this.#beginning, games: inOrder(this.#games), ...this.#standings };
  }

  /** Rates the games so far. */
  #rate(): void {
    const beganMs = performance.now();
    const { entrants } = this.#beginning;
    const labels = entrants.map(({ label }) => label);
    this.#standings = standingsOf(
      labels,
      contestsOf(inOrder(this.#games)),
      tournamentDigest(this.#options.settings, entrants),
    );
    const nowMs = performance.now();
    this.#ratedAgainMs = nowMs + RATING_PAUSE * (nowMs - beganMs);
  }

  #timingsNow(): Timings {
    const processors = cpus();
    const machine = {
      platform: `${process.platform} ${process.arch}`,
      cpus: processors.length,
      cpu: processors[0]?.model ?? '',
      memoryMib: Math.round(totalmem() / 2 ** 20),
    };
    const { transport, jobs } = this.#options;
    return { machine, node: process.version, transport, jobs, games: inOrder(this.#timings) };
  }

  #report(finished?: TournamentGame): void {
    const { days } = this.#options.settings;
    const underWay = [...this.#daysUnderWay.values()].reduce((sum, one) => sum + one, 0);
    this.#ports.onProgress?.({
      gamesDone: this.#games.size,
      games: this.#schedule.length,
      daysDone: this.#games.size * days + underWay,
      days: this.#schedule.length * days,
      ...(finished === undefined ? {} : { finished }),
    });
  }
}

/** Open connections of each entrant, so that those of all games that are played at a time find room. */
function connectionsMaxOf({ settings, entrants, jobs }: TournamentOptions, openFilesMax: number): number {
  const commands = entrants.filter(({ kind }) => kind === 'command').length;
  const relays = Math.min(commands, settings.playersPerGame ?? commands) * jobs;
  const share = Math.floor((openFilesMax * RELAY_FILES_SHARE) / (2 * relays));
  return Math.max(1, Math.min(ENTRANT_CONNECTIONS_MAX, share));
}

/** What is not bounded of its entrants. */
export function unboundedOf({ entrants, sandbox }: Pick<TournamentOptions, 'entrants' | 'sandbox'>): readonly string[] {
  if (entrants.every(({ kind }) => kind === 'bot')) return [];
  return sandbox === null ? UNBOUNDED_WITHOUT : unboundedWith();
}

function inOrder<Row>(rows: ReadonlyMap<number, Row>): Row[] {
  return [...rows].sort(([one], [other]) => one - other).map(([, row]) => row);
}
