// One life of the server's process: from its start with the content of the disk to its end, by itself or by a crash.
import type { Engine } from '../../engine/engine.js';
import type { EventHub } from '../../http/events/event-hub.js';
import type { CommandLog } from '../../persistence/log/log.js';
import { beginWorld, type ChosenSettings } from '../../persistence/recovery/genesis.js';
import type { Recovery } from '../../persistence/recovery/recovery.js';
import type { SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';
import { beginningMs, type Clock } from '../../persistence/time/clock.js';
import { type SnapshotEvent, SnapshotKeeper } from '../../persistence/upkeep/snapshot-keeper.js';
import type { Durability, GroupCommit } from '../../persistence/writer/group-commit.js';
import { Sequencer } from '../../persistence/writer/sequencer.js';
import type { FrontDesk } from './front-desk.js';
import type { History } from './history.js';
import type { Parts } from './parts.js';
import type { SimulatedDisk } from './simulated-disk.js';
import { SimulatedLog } from './simulated-log.js';
import { SimulatedSnapshots } from './simulated-snapshots.js';
import { SimulatedTaker } from './simulated-taker.js';
import type { Stage } from './stage.js';
import { VirtualScheduler } from './virtual-scheduler.js';
import { WitnessedEngine } from './witnessed-engine.js';

export interface LifeOptions {
  readonly stage: Stage;
  readonly disk: SimulatedDisk;
  readonly history: History;
  readonly parts: Parts;
  readonly settings: ChosenSettings;
  readonly clockKind: Clock['kind'];
  readonly durability: Durability;
  readonly freeSpace: { isLow: boolean };
  /** Called once with the recovered world, before anything else happens to it. */
  readonly onRecovered: (engine: Engine, recovery: Recovery) => void;
  readonly onSnapshotEvent: (event: SnapshotEvent) => void;
}

/** A process that serves. */
export interface Serving {
  readonly engine: Engine;
  readonly witness: WitnessedEngine;
  readonly sequencer: Sequencer;
  readonly commit: GroupCommit;
  readonly log: CommandLog;
  readonly desk: FrontDesk;
  readonly hub: EventHub;
  readonly keeper: SnapshotKeeper;
}

export class Life {
  readonly scheduler: VirtualScheduler;
  readonly log: SimulatedLog;
  readonly taker: SimulatedTaker;
  readonly #snapshots: SnapshotStore;
  readonly #options: LifeOptions;
  #serving: Serving | undefined;
  #isOver = false;
  #isStopping = false;
  /** Why it ended itself; undefined if it has not, or had an orderly stop. */
  #reason: unknown;

  constructor(options: LifeOptions) {
    this.#options = options;
    this.scheduler = new VirtualScheduler(options.stage.time);
    const { stage, disk, parts } = options;
    this.log = new SimulatedLog(disk, this.scheduler.device, stage);
    this.taker = new SimulatedTaker(disk, this.scheduler, stage, parts);
    this.#snapshots = parts.snapshots(new SimulatedSnapshots(disk, this.scheduler.device, stage));
    this.#start().then(
      (serving) => {
        if (this.#isOver) return;
        this.#serving = serving;
        options.stage.tell(`serves from seq ${serving.engine.seq}`);
      },
      (error: unknown) => this.die(error),
    );
  }

  /** Undefined while it starts, and once it is over. */
  get serving(): Serving | undefined {
    return this.#isOver ? undefined : this.#serving;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get reason(): unknown {
    return this.#reason;
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
    this.scheduler.end();
  }

  /** Begins an orderly stop; it ends once everything is durable. */
  stop(): void {
    const { serving } = this;
    if (serving === undefined) return;
    this.#isStopping = true;
    serving.keeper
      .stop()
      .then(() => serving.sequencer.stop())
      .then(() => this.end(), this.die);
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Does what `openWorld` does, on this process's own clock and event loop. */
  async #start(): Promise<Serving> {
    const {
      stage,
      clockKind,
      durability,
      history,
      parts,
      settings,
      freeSpace,
      onRecovered,
      onSnapshotEvent: onEvent,
    } = this.#options;
    const { scheduler } = this;
    const log = parts.log(this.log);
    const snapshots = this.#snapshots;
    await snapshots.sweep();
    const { engine, recovery, epoch } = await parts.recover(log, snapshots, {
      onEntries: (entries) => entries.forEach((entry) => void history.compare(entry)),
    });
    onRecovered(engine, recovery);
    const witness = new WitnessedEngine(engine, history);
    const isNew = engine.seq === 0;
    const startMs = beginningMs(clockKind, stage.time);
    const tail = isNew ? await beginWorld(witness, log, epoch, settings, startMs, undefined, scheduler) : recovery.tail;
    const rulesVersion = () => engine.world.settings.rulesVersion;
    const commit = parts.commit({
      log,
      epoch,
      tail,
      rulesVersion,
      durability,
      onFatal: this.die,
      scheduler,
    });
    const clock = parts.clock(clockKind, engine.nowMs, stage.timeSource);
    const sequencer = new Sequencer({ engine: witness, clock, log, commit, freeSpace, scheduler });
    // Before anything falls due, so that the hub learns of all that is released.
    const soon = (slice: () => void): void => scheduler.soon(slice);
    const elapsedMs = (): number => stage.time.elapsedMs();
    const later = (slice: () => void, delayMs: number): void => void scheduler.after(delayMs, slice);
    const hub = parts.hub({ world: engine.world, sequencer, soon, later, elapsedMs });
    await sequencer.start();
    const { taker, die: onFatal } = this;
    const everyMs = Number.POSITIVE_INFINITY;
    const keeper = new SnapshotKeeper(
      { engine, sequencer, log, epoch, snapshots, taker, onEvent, onFatal, everyMs, everyBytes: everyMs },
      { newest: recovery.snapshot, coveredFromSeq: recovery.snapshot?.seq ?? 1 },
    );
    return { engine, witness, sequencer, commit, log, desk: parts.frontDesk({ engine, sequencer }), hub, keeper };
  }
}
