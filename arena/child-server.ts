// Starts galaxyd as a child process that serves a world on a free port and ends with its parent. It also draws the secrets of
// operators and players. The operator's key leaves this process only as a hash: environments and command lines are readable by other
// processes of the user.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
}

const SERVING = /galaxyd serves (http:\/\/[^\s,]+)/;

export class ChildServer {
  /** The key of its operator. */
  readonly adminKey: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #output = '';
  #url = '';

  /** @param adminKeys file with the hash of the key */
  private constructor({ program, flags }: ChildServerOptions, adminKey: string, adminKeys: string) {
    this.adminKey = adminKey;
    const [command = '', ...before] = program;
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GALAXYD_'));
    this.#child = spawn(command, [...before, 'serve', ...flags, '--admin-keys', adminKeys], {
      // In the process group of the terminal, Ctrl-C would stop the server before the players.
      detached: true,
      env: { ...Object.fromEntries(own), GALAXYD_LOG_FORMAT: 'text' },
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
    const folder = await mkdtemp(join(tmpdir(), 'galaxyd-server-'));
    try {
      const adminKey = drawnSecret();
      const adminKeys = join(folder, 'admin-keys');
      await writeFile(adminKeys, adminKeyLine(adminKey), { mode: 0o600 });
      signal?.throwIfAborted();
      const server = new ChildServer(options, adminKey, adminKeys);
      await server.#served(signal);
      return server;
    } finally {
      // A server that serves has read it.
      await rm(folder, { recursive: true, force: true });
    }
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

  /** Waits until it serves. @param signal ends the wait and the server */
  async #served(signal: AbortSignal | undefined): Promise<void> {
    const kill = (): void => void this.kill();
    signal?.addEventListener('abort', kill);
    try {
      await this.#begin();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', kill);
    }
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

/** A line of a file of admin keys, as `galaxyd admin-key new` writes it: name, kind, and SHA-256 of the key. */
function adminKeyLine(adminKey: string): string {
  return `parent full ${createHash('sha256').update(adminKey).digest('base64url')}\n`;
}

/** @returns a random secret that can stand in a URL */
export function drawnSecret(): string {
  return randomBytes(DRAWN_SECRET_BYTES).toString('base64url');
}
