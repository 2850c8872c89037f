// An ordinary client of the game: JSON in, JSON out, connections kept alive. Every reply goes through the route table's
// own schemas, so that a test that only plays also checks its replies.
import { type Agent, type IncomingMessage, request } from 'node:http';
import type { Static } from 'typebox';
import { EVENT_STREAM_TYPE } from '../../../http/exchange/exchange.js';
import type { Problem } from '../../../http/schemas/world.js';
import { keptAliveAgent } from '../../support/kept-alive.js';
import type { RawReply } from './raw-connection.js';
import { type CheckedReply, checkReply } from './reply-check.js';

export type ProblemBody = Static<typeof Problem>;

export interface Reply extends CheckedReply {
  /** The parsed text; null if there is none or it is not JSON. */
  readonly body: unknown;
}

export interface RequestOptions {
  /** Sent as it is if it is text or bytes, otherwise as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class GameClient {
  readonly #agent: Agent;

  /** @param key sent as bearer of every request; '' for none */
  constructor(
    readonly port: number,
    protected key = '',
    agent?: Agent,
  ) {
    this.#agent = agent ?? keptAliveAgent(64);
  }

  /** The same connections, another caller. */
  as(key: string): GameClient {
    return new GameClient(this.port, key, this.#agent);
  }

  /** Sends any request and checks the reply against the route table. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const reply = await this.send(method, path, options);
    checkReply(method, path.split('?', 1)[0] as string, reply);
    return reply;
  }

  /** A read that must succeed. The type is that of the route's schema, which the reply was checked against. */
  async read<Body>(path: string): Promise<Body> {
    return (await this.#succeed('GET', path, {})).body as Body;
  }

  /** A command that must succeed with exactly this status. */
  async command<Body>(path: string, body?: unknown, status = 200): Promise<Body> {
    const reply = await this.#succeed('POST', path, body === undefined ? {} : { body });
    if (reply.status !== status) throw new Error(`POST ${path} → ${reply.status} instead of ${status}`);
    return reply.body as Body;
  }

  /** A batch that must be carried out. @returns the result of each operation */
  async batch<Body = unknown>(operations: readonly object[]): Promise<readonly OperationResult<Body>[]> {
    return (await this.command<{ results: OperationResult<Body>[] }>('/api/batch', { operations })).results;
  }

  /** Reads again with the entity tag of an earlier reply. */
  readAgain(path: string, { headers }: Pick<Reply, 'headers'>): Promise<Reply> {
    return this.request('GET', path, { headers: { 'if-none-match': headers['etag'] ?? '' } });
  }

  /** A request that must be refused. @returns the problem */
  async refusal(method: string, path: string, body?: unknown): Promise<ProblemBody> {
    const reply = await this.request(method, path, body === undefined ? {} : { body });
    if (reply.status < 400) throw new Error(`${method} ${path} was not refused but got ${reply.status}: ${reply.text}`);
    return reply.body as ProblemBody;
  }

  /** Sends and reads without any check, for requests that no table describes. Of a stream only the first piece is read. */
  async send(method: string, path: string, { body, headers = {} }: RequestOptions = {}): Promise<Reply> {
    const bytes = bodyBytes(body);
    const allHeaders: Record<string, string> = {
      ...(bytes === null ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      ...(this.key === '' ? {} : { authorization: `Bearer ${this.key}` }),
      ...headers,
    };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: this.port,
        method,
        path,
        headers: allHeaders,
        agent: this.#agent,
      });
      outgoing.once('error', reject);
      outgoing.once('response', resolve);
      outgoing.end(bytes ?? undefined);
    });
    const chunks: Buffer[] = [];
    const isStream = message.headers['content-type'] === EVENT_STREAM_TYPE;
    for await (const chunk of message) {
      chunks.push(chunk as Buffer);
      if (isStream) break;
    }
    const text = Buffer.concat(chunks).toString();
    const replyHeaders = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
    const parsed: unknown = isJson(message.headers['content-type']) && text !== '' ? JSON.parse(text) : null;
    return { status: message.statusCode ?? 0, headers: Object.fromEntries(replyHeaders), text, body: parsed };
  }

  close(): void {
    this.#agent.destroy();
  }

  async #succeed(method: string, path: string, options: RequestOptions): Promise<Reply> {
    const reply = await this.request(method, path, options);
    if (reply.status >= 400) throw new Error(`${method} ${path} → ${reply.status}: ${reply.text}`);
    return reply;
  }
}

export interface OperationResult<Body> {
  readonly status: number;
  readonly body: Body;
}

export function statusesOf(replies: readonly { readonly status: number }[]): number[] {
  return replies.map(({ status }) => status);
}

/** A request with an Idempotency-Key. */
export function withKey(idempotencyKey: string, body?: unknown): RequestOptions {
  return { ...(body === undefined ? {} : { body }), headers: { 'idempotency-key': idempotencyKey } };
}

/** A reply that was read byte by byte, checked against the route table like any other. */
export function checked(method: string, path: string, raw: RawReply): Reply {
  const text = raw.body.toString();
  const body: unknown = text === '' ? null : JSON.parse(text);
  const reply = { status: raw.status, headers: Object.fromEntries(raw.fields), text, body };
  checkReply(method, path.split('?', 1)[0] as string, reply);
  return reply;
}

function isJson(contentType = ''): boolean {
  return /^application\/(problem\+)?json$/.test(contentType);
}

function bodyBytes(body: unknown): Buffer | null {
  if (body === undefined) return null;
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}
