// `entrant.json`, a file beside a program: the command that starts the program, and the files that belong to it.
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { parsedJson } from '../../text/foreign-text.js';

export const MANIFEST = 'entrant.json';

export interface Manifest {
  /** Program and arguments; null if the file names none. */
  readonly command: readonly string[] | null;
  /** Files and folders, relative to the folder of the manifest, and within it. */
  readonly files: readonly string[];
}

/**
 * @param folder where the manifest is
 * @returns null if there is none
 * @throws Error if it cannot be read or has another form
 */
export function manifestIn(folder: string): Manifest | null {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const content = parsedJson(text);
  const { files, command = null } = typeof content === 'object' && content !== null ? (content as Content) : {};
  if (isWords(files) && (command === null || (isWords(command) && command.length > 0))) return { command, files };
  throw new Error(
    `${path} must be like {"files": ["strategy.py", "lib"]}, and may have a command: {"command": ["python3", "bot.py"], "files": ["bot.py"]}`,
  );
}

/**
 * Checks that a file of a manifest is in its folder, wherever links lead. Otherwise the author of a manifest could choose what an entrant
 * in a sandbox reads of the machine.
 *
 * @param folder where the manifest is
 * @throws Error if the file is elsewhere or does not exist
 */
export function requireWithin(folder: string, path: string): void {
  const real = realpathSync(path);
  if (!isWithin(realpathSync(folder), real))
    throw new Error(`${join(folder, MANIFEST)} names ${path}, which is ${real}, outside of its folder`);
}

/** @returns whether a path is that of a folder or of something in it; links are not followed */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** What a JSON text may have. */
interface Content {
  readonly command?: unknown;
  readonly files?: unknown;
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}
