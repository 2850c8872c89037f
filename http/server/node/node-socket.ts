// A WebSocket on Node's server, by the package ws. The package would handle all frames of a read at once, however short they are, so it
// gets each read in slices, between which the connection may be closed. It also keeps a frame that is never finished: such a
// connection is closed here, as is one whose client does not answer pings.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import {
  CLIENT_SILENCE_MS,
  CLIENT_SILENCE_POLL_MS,
  NODE_PORTION_LENGTH_MAX,
  SOCKET_FRAME_BYTES_MAX,
  SOCKET_FRAME_PARTS_MAX,
  SOCKET_IDLE_SECONDS,
  SOCKET_READ_BYTES,
} from '../../limits.js';
import {
  CLOSE_CODES,
  type CloseCode,
  type FrameListener,
  type SocketHost,
  type SocketOpening,
  SUBPROTOCOL,
} from '../web-socket.js';
import { PacedSocket } from './paced-socket.js';

const MS_PER_SECOND = 1_000;

/** Why the package closes a connection by itself (RFC 6455, section 7.4.1). */
const REASONS: ReadonlyMap<number | undefined, string> = new Map([
  [1002, 'A frame is not as RFC 6455 says.'],
  [1007, 'A text is not UTF-8.'],
  [1008, 'A frame has too many parts.'],
  [1009, `A frame may be at most ${SOCKET_FRAME_BYTES_MAX} bytes long.`],
]);

/** The package closes with a code, but without a reason, if a client breaks the protocol. */
class ReasonedWebSocket extends WebSocket {
  override close(code?: number, reason: string | Buffer | undefined = REASONS.get(code)): void {
    super.close(code, reason);
  }
}

/** Opens WebSockets on connections whose upgrade was admitted. */
export class NodeSockets {
  readonly #server = new WebSocketServer({
    noServer: true,
    WebSocket: ReasonedWebSocket,
    clientTracking: false,
    maxPayload: SOCKET_FRAME_BYTES_MAX,
    maxFragments: SOCKET_FRAME_PARTS_MAX,
    maxBufferedChunks: SOCKET_FRAME_PARTS_MAX,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  /** Those whose client has begun a frame and not finished it. */
  readonly #unfinished = new Set<NodeSocket>();
  #watch: NodeJS.Timeout | null = null;

  /** @param host takes it */
  open(host: SocketHost, request: IncomingMessage, socket: Socket, head: Buffer, opening: SocketOpening): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      new NodeSocket(webSocket, socket, this.#unfinished, host, opening);
    });
    this.#watch ??= setInterval(() => this.#endLate(), CLIENT_SILENCE_POLL_MS).unref();
  }

  /** No connection is left. */
  release(): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
  }

  #endLate(): void {
    const latestMs = performance.now() - CLIENT_SILENCE_MS;
    for (const socket of this.#unfinished) socket.endLate(latestMs);
  }
}

type Feed = (piece: Buffer) => void;

class NodeSocket extends PacedSocket {
  readonly #listener: FrameListener;
  readonly #pinging: NodeJS.Timeout;
  /** True if something has come since the last ping. */
  #isAlive = true;
  /** True if the package has read a whole frame since the last read began. */
  #hasFrame = false;
  /** True once nothing more is read, whatever comes. */
  #isDeaf = false;
  /** When the unfinished frame began, by performance.now(). */
  #beganAtMs = 0;

  constructor(
    private readonly webSocket: WebSocket,
    private readonly socket: Socket,
    private readonly unfinished: Set<NodeSocket>,
    host: SocketHost,
    opening: SocketOpening,
  ) {
    super();
    this.#listener = host.open(this, opening);
    this.#pinging = setInterval(() => this.#ping(), (SOCKET_IDLE_SECONDS / 2) * MS_PER_SECOND);
    this.#pinging.unref();
    webSocket.on('message', (message, isBinary) => {
      this.#isAlive = true;
      this.#hasFrame = true;
      if (!this.isOver) this.#obey(this.#listener.received(isBinary ? null : message.toString()));
    });
    webSocket.on('ping', (payload) => this.#controlled('ping', payload));
    webSocket.on('pong', () => this.#controlled('pong'));
    // The package then closes the connection, and emits 'close' too.
    webSocket.on('error', () => {});
    webSocket.once('close', () => {
      clearInterval(this.#pinging);
      unfinished.delete(this);
      this.ended();
    });
    socket.on('drain', () => this.unblocked());
    const [feed] = socket.listeners('data') as unknown as readonly Feed[];
    if (feed === undefined) throw new Error('the package ws does not listen to the connection');
    socket.off('data', feed);
    socket.on('data', (piece: Buffer) => this.#read(piece, feed));
  }

  destroy(): void {
    this.webSocket.terminate();
  }

  /** @param latestMs the connection is closed if its unfinished frame began earlier, by performance.now() */
  endLate(latestMs: number): void {
    if (this.#beganAtMs >= latestMs) return;
    this.unfinished.delete(this);
    if (!this.isOver) this.#listener.late();
  }

  protected override get heldBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  /** The stream emits 'drain' only if it needs to; that it does is known before it has emitted it. */
  protected override get isBlocked(): boolean {
    return this.socket.writableNeedDrain && this.socket.writableLength > 0;
  }

  protected override get hasRest(): boolean {
    return false;
  }

  protected override writeRest(): void {}

  protected override writeSome(frames: readonly string[], next: number): number {
    let end = next;
    this.socket.cork();
    for (let length = 0; end < frames.length && length < NODE_PORTION_LENGTH_MAX; end += 1) {
      const frame = frames[end] as string;
      length += frame.length;
      this.webSocket.send(frame);
    }
    this.socket.uncork();
    return end;
  }

  /** Nothing more is read of a client that misbehaves: it may send without end, and its own close frame is not needed. */
  override close(code: CloseCode, reason: string): void {
    if (code === CLOSE_CODES.policyViolation) {
      this.#isDeaf = true;
      this.socket.pause();
    }
    super.close(code, reason);
  }

  /** The package waits for the client's own close frame, unless that is not read. */
  protected override sendClose(code: CloseCode, reason: string): void {
    this.webSocket.close(code, reason);
    if (this.#isDeaf) this.socket.end();
  }

  protected override tellDrained(): void {
    this.#listener.drained();
  }

  protected override tellClosed(): void {
    this.#listener.closed();
  }

  #read(piece: Buffer, feed: Feed): void {
    this.#hasFrame = false;
    for (let start = 0; start < piece.length && !this.#isDeaf; start += SOCKET_READ_BYTES) {
      const slice = piece.length <= SOCKET_READ_BYTES ? piece : piece.subarray(start, start + SOCKET_READ_BYTES);
      feed.call(this.socket, slice);
    }
    if (this.#hasFrame) this.unfinished.delete(this);
    else if (!this.unfinished.has(this) && !this.isOver) {
      this.#beganAtMs = performance.now();
      this.unfinished.add(this);
    }
  }

  #ping(): void {
    if (!this.#isAlive) {
      this.destroy();
      return;
    }
    this.#isAlive = false;
    this.webSocket.ping();
  }

  #controlled(kind: 'ping' | 'pong', payload?: Buffer): void {
    this.#isAlive = true;
    if (this.isOver) return;
    if (!this.#obey(this.#listener.controlled(kind))) return;
    if (kind === 'ping') this.webSocket.pong(payload);
    if (!this.isBlocked) return;
    this.blocked();
    this.#listener.lagged();
  }

  /**
   * Closes the connection at once if its client has sent too much.
   *
   * @param lastFrame null if the connection stays open
   * @returns whether it stays open
   */
  #obey(lastFrame: string | null): boolean {
    if (lastFrame === null) return true;
    this.webSocket.send(lastFrame);
    this.close(CLOSE_CODES.policyViolation, 'rate_limited');
    return false;
  }
}
