// Requests to a game server, and a client that sends them while a world is set up. Anything but success ends the bench.
import { SET_UP_CONNECTIONS } from '../limits.js';

/** A request that a load sends over and over. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** Beside those that every client sends. */
  readonly headers?: Readonly<Record<string, string>>;
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
  const planetId = /^\{"id":"([^"]+)"/.exec(body)?.[1];
  if (!queueId || !planetId) return undefined;
  const cancel = postRequest('/api/building/cancel', { planetId, queueId });
  return headers === undefined ? cancel : { ...cancel, headers };
}

export class GameClient {
  readonly #url: string;
  readonly #adminKey: string;

  constructor(url: string, adminKey: string) {
    this.#url = url;
    this.#adminKey = adminKey;
  }

  /** @throws Error with the reply if it is no success */
  async send({ method, path, body, headers }: LoadRequest): Promise<Response> {
    const sent: Record<string, string> = { ...headers, authorization: `Bearer ${this.#adminKey}` };
    if (body !== undefined) sent['content-type'] = 'application/json';
    const response = await fetch(this.#url + path, { method, headers: sent, ...(body === undefined ? {} : { body }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  /** The caller names the shape, which the API document promises. */
  async get<T>(path: string): Promise<T> {
    return (await (await this.send(getRequest(path))).json()) as T;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return (await (await this.send(postRequest(path, body))).json()) as T;
  }

  /** Whether the server has the path of a request. Nothing is changed by asking. */
  async offers({ method, path }: LoadRequest): Promise<boolean> {
    // A body of the wrong shape is refused before it can do anything.
    const asked = method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '[]' };
    const response = await fetch(this.#url + path, { method, ...asked });
    await response.arrayBuffer();
    return response.status !== 404;
  }
}

/** Does something for each item, several at once. @returns the results in order */
export async function forEachAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: SET_UP_CONNECTIONS }, worker));
  return results;
}
