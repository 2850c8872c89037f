// One client of a server: one connection that is kept alive, one request at a time on it, JSON in both directions.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Reply<T> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The type that the caller expects; other tests check replies against their schemas. */
  readonly body: T;
}

/** The connection ended before a whole reply: whether the request took effect is unknown. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
}

/** A reply that takes longer is a hang. */
const REPLY_DEADLINE_MS = 120_000;

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param key sent with every request as bearer token; '' for none */
  constructor(url: string, key = '') {
    this.#url = url;
    this.#headers = key === '' ? {} : { authorization: `Bearer ${key}` };
  }

  get<T>(path: string): Promise<Reply<T>> {
    return this.#send('GET', path, undefined);
  }

  /**
   * @param body omitted for none
   * @param idempotencyKey '' for none
   */
  post<T>(path: string, body?: unknown, idempotencyKey = ''): Promise<Reply<T>> {
    return this.#send('POST', path, body === undefined ? undefined : JSON.stringify(body), idempotencyKey);
  }

  /** Closes the connection; a request in flight ends with NoReply. */
  close(): void {
    this.#agent.destroy();
  }

  #send<T>(method: string, path: string, body: string | undefined, idempotencyKey = ''): Promise<Reply<T>> {
    const headers = {
      ...this.#headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
    };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => reject(new NoReply(`${method} ${path}: ${String(error)}`));
      const outgoing = request(this.#url + path, { method, headers, agent: this.#agent }, (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        incoming.once('error', fail);
        incoming.once('end', () => {
          const parsed = text === '' ? null : JSON.parse(text);
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed });
        });
      });
      outgoing.setTimeout(REPLY_DEADLINE_MS, () => outgoing.destroy(new Error('no reply in time')));
      outgoing.once('error', fail);
      outgoing.end(body);
    });
  }
}
