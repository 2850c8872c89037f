// A command that plays, as a process group of its own in a folder of its own. It learns the URL of its game and its player, and nothing
// else of the tournament. When its game is over, the command and everything that it has started are ended. Its output is bounded.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ENTRANT_LEAVING_MS,
  ENTRANT_TERMINATION_MS,
  OUTPUT_BYTES_AT_ONCE,
  OUTPUT_BYTES_MAX,
  OUTPUT_PAUSE_MS,
} from '../limits.js';
import { endStrays, isEmptySession, outputsOf, type StrayMarks } from './strays.js';

/** What is run. */
export interface EntrantCommand {
  /** Program and arguments; absolute paths. */
  readonly words: readonly string[];
  /** URL of the game, as the command sees it. */
  readonly server: string;
  /** Its folder as the command sees it, if that is not the one that is made for it. */
  readonly home?: string;
}

interface EntrantProcessOptions {
  /** @throws Error if the command cannot be started */
  readonly command: () => Promise<EntrantCommand>;
  readonly playerId: string;
  readonly apiKey: string;
  /** PATH of the command. */
  readonly path: string;
  /** File for its output; overwritten. */
  readonly logFile: string;
}

/** How a process ended: its exit code, a signal, or why it could not be started. */
export interface EntrantEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Null if it was started. */
  readonly failure: string | null;
}

/** How a process ended, in words. */
export function endingWords({ code, signal, failure }: EntrantEnding): string {
  return failure ?? (signal === null ? `exit code ${code}` : `ended by ${signal}`);
}

export class EntrantProcess {
  /** Resolves when the command itself has ended. Processes that it started may still run. */
  readonly ended: Promise<EntrantEnding>;
  readonly #output: BoundedOutput;
  #marks: StrayMarks;

  /** @param child or why there is none */
  private constructor(child: ChildProcess | Error, output: BoundedOutput, folder: string) {
    this.#output = output;
    const pid = child instanceof Error ? undefined : child.pid;
    this.#marks = { session: pid, folder, outputs: outputsOf(pid) };
    this.ended = new Promise((resolve) => {
      const fail = ({ message }: Error): void => resolve({ code: null, signal: null, failure: message });
      if (child instanceof Error) {
        fail(child);
        return;
      }
      child.once('error', fail);
      child.once('exit', async (code, signal) => {
        // The system may give its id to a process of somebody else long before the game is over.
        if (pid !== undefined && (await isEmptySession(pid))) this.#marks = { ...this.#marks, session: undefined };
        resolve({ code, signal, failure: null });
      });
    });
  }

  /**
   * Never throws because of the command. If it cannot be started, it has `ended`.
   *
   * @throws Error of the operating system, if there is no folder for it
   */
  static async start({ command, logFile, ...identity }: EntrantProcessOptions): Promise<EntrantProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'galaxyd-entrant-'));
    const output = new BoundedOutput(logFile);
    const child = await command()
      .then((run) => spawned(run, identity, folder))
      // Also spawn() throws, such as E2BIG.
      .catch((error: Error) => error);
    const sources = child instanceof Error ? [] : [child.stdout, child.stderr];
    // A process that is short of files has no pipes.
    for (const source of sources) if (source != null) output.take(source);
    return new EntrantProcess(child, output, folder);
  }

  /**
   * Ends the command and everything that it has started.
   *
   * @param leavingMs how long it may take to end by itself
   */
  async stop(leavingMs: number = ENTRANT_LEAVING_MS): Promise<EntrantEnding> {
    if (!(await this.#isGoneIn(leavingMs))) {
      this.#signal('SIGTERM');
      await this.#isGoneIn(ENTRANT_TERMINATION_MS);
    }
    // The command may have ended while processes that it started go on.
    this.#signal('SIGKILL');
    const ending = await this.ended;
    await endStrays(this.#marks);
    await this.#output.end(ending);
    // The command may have made folders that cannot be removed. That must not cost the game.
    await rm(this.#marks.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    return ending;
  }

  async #isGoneIn(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
    const isGone = await Promise.race([this.ended.then(() => true), late]);
    timer.abort();
    return isGone;
  }

  #signal(signal: NodeJS.Signals): void {
    const { session } = this.#marks;
    if (session === undefined) return;
    try {
      // Windows has no process groups.
      process.kill(process.platform === 'win32' ? session : -session, signal);
    } catch {
      // The group is gone.
    }
  }
}

/** @throws Error of the operating system, if it refuses the command */
function spawned(
  { words: [program = '', ...rest], server, home }: EntrantCommand,
  { playerId, apiKey, path }: Pick<EntrantProcessOptions, 'playerId' | 'apiKey' | 'path'>,
  folder: string,
): ChildProcess {
  return spawn(program, rest, {
    cwd: folder,
    // In a process group of its own, so that what it starts is ended with it.
    detached: true,
    env: {
      GALAXYD_SERVER: server,
      GALAXYD_PLAYER: playerId,
      GALAXYD_API_KEY: apiKey,
      HOME: home ?? folder,
      PATH: path,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Keeps the beginning of the output, and reads the rest slowly: a process that prints without end waits for its pipe. */
class BoundedOutput {
  readonly #file: WriteStream;
  readonly #sources: Readable[] = [];
  #keptBytes = 0;
  #droppedBytes = 0;

  constructor(path: string) {
    this.#file = createWriteStream(path);
    // On a full disk only the output is lost. The world on the same disk reports it.
    this.#file.on('error', () => {});
  }

  take(source: Readable): void {
    let unpausedBytes = 0;
    this.#sources.push(source);
    source.on('error', () => {});
    source.on('data', (bytes: Buffer) => {
      this.#keep(bytes);
      unpausedBytes += bytes.length;
      if (unpausedBytes < OUTPUT_BYTES_AT_ONCE) return;
      unpausedBytes = 0;
      source.pause();
      setTimeout(() => source.resume(), OUTPUT_PAUSE_MS);
    });
  }

  /** Writes how the process ended, and closes the file. */
  async end(ending: EntrantEnding): Promise<void> {
    // A process that left the group may keep the pipe open.
    for (const source of this.#sources) source.destroy();
    if (this.#droppedBytes > 0) this.#file.write(`\n(${this.#droppedBytes} further bytes were dropped)`);
    this.#file.end(`\n(${endingWords(ending)})\n`);
    await finished(this.#file).catch(() => {});
  }

  #keep(bytes: Buffer): void {
    const kept = bytes.subarray(0, OUTPUT_BYTES_MAX - this.#keptBytes);
    this.#keptBytes += kept.length;
    this.#droppedBytes += bytes.length - kept.length;
    if (kept.length > 0) this.#file.write(kept);
  }
}
