// One kept-alive connection of a load: sends one request, waits for its reply, and opens itself again if it was
// closed.
import { connect, type Socket } from 'node:net';
import { RECEIVED_BYTES } from '../limits.js';
import type { LoadRequest } from '../servers/game-client.js';
import type { Sender } from './open-loop.js';
import { type Reply, ReplyReader, UnreadableReply } from './reply-reader.js';

/** The bytes of one read, on any connection: they are used before the next one. */
const RECEIVED = Buffer.allocUnsafeSlow(RECEIVED_BYTES);

export class LoadConnection implements Sender {
  readonly #host: string;
  readonly #port: number;
  readonly #rendered: Map<LoadRequest, Buffer>;
  #socket: Socket;
  #reader = new ReplyReader();
  #onReply: ((reply: Reply | undefined) => void) | undefined;
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

  send(request: LoadRequest, onReply: (reply: Reply | undefined) => void): void {
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
    // Followed by 'close'.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (!this.#isOver) this.#answer(undefined);
    });
    return socket;
  }

  readonly #receive = (byteCount: number): boolean => {
    try {
      this.#reader.take(RECEIVED.subarray(0, byteCount), this.#answer);
    } catch (error) {
      if (!(error instanceof UnreadableReply)) throw error;
      // It counts as a broken connection.
      this.#socket.destroy();
    }
    return true;
  };

  readonly #answer = (reply: Reply | undefined): void => {
    const onReply = this.#onReply;
    this.#onReply = undefined;
    onReply?.(reply);
  };
}

/** A request as bytes. */
export function renderRequest({ method, path, body, headers = {} }: LoadRequest, host: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
