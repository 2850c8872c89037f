// A world that is served: ties an open world to the routes and the HTTP server, and stops serving it. It
// neither opens nor closes the world.

import { MemoryOperatorRecords, type OperatorRecords } from '../persistence/stores/operator-records.js';
import { NO_SCRUBS } from '../persistence/upkeep/scrubber.js';
import { AddressBlocks } from './admission/address-blocks.js';
import type { AuditParts } from './admission/audit.js';
import { AdminKeys } from './admission/identity.js';
import type { RequestRate } from './admission/request-limits.js';
import { WorkQueue } from './admission/work-queue.js';
import type { BugReport } from './exchange/exchange.js';
import {
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  DRAIN_DEADLINE_MS,
  MAP_FRAME_MS,
  METRICS_MAX_AGE_MS,
  RATE_BURST,
  RATE_PER_SECOND,
  REGISTRATIONS_PER_MINUTE,
} from './limits.js';
import type { TurnsOptions } from './modes.js';
import type { MetricSources } from './pages/metric-table.js';
import { ReplacedGames } from './replay/replaced-games.js';
import type { ReplayedTournament } from './replay/replayed-tournament.js';
import { type ListenerParts, type OperatorDesk, ServedGame, type ServedGameOptions } from './served-game.js';
import { ANY_ORIGIN, CrossOrigin } from './server/cors.js';
import { HostNames } from './server/host-names.js';
import { defaultTransport, nativeLibrary } from './server/native/native-library.js';
import { Receiver, type ReceiverParts } from './server/receiver.js';
import { type RecoveryMeter, recoveringFront } from './server/recovering.js';
import { ServerCounts } from './server/request-counts.js';
import { Traffic } from './server/traffic.js';
import type { ConnectionLimits, CountedConnections, Transport, TransportKind } from './server/transport.js';

export type { AuditRecord } from './admission/audit.js';
export type { BugReport } from './exchange/exchange.js';
export {
  defaultTransport,
  javascriptServerHint,
  NativeServerMissing,
  nativeLibrary,
} from './server/native/native-library.js';
export { RecoveryMeter } from './server/recovering.js';
export { CannotListen, type TransportKind } from './server/transport.js';
export type { TraceLines } from './turns/turn-trace.js';

/** What a listener is opened with, before there is a world. */
export interface WorldListenerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly auth?: 'none' | 'key';
  /** Whether anybody may create a player, or only the operator; open by default. */
  readonly registration?: 'open' | 'closed';
  /** Whether the paths for development exist; only without keys by default. */
  readonly development?: 'on' | 'off';
  /** If given, games of turns move the clock, which must be a manual one, of a world with keys and an operator. */
  readonly turns?: TurnsOptions;
  /** Opens the administrative paths to this key, or to these. */
  readonly adminKey?: string | AdminKeys | null;
  /** A key that reads what is public, and all fleets, in a world with keys; none by default. */
  readonly spectatorKey?: string | null;
  /** Native by default, if the library loads. */
  readonly transport?: TransportKind;
  /** CONNECTIONS_MAX by default. */
  readonly connectionsMax?: number;
  /** Limit of one IP address that is not a loopback address; CONNECTIONS_PER_ADDRESS_MAX by default. */
  readonly connectionsPerAddressMax?: number;
  /** Players that one address may create a minute, 0 for any number; REGISTRATIONS_PER_MINUTE with keys, else 0 by default. */
  readonly registrationsPerMinute?: number;
  /** Limits of each player and each address, null for none. Defaults to RATE_PER_SECOND and RATE_BURST with keys, else to none. */
  readonly rateLimits?: RequestRate | null;
  /** What Host may name, in lower case and without a port; any name by default, and if null. */
  readonly allowedHosts?: readonly string[] | null;
  /** Pages of these origins may read replies; any origin with keys, else none by default. */
  readonly corsOrigins?: readonly string[];
  /** Networks in CIDR notation whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies?: readonly string[];
  /** See AdmissionSettings; tells nobody by default. */
  readonly onUntrustedProxy?: (address: string) => void;
  /** How old the text of /metrics may be; METRICS_MAX_AGE_MS by default. */
  readonly metricsMaxAgeMs?: number;
  /** Whether a history of the metrics is kept for the operator; not by default. */
  readonly keepsMetricHistory?: boolean;
  /** How often the map is rendered at most; MAP_FRAME_MS by default. */
  readonly mapFrameMs?: number;
  /** The tournament whose game the world is, if it is a replay; none by default. */
  readonly tournament?: ReplayedTournament | null;
  /** Told of exceptions out of handlers; standard error by default. */
  readonly onBug?: BugReport;
  /** What /metrics reports of the log of the process; by default, that nothing was dropped. */
  readonly log?: MetricSources['log'];
  /** What it reports of the verification in the background; by default, that there is none. */
  readonly scrubs?: MetricSources['scrubs'];
  /** What is kept of operators and addresses; by default that is kept in memory, and nobody is told. */
  readonly desk?: OperatorDesk;
}

export interface WorldServerOptions extends WorldListenerOptions {
  readonly world: ServedGameOptions['world'];
}

/** What it takes to open a listener, whatever the endpoints are. */
export interface ListenerOptions extends ReceiverParts {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly transport: TransportKind;
  readonly connectionLimits: ConnectionLimits;
}

/** A port that is bound while the world is recovered. */
export interface RecoveringServer {
  readonly url: string;
  /** Serves the world from now on, at the same port. */
  serve(world: WorldServerOptions['world']): WorldServer;
  /** Frees the port: there is no world to serve. */
  close(): Promise<void>;
}

export class WorldServer {
  private constructor(
    private readonly transport: Transport,
    private readonly traffic: Traffic,
    readonly host: string,
    readonly port: number,
  ) {}

  /**
   * Serves a world.
   *
   * @throws CannotListen
   */
  static async start(options: WorldServerOptions): Promise<WorldServer> {
    return WorldServer.open({ ...addressOf(options), ...servedBy(options, newParts()) });
  }

  /**
   * Binds the port for a world that is being recovered. Until serve(), each request is answered with 503 and how far that is.
   *
   * @throws CannotListen
   */
  static async listen(options: WorldListenerOptions, meter: Pick<RecoveryMeter, 'body'>): Promise<RecoveringServer> {
    const kept = newParts();
    const front = { ...kept, ...hostsOf(options, false), ...recoveringFront(meter) };
    const server = await WorldServer.open({ ...addressOf(options), ...front });
    return {
      url: server.url,
      serve(world) {
        server.transport.serve(new Receiver(servedBy({ ...options, world }, kept)));
        return server;
      },
      async close() {
        await server.stop(0);
        server.release();
      },
    };
  }

  /**
   * Serves endpoints. It knows nothing of the game.
   *
   * @throws CannotListen
   * @throws NativeServerMissing
   */
  static async open({
    host,
    port,
    transport: kind,
    connectionLimits,
    ...parts
  }: ListenerOptions): Promise<WorldServer> {
    const transport = await TRANSPORTS[kind](connectionLimits, parts.counts);
    transport.serve(new Receiver(parts));
    return new WorldServer(transport, parts.traffic, host, await transport.listen(host, port));
  }

  /** Where it can be reached, with the port that was taken. */
  get url(): string {
    return `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`;
  }

  /**
   * Takes no further connections, refuses commands, ends the streams and the WebSockets, answers those who wait for events, and waits
   * until every reply that is owed is sent; each of them closes its connection. The world must stay open until then.
   *
   * @returns false if the deadline passed first
   */
  async stop(deadlineMs: number = DRAIN_DEADLINE_MS): Promise<boolean> {
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

  /** After stop(), closes what is left of the connections. For a process that goes on: the world does not stay in its memory. */
  release(): void {
    this.transport.release();
  }
}

/** @param told of each action of an operator, and of each that cannot be kept; nobody by default */
export function deskOf(records: OperatorRecords, told: Partial<Omit<AuditParts, 'records'>> = {}): OperatorDesk {
  return { records, blocks: new AddressBlocks(records), onRecord: ignore, onFailure: ignore, ...told };
}

function ignore(): void {}

function newParts(): ListenerParts {
  return { traffic: new Traffic(), work: new WorkQueue(), counts: new ServerCounts() };
}

/** Where a server listens, and how many connections it takes. */
function addressOf(
  options: WorldListenerOptions,
): Pick<ListenerOptions, 'host' | 'port' | 'transport' | 'connectionLimits'> {
  const { host, port, transport = defaultTransport() } = options;
  const { connectionsMax = CONNECTIONS_MAX, connectionsPerAddressMax = CONNECTIONS_PER_ADDRESS_MAX } = options;
  return { host, port, transport, connectionLimits: { connectionsMax, connectionsPerAddressMax } };
}

/** What is known of requests without the world. */
function hostsOf(
  options: WorldListenerOptions,
  isReplicated: boolean,
): Pick<ReceiverParts, 'hostNames' | 'crossOrigin' | 'onBug'> {
  const { auth = 'none', allowedHosts = null, onBug = writeBug } = options;
  const { corsOrigins } = { ...DEFAULTS[auth], ...options };
  return {
    hostNames: new HostNames(allowedHosts),
    crossOrigin: corsOrigins.length === 0 ? null : new CrossOrigin(corsOrigins, isReplicated),
    onBug,
  };
}

/** What serves a world. */
function servedBy(options: WorldServerOptions, kept: ListenerParts): ReceiverParts {
  const { world, auth = 'none', adminKey = null, spectatorKey = null } = options;
  const { onBug = writeBug, log = NO_LOG, scrubs = { report: NO_SCRUBS }, onUntrustedProxy = () => {} } = options;
  const { registration = 'open', development = auth === 'none' ? 'on' : 'off' } = options;
  const { turns = null, tournament = null, trustedProxies = [] } = options;
  const { registrationsPerMinute, rateLimits } = { ...DEFAULTS[auth], ...options };
  const { metricsMaxAgeMs = METRICS_MAX_AGE_MS, mapFrameMs = MAP_FRAME_MS, keepsMetricHistory = false } = options;
  const { replay = null } = world;
  // The time of a replay is that of the world that is shown now.
  kept.traffic.follow(() => (replay ?? world).sequencer.readNow());
  const { transport, connectionLimits } = addressOf(options);
  const operator = typeof adminKey === 'string' ? new AdminKeys(adminKey) : adminKey;
  const settings = { auth, operator, spectatorKey, registration, development, transport, turns, tournament };
  const { desk = deskOf(new MemoryOperatorRecords()) } = options;
  const admission = { registrationsPerMinute, rateLimits, trustedProxies, onUntrustedProxy, blocks: desk.blocks };
  const rendering = { metricsMaxAgeMs, mapFrameMs, keepsMetricHistory: keepsMetricHistory && operator !== null };
  const game = { world, ...settings, ...rendering, admission, connectionLimits, onBug, log, scrubs, desk };
  const serve = (): ServedGame => new ServedGame(game, kept);
  const first = serve();
  const front = replay === null ? first : new ReplacedGames(replay, first, serve, kept.traffic);
  const { endpoints, gatekeeper, sockets } = front;
  return {
    ...kept,
    ...hostsOf(options, (world.replica ?? null) !== null),
    endpoints,
    gatekeeper,
    sockets,
    trace: first.trace,
  };
}

/**
 * What depends on whether players have keys. Without keys a page could play any player of a world that its reader can
 * reach, for example on the reader's own machine, so pages of other origins are kept out.
 */
const DEFAULTS = {
  none: { registrationsPerMinute: 0, rateLimits: null, corsOrigins: [] },
  key: {
    registrationsPerMinute: REGISTRATIONS_PER_MINUTE,
    rateLimits: { perSecond: RATE_PER_SECOND, burst: RATE_BURST },
    corsOrigins: [ANY_ORIGIN],
  },
} as const;

const NO_LOG: MetricSources['log'] = Object.freeze({ droppedLines: 0 });

function writeBug(error: unknown, requestId: string): void {
  console.error(`request ${requestId} was answered with internal_error:`, error);
}

type OpenTransport = (limits: ConnectionLimits, counts: CountedConnections) => Promise<Transport>;

/** The transports. Only the one that is asked for is loaded. */
const TRANSPORTS: Readonly<Record<TransportKind, OpenTransport>> = {
  native: async (limits, counts) => {
    const { NativeTransport } = await import('./server/native/native-transport.js');
    return new NativeTransport(nativeLibrary(), limits, counts);
  },
  javascript: async (limits, counts) => {
    const { NodeTransport } = await import('./server/node/node-transport.js');
    return new NodeTransport(limits, counts);
  },
};
