// The WebSocket of a client: one connection for all its calls and subscriptions, open while there are any. If it is lost, the next
// one continues where it ended. Several players can share it.
import { type AsksForShort, type Operation, type Result, resultOf } from './calls.js';
import {
  type ClientFrame,
  Connection,
  type ConnectionOptions,
  type HelloFrame,
  type Loss,
  type ReplyFrame,
  type ServerFrame,
} from './connection.js';
import { NoReply, problemError } from './errors.js';
import { LINGER_MS, PLAYERS_PER_SOCKET_MAX } from './limits.js';
import { isTemporary, pauseMsBefore } from './retries.js';
import type { Servers } from './servers.js';
import { type CallLimits, refusalIn, SocketCalls } from './socket-calls.js';
import { Subscriptions } from './subscriptions.js';

const LOOKS_PER_ATTEMPT = 4;

export interface SocketOptions extends ConnectionOptions, CallLimits {
  readonly servers: Servers;
  /** Key of the client itself; '' for none. */
  readonly apiKey: string;
  /** Time without a connection after which subscriptions fail; the first connection has `deadlineMs`. */
  readonly outageMsMax: number;
  /** Time after which everything fails if no server has ever answered, and all of them refuse connections. */
  readonly firstContactMs: number;
}

export interface SocketCallOptions {
  /**
   * Operations with the same key take effect once together; a random one by default. Null for none: if the connection is lost before
   * the reply, the outcome is unknown, and the call throws NoReply.
   */
  readonly idempotencyKey?: string | null | undefined;
  /** Asks for the short reply, or none if the operation has no short one; then a refusal has only its code. */
  readonly isMinimal?: boolean | undefined;
  /** Ends the call, which throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls over the WebSocket. */
export interface GalaxydSocket {
  /**
   * Sends an operation without waiting for the replies to those before it: call it many times, then await the replies. They may
   * come in any order. If the connection is lost before the reply, the operation is sent again over the next one with the same
   * idempotency key, so that it takes effect once.
   *
   * @param operation made by operation.get(), post() and put(), or taken from options
   * @returns its result, as in a batch
   * @throws NoReply if there is no reply in time, GalaxydProblem if the server refuses the connection
   */
  call<Short>(operation: Operation<unknown, Short>, options: SocketCallOptions & AsksForShort): Promise<Result<Short>>;
  call<Body>(operation: Operation<Body>, options?: SocketCallOptions): Promise<Result<Body>>;
}

export class SharedSocket implements GalaxydSocket {
  readonly subscriptions: Subscriptions = new Subscriptions(
    () => this.#changed(),
    () => {
      this.#options.servers.failed(this.#server);
      this.#calls.whenDrained(() => this.#leave(undefined));
    },
  );
  readonly #calls: SocketCalls;
  readonly #keys: Keys;
  readonly #options: SocketOptions;
  #connection: Connection | null = null;
  /** The server of the connection. */
  #server: string;
  /** Whether the next connection goes to the leader. */
  #seeksLeader = false;
  /** Connections lost since the last one that worked. */
  #failures = 0;
  /** When the last connection was lost, or the first one was asked for. */
  #outageSinceMs: number | null = null;
  #wasConnected = false;
  /** Looks for calls that a server does not answer, if there are others. */
  #patience: ReturnType<typeof setInterval> | undefined;
  /** Opens the next connection, or closes the present one because it is unused. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#server = options.servers.present;
    this.#keys = new Keys(options.apiKey);
    this.#calls = new SocketCalls(options, () => this.#changed());
  }

  /** The same connection for a player. @param apiKey '' for none @throws RangeError if too many players share it */
  of(playerId: string, apiKey: string): GalaxydSocket {
    // Without keys frames need not say whom they are for.
    if (apiKey === '') return this;
    this.#keys.add(playerId, apiKey);
    return {
      call: <Body>(operation: Operation<Body>, options?: SocketCallOptions) => this.call(operation, options, playerId),
    };
  }

  call<Short>(
    operation: Operation<unknown, Short>,
    options: SocketCallOptions & AsksForShort,
    playerId?: string,
  ): Promise<Result<Short>>;
  call<Body>(operation: Operation<Body>, options?: SocketCallOptions, playerId?: string): Promise<Result<Body>>;
  call<Body>(
    { method, path, body }: Operation<Body>,
    { idempotencyKey, isMinimal = false, signal }: SocketCallOptions = {},
    playerId?: string,
  ): Promise<Result<Body>> {
    const isRead = method === 'GET';
    const key = isRead ? null : idempotencyKey === undefined ? crypto.randomUUID() : idempotencyKey;
    const minSeq = isRead ? this.#options.servers.minSeq : 0;
    const request = {
      method,
      path,
      ...(minSeq === 0 ? {} : { minSeq }),
      ...(body === undefined ? {} : { body }),
      ...(key === null ? {} : { idempotencyKey: key }),
      ...(isMinimal ? ({ prefer: 'return=minimal' } as const) : {}),
      ...(playerId === undefined ? {} : { playerId }),
    };
    const isRepeatable = isRead || key !== null;
    return this.#calls.reply(request, { isRepeatable, signal }).then((frame) => {
      const result = resultOf(frame);
      if (!result.ok && result.code === 'replica_behind') this.#options.servers.forget();
      return result;
    }) as Promise<Result<Body>>;
  }

  /** The number of calls or subscriptions has changed. */
  #changed(): void {
    const isUsed = this.#calls.count + this.subscriptions.count > 0;
    if (this.#connection === null) {
      if (!isUsed) this.#rest();
      else if (this.#timer === undefined) this.#connect();
    } else if (isUsed) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else {
      this.#timer ??= setTimeout(() => this.#rest(), LINGER_MS);
    }
  }

  /** Closes the connection, which is unused. */
  #rest(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#patience);
    this.#timer = undefined;
    this.#outageSinceMs = null;
    this.#connection?.close();
    this.#connection = null;
    this.#calls.disconnected('');
    this.subscriptions.disconnected();
  }

  #connect(): void {
    this.#timer = undefined;
    this.#outageSinceMs ??= performance.now();
    let isWelcome = false;
    const { servers } = this.#options;
    this.#server = this.#seeksLeader ? servers.leader : servers.present;
    const url = `${this.#server.replace(/^http/, 'ws')}/ws`;
    const key = this.#keys.open();
    const hello = key === '' ? null : this.#dated({ op: 'hello', key });
    const connection = new Connection(url, this.#options, hello, {
      welcomed: ({ callsMax }) => {
        isWelcome = true;
        this.#wasConnected = true;
        this.#outageSinceMs = null;
        servers.note(0);
        const send = (frame: ClientFrame): void => this.#send(connection, frame);
        this.subscriptions.connected(send);
        this.#calls.connected(send, callsMax);
        this.#watch();
      },
      received: (frame) => this.#received(frame),
      lost: (loss) => this.#lost(loss, isWelcome),
    });
    this.#connection = connection;
  }

  /** A leader that is cut off from its store holds replies back for as long as it lives; another one has taken over by then. */
  #watch(): void {
    const { openingMs, servers } = this.#options;
    if (servers.urls.length === 1) return;
    clearInterval(this.#patience);
    this.#patience = setInterval(() => {
      if (this.#calls.silenceMs < openingMs) return;
      servers.failed(this.#server);
      this.#leave(undefined);
    }, openingMs / LOOKS_PER_ATTEMPT);
  }

  /** Sends a frame, after the key that it needs. */
  #send(connection: Connection, frame: ClientFrame): void {
    if (frame.op !== 'unsubscribe') {
      const hello = this.#keys.before('playerId' in frame ? frame.playerId : undefined);
      if (hello !== null) connection.send(this.#dated(hello));
    }
    connection.send(frame);
  }

  /** A server that does not know a new player yet waits for it. */
  #dated(hello: HelloFrame): HelloFrame {
    const { minSeq } = this.#options.servers;
    return minSeq === 0 ? hello : { ...hello, minSeq };
  }

  #received(frame: ServerFrame): void {
    this.#failures = 0;
    if (frame.op === 'event') this.subscriptions.happened(frame);
    else if (frame.op === 'frame') this.subscriptions.changed(frame);
    else if (frame.op === 'reply') this.#replied(frame);
    else if (frame.op === 'subscribed') this.subscriptions.subscribed(frame.id, frame.lastSeq);
    else if (frame.op === 'error') this.#refused(frame);
  }

  #replied(frame: ReplyFrame): void {
    const { servers } = this.#options;
    const code = frame.status < 400 ? undefined : refusalIn(frame).code;
    servers.note(frame.worldSeq ?? 0);
    if (code === 'not_leader') {
      const path = this.#calls.pathOf(frame.id);
      if (path !== undefined) servers.referred(this.#server, frame.location ?? null, path);
      this.#seeksLeader = true;
      if (this.#calls.referred(frame.id, true, () => this.#leave(undefined))) return;
    } else if (code === 'no_leader' && servers.urls.length > 1) {
      servers.failed(this.#server);
      const { retryAfterMs } = refusalIn(frame);
      if (this.#calls.referred(frame.id, false, () => this.#leave(retryAfterMs))) return;
    }
    this.#calls.replied(frame);
  }

  /** Continues with another server. @param retryAfterMs pause that this one has asked for */
  #leave(retryAfterMs: number | undefined): void {
    this.#connection?.close();
    this.#failures += 1;
    this.#reconnect('another server takes over', retryAfterMs);
    this.#changed();
  }

  /** @returns the pause before the next connection */
  #reconnect(reason: string, retryAfterMs: number | undefined): number {
    clearTimeout(this.#timer);
    clearInterval(this.#patience);
    this.#connection = null;
    this.#outageSinceMs ??= performance.now();
    // Before anything fails, so that it cannot open a connection at once.
    const pauseMs = pauseMsBefore(this.#failures, retryAfterMs);
    this.#timer = setTimeout(() => this.#connect(), pauseMs);
    this.#calls.disconnected(reason);
    this.subscriptions.disconnected();
    return pauseMs;
  }

  /** A frame was refused: a hello, whose id is a text; a call, whose ids are above zero; or a subscription. */
  #refused({ id, problem, ...receiver }: Extract<ServerFrame, { op: 'error' }>): void {
    if (typeof id === 'string') {
      // The frames that follow it are refused, too; each of their senders gets an error.
      if (isTemporary(problem)) this.#keys.forget(id);
    } else if (id !== undefined && id > 0) {
      this.#calls.replied({ op: 'reply', id, status: problem.status, body: problem });
    } else this.subscriptions.refused({ problem, ...(id === undefined ? {} : { id }), ...receiver });
  }

  #lost({ reason, problem, isUnreachable }: Loss, wasWelcome: boolean): void {
    const { servers, deadlineMs, firstContactMs, outageMsMax } = this.#options;
    this.#outageSinceMs ??= performance.now();
    this.#failures += 1;
    servers.failed(this.#server);
    const pauseMs = this.#reconnect(reason, problem?.retryAfterMs);
    if (!wasWelcome && problem !== null && !isTemporary(problem)) {
      const playerId = this.#keys.refused();
      for (const one of [this.#calls, this.subscriptions]) {
        if (playerId === null) one.failAll(problemError(problem));
        else one.failOf(playerId, problemError(problem));
      }
      return;
    }
    const outageMs = performance.now() - this.#outageSinceMs;
    if (isUnreachable && !servers.isReached && outageMs + pauseMs > firstContactMs) {
      const message = `no server answers at ${servers.urls.join(' or ')}: ${reason}`;
      this.#calls.failUnknown(message);
      this.subscriptions.failAll(new NoReply(message, null));
    } else if (outageMs > (this.#wasConnected ? outageMsMax : deadlineMs)) {
      const message = `${this.#server}: no connection in ${Math.round(outageMs)} ms: ${reason}`;
      this.subscriptions.failAll(new NoReply(message, null));
    }
    this.#changed();
  }
}

/**
 * The API keys that share a WebSocket: one of the client itself, and those of its players. Each is sent before the first frame that
 * needs it, and the server takes frames in order, so nothing waits for an answer.
 */
class Keys {
  /** '' for none. */
  readonly #own: string;
  readonly #ofPlayers = new Map<string, string>();
  /** Players whose key was sent over the present connection. */
  readonly #sent = new Set<string>();
  /** The key that the connection was opened with. */
  #first = '';
  /** The key that was sent last: the server uses it for frames that name no player. */
  #last = '';

  /** @param own of the client itself; '' for none */
  constructor(own: string) {
    this.#own = own;
  }

  /**
   * Adds the key of a player, in place of an earlier one.
   *
   * @throws RangeError if there are PLAYERS_PER_SOCKET_MAX already
   */
  add(playerId: string, key: string): void {
    if (!this.#ofPlayers.has(playerId) && this.#ofPlayers.size >= PLAYERS_PER_SOCKET_MAX) {
      throw new RangeError(
        `a connection has the keys of ${PLAYERS_PER_SOCKET_MAX} players at most; use another client`,
      );
    }
    this.#ofPlayers.set(playerId, key);
    this.#sent.delete(playerId);
  }

  /** A connection is about to be opened. @returns the key for it; '' for none */
  open(): string {
    this.#sent.clear();
    const [first] = this.#ofPlayers;
    if (this.#own === '' && first !== undefined) this.#sent.add(first[0]);
    this.#first = this.#own === '' ? (first?.[1] ?? '') : this.#own;
    this.#last = this.#first;
    return this.#first;
  }

  /** The server has refused the key that the connection was opened with. @returns its player; null if it is the client's own */
  refused(): string | null {
    if (this.#first === this.#own) return null;
    for (const [playerId, key] of this.#ofPlayers) {
      if (key !== this.#first) continue;
      this.#ofPlayers.delete(playerId);
      return playerId;
    }
    return null;
  }

  /** The server has not taken the key of a player, for now. It is sent again before the next frame that needs it. */
  forget(playerId: string): void {
    this.#sent.delete(playerId);
  }

  /** What must be sent before a frame; null for nothing. @param playerId that the frame names */
  before(playerId: string | undefined): HelloFrame | null {
    if (playerId === undefined) return this.#own === '' ? null : this.#again(this.#own);
    const key = this.#ofPlayers.get(playerId);
    if (key === undefined || this.#sent.has(playerId)) return null;
    this.#sent.add(playerId);
    this.#last = key;
    return { op: 'hello', id: playerId, key };
  }

  #again(own: string): HelloFrame | null {
    if (this.#last === own) return null;
    this.#last = own;
    return { op: 'hello', id: '', key: own };
  }
}
