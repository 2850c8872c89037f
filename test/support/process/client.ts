// One client of a server: one connection that is kept alive, one request at a time on it, JSON in both directions.
import { type IncomingHttpHeaders, request } from 'node:http';
import { keptAliveAgent } from '../kept-alive.js';

export interface Reply<T> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The type that the caller expects; other tests check replies against their schemas. */
  readonly body: T;
}

/** The connection ended before a whole reply: whether the request took effect is unknown. */
export class NoReply extends Error {
  override readonly name = 'NoReply';

  constructor(
    message: string,
    /** False if there was no server to send the request to. */
    readonly isSent: boolean,
  ) {
    super(message);
  }
}

/** A reply that takes longer is a hang. */
const REPLY_DEADLINE_MS = 120_000;

export class Client {
  readonly #agent = keptAliveAgent(1);
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  readonly #replyMs: number;

  /**
   * @param key sent with every request as bearer token; '' for none
   * @param replyMs how long to wait for a reply; afterwards the connection is closed
   */
  constructor(url: string, key = '', replyMs = REPLY_DEADLINE_MS) {
    this.#url = url;
    this.#replyMs = replyMs;
    this.#headers = key === '' ? {} : { authorization: `Bearer ${key}` };
  }

  get<T>(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply<T>> {
    return this.#send('GET', path, undefined, headers);
  }

  /**
   * @param body omitted for none
   * @param idempotencyKey '' for none
   */
  post<T>(path: string, body?: unknown, idempotencyKey = ''): Promise<Reply<T>> {
    const headers: Record<string, string> = idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey };
    return this.#send('POST', path, body === undefined ? undefined : JSON.stringify(body), headers);
  }

  put<T>(path: string, body: unknown): Promise<Reply<T>> {
    return this.#send('PUT', path, JSON.stringify(body), {});
  }

  /** Closes the connection; a request in flight ends with NoReply. */
  close(): void {
    this.#agent.destroy();
  }

  #send<T>(
    method: string,
    path: string,
    body: string | undefined,
    further: Readonly<Record<string, string>>,
  ): Promise<Reply<T>> {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...this.#headers, ...type, ...further };
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        const isSent = !('code' in error && error.code === 'ECONNREFUSED');
        reject(new NoReply(`${method} ${path}: ${error}`, isSent));
      };
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
      outgoing.setTimeout(this.#replyMs, () => outgoing.destroy(new Error('no reply in time')));
      outgoing.once('error', fail);
      outgoing.end(body);
    });
  }
}
