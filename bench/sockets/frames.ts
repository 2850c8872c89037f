// WebSocket as a load needs it (RFC 6455), straight on a socket: prepared frames go out, and received ones are handed over where they
// were read. A library would take more time than the server that is measured.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { BenchFailed } from '../bench-failed.js';
import { LOADER_ADDRESSES, RECEIVED_BYTES } from '../limits.js';
import { renderRequest } from '../loads/load-connection.js';
import { getRequest, type LoadRequest } from '../servers/game-client.js';

export const OPCODES = { text: 1, continuation: 0, close: 8, ping: 9, pong: 10 } as const;

/** Frames of this opcode and of higher ones may stand between the fragments of a message. */
const FIRST_CONTROL_OPCODE = 8;

const FINAL = 0x80;
const MASKED = 0x80;
const OPCODE_BITS = 0x0f;
/** A length of this value says that two bytes with the length follow. */
const TWO_BYTES = 126;
const TWO_BYTES_MAX = 0xffff;
const MASK_BYTES = 4;
/** The bytes of one read, on any connection: they are used before the next one. */
const RECEIVED = Buffer.allocUnsafeSlow(RECEIVED_BYTES);
const HEAD_END = '\r\n\r\n';
const SUBPROTOCOL = { 'sec-websocket-protocol': 'galaxyd.v1' };
const SWITCHING_PROTOCOLS = 'HTTP/1.1 101 ';

/** Called with the opcode of a frame and the range of its payload. The bytes are valid only during the call. */
export type OnFrame = (opcode: number, bytes: Buffer, start: number, end: number) => void;

/** A text message as a client sends it. */
export function textFrame(text: string): Buffer {
  return frameBytes(OPCODES.text, text);
}

/** The same with the JSON of a value. */
export function jsonFrame(body: unknown): Buffer {
  return textFrame(JSON.stringify(body));
}

/**
 * A frame as a client sends it. Its mask is zero, which is valid and leaves the payload as it is.
 *
 * @param isFinal false for a fragment that others follow
 */
export function frameBytes(opcode: number, payload: string | Buffer, isFinal = true): Buffer {
  const bytes = Buffer.from(payload);
  const { length } = bytes;
  if (length > TWO_BYTES_MAX) throw new Error('a frame of the bench is too long');
  const first = (isFinal ? FINAL : 0) | opcode;
  const head = length < TWO_BYTES ? [first, MASKED | length] : [first, MASKED | TWO_BYTES, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(MASK_BYTES), bytes]);
}

export function repeated(frame: Buffer, count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

/** Finds the frames in what one connection receives. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  /** The beginning of a frame whose end has not arrived. */
  #rest: Buffer = Buffer.alloc(0);
  #isInMessage = false;

  /** @param takesFragments whether messages may come in several frames, each of which is handed over */
  constructor(
    onFrame: OnFrame,
    private readonly takesFragments = false,
  ) {
    this.#onFrame = onFrame;
  }

  /**
   * Takes the next bytes of the connection.
   *
   * @param piece valid only during the call
   * @throws BenchFailed if they are not a whole, unmasked message, or if another one begins within a message
   */
  take(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (bytes.length - at >= 2) {
      const first = bytes[at] as number;
      const short = bytes[at + 1] as number;
      if (((first & FINAL) === 0 && !this.takesFragments) || (short & MASKED) !== 0)
        throw new BenchFailed('the server sent no whole, unmasked message');
      const isLong = short >= TWO_BYTES;
      const lengthBytes = !isLong ? 0 : short === TWO_BYTES ? 2 : 8;
      const start = at + 2 + lengthBytes;
      if (start > bytes.length) break;
      const end =
        start + (isLong ? bytes.readUIntBE(start - Math.min(lengthBytes, 6), Math.min(lengthBytes, 6)) : short);
      if (end > bytes.length) break;
      const opcode = first & OPCODE_BITS;
      if (opcode < FIRST_CONTROL_OPCODE) {
        if ((opcode === OPCODES.continuation) !== this.#isInMessage)
          throw new BenchFailed('the server sent fragments of two messages mixed');
        this.#isInMessage = (first & FINAL) === 0;
      }
      this.#onFrame(opcode, bytes, start, end);
      at = end;
    }
    this.#rest = at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
  }
}

export interface ConnectionEvents {
  readonly onFrame: OnFrame;
  /** See FrameReader; false by default. */
  readonly takesFragments?: boolean;
  /** Called after the frames of one read. */
  readonly onRead?: () => void;
  /** Called once, unless the connection was closed by this side. */
  readonly onClose: (reason: string) => void;
}

export interface ConnectionOptions {
  /** Headers of the request that opens the connection. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Defaults to the LOADER_ADDRESSES in turn. */
  readonly localAddress?: string | undefined;
}

export class WebSocketConnection {
  readonly socket: Socket;
  readonly #frames: FrameReader;
  readonly #events: ConnectionEvents;
  /** The beginning of the reply to the upgrade; undefined once it has been accepted. */
  #head: string | undefined = '';
  #onUpgraded: () => void = () => {};
  #onRefused: (error: Error) => void = () => {};
  #isOver = false;
  /** Settles when the server has accepted the upgrade. */
  readonly ready: Promise<void>;

  constructor(
    url: string,
    events: ConnectionEvents,
    { headers, localAddress = nextAddress() }: ConnectionOptions = {},
  ) {
    this.#events = events;
    this.#frames = new FrameReader((opcode, bytes, start, end) => {
      if (opcode === OPCODES.ping) this.socket.write(frameBytes(OPCODES.pong, bytes.subarray(start, end)));
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
    this.socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    this.socket.write(renderRequest({ ...UPGRADE, headers: { ...UPGRADE.headers, ...SUBPROTOCOL, ...headers } }, host));
    // Followed by 'close'.
    this.socket.on('error', (error) => this.#end(error.message));
    this.socket.on('close', () => this.#end('closed by the server'));
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** Stops reading: what the server sends stays in the kernel's buffers, and then with the server. */
  pause(): void {
    this.socket.pause();
  }

  close(): void {
    this.#isOver = true;
    this.socket.destroy();
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
      this.socket.destroy();
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

/** The request that opens a WebSocket. */
export const UPGRADE: LoadRequest = {
  ...getRequest('/ws'),
  headers: {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-version': '13',
  },
};

let opened = 0;

/** A client may have so many WebSockets; a load of more comes from several addresses, which only Linux has without setting them up. */
function nextAddress(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  opened += 1;
  return `127.0.0.${1 + (opened % LOADER_ADDRESSES)}`;
}
