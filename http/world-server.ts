// A world that is served: ties an open world to the routes and the HTTP server, and stops serving it. It
// neither opens nor closes the world.
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
import type { MetricSources } from './pages/metric-table.js';
import { ReplacedGames } from './replay/replaced-games.js';
import type { ReplayedTournament } from './replay/replayed-tournament.js';
import { ServedGame, type ServedGameOptions } from './served-game.js';
import { ANY_ORIGIN, CrossOrigin } from './server/cors.js';
import { HostNames } from './server/host-names.js';
import { defaultTransport, nativeLibrary } from './server/native/native-library.js';
import { Receiver, type ReceiverParts } from './server/receiver.js';
import { ServerCounts } from './server/request-counts.js';
import { Traffic } from './server/traffic.js';
import type { ConnectionLimits, Transport, TransportKind } from './server/transport.js';
import type { TurnClocks } from './turns/turns.js';

export type { BugReport } from './exchange/exchange.js';
export {
  defaultTransport,
  javascriptServerHint,
  NativeServerMissing,
  nativeLibrary,
} from './server/native/native-library.js';
export { CannotListen, type TransportKind } from './server/transport.js';

export interface WorldServerOptions {
  readonly world: ServedGameOptions['world'];
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly auth?: 'none' | 'key';
  /** Whether anybody may create a player, or only the operator; open by default. */
  readonly registration?: 'open' | 'closed';
  /** Whether the paths for development exist; only without keys by default. */
  readonly development?: 'on' | 'off';
  /** If given, games of turns move the clock, which must be a manual one, of a world with keys and an operator. */
  readonly turns?: TurnClocks;
  /** Opens the administrative paths. */
  readonly adminKey?: string | null;
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
  /** How often the map is rendered at most; MAP_FRAME_MS by default. */
  readonly mapFrameMs?: number;
  /** The tournament whose game the world is, if it is a replay; none by default. */
  readonly tournament?: ReplayedTournament | null;
  /** Told of exceptions out of handlers; standard error by default. */
  readonly onBug?: BugReport;
  /** What /metrics reports of the log of the process; by default, that nothing was dropped. */
  readonly log?: MetricSources['log'];
}

/** What it takes to open a listener, whatever the endpoints are. */
export interface ListenerOptions extends ReceiverParts {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly transport: TransportKind;
  readonly connectionLimits: ConnectionLimits;
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
    const { world, host, auth = 'none', adminKey = null, spectatorKey = null } = options;
    const { onBug = writeBug, log = NO_LOG } = options;
    const { registration = 'open', development = auth === 'none' ? 'on' : 'off' } = options;
    const { transport = defaultTransport(), trustedProxies = [] } = options;
    const { registrationsPerMinute, rateLimits, corsOrigins } = { ...DEFAULTS[auth], ...options };
    const { connectionsMax = CONNECTIONS_MAX, connectionsPerAddressMax = CONNECTIONS_PER_ADDRESS_MAX } = options;
    const { allowedHosts = null, turns = null, tournament = null } = options;
    const { metricsMaxAgeMs = METRICS_MAX_AGE_MS, mapFrameMs = MAP_FRAME_MS } = options;
    const isReplicated = (world.replica ?? null) !== null;
    const { replay = null } = world;
    // The time of a replay is that of the world that is shown now.
    const traffic = new Traffic(() => (replay ?? world).sequencer.readNow());
    const work = new WorkQueue();
    const counts = new ServerCounts();
    const settings = { auth, adminKey, spectatorKey, registration, development, transport, turns, tournament };
    const { onUntrustedProxy = () => {} } = options;
    const admission = { registrationsPerMinute, rateLimits, trustedProxies, onUntrustedProxy };
    const connectionLimits = { connectionsMax, connectionsPerAddressMax };
    const rendering = { metricsMaxAgeMs, mapFrameMs };
    const game = { world, ...settings, ...rendering, admission, connectionLimits, onBug, log };
    const serve = (): ServedGame => new ServedGame(game, { traffic, work, counts });
    const served = serve();
    const front = replay === null ? served : new ReplacedGames(replay, served, serve, traffic);
    return WorldServer.open({
      ...{ host, port: options.port, transport, connectionLimits, counts, traffic, work, onBug },
      endpoints: front.endpoints,
      gatekeeper: front.gatekeeper,
      sockets: front.sockets,
      hostNames: new HostNames(allowedHosts),
      crossOrigin: corsOrigins.length === 0 ? null : new CrossOrigin(corsOrigins, isReplicated),
    });
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
    const transport = await TRANSPORTS[kind](new Receiver(parts), connectionLimits);
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

type OpenTransport = (receiver: Receiver, limits: ConnectionLimits) => Promise<Transport>;

/** The transports. Only the one that is asked for is loaded. */
const TRANSPORTS: Readonly<Record<TransportKind, OpenTransport>> = {
  native: async (receiver, limits) => {
    const { NativeTransport } = await import('./server/native/native-transport.js');
    return new NativeTransport(nativeLibrary(), receiver, limits);
  },
  javascript: async (receiver, limits) => {
    const { NodeTransport } = await import('./server/node/node-transport.js');
    return new NodeTransport(receiver, limits);
  },
};
