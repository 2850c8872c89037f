// The programs of an installed PostgreSQL, run by a user without privileges: its server refuses to run as root.
import { execFile, type SpawnOptions } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Where Debian puts them, in a folder for each version. They are not in the PATH there. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const OLDEST_VERSION = 15;
const NOBODY = 65_534;
/** A program that takes longer hangs. */
const PROGRAM_DEADLINE_MS = 120_000;
const run = promisify(execFile);

export type ProgramName = 'initdb' | 'postgres' | 'pg_basebackup' | 'psql';

export class PostgresPrograms {
  readonly #folder: string;
  readonly #user: Pick<SpawnOptions, 'uid' | 'gid'>;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  }

  /** @returns the newest that is installed, or the reason why there is none */
  static find(): PostgresPrograms | string {
    const folder = foldersWithPrograms()[0];
    return folder === undefined ? 'PostgreSQL is not installed' : new PostgresPrograms(folder);
  }

  path(program: ProgramName): string {
    return join(this.#folder, program);
  }

  /** The user, the folder and the environment of a program: no settings of another PostgreSQL, English messages. */
  spawnOptions(cwd: string, env: Readonly<Record<string, string>> = {}): Pick<SpawnOptions, 'cwd' | 'env'> {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('LC_'));
    return { ...this.#user, cwd, env: { ...Object.fromEntries(own), LC_ALL: 'C', ...env } };
  }

  /** Gives a folder to the user that runs the programs. */
  async own(path: string): Promise<void> {
    const { uid, gid } = this.#user;
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
  }

  /**
   * Runs a program to its end.
   *
   * @returns its standard output
   * @throws Error with its standard error
   */
  async run(program: ProgramName, args: readonly string[], cwd: string, env = {}): Promise<string> {
    const options = { ...this.spawnOptions(cwd, env), timeout: PROGRAM_DEADLINE_MS, maxBuffer: 2 ** 28 };
    const { stdout } = await run(this.path(program), args, { ...options, encoding: 'utf8' });
    return stdout;
  }
}

/** The newest version first, then what is in the PATH. */
function foldersWithPrograms(): string[] {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).map(Number) : [];
  const debian = versions.filter((version) => version >= OLDEST_VERSION).sort((a, b) => b - a);
  const folders = [
    ...debian.map((version) => join(DEBIAN_FOLDER, String(version), 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  // A folder of the PATH may have links to some of the programs.
  return folders.filter((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}
