// The machine of the shared store, and the connections of processes to it. Calls take time on their way there, at the store and on
// their way back, and may be lost on either way, arrive late or twice, or get no answer; the link may be cut for a while.
import type { Draws } from '../../support/process/draws.js';
import { VirtualScheduler } from '../../support/virtual-scheduler.js';
import type { ProcessLoop } from '../process-loop.js';
import type { Stage } from '../stage.js';
import { Violation } from '../violation.js';

/** What a call may do; a fault can be armed for one kind. */
export type CallKind =
  | 'append'
  | 'read'
  | 'claim'
  | 'renew'
  | 'release'
  | 'lease'
  | 'member'
  | 'want'
  | 'snapshot'
  | 'cut';

export const CALL_FAULTS = ['request lost', 'answer lost', 'late', 'doubled'] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

/** `silent`: what is sent waits for the end of the cut, or is lost. `refused`: each call fails at once. */
export type LinkState = 'up' | 'silent' | 'refused';

/** Maximum time of each way. */
const TRAVEL_MS = 3;
/** Maximum delay of what is late: longer than any caller waits. */
const LATE_MS = 8_000;

/** Maximum time that a request takes: a flush, and the answer of the synchronous standby. */
const WORK_MS = 6;

/** There was no answer. What was asked for may have happened, or happen later. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** A call on its way to the store. */
export interface StoreRequest {
  readonly kind: CallKind;
  /** Runs at the store, at one instant. What it throws is the answer, unless it is a Violation. */
  readonly execute: () => void;
  /** Sends the answer back. */
  readonly answer: () => void;
  /** The store is gone: the caller may learn it at once. */
  readonly reset: () => void;
}

/**
 * Carries out requests one at a time, each at one instant, and may crash. What it has acknowledged survives; what it was working on
 * is there afterwards, or is not.
 */
export class StoreServer {
  /** Its own devices, and everything that is on its way to it. */
  readonly scheduler: VirtualScheduler;
  readonly #stage: Stage;
  #inWork: StoreRequest[] = [];
  #downUntilMs = 0;
  #isMended = false;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.scheduler = new VirtualScheduler(stage.time);
  }

  get isDown(): boolean {
    return this.#stage.time.elapsedMs() < this.#downUntilMs;
  }

  /** The same for something that may be lost, once there are no more faults. */
  tellLate(delayMs: number, call: () => void): void {
    this.tellAfter(delayMs, () => {
      if (!this.#isMended) call();
    });
  }

  tellAfter(delayMs: number, call: () => void): void {
    this.scheduler.tellAfter(delayMs, call);
  }

  receive(request: StoreRequest): void {
    if (this.isDown) {
      request.reset();
      return;
    }
    this.#inWork.push(request);
    this.tellAfter(this.#stage.draws.below(WORK_MS), () => {
      const at = this.#inWork.indexOf(request);
      if (at === -1) return;
      this.#inWork.splice(at, 1);
      request.execute();
      request.answer();
    });
  }

  /** Everything that it works on may be done or not; nobody gets an answer. */
  crash(downMs: number): void {
    const { draws } = this.#stage;
    this.#stage.count('fault: store crashed');
    let doneCount = 0;
    for (const request of this.#inWork.splice(0)) {
      if (draws.oneIn(2)) {
        request.execute();
        doneCount += 1;
      }
      request.reset();
    }
    this.#stage.tell(`the store crashes, with ${doneCount} unacknowledged requests done`);
    this.#downUntilMs = this.#stage.time.elapsedMs() + downMs;
  }

  /** No more faults: what is still on its way although it is late is lost. */
  mend(): void {
    this.#isMended = true;
    this.#downUntilMs = 0;
  }
}

interface ArmedFault {
  readonly kind: CallKind;
  readonly fault: CallFault;
}

export class StoreLink {
  readonly #server: StoreServer;
  readonly #loop: ProcessLoop;
  readonly #stage: Stage;
  #state: LinkState = 'up';
  #armed: ArmedFault[] = [];
  /** What waits for the end of a cut, in both directions. */
  #stuck: (() => void)[] = [];
  #troubleCount = 0;

  /** @param loop the event loop of the process */
  constructor(
    readonly name: string,
    server: StoreServer,
    loop: ProcessLoop,
    stage: Stage,
  ) {
    this.#server = server;
    this.#loop = loop;
    this.#stage = stage;
  }

  /** Calls that had no answer. */
  get troubleCount(): number {
    return this.#troubleCount;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Cuts the connection, or ends the cut: what waited for that arrives late, or was lost. */
  change(state: LinkState): void {
    this.#state = state;
    if (state === 'silent') return;
    for (const arrive of this.#stuck.splice(0)) if (state === 'up' && this.#draws.oneIn(2)) arrive();
  }

  /** The next call of a kind has a fault. */
  arm(kind: CallKind, fault: CallFault): void {
    this.#armed.push({ kind, fault });
  }

  disarm(): void {
    this.#armed = [];
  }

  /**
   * Calls the store.
   *
   * @param limitMs how long the caller waits for an answer, by its own clock
   * @param execute what happens at the store, at one instant
   * @throws NoAnswer, or what `execute` threw
   */
  call<T>(kind: CallKind, limitMs: number, execute: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // The process has ended itself, and only the rest of this turn still runs.
      if (this.#loop.isOver) return;
      let isSettled = false;
      const settle = (end: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        this.#loop.cancel(alarm);
        end();
      };
      const fail = (why: string): void =>
        settle(() => {
          this.#troubleCount += 1;
          reject(new NoAnswer(`${kind}: ${why}`));
        });
      const alarm = this.#loop.after(limitMs, () => fail(`no answer in ${limitMs} ms`));
      if (this.#state === 'refused') {
        this.#tellProcess(() => fail('the connection is refused'));
        return;
      }
      this.#send(kind, execute, {
        answered: (end) => settle(() => end(resolve, reject)),
        failed: () => fail('the connection broke'),
      });
    });
  }

  #send<T>(kind: CallKind, execute: () => T | Promise<T>, caller: Caller<T>): void {
    const fault = this.#takeFault(kind);
    if (fault !== undefined) {
      this.#stage.tell(`${this.name}: ${kind}: ${fault}`);
      this.#stage.count(`fault: ${kind}: ${fault}`);
    }
    const reset = (): void => {
      // Sometimes the caller learns that the connection is gone, and sometimes it must wait until its patience ends.
      if (this.#draws.oneIn(2)) this.#tellProcess(caller.failed);
    };
    if (fault === 'request lost') {
      reset();
      return;
    }
    let end: Ending<T> | undefined;
    const request: StoreRequest = {
      kind,
      execute: () => {
        const done = outcomeOf(execute);
        end ??= done;
      },
      answer: () => {
        if (fault === 'answer lost') reset();
        else this.#pass(() => this.#tellProcess(() => end && caller.answered(end)));
      },
      reset,
    };
    if (fault === 'late') this.#server.tellLate(this.#draws.between(1, LATE_MS), () => this.#arrive(request));
    else this.#server.tellAfter(this.#draws.below(TRAVEL_MS), () => this.#arrive(request));
    if (fault !== 'doubled') return;
    const second = { ...request, answer: () => {}, reset: () => {} };
    this.#server.tellLate(this.#draws.below(LATE_MS), () => this.#arrive(second));
  }

  /** The store tells the process something by itself; that is lost if the link is cut. */
  tellNews(withinMs: number, call: () => void): void {
    if (this.#state === 'up') this.#loop.tellAfter(this.#draws.below(withinMs), call);
  }

  #arrive(request: StoreRequest): void {
    this.#pass(() => this.#server.receive(request));
  }

  /** Lets something through, unless the link is cut. */
  #pass(arrive: () => void): void {
    if (this.#state === 'up') arrive();
    else if (this.#state === 'silent') this.#stuck.push(arrive);
  }

  #tellProcess(call: () => void): void {
    this.#loop.tellAfter(this.#draws.below(TRAVEL_MS), call);
  }

  #takeFault(kind: CallKind): CallFault | undefined {
    const at = this.#armed.findIndex((armed) => armed.kind === kind);
    return at === -1 ? undefined : this.#armed.splice(at, 1)[0]?.fault;
  }

  get #draws(): Draws {
    return this.#stage.draws;
  }
}

type Ending<T> = (resolve: (value: T | Promise<T>) => void, reject: (error: unknown) => void) => void;

interface Caller<T> {
  readonly answered: (end: Ending<T>) => void;
  readonly failed: () => void;
}

function outcomeOf<T>(execute: () => T | Promise<T>): Ending<T> {
  try {
    const value = execute();
    // A failure that nobody waits for any more is not an error of the simulation.
    if (value instanceof Promise) value.catch(() => {});
    return (resolve) => resolve(value);
  } catch (error) {
    if (error instanceof Violation) throw error;
    return (_, reject) => reject(error);
  }
}
