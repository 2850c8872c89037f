// A real `galaxyd` as a child of the test: starts it, reads its output, kills it. It never outlives the test that
// started it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { TEST_RULES_NAME } from '../test-rules.js';
import type { LineEnding } from './command-lines.js';

/** The compiled program, seen from dist/test/support/process; `npm test` names the bundled one, which starts faster. */
const MODULES = fileURLToPath(new URL('../../../cli/main.js', import.meta.url));
export const BUNDLED = process.env['TEST_PROGRAM'] ?? MODULES;
const COMMAND_LINES = fileURLToPath(new URL('./command-lines.js', import.meta.url));
/** A hang becomes a failure after this; no test depends on being faster. */
const DEADLINE_MS = 120_000;
/** A slow machine prints more of these lines; they do not report a problem. */
const PROGRESS =
  /^galaxyd (reads the snapshot|replays the log|writes the snapshot|verifies the snapshot|copies a snapshot|copies the log|follows): .*\n/gm;
const ASK_EVERY_MS = 20;
/** With this variable the test runner loads its own loader into every Node that a test spawns. */
const BARE = ['env', '-u', 'NODE_OPTIONS'];
const SERVING = /galaxyd serves (http:\/\/[^\s,]+)/;

/** An owner that ends its processes when it ends itself; usually a test. */
export type Owner = Pick<Test, 'teardown'>;

export interface ProcessOptions {
  /** Everything after `galaxyd`. */
  readonly args: readonly string[];
  /** Added to the test's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; the test's own by default. */
  readonly cwd?: string;
  /** Path of the program; that of the repository by default, in modules if NODE_OPTIONS load something that may change them. */
  readonly program?: string;
  /** Rules of a new world that `args` do not name: those of tests by default, null for the default of the program. */
  readonly rules?: string | null;
  /** Runs the program through another one that execs it, such as nsenter. */
  readonly by?: readonly string[];
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Everything it printed. */
  readonly stdout: string;
  /** The same without the lines that only report progress. */
  readonly stderr: string;
}

export class GalaxydProcess {
  /** The URL at which it serves. */
  readonly url: string;
  readonly #running: Running;

  private constructor(running: Running, url: string) {
    this.#running = running;
    this.url = url;
  }

  /**
   * Starts `galaxyd` and waits until it says that it serves; it is killed when the test ends.
   *
   * @throws Error with its output, if it ends before
   */
  static async start(owner: Owner, options: ProcessOptions): Promise<GalaxydProcess> {
    const running = spawnGalaxyd(owner, options);
    return new GalaxydProcess(running, await withDeadline(running, 'say where it serves', running.serving));
  }

  /** Starts `galaxyd` and waits until it says that it serves, or has ended. */
  static async startOrEnd(owner: Owner, options: ProcessOptions): Promise<GalaxydProcess | Ending> {
    const running = spawnGalaxyd(owner, options);
    const begun = running.serving.then(
      (url) => new GalaxydProcess(running, url),
      () => running.ended,
    );
    return await withDeadline(running, 'serve or end', begun);
  }

  /**
   * Starts `galaxyd` with its output redirected elsewhere, and waits until it answers.
   *
   * @param url the URL at which it was configured to serve
   */
  static async startUnheard(owner: Owner, options: ProcessOptions, url: string): Promise<GalaxydProcess> {
    const running = spawnGalaxyd(owner, options);
    running.serving.catch(() => {});
    const ended = running.ended.then(({ code, signal, stderr }) => {
      throw new Error(`it ended (${code ?? signal}) before it served: ${stderr}`);
    });
    const waiting = new AbortController();
    try {
      await withDeadline(running, 'answer', Promise.race([ended, answered(url, waiting.signal)]));
    } finally {
      waiting.abort();
    }
    return new GalaxydProcess(running, url);
  }

  /** Settles when the process has ended, for whatever reason. */
  get ended(): Promise<Ending> {
    return this.#running.ended;
  }

  /** What it has printed so far. */
  get stdout(): string {
    return this.#running.stdout;
  }

  /** What it wrote to standard error, without the lines that only report progress. */
  get stderr(): string {
    return withoutProgress(this.#running.stderr);
  }

  /**
   * Waits until it has printed something on standard output. Output from before a reply may arrive after the reply,
   * because the two use different channels.
   */
  async printed(words: RegExp): Promise<void> {
    const { child, ended } = this.#running;
    const isPrinted = new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (words.test(this.stdout)) resolve();
      };
      child.stdout?.on('data', look);
      ended.then(() => reject(new Error(`it ended without ${words}`)), reject);
      look();
    });
    await withDeadline(this.#running, `print ${words}`, isPrinted);
  }

  /** Waits until /readyz answers with this status. */
  untilReadiness(status: 200 | 503): Promise<void> {
    return withDeadline(this.#running, `answer ${status} to /readyz`, readiness(this.url, status, this.ended));
  }

  /** Undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#running.child.pid;
  }

  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void {
    this.#running.child.kill(signal);
  }

  /** kill -9, at once; settles when the process is gone. */
  async kill(): Promise<Ending> {
    this.signal('SIGKILL');
    return await this.ending();
  }

  /** Asks it to stop, as an operator would, and waits until it has. */
  async stop(): Promise<Ending> {
    this.signal('SIGTERM');
    return await this.ending();
  }

  /** Waits until it has ended by itself. @throws Error if it runs past the deadline */
  ending(): Promise<Ending> {
    return withDeadline(this.#running, 'end', this.ended);
  }
}

/** Starts `galaxyd` and kills it after a number of milliseconds, or sends it another signal, wherever it is by then. */
export async function startAndKill(
  owner: Owner,
  options: ProcessOptions,
  afterMs: number,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<Ending> {
  const running = spawnGalaxyd(owner, options);
  running.serving.catch(() => {});
  await delay(afterMs);
  running.child.kill(signal);
  return await withDeadline(running, 'end', running.ended);
}

/** Runs `galaxyd` until it ends by itself. @throws Error if it serves instead */
export async function runGalaxyd(owner: Owner, options: ProcessOptions): Promise<Ending> {
  const running = spawnGalaxyd(owner, options);
  const serves = running.serving.then(
    (url) => Promise.reject(new Error(`it serves ${url} instead of ending`)),
    () => running.ended,
  );
  return await withDeadline(running, 'end', Promise.race([running.ended, serves]));
}

/**
 * Runs `galaxyd` several times, one after the other in one process: for command lines that end by themselves.
 *
 * @throws Error if a line does not end, or ends the process
 */
export async function runInTurn<const Lines extends readonly (readonly string[])[]>(
  owner: Owner,
  lines: Lines,
  { by = [] }: Pick<ProcessOptions, 'by'> = {},
): Promise<{ [Index in keyof Lines]: Ending }> {
  const running = spawnGalaxyd(owner, { args: lines.map((line) => JSON.stringify(line)), program: COMMAND_LINES, by });
  running.serving.catch(() => {});
  const { code, signal, stdout, stderr } = await withDeadline(running, 'run its command lines', running.ended);
  const endings = stdout.split('\n').slice(0, -1);
  const line = lines[endings.length];
  if (code !== 0 || line !== undefined)
    throw new Error(`it ended (${code ?? signal}) in ${line?.join(' ')}: ${stderr}`);
  return endings.map((text): Ending => {
    const ending = JSON.parse(text) as LineEnding;
    return { ...ending, signal: null, stderr: withoutProgress(ending.stderr) };
  }) as { [Index in keyof Lines]: Ending };
}

/**
 * Runs `galaxyd` until it has printed something, then sends it a signal, by default SIGINT, as Ctrl-C does.
 *
 * @param until what it prints, or what settles when it is time
 * @returns how it ended, by the signal or by itself before
 */
export async function interruptGalaxyd(
  t: Test,
  options: ProcessOptions,
  until: string | Promise<unknown>,
  signal: NodeJS.Signals = 'SIGINT',
): Promise<Ending> {
  const running = spawnGalaxyd(t, options);
  running.serving.catch(() => {});
  let isSent = false;
  const interrupt = (): void => {
    if (isSent) return;
    isSent = true;
    running.child.kill(signal);
  };
  const look = (): void => {
    if (typeof until === 'string' && `${running.stdout}${running.stderr}`.includes(until)) interrupt();
  };
  running.child.stdout?.on('data', look);
  running.child.stderr?.on('data', look);
  // If it fails, its own test says so.
  if (typeof until !== 'string') void until.then(interrupt, interrupt);
  return await withDeadline(running, 'end', running.ended);
}

interface Running {
  readonly child: ChildProcess;
  readonly serving: Promise<string>;
  readonly ended: Promise<Ending>;
  stdout: string;
  stderr: string;
}

function spawnGalaxyd(owner: Owner, options: ProcessOptions): Running {
  const { args, env = {}, cwd, program = programFor(options), rules = TEST_RULES_NAME, by = [] } = options;
  const [command, ...rest] = [...BARE, ...by, process.execPath, program, ...args] as [string, ...string[]];
  const child = spawn(command, rest, {
    env: { ...plainEnvironment(), ...(args[0] === 'serve' && rules !== null ? { GALAXYD_RULES: rules } : {}), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code, signal, stdout: running.stdout, stderr: withoutProgress(running.stderr) });
    });
  });
  const running: Running = { child, ended, serving: servingUrl(child, ended), stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    running.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    running.stderr += text;
  });
  owner.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return running;
}

function programFor({ env = {}, by = [] }: ProcessOptions): string {
  return 'NODE_OPTIONS' in env || by.some((word) => word.startsWith('NODE_OPTIONS=')) ? MODULES : BUNDLED;
}

function withoutProgress(stderr: string): string {
  return stderr.replaceAll(PROGRESS, '');
}

/** Asks until the server answers, or the signal is aborted: the caller then waits no longer. */
async function answered(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isThere = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await delay(ASK_EVERY_MS);
  }
}

/** Asks until /readyz answers with the status. @throws Error once the process has ended, or at the deadline of all waits */
async function readiness(url: string, status: number, ended: Promise<Ending>): Promise<void> {
  const waiting = new AbortController();
  const deadline = AbortSignal.any([waiting.signal, AbortSignal.timeout(DEADLINE_MS)]);
  void ended.then(
    () => waiting.abort(new Error(`it ended before it answered ${status} to /readyz`)),
    () => {},
  );
  while ((await fetch(`${url}/readyz`, { signal: deadline })).status !== status) {
    await delay(ASK_EVERY_MS, undefined, { signal: deadline });
  }
}

function servingUrl(child: ChildProcess, ended: Promise<Ending>): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error('the process was started without a pipe');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = SERVING.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    ended.then(
      ({ code, signal, stderr }) => reject(new Error(`it ended (${code ?? signal}) before it served: ${stderr}`)),
      reject,
    );
  });
}

/** What a user's shell would pass on: no settings of another galaxyd, and text lines as on a terminal. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GALAXYD_'));
  return { ...Object.fromEntries(own), GALAXYD_LOG_FORMAT: 'text' };
}

async function withDeadline<T>(running: Running, deed: string, outcome: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`galaxyd did not ${deed} in ${DEADLINE_MS} ms; it printed ${running.stdout}${running.stderr}`));
    }, DEADLINE_MS);
  });
  try {
    return await Promise.race([outcome, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
