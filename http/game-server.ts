// A world that is served: ties an open world to the routes and the HTTP server, and takes it off the net again. It
// neither opens nor closes the world.
import type { OpenWorld } from '../persistence/open-world.js';
import { NO_SNAPSHOTS } from '../persistence/snapshot-report.js';
import { BatchRunner } from './batch.js';
import { Game, type Keeping } from './game.js';
import { DRAIN_DEADLINE_MS } from './limits.js';
import type { MetricSources } from './metrics/metric-table.js';
import { MetricsPage } from './metrics/metrics-page.js';
import { openApiDocument } from './openapi.js';
import { Operation } from './pipeline.js';
import { isBatchable } from './route.js';
import { ROUTES } from './routes/table.js';
import { type BugReport, HttpServer, isNative } from './server.js';
import { Traffic } from './traffic.js';

export { JAVASCRIPT_SERVER_HINT } from './hints.js';
export { type BugReport, CannotListen, isNative } from './server.js';

export interface GameServerOptions {
  readonly world: Pick<OpenWorld, 'engine' | 'sequencer' | 'clockKind' | 'durability'> & Keeping;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly auth?: 'none' | 'key';
  /** Opens the administrative paths. */
  readonly adminKey?: string | null;
  /** Told of exceptions out of handlers; standard error unless told. */
  readonly onBug?: BugReport;
  /** What /metrics tells of the log of the process; nothing was dropped unless told. */
  readonly log?: MetricSources['log'];
}

export class GameServer {
  readonly #server: HttpServer;

  private constructor(
    server: HttpServer,
    readonly host: string,
    readonly port: number,
  ) {
    this.#server = server;
  }

  /**
   * Serves a world.
   *
   * @throws CannotListen
   */
  static async start(options: GameServerOptions): Promise<GameServer> {
    const { world, host, auth = 'none', adminKey = null, onBug = writeBug, log = NO_LOG } = options;
    const { engine, sequencer, clockKind, durability } = world;
    const traffic = new Traffic(() => sequencer.readNow());
    const settings = { clock: clockKind, durability, auth, adminKey, isNative };
    const game = new Game(engine, sequencer, settings, JSON.stringify(openApiDocument()), traffic, world);
    const routes = ROUTES.filter(({ access }) => access !== 'admin' || adminKey !== null);
    const operations = routes.map((route) => new Operation(route, game));
    game.batches = new BatchRunner(operations.filter(({ route }) => isBatchable(route)));
    const server = new HttpServer(operations, traffic, onBug);
    const routesCounted = [...operations.map(({ counts }) => counts), server.unrouted];
    const { timers } = engine.world;
    const snapshots = world.snapshots ?? { report: NO_SNAPSHOTS };
    const sources = { routes: routesCounted, traffic, sequencer, timers, snapshots, log, wallMs: Date.now };
    game.metrics = new MetricsPage(sources);
    game.onBug = onBug;
    return new GameServer(server, host, await server.listen(host, options.port));
  }

  /** Where it can be reached, with the port that was taken. */
  get url(): string {
    return `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`;
  }

  /**
   * Takes no further connections, refuses commands, and waits until every reply that is owed is sent. The world must
   * stay open until then.
   *
   * @returns false where the deadline came first
   */
  stop(deadlineMs: number = DRAIN_DEADLINE_MS): Promise<boolean> {
    return this.#server.close(deadlineMs);
  }
}

const NO_LOG: MetricSources['log'] = Object.freeze({ droppedLines: 0 });

function writeBug(error: unknown, requestId: string): void {
  console.error(`request ${requestId} was answered with internal_error:`, error);
}
