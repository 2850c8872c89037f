// What every handler works with: the world and its one writer, and how to answer, who may do what, and how things look. It knows
// nothing of paths or sockets.
import type { CommandResult, WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ReplayedWorld } from '../../persistence/history/replayed-world.js';
import type { Replica } from '../../persistence/replication/replica-view.js';
import type { Origin } from '../../persistence/stores/origin.js';
import type { SnapshotKeeper } from '../../persistence/upkeep/snapshot-keeper.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import { Admission, type AdmissionSettings } from '../admission/admission.js';
import { PlayerKeys, SharedKey } from '../admission/identity.js';
import type { LimitsPage } from '../admission/limits-page.js';
import type { WorkQueue } from '../admission/work-queue.js';
import type { BatchRuns } from '../batch/batch-run.js';
import { WorldRules } from '../documents/world-rules.js';
import { EventHub } from '../events/event-hub.js';
import { EventReaders } from '../events/event-readers.js';
import { ReaderCounts } from '../events/reader-counts.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { ReplyStore } from '../idempotency/keyed-execution.js';
import { WorldReplies } from '../idempotency/world-replies.js';
import type { MetricsPage } from '../metrics/metrics-page.js';
import type { ReplayedTournament } from '../replay/replayed-tournament.js';
import { ReplicaGate } from '../replica/replica-gate.js';
import { MadeOfRules } from '../rules/made-of-rules.js';
import { type LeaderboardHistory, NO_HISTORY } from '../spectators/leaderboard-history.js';
import { Spectators } from '../spectators/spectators.js';
import type { BugReport } from '../transport/receiver.js';
import type { Traffic } from '../transport/traffic.js';
import type { TransportKind } from '../transport/transport.js';
import { TurnReaders } from '../turns/turn-readers.js';
import { type TurnClocks, Turns } from '../turns/turns.js';
import { Views } from '../views/views.js';
import { Access } from './access.js';
import { Replies } from './replies.js';

/** How the process was started, as far as replies show it or depend on it. */
export interface GameSettings {
  readonly clock: 'real' | 'manual' | 'turns';
  /** With the clock `turns`: what a test replaces. */
  readonly turnClocks?: TurnClocks;
  readonly durability: 'durable' | 'relaxed';
  readonly auth: 'none' | 'key';
  /** Whether anybody may create a player, or only the operator. */
  readonly registration: 'open' | 'closed';
  /** Whether the paths for development exist. */
  readonly development: 'on' | 'off';
  /** Without it there are no administrative paths. */
  readonly adminKey: string | null;
  /** Null for none. */
  readonly spectatorKey: string | null;
  readonly transport: TransportKind;
  readonly admission: AdmissionSettings;
  /** How often the map is rendered at most. */
  readonly mapFrameMs: number;
  /** The tournament whose game the replay shows; none by default. */
  readonly tournament?: ReplayedTournament | null;
}

/** A world that is open, as handlers need it. */
export interface ServedWorld {
  readonly engine: Pick<Engine, 'world' | 'nextDeadlineMs' | 'stateHash'>;
  readonly sequencer: ServedSequencer;
  /** Null if the world is kept in memory alone. */
  readonly snapshots: Pick<SnapshotKeeper, 'take' | 'report'> | null;
  /** The role of this process; null if no other one can serve the world. */
  readonly replica?: Replica | null;
  /** Null for a world that was neither restored nor forked. */
  readonly origin: Origin | null;
  /** The replay that shows it; none by default. */
  readonly replay?: ReplayedWorld | null;
  /** The course of the leaderboard; by default it is sampled from now on. */
  readonly history?: LeaderboardHistory;
}

/** What handlers ask for beside the world. Each of them needs the routes, which need the game: WorldServer builds all of them. */
export interface GameServices {
  readonly batches: BatchRuns;
  readonly metrics: Pick<MetricsPage, 'text'>;
  readonly limits: Pick<LimitsPage, 'of'>;
  /** Called with what a handler threw, or the promise of one was rejected with. */
  readonly onBug: BugReport;
}

export interface GameParts {
  readonly world: ServedWorld;
  readonly settings: GameSettings;
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  readonly services: GameServices;
}

export class Game {
  readonly engine: ServedWorld['engine'];
  readonly sequencer: ServedSequencer;
  readonly settings: GameSettings;
  readonly services: GameServices;
  readonly world: ReadonlyWorld;
  readonly snapshots: ServedWorld['snapshots'];
  readonly origin: Origin | null;
  /** Null if the world is not the past of one. */
  readonly replay: ReplayedWorld | null;
  /** Null if no tournament is shown. */
  readonly tournament: ReplayedTournament | null;
  readonly admission: Admission;
  /** Null if only this process serves the world. */
  readonly gate: ReplicaGate | null;
  readonly replies: Replies;
  readonly access: Access;
  readonly views: Views;
  readonly events: EventHub;
  readonly eventReaders: EventReaders;
  readonly spectators: Spectators;
  /** Null unless the clock is that of turns. */
  readonly turns: Turns | null;
  readonly turnReaders: TurnReaders;
  /** Replies to requests with an Idempotency-Key. */
  readonly keptReplies: ReplyStore;
  readonly readers = new ReaderCounts();
  readonly startedAtMs = Date.now();
  readonly #traffic: Traffic;
  readonly #rules: MadeOfRules<WorldRules>;

  constructor(parts: GameParts) {
    const { world, settings, traffic, work, services } = parts;
    const { engine, sequencer } = world;
    this.engine = engine;
    this.sequencer = sequencer;
    this.settings = settings;
    this.services = services;
    this.world = engine.world;
    this.snapshots = world.snapshots;
    this.origin = world.origin;
    this.replay = world.replay ?? null;
    this.tournament = settings.tournament ?? null;
    this.#traffic = traffic;
    const { auth, adminKey, spectatorKey } = settings;
    const keys = new PlayerKeys(this.world, () => sequencer.nowMs);
    const operator = adminKey === null ? null : new SharedKey(adminKey);
    this.admission = new Admission({ players: auth === 'key' ? keys : null, operator }, settings.admission);
    this.gate = gateOf(parts, this.admission);
    const { admission, gate } = this;
    this.replies = new Replies({ sequencer, traffic, work, admission, gate, onBug: services.onBug });
    const spectator = spectatorKey === null ? null : new SharedKey(spectatorKey);
    const { replies, replay } = this;
    this.access = new Access({ world: this.world, auth, operator, spectator, keys, admission, replies, replay });
    this.events = new EventHub({ world: this.world, sequencer });
    this.eventReaders = new EventReaders({
      world: this.world,
      sequencer,
      hub: this.events,
      access: this.access,
      replies: this.replies,
      gate: this.gate,
      traffic,
      counts: this.readers,
      ownerOf: (exchange) => admission.ownerOf(exchange),
      onBug: services.onBug,
    });
    this.turnReaders = new TurnReaders({ access: this.access, replies: this.replies, onBug: services.onBug });
    const isStopping = (): boolean => traffic.isDraining;
    this.turns =
      settings.clock === 'turns' ? new Turns({ engine, sequencer, isStopping, ...settings.turnClocks }) : null;
    this.keptReplies = this.turns?.replies ?? new WorldReplies(this.world, sequencer);
    // Readers see durable events only. With relaxed durability a state does not wait for the disk, so it shows the last durable event.
    const isRelaxed = settings.durability === 'relaxed';
    const { eventLog } = this.world;
    this.views = new Views(this.world, this.replies.tagOf, (playerNumber) =>
      isRelaxed ? this.events.span(playerNumber).lastSeq : eventLog.lastSeq(playerNumber),
    );
    // The native server takes bytes as they are, and would turn text into bytes for each reply. The JavaScript server keeps text
    // as it is, and would copy bytes for each client that does not read.
    const keep = (text: string): string | Uint8Array => (settings.transport === 'native' ? Buffer.from(text) : text);
    this.spectators = new Spectators({
      world: this.world,
      sequencer,
      hub: this.events,
      counts: this.readers,
      isRelaxed,
      onBug: services.onBug,
      // A replay that provides none shows the present only: its world is replaced when it is moved.
      history: world.history ?? (this.replay === null ? null : NO_HISTORY),
      isStopping: () => traffic.isDraining,
      tagOf: this.replies.tagOf,
      keep,
      frameMs: settings.mapFrameMs,
    });
    this.#rules = new MadeOfRules(
      this.world,
      (rules) => new WorldRules(rules, this.world.settings, sequencer.lastSeq, keep),
    );
  }

  /** What the world plays by, in the words of the API. */
  get rules(): WorldRules {
    return this.#rules.present;
  }

  /** World time of the request that is being handled, in milliseconds. */
  get nowMs(): number {
    return this.sequencer.nowMs;
  }

  /** World time of the next timer; null if none is pending. */
  get nextTimerMs(): number | null {
    const deadlineMs = this.engine.nextDeadlineMs();
    return Number.isFinite(deadlineMs) ? deadlineMs : null;
  }

  /** Whether what the entry `seq` changed may show: it is durable, or nobody waits for that. */
  mayShow(seq: number): boolean {
    return this.settings.durability === 'relaxed' || seq <= this.sequencer.durableSeq;
  }

  /** False if no command can be taken now; the exchange is answered then. */
  admits(exchange: Exchange): boolean {
    const admission = this.#traffic.isDraining ? 'shutting_down' : this.sequencer.admission();
    if (admission === 'open') return true;
    if (admission !== 'not_leader' && admission !== 'handing_over') sendProblem(exchange, admission);
    else if (this.gate === null) sendProblem(exchange, 'no_leader');
    else this.gate.refuseCommand(exchange);
    return false;
  }

  /** Whether a standby is ready to answer reads; the exchange is answered if not. */
  admitsReads(exchange: Exchange): boolean {
    if (this.gate !== null && !this.#traffic.isDraining) return this.gate.isReadyToRead(exchange);
    return this.admits(exchange);
  }

  /** Submits a command. @returns null if it was refused; the exchange is answered then */
  submit<C extends WorldCommand>(exchange: Exchange, command: C): CommandResult<C> | null {
    if (!this.admits(exchange)) return null;
    const outcome = this.sequencer.submit(command);
    if (!isRefusal(outcome)) return outcome;
    this.replies.refuseAs(exchange, outcome);
    return null;
  }
}

function gateOf({ world, settings, traffic, services }: GameParts, admission: Admission): ReplicaGate | null {
  const { replica = null, sequencer } = world;
  if (replica === null) return null;
  const isRelaxed = settings.durability === 'relaxed';
  const onPaused = (): void => traffic.giveUpReaders();
  return new ReplicaGate({ replica, sequencer, isRelaxed, admission, onPaused, onBug: services.onBug });
}
