// Talks to a game server over its public API while a world is set up. Anything but success ends the bench.
import { SET_UP_CONNECTIONS } from '../limits.js';
import { getRequest, type LoadRequest, postRequest } from './load-request.js';

export class GameClient {
  readonly #url: string;
  readonly #adminKey: string;

  constructor(url: string, adminKey: string) {
    this.#url = url;
    this.#adminKey = adminKey;
  }

  /** @throws Error with the reply where it is no success */
  async send({ method, path, body, headers }: LoadRequest): Promise<Response> {
    const sent: Record<string, string> = { ...headers, authorization: `Bearer ${this.#adminKey}` };
    if (body !== undefined) sent['content-type'] = 'application/json';
    const response = await fetch(this.#url + path, { method, headers: sent, ...(body === undefined ? {} : { body }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  /** The shape is the contract's, and the caller's to name. */
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

  /** Moves a manual clock on. */
  async passSeconds(seconds: number): Promise<void> {
    await this.post('/api/admin/clock/advance', { seconds });
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
