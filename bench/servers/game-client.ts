// Requests to a game server, and a client that sends them while a world is set up. Anything but success ends the bench.
import { BenchFailed } from '../bench-failed.js';
import { FAILURE_LENGTH_MAX, SET_UP_CONNECTIONS } from '../limits.js';

/** The name of the server under test. */
export const TESTED = 'galaxyd';

/** A request that a load sends over and over. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** Beside those that every client sends. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a load sends. */
export interface RequestList {
  /** Sent in turn, over and over. */
  readonly requests: readonly LoadRequest[];
  /** Whether each upgrade that a reply shows is cancelled by the next free connection. */
  readonly cancelsWhatItBegins: boolean;
  /** Whether each is accepted only once; the first of them is sent before the load, for a sample of the reply. */
  readonly isOnce?: boolean;
}

export interface GameReply extends Pick<Response, 'ok' | 'status' | 'headers'> {
  readonly text: string;
}

export function postRequest(path: string, body: unknown): LoadRequest {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

export function getRequest(path: string): LoadRequest {
  return { method: 'GET', path };
}

/**
 * The request that cancels the upgrade that a reply shows.
 *
 * @param body of the reply to an upgrade: a planet
 * @param headers of the upgrade
 * @returns undefined if it shows none
 */
export function cancelOf(body: string, headers?: LoadRequest['headers']): LoadRequest | undefined {
  const queueId = /"queueId":"([^"]+)"/.exec(body)?.[1];
  const planetId = entityShownBy(body);
  if (!queueId || !planetId) return undefined;
  const cancel = postRequest('/api/building/cancel', { planetId, queueId });
  return headers === undefined ? cancel : { ...cancel, headers };
}

/** Id of the planet that a command names; undefined if it names none. */
export function planetAskedFor({ body = '' }: LoadRequest): string | undefined {
  return /"planetId":"([^"]+)"/.exec(body)?.[1];
}

/** Id of the planet or player that the reply to a request shows; undefined if its replies show no id, as minimal ones do. */
export function entityAskedFor(request: LoadRequest): string | undefined {
  if (request.headers?.['prefer'] !== undefined) return undefined;
  if (request.path.startsWith('/api/building/')) return planetAskedFor(request);
  return /^\/api\/game\/(?:state|planet)\/([^/]+)$/.exec(request.path)?.[1];
}

/** Id of the planet or player that a reply shows; undefined if it shows none. */
export function entityShownBy(body: string): string | undefined {
  return /^\{"id":"([^"]+)"/.exec(body)?.[1];
}

export class GameClient {
  readonly #url: string;
  readonly #adminKey: string;

  /** @param server its name, for messages */
  constructor(
    url: string,
    adminKey: string,
    readonly server = TESTED,
  ) {
    this.#url = url;
    this.#adminKey = adminKey;
  }

  /**
   * @returns the reply, whose body is there already
   * @throws BenchFailed if it is not a success, or is not complete
   */
  async send({ method, path, body, headers }: LoadRequest): Promise<GameReply> {
    const sent: Record<string, string> = { ...headers, authorization: `Bearer ${this.#adminKey}` };
    if (body !== undefined) sent['content-type'] = 'application/json';
    const reply = await this.#ask(path, { method, headers: sent, ...(body === undefined ? {} : { body }) });
    if (reply.ok) return reply;
    throw new BenchFailed(
      `${this.server} answered ${method} ${path} with ${reply.status} ${reply.text.slice(0, FAILURE_LENGTH_MAX)}`,
    );
  }

  /** The caller names the shape, which the API document promises. */
  async get<T>(path: string): Promise<T> {
    return JSON.parse((await this.send(getRequest(path))).text) as T;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return JSON.parse((await this.send(postRequest(path, body))).text) as T;
  }

  /** Posts bodies to one path, in one batch; at least one. @throws BenchFailed if one of them is refused */
  async postAll(path: string, bodies: readonly object[]): Promise<void> {
    const operations = bodies.map((body) => ({ method: 'POST', path, body }));
    await this.sendBatch(postRequest('/api/batch', { operations }));
  }

  /** A batch succeeds even if its commands are refused. @throws BenchFailed if one of them is refused */
  async sendBatch(batch: LoadRequest): Promise<void> {
    const { text } = await this.send(batch);
    const refusedAt = text.search(/"status":[45]\d\d/);
    if (refusedAt < 0) return;
    const refusal = text.slice(refusedAt, refusedAt + FAILURE_LENGTH_MAX);
    throw new BenchFailed(`${this.server} refuses a command of a batch: ${refusal}`);
  }

  async lastEventSeq(playerId: string): Promise<number> {
    return (await this.get<{ lastEventSeq: number }>(`/api/game/state/${playerId}`)).lastEventSeq;
  }

  /** Whether the server has the path of a request. Nothing is changed by asking. */
  async offers({ method, path }: LoadRequest): Promise<boolean> {
    // A body of the wrong shape is refused before it can do anything.
    const asked = method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '[]' };
    return (await this.#ask(path, { method, ...asked })).status !== 404;
  }

  async #ask(path: string, options: RequestInit): Promise<GameReply> {
    try {
      const response = await fetch(this.#url + path, { ...options, redirect: 'manual' });
      const { ok, status, headers } = response;
      return { ok, status, headers, text: await response.text() };
    } catch (error) {
      const { cause, message } = error as Error;
      throw new BenchFailed(`${this.server} did not answer ${options.method} ${path}: ${String(cause ?? message)}`);
    }
  }
}

/** Does something for each item, several at once. @returns the results in order */
export async function forEachAtOnce<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = SET_UP_CONNECTIONS,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
