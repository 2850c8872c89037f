// A command that plays: a process group of its own in a folder of its own. It is told where its game is and who it is there, and
// nothing else of the tournament. It is gone when its game is over, with what it has started, and its output is bounded.
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
import { endStrays } from './stray-processes.js';

export interface EntrantProcessOptions {
  /** Program and arguments; absolute paths. */
  readonly words: readonly string[];
  /** URL of its game. */
  readonly server: string;
  readonly playerId: string;
  readonly apiKey: string;
  /** PATH that it gets. */
  readonly path: string;
  /** File for what it prints; overwritten. */
  readonly logFile: string;
}

/** How a process ended: its exit code, a signal, or the reason why it never ran. */
export interface EntrantEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Null if it was started. */
  readonly failure: string | null;
}

export class EntrantProcess {
  /** Settles when the command itself has ended; processes that it started may be left. */
  readonly ended: Promise<EntrantEnding>;
  readonly #child: ChildProcess;
  readonly #output: BoundedOutput;
  readonly #folder: string;

  private constructor(child: ChildProcess, output: BoundedOutput, folder: string) {
    this.#child = child;
    this.#output = output;
    this.#folder = folder;
    this.ended = new Promise((resolve) => {
      child.once('error', ({ message }) => resolve({ code: null, signal: null, failure: message }));
      child.once('exit', (code, signal) => resolve({ code, signal, failure: null }));
    });
  }

  /** Never throws because of the command: one that cannot be started has `ended`. */
  static async start({
    words,
    server,
    playerId,
    apiKey,
    path,
    logFile,
  }: EntrantProcessOptions): Promise<EntrantProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'galaxyd-entrant-'));
    const [program = '', ...rest] = words;
    const child = spawn(program, rest, {
      cwd: folder,
      // A group of its own, so that what it starts is ended with it.
      detached: true,
      env: { GALAXYD_SERVER: server, GALAXYD_PLAYER: playerId, GALAXYD_API_KEY: apiKey, HOME: folder, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = new BoundedOutput(logFile);
    if (child.stdout !== null) output.take(child.stdout);
    if (child.stderr !== null) output.take(child.stderr);
    return new EntrantProcess(child, output, folder);
  }

  /** @param leavingMs what it has to end by itself, before it is asked to @returns once nothing of it is left */
  async stop(leavingMs: number = ENTRANT_LEAVING_MS): Promise<EntrantEnding> {
    if (!(await this.#isGoneIn(leavingMs))) {
      this.#signal('SIGTERM');
      await this.#isGoneIn(ENTRANT_TERMINATION_MS);
    }
    // The command may be gone while what it has started goes on.
    this.#signal('SIGKILL');
    const ending = await this.ended;
    await endStrays(`HOME=${this.#folder}`);
    await this.#output.end(ending);
    // It may have made folders that cannot be removed. That is no reason to lose the game.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
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
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone.
    }
  }
}

/** Keeps the beginning of what is printed, and reads the rest slowly: a process that prints without end waits for its pipe. */
class BoundedOutput {
  readonly #file: WriteStream;
  readonly #sources: Readable[] = [];
  #keptBytes = 0;
  #droppedBytes = 0;

  constructor(path: string) {
    this.#file = createWriteStream(path);
    // A full disk costs the output, not the game: the world is on the same disk and reports it.
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

  /** Writes how it ended, and closes the file. */
  async end({ code, signal, failure }: EntrantEnding): Promise<void> {
    // A process that left the group may hold the pipe open for ever.
    for (const source of this.#sources) source.destroy();
    if (this.#droppedBytes > 0) this.#file.write(`\n(${this.#droppedBytes} further bytes were dropped)`);
    this.#file.end(`\n(${failure ?? (signal === null ? `exit code ${code}` : `ended by ${signal}`)})\n`);
    await finished(this.#file).catch(() => {});
  }

  #keep(bytes: Buffer): void {
    const kept = bytes.subarray(0, OUTPUT_BYTES_MAX - this.#keptBytes);
    this.#keptBytes += kept.length;
    this.#droppedBytes += bytes.length - kept.length;
    if (kept.length > 0) this.#file.write(kept);
  }
}
