// A WebSocket on Node's server, by the package ws. The package buffers whatever is written to a client that does not
// read, so pongs are counted like everything else, and a client that does not answer pings is disconnected.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { SOCKET_CLOSE_MS, SOCKET_FRAME_BYTES_MAX, SOCKET_IDLE_SECONDS, SOCKET_UNSENT_BYTES_MAX } from '../limits.js';
import {
  type CloseCode,
  type FrameListener,
  type FrameSocket,
  type SocketHost,
  type SocketOpening,
  SUBPROTOCOL,
} from './web-socket.js';

const MS_PER_SECOND = 1_000;

/** Opens WebSockets on connections whose upgrade was admitted. */
export class NodeSockets {
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: SOCKET_FRAME_BYTES_MAX,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });

  constructor(private readonly host: SocketHost) {}

  open(request: IncomingMessage, socket: Socket, head: Buffer, opening: SocketOpening): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      new NodeSocket(webSocket, socket, this.host, opening);
    });
  }
}

class NodeSocket implements FrameSocket {
  readonly #listener: FrameListener;
  readonly #pinging: NodeJS.Timeout;
  #isClosing = false;
  /** True if something has come since the last ping. */
  #isAlive = true;
  #isLagging = false;

  constructor(
    private readonly webSocket: WebSocket,
    private readonly socket: Socket,
    host: SocketHost,
    opening: SocketOpening,
  ) {
    this.#listener = host.open(this, opening);
    this.#pinging = setInterval(() => this.#ping(), (SOCKET_IDLE_SECONDS / 2) * MS_PER_SECOND);
    this.#pinging.unref();
    webSocket.on('message', (message, isBinary) => {
      this.#isAlive = true;
      if (!this.#isClosing) this.#listener.received(isBinary ? null : message.toString());
    });
    webSocket.on('ping', (payload) => this.#pong(payload));
    webSocket.on('pong', () => {
      this.#isAlive = true;
    });
    // The package then closes the connection, and emits 'close' too.
    webSocket.on('error', () => {});
    webSocket.once('close', () => {
      clearInterval(this.#pinging);
      this.#isClosing = true;
      this.#listener.closed();
    });
    socket.on('drain', () => this.#drained());
  }

  get unsentBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  send(frames: readonly string[]): boolean {
    if (this.#isClosing) return false;
    this.socket.cork();
    for (const frame of frames) this.webSocket.send(frame);
    this.socket.uncork();
    this.#isLagging = this.socket.writableNeedDrain;
    return !this.#isLagging;
  }

  close(code: CloseCode, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    // After what is written; the package waits for the client's own close frame.
    this.webSocket.close(code, reason);
    setTimeout(() => this.destroy(), SOCKET_CLOSE_MS).unref();
  }

  destroy(): void {
    this.webSocket.terminate();
  }

  #drained(): void {
    if (!this.#isLagging) return;
    this.#isLagging = false;
    if (!this.#isClosing) this.#listener.drained();
  }

  #ping(): void {
    if (!this.#isAlive) {
      this.destroy();
      return;
    }
    this.#isAlive = false;
    this.webSocket.ping();
  }

  #pong(payload: Buffer): void {
    this.#isAlive = true;
    if (this.unsentBytes > SOCKET_UNSENT_BYTES_MAX) this.destroy();
    else if (!this.#isClosing) this.webSocket.pong(payload);
  }
}
