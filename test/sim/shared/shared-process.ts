// One life of a process that serves a shared world: from its start to its end, by itself, by an orderly stop or by SIGKILL.
import type { Engine } from '../../../engine/engine.js';
import type { EventHub } from '../../../http/events/event-hub.js';
import { AMPLE_SPACE } from '../../../persistence/files/disk-space.js';
import { LEASE_SAFE_SHARE } from '../../../persistence/limits.js';
import type { ChosenSettings } from '../../../persistence/recovery/genesis.js';
import type { Replica } from '../../../persistence/replication/replica-view.js';
import { ReplicatedWorld } from '../../../persistence/replication/replicated-world.js';
import type { Lease } from '../../../persistence/stores/leadership.js';
import type { HeldWorld } from '../../../persistence/stores/world-store.js';
import type { Clock } from '../../../persistence/time/clock.js';
import type { ServedSequencer } from '../../../persistence/writer/sequencer.js';
import type { Stage } from '../stage.js';
import { LinkedLeadership, LinkedSnapshots } from './linked-leadership.js';
import { LinkedLog } from './linked-log.js';
import { ProcessLoop } from './process-loop.js';
import type { SharedDesk } from './shared-desk.js';
import type { SharedParts } from './shared-parts.js';
import type { SharedStore } from './shared-store.js';
import { SharedTaker } from './shared-taker.js';
import type { SharedTruth } from './shared-truth.js';
import { StoreLink } from './store-link.js';
import type { StoreServer } from './store-server.js';

export interface ProcessOptions {
  readonly id: string;
  readonly stage: Stage;
  readonly store: SharedStore;
  readonly truth: SharedTruth;
  readonly server: StoreServer;
  readonly parts: SharedParts;
  readonly settings: ChosenSettings;
  readonly clockKind: Clock['kind'];
  readonly leaseMs: number;
}

/** A process that serves, as a leader or as a standby. */
export interface SharedServing {
  readonly engine: Engine;
  readonly sequencer: ServedSequencer;
  readonly replica: Replica;
  readonly desk: SharedDesk;
  readonly hub: EventHub;
}

export class SharedProcess {
  readonly id: string;
  readonly url: string;
  readonly loop: ProcessLoop;
  readonly link: StoreLink;
  readonly #options: ProcessOptions;
  readonly #takerLink: StoreLink;
  #world: ReplicatedWorld | undefined;
  #serving: SharedServing | undefined;
  #isOver = false;
  #isStopping = false;
  #reason: unknown;
  /** The epoch under which it leads, and until when it may answer by its own clock, as it must know by itself. */
  #term = { epoch: 0, untilMs: 0 };

  constructor(options: ProcessOptions) {
    const { id, stage, server } = options;
    this.#options = options;
    this.id = id;
    this.url = `http://${id}`;
    this.loop = new ProcessLoop(stage);
    this.link = new StoreLink(id, server, this.loop, stage);
    this.#takerLink = new StoreLink(`the taker of ${id}`, server, this.loop, stage);
    this.#start().then(() => {
      if (!this.#isOver) stage.tell(`${id} serves from seq ${this.#serving?.engine.seq}`);
    }, this.die);
  }

  /** Undefined while it starts, and once it is over. */
  get serving(): SharedServing | undefined {
    return this.#isOver ? undefined : this.#serving;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Why it ended itself; undefined if it has not, or had an orderly stop. */
  get reason(): unknown {
    return this.#reason;
  }

  /** The epoch under which it has led last. */
  get epoch(): number {
    return this.#term.epoch;
  }

  /** By how many milliseconds of its own clock it is past the time for which it may answer as a leader; negative before. */
  get pastTermMs(): number {
    return this.loop.elapsedNowMs() - this.#term.untilMs;
  }

  /** Whether it leads now, and may answer, as far as it knows. */
  get leads(): boolean {
    const { replica } = this.serving ?? {};
    return !this.loop.isStopped && replica?.role === 'leader' && replica.mayAnswer;
  }

  /** It ends itself, as by SIGKILL: none of its code runs any more. */
  readonly die = (reason: unknown): void => {
    if (this.#isOver) return;
    this.#reason = reason;
    this.end();
  };

  /** It is ended from outside. */
  end(): void {
    this.#isOver = true;
    this.loop.end();
  }

  /** SIGTERM: as the program does, it hands over if there is somebody to hand over to, and ends. */
  stop(): void {
    const world = this.#world;
    if (this.#isStopping || world === undefined) return;
    this.#isStopping = true;
    world
      .handOver()
      .then(() => world.close())
      .then(() => this.end(), this.die);
  }

  /** Takes a snapshot, if it leads. */
  takeSnapshot(): void {
    this.#world?.snapshots?.take().catch(() => {});
  }

  async #start(): Promise<void> {
    const { id, stage, store, parts, settings, clockKind, leaseMs } = this.#options;
    const { loop, link } = this;
    const linked = new LinkedLeadership(store, link, loop, {
      open: () => this.#held(),
      onTerm: (sentAtMs, lease) => this.#noteTerm(sentAtMs, lease),
    });
    const world = await ReplicatedWorld.open({
      id,
      leaseMs,
      leadership: parts.leadership(linked, loop),
      snapshots: new LinkedSnapshots(store, link),
      taker: () => new SharedTaker(store, this.#takerLink, loop),
      origin: null,
      version: 'simulated',
      scheduler: loop,
      source: parts.source(loop),
      settings,
      clockKind,
      onFatal: this.die,
      onRoleEvent: (event) => stage.tell(`${id}: ${JSON.stringify(event)}`),
      commit: parts.commit,
    });
    this.#world = world;
    const { engine, sequencer, replica } = world;
    const desk = parts.desk({ engine, sequencer, replica, loop });
    const soon = (slice: () => void): void => loop.soon(slice);
    const later = (slice: () => void, delayMs: number): void => void loop.after(delayMs, slice);
    const hub = parts.hub({ world: engine.world, sequencer, soon, later, elapsedMs: loop.elapsedNowMs });
    this.#serving = { engine, sequencer, replica, desk, hub };
    await world.enter(this.url);
  }

  #noteTerm(sentAtMs: number, { epoch, leaseMs }: Lease): void {
    this.#term = { epoch, untilMs: sentAtMs + leaseMs * LEASE_SAFE_SHARE };
  }

  #held(): HeldWorld {
    const { store, parts } = this.#options;
    return {
      log: parts.log(new LinkedLog(store, this.link, this.loop)),
      freeSpace: AMPLE_SPACE,
      warnings: [],
      requireRoom: async () => {},
      release: async () => {},
    };
  }
}
