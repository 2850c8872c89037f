// Node's own HTTP server, for every platform without a native build of uWebSockets.js. It decides with Node's parser what is a request,
// and answers what is none, behind the replies to the requests before it. What differs from the native server is listed in
// server-differences.ts.
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isLoopback, networkOf } from '../../admission/addresses.js';
import { type Owner, OwnerCounts } from '../../admission/owners.js';
import { CLIENT_SILENCE_MS, CLIENT_SILENCE_POLL_MS, HEAD_BYTES_MAX } from '../../limits.js';
import type { BodySource, Receiver } from '../receiver.js';
import { isSocketKey, type RequestFault, type RequestHead } from '../request-head.js';
import { CannotListen, type ConnectionLimits, type CountedConnections, type Transport } from '../transport.js';
import { SOCKET_PATH } from '../web-socket.js';
import type { WireExchange } from '../wire-exchange.js';
import { NodeConnection, type ReceivedRequest } from './node-connection.js';
import { NodeSockets } from './node-socket.js';
import { NodeWire } from './node-wire.js';
import { type ParserError, requestFault } from './parser-errors.js';

export class NodeTransport implements Transport {
  /** Null before it serves. */
  #served: Receiver | null = null;
  readonly #counts: CountedConnections;
  readonly #limits: ConnectionLimits;
  readonly #server: Server;
  readonly #sockets = new NodeSockets();
  readonly #connections = new Map<Socket, NodeConnection>();
  readonly #countsByAddress = new OwnerCounts<string>();

  constructor(limits: ConnectionLimits, counts: CountedConnections) {
    this.#limits = limits;
    this.#counts = counts;
    this.#server = createServer({
      headersTimeout: CLIENT_SILENCE_MS,
      requestTimeout: CLIENT_SILENCE_MS,
      keepAliveTimeout: CLIENT_SILENCE_MS,
      connectionsCheckingInterval: CLIENT_SILENCE_POLL_MS,
      maxHeaderSize: HEAD_BYTES_MAX,
      // A request without Host is answered like others with a malformed head, instead of by Node.
      requireHostHeader: false,
      IncomingMessage: Request,
    });
    // Node would pass over the fields beyond another limit.
    this.#server.maxHeadersCount = 0;
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      // Node has removed its own listeners: an error that nobody listens to would end the process.
      socket.on('error', () => socket.destroy());
      socket.once('timeout', () => socket.destroy());
      this.#takeTurn(socket, () => this.#upgrade(request, socket, head));
    });
    this.#server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      this.#refuse(socket, { code: 'not_implemented' });
      socket.resume();
    });
    const receive = (request: Request, response: ServerResponse): void => this.#receive(request, response);
    this.#server.on('request', receive);
    // An expectation that is not met is ignored, as on the native server.
    this.#server.on('checkExpectation', receive);
    this.#server.on('checkContinue', (request: Request, response: ServerResponse) => {
      // Node would write it into the middle of a reply to an earlier request. Clients must not wait for it indefinitely
      // (RFC 9110, section 10.1.1), and one that pipelines does not.
      if (this.#connections.get(request.socket)?.open.length === 0) response.writeContinue();
      receive(request, response);
    });
    this.#server.on('clientError', (error: ParserError, socket: Socket) => {
      const fault = requestFault(error, socket);
      if (fault === null) socket.destroy();
      else this.#refuse(socket, fault);
    });
    // The client neither reads nor writes. It may wait for events, or for a reply that takes long.
    this.#server.on('timeout', (socket) => {
      const connection = this.#connections.get(socket);
      if (connection?.awaitsEvents || connection?.awaitsReply) socket.setTimeout(CLIENT_SILENCE_MS);
      else socket.destroy();
    });
    const [attach] = this.#server.listeners('connection') as [(socket: Socket) => void];
    this.#server.off('connection', attach);
    this.#server.on('connection', (socket) => this.#accept(socket, attach));
  }

  serve(receiver: Receiver): void {
    this.#served = receiver;
  }

  get #receiver(): Receiver {
    if (this.#served === null) throw new Error('a request has reached a server that serves nothing');
    return this.#served;
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      // Later errors are connections that could not be accepted because no file descriptor was left.
      this.#server.on('error', () => reject(new CannotListen(host, port)));
      this.#server.listen({ host, port, exclusive: true }, () => {
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  stopListening(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  release(): void {
    this.#server.closeAllConnections();
    // Node does not know WebSockets any more.
    for (const socket of this.#connections.keys()) socket.destroy();
    this.#sockets.release();
  }

  /**
   * Node accepts all connections that wait in one turn of the event loop. What HTTP needs takes longer, so clients take turns at it, and at
   * the opening of WebSockets: it costs most, and a client can request hundreds at once.
   *
   * @param attach Node's own listener, which makes everything that HTTP needs
   */
  #accept(socket: Socket, attach: (socket: Socket) => void): void {
    const connection = new NodeConnection(socket);
    const address = networkOf(connection.address);
    const isAddressFull =
      this.#countsByAddress.of(address) >= this.#limits.connectionsPerAddressMax && !isLoopback(address);
    if (isAddressFull || this.#connections.size >= this.#limits.connectionsMax) {
      socket.resetAndDestroy();
      return;
    }
    this.#connections.set(socket, connection);
    this.#counts.connections += 1;
    this.#countsByAddress.add(address, 1);
    socket.once('close', () => {
      connection.abort();
      this.#forget(socket, address);
    });
    // Until Node's own listener is there.
    socket.on('error', () => {});
    this.#takeTurn(socket, () => {
      socket.setNoDelay(true);
      // Later than the timeouts of the parser, after which a client gets a reply.
      socket.setTimeout(CLIENT_SILENCE_MS + 2 * CLIENT_SILENCE_POLL_MS);
      attach.call(this.#server, socket);
    });
  }

  /** Does what begins a connection when it is the turn of its client. */
  #takeTurn(socket: Socket, begin: () => void): void {
    const address = networkOf(this.#connections.get(socket)?.address ?? '');
    const isQueued = this.#receiver.work.add(address, {
      get isDone() {
        return socket.destroyed;
      },
      step: () => {
        begin();
        return true;
      },
      failed: () => socket.destroy(),
    });
    if (!isQueued) socket.resetAndDestroy();
  }

  /** Scans all connections, but only if the unsent replies of a client exceed its share and one of its connections must be closed. */
  readonly #largest = (owner: Owner): NodeConnection | undefined => {
    let largest: NodeConnection | undefined;
    for (const other of this.#connections.values()) {
      if (other.owner === owner && other.unsentBytes > (largest?.unsentBytes ?? 0)) largest = other;
    }
    return largest;
  };

  #forget(socket: Socket, address: string): void {
    this.#connections.delete(socket);
    this.#counts.connections -= 1;
    this.#countsByAddress.add(address, -1);
  }

  /** A request that opens a WebSocket. */
  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const connection = this.#connections.get(socket);
    // The native server does the same with a request that comes while an earlier reply is open.
    if (connection === undefined || connection.isCut || connection.open.length > 0) {
      socket.destroy();
      return;
    }
    const receiver = this.#receiver;
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    const exchange = receiver.open(
      new NodeWire(response, connection, this.#largest),
      false,
      receiver.counts.upgrades.get,
    );
    try {
      readHead(request, receiver.head);
      const opening = receiver.admitSocket(exchange);
      if (opening !== null) {
        response.detachSocket(socket);
        this.#sockets.open(receiver.sockets, request, socket, head, opening);
        return;
      }
    } catch (error) {
      receiver.answerBug(exchange, error);
    }
    socket.once('close', () => exchange.abort());
    response.once('finish', () => socket.destroySoon());
    // What follows is ignored, but the end of the connection is noticed.
    socket.resume();
  }

  #receive(request: Request, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    // Node's parser also delivers requests that follow one that has ended the connection.
    if (connection === undefined || connection.isCut) return;
    if (connection.holdsBack) {
      // The native server does the same with every request that comes while an earlier reply is open.
      connection.close();
      return;
    }
    const receiver = this.#receiver;
    const method = request.method ?? '';
    const wire = new NodeWire(response, connection, this.#largest);
    const exchange = receiver.open(wire, method === 'HEAD', receiver.counts.unrouted.of(method));
    wire.open(exchange);
    request.receivedBy(connection, exchange);
    try {
      readHead(request, receiver.head);
      // Node's parser passes over what came together with a request for another protocol.
      if (!response.shouldKeepAlive || request.asksForUpgrade) receiver.head.closesConnection = true;
      // Node would send chunks to a client of HTTP/1.0 that says that it takes them.
      if (request.httpVersion === '1.0') response.useChunkedEncodingByDefault = false;
      const target = targetOf(request, receiver.head);
      if (typeof target === 'string') receiver.route(exchange, method, target, request);
      else receiver.refuse(exchange, target);
    } catch (error) {
      receiver.answerBug(exchange, error);
    }
    exchange.isLate = true;
  }

  /**
   * Answers what is not a request, or only the beginning of one, and ends the connection. The replies to the requests before it are sent
   * first. If the reply to the request that it belongs to has begun, no other one follows.
   */
  #refuse(socket: Socket, fault: RequestFault): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.isCut) return;
    if (connection.holdsBack) {
      connection.close();
      return;
    }
    connection.cutAndEnd();
    const { current } = connection;
    if (current === null || current.complete || current.exchange === null) {
      connection.afterReplies(() => this.#refuseNext(connection, fault));
    } else if (current.exchange.isDone) {
      connection.afterReplies(() => socket.end());
    } else {
      this.#answerFault(current.exchange, fault);
    }
  }

  /** Answers something of which Node has made no request. No reply is open. */
  #refuseNext(connection: NodeConnection, fault: RequestFault): void {
    const { socket } = connection;
    const receiver = this.#receiver;
    const response = new ServerResponse(new IncomingMessage(socket));
    // What the client still sends is read and ignored until it ends the connection, too: otherwise the system would reset the
    // connection, and the client might not see the reply (RFC 9112, section 9.6).
    response.once('finish', () => socket.end());
    response.assignSocket(socket);
    const wire = new NodeWire(response, connection, this.#largest);
    const exchange = receiver.open(wire, false, receiver.counts.unrouted.other);
    wire.open(exchange);
    this.#answerFault(exchange, fault);
    exchange.isLate = true;
  }

  #answerFault(exchange: WireExchange, fault: RequestFault): void {
    try {
      this.#receiver.refuse(exchange, fault);
    } catch (error) {
      this.#receiver.answerBug(exchange, error);
    }
  }
}

/**
 * A request as this server wants it of Node's parser.
 *
 * Node hands a request that asks for another protocol to its `upgrade` event as soon as somebody listens to it, whatever
 * the protocol and the path. This server knows one of each, and answers other requests as if they had not asked. CONNECT stays what it
 * is: nobody listens to that event, so Node closes the connection.
 *
 * The parser pushes the pieces of a body, and its end, into the message as into any stream. A body of known length goes to whoever
 * takes it at once instead, and the stream never ends, since nobody listens to it. That saves 4 µs of processor time of the 27 of an
 * upgrade, and 0.5 of the 13.5 of a read.
 */
class Request extends IncomingMessage implements BodySource, ReceivedRequest {
  /** The value that Node's parser sets; the constructor of the base class sets it first. */
  declare asksForUpgrade: boolean;
  exchange: WireExchange | null = null;
  #connection: NodeConnection | null = null;
  #take: ((piece: Uint8Array, isLast: boolean) => void) | null = null;
  #missingBytes = 0;
  /** True if the body is read from the stream. */
  #isStreamed = false;

  get upgrade(): boolean {
    return this.asksForUpgrade && (this.method === 'CONNECT' || isSocketRequest(this));
  }

  set upgrade(value: boolean) {
    this.asksForUpgrade = value;
  }

  /** It counts as being received from now on, until the parser has read its end. */
  receivedBy(connection: NodeConnection, exchange: WireExchange): void {
    this.exchange = exchange;
    this.#connection = connection;
    connection.current = this;
  }

  onData(take: (piece: Uint8Array, isLast: boolean) => void): void {
    const length = this.headers['content-length'];
    if (length === undefined) {
      // Whether such a body has ended is in doubt until the parser has read what follows. The stream ends after that.
      this.#isStreamed = true;
      this.on('data', (piece: Buffer) => take(piece, false));
      this.once('end', () => take(NOTHING, true));
    } else {
      this.#missingBytes = Number(length);
      this.#take = take;
    }
  }

  /** @param piece null at the end of the body */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      if (this.#connection?.current === this) this.#connection.current = null;
      return this.#isStreamed ? super.push(null) : true;
    }
    if (this.#take === null) return super.push(piece);
    // A body of known length ends with its last piece, so that a body in one piece need not be assembled.
    this.#missingBytes -= piece.length;
    this.#take(piece, this.#missingBytes === 0);
    return true;
  }
}

/** Node forgets a request that is answered only if its stream has ended. */
Object.defineProperty(Request.prototype, 'readableEnded', {
  get(this: Request): boolean {
    return this.complete;
  },
});

function isSocketRequest({ method, url = '', headers, httpVersion }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  const hasKey = isSocketKey(headers['sec-websocket-key'] ?? '');
  // Node 26 would read the body first, and hand over something else than the connection.
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  const isSound = method === 'GET' && httpVersion === '1.1' && isWebSocket && hasKey && !hasBody;
  return isSound && url.split('?')[0] === SOCKET_PATH;
}

/** Passes on the version and every header field, names in lower case. */
function readHead({ httpVersion, rawHeaders }: IncomingMessage, head: RequestHead): void {
  head.httpVersion = httpVersion;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    head.take((rawHeaders[index] as string).toLowerCase(), rawHeaders[index + 1] as string);
  }
}

/**
 * Path and query, or `*` of OPTIONS, in whatever form they come (RFC 9112, section 3.2); or why there are none. The authority of a whole
 * URL takes the place of Host.
 */
function targetOf({ httpVersion, method, url = '' }: IncomingMessage, head: RequestHead): string | RequestFault {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return { code: 'http_version_not_supported' };
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return url;
  const { authority, rest = '' } = WHOLE_URL.exec(url)?.groups ?? {};
  if (authority === undefined) {
    return { code: 'malformed_request', detail: 'The target of the request is neither a path nor the URL of one.' };
  }
  if (head.hasHost) head.host = authority;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const WHOLE_URL = /^https?:\/\/(?<authority>[^/?]+)(?<rest>.*)$/i;

const NOTHING = Buffer.alloc(0);
