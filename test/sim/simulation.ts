// The simulated machines that serve one world, the store that they serve it from, the clients, and everything that happens to them,
// step by step. A world on the disk of one process is one of a single machine. What a step does is drawn from its number.
import { draw } from '../../engine/numbers/random.js';
import { Rules } from '../../engine/rules/rules.js';
import { STANDARD_2 } from '../../engine/rules/standard-2.js';
import type { ChosenSettings } from '../../persistence/recovery/genesis.js';
import type { Durability } from '../../persistence/writer/group-commit.js';
import { TRADING } from '../support/market-rules.js';
import { planFaults } from '../support/plan-oracle.js';
import { PLANNED } from '../support/planned-rules.js';
import { Draws } from '../support/process/draws.js';
import { MESSAGES } from '../support/spoken-rules.js';
import { TEST_RULES } from '../support/test-rules.js';
import { quiet, VirtualScheduler } from '../support/virtual-scheduler.js';
import { Clients, type PlayedWorld } from './clients.js';
import { KINDS, type Kind, type RunKind } from './kinds.js';
import type { Parts } from './parts.js';
import { type Machine, SimulatedProcess } from './process.js';
import { Readers } from './readers.js';
import { Stage } from './stage.js';
import type { SimulatedStore } from './store.js';
import { Truth } from './truth.js';
import { require } from './violation.js';

/**
 * Half of the worlds have plans, fields that fleets harvest, fleets that support others, messages, a market, pacts and shocks; places and what
 * others may bring differ.
 */
const CONTESTED_RULES = new Rules({
  ...PLANNED,
  name: 'contested',
  richness: STANDARD_2.richness,
  fields: { asteroids: [3_000, 2_000, 500, 700, 0], wreckPercent: 40 },
  support: { fleetsPerPlanetMax: 3 },
  messages: MESSAGES,
  market: TRADING.market,
  deliveries: TRADING.deliveries,
  shocks: {
    intervalSeconds: 604_800,
    noticeSecondsMin: 600,
    noticeSecondsMax: 7_200,
    types: [
      { type: 'ore_rush', durationSeconds: 10_800, effect: { kind: 'output', resource: 'iron', percent: 250 } },
      { type: 'flare', durationSeconds: 10_800, effect: { kind: 'output', resource: 'energy', percent: 30 } },
      { type: 'pirates', durationSeconds: 1, effect: { kind: 'pirates', idleSeconds: 600, percent: 30 } },
    ],
  },
  pacts: { proposalSeconds: 7_200, durationSecondsMax: 172_800, noticeSeconds: 3_600, openMax: 4 },
});
/** Separates the draws of steps from all others. */
const STEP_SALT = 2_002;
/** Steps after which the plans are compared with what the commands say. */
const STEPS_BETWEEN_LOOKS = 8;
/** Turns of the event loops after which it counts as an endless loop. */
const TURNS_MAX = 200_000;
/** Maximum time until the processes are started for the first time. */
const FIRST_START_MS = 100;
/** A turn without work lets time pass up to here. */
const IDLE_MS = 100;
/** How much the clocks of the machines differ in the beginning. */
const WALL_MS_MAX = 5_000;

interface SimulatedMachine extends Machine {
  process: SimulatedProcess | undefined;
  lives: number;
  wallOffset: number;
}

export class Simulation implements PlayedWorld {
  readonly stage: Stage;
  readonly truth = new Truth();
  readonly parts: Parts;
  readonly store: SimulatedStore;
  readonly clients: Clients;
  readonly readers: Readers;
  readonly settings: ChosenSettings;
  readonly clockKind: 'real' | 'manual';
  readonly durability: Durability;
  /** Whether somebody receives more events than are kept. */
  readonly isLoud: boolean;
  readonly #seed: number;
  readonly #kind: Kind;
  readonly #machines: readonly SimulatedMachine[];
  /** Supervisors, and the ends of faults. */
  readonly #outside: VirtualScheduler;
  /** The seq at which each process was compared last. */
  readonly #comparedSeq = new Map<SimulatedProcess, number>();

  constructor(kind: RunKind, seed: number, parts: Parts, isStoryKept: boolean) {
    this.#seed = seed;
    this.#kind = KINDS[kind];
    this.parts = parts;
    this.stage = new Stage(isStoryKept, this.#kind.looksPerMs);
    const draws = this.drawFrom(-1);
    this.#outside = new VirtualScheduler(this.stage.time);
    const rules = draws.oneIn(2) ? CONTESTED_RULES : TEST_RULES;
    const [speed, systemsPerGalaxy] = [draws.pick(this.#kind.speeds), draws.between(1, 3)];
    this.settings = { seed: draws.below(1_000), speed, systemsPerGalaxy, rules };
    this.clockKind = draws.oneIn(5) ? 'manual' : 'real';
    this.durability = draws.pick(this.#kind.durabilities);
    this.isLoud = draws.oneIn(16);
    this.store = this.#kind.makeStore(this);
    this.#machines = Array.from({ length: draws.pick(this.#kind.machineCounts) }, (_, index) => {
      const { driftThousandths } = this.#kind;
      const wallOffset = draws.between(-WALL_MS_MAX, WALL_MS_MAX);
      const machine = { number: index + 1, driftThousandths, wallOffset, process: undefined, lives: 0 };
      return Object.assign(machine, { wallOffsetMs: () => machine.wallOffset });
    });
    this.clients = new Clients(this);
    this.readers = new Readers(this);
    const { length } = this.#machines;
    this.stage.tell(`seed ${seed}: ${length} machines, speed ${speed}, ${this.clockKind} clock, ${this.durability}`);
    for (const machine of this.#machines) this.#startLater(machine, FIRST_START_MS);
  }

  /** All processes that live, whether they run or not. */
  get processes(): readonly SimulatedProcess[] {
    return this.#machines.flatMap(({ process }) => (process === undefined || process.isOver ? [] : [process]));
  }

  /** The process that leads and may answer; undefined if there is none. */
  get leader(): SimulatedProcess | undefined {
    return this.processes.find(({ leads }) => leads);
  }

  get machineCount(): number {
    return this.#machines.length;
  }

  /** Draws everything from a number from here on: that of a step, or a negative one. */
  drawFrom(index: number): Draws {
    this.stage.draws = new Draws(draw(this.#seed, index + 2, STEP_SALT));
    return this.stage.draws;
  }

  get travelMs(): number {
    return this.#kind.travelMs;
  }

  /** @param happen what happens in the step; returns whether there was anything to do */
  async step(index: number, happen: (draws: Draws) => Promise<boolean>): Promise<void> {
    this.stage.count('steps');
    const isDone = await happen(this.drawFrom(index));
    if (!isDone) await this.turn();
    await this.#settle();
    if (index % STEPS_BETWEEN_LOOKS === 0) this.#checkPlans();
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

  kill(process: SimulatedProcess): void {
    const { stage } = this;
    stage.tell(`${process.id} is killed`);
    stage.count(process.leads ? 'fault: leader killed' : 'fault: process killed');
    if (process.serving === undefined) stage.count('crashes in a start');
    if (process.serving?.snapshots?.report.isInProgress) stage.count('crashes in a snapshot');
    process.end();
  }

  /** SIGSTOP, and SIGCONT after a while. */
  suspend(process: SimulatedProcess, forMs: number): void {
    this.stage.tell(`${process.id} is stopped for ${forMs} ms`);
    this.stage.count(process.leads ? 'fault: leader stopped' : 'fault: process stopped');
    process.loop.stop(true);
    this.later(forMs, () => process.loop.stop(false));
  }

  /** Somebody sets the clock of a machine. */
  setClock(draws: Draws, byMs: number): void {
    const machine = draws.pick(this.#machines);
    this.stage.tell(`the clock of machine ${machine.number} is set by ${byMs} ms`);
    this.stage.count('fault: clock set');
    machine.wallOffset += byMs;
  }

  /** Calls after a while, whatever happens to the processes. */
  later(delayMs: number, call: () => void): void {
    this.#outside.tellAfter(delayMs, call);
  }

  /** The operator asks for another leader. @returns whether there is a process that could */
  wantLeader(draws: Draws): boolean {
    const others = this.processes.filter(({ leads, serving }) => !leads && serving !== undefined);
    if (others.length === 0) return false;
    this.want(draws.pick(others));
    return true;
  }

  want({ id }: SimulatedProcess): void {
    this.stage.tell(`${id} shall lead`);
    this.stage.count('handovers wanted');
    this.store.failover?.want(id);
  }

  /** Ends everything without further checks. */
  stop(): void {
    for (const process of this.processes) process.end();
  }

  get #schedulers(): readonly VirtualScheduler[] {
    return [this.#outside, ...this.store.schedulers];
  }

  get #nextDueMs(): number {
    let nextMs = Math.min(...this.#schedulers.map(({ nextDueMs }) => nextDueMs));
    for (const { process } of this.#machines) nextMs = Math.min(nextMs, process?.loop.nextDueMs ?? nextMs);
    return nextMs;
  }

  /** Runs one turn of one of those who have something to do now. */
  async #runOne(): Promise<void> {
    const { draws, time } = this.stage;
    const nowMs = time.elapsedMs();
    const turns: (() => void)[] = this.#schedulers
      .filter(({ nextDueMs }) => nextDueMs <= nowMs)
      .map((scheduler) => () => scheduler.run(draws));
    for (const { process } of this.#machines) {
      if (process !== undefined && process.loop.nextDueMs <= nowMs)
        turns.push(() => process.run(() => process.loop.run(draws)));
    }
    if (turns.length > 0) draws.pick(turns)();
    await this.#settle();
  }

  /** Lets promises settle, and checks who still runs and what it holds. */
  async #settle(): Promise<void> {
    await quiet();
    for (const machine of this.#machines) {
      const { process } = machine;
      if (process === undefined) continue;
      if (process.isOver) this.#bury(machine, process);
      else if (process.loop.isIdle && !process.loop.isStopped) {
        process.access.checkIdle();
        this.compare(process);
        this.readers.checkIdle(process);
      }
    }
  }

  /** The state of a process must be that of the log. A leader may be ahead of it. */
  compare(process: SimulatedProcess): void {
    const { engine, sequencer, replica } = process.serving ?? {};
    const { role } = process;
    if (engine === undefined || sequencer === undefined || engine.seq === 0) return;
    const { seq } = engine;
    const isAhead = role === 'leader' && sequencer.durableSeq < seq;
    if (isAhead || replica?.mayAnswer === false || this.#comparedSeq.get(process) === seq) return;
    this.#comparedSeq.set(process, seq);
    const { truth } = this;
    require(seq <= truth.lastSeq, () => `${process.id} is at seq ${seq}, and only ${truth.lastSeq} are durable`);
    const [is, was] = [engine.stateHash(), truth.hashAt(seq)];
    require(is === was, () => `${process.id} (${role}) at seq ${seq} is ${is}, and the log says ${was}`);
    this.stage.count(`states compared: ${role}`);
  }

  /** A supervisor starts a process. */
  #startLater(machine: SimulatedMachine, withinMs: number): void {
    this.later(this.stage.draws.below(withinMs), () => {
      machine.lives += 1;
      const id = `m${machine.number}-${machine.lives}`;
      this.stage.tell(`${id} starts`);
      this.stage.count('starts');
      machine.process = new SimulatedProcess(id, machine, this, this.store);
    });
  }

  #bury(machine: SimulatedMachine, process: SimulatedProcess): void {
    machine.process = undefined;
    if (!process.hasStopped && this.truth.hasBegun) this.#countUnderWay();
    this.#comparedSeq.delete(process);
    this.clients.loseConnections(process);
    this.readers.loseConnections(process);
    this.#startLater(machine, this.#kind.restartMs);
    this.#checkEnd(process);
    process.access.end();
  }

  /** What others deal in when a process dies. */
  #countUnderWay(): void {
    const { offers, goods, pacts } = this.truth.engine.world;
    if (offers.size > 0) this.stage.count('crashes with open offers');
    if (goods.size > 0) this.stage.count('crashes with goods under way');
    if ([...pacts.values()].some(({ isInForce }) => isInForce)) this.stage.count('crashes with pacts in force');
  }

  /** @throws the error with which a process ended itself, unless there was a reason for that */
  #checkEnd({ id, reason, access, hasStopped, lastSeq }: SimulatedProcess): void {
    const { stage, truth } = this;
    if (hasStopped) {
      stage.tell(`${id} has stopped`);
      stage.count('stops');
      require(lastSeq <= truth.lastSeq, () => `${id} has stopped at seq ${lastSeq}, and ${truth.lastSeq} is durable`);
    }
    if (reason === undefined) return;
    stage.tell(`${id} ends itself: ${String(reason)}`);
    const cause = access.reasonFor(reason);
    if (cause === undefined) throw reason;
    stage.count(cause);
  }

  /** No lane of a plan waits although its first step could start. */
  #checkPlans(): void {
    const { engine } = this.leader?.serving ?? {};
    if (engine === undefined || engine.seq === 0) return;
    const faults = planFaults(engine);
    require(faults.length === 0, () => faults.join('; '));
    this.stage.count('plans looked at', engine.world.plans.size);
  }
}
