// The repository as the tests of the house rules see it: its files, and the tools that run on them. It changes nothing.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of the repository's root, seen from dist/test/tidy. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A list of all imports is long. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Folders that a run creates and that are never committed. */
const made = new Set(['.git', '.tap', 'data', 'dist', 'node_modules']);

/** @returns every file that is or would be committed, relative to the root, with forward slashes */
export function committedFiles(): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const present = new Set(walk(root));
    return listed.split('\0').filter((path) => present.has(path));
  } catch {
    // A copy without its history, or a machine without git.
    return walk(root);
  }
}

/** @param path relative to the root */
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/**
 * Runs one of the installed tools.
 * @param program path of its JavaScript file, relative to the root
 * @param folder the folder it works in
 * @returns everything it printed
 */
export function runTool(
  program: string,
  toolArguments: string[],
  folder: string,
): { exitCode: number | null; output: string } {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX } as const;
  const run = spawnSync(process.execPath, [join(root, program), ...toolArguments], options);
  return { exitCode: run.status, output: `${run.stdout}${run.stderr}` };
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return made.has(entry.name) ? [] : walk(path);
    return entry.isFile() ? [relative(root, path).split(sep).join('/')] : [];
  });
}
