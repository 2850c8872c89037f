// The folder of a tournament, as `galaxyd tournament` writes it: its result, and the worlds of its games. It is only read, also while
// the tournament still runs: the result is replaced after each game.
import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openPlainFile } from '../../persistence/files/plain-file.js';
import { Compile } from '../../persistence/typebox.js';
import { contentVersion } from '../exchange/entity-tags.js';
import { TOURNAMENT_RESULT_BYTES_MAX } from '../limits.js';
import { TOURNAMENT_FORMAT, Tournament, type TournamentBody } from '../schemas/tournament.js';

/** Its file with the result. */
const RESULT = 'result.json';

const gameName = (number: number): string => String(number).padStart(4, '0');

/** A folder cannot be shown as a tournament. */
export class TournamentUnreadable extends Error {
  override readonly name = 'TournamentUnreadable';
}

/** A result as it was read. */
export interface TournamentResult {
  readonly body: TournamentBody;
  /** The reply of GET /api/tournament. */
  readonly text: string;
  /** Differs whenever `text` differs. */
  readonly version: string;
}

const check = Compile(Tournament);

export class TournamentFolder {
  readonly #folder: string;
  #result: TournamentResult;
  /** Which file was read. */
  #stamp: string;
  #reading: Promise<TournamentResult> | null = null;
  /** Why it could not be read the last time; empty if it could. */
  #failure = '';
  readonly #onFailure: (error: unknown) => void;

  private constructor(folder: string, result: TournamentResult, stamp: string, onFailure: (error: unknown) => void) {
    this.#folder = folder;
    this.#result = result;
    this.#stamp = stamp;
    this.#onFailure = onFailure;
  }

  /** Whether a folder is that of a tournament. @throws an error of the operating system, except that there is no such file */
  static async isAt(folder: string): Promise<boolean> {
    return (await stat(join(folder, RESULT)).catch(noneIfMissing)) !== null;
  }

  /** @param onFailure called if the result cannot be read later on @throws TournamentUnreadable */
  static async open(folder: string, onFailure: (error: unknown) => void): Promise<TournamentFolder> {
    const { result, stamp } = await readResult(folder, '');
    return new TournamentFolder(folder, result as TournamentResult, stamp, onFailure);
  }

  /** What the file holds now; what it held before if it cannot be read any more. */
  result(): Promise<TournamentResult> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** The folder of the world of a game. @param number from 1 */
  worldFolder(number: number): string {
    return join(this.#folder, 'games', gameName(number), 'world');
  }

  /**
   * Path of the files of an entrant in a game, without their endings.
   *
   * @returns null if there is none: the label of a forged result is no name of a file, or a link leads elsewhere
   */
  async entrantPath(number: number, label: string): Promise<string | null> {
    const inside = join('games', gameName(number), 'entrants');
    const real = await realpath(join(this.#folder, inside)).catch(noneIfMissing);
    if (real !== join(await realpath(this.#folder), inside) || basename(label) !== label) return null;
    return join(real, label);
  }

  async #read(): Promise<TournamentResult> {
    try {
      const { result, stamp } = await readResult(this.#folder, this.#stamp);
      if (result !== null) this.#result = result;
      this.#stamp = stamp;
      this.#failure = '';
    } catch (error) {
      const { message } = error as TournamentUnreadable;
      if (message !== this.#failure) this.#onFailure(error);
      this.#failure = message;
    }
    return this.#result;
  }
}

/** @returns null for the result if it is the file that a stamp is of */
async function readResult(
  folder: string,
  knownStamp: string,
): Promise<{ readonly result: TournamentResult | null; readonly stamp: string }> {
  const path = join(folder, RESULT);
  let file: FileHandle | null = null;
  try {
    file = await openPlainFile(path, TOURNAMENT_RESULT_BYTES_MAX);
    const { mtimeNs, ino, size } = await file.stat({ bigint: true });
    const stamp = `${mtimeNs} ${ino} ${size}`;
    if (stamp === knownStamp) return { result: null, stamp };
    return { result: resultOf(path, await file.readFile('utf8')), stamp };
  } catch (error) {
    if (error instanceof TournamentUnreadable) throw error;
    throw new TournamentUnreadable(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  } finally {
    await file?.close();
  }
}

function resultOf(path: string, json: string): TournamentResult {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new TournamentUnreadable(`${path} is not the result of a tournament: it is not JSON`);
  }
  const format = typeof parsed === 'object' && parsed !== null && 'format' in parsed ? parsed.format : undefined;
  if (typeof format === 'number' && format > TOURNAMENT_FORMAT)
    throw new TournamentUnreadable(`${path} has format ${format}; this galaxyd knows ${TOURNAMENT_FORMAT}`);
  if (!check.Check(parsed)) {
    const [fault] = check.Errors(parsed);
    const what = fault === undefined ? '' : `: ${fault.instancePath || '/'} ${fault.message}`;
    throw new TournamentUnreadable(`${path} is not the result of a tournament${what}`);
  }
  const body = { ...parsed, settings: { ...parsed.settings, keySecret: shownSecretOf(parsed) } };
  const text = JSON.stringify(body);
  return { body, text, version: contentVersion(text) };
}

/** With the secret of a tournament that still runs, an entrant could play its next games with the keys of others. */
function shownSecretOf({ isFinished, settings }: TournamentBody): string | null {
  return isFinished ? settings.keySecret : null;
}

function noneIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
  throw error;
}
