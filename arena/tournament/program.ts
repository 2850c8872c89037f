// The digest of an entrant's program, by which a tournament notices that it has changed. It does not depend on the folder in which the
// program lies, nor on the interpreter that is found in PATH.
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROGRAM_FILES_MAX } from '../limits.js';
import { sumOf } from './checksum.js';
import type { Entrant, NamedFile } from './entrants.js';
import { MANIFEST, manifestIn, requireWithin } from './manifest.js';
import { UnfitTournament } from './result.js';

/** Python writes to such a folder when it runs. */
const CACHE_FOLDER = '__pycache__';

/**
 * @returns SHA-256 over the command line, and the names and contents of all files of the program; null for a bot of galaxyd
 * @throws UnfitTournament if a file of it cannot be read
 */
export async function programDigest({ label, kind, source, files }: Entrant): Promise<string | null> {
  if (kind === 'bot') return null;
  const hash = createHash('sha256').update(JSON.stringify(['galaxyd entrant 1', source]));
  try {
    for (const { name, path } of await filesOf(files)) hash.update(JSON.stringify([name, await sumOf(path)]));
  } catch (error) {
    throw new UnfitTournament(`the program of ${label} cannot be read: ${(error as Error).message}`);
  }
  return hash.digest('hex');
}

/**
 * All files of a program, each once, in the order of their names.
 *
 * @throws Error if one cannot be read, if a manifest names one outside of its folder, or if there are too many
 */
export async function filesOf(named: readonly NamedFile[]): Promise<NamedFile[]> {
  const found: Found = { files: new Map(), folders: 0 };
  const folders = new Map(named.map(({ name, path }) => [dirname(name), dirname(path)]));
  for (const file of named) await addFiles(file, found, null);
  for (const [folderName, folder] of folders) {
    const manifest = manifestIn(folder);
    if (manifest === null) continue;
    await addFiles({ name: join(folderName, MANIFEST), path: join(folder, MANIFEST) }, found, folder);
    for (const name of manifest.files)
      await addFiles({ name: join(folderName, name), path: join(folder, name) }, found, folder);
  }
  return [...found.files.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What a walk has found so far. */
interface Found {
  /** Files by name. */
  readonly files: Map<string, NamedFile>;
  /** Number of folders. One to which links lead counts as often as it is reached. */
  folders: number;
}

/**
 * Adds a file, or all files of a folder.
 *
 * @param bounds the folder of the manifest that names it; null if a command names it
 */
async function addFiles({ name, path }: NamedFile, found: Found, bounds: string | null): Promise<void> {
  const status = await stat(path);
  if (bounds !== null) requireWithin(bounds, path);
  if (status.isDirectory()) {
    found.folders += 1;
    if (found.folders > PROGRAM_FILES_MAX) throw new Error(`it has more than ${PROGRAM_FILES_MAX} folders`);
    for (const entry of await readdir(path))
      if (entry !== CACHE_FOLDER) await addFiles({ name: join(name, entry), path: join(path, entry) }, found, bounds);
    return;
  }
  if (!status.isFile()) throw new Error(`${path} is neither a file nor a folder`);
  found.files.set(name, { name, path });
  if (found.files.size > PROGRAM_FILES_MAX) throw new Error(`it has more than ${PROGRAM_FILES_MAX} files`);
}
