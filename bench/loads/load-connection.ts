// One kept-alive connection of a load: sends one request, waits for its reply, and opens itself again if it was closed. It reads only
// replies of servers that the bench uses, which all state the length of a body; anything else is an error rather than measured wrongly.
import { connect, type Socket } from 'node:net';
import { BenchFailed } from '../bench-failed.js';
import { RECEIVED_BYTES, REPLY_HEAD_BYTES_MAX } from '../limits.js';
import type { LoadRequest } from '../servers/game-client.js';

/** The bytes of one read, on any connection: they are used before the next one. */
const RECEIVED = Buffer.allocUnsafeSlow(RECEIVED_BYTES);

export class LoadConnection {
  readonly #host: string;
  readonly #port: number;
  readonly #rendered: Map<LoadRequest, Buffer>;
  #socket: Socket;
  #reader = new ReplyReader();
  #onReply: OnReply | undefined;
  #fault = BROKEN;
  #isOver = false;

  /** @param rendered requests that were rendered before, shared by all connections of a load */
  constructor(url: string, rendered: Map<LoadRequest, Buffer>) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
    this.#rendered = rendered;
    this.#socket = this.#open();
  }

  /** Settles when the connection is open. */
  async ready(): Promise<void> {
    if (!this.#socket.connecting) return;
    await new Promise<void>((resolve, reject) => {
      this.#socket.once('connect', resolve);
      this.#socket.once('error', reject);
    });
  }

  send(request: LoadRequest, onReply: OnReply): void {
    this.#onReply = onReply;
    if (this.#socket.destroyed) this.#socket = this.#open();
    this.#socket.write(this.#rendered.get(request) ?? renderRequest(request, `${this.#host}:${this.#port}`));
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  #open(): Socket {
    // Reading into one buffer takes Node's streams out of the way: half of the loader's time, and most of its garbage.
    const onread = { buffer: RECEIVED, callback: this.#receive };
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true, onread });
    this.#reader = new ReplyReader();
    this.#fault = BROKEN;
    // Followed by 'close'.
    socket.on('error', () => {});
    socket.on('close', () => {
      // A request that was sent after the end of this socket is on its way over the next one.
      if (!this.#isOver && socket === this.#socket) this.#answer(undefined);
    });
    return socket;
  }

  readonly #receive = (byteCount: number): boolean => {
    try {
      this.#reader.take(RECEIVED.subarray(0, byteCount), this.#answer);
    } catch (error) {
      if (!(error instanceof UnreadableReply)) throw error;
      // What follows on the connection cannot be read either.
      this.#fault = error.message;
      this.#socket.destroy();
    }
    return true;
  };

  readonly #answer = (reply: Reply | undefined): void => {
    const onReply = this.#onReply;
    this.#onReply = undefined;
    onReply?.(reply, this.#fault);
  };
}

/** A request as bytes. */
export function renderRequest({ method, path, body, headers = {} }: LoadRequest, host: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

export interface Reply {
  readonly status: number;
  /** Valid only while the reply is handed over; empty if replies are pipelined. */
  readonly body: Buffer;
}

/** @param fault if there is no reply: why */
export type OnReply = (reply: Reply | undefined, fault: string) => void;

const BROKEN = 'a connection broke';

export class UnreadableReply extends BenchFailed {}

const NOTHING = Buffer.alloc(0);
const HEAD_END = Buffer.from('\r\n\r\n');
/** Where the status stands in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9;
const STATUS_LENGTH = 3;
const WITHOUT_BODY = new Set([204, 304]);

export class ReplyReader {
  /** Pipelined replies are counted, and their bodies dropped: that costs the least. Otherwise one request is in flight at a time. */
  readonly #isPipelined: boolean;
  /** The beginning of a head whose end has not arrived. */
  #head: Buffer = NOTHING;
  /** Status of the reply that is being received. */
  #status = 0;
  #bytesLeft = 0;
  #body: Buffer[] = [];

  constructor({ isPipelined = false } = {}) {
    this.#isPipelined = isPipelined;
  }

  /**
   * Takes the next bytes of the connection.
   *
   * @param piece valid only during the call
   * @param onReply called for each reply whose last byte is in the piece, in order
   * @throws UnreadableReply if the bytes are not a reply that states its length, or are more than one reply although nothing is pipelined
   */
  take(piece: Buffer, onReply: (reply: Reply) => void): void {
    let bytes = this.#head.length === 0 ? piece : Buffer.concat([this.#head, piece]);
    this.#head = NOTHING;
    while (bytes.length > 0) {
      const bodyAt = this.#bytesLeft === 0 ? this.#startReply(bytes) : 0;
      if (bodyAt === undefined) return;
      const end = Math.min(bytes.length, bodyAt + this.#bytesLeft);
      this.#bytesLeft -= end - bodyAt;
      const body = bytes.subarray(bodyAt, end);
      bytes = bytes.subarray(end);
      if (this.#bytesLeft === 0) this.#finishReply(body, bytes.length, onReply);
      else if (!this.#isPipelined) this.#body.push(Buffer.from(body));
    }
  }

  /** Reads a head. @returns where the body begins; undefined if the head is incomplete, which is then kept */
  #startReply(bytes: Buffer): number | undefined {
    const headLength = bytes.indexOf(HEAD_END);
    if (headLength < 0) {
      if (bytes.length > REPLY_HEAD_BYTES_MAX) throw new UnreadableReply('the head of a reply is too long');
      this.#head = Buffer.from(bytes);
      return undefined;
    }
    const head = bytes.toString('latin1', 0, headLength);
    this.#status = Number(head.slice(STATUS_AT, STATUS_AT + STATUS_LENGTH));
    this.#bytesLeft = bodyLength(this.#status, head);
    return headLength + HEAD_END.length;
  }

  #finishReply(lastPiece: Buffer, bytesBehind: number, onReply: (reply: Reply) => void): void {
    if (this.#isPipelined) {
      onReply({ status: this.#status, body: NOTHING });
      return;
    }
    if (bytesBehind > 0) throw new UnreadableReply('a reply is longer than it says');
    const body = this.#body.length === 0 ? lastPiece : Buffer.concat([...this.#body, lastPiece]);
    this.#body = [];
    onReply({ status: this.#status, body });
  }
}

function bodyLength(status: number, head: string): number {
  if (WITHOUT_BODY.has(status)) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new UnreadableReply(`a reply with status ${status} does not state its length`);
  return Number(length);
}
