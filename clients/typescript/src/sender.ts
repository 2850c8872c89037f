// Sends a request until it is answered: attempts with the same idempotency key, pauses between them, turns, the quota,
// and the cache of replies. It knows HTTP and nothing of the game.
import { isProblem, NoReply } from './errors.js';
import { Quota } from './quota.js';
import { type CachedReply, ReplyCache } from './reply-cache.js';
import { isTemporary, pauseMsBefore, refusalOf } from './retries.js';
import { Turns } from './turns.js';
import { Deadline, pause } from './waiting.js';

export interface SenderOptions {
  readonly fetch: typeof fetch;
  /** '' for none. */
  readonly apiKey: string;
  readonly concurrency: number;
  readonly attempts: number;
  readonly deadlineMs: number;
  readonly attemptDeadlineMs: number;
  readonly cacheCharactersMax: number;
}

/** A reply, read to its end. */
export interface SentReply {
  /** With the cached text and status 200 if the server answered 304. */
  readonly response: Response;
  /** World time of the reply. */
  readonly worldTime: string;
  /** World time at which the text was computed: that of an earlier reply if the text is cached. */
  readonly asOf: string;
  readonly isCached: boolean;
}

/** A request whose body is text, so that it can be sent again. */
interface Order {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | null;
  /** Null for a read. */
  readonly idempotencyKey: string | null;
  readonly cached: CachedReply | undefined;
  readonly cost: number;
  /** Time that the server may hold the reply back: a long poll says so in `wait`. */
  readonly holdMs: number;
}

/** What came of an attempt: a reply, read to its end, or nothing. */
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
    const cached = isRead && !headers.has('if-none-match') ? this.#cache.get(url) : undefined;
    if (cached !== undefined) headers.set('if-none-match', cached.entityTag);
    const body = request.body === null ? null : await request.text();
    const holdMs = 1000 * Number(new URL(url).searchParams.get('wait') ?? 0);
    return { method, url, headers, body, idempotencyKey: headers.get('idempotency-key'), cached, cost, holdMs };
  }

  async #insist(order: Order, deadline: Deadline): Promise<SentReply> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#turns.take(deadline.signal, () => this.#attempt(order, deadline.signal));
      const isLast = attempt >= this.#options.attempts;
      if ('failure' in outcome) {
        if (isLast) throw noReply(order, attempt, outcome.failure);
        await pause(pauseMsBefore(attempt, undefined), deadline.signal);
        continue;
      }
      const { response, text } = outcome;
      const refusal = response.ok ? null : refusalOf(response.status, response.headers, text);
      if (refusal === null || isLast || !isTemporary(refusal)) return this.#received(order, response, text);
      const pauseMs = pauseMsBefore(attempt, refusal.retryAfterMs);
      // The caller had rather know now than at the deadline.
      if (pauseMs > deadline.remainingMs) return this.#received(order, response, text);
      await pause(pauseMs, deadline.signal);
    }
  }

  /** @throws the reason of the signal if it is aborted; any other failure is an outcome */
  async #attempt({ method, url, headers, body, cost, holdMs }: Order, signal: AbortSignal): Promise<Outcome> {
    for (;;) {
      const waitMs = this.#quota.reserve(cost, performance.now());
      if (waitMs === 0) break;
      await pause(waitMs, signal);
    }
    const deadline = new Deadline(this.#options.attemptDeadlineMs + holdMs, signal);
    this.#costInFlight += cost;
    try {
      const response = await this.#options.fetch(url, { method, headers, body, signal: deadline.signal });
      const text = await response.text();
      this.#quota.note(response.headers, this.#costInFlight - cost, performance.now());
      return { response, text };
    } catch (failure) {
      signal.throwIfAborted();
      return { failure };
    } finally {
      this.#costInFlight -= cost;
      deadline.clear();
    }
  }

  #received(order: Order, response: Response, text: string): SentReply {
    const { status, headers } = response;
    const worldTime = headers.get('x-world-time');
    if (worldTime === null || (status >= 400 && !isProblem(jsonOf(text)))) {
      throw new NoReply(
        `${nameOf(order)}: the reply (${status}) is not of a galaxyd: ${text.slice(0, 200)}`,
        order.idempotencyKey,
      );
    }
    if (status === NOT_MODIFIED && order.cached !== undefined) {
      const { text: kept, asOf, contentType } = order.cached;
      const keptHeaders = new Headers(headers);
      keptHeaders.set('content-type', contentType);
      return { response: new Response(kept, { status: 200, headers: keptHeaders }), worldTime, asOf, isCached: true };
    }
    if (order.method === 'GET') this.#keep(order.url, response, text, worldTime);
    const body = BODILESS.has(status) ? null : text;
    return { response: new Response(body, { status, headers }), worldTime, asOf: worldTime, isCached: false };
  }

  #keep(url: string, { status, headers }: Response, text: string, asOf: string): void {
    const entityTag = headers.get('etag');
    if (status !== 200 || entityTag === null) this.#cache.delete(url);
    else this.#cache.set(url, { entityTag, contentType: headers.get('content-type') ?? '', text, asOf });
  }
}

function nameOf({ method, url }: Order): string {
  return `${method} ${new URL(url).pathname}`;
}

function noReply(order: Order, attempts: number, failure: unknown): NoReply {
  const reason = failure instanceof Error ? causeOf(failure) : String(failure);
  return new NoReply(`${nameOf(order)}: no reply in ${attempts} attempts: ${reason}`, order.idempotencyKey, failure);
}

/** fetch reports every failure as "fetch failed" and the reason as its cause. */
function causeOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

/** @returns null if it is not JSON */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
