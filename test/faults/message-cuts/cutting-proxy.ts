// A proxy between galaxyd and PostgreSQL that knows where messages end (PostgreSQL's documentation, "Message Formats"), and breaks a
// connection after one of them.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Owner } from '../../support/process/galaxyd-process.js';

export interface Cut {
  /** The message after which the connection breaks, from 1; 0 for none. Messages of both sides are counted. */
  readonly after: number;
  /** Time in which nobody can connect again. */
  readonly outageMs: number;
}

const NO_CUT: Cut = { after: 0, outageMs: 0 };
/** Type and length. */
const HEAD_BYTES = 5;
const LENGTH_BYTES = 4;

export class CuttingProxy {
  readonly port: number;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  #cut = NO_CUT;
  #count = 0;
  #hasCut = false;
  /** performance.now() until which nobody can connect. */
  #outUntilMs = 0;

  private constructor(listener: Server, port: number) {
    this.#listener = listener;
    this.port = port;
  }

  static async open(owner: Owner, targetPort: number): Promise<CuttingProxy> {
    const listener = createServer();
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const address = listener.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
    const proxy = new CuttingProxy(listener, address.port);
    listener.on('connection', (client: Socket) => proxy.#join(client, targetPort));
    owner.teardown(() => proxy.close());
    return proxy;
  }

  /** Messages since the last call of begin(). */
  get messageCount(): number {
    return this.#count;
  }

  get hasCut(): boolean {
    return this.#hasCut;
  }

  /** Begins to count messages; a connection then breaks. */
  begin(cut: Cut = NO_CUT): void {
    this.#cut = cut;
    this.#count = 0;
    this.#hasCut = false;
    this.#outUntilMs = 0;
  }

  /** Closes the port and all connections. */
  close(): void {
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, targetPort: number): void {
    if (performance.now() < this.#outUntilMs) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(targetPort, '127.0.0.1');
    const both = [client, server];
    const part = (): void => {
      for (const socket of both) {
        socket.destroy();
        this.#sockets.delete(socket);
      }
    };
    for (const socket of both) {
      this.#sockets.add(socket);
      socket.setNoDelay(true).on('error', part).on('close', part);
    }
    const cut = (): void => {
      // What was sent before arrives.
      for (const socket of both) socket.end();
      setImmediate(part);
    };
    // The first message of a client has no type.
    this.#forward(client, server, LENGTH_BYTES, cut);
    this.#forward(server, client, HEAD_BYTES, cut);
  }

  #forward(from: Socket, to: Socket, firstHeadBytes: number, cut: () => void): void {
    let gathered: Buffer = Buffer.alloc(0);
    let headBytes = firstHeadBytes;
    from.on('data', (bytes: Buffer) => {
      gathered = Buffer.concat([gathered, bytes]);
      while (gathered.length >= headBytes) {
        // The length counts itself, and not the type.
        const end = headBytes - LENGTH_BYTES + gathered.readUInt32BE(headBytes - LENGTH_BYTES);
        if (gathered.length < end || !to.writable) return;
        to.write(gathered.subarray(0, end));
        gathered = gathered.subarray(end);
        headBytes = HEAD_BYTES;
        this.#count += 1;
        if (this.#count !== this.#cut.after) continue;
        this.#hasCut = true;
        this.#outUntilMs = performance.now() + this.#cut.outageMs;
        cut();
        return;
      }
    });
  }
}
