// How the bots of a swarm reach the server: thousands of players share each WebSocket. Behind a proxy that passes no WebSockets, each
// player has a long poll over HTTP, which occupies a connection, so fewer bots can play.

import {
  type ClientOptions,
  EventsExpired,
  GalaxydClient,
  type GameEvent,
  NoReply,
  type Operation,
  operation,
  type Result,
} from '../galaxyd-client.js';
import {
  BOTS_PER_SOCKET,
  POLL_SECONDS,
  POLLING_BOTS_MAX,
  SHARED_READ_MS,
  SWARM_CALL_MS,
  SWARM_OUTAGE_MS,
} from '../limits.js';
import type { Caller, CallerOptions } from '../player-port.js';
import type { Measures } from './measures.js';
import type { SwarmPlayer } from './players.js';

/** What the connection of a player reports. */
export interface ConnectionListener {
  onEvent(event: GameEvent): void;
  /** Events are missing. Only the state shows their effects. */
  onGap(): void;
  /** No further event will come. */
  onFailure(error: unknown): void;
}

/** The calls and the events of one player. */
export interface Connection extends Pick<Caller, 'call' | 'callAll'> {
  /** Starts to report events. Called once. @param since seq of the last known event; null to start after the newest */
  follow(since: number | null, listener: ConnectionListener): void;
  /** Stops reporting events. */
  end(): void;
}

export interface Connections {
  readonly transport: 'websocket' | 'http';
  /** @throws RangeError if there are too many */
  open(player: SwarmPlayer): Connection;
}

interface Kept {
  readonly result: Promise<Result<unknown>>;
  readonly untilMs: number;
}

const GALAXY = /^\/api\/game\/galaxy\/\d+$/;

/**
 * Shares replies among bots. Overviews of galaxies are the same for all bots, large, and expensive for the server. The other bots get
 * the same reply for a while, so they see it a little late.
 */
export class SharedReads {
  readonly #kept = new Map<string, Kept>();

  /** @param nowMs reads a monotonic clock */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * @param send makes the call
   * @returns the reply to a read, perhaps an earlier one; undefined if the read is not shared
   */
  reply({ method, path }: Operation, send: () => Promise<Result<unknown>>): Promise<Result<unknown>> | undefined {
    if (method !== 'GET' || !GALAXY.test(path)) return undefined;
    const kept = this.#kept.get(path);
    if (kept !== undefined && this.nowMs() < kept.untilMs) return kept.result;
    const result = send();
    this.#kept.set(path, { result, untilMs: this.nowMs() + SHARED_READ_MS });
    // A failed read is not shared.
    const forget = (): void => void (this.#kept.get(path)?.result === result && this.#kept.delete(path));
    result.then(({ ok }) => ok || forget(), forget);
    return result;
  }
}

export class SocketConnections implements Connections {
  readonly transport = 'websocket';
  readonly #clients: readonly GalaxydClient[];
  readonly #shared = new SharedReads();
  #count = 0;

  /** @param bots maximum number of connections */
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
   * Tries whether the server accepts WebSockets.
   *
   * @param player its key is used
   * @returns null if the server accepts them, else the reason
   * @throws GalaxydProblem if the server refuses the key
   */
  static async fault(options: ClientOptions, player: SwarmPlayer): Promise<string | null> {
    const trial = new GalaxydClient(options).forPlayer(player);
    try {
      await trial.socket.call(operation.get('/api/status'));
      return null;
    } catch (error) {
      if (error instanceof NoReply) return error.message;
      throw error;
    }
  }

  open(player: SwarmPlayer): Connection {
    const client = this.#clients[this.#count % this.#clients.length];
    if (client === undefined) throw new RangeError('a swarm has at least one bot');
    this.#count += 1;
    return new SocketConnection(client.forPlayer(player), player.playerId, this.measures, this.#shared);
  }
}

/** Commands have no idempotency key. If the connection is lost, the bot reads the state to see their effects. */
const SHORT = { idempotencyKey: null, isMinimal: true } as const;
const WHOLE = { idempotencyKey: null } as const;

class SocketConnection implements Connection {
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
    const result = await this.client.socket.call(operation, isMinimal ? SHORT : WHOLE);
    this.measures.answered(operation, result, performance.now() - sentAtMs);
    return result;
  }

  /** Sends all at once: the server handles the frames of a connection in order. */
  callAll(operations: readonly Operation[], options?: CallerOptions): Promise<readonly Result<unknown>[]> {
    return Promise.all(operations.map((operation) => this.call(operation, options)));
  }

  follow(since: number | null, listener: ConnectionListener): void {
    if (this.#hasEnded) return;
    void this.#follow(since, listener).catch((error: unknown) => listener.onFailure(error));
  }

  async #follow(since: number | null, listener: ConnectionListener): Promise<void> {
    const events = this.client.events(this.playerId, { ...(since === null ? {} : { since }), resync: true });
    this.#events = events;
    for await (const event of events) {
      if (event.type === 'resync') listener.onGap();
      else listener.onEvent(event);
    }
  }

  end(): void {
    this.#hasEnded = true;
    void this.#events?.return?.();
  }
}

export class PollingConnections implements Connections {
  readonly transport = 'http';
  #count = 0;

  constructor(
    private readonly options: ClientOptions,
    private readonly measures: Measures,
  ) {}

  open({ playerId, apiKey }: SwarmPlayer): Connection {
    if (this.#count >= POLLING_BOTS_MAX) {
      throw new RangeError(`without WebSockets a swarm has ${POLLING_BOTS_MAX} bots at most`);
    }
    this.#count += 1;
    const client = new GalaxydClient({ ...this.options, apiKey, deadlineMs: SWARM_CALL_MS, cacheCharactersMax: 0 });
    return new PollingConnection(client, playerId, this.measures);
  }
}

class PollingConnection implements Connection {
  readonly #ended = new AbortController();

  constructor(
    private readonly client: GalaxydClient,
    private readonly playerId: string,
    private readonly measures: Measures,
  ) {}

  async call<Body>(operation: Operation<Body>, options?: CallerOptions): Promise<Result<Body>> {
    const [result] = await this.callAll([operation], options);
    return result as Result<Body>;
  }

  async callAll(operations: readonly Operation[], options: CallerOptions = {}): Promise<readonly Result<unknown>[]> {
    const sentAtMs = performance.now();
    const { body: results } = await this.client.batch(operations, options);
    const durationMs = performance.now() - sentAtMs;
    for (const [index, operation] of operations.entries()) {
      const result = results[index];
      if (result !== undefined) this.measures.answered(operation, result, durationMs);
    }
    return results;
  }

  follow(since: number | null, listener: ConnectionListener): void {
    void this.#follow(since, listener).catch((error: unknown) => {
      if (!this.#ended.signal.aborted) listener.onFailure(error);
    });
  }

  async #follow(since: number | null, listener: ConnectionListener): Promise<void> {
    let position = since;
    while (!this.#ended.signal.aborted) {
      try {
        const { events, lastSeq } = await this.#poll(position);
        for (const event of events) listener.onEvent(event);
        position = events.at(-1)?.seq ?? position ?? lastSeq;
      } catch (error) {
        if (!(error instanceof EventsExpired)) throw error;
        position = null;
        listener.onGap();
      }
    }
  }

  /** @param since null to read only the seq of the last event */
  async #poll(since: number | null): Promise<{ events: readonly GameEvent[]; lastSeq: number }> {
    const query = since === null ? {} : { since, wait: POLL_SECONDS };
    const params = { path: { playerId: this.playerId }, query };
    const { signal } = this.#ended;
    return (await this.client.get('/api/event/player/{playerId}', { params, signal })).body;
  }

  end(): void {
    this.#ended.abort();
  }
}
