// Starts galaxyd as a child process that serves a world on a free port and ends with its parent. It also draws the secrets of
// operators and players.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { DRAWN_SECRET_BYTES, SERVER_OUTPUT_MAX, SERVER_STOP_MS } from './limits.js';

/** The server did not start, or has ended by itself. */
export class ChildServerFailed extends Error {
  override readonly name = 'ChildServerFailed';
}

interface ChildServerOptions {
  /** Program and arguments that start galaxyd: node and a path, or `galaxyd`. */
  readonly program: readonly string[];
  /** Flags of `galaxyd serve`. */
  readonly flags: readonly string[];
  /** Replace the variables GALAXYD_… of this process. */
  readonly variables: Readonly<Record<string, string>>;
}

const SERVING = /galaxyd serves (http:\/\/[^\s,]+)/;

export class ChildServer {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #output = '';
  #url = '';

  private constructor({ program, flags, variables }: ChildServerOptions) {
    const [command = '', ...before] = program;
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GALAXYD_'));
    this.#child = spawn(command, [...before, 'serve', ...flags], {
      // In the process group of the terminal, Ctrl-C would stop the server before the players.
      detached: true,
      env: { ...Object.fromEntries(own), ...variables, GALAXYD_LOG_FORMAT: 'text' },
      // The server ends once this channel is closed, however its parent ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#output += error.message;
        resolve();
      });
      this.#child.once('close', () => resolve());
    });
  }

  /**
   * Starts a server, and waits until it serves.
   *
   * @param signal ends the wait and the server
   * @throws ChildServerFailed, and the reason of the signal
   */
  static async start(options: ChildServerOptions, signal?: AbortSignal): Promise<ChildServer> {
    signal?.throwIfAborted();
    const server = new ChildServer(options);
    const kill = (): void => void server.kill();
    signal?.addEventListener('abort', kill);
    try {
      await server.#begin();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', kill);
    }
    return server;
  }

  get url(): string {
    return this.#url;
  }

  /** Undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves with the last output when the process has ended, for whatever reason. */
  get ended(): Promise<string> {
    return this.#ended.then(() => this.#output.trim());
  }

  /**
   * Stops the server in order, as an operator does. Everything is on disk afterwards.
   *
   * @returns its exit code; null if a signal has ended it
   */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), SERVER_STOP_MS);
    await this.#ended;
    clearTimeout(killer);
    return this.#child.exitCode;
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = (text: string): void => {
        this.#output = (this.#output + text).slice(-SERVER_OUTPUT_MAX);
        const url = this.#url === '' ? SERVING.exec(this.#output)?.[1] : undefined;
        if (url === undefined) return;
        this.#url = url;
        resolve();
      };
      this.#child.stdout?.setEncoding('utf8').on('data', take);
      this.#child.stderr?.setEncoding('utf8').on('data', take);
      void this.ended.then((output) => reject(new ChildServerFailed(`the server did not start: ${output}`)));
    });
  }
}

/** @returns a random secret that can stand in a URL */
export function drawnSecret(): string {
  return randomBytes(DRAWN_SECRET_BYTES).toString('base64url');
}
