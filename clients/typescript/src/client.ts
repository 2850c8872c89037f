// The client: typed calls, batches, and waiting for world time.
import createClient from 'openapi-fetch';
import type { components } from './api.js';
import {
  type AnyOptions,
  type AsksForShort,
  anyOptions,
  type BodyOf,
  type CallArguments,
  type Operation,
  type PathOf,
  type ResultsOf,
  resultOf,
  type ShortResultsOf,
} from './calls.js';
import type { Receiver } from './connection.js';
import { type EventsExpired, isProblem, NoReply, problemError } from './errors.js';
import type { EventsOptions, GameEvent, MapFrame, MapFramesOptions, Resync, ResyncingOptions } from './events.js';
import {
  ATTEMPT_DEADLINE_MS,
  ATTEMPTS,
  BUFFERED_EVENTS_MAX,
  BUFFERED_FRAMES_MAX,
  CACHE_CHARACTERS_MAX,
  CONCURRENCY,
  DEADLINE_MS,
  FIRST_CONTACT_MS,
  LOOK_MS_MAX,
  LOOK_MS_MIN,
  OUTAGE_MS_MAX,
  STANDING_CLOCK_LOOK_MS,
} from './limits.js';
import { pause } from './pacing.js';
import { Sender, type SentReply } from './sender.js';
import { Servers } from './servers.js';
import { type GalaxydSocket, SharedSocket } from './shared-socket.js';
import { Subscription } from './subscriptions.js';

export interface ClientOptions {
  /**
   * Where the server is, such as http://127.0.0.1:3000, or all servers of the world: then another one takes over if one fails, and
   * commands go to the leader.
   */
  readonly baseUrl: string | readonly string[];
  /** Key of the player that the client acts for; needed with --auth key. */
  readonly apiKey?: string | undefined;
  /** Requests in flight at a time; 8 by default. */
  readonly concurrency?: number | undefined;
  /** Times that a request is sent before the call fails; 8 by default. */
  readonly attempts?: number | undefined;
  /** Time that a call may take with all its attempts; one minute by default. */
  readonly deadlineMs?: number | undefined;
  /**
   * Time after which a client gives up that has had no reply yet, if every server refuses its connections; 2 seconds by default. Longer for a
   * program that starts together with its server.
   */
  readonly firstContactMs?: number | undefined;
  /** Time after which an attempt without a reply is given up; 15 seconds by default. */
  readonly attemptDeadlineMs?: number | undefined;
  /** Characters of replies that are cached; 8 Mi by default, 0 for no cache. */
  readonly cacheCharactersMax?: number | undefined;
  /**
   * Whether commands follow a server to a leader that `baseUrl` does not name, with the key of the client; false by default. It is
   * safe if you trust what these servers say, and the network to them.
   */
  readonly followsAnyLeader?: boolean | undefined;
  /**
   * Whether reads show at least what earlier replies have shown, whichever server answers them; true by default. Such a read may wait
   * up to a second for a server that is behind.
   */
  readonly readsOwnWrites?: boolean | undefined;
  /** Replaces the global fetch. */
  readonly fetch?: typeof fetch | undefined;
  /** Time without a connection after which readers of events fail; half an hour by default. */
  readonly outageMsMax?: number | undefined;
  /** Replaces the WebSocket of the platform. */
  readonly webSocket?: typeof WebSocket | undefined;
}

/** Whom a client acts for. */
export interface ActingPlayer {
  readonly playerId: string;
  /** Needed with --auth key. */
  readonly apiKey?: string | undefined;
}

export interface Reply<Body> {
  readonly body: Body;
  readonly status: number;
  /** World time of the reply. */
  readonly worldTime: string;
  /** World time at which the body was computed; earlier than `worldTime` if it came from the cache. */
  readonly asOf: string;
  /** Whether nothing but time has changed since an earlier reply, so that the body is the one of then. */
  readonly isCached: boolean;
  readonly headers: Headers;
}

export interface WaitOptions {
  /** Ends the wait; the call throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface BatchOptions extends WaitOptions {
  /** With the key of an earlier batch of the same operations, both together take effect once; a random one by default. */
  readonly idempotencyKey?: string | undefined;
  /** Asks for short replies: an operation without one has no body, and a refusal only its code. */
  readonly isMinimal?: boolean | undefined;
}

type Schemas = components['schemas'];

interface ReadingOptions {
  readonly since?: number | null | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly resync?: boolean | undefined;
}

/** What openapi-fetch does, without the types: those of get(), post() and put() are derived from the same document. */
type Fetching = (
  path: string,
  options: AnyOptions & { parseAs: 'text'; fetch: (request: Request) => Promise<Response> },
) => Promise<Fetched>;

interface Fetchers {
  readonly GET: Fetching;
  readonly POST: Fetching;
  readonly PUT: Fetching;
}

interface Fetched {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** What the clients of several players share. */
interface SharedParts {
  readonly api: Fetchers;
  readonly servers: Servers;
  readonly shared: SharedSocket;
  /** The shared WebSocket, with the key of the player. */
  readonly socket: GalaxydSocket;
}

export class GalaxydClient {
  readonly #options: ClientOptions;
  readonly #sender: Sender;
  readonly #api: Fetchers;
  readonly #servers: Servers;
  readonly #shared: SharedSocket;
  readonly #socket: GalaxydSocket;

  /** @param parts internal: forPlayer() passes what it shares */
  constructor(options: ClientOptions, parts: SharedParts = partsOf(options)) {
    this.#options = options;
    this.#api = parts.api;
    this.#servers = parts.servers;
    this.#shared = parts.shared;
    this.#socket = parts.socket;
    this.#sender = new Sender({
      // A browser refuses its fetch as a method of another object.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      servers: parts.servers,
      apiKey: options.apiKey ?? '',
      concurrency: options.concurrency ?? CONCURRENCY,
      attempts: options.attempts ?? ATTEMPTS,
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      firstContactMs: options.firstContactMs ?? FIRST_CONTACT_MS,
      attemptDeadlineMs: options.attemptDeadlineMs ?? ATTEMPT_DEADLINE_MS,
      cacheCharactersMax: options.cacheCharactersMax ?? CACHE_CHARACTERS_MAX,
    });
  }

  /**
   * A client for a player that shares the WebSocket of this one, with all other players that it is made for: a swarm needs only a few
   * connections. Everything else is its own. A connection takes about 4,000 keys, and as many readers of events.
   *
   * @throws RangeError if too many players share it
   */
  forPlayer({ playerId, apiKey = '' }: ActingPlayer): GalaxydClient {
    const socket = this.#shared.of(playerId, apiKey);
    return new GalaxydClient(
      { ...this.#options, apiKey },
      { api: this.#api, servers: this.#servers, shared: this.#shared, socket },
    );
  }

  /** Calls over a WebSocket, which the readers of events share. It is opened when it is needed, and opened again if it is lost. */
  get socket(): GalaxydSocket {
    return this.#socket;
  }

  /**
   * Reads.
   *
   * @param path as in the OpenAPI document
   * @throws GalaxydProblem if the server refuses, NoReply if none comes
   */
  async get<Path extends PathOf<'get'>>(
    path: Path,
    ...options: CallArguments<'get', Path>
  ): Promise<Reply<BodyOf<'get', Path>>> {
    return await this.#call('GET', path, anyOptions(options[0]));
  }

  /**
   * Commands. All attempts have the same Idempotency-Key: a random one, unless `params.header` names another.
   *
   * @param path as in the OpenAPI document
   * @throws GalaxydProblem if the server refuses, NoReply if none comes
   */
  async post<Path extends PathOf<'post'>>(
    path: Path,
    ...options: CallArguments<'post', Path>
  ): Promise<Reply<BodyOf<'post', Path>>> {
    return await this.#call('POST', path, anyOptions(options[0]));
  }

  /**
   * Replaces something as a whole, such as the plan of a planet. It has an Idempotency-Key as post() does: a late attempt does not
   * undo what was put after it.
   *
   * @param path as in the OpenAPI document
   * @throws GalaxydProblem if the server refuses, NoReply if none comes
   */
  async put<Path extends PathOf<'put'>>(
    path: Path,
    ...options: CallArguments<'put', Path>
  ): Promise<Reply<BodyOf<'put', Path>>> {
    return await this.#call('PUT', path, anyOptions(options[0]));
  }

  /**
   * Does what an option proposes: sends its `request` as it is. With `isMinimal` the reply is the short one, if the operation has one.
   *
   * @throws GalaxydProblem if the server refuses, NoReply if none comes
   */
  async perform<Short>(operation: Operation<unknown, Short>, options: AsksForShort): Promise<Reply<Short>>;
  async perform<Body>(operation: Operation<Body>): Promise<Reply<Body>>;
  async perform<Body>({ method, path, body }: Operation<Body>, options?: AsksForShort): Promise<Reply<Body>> {
    return await this.#call(method, path, {
      ...(body === undefined ? {} : { body }),
      params: { header: preferenceOf(options?.isMinimal) },
    });
  }

  /**
   * Sends up to 1,000 operations in one request. A refused operation does not stop the others.
   *
   * @param operations made by operation.get(), post() and put(), or taken from options
   * @returns the result of each, in the same order
   * @throws GalaxydProblem if the server refuses the batch as a whole, NoReply if no reply comes
   */
  async batch<const Operations extends readonly Operation[]>(
    operations: Operations,
    options: BatchOptions & AsksForShort,
  ): Promise<Reply<ShortResultsOf<Operations>>>;
  async batch<const Operations extends readonly Operation[]>(
    operations: Operations,
    options?: BatchOptions,
  ): Promise<Reply<ResultsOf<Operations>>>;
  async batch<const Operations extends readonly Operation[]>(
    operations: Operations,
    { idempotencyKey, isMinimal, ...options }: BatchOptions = {},
  ): Promise<Reply<ResultsOf<Operations>>> {
    const key = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    const header = { ...key, ...preferenceOf(isMinimal) };
    const reply: Reply<Schemas['BatchResults']> = await this.#call(
      'POST',
      '/api/batch',
      { ...options, params: { header }, body: { operations } },
      operations.length,
      (body) => hasResults(body, operations.length),
    );
    return { ...reply, body: reply.body.results.map(resultOf) as ResultsOf<Operations> };
  }

  /**
   * Waits until the world's time has reached an instant. Looks at the world's clock before and after, and at times in
   * between; while it stands, because an operator moves it or has paused it, each second.
   *
   * @param instant world time, such as `nextTimerAt`
   * @throws what get() throws, and the reason of the signal
   */
  async waitUntil(instant: string, { signal = new AbortController().signal }: WaitOptions = {}): Promise<void> {
    for (;;) {
      // The instant is that of the reply: the body may come from the cache.
      const { body, worldTime } = await this.get('/api/status', { signal });
      const remainingMs = Date.parse(instant) - Date.parse(worldTime);
      if (remainingMs <= 0) return;
      const isRunning = body.clock === 'real' && (body.pausedAt ?? null) === null;
      const waitMs = isRunning ? Math.min(remainingMs, LOOK_MS_MAX) : STANDING_CLOCK_LOOK_MS;
      await pause(Math.max(LOOK_MS_MIN, waitMs), signal);
    }
  }

  /**
   * The events of a player, each once and in order, for ever: the connection is opened again if it is lost, and continues after
   * the last event. A client reads the events of a player once at a time. Reading begins with the first call of next().
   *
   * @throws EventsExpired if the events after `since` are no longer kept; with `resync` it reads the state and goes on
   * @throws GalaxydProblem if the server refuses, NoReply if there is no connection for long, and the reason of the signal
   */
  events(playerId: string, options?: EventsOptions): AsyncIterableIterator<GameEvent>;
  events(playerId: string, options: ResyncingOptions): AsyncIterableIterator<GameEvent | Resync<Schemas['Player']>>;
  events(
    playerId: string,
    { since = null, signal, resync = false }: ReadingOptions = {},
  ): AsyncIterableIterator<GameEvent | Resync<Schemas['Player']>> {
    const readState = async (): Promise<Resync<Schemas['Player']>> => {
      const { body } = await this.get('/api/game/state/{playerId}', { params: { path: { playerId } } });
      return { type: 'resync', seq: body.lastEventSeq, state: body };
    };
    return this.#events({ playerId }, since, signal, resync ? readState : null);
  }

  /**
   * The public events of all players, in the same way. `playerId` of an event is whom it is about.
   *
   * @throws what events() throws
   */
  worldEvents(options?: EventsOptions): AsyncIterableIterator<GameEvent>;
  worldEvents(options: ResyncingOptions): AsyncIterableIterator<GameEvent | Resync<null>>;
  worldEvents({
    since = null,
    signal,
    resync = false,
  }: ReadingOptions = {}): AsyncIterableIterator<GameEvent | Resync<null>> {
    const skip = async ({ oldestSeq }: EventsExpired): Promise<Resync<null>> => {
      return { type: 'resync', seq: oldestSeq - 1, state: null };
    };
    return this.#events({ topic: 'world' }, since, signal, resync ? skip : null);
  }

  /**
   * What changes on the map, as it happens, at most once a second. Read /api/map and /api/map/fleets first, and continue from the
   * lower `feedSeq` of the two. With --auth key it needs the spectator key or the admin key.
   *
   * The iteration throws EventsExpired if the server cannot continue from there: read both documents again.
   */
  mapFrames({ since, signal }: MapFramesOptions = {}): AsyncIterableIterator<MapFrame> {
    const options = {
      receiver: { topic: 'map' },
      since: since ?? null,
      signal,
      resync: null,
      bufferedMax: BUFFERED_FRAMES_MAX,
    } as const;
    return new Subscription<MapFrame>(this.#shared.subscriptions, options);
  }

  #events<State>(
    receiver: Receiver,
    since: number | null,
    signal: AbortSignal | undefined,
    resync: ((expired: EventsExpired) => Promise<Resync<State>>) | null,
  ): Subscription<GameEvent, Resync<State>> {
    const options = { receiver, since, signal, resync, bufferedMax: BUFFERED_EVENTS_MAX };
    return new Subscription(this.#shared.subscriptions, options);
  }

  /**
   * @param isExpected whether a body can be that of the reply
   * @returns the reply with the type that the caller derives from the OpenAPI document
   */
  async #call<Body>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    options: AnyOptions,
    cost = 1,
    isExpected: (body: unknown) => boolean = () => true,
  ): Promise<Reply<Body>> {
    const { signal, ...request } = options;
    let sent: SentReply | undefined;
    const send = async (input: Request): Promise<Response> => {
      sent = await this.#sender.send(input, cost, signal ?? new AbortController().signal);
      return sent.response;
    };
    const { data, error, response } = await this.#api[method](path, { ...request, parseAs: 'text', fetch: send });
    if (sent === undefined) throw new Error('openapi-fetch did not send the request');
    if (isProblem(error)) throw problemError(error);
    const { worldTime, asOf, isCached, idempotencyKey } = sent;
    const strange = (how: string, error?: unknown): NoReply =>
      new NoReply(`${method} ${path}: the reply (${response.status}) is not ${how}`, idempotencyKey, error);
    const body = isJson(response) ? parsed(String(data), (error) => strange('JSON', error)) : data;
    if (!isExpected(body)) throw strange('that of a galaxyd');
    return { body: body as Body, status: response.status, worldTime, asOf, isCached, headers: response.headers };
  }
}

function partsOf(options: ClientOptions): SharedParts {
  const { baseUrl, apiKey = '', attempts = ATTEMPTS, deadlineMs = DEADLINE_MS, webSocket } = options;
  const { firstContactMs = FIRST_CONTACT_MS } = options;
  const { attemptDeadlineMs: openingMs = ATTEMPT_DEADLINE_MS, outageMsMax = OUTAGE_MS_MAX } = options;
  const { followsAnyLeader = false, readsOwnWrites = true } = options;
  const baseUrls = typeof baseUrl === 'string' ? [baseUrl] : baseUrl;
  const servers = new Servers({ baseUrls, followsAnyLeader, readsOwnWrites });
  const shared = new SharedSocket({
    ...{ servers, apiKey, attempts, deadlineMs, firstContactMs, openingMs, outageMsMax, webSocket },
  });
  const [first] = servers.urls;
  return { api: createClient({ baseUrl: first }) as unknown as Fetchers, servers, shared, socket: shared };
}

/** The header that asks for short replies. */
function preferenceOf(isMinimal = false): Record<string, string> {
  return isMinimal ? { Prefer: 'return=minimal' } : {};
}

function parsed(text: string, notJson: (error: unknown) => NoReply): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

function hasResults(body: unknown, count: number): boolean {
  const { results } = (body ?? {}) as { results?: unknown };
  return Array.isArray(results) && results.length === count && results.every(isResult);
}

function isResult(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'status' in result && typeof result.status === 'number';
}

/** Some reads answer with text, such as the brief. */
function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true;
}
