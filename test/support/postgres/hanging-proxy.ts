// A TCP proxy in front of a server that can stop forwarding, as a network does that swallows packets: connections stay
// open, new ones are accepted, and no byte passes until it resumes.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../process/free-port.js';
import type { Owner } from '../process/galaxyd-process.js';

/** Which bytes it swallows: all, or only those of the server, so that requests still arrive and take effect. */
export type HangingWay = 'both ways' | 'replies';

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
}

export class HangingProxy {
  /** Port on 127.0.0.1. */
  readonly port: number;
  readonly #listener: Server;
  readonly #connections = new Set<Connection>();
  #hanging: HangingWay | null = null;

  private constructor(listener: Server, port: number, targetPort: number) {
    this.#listener = listener;
    this.port = port;
    listener.on('connection', (client: Socket) => this.#join(client, targetPort));
  }

  /** Opens a port that leads to a port of this machine; it is closed when the owner ends. */
  static async open(owner: Owner, targetPort: number): Promise<HangingProxy> {
    const port = await freePort();
    const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    const proxy = new HangingProxy(listener, port, targetPort);
    await once(listener.listen(port, '127.0.0.1'), 'listening');
    owner.teardown(() => proxy.#close());
    return proxy;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Forwards nothing from now on. */
  hang(way: HangingWay = 'both ways'): void {
    this.#hanging = way;
    for (const connection of this.#connections) this.#direct(connection);
  }

  /** Forwards what has gathered, and everything after it. */
  resume(): void {
    this.#hanging = null;
    for (const connection of this.#connections) {
      if (connection.client.destroyed || connection.server.destroyed) this.#part(connection);
      else this.#direct(connection);
    }
  }

  /** Breaks all connections. */
  drop(): void {
    for (const { client, server } of this.#connections) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    this.#connections.clear();
  }

  #join(client: Socket, targetPort: number): void {
    const server = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const connection = { client, server };
    this.#connections.add(connection);
    forward(client, server);
    forward(server, client);
    // While it hangs, nobody learns that the other side is gone.
    const leave = (): void => {
      if (this.#hanging === null) this.#part(connection);
    };
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', leave).on('close', leave);
    this.#direct(connection);
  }

  #direct({ client, server }: Connection): void {
    if (this.#hanging === 'both ways') client.pause();
    else client.resume();
    if (this.#hanging !== null) server.pause();
    else server.resume();
  }

  #part(connection: Connection): void {
    this.#connections.delete(connection);
    connection.client.destroy();
    connection.server.destroy();
  }

  #close(): void {
    this.#listener.close();
    this.#hanging = null;
    this.drop();
  }
}

/** Bytes beyond the buffers of the system gather in memory: what passes here is small. */
function forward(from: Socket, to: Socket): void {
  from.on('data', (bytes) => to.write(bytes));
  from.on('end', () => to.end());
}
