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
    const receive = (request: IncomingMessage, response: ServerResponse): void => this.#receive(request, response);
    this.#server.on('request', receive);
    // An expectation that is not met is ignored, as on the native server.
    this.#server.on('checkExpectation', receive);
    this.#server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      // Node would write it into the middle of a reply to an earlier request. Clients must not wait for it indefinitely
      // (RFC 9110, section 10.1.1), and one that pipelines does not.
      if (this.#connections.get(request.socket)?.open.size === 0) response.writeContinue();
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
    if (connection === undefined || connection.isCut || connection.open.size > 0) {
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
      readFields(request, receiver.head.take);
      const opening = isRefusedByNative(request) ? null : receiver.admitSocket(exchange);
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

  #receive(request: IncomingMessage, response: ServerResponse): void {
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
    connection.open.add(exchange);
    response.once('close', () => {
      connection.open.delete(exchange);
      exchange.abort();
    });
    try {
      readFields(request, receiver.head.take);
      const [path, query] = splitTarget(request.url ?? '');
      exchange.query = query;
      if (isRefusedByNative(request)) exchange.drop();
      else receiver.route(exchange, method, path, bodyOf(request));
    } catch (error) {
      receiver.answerBug(exchange, error);
    }
    exchange.isLate = true;
  }
}

/**
 * Node hands a request that asks for another protocol to its `upgrade` event as soon as somebody listens to it, whatever
 * the protocol and the path. This server knows one of each, and answers other requests as if they had not asked. CONNECT stays what it
 * is: nobody listens to that event, so Node closes the connection.
 */
class Request extends IncomingMessage {
  /** The value that Node's parser sets; the constructor of the base class sets it first. */
  declare asksForUpgrade: boolean;

  get upgrade(): boolean {
    return this.asksForUpgrade && (this.method === 'CONNECT' || isSocketRequest(this));
  }

  set upgrade(value: boolean) {
    this.asksForUpgrade = value;
  }
}

function isSocketRequest({ method, url = '', headers }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  // The native server requires this length, too: 16 bytes in base64.
  const hasKey = SOCKET_KEY.test(headers['sec-websocket-key'] ?? '');
  return method === 'GET' && isWebSocket && hasKey && splitTarget(url)[0] === SOCKET_PATH;
}

const SOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;

/** True for requests that Node's parser accepts and the native one does not. */
function isRefusedByNative({ httpVersion, rawHeaders, url = '' }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const isHeadOdd = names.length > HEADER_FIELDS_MAX || !names.every((name) => FIELD_NAME.test(name));
  return httpVersion !== '1.1' || isHeadOdd || !url.startsWith('/');
}

const FIELD_NAME = /^[A-Za-z0-9-]+$/;

function bodyOf(request: IncomingMessage): BodySource {
  return {
    onData(take) {
      // A body of known length ends with its last piece, so that a body in one piece need not be assembled.
      let missingBytes = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
      let isWhole = false;
      request.on('data', (piece: Buffer) => {
        missingBytes -= piece.length;
        isWhole = missingBytes === 0;
        take(piece, isWhole);
      });
      request.once('end', () => {
        if (!isWhole) take(NOTHING, true);
      });
    },
  };
}

const NOTHING = Buffer.alloc(0);

/** Passes on every header field, names in lower case. */
function readFields({ rawHeaders }: IncomingMessage, take: (name: string, value: string) => void): void {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    take((rawHeaders[index] as string).toLowerCase(), rawHeaders[index + 1] as string);
  }
}

function splitTarget(target: string): [path: string, query: string] {
  const position = target.indexOf('?');
  return position === -1 ? [target, ''] : [target.slice(0, position), target.slice(position + 1)];
}
