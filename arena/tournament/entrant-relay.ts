// The relay of one entrant: what it listens on is all that the entrant learns of its game's server. It passes bytes on, so HTTP,
// WebSockets and streams of events go through unchanged. It bounds the connections of the entrant, since the server's are for all.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinSockets } from './joined-sockets.js';

interface RelayOptions {
  /** URL of the server. */
  readonly server: string;
  /** Open connections of the entrant. A further one is closed at once. */
  readonly connectionsMax: number;
  /** Whether it listens on a Unix socket, and not on a free port of the loopback interface. */
  readonly isUnixSocket: boolean;
}

export class EntrantRelay {
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  readonly #folder: string | null;
  #refusedConnections = 0;

  /** @param folder of its Unix socket, which is removed with it */
  private constructor({ server, connectionsMax }: RelayOptions, folder: string | null) {
    this.#folder = folder;
    const { hostname, port } = new URL(server);
    // The server may still answer a client that has sent everything.
    this.#listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      this.#join(client, connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true }));
    });
    this.#listener.maxConnections = connectionsMax;
    this.#listener.on('drop', () => {
      this.#refusedConnections += 1;
    });
    // Without files for a further connection, the relay accepts none until another is closed.
    this.#listener.on('error', () => {});
  }

  /** @throws Error of the operating system, if it cannot listen */
  static async open(options: RelayOptions): Promise<EntrantRelay> {
    const folder = options.isUnixSocket ? await mkdtemp(join(tmpdir(), 'galaxyd-relay-')) : null;
    const relay = new EntrantRelay(options, folder);
    try {
      relay.#listener.listen(folder === null ? { host: '127.0.0.1', port: 0 } : { path: join(folder, 'server.sock') });
      await once(relay.#listener, 'listening');
    } catch (error) {
      await relay.#removeFolder();
      throw error;
    }
    return relay;
  }

  /** Where it listens: a URL, or the path of a Unix socket. */
  get address(): string {
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') return address ?? '';
    return `http://${address.address}:${address.port}`;
  }

  /** Connections beyond the maximum, which were closed at once. */
  get refusedConnections(): number {
    return this.#refusedConnections;
  }

  /** Closes all connections at once. */
  async close(): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await this.#removeFolder();
  }

  async #removeFolder(): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }

  #join(client: Socket, upstream: Socket): void {
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    joinSockets(client, upstream);
  }
}
