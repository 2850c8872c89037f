// One life of a process that serves a world: from its start to its end, by itself, by an orderly stop or by SIGKILL.
import type { Engine } from '../../engine/engine.js';
import type { EventHub } from '../../http/events/event-hub.js';
import { type LoopOptions, ProcessLoop } from './process-loop.js';
import type { RequestHandler } from './request-handler.js';
import type { OpenedWorld, SimulatedStore, StoreAccess } from './store.js';
import { Violation } from './violation.js';
import { WitnessedEngine } from './witnessed-engine.js';
import type { SimulatedWorld } from './world.js';

/** The machine that it runs on. */
export interface Machine extends LoopOptions {
  readonly number: number;
}

/** A process that serves, as a leader or as a standby. */
export interface Serving extends OpenedWorld {
  readonly witness: WitnessedEngine;
  readonly handler: RequestHandler;
  readonly hub: EventHub;
}

export class SimulatedProcess {
  readonly id: string;
  readonly url: string;
  readonly machine: Machine;
  readonly loop: ProcessLoop;
  readonly access: StoreAccess;
  /** The epoch under which it has led last, and until when it may answer by its own clock, as it must know by itself. */
  term = { epoch: 0, untilMs: 0 };
  readonly #world: SimulatedWorld;
  #witness: WitnessedEngine | undefined;
  #serving: Serving | undefined;
  #isOver = false;
  #isStopping = false;
  #hasStopped = false;
  #reason: unknown;

  constructor(id: string, machine: Machine, world: SimulatedWorld, store: SimulatedStore) {
    this.id = id;
    this.url = `http://${id}`;
    this.machine = machine;
    this.#world = world;
    this.loop = new ProcessLoop(world.stage, machine);
    this.access = store.connect(this);
    this.#start().then(() => {
      if (!this.#isOver) world.stage.tell(`${id} serves from seq ${this.#serving?.engine.seq}`);
    }, this.die);
  }

  /** Undefined while it starts, and once it is over. */
  get serving(): Serving | undefined {
    return this.#isOver ? undefined : this.#serving;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Whether its end was an orderly one. */
  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  /** Why it ended itself; undefined if it has not, or had an orderly stop. */
  get reason(): unknown {
    return this.#reason;
  }

  /** The seq of the last entry that it has applied, also when it is over. */
  get lastSeq(): number {
    return this.#serving?.engine.seq ?? 0;
  }

  /** Milliseconds of its own clock since the end of the time for which it may answer as a leader; negative before. */
  get pastTermMs(): number {
    return this.loop.elapsedNowMs() - this.term.untilMs;
  }

  /** What it is; a process that does not share its world leads. */
  get role(): 'leader' | 'standby' {
    return this.#serving?.replica?.role ?? 'leader';
  }

  /** Whether it leads now, and may answer, as far as it knows. */
  get leads(): boolean {
    const { serving } = this;
    if (serving === undefined || this.loop.isStopped) return false;
    return this.role === 'leader' && serving.replica?.mayAnswer !== false;
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

  /** SIGTERM. */
  stop(): void {
    if (this.#isStopping || this.serving === undefined) return;
    this.#isStopping = true;
    this.serving.close().then(() => {
      if (this.#isOver) return;
      this.#hasStopped = true;
      this.end();
    }, this.die);
  }

  /** Runs code of the process. */
  run(code: () => void): void {
    try {
      code();
    } catch (error) {
      if (error instanceof Violation) throw error;
      // An uncaught exception ends a process, too.
      this.die(error);
    }
  }

  /** Takes a snapshot, as the schedule or an operator does. @returns whether it could be asked */
  takeSnapshot(): boolean {
    const { serving } = this;
    if (serving?.snapshots == null || this.#isStopping) return false;
    this.#world.stage.count('snapshots asked for');
    serving.snapshots.take().catch((error: unknown) => {
      if (error instanceof Violation) this.die(error);
    });
    return true;
  }

  /** Watches the engine, for everything that applies entries after the recovery. */
  readonly witness = (engine: Engine): WitnessedEngine => {
    const { truth } = this.#world;
    this.#witness = new WitnessedEngine(engine, (entry, request) => truth.noteApplied(this.term.epoch, entry, request));
    return this.#witness;
  };

  async #start(): Promise<void> {
    const { loop } = this;
    const { parts } = this.#world;
    const world = await this.access.open();
    const { engine, sequencer, replica } = world;
    const handler = parts.handler({ engine, sequencer, replica, loop });
    const soon = (slice: () => void): void => loop.soon(slice);
    const later = (slice: () => void, delayMs: number): void => void loop.after(delayMs, slice);
    const hub = parts.hub({ world: engine.world, sequencer, soon, later, elapsedMs: loop.elapsedNowMs });
    this.#serving = { ...world, witness: this.#witness as WitnessedEngine, handler, hub };
    await world.enter();
  }
}
