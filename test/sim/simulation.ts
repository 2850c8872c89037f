// A simulated machine: a process that lives and dies on it, its disk, its clients and everything that happens to them,
// step by step. What a step does is drawn from its number; the checks are in inspection.ts, clients.ts and books.ts.
import { draw } from '../../engine/random.js';
import type { Rules } from '../../engine/rules/rules.js';
import { TIMER_KINDS } from '../../engine/timer-queue.js';
import { Fenced, LogConflict, LogStalled, LogUnreadable, LogWriteFailed } from '../../persistence/log/log.js';
import { RecoveryRefused } from '../../persistence/recovery/replay.js';
import type { SnapshotEvent } from '../../persistence/upkeep/snapshot-keeper.js';
import type { Durability } from '../../persistence/writer/group-commit.js';
import { planFaults } from '../support/plan-oracle.js';
import { PLANNED_RULES } from '../support/planned-rules.js';
import { Draws } from '../support/process/draws.js';
import { TEST_RULES } from '../support/test-rules.js';
import { checkBooks } from './books.js';
import { Clients } from './clients.js';
import { History } from './history.js';
import { Inspection } from './inspection.js';
import { Life, type Serving } from './life.js';
import type { Parts } from './parts.js';
import { Readers } from './readers.js';
import { SimulatedDisk } from './simulated-disk.js';
import { Stage } from './stage.js';
import { StepTable } from './step-table.js';
import { STEPS, turn } from './steps.js';
import { require, Violation } from './violation.js';
import { quiet } from './virtual-scheduler.js';

/** Separates the draws of steps from all others. */
const STEP_SALT = 2_001;
const SPEEDS = [1, 60, 5_000, 100_000];
/** Steps after which the plans are compared with what the commands say. */
const STEPS_BETWEEN_LOOKS = 8;
/** Turns of the event loop after which it counts as an endless loop. */
const TURNS_MAX = 100_000;
/** Maximum time until everything comes to rest once there are no more faults. */
const PEACE_MS = 60_000;

export interface WorldSettings {
  readonly seed: number;
  readonly speed: number;
  readonly systemsPerGalaxy: number;
}

export class Simulation {
  readonly stage: Stage;
  readonly disk = new SimulatedDisk();
  readonly history = new History();
  readonly clients: Clients;
  readonly freeSpace = { isLow: false };
  readonly clockKind: 'real' | 'manual';
  readonly durability: Durability;
  /** Whether somebody receives more events than are kept. */
  readonly isLoud: boolean;
  readonly readers: Readers;
  readonly #seed: number;
  readonly #parts: Parts;
  readonly #settings: WorldSettings;
  readonly #rules: Rules;
  readonly #steps: StepTable<Simulation>;
  readonly #inspection: Inspection;
  #life: Life | undefined;
  /** How often the disk had been damaged when the snapshot in progress was begun; -1 if it was damaged then. */
  #damageBefore = 0;
  #readErrorsBefore = 0;

  constructor(seed: number, parts: Parts, isStoryKept: boolean) {
    this.#seed = seed;
    this.#parts = parts;
    this.stage = new Stage(isStoryKept);
    const draws = this.#drawsOf(-1);
    this.stage.draws = draws;
    this.#settings = { seed: draws.below(1_000), speed: draws.pick(SPEEDS), systemsPerGalaxy: draws.between(1, 3) };
    this.clockKind = draws.oneIn(5) ? 'manual' : 'real';
    this.durability = draws.oneIn(6) ? 'relaxed' : 'durable';
    this.isLoud = draws.oneIn(16);
    this.clients = new Clients(this);
    this.readers = new Readers(this);
    this.#inspection = new Inspection(this, parts);
    this.#steps = new StepTable(STEPS, draws);
    this.#rules = draws.oneIn(2) ? PLANNED_RULES : TEST_RULES;
    this.stage.tell(`seed ${seed}: speed ${this.#settings.speed}, ${this.clockKind} clock, ${this.durability}`);
  }

  /** The process; undefined if there is none. */
  get life(): Life | undefined {
    return this.#life;
  }

  get serving(): Serving | undefined {
    return this.#life?.serving;
  }

  async step(index: number): Promise<void> {
    this.stage.draws = this.#drawsOf(index);
    this.stage.count('steps');
    if (this.#life === undefined) this.#begin();
    else {
      const isDone = await this.#steps.run(this, this.stage.draws, index);
      if (!isDone) await turn(this);
    }
    await this.#settle();
    if (index % STEPS_BETWEEN_LOOKS === 0) this.#checkPlans();
  }

  /**
   * No further faults: the whole world must be recovered, every client must get its answer, and the books must balance.
   */
  async conclude(): Promise<void> {
    this.stage.draws = this.#drawsOf(-2);
    this.stage.tell('no more faults');
    this.disk.armed.log = undefined;
    this.disk.armed.snapshots = undefined;
    this.disk.mend();
    this.disk.isReadFailing = false;
    this.disk.isCutRefused = false;
    this.freeSpace.isLow = false;
    if (this.#life !== undefined) this.crash();
    await this.#serve();
    await this.clients.getAnswers();
    this.#life?.stop();
    for (let waitedMs = 0; this.#life !== undefined && waitedMs < PEACE_MS; waitedMs += 1_000) {
      await this.passTime(1_000);
    }
    require(this.#life === undefined, () => 'the process did not stop');
    this.#inspection.checkStopped();
    const serving = await this.#serve();
    const { engine } = serving;
    this.stage.count('entries', this.history.lastSeq);
    this.readers.finish(serving);
    const { firings } = this.history;
    this.stage.count('timers fired', firings.length);
    this.stage.count('timers of plans fired', firings.filter(({ kind }) => kind === TIMER_KINDS.plan_lane).length);
    this.#inspection.checkSnapshots();
    await this.#inspection.checkRestores();
    // In relaxed mode a crash may undo what a reply said.
    if (this.durability === 'durable') this.clients.check(engine);
    const { stepsStarted } = checkBooks(this.history, engine);
    this.stage.count('steps started by plans', stepsStarted);
  }

  /** Ends everything without further checks. */
  stop(): void {
    this.#life?.end();
  }

  /** Lets time pass; everything that falls due meanwhile runs in order. */
  async passTime(forMs: number): Promise<void> {
    const untilMs = this.stage.time.elapsedMs() + forMs;
    for (let turn = 0; this.#life !== undefined && this.#life.scheduler.nextDueMs <= untilMs; turn += 1) {
      require(turn < TURNS_MAX, () => 'the event loop never comes to rest');
      this.stage.time.moveTo(this.#life.scheduler.nextDueMs);
      await this.turn();
    }
    this.stage.time.moveTo(untilMs);
    await this.#settle();
  }

  /** One turn of the process's event loop, if anything waits for one. */
  async turn(): Promise<void> {
    try {
      this.#life?.scheduler.run(this.stage.draws);
    } catch (error) {
      if (error instanceof Violation) throw error;
      // As for an uncaught exception.
      this.#life?.die(error);
    }
    await this.#settle();
  }

  /** The process does not run while time passes: SIGSTOP, or a suspended machine. */
  async freeze(forMs: number): Promise<void> {
    this.#life?.log.excuse(forMs);
    this.stage.time.moveTo(this.stage.time.elapsedMs() + forMs);
    // Late alarms and the results of devices come in the same turn of the loop.
    await this.passTime(0);
  }

  /** The process ends at once, and the machine with it. */
  crash(): void {
    const { stage } = this;
    stage.count('crashes');
    if (this.#life !== undefined) {
      const { serving, log } = this.#life;
      if (serving === undefined) stage.count('crashes in a start');
      if (serving?.keeper.report.isInProgress) stage.count('crashes in a snapshot');
      if (log.isPruning) stage.count('crashes in a prune');
      if (log.isWriting) stage.count('crashes in a write');
      this.#life.end();
    }
    this.#buryLife('crash');
  }

  /** Requests a snapshot, as the schedule or an operator does. @returns whether a process could be asked */
  takeSnapshot(): boolean {
    const life = this.#life;
    const keeper = life?.serving?.keeper;
    if (life === undefined || keeper === undefined || life.isStopping) return false;
    this.stage.count('snapshots asked for');
    if (!keeper.report.isInProgress) {
      this.#damageBefore = this.disk.isDamaged ? -1 : this.disk.damageCount;
      this.#readErrorsBefore = this.stage.counts['fault: read error'] ?? 0;
    }
    keeper.take().catch((error: unknown) => {
      if (error instanceof Violation) life.die(error);
    });
    return true;
  }

  #begin(): void {
    const { stage, disk, history, freeSpace, clockKind, durability } = this;
    stage.tell('the process starts');
    stage.count('starts');
    this.#life = new Life({
      stage,
      disk,
      history,
      parts: this.#parts,
      settings: { ...this.#settings, rules: this.#rules },
      clockKind,
      durability,
      freeSpace,
      onRecovered: (engine, recovery) => {
        this.#inspection.checkRecovered(engine, recovery);
        this.readers.checkRecovered();
      },
      onSnapshotEvent: (event) => this.#hearOfSnapshot(event),
    });
  }

  /** Lets promises settle, and checks whether the process still runs and still should. */
  async #settle(): Promise<void> {
    await quiet();
    const life = this.#life;
    if (life === undefined) return;
    if (life.isOver) {
      this.#checkEnd(life);
      this.#buryLife('end');
    } else {
      require(!life.scheduler.isIdle || !life.log.mustBeOver(this.stage.time.elapsedMs()), () => {
        return 'the process still runs after a write that failed or hangs';
      });
      if (life.scheduler.isIdle && life.serving !== undefined) this.readers.checkIdle(life.serving);
    }
  }

  #buryLife(how: 'crash' | 'end'): void {
    const fate = this.disk.crash(this.stage.draws);
    this.stage.tell(`${how}; of the log: ${fate}`);
    this.stage.count(`at an end: ${fate}`);
    this.#life = undefined;
    this.clients.loseConnections();
    this.readers.loseConnections();
  }

  /** @throws the error with which the process ended itself, unless there was a reason for that */
  #checkEnd({ reason, log }: Life): void {
    const { stage, disk } = this;
    if (reason === undefined) {
      stage.tell('orderly stop');
      stage.count('stops');
      return;
    }
    stage.tell(`the process ends itself: ${String(reason)}`);
    if ((reason instanceof LogWriteFailed || reason instanceof LogStalled) && log.isFaulty) {
      stage.count('ended itself after a failed write');
      return;
    }
    if (reason instanceof Fenced && log.isFenced) {
      stage.count('ended itself because it was fenced');
      return;
    }
    // Its own record was damaged before it could read it.
    if (reason instanceof LogConflict && disk.isDamaged) return;
    if (reason instanceof LogUnreadable) {
      stage.count('refused what could not be read');
      return;
    }
    const { refusalSeq } = disk;
    if (!(reason instanceof RecoveryRefused) || refusalSeq === undefined) throw reason;
    require(reason.seq === refusalSeq, () => {
      return `recovery was refused at seq ${reason.seq}, while the damage is at ${refusalSeq}`;
    });
    stage.count('damage refused');
    stage.tell('the operator restores damaged data');
    disk.mend();
  }

  /** No lane of a plan waits although its first step could start. */
  #checkPlans(): void {
    const { serving } = this;
    if (serving === undefined || serving.engine.seq === 0) return;
    const faults = planFaults(serving.engine);
    require(faults.length === 0, () => faults.join('; '));
    this.stage.count('plans looked at', serving.engine.world.plans.size);
  }

  #hearOfSnapshot(event: SnapshotEvent): void {
    const { stage } = this;
    if (event.type === 'snapshot_taken') {
      stage.count('snapshots taken');
      stage.tell(`a snapshot of seq ${event.taken.manifest.seq}, from the one of ${event.taken.basisSeq}`);
    } else if (event.type === 'snapshot_failed') {
      stage.count('snapshots failed');
      stage.tell(`no snapshot: ${event.message}`);
      const life = this.#life;
      const isUnread = (stage.counts['fault: read error'] ?? 0) > this.#readErrorsBefore;
      const isDamaged = isUnread || this.#damageBefore !== this.disk.damageCount;
      const isHindered =
        this.freeSpace.isLow || life?.isStopping || life?.log.isFaulty || life?.log.hasRefused || life?.log.isFenced;
      const hasReason = isHindered || life?.taker.hadReason || isDamaged;
      if (!hasReason) life?.die(new Violation(`a snapshot failed without a reason: ${event.message}`));
    } else stage.count(event.type);
  }

  async #serve(): Promise<Serving> {
    for (let waitedMs = 0; this.serving === undefined && waitedMs < PEACE_MS; waitedMs += 1_000) {
      if (this.#life === undefined) this.#begin();
      await this.passTime(1_000);
    }
    const { serving } = this;
    require(serving !== undefined, () => 'the process does not begin to serve');
    return serving;
  }

  #drawsOf(index: number): Draws {
    return new Draws(draw(this.#seed, index + 2, STEP_SALT));
  }
}
