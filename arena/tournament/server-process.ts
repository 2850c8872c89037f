// The server of one game: a `galaxyd serve` of its own, with turns, on a free port of the loopback interface; and the operator's
// requests to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  OPERATOR_ATTEMPTS,
  OPERATOR_PAUSE_MS,
  REQUESTS_BURST,
  REQUESTS_PER_SECOND,
  SERVER_OUTPUT_MAX,
  SERVER_START_MS,
  SERVER_STOP_MS,
} from '../limits.js';
import { ServerFailed } from './failures.js';

export interface ServerOptions {
  /** Program and arguments that start galaxyd: `galaxyd`, or node and a path. */
  readonly program: readonly string[];
  /** Data folder of the world. */
  readonly world: string;
  readonly seed: number;
  readonly speed: number;
  readonly systemsPerGalaxy: number;
  /** Name of a rule set, or the path of its file. */
  readonly rules: string;
  readonly transport: string | null;
}

const SERVING = /galaxyd serves (http:\/\/[^\s,]+)/;

export class ServerProcess {
  readonly url: string;
  readonly #running: Running;
  readonly #adminKey: string;

  private constructor(running: Running, url: string, adminKey: string) {
    this.#running = running;
    this.url = url;
    this.#adminKey = adminKey;
  }

  /** Settles when it has ended, for whatever reason, with its last output. */
  get ended(): Promise<string> {
    return this.#running.ended;
  }

  /** @throws ServerFailed, and the reason of the signal */
  static async start(options: ServerOptions, signal: AbortSignal): Promise<ServerProcess> {
    const adminKey = randomBytes(24).toString('base64url');
    const running = spawned(options, adminKey);
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(SERVER_START_MS)]);
      return new ServerProcess(running, await settled(running.serving, deadline), adminKey);
    } catch (error) {
      running.child.kill('SIGKILL');
      await running.ended;
      signal.throwIfAborted();
      if (error instanceof ServerFailed) throw error;
      throw new ServerFailed(`a server did not serve in ${SERVER_START_MS} ms: ${running.output}`);
    }
  }

  /** Asks it to stop as an operator does: everything is on disk afterwards. @throws ServerFailed */
  async stop(): Promise<void> {
    const { child, ended } = this.#running;
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), SERVER_STOP_MS);
    await ended;
    clearTimeout(killer);
    if (child.exitCode !== 0) throw new ServerFailed(`a server ended with ${endingOf(child)}: ${this.#running.output}`);
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#running.child.kill('SIGKILL');
    await this.#running.ended;
  }

  /**
   * Sends a request as the operator: without an Idempotency-Key, whose reply would be kept in the world.
   *
   * @throws ServerFailed if it is refused, and the reason of the signal
   */
  async ask<Body>(method: 'GET' | 'POST', path: string, body: unknown, signal: AbortSignal): Promise<Body> {
    let reason = '';
    for (let attempt = 1; attempt <= OPERATOR_ATTEMPTS; attempt += 1) {
      if (attempt > 1) await delay(OPERATOR_PAUSE_MS, undefined, { signal });
      const reply = await this.#sent(method, path, body, signal);
      if (typeof reply !== 'string' && reply.ok) return (await reply.json()) as Body;
      reason = typeof reply === 'string' ? reply : `${reply.status} ${await reply.text()}`;
      // An entrant may have spent what its address, which is also ours, may send.
      const isTemporary = typeof reply === 'string' ? method === 'GET' : reply.status === 429 || reply.status === 503;
      if (!isTemporary || this.#running.child.exitCode !== null) break;
    }
    throw new ServerFailed(`${method} ${path} failed: ${reason}`);
  }

  /** @returns the reply, or why there is none */
  async #sent(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Response | string> {
    try {
      const headers = { authorization: `Bearer ${this.#adminKey}`, 'content-type': 'application/json' };
      const sent =
        body === undefined ? { method, headers, signal } : { method, headers, signal, body: JSON.stringify(body) };
      return await fetch(this.url + path, sent);
    } catch (error) {
      signal.throwIfAborted();
      const { cause } = error as Error;
      return cause instanceof Error ? cause.message : String(error);
    }
  }
}

interface Running {
  readonly child: ChildProcess;
  readonly serving: Promise<string>;
  readonly ended: Promise<string>;
  output: string;
}

function spawned(options: ServerOptions, adminKey: string): Running {
  const [program = '', ...before] = options.program;
  const child = spawn(program, [...before, 'serve', ...flagsOf(options)], {
    // Not in the group of the terminal, whose Ctrl-C would stop the server before its entrants.
    detached: true,
    env: { ...environment(), GALAXYD_ADMIN_KEY: adminKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(running.output));
  });
  const serving = new Promise<string>((resolve, reject) => {
    const take = (text: string): void => {
      running.output = (running.output + text).slice(-SERVER_OUTPUT_MAX);
      const url = SERVING.exec(running.output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    ended.then((output) => reject(new ServerFailed(`a server did not start: ${output.trim()}`)));
  });
  serving.catch(() => {});
  const running: Running = { child, serving, ended, output: '' };
  return running;
}

function flagsOf({ world, seed, speed, systemsPerGalaxy, rules, transport }: ServerOptions): string[] {
  return [
    ...['--data', world, '--port', '0', '--clock', 'turns', '--auth', 'key', '--registration', 'closed'],
    ...['--development', 'off', '--keep-history', '--snapshot-minutes', '0'],
    ...['--seed', String(seed), '--speed', String(speed), '--systems-per-galaxy', String(systemsPerGalaxy)],
    ...['--rules', rules, '--rate-limits', 'on', '--log-format', 'text'],
    ...['--rate-per-second', String(REQUESTS_PER_SECOND), '--rate-burst', String(REQUESTS_BURST)],
    ...(transport === null ? [] : ['--transport', transport]),
  ];
}

/** That of the tournament without settings of another galaxyd. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GALAXYD_')));
}

function endingOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${exitCode}`;
}

/** @throws the reason of the signal if it is aborted before */
async function settled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return await Promise.race([promise, aborted]);
}
