// Runs the shell blocks of a document with `galaxyd` in the PATH, as a reader would type them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { BUNDLED } from './process/galaxyd-process.js';

/** Stops at the first command that fails and names its block. Everything it started ends with it. */
const OPENING = 'set -euo pipefail; trap "kill \\$(jobs -p) 2>/dev/null || true" EXIT; ';
/** A hang becomes a failure after this. */
const DEADLINE_MS = 300_000;

export interface ShellEnding {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Shell {
  /** Further programs, by name. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The blocks of a document that are marked `sh`. */
export function shellBlocks(document: string): string[] {
  return [...document.matchAll(/```sh\n([^`]+)```/g)].map(([, block = '']) => block);
}

/** @returns null if there is no bash or no curl */
export async function runBlocks(
  t: Test,
  folder: string,
  blocks: readonly string[],
  { programs = {}, env = {} }: Shell = {},
): Promise<ShellEnding | null> {
  const script = OPENING + blocks.map((block, index) => `echo "--- block ${index + 1}"\n${block}`).join('\n');
  const path = join(await temporaryFolder(t), 'programs');
  await mkdir(path);
  const galaxyd = `#!/bin/sh\nexec '${process.execPath}' '${BUNDLED}' "$@"\n`;
  for (const [name, text] of Object.entries({ galaxyd, ...programs })) {
    await writeFile(join(path, name), text);
    await chmod(join(path, name), 0o755);
  }
  const own = Object.entries(process.env).filter(([name]) => !/^(GALAXYD_|PG|NODE_OPTIONS$)/.test(name));
  const shell = spawn('bash', ['-m', '-c', `command -v curl >/dev/null || exit 99; ${script}`], {
    cwd: folder,
    env: { ...Object.fromEntries(own), PATH: `${path}${delimiter}${process.env['PATH']}`, ...env },
  });
  let stdout = '';
  let stderr = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const deadline = setTimeout(() => shell.kill(), DEADLINE_MS);
  try {
    const [code] = await once(shell, 'close');
    return code === 99 ? null : { code, stdout, stderr };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}
