// Node's own HTTP server, for every platform without a native build of uWebSockets.js. If Node accepts or answers a
// request on which the native server closes the connection, this file closes it as well, so that clients meet one
// contract. The remaining differences are listed in server-differences.ts.
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isLoopback, networkOf } from '../../admission/addresses.js';
import { type Owner, OwnerCounts } from '../../admission/owners.js';
import { CLIENT_SILENCE_MS, CLIENT_SILENCE_POLL_MS, HEAD_BYTES_MAX, HEADER_FIELDS_MAX } from '../../limits.js';
import type { BodySource, Receiver } from '../receiver.js';
import { CannotListen, type ConnectionLimits, type Transport } from '../transport.js';
import { SOCKET_PATH } from '../web-socket.js';
import { NodeConnection } from './node-connection.js';
import { NodeSockets } from './node-socket.js';
import { NodeWire } from './node-wire.js';

export class NodeTransport implements Transport {
  readonly #receiver: Receiver;
  readonly #limits: ConnectionLimits;
  readonly #server: Server;
  readonly #sockets: NodeSockets;
  readonly #connections = new Map<Socket, NodeConnection>();
  readonly #countsByAddress = new OwnerCounts<string>();

  constructor(receiver: Receiver, limits: ConnectionLimits) {
    this.#receiver = receiver;
    this.#limits = limits;
    this.#server = createServer({
      headersTimeout: CLIENT_SILENCE_MS,
      requestTimeout: CLIENT_SILENCE_MS,
      keepAliveTimeout: CLIENT_SILENCE_MS,
      connectionsCheckingInterval: CLIENT_SILENCE_POLL_MS,
      maxHeaderSize: HEAD_BYTES_MAX,
      // A request without Host is closed like others with a malformed head, instead of answered by Node.
      requireHostHeader: false,
      IncomingMessage: Request,
    });
    this.#sockets = new NodeSockets(receiver.sockets);
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      // Node has removed its own listeners: an error that nobody listens to would end the process.
      socket.on('error', () => socket.destroy());
      socket.once('timeout', () => socket.destroy());
      this.#takeTurn(socket, () => this.#upgrade(request, socket, head));
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
    this.#server.on('clientError', (_error, socket) => socket.destroy());
    // The client neither reads nor writes. Waiting for the disk takes less time; waiting for events may take more.
    this.#server.on('timeout', (socket) => {
      if (this.#connections.get(socket)?.awaitsEvents) socket.setTimeout(CLIENT_SILENCE_MS);
      else socket.destroy();
    });
    const [attach] = this.#server.listeners('connection') as [(socket: Socket) => void];
    this.#server.off('connection', attach);
    this.#server.on('connection', (socket) => this.#accept(socket, attach));
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
    this.#receiver.counts.connections += 1;
    this.#countsByAddress.add(address, 1);
    socket.once('close', () => {
      connection.abort();
      this.#forget(socket, address);
    });
    // Until Node's own listener is there.
    socket.on('error', () => {});
    this.#takeTurn(socket, () => {
      socket.setNoDelay(true);
      socket.setTimeout(CLIENT_SILENCE_MS);
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
    this.#receiver.counts.connections -= 1;
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
      const opening = readHead(request, receiver.head.take) ? receiver.admitSocket(exchange) : null;
      if (opening !== null) {
        response.detachSocket(socket);
        this.#sockets.open(request, socket, head, opening);
        return;
      }
      if (!exchange.isDone) exchange.drop();
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
    try {
      if (readHead(request, receiver.head.take)) receiver.route(exchange, method, request.url ?? '', request);
      else exchange.drop();
    } catch (error) {
      receiver.answerBug(exchange, error);
    }
    exchange.isLate = true;
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
class Request extends IncomingMessage implements BodySource {
  /** The value that Node's parser sets; the constructor of the base class sets it first. */
  declare asksForUpgrade: boolean;
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
    if (piece === null) return this.#isStreamed ? super.push(null) : true;
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

function isSocketRequest({ method, url = '', headers }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  // The native server requires this length, too: 16 bytes in base64.
  const hasKey = SOCKET_KEY.test(headers['sec-websocket-key'] ?? '');
  return method === 'GET' && isWebSocket && hasKey && splitTarget(url)[0] === SOCKET_PATH;
}

const SOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;

/**
 * Passes on every header field, names in lower case.
 *
 * @returns false for a request that Node's parser accepts and the native one does not
 */
function readHead(
  { httpVersion, rawHeaders, url = '' }: IncomingMessage,
  take: (name: string, value: string) => void,
): boolean {
  let isSound = httpVersion === '1.1' && rawHeaders.length <= 2 * HEADER_FIELDS_MAX && url.startsWith('/');
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (!FIELD_NAME.test(name)) isSound = false;
    take(name.toLowerCase(), rawHeaders[index + 1] as string);
  }
  return isSound;
}

const FIELD_NAME = /^[A-Za-z0-9-]+$/;

const NOTHING = Buffer.alloc(0);

function splitTarget(target: string): [path: string, query: string] {
  const position = target.indexOf('?');
  return position === -1 ? [target, ''] : [target.slice(0, position), target.slice(position + 1)];
}
