// The differences between the native response object and the one of the package's JavaScript fallback, which runs on
// releases of Node without a native build. Nothing above this file needs to know which of the two is there.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ByteBudget, UNSENT_REPLIES } from './byte-budget.js';
import { UNPROBED_REPLY_LENGTH_MAX } from './limits.js';
import type { Wire } from './wire-exchange.js';

/** What the fallback's response object offers; its endWithoutBody throws and its closing end() loses the reply. */
export interface FallbackResponse {
  /** Node's own. */
  readonly response: Pick<ServerResponse, 'socket' | 'writableLength'>;
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  end(body?: string | Uint8Array): unknown;
  cork(writes: () => void): unknown;
  close(): unknown;
}

/** What the fallback's request object holds besides its public methods: its forEach is not implemented. */
export interface FallbackRequest {
  readonly request: Pick<IncomingMessage, 'rawHeaders' | 'socket'>;
}

export class FallbackWire implements Wire {
  /** Node's parser hands over what comes behind a request long before its reply is sent. */
  readonly isBehindAnother: boolean;
  readonly needsLength = false;
  /** What Node keeps of a reply is counted after its end, so that it always has to tell when the client is gone. */
  readonly isOver = false;
  readonly #socket: Socket;
  #unsentBytes = 0;
  #isGone = false;

  constructor(
    private readonly response: FallbackResponse,
    { request }: FallbackRequest,
    private readonly budget: ByteBudget = UNSENT_REPLIES,
  ) {
    this.#socket = request.socket;
    // A response is given the socket when its turn comes.
    this.isBehindAnother = response.response.socket === null;
  }

  get isCut(): boolean {
    return cutSockets.has(this.#socket);
  }

  writeStatus(status: string): void {
    this.response.writeStatus(status);
  }

  writeHeader(name: string, value: string): void {
    this.response.writeHeader(name, value);
  }

  end(body: string | Uint8Array, closesConnection: boolean): void {
    // Node closes after the reply by itself when told by header; it may still hold the bytes, hence the copy.
    if (closesConnection) this.response.writeHeader('connection', 'close');
    this.response.end(typeof body === 'string' ? body : Uint8Array.prototype.slice.call(body));
    if (body.length > UNPROBED_REPLY_LENGTH_MAX) setImmediate(() => this.#countUnsent(body.length));
  }

  endWithoutBody(length: number | null, closesConnection: boolean): void {
    if (length !== null) this.response.writeHeader('content-length', String(length));
    if (closesConnection) this.response.writeHeader('connection', 'close');
    this.response.end();
  }

  cork(writes: () => void): void {
    this.response.cork(writes);
  }

  close(): void {
    // Not through the response, which has no socket before its turn.
    this.#socket.destroy();
  }

  cutWhatFollows(): boolean {
    cutSockets.add(this.#socket);
    return true;
  }

  gone(): void {
    this.#isGone = true;
    this.budget.give(this.#unsentBytes);
    this.#unsentBytes = 0;
  }

  /** Node keeps what a client does not read. What it tells is of all replies on the connection, hence the minimum. */
  #countUnsent(replyLength: number): void {
    const unsentBytes = this.#isGone ? 0 : Math.min(replyLength, this.response.response.writableLength);
    if (this.budget.take(unsentBytes)) this.#unsentBytes = unsentBytes;
    else this.close();
  }
}

/** Sockets on which nothing more is carried out; each ends with a reply that is under way. */
const cutSockets = new WeakSet<Socket>();

/** The fallback's listen socket holds the server of Node that it listens with. */
export interface FallbackListenSocket {
  readonly http: Server;
}

/**
 * Makes the fallback's server behave as the native one: it waits as long for a silent client, ignores Upgrade as
 * nothing here can be upgraded to, and does not remember every connection there ever was.
 */
export function alignFallbackServer({ http }: FallbackListenSocket): void {
  http.keepAliveTimeout = NATIVE_IDLE_MS;
  http.headersTimeout = NATIVE_IDLE_MS;
  http.requestTimeout = NATIVE_IDLE_MS;
  http.removeAllListeners('upgrade');
  // The package listens to the end of the server once more with each connection, and so keeps them all in memory.
  for (const listener of http.listeners('connection') as ((socket: Socket) => void)[]) {
    if (listener.name !== NODE_CONNECTION_LISTENER) http.off('connection', listener);
  }
}

/** How long the native server waits for a client that sends nothing. */
const NATIVE_IDLE_MS = 10_000;
/** Node's own listener, which must stay. */
const NODE_CONNECTION_LISTENER = 'connectionListener';

/** Hands over every header field, names in lower case. */
export function readFallbackHeaders(request: FallbackRequest, take: (name: string, value: string) => void): void {
  const fields = request.request.rawHeaders;
  for (let index = 0; index + 1 < fields.length; index += 2) {
    take((fields[index] as string).toLowerCase(), fields[index + 1] as string);
  }
}
