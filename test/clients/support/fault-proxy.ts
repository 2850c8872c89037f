// A TCP proxy before a server that breaks connections on purpose: the server gets the request, and the client gets no
// whole reply.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** What the client gets of a reply: nothing before a reset, half of it, or nothing at all while the connection stays. */
export type Fault = 'lost' | 'halved' | 'silent';

export class FaultProxy {
  /** Connections accepted so far. */
  connectionCount = 0;
  readonly #faults: Fault[] = [];
  #bytesUntilCut: (() => number) | null = null;

  private constructor(
    readonly url: string,
    private readonly sockets: Set<Socket>,
  ) {}

  /** @param port of the server at the loopback address */
  static async start(t: Test, port: number): Promise<FaultProxy> {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        // A broken connection is what this proxy is for.
        socket.on('error', () => {});
        socket.on('close', () => sockets.delete(socket));
      }
      client.pipe(upstream);
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      proxy.connectionCount += 1;
      let bytesLeft = proxy.#bytesUntilCut?.() ?? Number.POSITIVE_INFINITY;
      upstream.on('data', (bytes) => {
        if (bytes.length >= bytesLeft) client.end(bytes.subarray(0, bytesLeft));
        else proxy.#pass(bytes, client);
        bytesLeft -= bytes.length;
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: own } = server.address() as AddressInfo;
    const proxy = new FaultProxy(`http://127.0.0.1:${own}`, sockets);
    t.teardown(async () => {
      for (const socket of proxy.sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return proxy;
  }

  /** The next replies get these faults, one each. */
  break(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  /** Each further connection is closed after as many bytes from the server as the function returns. */
  cutConnections(bytesUntilCut: () => number): void {
    this.#bytesUntilCut = bytesUntilCut;
  }

  #pass(bytes: Buffer, client: Socket): void {
    const fault = this.#faults.shift();
    if (fault === 'silent') return;
    if (fault === 'lost') client.resetAndDestroy();
    else if (fault === 'halved') client.end(bytes.subarray(0, bytes.length / 2));
    else client.write(bytes);
  }
}
