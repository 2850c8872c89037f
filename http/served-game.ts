// Everything that is made of one world to serve it: what handlers work with, the operations, the WebSockets and the pages. It decides
// which routes this process has. A replay makes it anew for each world that it shows; the listener stays.
import type { Engine } from '../engine/engine.js';
import type { Replica } from '../persistence/replication/replica-view.js';
import type { Origin } from '../persistence/stores/origin.js';
import { NO_SNAPSHOTS, type SnapshotKeeper } from '../persistence/upkeep/snapshot-keeper.js';
import type { AddressBlocks } from './admission/address-blocks.js';
import { Admission, type AdmissionSettings } from './admission/admission.js';
import { Audit, type AuditParts } from './admission/audit.js';
import { type AdminKeys, PlayerKeys, SharedKey } from './admission/identity.js';
import type { Owner } from './admission/owners.js';
import type { WorkQueue } from './admission/work-queue.js';
import { WorldRules } from './checks/world-rules.js';
import { WorldDocuments } from './documents/world-documents.js';
import { EventHub } from './events/event-hub.js';
import { EventReaders } from './events/event-readers.js';
import { ReaderCounts } from './events/reader-counts.js';
import type { BugReport, Exchange, RequestTrace } from './exchange/exchange.js';
import { Access, ReplayAccess } from './game/access.js';
import { Commands } from './game/commands.js';
import type { GamePorts } from './game/game-ports.js';
import { Rankings } from './game/ranking.js';
import { Replies } from './game/replies.js';
import { type Mode, type ModeParts, modeOf } from './modes.js';
import { LimitsPage } from './pages/limits-page.js';
import { MetricHistory, sharedPeak } from './pages/metric-history.js';
import type { MetricSources } from './pages/metric-table.js';
import { MetricsPage } from './pages/metrics-page.js';
import { bound, Operation, refused, type Steps } from './pipeline/operation.js';
import { type BoundRoute, isBatchable, type Route } from './pipeline/route.js';
import { type Gate, SOLE_PROCESS } from './replica/gate.js';
import { ReplicaGate } from './replica/replica-gate.js';
import { ADMINISTRATION_ROUTES, SNAPSHOT_ROUTES } from './routes/administration.js';
import { BATCH_ROUTES } from './routes/batch.js';
import { BUILDING_ROUTES, RESEARCH_ROUTES, SHIPYARD_ROUTES } from './routes/building.js';
import { DIPLOMACY_ROUTES } from './routes/diplomacy.js';
import { EVENT_ROUTES } from './routes/events.js';
import { FLEET_ROUTES } from './routes/fleet.js';
import { KEY_ROUTES } from './routes/keys.js';
import { MARKET_ROUTES } from './routes/market.js';
import { MODERATION_ROUTES } from './routes/moderation.js';
import { OPERATOR_RECORD_ROUTES } from './routes/operator-records.js';
import { PACT_ROUTES } from './routes/pacts.js';
import { PLAN_ROUTES, PLANNING_ROUTES } from './routes/planning.js';
import { PLAYER_LIST_ROUTES } from './routes/player-list.js';
import { PLAYER_AND_PLANET_ROUTES } from './routes/players-and-planets.js';
import { RANKING_ROUTES } from './routes/rankings.js';
import { RETIREMENT_ROUTES } from './routes/retirement.js';
import { DOCUMENT_ROUTES, METRICS_ROUTES, SERVICE_ROUTES } from './routes/service.js';
import { SPECTATOR_ROUTES } from './routes/spectators.js';
import { ROUTES } from './routes/table.js';
import { WATCHING_ROUTES } from './routes/watching.js';
import { LIMIT_ROUTES, type ProcessStatus, WORLD_ROUTES } from './routes/world.js';
import type { Gatekeeper } from './server/receiver.js';
import type { ServerCounts } from './server/request-counts.js';
import { RouteIndex } from './server/route-index.js';
import type { Traffic } from './server/traffic.js';
import type { ConnectionLimits, TransportKind } from './server/transport.js';
import { Sockets } from './sockets/sockets.js';
import { type LeaderboardHistory, NO_HISTORY } from './spectators/leaderboard-history.js';
import { Spectators } from './spectators/spectators.js';
import { TurnTrace } from './turns/turn-trace.js';
import { Views } from './views/views.js';

export interface ServedGameOptions extends ModeParts {
  readonly world: ModeParts['world'] & {
    readonly engine: Pick<Engine, 'stateHash'>;
    readonly durability: 'durable' | 'relaxed';
    /** Null if the world is kept in memory alone. */
    readonly snapshots: Pick<SnapshotKeeper, 'take' | 'report'> | null;
    /** The role of this process; none by default: no other one can serve the world. */
    readonly replica?: Replica | null;
    /** Null for a world that was neither restored nor forked. */
    readonly origin: Origin | null;
    /** The course of the leaderboard; by default it is sampled from now on. */
    readonly history?: LeaderboardHistory;
  };
  readonly auth: 'none' | 'key';
  /** Whether the paths for development exist. */
  readonly development: 'on' | 'off';
  /** Without them there are no administrative paths. */
  readonly operator: AdminKeys | null;
  /** Null for none. */
  readonly spectatorKey: string | null;
  readonly transport: TransportKind;
  readonly admission: AdmissionSettings;
  readonly connectionLimits: ConnectionLimits;
  /** How old the text of /metrics may be. */
  readonly metricsMaxAgeMs: number;
  /** Whether points of the metrics are taken regularly, for a history. */
  readonly keepsMetricHistory: boolean;
  /** How often the map is rendered at most. */
  readonly mapFrameMs: number;
  readonly onBug: BugReport;
  readonly log: MetricSources['log'];
  readonly scrubs: MetricSources['scrubs'];
  /** What is kept of operators and addresses. */
  readonly desk: OperatorDesk;
}

/** What is kept of operators and addresses beside the world, and who is told. */
export interface OperatorDesk extends AuditParts {
  readonly blocks: AddressBlocks;
}

/** What stays if the world is replaced. */
export interface ListenerParts {
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  readonly counts: ServerCounts;
}

export class ServedGame {
  readonly endpoints: readonly Operation[];
  readonly gatekeeper: Gatekeeper;
  readonly sockets: Sockets;
  /** Null where requests are not traced. */
  readonly trace: RequestTrace | null;

  constructor(options: ServedGameOptions, listener: ListenerParts) {
    const { connectionLimits, onBug, world } = options;
    const { traffic, work, counts } = listener;
    const door = doorOf(options, listener);
    const { admission, gate } = door;
    const watched = watchedBy(options, listener, door);
    const game = portsOf(options, listener, door, watched.hub);
    const { access, replies } = game;
    const mode = modeOf(options, traffic, game);
    const audit =
      options.world.replay === undefined || options.world.replay === null ? auditOf(options, admission) : null;
    const trace = traceOf(options, mode, admission);
    this.trace = trace;
    const steps = stepsOf(options, door, game, { mode, audit, trace });
    const served = (routes: readonly BoundRoute[]): Operation[] =>
      routes
        .filter(({ route }) => exists(route, options))
        .map((route) => new Operation(mode.adapt(route), steps, counts));

    const single = served([
      ...playRoutes(game, mode),
      ...watchRoutes(game, watched),
      ...aboutRoutes(options, listener, { game, door, watched }),
      ...operatorRoutes(options, game, mode),
      ...bound(OPERATOR_RECORD_ROUTES, { ...game, ...options.desk, admission }),
      ...mode.routes,
    ]);
    const batchable = new RouteIndex(single.filter(({ route }) => isBatchable(route)));
    this.endpoints = [...single, ...served(bound(BATCH_ROUTES, { ...game, admission, batchable, gate, trace }))];
    this.gatekeeper = admission;
    const sockets = new Sockets({
      world: game.world,
      sequencer: world.sequencer,
      admission,
      access,
      replies,
      gate,
      hub: watched.hub,
      feed: watched.spectators.feed,
      readers: watched.counts,
      operations: batchable,
      traffic,
      work,
      connectionLimits,
      unroutedCalls: counts.unroutedCalls,
      onBug,
    });
    this.sockets = sockets;
    options.desk.blocks.watch(() => {
      sockets.cutBlocked((client) => admission.isBlocked(client));
      traffic.endStreams((exchange) => admission.isBlocked(exchange));
    });
  }
}

/** Who may ask, and how it is answered. */
interface Door {
  readonly admission: Admission;
  readonly gate: Gate;
  /** Null if no other process can serve the world. */
  readonly replicaGate: ReplicaGate | null;
  readonly access: Access;
  readonly replies: Replies;
}

function doorOf(options: ServedGameOptions, { traffic, work }: ListenerParts): Door {
  const { auth, operator, spectatorKey, onBug, world } = options;
  const { engine, sequencer, replica = null, replay = null } = world;
  const keys = new PlayerKeys(engine.world, () => sequencer.nowMs);
  const spectator = spectatorKey === null ? null : new SharedKey(spectatorKey);
  const admission = new Admission({ players: auth === 'key' ? keys : null, operator }, options.admission);
  const isRelaxed = world.durability === 'relaxed';
  const onPaused = (): void => traffic.giveUpReaders();
  const replicaGate =
    replica === null ? null : new ReplicaGate({ replica, sequencer, isRelaxed, admission, onPaused, onBug });
  const gate = replicaGate ?? SOLE_PROCESS;
  const replies = new Replies({ sequencer, traffic, work, admission, gate, onBug });
  const parts = { world: engine.world, auth, operator, spectator, keys, admission, replies };
  const access = replay === null ? new Access(parts) : new ReplayAccess(parts, replay);
  return { admission, gate, replicaGate, access, replies };
}

interface Made {
  readonly game: GamePorts;
  readonly door: Door;
  readonly watched: Watched;
}

/** What reads the world as it changes. */
interface Watched {
  readonly hub: EventHub;
  readonly counts: ReaderCounts;
  readonly readers: EventReaders;
  readonly spectators: Spectators;
  readonly rankings: Rankings;
}

function watchedBy(options: ServedGameOptions, { traffic }: ListenerParts, door: Door): Watched {
  const { world, mapFrameMs, onBug } = options;
  const { engine, sequencer, durability, replay = null } = world;
  const { access, admission, gate, replies } = door;
  const counts = new ReaderCounts();
  const hub = new EventHub({ world: engine.world, sequencer });
  const readers = new EventReaders({
    ...{ world: engine.world, sequencer, hub, access, admission, replies, gate, traffic, counts, onBug },
  });
  const spectators = new Spectators({
    ...{ world: engine.world, sequencer, hub, counts, onBug },
    isRelaxed: durability === 'relaxed',
    // A replay that provides none shows the present only: its world is replaced when it is moved.
    history: world.history ?? (replay === null ? null : NO_HISTORY),
    isStopping: () => traffic.isDraining,
    tagOf: replies.tagOf,
    keep: keeperFor(options.transport),
    frameMs: mapFrameMs,
  });
  const rankings = new Rankings(engine.world, () => sequencer.nowMs);
  return { hub, counts, readers, spectators, rankings };
}

/** What every handler works with. */
function portsOf(options: ServedGameOptions, { traffic }: ListenerParts, door: Door, hub: EventHub): GamePorts {
  const { engine, sequencer, durability } = options.world;
  const { world } = engine;
  const { access, gate, replies } = door;
  // Readers see durable events only. With relaxed durability a state does not wait for the disk, so it shows the last durable event.
  const lastEventSeq =
    durability === 'relaxed'
      ? (playerNumber: number) => hub.span(playerNumber).lastSeq
      : (playerNumber: number) => world.eventLog.lastSeq(playerNumber);
  return {
    world,
    time: sequencer,
    rules: new WorldRules(world),
    access,
    commands: new Commands({ world, sequencer, gate, replies, traffic }),
    replies,
    views: new Views(world, replies.tagOf, lastEventSeq),
  };
}

function auditOf({ desk, world }: ServedGameOptions, admission: Admission): Audit {
  return new Audit(desk, {
    addressOf: (exchange) => admission.clientAddress(exchange),
    lastSeq: () => world.sequencer.lastSeq,
  });
}

function traceOf({ turns, world }: ServedGameOptions, mode: Mode, admission: Admission): RequestTrace | null {
  const lines = turns?.traces;
  if (mode.turns === null || lines === undefined) return null;
  const { engine, sequencer } = world;
  const nowMs = (): number => sequencer.nowMs;
  const ownerOf = (exchange: Exchange): Owner => admission.ownerOf(exchange);
  return new TurnTrace({ world: engine.world, turns: mode.turns, lines, nowMs, ownerOf });
}

function stepsOf(
  { world }: ServedGameOptions,
  { admission, gate }: Door,
  game: GamePorts,
  { mode, audit, trace }: { readonly mode: Mode; readonly audit: Audit | null; readonly trace: RequestTrace | null },
): Steps {
  const { access, replies } = game;
  const { sequencer, durability } = world;
  const mayShow = (seq: number): boolean => durability === 'relaxed' || seq <= sequencer.durableSeq;
  const { keptReplies } = mode;
  return { world: game.world, admission, gate, audit, trace, replies, access, sequencer, keptReplies, mayShow };
}

/** What players do in the world. */
function playRoutes(game: GamePorts, { restrictions }: Mode): readonly BoundRoute[] {
  const play = [
    ...[...FLEET_ROUTES, ...MARKET_ROUTES, ...BUILDING_ROUTES, ...SHIPYARD_ROUTES, ...RESEARCH_ROUTES],
    ...[
      ...PLANNING_ROUTES,
      ...PLAN_ROUTES,
      ...DIPLOMACY_ROUTES,
      ...PACT_ROUTES,
      ...RETIREMENT_ROUTES,
      ...MODERATION_ROUTES,
    ],
  ];
  const restricted = { ...game, restrictions };
  return [...bound(PLAYER_AND_PLANET_ROUTES, restricted), ...bound(play, game), ...bound(KEY_ROUTES, restricted)];
}

/** What everybody reads of the world as it changes. */
function watchRoutes(game: GamePorts, { rankings, readers, spectators }: Watched): readonly BoundRoute[] {
  return [
    ...bound(EVENT_ROUTES, { ...game, readers }),
    ...bound(SPECTATOR_ROUTES, { ...game, spectators }),
    ...bound([...RANKING_ROUTES, ...PLAYER_LIST_ROUTES], { ...game, rankings }),
  ];
}

/** What this process says of itself, and of how it is used. */
function aboutRoutes(
  options: ServedGameOptions,
  { counts, traffic, work }: ListenerParts,
  made: Made,
): readonly BoundRoute[] {
  const { game, door, watched } = made;
  const { world, connectionLimits, log, scrubs } = options;
  const { engine, sequencer } = world;
  const snapshots = world.snapshots ?? { report: NO_SNAPSHOTS };
  const existing = ROUTES.filter((route) => exists(route, options));
  const limits = new LimitsPage(door.admission, options.admission, connectionLimits, existing);
  const sources = { counts, traffic, sequencer, world: engine.world, snapshots, scrubs, wallMs: Date.now, work, log };
  const read = { readers: watched.counts, gate: door.replicaGate };
  const [takePageLagMs, takeHistoryLagMs] = sharedPeak(() => sequencer.takeTimerLagMs());
  const metrics = new MetricsPage({ ...sources, ...read, takeTimerLagMs: takePageLagMs }, options.metricsMaxAgeMs);
  const history = new MetricHistory({ ...sources, ...read, takeTimerLagMs: takeHistoryLagMs });
  if (options.keepsMetricHistory) history.begin();
  const clocks = { monotonicMs: () => performance.now(), wallMs: Date.now };
  const documents = new WorldDocuments(game.world, game.time, keeperFor(options.transport));
  return [
    ...bound([...DOCUMENT_ROUTES, ...SERVICE_ROUTES], { ...game, documents }),
    ...bound(WORLD_ROUTES, { ...game, documents, status: statusOf(options) }),
    ...bound(LIMIT_ROUTES, { ...game, limits }),
    ...bound(METRICS_ROUTES, { ...game, metrics }),
    ...bound(WATCHING_ROUTES, { ...game, traffic: door.admission.traffic, history, clocks }),
  ];
}

function statusOf(options: ServedGameOptions): ProcessStatus {
  const { world, registration, development, transport, admission, turns } = options;
  const { sequencer, durability, clockKind, snapshots, origin, replica = null, replay = null } = world;
  return {
    sequencer,
    snapshots: snapshots ?? { report: NO_SNAPSHOTS },
    replica,
    transport,
    startedAtMs: Date.now(),
    clock: turns === null ? clockKind : 'turns',
    durability,
    registration,
    development,
    rateLimits: admission.rateLimits,
    origin,
    isReplay: replay !== null,
  };
}

/** What the operator does. */
function operatorRoutes({ world }: ServedGameOptions, game: GamePorts, { restrictions }: Mode): readonly BoundRoute[] {
  const { commands, replies } = game;
  const { engine, snapshots } = world;
  return [
    ...bound(ADMINISTRATION_ROUTES, { ...game, engine, restrictions }),
    ...(snapshots === null
      ? refused(SNAPSHOT_ROUTES, game, (exchange) => {
          if (commands.admits(exchange)) replies.refuse(exchange, 'forbidden', { detail: IN_MEMORY });
        })
      : bound(SNAPSHOT_ROUTES, { ...game, snapshots })),
  ];
}

const IN_MEMORY = 'This world is kept in memory only.';

/** Whether a path exists in this process. */
function exists({ access }: Route, { operator, development }: ServedGameOptions): boolean {
  return (access !== 'admin' || operator !== null) && (access !== 'development' || development === 'on');
}

/**
 * Converts a text to the form that the transport sends fastest. The native server takes bytes as they are, and would turn text into
 * bytes for each reply. The JavaScript server keeps text as it is, and would copy bytes for each client that does not read.
 */
function keeperFor(transport: TransportKind): (text: string) => string | Uint8Array {
  return (text) => (transport === 'native' ? Buffer.from(text) : text);
}
