// One release of Node: a fresh clone as a new user has it, with the two commands of the README, the suites by name, and the native part.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Owner } from '../support/process/galaxyd-process.js';
import { root } from '../tidy/repository.js';
import { commandIn, type DebianRoot } from './debian-root.js';
import { CURRENT_LIBRARY, type Fetched, KEPT_FOLDER } from './fetched-packages.js';
import { NATIVE_SUITE, SUITES } from './suites.js';

/** Result of one try, as it is printed. */
export interface Outcome {
  readonly text: string;
  readonly isFault: boolean;
}

/** The columns of the table, and how many steps a platform has. */
export const TRIES = ['npm start', ...Object.keys(SUITES), 'npm test', `native ${CURRENT_LIBRARY.version}`] as const;

export interface PlatformOptions {
  /** Folder of the release of Node. */
  readonly node: string;
  /** Test files for `npm test`; all by default. */
  readonly tests: readonly string[];
  readonly library: Fetched;
  readonly debian: DebianRoot;
  /** Reports what comes next. */
  readonly onTry: (name: string) => void;
}

/** Tries everything on one release. */
export async function tryPlatform(owner: Owner, options: PlatformOptions): Promise<Outcome[]> {
  const clone = join(await temporaryFolder(owner), 'galaxyd');
  const { code } = await ended(spawn('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' }));
  if (code !== 0) throw new Error(`git clone of ${root} ended with ${code}`);
  const place = { clone, environment: environmentOf(options.node) };
  const tries: (() => Promise<Outcome>)[] = [
    () => tryStart(owner, place),
    ...Object.values(SUITES).map((files) => () => tryTests(place, files)),
    () => tryTests(place, options.tests),
    () => tryNative(place, options),
  ];
  const outcomes: Outcome[] = [];
  for (const [index, attempt] of tries.entries()) {
    options.onTry(TRIES[index] ?? '');
    outcomes.push(await attempt());
  }
  return outcomes;
}

interface Place {
  readonly clone: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** With this Node before all others, and without the variables of the npm and the test runner around this process. */
function environmentOf(node: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|_?TAP|NODE_OPTIONS$|TEST_|LONG$)/.test(name));
  return { ...Object.fromEntries(own), PATH: [join(node, 'bin'), process.env['PATH']].join(delimiter) };
}

/** `npm start`, until it answers. */
async function tryStart(owner: Owner, { clone, environment }: Place): Promise<Outcome> {
  const data = await temporaryFolder(owner);
  const startedMs = performance.now();
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
    cwd: clone,
    env: environment,
    // A group of its own, so that npm and the server end together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = ended(child);
  try {
    const url = await Promise.race([urlOf(child), end.then(({ output }) => Promise.reject(output))]);
    const status = (await (await fetch(`${url}/api/status`)).json()) as { http: string; node: string };
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    return { text: `${seconds} s, ${status.http}`, isFault: status.node !== (await versionOf(environment)) };
  } catch (error) {
    return { text: `failed: ${lastLine(String(error))}`, isFault: true };
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await end;
  }
}

async function versionOf(environment: NodeJS.ProcessEnv): Promise<string> {
  return (await ended(spawn('node', ['--version'], { env: environment }))).output.trim();
}

async function tryTests({ clone, environment }: Place, files: readonly string[]): Promise<Outcome> {
  return judged(await ended(spawn('npm', ['test', '--', ...files], { cwd: clone, env: environment })));
}

async function tryNative({ clone, environment }: Place, { node, library, debian }: PlatformOptions): Promise<Outcome> {
  if ('missing' in library) return { text: library.missing, isFault: false };
  if ('missing' in debian) return { text: debian.missing, isFault: false };
  const modules = (await ended(spawn('node', ['--print', 'process.versions.modules'], { env: environment }))).output;
  const build = `uws_${process.platform}_${process.arch}_${modules.trim()}.node`;
  if (!existsSync(join(library.folder, build))) return { text: 'no build', isFault: false };
  const files = NATIVE_SUITE.map((file) => file.replace(/^test\//, 'dist/test/').replace(/\.ts$/, '.js'));
  return judged(await ended(spawn(...commandIn({ root: debian.root, clone, node, library: library.folder }, files))));
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  let output = '';
  const take = (text: string): void => {
    output += text;
  };
  child.stdout?.setEncoding('utf8').on('data', take);
  child.stderr?.setEncoding('utf8').on('data', take);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Where a server says that it serves. */
async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('its output is not read');
  let output = '';
  for await (const [text] of on(stdout, 'data', { close: ['end'] })) {
    output += text;
    const [, url] = /"url":"([^"]+)"/.exec(output) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('it did not say where it serves');
}

/** @param output of the test runner: a line for each file */
async function judged({ code, output }: Ended): Promise<Outcome> {
  const files = [...output.matchAll(/^(not ok|ok) \d+ - dist\/test\/(\S+)\.test\.js/gm)];
  const failed = files.filter(([, result]) => result === 'not ok').map(([, , name]) => name);
  const passed = `${files.length - failed.length} of ${files.length} files pass`;
  if (code === 0) return { text: passed, isFault: false };
  const kept = join(KEPT_FOLDER, `.failed-${randomUUID()}.tap`);
  await writeFile(kept, output);
  return { text: `${passed}; not ${failed.join(', ')} (${relative(root, kept)})`, isFault: true };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
