// Everything that is made of one world to serve it: the game, its operations, its WebSockets and its pages. A replay makes it anew for
// each world that it shows; the listener stays.
import { NO_SNAPSHOTS } from '../persistence/upkeep/snapshot-keeper.js';
import type { AdmissionSettings } from './admission/admission.js';
import { LimitsPage } from './admission/limits-page.js';
import type { WorkQueue } from './admission/work-queue.js';
import { BatchRunner } from './batch/batch.js';
import { Game, type GameServices, type GameSettings, type ServedWorld } from './game/game.js';
import { MAP_FRAME_MS, METRICS_MAX_AGE_MS } from './limits.js';
import type { MetricSources } from './metrics/metric-table.js';
import { MetricsPage } from './metrics/metrics-page.js';
import { OperationIndex } from './pipeline/operation-index.js';
import { Operation } from './pipeline/pipeline.js';
import { RouteCounts } from './pipeline/request-counts.js';
import { isBatchable, type Route } from './pipeline/route.js';
import { ROUTES } from './routes/table.js';
import type { HttpServer } from './server.js';
import { Sockets } from './sockets/sockets.js';
import type { BugReport, Gatekeeper } from './transport/receiver.js';
import type { Traffic } from './transport/traffic.js';
import type { ConnectionLimits } from './transport/transport.js';
import type { TurnClocks } from './turns/turns.js';

export interface ServedGameOptions extends Omit<GameSettings, 'clock' | 'durability' | 'mapFrameMs' | 'turnClocks'> {
  readonly world: ServedWorld & Pick<GameSettings, 'durability'> & { readonly clockKind: 'real' | 'manual' };
  /** Null unless games of turns move the clock, which is a manual one then. */
  readonly turns: TurnClocks | null;
  readonly admission: AdmissionSettings;
  readonly connections: ConnectionLimits;
  readonly metricsMaxAgeMs?: number;
  readonly mapFrameMs?: number;
  readonly onBug: BugReport;
  readonly log: MetricSources['log'];
}

/** What stays if the world is replaced. */
export interface ListenerParts {
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  /** The server, once it is open. */
  readonly server: () => HttpServer;
}

export class ServedGame {
  readonly endpoints: readonly Operation[];
  readonly gatekeeper: Gatekeeper;
  readonly sockets: Sockets;

  constructor(options: ServedGameOptions, { traffic, work, server }: ListenerParts) {
    const { world, admission, connections, onBug } = options;
    let metrics: MetricsPage | null = null;
    const services: GameServices = {
      batches: {
        hasCommands: (operations) => batches.hasCommands(operations),
        begin: (...batch) => batches.begin(...batch),
      },
      metrics: {
        text: () => {
          metrics ??= new MetricsPage(this.#metricSources(options, game, work, server()), maxAgeMs);
          return metrics.text();
        },
      },
      limits: { of: (exchange) => limits.of(exchange) },
      onBug,
    };
    const { metricsMaxAgeMs: maxAgeMs = METRICS_MAX_AGE_MS, mapFrameMs = MAP_FRAME_MS } = options;
    const { durability } = world;
    const clock =
      options.turns === null ? { clock: world.clockKind } : { clock: 'turns' as const, turnClocks: options.turns };
    const settings = { ...options, mapFrameMs, ...clock, durability };
    const game = new Game({ world, settings, traffic, work, services });
    const routes = routesOf(options);
    const counts = new Map(routes.map(({ path }) => [path, new RouteCounts(path)]));
    this.endpoints = routes.map((route) => new Operation(route, game, counts.get(route.path)));
    const batchable = new OperationIndex(this.endpoints.filter(({ route }) => isBatchable(route)));
    const batches = new BatchRunner(batchable);
    this.sockets = new Sockets({ game, operations: batchable, traffic, work, connections });
    const limits = new LimitsPage(game.admission, admission, connections, routes);
    this.gatekeeper = game.admission;
  }

  #metricSources({ world, log }: ServedGameOptions, game: Game, work: WorkQueue, server: HttpServer): MetricSources {
    const { endpoints, sockets } = this;
    return {
      routes: server.routes,
      calls: [...endpoints.map(({ callCounts }) => callCounts), sockets.unroutedCalls],
      traffic: sockets.traffic,
      sequencer: world.sequencer,
      timers: world.engine.world.timers,
      snapshots: world.snapshots ?? { report: NO_SNAPSHOTS },
      wallMs: Date.now,
      work,
      server,
      readers: game.readers,
      gate: game.gate,
      log,
    };
  }
}

/** The paths that exist. In a replay none below /api is public: with a key, all of them need it. */
function routesOf({ adminKey, development, world: { replay = null } }: ServedGameOptions): readonly Route[] {
  const routes = ROUTES.filter(
    ({ access }) => (access !== 'admin' || adminKey !== null) && (access !== 'development' || development === 'on'),
  );
  if (replay === null) return routes;
  return routes.map((route) =>
    route.access === 'public' && route.path.startsWith('/api/') ? { ...route, access: 'spectator' } : route,
  );
}
