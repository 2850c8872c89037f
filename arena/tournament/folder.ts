// The folder of a tournament: what is written to it, when, and how an interrupted tournament is resumed. Each file is complete or
// missing: it is written beside its place and renamed.
import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { drawnSecret } from '../child-server.js';
import { sumOf } from './checksum.js';
import { gameFolder } from './game.js';
import { type Tournament, UnfitTournament } from './result.js';
import type { ScheduledGame } from './schedule.js';
import { POINTS_FILE, RESULTS_FILE } from './tables.js';

export const RESULT_FILE = 'result.json';
export const TIMINGS_FILE = 'timings.json';
export const SUMS_FILE = 'SHA256SUMS';
/** Each process that uses the folder, or is about to, has such a file. */
const LOCK_FILE = /^tournament-(\d+)-[^/]*\.lock$/;
/** The key secret of an unfinished tournament, readable only for its user. */
const KEY_SECRET_FILE = 'key-secret';
const GAMES_FOLDER = 'games';
/** Whether a file has no checksum. */
const isOwnFile = (path: string): boolean => path === SUMS_FILE || path === KEY_SECRET_FILE || LOCK_FILE.test(path);

/** What is measured and differs from run to run. */
export interface Timings {
  readonly machine: {
    readonly platform: string;
    readonly cpus: number;
    readonly cpu: string;
    readonly memoryMib: number;
  };
  readonly node: string;
  /** Null for the default of the platform. */
  readonly transport: string | null;
  readonly jobs: number;
  /** In the order of their numbers. */
  readonly games: readonly GameTiming[];
}

export interface GameTiming {
  readonly number: number;
  readonly wallMs: number;
  readonly isRepeatable: boolean;
  /** Why the game is not repeatable. */
  readonly reasons: readonly string[];
  /** How each entrant ended, by label. */
  readonly endings: Readonly<Record<string, string>>;
  /** Connections beyond the maximum, by label of those who tried. */
  readonly refusedConnections: Readonly<Record<string, number>>;
  /** What was not bounded of entrants that are commands. */
  readonly unbounded: readonly string[];
}

export class TournamentFolder {
  readonly path: string;

  readonly #lock: string;

  /** @param lock path of the lock of this process */
  private constructor(path: string, lock: string) {
    this.path = path;
    this.#lock = lock;
  }

  /**
   * Locks an empty or missing folder, or that of an interrupted tournament.
   *
   * @param whyUnfit why a result in the folder does not belong to this tournament; null if it does
   * @throws UnfitTournament if the folder contains anything else
   */
  static async take(
    path: string,
    whyUnfit: (found: Tournament) => string | null,
  ): Promise<{ readonly folder: TournamentFolder; readonly found: Tournament | null }> {
    await mkdir(path, { recursive: true });
    const names = await readdir(path);
    const folder = new TournamentFolder(path, await lock(path));
    try {
      await requireOwnFiles(path);
      if (names.every((name) => LOCK_FILE.test(name) || name === KEY_SECRET_FILE)) return { folder, found: null };
      const found = await resultIn(path);
      const reason =
        found === null ? 'it is not empty' : found.isFinished ? 'a tournament was finished there' : whyUnfit(found);
      if (found === null || reason !== null) {
        throw new UnfitTournament(`${path} cannot be used: ${reason}; name another folder, or remove it`);
      }
      await folder.#removeUnfinishedGames(found);
      return { folder, found };
    } catch (error) {
      await folder.release();
      throw error;
    }
  }

  async release(): Promise<void> {
    await rm(this.#lock, { force: true });
  }

  async writeResult(result: Tournament): Promise<void> {
    await this.#write(RESULT_FILE, resultText(result));
  }

  async writeTimings(timings: Timings): Promise<void> {
    await this.#write(TIMINGS_FILE, `${JSON.stringify(timings, undefined, 2)}\n`);
  }

  /** @param name POINTS_FILE or RESULTS_FILE */
  async writeTable(name: typeof POINTS_FILE | typeof RESULTS_FILE, text: string): Promise<void> {
    await this.#write(name, text);
  }

  /** Keeps the key secret until the tournament is finished, so that it can be resumed. */
  async keepKeySecret(keySecret: string): Promise<void> {
    await this.#write(KEY_SECRET_FILE, keySecret, 0o600);
  }

  async removeKeySecret(): Promise<void> {
    await rm(join(this.path, KEY_SECRET_FILE), { force: true });
  }

  async writeSums(): Promise<void> {
    await writeSums(this.path);
  }

  async removeGame(number: number): Promise<void> {
    await rm(join(this.path, gameFolder(number)), { recursive: true, force: true });
  }

  async #removeUnfinishedGames({ games }: Tournament): Promise<void> {
    const kept = new Set(games.map(({ number }) => join(this.path, gameFolder(number))));
    const names = await readdir(join(this.path, GAMES_FOLDER)).catch(ifMissing<string[]>([]));
    for (const name of names) {
      const path = join(this.path, GAMES_FOLDER, name);
      if (!kept.has(path)) await rm(path, { recursive: true, force: true });
    }
  }

  async #write(name: string, text: string, mode?: number): Promise<void> {
    await replace(join(this.path, name), text, mode);
  }
}

/** @returns null if there are none, or if they are not those of a tournament of this version */
export async function timingsIn(folder: string): Promise<Timings | null> {
  try {
    const timings = JSON.parse(await readFile(join(folder, TIMINGS_FILE), 'utf8')) as Timings;
    return timings.games.every(({ refusedConnections }) => typeof refusedConnections === 'object') ? timings : null;
  } catch {
    return null;
  }
}

/** The key secret of the unfinished tournament in a folder, or a new one. @throws UnfitTournament */
export async function keptOrDrawnKeySecret(folder: string): Promise<string> {
  await requireOwnFiles(folder);
  const kept = await readFile(join(folder, KEY_SECRET_FILE), 'utf8').catch(ifMissing(''));
  return kept === '' ? drawnSecret() : kept;
}

/**
 * Requires that a folder contains only files and folders, before anything in it is read, replaced or removed: a link leads elsewhere,
 * and reading a pipe may never end.
 *
 * @throws UnfitTournament
 */
async function requireOwnFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifMissing<Dirent[]>([]));
  const foreign = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (foreign === undefined) return;
  const path = join(foreign.parentPath, foreign.name);
  throw new UnfitTournament(`${folder} cannot be used: ${path} is neither a file nor a folder`);
}

/** Writes the checksums of all other files of a folder, in the format of sha256sum(1). */
export async function writeSums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const path of await summedFiles(folder)) lines.push(`${await sumOf(join(folder, path))}  ${path}\n`);
  await replace(join(folder, SUMS_FILE), lines.join(''));
}

async function replace(path: string, text: string, mode?: number): Promise<void> {
  const beside = `${path}.new`;
  const file = await open(beside, 'w', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
}

/** Sorted paths of the files that have a checksum, relative to the folder and with slashes. */
export async function summedFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) => {
    if (entry.isDirectory()) return [];
    const inside = entry.parentPath === folder ? '' : entry.parentPath.slice(folder.length + 1);
    return [join(inside, entry.name).replaceAll(sep, '/')];
  });
  return paths.filter((path) => !isOwnFile(path)).sort();
}

const GAME_FILE = /^games\/(\d{4,})\/(?:world\/.+|transcript\.jsonl|entrants\/([^/]+)\.(?:log|jsonl))$/;

/**
 * Whether a tournament writes a file with this path.
 *
 * @param path relative to its folder, with slashes
 * @param games all of its games, with the labels of those who play
 */
export function isOfTournament(path: string, games: readonly Pick<ScheduledGame, 'number' | 'starts'>[]): boolean {
  if ([RESULT_FILE, TIMINGS_FILE, POINTS_FILE, RESULTS_FILE].includes(path)) return true;
  const [, digits, label] = GAME_FILE.exec(path) ?? [];
  const game = games[Number(digits ?? 0) - 1];
  if (game === undefined || !path.startsWith(`${gameFolder(game.number).replaceAll(sep, '/')}/`)) return false;
  return label === undefined || game.starts.includes(label);
}

/** The text of `result.json`. */
export function resultText(result: Tournament): string {
  return `${JSON.stringify(result, undefined, 2)}\n`;
}

async function resultIn(folder: string): Promise<Tournament | null> {
  const text = await readFile(join(folder, RESULT_FILE), 'utf8').catch(ifMissing(''));
  try {
    const result = JSON.parse(text) as Tournament;
    return Array.isArray(result.games) ? result : null;
  } catch {
    return null;
  }
}

/** @returns a handler that replaces a missing file with a value, and throws any other error */
function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return value;
    throw error;
  };
}

/**
 * Locks a folder: two tournaments in one folder would remove each other's games. Each process writes its own lock before it looks for
 * others, so one of two processes sees the other.
 *
 * @returns the path of the lock
 * @throws UnfitTournament
 */
async function lock(folder: string): Promise<string> {
  const own = `tournament-${process.pid}-${randomUUID()}.lock`;
  const path = join(folder, own);
  await writeFile(path, '');
  for (const name of await readdir(folder)) {
    const holder = Number(LOCK_FILE.exec(name)?.[1]);
    if (name === own || Number.isNaN(holder)) continue;
    if (isRunning(holder)) {
      await rm(path, { force: true });
      throw new UnfitTournament(`${folder} cannot be used: process ${holder} runs a tournament in it`);
    }
    await rm(join(folder, name), { force: true });
  }
  return path;
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
