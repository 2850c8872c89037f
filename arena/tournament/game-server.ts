// The server of one game: a `galaxyd serve --clock turns` of its own on a free port of the loopback interface, and the operator's
// requests to it.
import { setTimeout as delay } from 'node:timers/promises';
import { ChildServer, ChildServerFailed } from '../child-server.js';
import {
  OPERATOR_ATTEMPTS,
  OPERATOR_PAUSE_MS,
  REQUESTS_BURST,
  REQUESTS_PER_SECOND,
  SERVER_START_MS,
} from '../limits.js';
import { ServerFailed } from './result.js';

interface ServerOptions {
  /** Program and arguments that start galaxyd. */
  readonly program: readonly string[];
  /** Data folder of the world. */
  readonly world: string;
  /** Folder for the traces of the players. */
  readonly traces: string;
  readonly seed: number;
  readonly speed: number;
  readonly systemsPerGalaxy: number;
  /** Name of a rule set, or the path of its file. */
  readonly rules: string;
  /** Seed of the instance of the rules; null for rules that are not varied. */
  readonly variation: number | null;
  readonly transport: string | null;
}

export class GameServer {
  readonly #child: ChildServer;

  private constructor(child: ChildServer) {
    this.#child = child;
  }

  get url(): string {
    return this.#child.url;
  }

  /** Resolves with the last output when the server has ended, for whatever reason. */
  get ended(): Promise<string> {
    return this.#child.ended;
  }

  /** @throws ServerFailed, and the reason of the signal */
  static async start(options: ServerOptions, signal: AbortSignal): Promise<GameServer> {
    const { program } = options;
    const deadline = AbortSignal.timeout(SERVER_START_MS);
    try {
      const either = AbortSignal.any([signal, deadline]);
      return new GameServer(await ChildServer.start({ program, flags: flagsOf(options) }, either));
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) throw new ServerFailed(`a server did not serve within ${SERVER_START_MS} ms`);
      throw error instanceof ChildServerFailed ? new ServerFailed(error.message) : error;
    }
  }

  /** Stops the server in order. Everything is on disk afterwards. @throws ServerFailed */
  async stop(): Promise<void> {
    const code = await this.#child.stop();
    if (code === 0) return;
    const ending = code === null ? 'a signal' : `exit code ${code}`;
    throw new ServerFailed(`a server ended with ${ending}: ${await this.#child.ended}`);
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    await this.#child.kill();
  }

  /**
   * Sends a request as the operator. It has no Idempotency-Key, since the world would keep its reply.
   *
   * @throws ServerFailed if the request is refused, and the reason of the signal
   */
  async request<Body>(method: 'GET' | 'POST', path: string, body: unknown, signal: AbortSignal): Promise<Body> {
    let reason = '';
    for (let attempt = 1; attempt <= OPERATOR_ATTEMPTS; attempt += 1) {
      if (attempt > 1) await delay(OPERATOR_PAUSE_MS, undefined, { signal });
      const reply = await this.#sent(method, path, body, signal);
      if (typeof reply !== 'string' && reply.ok) return (await reply.json()) as Body;
      reason = typeof reply === 'string' ? reply : `${reply.status} ${await reply.text()}`;
      // An entrant has the same address, and may have used up its rate limit.
      const isTemporary = typeof reply === 'string' ? method === 'GET' : reply.status === 429 || reply.status === 503;
      if (!isTemporary || !this.#child.isRunning) break;
    }
    throw new ServerFailed(`${method} ${path} failed: ${reason}`);
  }

  /** @returns the response, or why there is none */
  async #sent(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Response | string> {
    try {
      const headers = { authorization: `Bearer ${this.#child.adminKey}`, 'content-type': 'application/json' };
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

function flagsOf({
  world,
  traces,
  seed,
  speed,
  systemsPerGalaxy,
  rules,
  variation,
  transport,
}: ServerOptions): string[] {
  return [
    ...['--data', world, '--port', '0', '--clock', 'turns', '--traces', traces],
    ...['--auth', 'key', '--registration', 'closed'],
    ...['--development', 'off', '--keep-history', '--snapshot-minutes', '0'],
    ...['--seed', String(seed), '--speed', String(speed), '--systems-per-galaxy', String(systemsPerGalaxy)],
    ...['--rules', rules, '--rate-limits', 'on'],
    ...(variation === null ? [] : ['--vary', String(variation)]),
    ...['--rate-per-second', String(REQUESTS_PER_SECOND), '--rate-burst', String(REQUESTS_BURST)],
    ...(transport === null ? [] : ['--transport', transport]),
  ];
}
