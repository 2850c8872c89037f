// A client that controls every byte it sends and shows every byte that comes back, for requests that no ordinary client
// would send. It reads replies by their own framing and knows nothing of the game.
import { connect, type Socket } from 'node:net';

export interface RawReply {
  readonly status: number;
  /** Fields as they were sent, with names in lower case. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The value of the first header field of that name; '' if there is none. */
export function field(reply: RawReply, name: string): string {
  return reply.fields.find(([key]) => key === name)?.[1] ?? '';
}

/** The connection ended before a whole reply had arrived; `rest` is the part that had. */
export class ConnectionEnded extends Error {
  override readonly name = 'ConnectionEnded';

  constructor(readonly rest: Buffer) {
    super(`the connection ended after ${rest.length} bytes that are not a whole reply`);
  }
}

/** A socket that is connected to a port of the loopback address. */
export function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

export class RawConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #hasEnded = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    // A reset is an end like any other here.
    socket.on('error', () => {});
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#end());
  }

  /** Connects to a port of the loopback address. */
  static open(port: number): Promise<RawConnection> {
    return connected(port).then((socket) => new RawConnection(socket));
  }

  /** Sends bytes as they are, at once. */
  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /**
   * The next reply.
   *
   * @param method of the request it answers, because a reply to HEAD has no body whatever its head says
   * @throws ConnectionEnded
   */
  async reply(method = 'GET'): Promise<RawReply> {
    for (;;) {
      const reply = parseReply(this.#received, method, this.#hasEnded);
      if (reply !== null) {
        this.#received = this.#received.subarray(reply.length);
        return reply.reply;
      }
      if (this.#hasEnded) throw new ConnectionEnded(this.#received);
      await this.#change();
    }
  }

  /** Waits until the other side closes. @returns everything that has not been read */
  async rest(): Promise<Buffer> {
    while (!this.#hasEnded) await this.#change();
    return this.#received;
  }

  /** Bytes that have arrived and were not read as a reply. */
  get unread(): Buffer {
    return this.#received;
  }

  /** Reads nothing more, so that sent bytes pile up on their way. */
  pause(): void {
    this.#socket.pause();
  }

  /** Reads on. */
  resume(): void {
    this.#socket.resume();
  }

  /** Leaves at once, with a reset. */
  leave(): void {
    // Node never releases a socket that is reset while it ends, and then the process hangs at its exit.
    if (this.#socket.writableEnded) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  /** Leaves without a reset. */
  close(): void {
    this.#socket.destroy();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #end(): void {
    this.#hasEnded = true;
    this.#wake();
  }
}

/** Sends bytes on a connection of their own and reads one reply. */
export async function exchange(port: number, bytes: string | Uint8Array, method = 'GET'): Promise<RawReply> {
  const connection = await RawConnection.open(port);
  try {
    connection.send(bytes);
    return await connection.reply(method);
  } finally {
    connection.close();
  }
}

/** The bytes of a request; a body gets its Content-Length and, unless the lines name another, its type. */
export function requestBytes(method: string, path: string, lines: readonly string[] = [], body?: string | Uint8Array) {
  const bodyBytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines];
  if (body !== undefined) {
    if (!lines.some((line) => /^content-type:/i.test(line))) head.push('Content-Type: application/json');
    if (!lines.some((line) => /^content-length:/i.test(line))) head.push(`Content-Length: ${bodyBytes.length}`);
  }
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bodyBytes]);
}

/** @returns null if the bytes are not yet a whole reply */
function parseReply(bytes: Buffer, method: string, hasEnded: boolean): { reply: RawReply; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${statusLine} `)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw new Error(`not a status line: ${statusLine}`);
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const bodyStart = headEnd + 4;
  const bodyLength = lengthOfBody(method, status, fields);
  if (bodyLength === null) {
    if (!hasEnded) return null;
    return { reply: { status, fields, body: bytes.subarray(bodyStart) }, length: bytes.length };
  }
  if (bytes.length < bodyStart + bodyLength) return null;
  const body = bytes.subarray(bodyStart, bodyStart + bodyLength);
  return { reply: { status, fields, body }, length: bodyStart + bodyLength };
}

const EMPTY_CHUNKED_BODY = '0\r\n\r\n';

/** @returns null if the body lasts until the connection ends (RFC 9112, section 6.3) */
function lengthOfBody(method: string, status: number, fields: [string, string][]): number | null {
  if (method === 'HEAD' || status < 200 || status === 304 || status === 204) return 0;
  const lengths = fields.filter(([name]) => name === 'content-length');
  if (lengths.length > 1) throw new Error('a reply with two Content-Length fields');
  // No reply of ours is chunked; one of Node's own refusals is, with nothing in it.
  if (fields.some(([name]) => name === 'transfer-encoding')) return EMPTY_CHUNKED_BODY.length;
  const [length] = lengths;
  return length === undefined ? null : Number(length[1]);
}
