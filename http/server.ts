// The HTTP server, independent of the transport. It knows nothing of the game.

import type { WorkQueue } from './admission/work-queue.js';
import type { BugReport } from './exchange/exchange.js';
import type { CrossOrigin } from './server/cors.js';
import { type Endpoint, type Gatekeeper, Receiver } from './server/receiver.js';
import type { ServerCounts } from './server/request-counts.js';
import type { Traffic } from './server/traffic.js';
import type { ConnectionLimits, Transport, TransportKind } from './server/transport.js';
import type { SocketHost } from './server/web-socket.js';

export interface HttpServerOptions {
  readonly endpoints: readonly Endpoint[];
  readonly counts: ServerCounts;
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  readonly gatekeeper: Gatekeeper;
  readonly transport: TransportKind;
  readonly connectionLimits: ConnectionLimits;
  /** Null if no page of another origin may read replies. */
  readonly crossOrigin: CrossOrigin | null;
  /** Takes the WebSockets. */
  readonly sockets: SocketHost;
  readonly onBug: BugReport;
}

export class HttpServer {
  private constructor(
    private readonly transport: Transport,
    private readonly traffic: Traffic,
  ) {}

  /** @throws Error if the transport is native and this platform has no build */
  static async open(options: HttpServerOptions): Promise<HttpServer> {
    const { endpoints, counts, traffic, work, gatekeeper, crossOrigin, sockets, onBug } = options;
    const receiver = new Receiver(endpoints, counts, traffic, work, gatekeeper, crossOrigin, sockets, onBug);
    const transport = await openTransport(options.transport, receiver, options.connectionLimits);
    return new HttpServer(transport, traffic);
  }

  /**
   * Binds the port exclusively; 0 selects a free one.
   *
   * @returns the port
   * @throws CannotListen
   */
  listen(host: string, port: number): Promise<number> {
    return this.transport.listen(host, port);
  }

  /**
   * Stops accepting connections, ends the streams and the WebSockets, answers those who wait for events, and waits for the replies in
   * flight; each of them closes its connection.
   *
   * @returns true if all were sent, false if the deadline passed first
   */
  async close(deadlineMs: number): Promise<boolean> {
    const { traffic } = this;
    traffic.isDraining = true;
    this.transport.stopListening();
    traffic.endReaders();
    if (traffic.inFlight === 0) return true;
    return new Promise((resolve) => {
      const deadline = setTimeout(() => resolve(false), deadlineMs);
      traffic.onIdle = () => {
        clearTimeout(deadline);
        // The last reply is sent when the server's callback returns, so wait for the end of this turn of the event
        // loop.
        setImmediate(() => resolve(true));
      };
    });
  }

  /** Closes what is left of the connections. For a process that goes on: nothing of the game stays in its memory. */
  release(): void {
    this.transport.release();
  }
}

/** Loads only the requested transport. @throws Error if it is native and this platform has no build */
async function openTransport(kind: TransportKind, receiver: Receiver, limits: ConnectionLimits): Promise<Transport> {
  if (kind === 'javascript')
    return new (await import('./server/node/node-transport.js')).NodeTransport(receiver, limits);
  return new (await import('./server/native/native-transport.js')).NativeTransport(receiver, limits);
}
