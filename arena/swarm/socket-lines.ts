// Lines over WebSockets: thousands of players share each.

import {
  type ClientOptions,
  GalaxydClient,
  NoReply,
  type Operation,
  operation,
  type Result,
} from '../galaxyd-client.js';
import type { CallerOptions } from '../hand.js';
import { BOTS_PER_SOCKET, SWARM_CALL_MS, SWARM_OUTAGE_MS } from '../limits.js';
import type { Line, LineListener, Lines } from './lines.js';
import type { Measures } from './measures.js';
import type { Registered } from './registration.js';
import { SharedReads } from './shared-reads.js';

export class SocketLines implements Lines {
  readonly transport = 'websocket';
  readonly #clients: readonly GalaxydClient[];
  readonly #shared = new SharedReads();
  #count = 0;

  /** @param bots how many lines there will be at most */
  constructor(
    options: ClientOptions,
    bots: number,
    private readonly measures: Measures,
  ) {
    const patience = { deadlineMs: SWARM_CALL_MS, outageMsMax: SWARM_OUTAGE_MS, cacheCharactersMax: 0 };
    const sockets = Math.ceil(bots / BOTS_PER_SOCKET);
    this.#clients = Array.from({ length: sockets }, () => new GalaxydClient({ ...options, ...patience }));
  }

  /**
   * Whether the server accepts WebSockets.
   *
   * @param player whose key is used
   * @returns null if it does, else why not
   * @throws GalaxydProblem if it refuses the key
   */
  static async fault(options: ClientOptions, player: Registered): Promise<string | null> {
    const trial = new GalaxydClient(options).forPlayer(player);
    try {
      await trial.socket.call(operation.get('/api/status'));
      return null;
    } catch (error) {
      if (error instanceof NoReply) return error.message;
      throw error;
    }
  }

  open(player: Registered): Line {
    const client = this.#clients[this.#count % this.#clients.length];
    if (client === undefined) throw new RangeError('a swarm has at least one bot');
    this.#count += 1;
    return new SocketLine(client.forPlayer(player), player.playerId, this.measures, this.#shared);
  }
}

/** Commands have no idempotency key: if the connection is lost, the bot looks what has become of them. */
const WITHOUT_BODY = { idempotencyKey: null, isMinimal: true } as const;
const WITH_BODY = { idempotencyKey: null } as const;

class SocketLine implements Line {
  #events: AsyncIterableIterator<unknown> | null = null;
  #hasEnded = false;

  constructor(
    private readonly client: GalaxydClient,
    private readonly playerId: string,
    private readonly measures: Measures,
    private readonly shared: SharedReads,
  ) {}

  call<Body>(operation: Operation<Body>, options?: CallerOptions): Promise<Result<Body>> {
    const shared = this.shared.reply(operation, () => this.#call(operation, options));
    return (shared ?? this.#call(operation, options)) as Promise<Result<Body>>;
  }

  async #call<Body>(operation: Operation<Body>, { isMinimal = false }: CallerOptions = {}): Promise<Result<Body>> {
    const sentAtMs = performance.now();
    const result = await this.client.socket.call(operation, isMinimal ? WITHOUT_BODY : WITH_BODY);
    this.measures.answered(operation, result, performance.now() - sentAtMs);
    return result;
  }

  /** Sent together: the server handles the frames of a connection in their order. */
  callAll(operations: readonly Operation[], options?: CallerOptions): Promise<readonly Result<unknown>[]> {
    return Promise.all(operations.map((operation) => this.call(operation, options)));
  }

  follow(since: number | null, listener: LineListener): void {
    if (this.#hasEnded) return;
    void this.#follow(since, listener).catch((error: unknown) => listener.failed(error));
  }

  async #follow(since: number | null, listener: LineListener): Promise<void> {
    const events = this.client.events(this.playerId, { ...(since === null ? {} : { since }), resync: true });
    this.#events = events;
    for await (const event of events) {
      if (event.type === 'resync') listener.missed();
      else listener.happened(event);
    }
  }

  end(): void {
    this.#hasEnded = true;
    void this.#events?.return?.();
  }
}
