// One WebSocket connection of a load, straight on a socket: prepared bytes go out, and received frames are handed over where
// they were read. A library would take more time than the server that is measured.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { BenchFailed } from '../bench-failed.js';
import { LOADER_ADDRESSES, RECEIVED_BYTES } from '../limits.js';
import { FrameReader, type OnFrame, PING, pongFrame } from './frames.js';

/** The bytes of one read, on any connection: they are used before the next one. */
const RECEIVED = Buffer.allocUnsafeSlow(RECEIVED_BYTES);
const HEAD_END = '\r\n\r\n';
const SWITCHING_PROTOCOLS = 'HTTP/1.1 101 ';

export interface ConnectionEvents {
  readonly onFrame: OnFrame;
  /** See FrameReader; false by default. */
  readonly takesFragments?: boolean;
  /** Called after the frames of one read. */
  readonly onRead?: () => void;
  /** Called once, unless the connection was closed by this side. */
  readonly onClose: (reason: string) => void;
}

export class WebSocketConnection {
  readonly #socket: Socket;
  readonly #frames: FrameReader;
  readonly #events: ConnectionEvents;
  /** The beginning of the reply to the upgrade; undefined once it has been accepted. */
  #head: string | undefined = '';
  #onUpgraded: () => void = () => {};
  #onRefused: (error: Error) => void = () => {};
  #isOver = false;
  /** Settles when the server has accepted the upgrade. */
  readonly ready: Promise<void>;

  constructor(url: string, events: ConnectionEvents) {
    this.#events = events;
    this.#frames = new FrameReader((opcode, bytes, start, end) => {
      if (opcode === PING) this.#socket.write(pongFrame(bytes.subarray(start, end)));
      else events.onFrame(opcode, bytes, start, end);
    }, events.takesFragments);
    this.ready = new Promise((resolve, reject) => {
      this.#onUpgraded = resolve;
      this.#onRefused = reject;
    });
    // A caller that never awaits it need not handle the rejection: onClose reports the same.
    this.ready.catch(() => {});
    const { hostname, port, host } = new URL(url);
    const onread = { buffer: RECEIVED, callback: this.#receive };
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, onread, ...nextAddress() });
    this.#socket.write(upgradeRequest(host));
    // Followed by 'close'.
    this.#socket.on('error', (error) => this.#end(error.message));
    this.#socket.on('close', () => this.#end('closed by the server'));
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** From now on nothing is read: what the server sends stays in the kernel's buffers, and then with the server. */
  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  readonly #receive = (byteCount: number): boolean => {
    const piece = RECEIVED.subarray(0, byteCount);
    if (this.#head === undefined) this.#frames.take(piece);
    else this.#takeHead(piece);
    this.#events.onRead?.();
    return true;
  };

  #takeHead(piece: Buffer): void {
    const text = `${this.#head}${piece.toString('latin1')}`;
    const end = text.indexOf(HEAD_END);
    this.#head = text;
    if (end < 0) return;
    if (!text.startsWith(SWITCHING_PROTOCOLS)) {
      this.#end(text.slice(0, text.indexOf('\r\n')));
      this.#socket.destroy();
      return;
    }
    this.#head = undefined;
    this.#onUpgraded();
    const rest = Buffer.from(text.slice(end + HEAD_END.length), 'latin1');
    if (rest.length > 0) this.#frames.take(rest);
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onRefused(new BenchFailed(`a connection failed: ${reason}`));
    this.#events.onClose(reason);
  }
}

function upgradeRequest(host: string): string {
  return [
    'GET /ws HTTP/1.1',
    `host: ${host}`,
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
    'sec-websocket-protocol: galaxyd.v1',
    HEAD_END,
  ]
    .join('\r\n')
    .replace(`\r\n${HEAD_END}`, HEAD_END);
}

let opened = 0;

/** A client may have so many WebSockets; a load of more comes from several addresses, which only Linux has without setting them up. */
function nextAddress(): { readonly localAddress?: string } {
  if (process.platform !== 'linux') return {};
  opened += 1;
  return { localAddress: `127.0.0.${1 + (opened % LOADER_ADDRESSES)}` };
}
