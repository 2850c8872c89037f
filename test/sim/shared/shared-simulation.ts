// Several simulated machines that serve one world from a shared store: their processes, which live, die and are started again,
// the links, the store, the clients, and everything that happens to them, step by step.
import { draw } from '../../../engine/random.js';
import {
  Fenced,
  LogPruned,
  LogStalled,
  LogWriteFailed,
  StoreUnreachable,
  UnknownOutcome,
} from '../../../persistence/log/log.js';
import { recover } from '../../../persistence/recovery/recovery.js';
import { CannotFollow } from '../../../persistence/replication/following.js';
import { decodeManifest } from '../../../persistence/snapshots/snapshot-codec.js';
import { Draws } from '../../support/process/draws.js';
import { testSettings } from '../../support/test-rules.js';
import { checkBooks } from '../books.js';
import { Stage } from '../stage.js';
import { StepTable } from '../step-table.js';
import { require, Violation } from '../violation.js';
import { quiet, VirtualScheduler } from '../virtual-scheduler.js';
import { SharedClients } from './shared-clients.js';
import type { SharedParts } from './shared-parts.js';
import { SharedProcess } from './shared-process.js';
import { SharedReaders } from './shared-readers.js';
import { SHARED_STEPS } from './shared-steps.js';
import { SharedStore } from './shared-store.js';
import { SharedTruth } from './shared-truth.js';
import type { LinkState } from './store-link.js';
import { StoreServer } from './store-server.js';

/** Separates the draws of steps from all others. */
const STEP_SALT = 2_002;
const SPEEDS = [60, 5_000, 100_000];
const LEASES_MS = [500, 2_000, 2_000, 5_000];
/** Turns of the event loops after which it counts as an endless loop. */
const TURNS_MAX = 200_000;
/** One in this many reads of the clock takes a millisecond: the processes read their clocks often. */
const LOOKS_PER_MS = 32;
/** Maximum time after which a supervisor starts a process again. */
const RESTART_MS = 2_000;
const FIRST_START_MS = 100;
/** A turn without work lets time pass up to here. */
const IDLE_MS = 100;
/** Maximum time until a world without faults has a leader that answers. */
const PEACE_MS = 20_000;
/** Maximum time until everybody has an answer and has applied everything then. */
const CALM_MS = 10_000;
/** What a takeover takes besides the lease. */
const TAKEOVER_MS = 900;
/** Maximum time without a leader in a handover. */
const HANDOVER_MS = 450;

/** Maximum time until a leader that renews its lease begins a handover that is wanted. */
const ASKED_MS = 2_500;
/** How long clients go on after a handover that is observed. */
const AFTERMATH_MS = 300;

interface Machine {
  readonly number: number;
  process: SharedProcess | undefined;
  lives: number;
  link: LinkState;
}

export class SharedSimulation {
  readonly stage: Stage;
  readonly truth = new SharedTruth();
  readonly store: SharedStore;
  readonly clients: SharedClients;
  readonly readers: SharedReaders;
  readonly clockKind: 'real' | 'manual';
  readonly #seed: number;
  readonly #parts: SharedParts;
  readonly #server: StoreServer;
  readonly #machines: readonly Machine[];
  readonly #leaseMs: number;
  readonly #settings: { readonly seed: number; readonly speed: number; readonly systemsPerGalaxy: number };
  readonly #steps: StepTable<SharedSimulation>;
  /** Supervisors, and the ends of faults. */
  readonly #outside: VirtualScheduler;
  /** Called while something is waited for. */
  #meanwhile: () => void = () => {};
  /** Of each process, the seq at which it was compared last. */
  readonly #comparedSeq = new Map<SharedProcess, number>();

  constructor(seed: number, parts: SharedParts, isStoryKept: boolean) {
    this.#seed = seed;
    this.#parts = parts;
    this.stage = new Stage(isStoryKept, LOOKS_PER_MS);
    const draws = this.#drawsOf(-1);
    this.stage.draws = draws;
    this.#outside = new VirtualScheduler(this.stage.time);
    this.store = new SharedStore(this.stage, this.truth);
    this.#server = new StoreServer(this.stage);
    this.#settings = { seed: draws.below(1_000), speed: draws.pick(SPEEDS), systemsPerGalaxy: draws.between(1, 3) };
    this.clockKind = draws.oneIn(5) ? 'manual' : 'real';
    this.#leaseMs = draws.pick(LEASES_MS);
    const count = draws.pick([2, 2, 3, 3, 4]);
    this.#machines = Array.from({ length: count }, (_, index) => {
      return { number: index + 1, process: undefined, lives: 0, link: 'up' };
    });
    this.clients = new SharedClients(this);
    this.readers = new SharedReaders(this);
    this.#steps = new StepTable(SHARED_STEPS, draws);
    this.stage.tell(`seed ${seed}: ${count} machines, a lease of ${this.#leaseMs} ms, ${this.clockKind} clock`);
    for (const machine of this.#machines) this.#startLater(machine, FIRST_START_MS);
  }

  /** All processes that live, whether they run or not. */
  get processes(): readonly SharedProcess[] {
    return this.#machines.flatMap(({ process }) => (process === undefined || process.isOver ? [] : [process]));
  }

  /** The process that leads and may answer; undefined if there is none. */
  get leader(): SharedProcess | undefined {
    return this.processes.find(({ leads }) => leads);
  }

  async step(index: number): Promise<void> {
    this.stage.draws = this.#drawsOf(index);
    this.stage.count('steps');
    const isDone = await this.#steps.run(this, this.stage.draws, index);
    if (!isDone) await this.turn();
    await this.#settle();
  }

  /** One turn of the event loop of a process that has something to do, or of the store; if nobody has, time passes. */
  async turn(): Promise<boolean> {
    const { time } = this.stage;
    const nextMs = Math.min(this.#nextDueMs, time.elapsedMs() + IDLE_MS);
    time.moveTo(nextMs);
    await this.#runOne();
    return true;
  }

  /** Lets time pass; everything that falls due meanwhile runs in order. */
  async passTime(forMs: number): Promise<void> {
    const { time } = this.stage;
    const untilMs = time.elapsedMs() + forMs;
    for (let turn = 0; this.#nextDueMs <= untilMs; turn += 1) {
      require(turn < TURNS_MAX, () => 'the event loops never come to rest');
      time.moveTo(this.#nextDueMs);
      await this.#runOne();
    }
    time.moveTo(untilMs);
    await this.#settle();
  }

  /** @returns whether there is a process */
  withProcess(draws: Draws, run: (process: SharedProcess) => void): boolean {
    if (this.processes.length === 0) return false;
    run(draws.pick(this.processes));
    return true;
  }

  /** @returns whether a process leads */
  withLeader(run: (process: SharedProcess) => void): boolean {
    const { leader } = this;
    if (leader !== undefined) run(leader);
    return leader !== undefined;
  }

  kill(process: SharedProcess): void {
    this.stage.tell(`${process.id} is killed`);
    this.stage.count(process.leads ? 'fault: leader killed' : 'fault: process killed');
    process.end();
  }

  /** SIGSTOP, and SIGCONT after a while. */
  suspend(process: SharedProcess, forMs: number): void {
    this.stage.tell(`${process.id} is stopped for ${forMs} ms`);
    this.stage.count(process.leads ? 'fault: leader stopped' : 'fault: process stopped');
    process.loop.stop(true);
    this.#outside.tellAfter(forMs, () => process.loop.stop(false));
  }

  cutLink(draws: Draws, state: LinkState, forMs: number): boolean {
    const machine = draws.pick(this.#machines);
    this.stage.tell(`the link of machine ${machine.number} is ${state} for ${forMs} ms`);
    this.stage.count(`fault: link ${state}`);
    this.#setLink(machine, state);
    this.#outside.tellAfter(forMs, () => this.#setLink(machine, 'up'));
    return true;
  }

  crashStore(downMs: number): boolean {
    this.stage.count('fault: store crashed');
    this.#server.crash(downMs);
    return true;
  }

  /** The operator asks for another leader. @returns whether there is a process that could */
  wantLeader(draws: Draws): boolean {
    const others = this.processes.filter(({ leads, serving }) => !leads && serving !== undefined);
    if (others.length === 0) return false;
    this.#want(draws.pick(others));
    return true;
  }

  /** No further faults: a leader must be found, every client must get its answer, and everything must be as the log says. */
  async conclude(): Promise<void> {
    this.stage.draws = this.#drawsOf(-2);
    this.#endFaults();
    await this.#findLeader('once all faults have ended', PEACE_MS);
    await this.#answerAll();
    if (this.#machines.length > 1) {
      await this.#checkTakeover();
      await this.#checkHandover();
      await this.#checkStop();
    }
    await this.#answerAll();
    await this.#until(
      'that was asked to has stopped',
      CALM_MS,
      () => !this.processes.some((process) => process.isStopping),
    );
    await this.#until('applies everything', CALM_MS, () => this.#isComplete);
    for (const process of this.processes) {
      this.#compare(process);
      this.readers.finish(process);
    }
    this.clients.check();
    this.#checkSnapshots();
    this.stop();
    const { log, content } = this.store;
    const { engine } = await recover(log, content.snapshots);
    checkBooks(this.truth.history, engine);
    this.stage.count('entries', this.truth.history.lastSeq);
    this.stage.count('timers fired', this.truth.history.firings.length);
  }

  /** Ends everything without further checks. */
  stop(): void {
    for (const process of this.processes) process.end();
  }

  get #nextDueMs(): number {
    let nextMs = Math.min(this.#outside.nextDueMs, this.#server.scheduler.nextDueMs);
    for (const { process } of this.#machines) nextMs = Math.min(nextMs, process?.loop.nextDueMs ?? nextMs);
    return nextMs;
  }

  /** Runs one turn of one of those who have something to do now. */
  async #runOne(): Promise<void> {
    const { draws, time } = this.stage;
    const nowMs = time.elapsedMs();
    const turns: (() => void)[] = [this.#outside, this.#server.scheduler]
      .filter(({ nextDueMs }) => nextDueMs <= nowMs)
      .map((scheduler) => () => scheduler.run(draws));
    for (const { process } of this.#machines) {
      if (process !== undefined && process.loop.nextDueMs <= nowMs) turns.push(() => this.#runProcess(process));
    }
    if (turns.length > 0) draws.pick(turns)();
    await this.#settle();
  }

  #runProcess(process: SharedProcess): void {
    try {
      process.loop.run(this.stage.draws);
    } catch (error) {
      if (error instanceof Violation) throw error;
      // As for an uncaught exception.
      process.die(error);
    }
  }

  /** Lets promises settle, and checks who still runs and what it holds. */
  async #settle(): Promise<void> {
    await quiet();
    for (const machine of this.#machines) {
      const { process } = machine;
      if (process === undefined) continue;
      if (process.isOver) this.#bury(machine, process);
      else if (process.loop.isIdle && !process.loop.isStopped) {
        this.#compare(process);
        this.readers.checkIdle(process);
      }
    }
  }

  /** The state of a process must be that of the log. A leader may be ahead of it. */
  #compare(process: SharedProcess): void {
    const { engine, sequencer, replica } = process.serving ?? {};
    if (engine === undefined || sequencer === undefined || engine.seq === 0) return;
    const { seq } = engine;
    const isAhead = replica?.role === 'leader' && sequencer.durableSeq < seq;
    if (isAhead || replica?.mayAnswer === false || this.#comparedSeq.get(process) === seq) return;
    this.#comparedSeq.set(process, seq);
    const { history } = this.truth;
    require(seq <= history.lastSeq, () => `${process.id} is at seq ${seq}, and only ${history.lastSeq} are stored`);
    const [is, was] = [engine.stateHash(), history.hashAt(seq)];
    require(is === was, () => `${process.id} (${replica?.role}) at seq ${seq} is ${is}, and the log says ${was}`);
    this.stage.count(`states compared: ${replica?.role}`);
  }

  #startLater(machine: Machine, withinMs = RESTART_MS): void {
    this.#outside.tellAfter(this.stage.draws.below(withinMs), () => {
      machine.lives += 1;
      const id = `m${machine.number}-${machine.lives}`;
      this.stage.tell(`${id} starts`);
      this.stage.count('starts');
      machine.process = new SharedProcess({
        id,
        stage: this.stage,
        store: this.store,
        truth: this.truth,
        server: this.#server,
        parts: this.#parts,
        settings: testSettings(this.#settings),
        clockKind: this.clockKind,
        leaseMs: this.#leaseMs,
      });
      machine.process.link.change(machine.link);
    });
  }

  #bury(machine: Machine, process: SharedProcess): void {
    machine.process = undefined;
    this.#comparedSeq.delete(process);
    this.clients.loseConnections(process);
    this.readers.loseConnections(process);
    this.#startLater(machine);
    this.#checkEnd(process);
  }

  /** @throws the error with which a process ended itself, unless there was a reason for that */
  #checkEnd({ id, reason, link, epoch }: SharedProcess): void {
    const { stage } = this;
    if (reason === undefined) return;
    stage.tell(`${id} ends itself: ${String(reason)}`);
    const isFenced = reason instanceof Fenced && epoch < this.store.content.records.epoch;
    const isTroubled = TROUBLES.some((kind) => reason instanceof kind) && link.troubleCount > 0;
    const isBehind = reason instanceof CannotFollow && reason.cause instanceof LogPruned;
    if (!isFenced && !isTroubled && !isBehind) throw reason;
    stage.count(`ended itself: ${(reason as Error).name}`);
  }

  #setLink(machine: Machine, state: LinkState): void {
    machine.link = state;
    machine.process?.link.change(state);
  }

  #want(process: SharedProcess): void {
    this.stage.tell(`${process.id} shall lead`);
    this.stage.count('handovers wanted');
    void this.store.leadership.want(process.id);
  }

  #endFaults(): void {
    this.stage.tell('no more faults');
    this.#server.mend();
    for (const machine of this.#machines) this.#setLink(machine, 'up');
    for (const { link, loop } of this.processes) {
      link.disarm();
      loop.stop(false);
    }
    this.clients.stopLosing();
  }

  /** @returns the time that it took */
  async #until(what: string, limitMs: number, isReached: () => boolean): Promise<number> {
    const { time } = this.stage;
    const beganAtMs = time.elapsedMs();
    while (!isReached()) {
      require(time.elapsedMs() - beganAtMs < limitMs, () => `within ${limitMs} ms, not everybody ${what}`);
      await this.passTime(10);
      this.#meanwhile();
    }
    return time.elapsedMs() - beganAtMs;
  }

  async #findLeader(when: string, limitMs: number, isWanted = (_: SharedProcess) => true): Promise<number> {
    const { time } = this.stage;
    const beganAtMs = time.elapsedMs();
    for (;;) {
      const { leader } = this;
      if (leader !== undefined && isWanted(leader)) return time.elapsedMs() - beganAtMs;
      require(time.elapsedMs() - beganAtMs < limitMs, () => `${when}, nobody leads within ${limitMs} ms`);
      await this.passTime(10);
      this.#meanwhile();
    }
  }

  async #answerAll(): Promise<void> {
    let waitedMs = 0;
    await this.#until('has an answer', CALM_MS, () => {
      if (waitedMs % 500 === 0) this.clients.losePatience();
      if (waitedMs % 100 === 0) this.clients.insist();
      waitedMs += 10;
      return this.clients.pendingCount === 0;
    });
  }

  /** A leader that dies is replaced in time, if nothing else is wrong. */
  async #checkTakeover(): Promise<void> {
    await this.#getReady();
    const { leader } = this;
    if (leader === undefined) return;
    this.kill(leader);
    const limitMs = this.#leaseMs * 1.02 + TAKEOVER_MS;
    const tookMs = await this.#findLeader('after the death of the leader', limitMs);
    this.stage.count('takeovers timed');
    this.stage.count('takeovers timed, ms', tookMs);
  }

  /** A handover that is asked for takes place, with a short pause. */
  async #checkHandover(): Promise<void> {
    await this.#getReady();
    const next = this.processes.find(({ leads }) => !leads);
    if (next === undefined) return;
    const before = this.leader;
    let tookMs = 0;
    await this.#withoutDenial('a handover', async () => {
      this.#want(next);
      await this.#until('hands over', ASKED_MS, () => this.leader !== before);
      tookMs = await this.#findLeader('in a handover', HANDOVER_MS, (leader) => leader === next);
    });
    this.stage.count('handovers timed');
    this.stage.count('handovers timed, ms', tookMs);
  }

  /** An orderly stop of the leader hands over, too. */
  async #checkStop(): Promise<void> {
    await this.#getReady();
    const { leader } = this;
    if (leader === undefined) return;
    await this.#withoutDenial('an orderly stop of the leader', async () => {
      leader.stop();
      await this.#until('stops', CALM_MS, () => this.leader !== leader);
      await this.#findLeader('after an orderly stop of the leader', HANDOVER_MS);
    });
  }

  /** Clients send commands meanwhile; no process that serves now may deny one because nobody leads. */
  async #withoutDenial(what: string, happen: () => Promise<void>): Promise<void> {
    const serving = this.processes;
    const { deniedCount } = this.clients;
    this.#meanwhile = () => void this.clients.act(serving.filter((process) => !process.isOver));
    await happen();
    const { time } = this.stage;
    const endMs = time.elapsedMs() + AFTERMATH_MS;
    await this.#until('settles', 2 * AFTERMATH_MS, () => time.elapsedMs() >= endMs);
    this.#meanwhile = () => {};
    const denied = this.clients.deniedCount - deniedCount;
    require(denied === 0, () => `in ${what}, ${denied} commands were denied because nobody leads`);
  }

  /** All machines have a process, and all know each other. */
  async #getReady(): Promise<void> {
    await this.#findLeader('without any fault', PEACE_MS);
    await this.#until('serves', CALM_MS, () => {
      const { processes } = this;
      const isSound = processes.every(({ serving, isStopping }) => serving !== undefined && !isStopping);
      return processes.length === this.#machines.length && isSound;
    });
    await this.passTime(2_000);
    await this.#findLeader('without any fault', PEACE_MS);
  }

  get #isComplete(): boolean {
    const { lastSeq } = this.truth.history;
    const all = this.processes.map(({ serving }) => serving);
    return all.length === this.#machines.length && all.every((serving) => serving?.engine.seq === lastSeq);
  }

  #checkSnapshots(): void {
    for (const [seq, { manifest }] of this.store.content.snapshots.stored) {
      const decoded = decodeManifest(manifest, seq);
      require(typeof decoded === 'object', () => `the snapshot at seq ${seq} has no sound manifest`);
      const { stateHash } = decoded;
      const was = this.truth.history.hashAt(seq);
      require(stateHash === was, () => `the snapshot at seq ${seq} is ${stateHash}, and the log says ${was}`);
      this.stage.count('snapshots compared');
    }
  }

  #drawsOf(index: number): Draws {
    return new Draws(draw(this.#seed, index + 2, STEP_SALT));
  }
}

/** What a process may end itself for after calls without an answer. */
const TROUBLES = [LogStalled, LogWriteFailed, UnknownOutcome, StoreUnreachable];
