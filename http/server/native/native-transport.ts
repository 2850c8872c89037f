// The only file that calls uWebSockets.js itself. It reads requests and rejects malformed ones that the library accepts. The
// library's request object is valid only during the call of the handler, and an exception thrown by a handler would end
// the process.
import type { Method, RoutedMethod } from '../../exchange/exchange.js';
import {
  HEAD_BYTES_MAX,
  SOCKET_BUFFERED_BYTES_MAX,
  SOCKET_FRAME_BYTES_MAX,
  SOCKET_IDLE_SECONDS,
} from '../../limits.js';
import type { Endpoint, Receiver } from '../receiver.js';
import type { RequestFault } from '../request-head.js';
import { CannotListen, type ConnectionLimits, type CountedConnections, type Transport } from '../transport.js';
import { SOCKET_PATH, type SocketOpening, SUBPROTOCOL } from '../web-socket.js';
import type { WireExchange } from '../wire-exchange.js';
import { ConnectionCensus } from './connection-census.js';
import type {
  HttpRequest,
  HttpResponse,
  NativeLibrary,
  us_listen_socket,
  us_socket_context_t,
  WebSocket,
} from './native-library.js';
import { NativeSocket } from './native-socket.js';
import { NativeWire } from './native-wire.js';

export class NativeTransport implements Transport {
  readonly #app: ReturnType<NativeLibrary['App']>;
  readonly #census: ConnectionCensus;
  /** Null before it serves, and once it is released. The library never frees a handler, so handlers must reach the game only through this. */
  #held: Receiver | null = null;
  #listenSocket: us_listen_socket | null = null;

  constructor(
    private readonly library: NativeLibrary,
    limits: ConnectionLimits,
    counts: CountedConnections,
  ) {
    this.#app = library.App();
    this.#census = new ConnectionCensus(limits, counts);
    this.#mountSocket();
    this.#app.any('/*', (response, request) => this.#receiveUnrouted(response, request));
  }

  serve(receiver: Receiver): void {
    this.#held = receiver;
    // The library takes routes at any time, also while it listens.
    for (const [index, endpoint] of receiver.endpoints.entries()) this.#mount(index, endpoint);
  }

  async listen(host: string, port: number): Promise<number> {
    const boundPort = await this.#bindExplicitly(host, port);
    this.#census.begin(boundPort, {
      close: () => this.#unbind(),
      open: () => this.#bind(host, boundPort),
    });
    return boundPort;
  }

  stopListening(): void {
    this.#census.end();
    this.#unbind();
  }

  release(): void {
    // The declared types lack this method.
    (this.#app as unknown as { close(): void }).close();
    this.#held = null;
  }

  /** Without connections, no handler is called. */
  get #receiver(): Receiver {
    if (this.#held === null) throw new Error('a request has reached a server that serves nothing');
    return this.#held;
  }

  /**
   * The library sets SO_REUSEADDR only on an explicit port. Without it, a server that has stopped listening could not
   * listen again for a minute, so a free port is bound again by its number.
   */
  async #bindExplicitly(host: string, port: number): Promise<number> {
    const boundPort = await this.#bind(host, port);
    if (port !== 0) return boundPort;
    this.#unbind();
    return this.#bind(host, boundPort);
  }

  #bind(host: string, port: number): Promise<number> {
    // The declared types lack this overload.
    const app = this.#app as unknown as ExclusiveListener;
    return new Promise((resolve, reject) => {
      app.listen(host, port, EXCLUSIVE_PORT, (socket) => {
        if (socket === false) {
          reject(new CannotListen(host, port));
          return;
        }
        this.#listenSocket = socket;
        resolve(this.library.us_socket_local_port(socket));
      });
    });
  }

  #unbind(): void {
    if (this.#listenSocket !== null) this.library.us_listen_socket_close(this.#listenSocket);
    this.#listenSocket = null;
  }

  /** @param index of the endpoint among those of the receiver */
  #mount(index: number, { method, path }: Endpoint): void {
    const parameterCount = path.split('/:').length - 1;
    const receive = (response: HttpResponse, request: HttpRequest, by: Lowercase<RoutedMethod>) => {
      const receiver = this.#receiver;
      const endpoint = receiver.endpoints[index] as Endpoint;
      const exchange = receiver.open(new NativeWire(response), by === 'head', endpoint.counts[by]);
      try {
        request.forEach(receiver.head.take);
        exchange.parameters = readParameters(request, parameterCount);
        exchange.query = request.getQuery() ?? '';
        if (!arePlain(exchange.parameters) || !isPlain(exchange.query)) receiver.refuse(exchange, targetFault(request));
        else if (this.#admits(exchange)) receiver.receive(exchange, endpoint, response);
      } catch (error) {
        receiver.answerBug(exchange, error);
      }
      leaveOpen(response, exchange);
    };
    const key = method.toLowerCase() as Lowercase<Method>;
    this.#app[key](path, (response, request) => receive(response, request, key));
    if (method === 'GET') this.#app.head(path, (response, request) => receive(response, request, 'head'));
  }

  #mountSocket(): void {
    this.#app.ws<SocketState>(SOCKET_PATH, {
      maxPayloadLength: SOCKET_FRAME_BYTES_MAX,
      idleTimeout: SOCKET_IDLE_SECONDS,
      sendPingsAutomatically: true,
      compression: this.library.DISABLED,
      // Only answers to pings are written while there are unsent bytes; those beyond the limit are dropped.
      maxBackpressure: SOCKET_BUFFERED_BYTES_MAX,
      upgrade: (response, request, context) => this.#upgrade(response, request, context),
      open: (webSocket: OpenWebSocket) => {
        const { opening } = webSocket.getUserData();
        this.#census.socketOpened(opening.address);
        webSocket.nativeSocket = new NativeSocket(webSocket, this.#receiver.sockets, opening);
      },
      message: ({ nativeSocket }: OpenWebSocket, message, isBinary) => nativeSocket?.received(message, isBinary),
      ping: ({ nativeSocket }: OpenWebSocket) => nativeSocket?.controlled('ping'),
      pong: ({ nativeSocket }: OpenWebSocket) => nativeSocket?.controlled('pong'),
      drain: ({ nativeSocket }: OpenWebSocket) => nativeSocket?.drained(),
      close: (webSocket: OpenWebSocket) => {
        this.#census.socketClosed(webSocket.getUserData().opening.address);
        webSocket.nativeSocket?.closed();
      },
    });
  }

  /** A GET of the path of WebSockets. The library itself requires a key of the right length, and checks nothing else. */
  #upgrade(response: HttpResponse, request: HttpRequest, context: us_socket_context_t): void {
    const receiver = this.#receiver;
    const exchange = receiver.open(new NativeWire(response), false, receiver.counts.upgrades.get);
    try {
      request.forEach(receiver.head.take);
      if (!isPlain(request.getQuery() ?? '')) receiver.refuse(exchange, targetFault(request));
      else if (this.#admits(exchange)) {
        const key = request.getHeader('sec-websocket-key');
        const { opensWebSocket } = receiver.head;
        if (!opensWebSocket) receiver.route(exchange, 'GET', SOCKET_PATH, response);
        const opening = opensWebSocket ? receiver.admitSocket(exchange) : null;
        if (opening !== null) {
          const protocol = receiver.head.webSocketProtocols === '' ? '' : SUBPROTOCOL;
          response.upgrade<SocketState>({ opening }, key, protocol, '', context);
          return;
        }
      }
    } catch (error) {
      receiver.answerBug(exchange, error);
    }
    leaveOpen(response, exchange);
  }

  /** A request that matches no endpoint. */
  #receiveUnrouted(response: HttpResponse, request: HttpRequest): void {
    const method = request.getMethod().toUpperCase();
    const receiver = this.#receiver;
    const exchange = receiver.open(new NativeWire(response), method === 'HEAD', receiver.counts.unrouted.of(method));
    try {
      request.forEach(receiver.head.take);
      exchange.query = request.getQuery() ?? '';
      const path = request.getUrl();
      if (!isPlain(path) || !isPlain(exchange.query)) receiver.refuse(exchange, targetFault(request));
      else if (method === 'CONNECT') receiver.refuse(exchange, { code: 'not_implemented' });
      else if (this.#admits(exchange)) receiver.route(exchange, method, path, response);
    } catch (error) {
      receiver.answerBug(exchange, error);
    }
    leaveOpen(response, exchange);
  }

  /**
   * The library accepts every connection, so a connection over the limit of its address is closed at its next request.
   */
  #admits(exchange: WireExchange): boolean {
    if (!this.#census.isAnyAddressFull || this.#census.admits(exchange.peerAddress)) return true;
    exchange.drop();
    return false;
  }
}

/** What the library keeps for us with a WebSocket. */
interface SocketState {
  readonly opening: SocketOpening;
}

/** The library's object, with a property of ours: getUserData() is a call into C++, and would be one for each frame (decision 20). */
type OpenWebSocket = WebSocket<SocketState> & { nativeSocket?: NativeSocket };

/**
 * The server's first callback returns. If the reply is not over, the library requires an abort handler and would end
 * the process without one. Most reads are answered by now and need none.
 */
function leaveOpen(response: HttpResponse, exchange: WireExchange): void {
  exchange.isLate = true;
  if (!exchange.isOver) response.onAborted(() => exchange.abort());
}

/** Why a target is refused whose parts are not plain. */
function targetFault(request: HttpRequest): RequestFault {
  const length = request.getUrl().length + (request.getQuery() ?? '').length;
  if (length > HEAD_BYTES_MAX) return { code: 'head_too_large' };
  return { code: 'malformed_request', detail: 'The target of the request has bytes other than visible ASCII.' };
}

function arePlain(parts: readonly string[]): boolean {
  for (const part of parts) if (!isPlain(part)) return false;
  return true;
}

/**
 * True if it is not too long and holds only visible ASCII: the characters of a request target (RFC 9112, section 3.2),
 * and a few more.
 */
function isPlain(part: string): boolean {
  return part === '' || (part.length <= HEAD_BYTES_MAX && PLAIN.test(part));
}

const PLAIN = /^[!-~]+$/;

/**
 * LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second server could bind the same port, and the kernel would split the
 * clients.
 */
const EXCLUSIVE_PORT = 1;

interface ExclusiveListener {
  listen(host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void): unknown;
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
