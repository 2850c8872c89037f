// Sends a request until it is answered: attempts with the same idempotency key, pauses between them, turns, the quota,
// and the cache of replies. It knows HTTP and nothing of the game.
import { isProblem, NoReply } from './errors.js';
import { CACHED_REPLIES_MAX, LEADER_HOPS_MAX, REPLY_BYTES_MAX } from './limits.js';
import { Deadline, pause, Quota, Turns } from './pacing.js';
import { isPassing, isTemporary, isUnreachable, pauseMsBefore, type Refusal, reasonOf, refusalOf } from './retries.js';
import type { Servers } from './servers.js';

export interface SenderOptions {
  readonly fetch: typeof fetch;
  readonly servers: Servers;
  /** '' for none. */
  readonly apiKey: string;
  readonly concurrency: number;
  readonly attempts: number;
  readonly deadlineMs: number;
  readonly firstContactMs: number;
  readonly attemptDeadlineMs: number;
  readonly cacheCharactersMax: number;
}

/** A reply, read to its end. */
export interface SentReply {
  /** Has the cached text and status 200 if the server answered 304. */
  readonly response: Response;
  /** World time of the reply. */
  readonly worldTime: string;
  /** World time at which the text was computed: that of an earlier reply if the text is cached. */
  readonly asOf: string;
  readonly isCached: boolean;
  /** That the request was sent with; null for a read. */
  readonly idempotencyKey: string | null;
}

/** A request whose body is text, so that it can be sent again. */
interface Order {
  readonly method: string;
  /** Path and query, below the URL of a server. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string | null;
  /** Null for a read. */
  readonly idempotencyKey: string | null;
  readonly cost: number;
  /** Time that the server may hold the reply back: a long poll says so in `wait`. */
  readonly holdMs: number;
}

/** A request as one server gets it. */
interface ServerRequest {
  readonly order: Order;
  readonly server: string;
  readonly url: string;
  readonly headers: Headers;
  readonly cached: CachedReply | undefined;
}

/** The outcome of an attempt: a reply, read to its end, or nothing. */
type Outcome = { readonly response: Response; readonly text: string } | { readonly failure: unknown };

/** Statuses whose replies have no body. */
const BODILESS = new Set([204, 205, 304]);
const NOT_MODIFIED = 304;

export class Sender {
  readonly #options: SenderOptions;
  readonly #turns: Turns;
  readonly #quota = new Quota();
  readonly #cache: ReplyCache;
  #costInFlight = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#turns = new Turns(options.concurrency);
    this.#cache = new ReplyCache(options.cacheCharactersMax);
  }

  /**
   * Sends a request, again and again if necessary. A refusal is a reply, too.
   *
   * @param cost how many operations the server counts it as
   * @param signal of the caller; that of the request is ignored
   * @throws NoReply after the last attempt, or at the deadline
   * @throws the reason of the signal if that is aborted
   */
  async send(request: Request, cost: number, signal: AbortSignal): Promise<SentReply> {
    const order = await this.#orderOf(request, cost);
    const deadline = new Deadline(this.#options.deadlineMs + order.holdMs, signal);
    try {
      return await this.#insist(order, deadline);
    } catch (error) {
      if (!deadline.isOver || error instanceof NoReply) throw error;
      throw new NoReply(`${nameOf(order)}: no reply in ${deadline.lengthMs} ms`, order.idempotencyKey, error);
    } finally {
      deadline.clear();
    }
  }

  async #orderOf(request: Request, cost: number): Promise<Order> {
    const { method, url } = request;
    const headers = new Headers(request.headers);
    if (this.#options.apiKey !== '') headers.set('authorization', `Bearer ${this.#options.apiKey}`);
    const isRead = method === 'GET';
    if (!isRead && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
    const [base] = this.#options.servers.urls;
    const target = url.slice(base.length);
    const body = request.body === null ? null : await request.text();
    const holdMs = 1000 * Number(new URL(url).searchParams.get('wait') ?? 0);
    return { method, target, headers, body, idempotencyKey: headers.get('idempotency-key'), cost, holdMs };
  }

  async #insist(order: Order, deadline: Deadline): Promise<SentReply> {
    const { servers, attempts } = this.#options;
    const attemptsMax = attempts * servers.urls.length;
    let hops = 0;
    let attempt = 0;
    for (let sent = 1; ; sent += 1) {
      attempt += 1;
      const request = this.#requestOf(order);
      const outcome = await this.#turns.take(deadline.signal, () => this.#attempt(request, deadline.signal));
      const isLast = attempt >= attemptsMax;
      if ('failure' in outcome) {
        servers.failed(request.server);
        if (isLast) throw noReply(order, attempt, outcome.failure);
        const pauseMs = this.#pauseMs(sent, null);
        if (this.#isNobodyThere(outcome.failure, deadline.passedMs + pauseMs)) {
          const message = `${nameOf(order)}: no server answers at ${servers.urls.join(' or ')}: ${reasonOf(outcome.failure)}`;
          throw new NoReply(message, order.idempotencyKey, outcome.failure);
        }
        await pause(pauseMs, deadline.signal);
        continue;
      }
      const { response, text } = outcome;
      servers.note(Number(response.headers.get('x-world-seq') ?? 0));
      const refusal = response.ok ? null : refusalOf(response.status, response.headers, text);
      if (refusal === null || !isTemporary(refusal)) return this.#received(request, response, text);
      if (this.#turnsElsewhere(request, refusal, response) && hops < LEADER_HOPS_MAX) {
        hops += 1;
        attempt -= 1;
        sent -= 1;
        continue;
      }
      const pauseMs = this.#pauseMs(sent, refusal);
      // The caller had rather know now than at the deadline.
      if (isLast || pauseMs > deadline.remainingMs) {
        if (refusal.code === 'replica_behind') servers.forget();
        // The world has no time yet, so this is no reply for the caller.
        if (refusal.code === 'recovering') throw noReply(order, sent, new Error('the server recovers its world'));
        return this.#received(request, response, text);
      }
      await pause(pauseMs, deadline.signal);
      // It passes, however many attempts were made: only the deadline ends it.
      if (isPassing(refusal)) attempt -= 1;
    }
  }

  /** Whether no server has ever answered, and none has accepted a connection for so long. */
  #isNobodyThere(failure: unknown, passedMs: number): boolean {
    const { servers, firstContactMs } = this.#options;
    return !servers.isReached && isUnreachable(failure) && passedMs > firstContactMs;
  }

  /** Looks for a server that takes a refused request. @returns whether it is known, so that there is nothing to wait for */
  #turnsElsewhere({ server, order }: ServerRequest, { status, code }: Refusal, { headers }: Response): boolean {
    const { servers } = this.#options;
    if (code === 'not_leader') return servers.referred(server, headers.get('location'), order.target);
    // Its limits are those of a client that may have used them up elsewhere, too.
    if (status !== 429 && code !== 'idempotency_key_in_flight') servers.failed(server);
    return false;
  }

  /** Before the next server is asked there is hardly a pause; before all are asked again, the one that the last has asked for. */
  #pauseMs(sent: number, refusal: Refusal | null): number {
    const count = this.#options.servers.urls.length;
    const round = refusal !== null && isPassing(refusal) ? 1 : Math.ceil(sent / count);
    return pauseMsBefore(round, sent % count === 0 ? refusal?.retryAfterMs : undefined);
  }

  #requestOf(order: Order): ServerRequest {
    const { servers } = this.#options;
    const isRead = order.method === 'GET';
    const server = isRead ? servers.present : servers.leader;
    const url = server + order.target;
    const headers = new Headers(order.headers);
    const cached = isRead && !headers.has('if-none-match') ? this.#cache.get(url) : undefined;
    if (cached !== undefined) headers.set('if-none-match', cached.entityTag);
    if (isRead && servers.minSeq > 0 && !headers.has('x-min-seq')) headers.set('x-min-seq', String(servers.minSeq));
    return { order, server, url, headers, cached };
  }

  /** @throws the reason of the signal if it is aborted, NoReply if the reply is too long; any other failure is an outcome */
  async #attempt({ order, url, headers }: ServerRequest, signal: AbortSignal): Promise<Outcome> {
    const { method, body, cost, holdMs } = order;
    for (;;) {
      const waitMs = this.#quota.reserve(cost, performance.now());
      if (waitMs === 0) break;
      await pause(waitMs, signal);
    }
    const deadline = new Deadline(this.#options.attemptDeadlineMs + holdMs, signal);
    this.#costInFlight += cost;
    try {
      // galaxyd never redirects, and another server must not get the key: a redirect does not count as a reply.
      const init: RequestInit = { method, headers, body, redirect: 'manual', signal: deadline.signal };
      const response = await this.#options.fetch(url, init);
      const text = await bodyText(response, REPLY_BYTES_MAX);
      this.#quota.note(response.headers, this.#costInFlight - cost, performance.now());
      return { response, text };
    } catch (failure) {
      signal.throwIfAborted();
      // The next one would be as long.
      if (failure instanceof ReplyTooLong)
        throw new NoReply(`${nameOf(order)}: ${failure.message}`, order.idempotencyKey);
      return { failure };
    } finally {
      this.#costInFlight -= cost;
      deadline.clear();
    }
  }

  #received({ order, url, cached }: ServerRequest, response: Response, text: string): SentReply {
    const { status, headers } = response;
    const worldTime = headers.get('x-world-time');
    if (!isInstant(worldTime) || (status >= 400 && !isProblem(jsonOf(text)))) {
      throw new NoReply(
        `${nameOf(order)}: the reply (${status}) is not of a galaxyd: ${text.slice(0, 200)}`,
        order.idempotencyKey,
      );
    }
    if (status === NOT_MODIFIED && cached !== undefined) {
      const { text: kept, asOf, contentType } = cached;
      const keptHeaders = new Headers(headers);
      keptHeaders.set('content-type', contentType);
      const cachedResponse = new Response(kept, { status: 200, headers: keptHeaders });
      return { response: cachedResponse, worldTime, asOf, isCached: true, idempotencyKey: null };
    }
    if (order.method === 'GET') this.#keep(url, response, text, worldTime);
    const body = BODILESS.has(status) ? null : text;
    const { idempotencyKey } = order;
    return {
      response: new Response(body, { status, headers }),
      worldTime,
      asOf: worldTime,
      isCached: false,
      idempotencyKey,
    };
  }

  #keep(url: string, { status, headers }: Response, text: string, asOf: string): void {
    const entityTag = headers.get('etag');
    if (status !== 200 || entityTag === null) this.#cache.delete(url);
    else this.#cache.set(url, { entityTag, contentType: headers.get('content-type') ?? '', text, asOf });
  }
}

function nameOf({ method, target }: Order): string {
  return `${method} ${target.split('?', 1)[0]}`;
}

function noReply(order: Order, attempts: number, failure: unknown): NoReply {
  const message = `${nameOf(order)}: no reply in ${attempts} attempts: ${reasonOf(failure)}`;
  return new NoReply(message, order.idempotencyKey, failure);
}

function isInstant(text: string | null): text is string {
  return text !== null && !Number.isNaN(Date.parse(text));
}

/** @returns null if it is not JSON */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface CachedReply {
  readonly entityTag: string;
  readonly contentType: string;
  readonly text: string;
  /** World time at which the server computed it. */
  readonly asOf: string;
}

/** Replies by URL, with the entity tag to ask whether they still hold. Bounded; what was used longest ago goes first. */
class ReplyCache {
  readonly #replies = new Map<string, CachedReply>();
  readonly #charactersMax: number;
  #characters = 0;

  /** @param charactersMax of all texts together; 0 for no cache */
  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  /** The reply kept for a URL, which becomes the one used last. */
  get(url: string): CachedReply | undefined {
    const reply = this.#replies.get(url);
    if (reply !== undefined) {
      this.#replies.delete(url);
      this.#replies.set(url, reply);
    }
    return reply;
  }

  set(url: string, reply: CachedReply): void {
    this.delete(url);
    if (reply.text.length > this.#charactersMax) return;
    this.#replies.set(url, reply);
    this.#characters += reply.text.length;
    for (const oldest of this.#replies.keys()) {
      if (this.#characters <= this.#charactersMax && this.#replies.size <= CACHED_REPLIES_MAX) return;
      this.delete(oldest);
    }
  }

  delete(url: string): void {
    this.#characters -= this.#replies.get(url)?.text.length ?? 0;
    this.#replies.delete(url);
  }
}

/** The server sent more than a reply of a galaxyd can have. */
class ReplyTooLong extends Error {
  override readonly name = 'ReplyTooLong';

  constructor(bytesMax: number) {
    super(`the reply has more than ${bytesMax} bytes`);
  }
}

/**
 * Reads a body to its end. Its length is bounded whatever the server sends: a compressed one may be a thousand times as long.
 *
 * @throws ReplyTooLong, and what fetch() throws if the connection is lost
 */
async function bodyText(response: Response, bytesMax: number): Promise<string> {
  const { body, headers } = response;
  if (body === null) return '';
  const lengthBytes = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  // No reply is longer than its length says, unless it is compressed.
  if (lengthBytes <= bytesMax && !headers.has('content-encoding')) return await response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let byteCount = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    byteCount += value.length;
    if (byteCount > bytesMax) {
      await reader.cancel();
      throw new ReplyTooLong(bytesMax);
    }
    text += decoder.decode(value, { stream: true });
  }
}
