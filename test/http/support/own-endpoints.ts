// The HTTP server with endpoints of the test, so that the contract between transport and exchange can be tested without
// the game.
import type { Test } from 'tap';
import { WorkQueue } from '../../../http/admission/work-queue.js';
import type { Exchange } from '../../../http/exchange/exchange.js';
import { CONNECTIONS_MAX } from '../../../http/limits.js';
import { HostNames } from '../../../http/server/host-names.js';
import type { Endpoint } from '../../../http/server/receiver.js';
import { RouteCounts, ServerCounts } from '../../../http/server/request-counts.js';
import { Traffic } from '../../../http/server/traffic.js';
import type { SocketHost } from '../../../http/server/web-socket.js';
import { WorldServer } from '../../../http/world-server.js';
import { MANUAL_START_MS } from '../../../persistence/time/clock.js';
import { transport } from './serving.js';

/** Longer than any expected wait: a test that reaches it hangs. */
const DEADLINE_MS = 60_000;

export interface OwnServing {
  readonly server: WorldServer;
  readonly port: number;
  readonly traffic: Traffic;
  /** Stops the server; the end of the test does it otherwise. @returns whether every pending reply was sent */
  close(): Promise<boolean>;
}

/** Stands for the WebSockets, if none is opened. */
export const NO_SOCKETS: SocketHost = {
  admit: () => null,
  open() {
    throw new Error('no WebSocket is opened here');
  },
};

/** The handlers for GET, by path. */
export type Handlers = Readonly<Record<string, (exchange: Exchange) => void>>;

/** @param host the IP address to listen at */
export async function serveOwn(t: Test, handlers: Handlers, host = '127.0.0.1'): Promise<OwnServing> {
  const traffic = new Traffic(() => MANUAL_START_MS);
  const bugs: unknown[] = [];
  const server = await WorldServer.open({
    host,
    port: 0,
    endpoints: Object.entries(handlers).map(([path, handle]) => endpointOf(path, handle)),
    counts: new ServerCounts(),
    traffic,
    work: new WorkQueue(),
    gatekeeper: { ownerOf: ({ peerAddress }) => peerAddress, admits: () => true, answered() {} },
    transport,
    connectionLimits: { connectionsMax: CONNECTIONS_MAX, connectionsPerAddressMax: CONNECTIONS_MAX },
    hostNames: new HostNames(null),
    crossOrigin: null,
    sockets: NO_SOCKETS,
    onBug: (error) => void bugs.push(error),
  });
  const { port } = server;
  let closing: Promise<boolean> | undefined;
  const close = (): Promise<boolean> => {
    closing ??= server.stop(DEADLINE_MS);
    return closing;
  };
  t.teardown(async () => {
    await close();
    if (bugs.length > 0) throw new Error(`handlers threw: ${bugs.map(String).join(', ')}`);
  });
  return { server, port, traffic, close };
}

function endpointOf(path: string, handle: (exchange: Exchange) => void): Endpoint {
  return {
    method: 'GET',
    path,
    bodyBytesMax: 0,
    isHeavy: false,
    takesSeat: false,
    cost: 1,
    counts: new RouteCounts(path),
    serve: handle,
  };
}
