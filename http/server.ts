// The only file that knows uWebSockets.js: it reads requests, guards against what the library lets through, and hands
// exchanges to endpoints. It knows nothing of the game. Handlers are synchronous; a reply may come later.
import uws, { type HttpRequest, type HttpResponse, type us_listen_socket } from 'uWebSockets.js';
import type { Exchange } from './exchange.js';
import {
  alignFallbackServer,
  type FallbackListenSocket,
  type FallbackRequest,
  type FallbackResponse,
  FallbackWire,
  readFallbackHeaders,
} from './fallback-wire.js';
import { NativeWire } from './native-wire.js';
import { refuse } from './problems.js';
import { type RequestCounts, RouteCounts } from './request-counts.js';
import { RequestHead } from './request-head.js';
import { allowedMethods, RouteIndex } from './route-index.js';
import type { Traffic } from './traffic.js';
import { type Wire, WireExchange } from './wire-exchange.js';

/**
 * False where the package runs its JavaScript server instead of the native one. It does so silently: on a release of
 * Node for which it holds no build, or with UWS_USE_FALLBACK=1. Only the native one exports this constant.
 */
export const isNative = 'LIBUS_LISTEN_EXCLUSIVE_PORT' in uws;

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  /** Longest body it takes; a longer one gets 413 and the connection is closed. */
  readonly bodyBytesMax: number;
  readonly counts: RouteCounts;
  /** Answers at once, or keeps the exchange and answers later. What it throws is answered with 500. */
  handle(exchange: Exchange): void;
}

/** The address cannot be had; the library does not tell why. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';

  constructor(host: string, port: number) {
    super(`cannot listen on ${host}:${port} (in use, or not an address of this machine)`);
  }
}

/** Told of every exception out of a handler: it is a bug, and its client got 500. */
export type BugReport = (error: unknown, requestId: string) => void;

export class HttpServer {
  /** What led to no endpoint. */
  readonly unrouted = new RouteCounts('unrouted');
  readonly #app = uws.App();
  readonly #head = new RequestHead();
  readonly #index: RouteIndex<Endpoint>;
  #listenSocket: us_listen_socket | null = null;

  constructor(
    endpoints: readonly Endpoint[],
    private readonly traffic: Traffic,
    private readonly onBug: BugReport,
  ) {
    this.#index = new RouteIndex(endpoints);
    if (isNative) for (const endpoint of endpoints) this.#mount(endpoint);
    this.#app.any('/*', (response, request) => this.#receiveUnrouted(response, request));
  }

  /**
   * Binds the port for this process alone; 0 takes a free one.
   *
   * @returns the port
   * @throws CannotListen
   */
  listen(host: string, port: number): Promise<number> {
    // The declared types lack this overload, which both the native and the JavaScript server have.
    const app = this.#app as unknown as ExclusiveListener;
    return new Promise((resolve, reject) => {
      app.listen(host, port, EXCLUSIVE_PORT, (socket) => {
        if (socket === false) {
          reject(new CannotListen(host, port));
          return;
        }
        this.#listenSocket = socket;
        if (!isNative) alignFallbackServer(socket as unknown as FallbackListenSocket);
        resolve(uws.us_socket_local_port(socket));
      });
    });
  }

  /**
   * Stops accepting connections and waits for the replies that are owed; each of them closes its connection.
   *
   * @returns true when all were sent, false when the deadline came first
   */
  async close(deadlineMs: number): Promise<boolean> {
    this.traffic.isDraining = true;
    if (this.#listenSocket !== null) uws.us_listen_socket_close(this.#listenSocket);
    this.#listenSocket = null;
    if (this.traffic.inFlight === 0) return true;
    return new Promise((resolve) => {
      const deadline = setTimeout(() => resolve(false), deadlineMs);
      this.traffic.onIdle = () => {
        clearTimeout(deadline);
        // The last reply leaves when the server's callback returns: not before this turn of the event loop is over.
        setImmediate(() => resolve(true));
      };
    });
  }

  #mount(endpoint: Endpoint): void {
    const parameterCount = endpoint.path.split('/:').length - 1;
    const { get, head, post } = endpoint.counts;
    const receive = (response: HttpResponse, request: HttpRequest, counts: RequestCounts) => {
      const exchange = this.#open(new NativeWire(response), counts === head, counts);
      try {
        request.forEach(this.#head.take);
        exchange.parameters = readParameters(request, parameterCount);
        exchange.query = request.getQuery() ?? '';
        this.#receive(response, exchange, endpoint);
      } catch (error) {
        this.#answerBug(exchange, error);
      }
      leaveOpen(response, exchange);
    };
    if (endpoint.method === 'POST') {
      this.#app.post(endpoint.path, (response, request) => receive(response, request, post));
    } else {
      this.#app.get(endpoint.path, (response, request) => receive(response, request, get));
      this.#app.head(endpoint.path, (response, request) => receive(response, request, head));
    }
  }

  /** What no native route took: a wrong method or path, or anything at all on the JavaScript server. */
  #receiveUnrouted(response: HttpResponse, request: HttpRequest): void {
    const method = request.getMethod().toUpperCase();
    const wire = isNative ? new NativeWire(response) : fallbackWire(response, request);
    const exchange = this.#open(wire, method === 'HEAD', this.unrouted.of(method));
    try {
      if (wire.isCut) exchange.ignore();
      // As the native server does behind HEAD.
      else if (wire.isBehindAnother && exchange.isHead) exchange.drop();
      else this.#route(response, request, exchange, method);
    } catch (error) {
      this.#answerBug(exchange, error);
    }
    leaveOpen(response, exchange);
  }

  #route(response: HttpResponse, request: HttpRequest, exchange: WireExchange, method: string): void {
    if (isNative) request.forEach(this.#head.take);
    else readFallbackHeaders(request as unknown as FallbackRequest, this.#head.take);
    // The JavaScript server leaves the query in the path.
    const [path = '', query] = splitOnce(request.getUrl(), '?');
    exchange.query = query ?? (isNative ? (request.getQuery() ?? '') : '');
    const matches = this.#index.match(path);
    const routed = matches.find(
      ({ endpoint }) => endpoint.method === method || (endpoint.method === 'GET' && exchange.isHead),
    );
    if (routed !== undefined) {
      exchange.parameters = routed.parameters;
      exchange.counts = routed.endpoint.counts.of(method);
      this.#receive(response, exchange, routed.endpoint);
    } else if (this.#isSound(exchange)) {
      if (matches.length === 0) refuse(exchange, 'route_not_found');
      else refuse(exchange, 'method_not_allowed', { allow: allowedMethods(matches) });
    }
  }

  #open(wire: Wire, isHead: boolean, counts: RequestCounts): WireExchange {
    this.#head.clear();
    return new WireExchange(wire, this.traffic, isHead, counts);
  }

  /** The head is read and stands in #head; the request object must not be used any more. */
  #receive(response: HttpResponse, exchange: WireExchange, endpoint: Endpoint): void {
    const head = this.#head;
    if (!this.#isSound(exchange)) return;
    exchange.authorization = head.authorization;
    exchange.contentType = head.contentType;
    exchange.ifNoneMatch = head.ifNoneMatch;
    exchange.prefer = head.prefer;
    if (endpoint.method === 'GET') {
      if (head.announcesBody) refuseAndClose(exchange, 'invalid_request', 'This method takes no body.');
      else endpoint.handle(exchange);
    } else if (Number(head.contentLength) > endpoint.bodyBytesMax) {
      refuseTooLarge(exchange, endpoint);
    } else {
      exchange.idempotencyKey = head.idempotencyKey;
      response.onData((piece, isLast) => this.#receivePiece(exchange, endpoint, piece, isLast));
    }
  }

  /** Takes a piece of the body, in a callback of its own: as in receive, no exception may reach the library. */
  #receivePiece(exchange: WireExchange, endpoint: Endpoint, piece: ArrayBuffer, isLast: boolean): void {
    if (exchange.isDone) return;
    exchange.isLate = false;
    try {
      const body = exchange.takeBody(piece, isLast, endpoint.bodyBytesMax);
      if (body === 'too_large') refuseTooLarge(exchange, endpoint);
      else if (body === 'overloaded') refuseAndClose(exchange, 'overloaded', 'Too many bodies are on their way.');
      else if (body !== null) {
        exchange.body = body;
        endpoint.handle(exchange);
      }
    } catch (error) {
      this.#answerBug(exchange, error);
    }
    exchange.isLate = true;
    if (isLast || exchange.isDone) exchange.releaseBody();
  }

  /** False where the head is refused: by silence where even the end of the request is in doubt. */
  #isSound(exchange: WireExchange): boolean {
    const fault = this.#head.fault;
    exchange.closesConnection = this.#head.closesConnection;
    if (fault === null) return true;
    if (fault === 'framing') exchange.drop();
    else refuseAndClose(exchange, 'invalid_request', 'A header field that must come once came twice.');
    return false;
  }

  /** An exception must not reach the library, which would end the process. */
  #answerBug(exchange: WireExchange, error: unknown): void {
    this.onBug(error, exchange.requestId);
    exchange.worldTime = this.traffic.lastWorldTime();
    refuse(exchange, 'internal_error');
  }
}

/**
 * The server's first callback returns. Where something is still to be written the library demands an abort handler, and
 * would end the process without one; most reads are answered by now and need none.
 */
function leaveOpen(response: HttpResponse, exchange: WireExchange): void {
  exchange.isLate = true;
  if (!exchange.isOver) response.onAborted(() => exchange.abort());
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second server binds the same port and the kernel splits the clients. */
const EXCLUSIVE_PORT = 1;

interface ExclusiveListener {
  listen(host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void): unknown;
}

function refuseTooLarge(exchange: Exchange, { bodyBytesMax }: Endpoint): void {
  refuseAndClose(exchange, 'body_too_large', `A body of this path is at most ${bodyBytesMax} bytes long.`);
}

/** Nothing that came behind the request is looked at. */
function refuseAndClose(
  exchange: Exchange,
  code: 'invalid_request' | 'body_too_large' | 'overloaded',
  detail: string,
): void {
  exchange.closesConnection = true;
  refuse(exchange, code, { detail });
}

function fallbackWire(response: HttpResponse, request: HttpRequest): FallbackWire {
  return new FallbackWire(response as unknown as FallbackResponse, request as unknown as FallbackRequest);
}

function readParameters(request: HttpRequest, count: number): readonly string[] {
  switch (count) {
    case 0:
      return NO_PARAMETERS;
    case 1:
      return [request.getParameter(0)];
    case 2:
      return [request.getParameter(0), request.getParameter(1)];
    default:
      return Array.from({ length: count }, (_, index) => request.getParameter(index));
  }
}

const NO_PARAMETERS: readonly string[] = Object.freeze([]);

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const position = text.indexOf(separator);
  return position === -1 ? [text, undefined] : [text.slice(0, position), text.slice(position + 1)];
}
