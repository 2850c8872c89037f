// What every handler works with: the world, the one writer, and the rules about replies: none leaves before everything
// it rests on is on disk. It knows nothing of paths or sockets.
import type { CommandResult, WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { isRefusal, type Refusal } from '../../engine/rejections.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/state.js';
import type { PlanetKey } from '../../engine/universe.js';
import type { Origin } from '../../persistence/stores/origin.js';
import type { SnapshotKeeper } from '../../persistence/upkeep/snapshot-keeper.js';
import type { Sequencer } from '../../persistence/writer/sequencer.js';
import { Admission, type AdmissionSettings } from '../admission/admission.js';
import { AdminKey, KeyIndex } from '../admission/identity.js';
import { QUEUE_IS_FULL, type WorkQueue } from '../admission/work-queue.js';
import type { BatchRuns } from '../batch/batch-run.js';
import { WorldRules } from '../documents/world-rules.js';
import { listsTag } from '../exchange/entity-tags.js';
import type { Exchange } from '../exchange/exchange.js';
import { factsOfRefusal, type ProblemCode, type ProblemFacts, prepareProblem, refuse } from '../exchange/problems.js';
import type { MetricsPage } from '../metrics/metrics-page.js';
import { MadeOfRules } from '../rules/made-of-rules.js';
import type { BugReport } from '../transport/receiver.js';
import type { Traffic } from '../transport/traffic.js';
import type { TransportKind } from '../transport/transport.js';
import { PlanetView } from '../views/planet-view.js';
import { StateView } from '../views/state-view.js';
import { SystemView } from '../views/system-view.js';
import { TextWriter } from '../views/text-writer.js';

/** How the process was started, as far as replies tell of it or depend on it. */
export interface GameSettings {
  readonly clock: 'real' | 'manual';
  readonly durability: 'durable' | 'relaxed';
  readonly auth: 'none' | 'key';
  /** Without it there are no administrative paths. */
  readonly adminKey: string | null;
  readonly transport: TransportKind;
  readonly admission: AdmissionSettings;
}

/** What a request names. All of it must exist, and all but the target belong to whom the request acts for. */
export interface Named {
  /** The player that the body says it acts for. */
  readonly actorNumber?: number | undefined;
  /** The player of the path. */
  readonly playerNumber?: number;
  readonly planetKey?: PlanetKey;
  readonly fleetNumber?: number;
  /** Must exist, whoever owns it. */
  readonly targetKey?: PlanetKey;
}

/** A world that is open, as handlers need it. */
export interface ServedWorld {
  readonly engine: Pick<Engine, 'world' | 'nextDeadlineMs' | 'stateHash'>;
  readonly sequencer: Sequencer;
  /** Null where the world is kept in memory alone. */
  readonly snapshots: Pick<SnapshotKeeper, 'take' | 'report'> | null;
  /** Null for a world that was neither restored nor forked. */
  readonly origin: Origin | null;
}

/** What handlers ask for beside the world. Each of them needs the routes, which need the game: GameServer builds all of them. */
export interface GameServices {
  readonly batches: BatchRuns;
  /** What /metrics tells. */
  readonly metrics: Pick<MetricsPage, 'text'>;
  /** Called with what the promise of a handler was rejected with. */
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
  readonly sequencer: Sequencer;
  readonly settings: GameSettings;
  readonly services: GameServices;
  readonly world: ReadonlyWorld;
  readonly snapshots: ServedWorld['snapshots'];
  readonly origin: Origin | null;
  readonly planets: PlanetView;
  readonly states: StateView;
  readonly systems: SystemView;
  readonly keys: KeyIndex;
  readonly admission: Admission;
  readonly adminKey: AdminKey | null;
  readonly startedAtMs = Date.now();
  readonly #traffic: Traffic;
  readonly #work: WorkQueue;
  readonly #rules: MadeOfRules<WorldRules>;

  constructor({ world, settings, traffic, work, services }: GameParts) {
    const { engine, sequencer } = world;
    this.engine = engine;
    this.sequencer = sequencer;
    this.settings = settings;
    this.services = services;
    this.world = engine.world;
    this.snapshots = world.snapshots;
    this.origin = world.origin;
    this.#traffic = traffic;
    this.#work = work;
    const writer = new TextWriter();
    this.planets = new PlanetView(this.world, writer);
    this.states = new StateView(this.world, this.planets, writer, this.tagOf);
    this.systems = new SystemView(this.world, this.planets, writer, this.tagOf);
    this.keys = new KeyIndex(this.world);
    this.admission = new Admission(settings.auth === 'key' ? this.keys : null, settings.admission);
    // The native server takes bytes as they are, and would turn text into bytes for each reply. The JavaScript server keeps text
    // as it is, and would copy bytes for each client that does not read.
    const keep = (text: string): string | Uint8Array => (settings.transport === 'native' ? Buffer.from(text) : text);
    this.#rules = new MadeOfRules(
      this.world,
      (rules) => new WorldRules(rules, this.world.settings, sequencer.lastSeq, keep),
    );
    this.adminKey = settings.adminKey === null ? null : new AdminKey(settings.adminKey);
  }

  /** What the world plays by, in the words of the API. */
  get rules(): WorldRules {
    return this.#rules.present;
  }

  /** World time of the request that is being handled, in milliseconds. */
  get nowMs(): number {
    return this.sequencer.nowMs;
  }

  /** World time of the next timer; null where none is pending. */
  get nextTimerMs(): number | null {
    const deadlineMs = this.engine.nextDeadlineMs();
    return Number.isFinite(deadlineMs) ? deadlineMs : null;
  }

  get isDraining(): boolean {
    return this.#traffic.isDraining;
  }

  /** Handles a request, or a turn of it, at one instant: what is due by then has happened before. */
  atOneInstant<T>(exchange: Exchange, handle: () => T): T {
    return this.sequencer.atOneInstant(() => {
      exchange.worldTime = this.#traffic.worldTimeAt(this.nowMs);
      return handle();
    });
  }

  /**
   * Answers a read.
   *
   * @param seq of the last change to anything in the reply
   * @param reply JSON; nobody may write over its bytes
   */
  answer(exchange: Exchange, seq: number, reply: string | Uint8Array, status = 200): void {
    exchange.status = status;
    exchange.reply = reply;
    exchange.sendWhenDurable(this.sequencer, seq);
  }

  /** Answers a player's state with the bytes that StateView lends. */
  answerState(exchange: Exchange, player: ReadonlyPlayer): void {
    exchange.isReplyLent = true;
    this.answer(exchange, player.changedSeq, this.states.bytes(player, this.nowMs));
  }

  /**
   * Answers in turns with others, for what costs more than a moment. Part of a batch, it is answered now: the batch has its
   * own turns.
   *
   * @param step does a part, of about WORK_SLICE_MS at most. @returns true once the exchange is answered
   */
  answerInTurns(exchange: Exchange, step: () => boolean): void {
    if (exchange.isPart) {
      while (!step());
      return;
    }
    const stepNow = (): boolean => this.atOneInstant(exchange, step);
    if (exchange.takeTurns !== null) exchange.takeTurns(stepNow);
    else this.#queue(exchange, stepNow);
  }

  #queue(exchange: Exchange, step: () => boolean): void {
    const { onBug } = this.services;
    const isQueued = this.#work.add(this.admission.ownerOf(exchange), {
      get isDone() {
        return exchange.isDone;
      },
      step,
      failed(error) {
        onBug(error, exchange.requestId);
        refuse(exchange, 'internal_error');
      },
    });
    if (!isQueued) refuse(exchange, 'overloaded', QUEUE_IS_FULL);
  }

  /** Whether what the entry `seq` changed may show: it is on disk, or nobody waits for the disk. */
  mayTell(seq: number): boolean {
    return this.settings.durability === 'relaxed' || seq <= this.sequencer.durableSeq;
  }

  /** Answers what rests on the whole state, such as the outcome of a command. */
  answerLatest(exchange: Exchange, reply: string | Uint8Array, status = 200): void {
    exchange.worldTime = this.#traffic.worldTimeAt(this.nowMs);
    this.answer(exchange, this.sequencer.lastSeq, reply, status);
  }

  /** Answers with a problem once everything it may rest on is on disk. */
  refuseLatest(exchange: Exchange, code: ProblemCode, facts?: ProblemFacts): void {
    prepareProblem(exchange, code, facts);
    exchange.sendWhenDurable(this.sequencer, this.sequencer.lastSeq);
  }

  refuseAsEngine(exchange: Exchange, refusal: Refusal): void {
    this.refuseLatest(exchange, refusal.code, factsOfRefusal(refusal));
  }

  /** Submits a command. @returns null where it was refused; the exchange is answered then */
  submit<C extends WorldCommand>(exchange: Exchange, command: C): CommandResult<C> | null {
    if (!this.admits(exchange)) return null;
    const outcome = this.sequencer.submit(command);
    if (!isRefusal(outcome)) return outcome;
    this.refuseAsEngine(exchange, outcome);
    return null;
  }

  /** False if the client has created as many players as its address may for now; the exchange is answered then. */
  admitsRegistration(exchange: Exchange): boolean {
    const retryAfterMs = this.admission.takeRegistration(exchange);
    if (retryAfterMs === 0) return true;
    refuse(exchange, 'rate_limited', { retryAfterMs });
    return false;
  }

  /** False where no command can be taken now; the exchange is answered then. */
  admits(exchange: Exchange): boolean {
    const admission = this.isDraining ? 'shutting_down' : this.sequencer.admission();
    if (admission === 'open') return true;
    refuse(exchange, admission);
    return false;
  }

  /**
   * The entity tag of a version of a reply.
   *
   * @param version differs whenever the reply differs by more than the passing of time, hence a weak tag (RFC 9110)
   */
  readonly tagOf = (version: string): string => `W/"${this.#traffic.bootTag}-${version}"`;

  /**
   * Answers a read that needs no body, so that none is rendered: where nobody will look at it, and with 304 where the
   * client has this version already, unless the length of the body has to be told.
   *
   * @param seq of the last change to anything in the reply: that nothing changed since is not told before it is on disk
   * @param tag the reply's entity tag; '' where it carries none
   * @returns false where the caller has to answer
   */
  answersWithoutBody(exchange: Exchange, seq: number, tag = ''): boolean {
    if (!exchange.wantsBody) {
      this.answer(exchange, seq, '');
      return true;
    }
    if (tag === '') return false;
    exchange.entityTag = tag;
    if (exchange.ifNoneMatch === '' || !listsTag(exchange.ifNoneMatch, tag)) return false;
    if (!exchange.mayOmitReply) {
      exchange.isNotModified = true;
      return false;
    }
    exchange.status = 304;
    exchange.sendWhenDurable(this.sequencer, seq);
    return true;
  }

  /** A player by number. @returns null where there is none; the exchange is answered then */
  player(exchange: Exchange, number: number): ReadonlyPlayer | null {
    const player = this.world.players[number];
    if (player !== undefined) return player;
    this.refuseLatest(exchange, 'player_not_found');
    return null;
  }

  /** A player by number that the caller may look into. @returns null where not; the exchange is answered then */
  ownPlayer(exchange: Exchange, number: number): ReadonlyPlayer | null {
    const player = this.player(exchange, number);
    if (player === null || this.isOwn(exchange, player)) return player;
    this.refuseLatest(exchange, 'not_owner');
    return null;
  }

  /**
   * A planet that the caller may look into.
   *
   * @returns undefined where nobody owns it; null where there is none or it is foreign: the exchange is answered then
   */
  ownPlanet(exchange: Exchange, key: PlanetKey): ReadonlyPlanet | undefined | null {
    if (!this.world.universe.holds(key)) {
      this.refuseLatest(exchange, 'planet_not_found');
      return null;
    }
    return this.authorizes(exchange, { planetKey: key }) ? this.planet(key) : null;
  }

  /** True where the caller may see and command what is this player's; always, in the open mode. */
  isOwn(exchange: Exchange, owner: ReadonlyPlayer | undefined): boolean {
    return this.settings.auth === 'none' || (owner !== undefined && owner.number === exchange.callerNumber);
  }

  /**
   * Whether everything that a request names exists and belongs to whom it acts for, before anything of it shows. In the open mode
   * that is the player it says it acts for; if it says none, the engine alone decides.
   *
   * @returns false if not; the exchange is answered then
   */
  authorizes(exchange: Exchange, named: Named): boolean {
    const actorNumber = this.settings.auth === 'none' ? named.actorNumber : exchange.callerNumber;
    if (actorNumber === undefined) return true;
    const fault = this.#missing(named) ?? this.#foreign(named, actorNumber);
    if (fault === null) return true;
    this.refuseLatest(exchange, fault);
    return false;
  }

  #missing({ actorNumber, playerNumber, planetKey, targetKey, fleetNumber }: Named): ProblemCode | null {
    const { players, universe, fleets } = this.world;
    if (actorNumber !== undefined && players[actorNumber] === undefined) return 'player_not_found';
    if (playerNumber !== undefined && players[playerNumber] === undefined) return 'player_not_found';
    if (planetKey !== undefined && !universe.holds(planetKey)) return 'planet_not_found';
    if (targetKey !== undefined && !universe.holds(targetKey)) return 'planet_not_found';
    if (fleetNumber !== undefined && !fleets.has(fleetNumber)) return 'fleet_not_found';
    return null;
  }

  #foreign({ actorNumber, playerNumber, planetKey, fleetNumber }: Named, ownerNumber: number): ProblemCode | null {
    if (actorNumber !== undefined && actorNumber !== ownerNumber) return 'not_owner';
    if (playerNumber !== undefined && playerNumber !== ownerNumber) return 'not_owner';
    if (planetKey !== undefined && this.planet(planetKey)?.ownerNumber !== ownerNumber) return 'not_owner';
    if (fleetNumber !== undefined && this.world.fleets.get(fleetNumber)?.owner.number !== ownerNumber)
      return 'not_owner';
    return null;
  }

  /** A planet with an owner. */
  planet(key: PlanetKey): ReadonlyPlanet | undefined {
    return this.world.planets.get(key);
  }
}
