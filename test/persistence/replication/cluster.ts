// Several processes of one world in a shared store in memory, each with its own event loop on virtual time, and its own way to the
// store, which tests cut or make to lose answers. Nothing waits for a real clock.

import { type CommandLog, StoreUnreachable, UnknownOutcome } from '../../../persistence/log/log.js';
import { ReplicatedWorld, type ReplicatedWorldParts } from '../../../persistence/replication/replicated-world.js';
import type { RoleEvent } from '../../../persistence/replication/role-announcer.js';
import type { Leadership } from '../../../persistence/stores/world-store.js';
import { altered, around } from '../../support/altered.js';
import { Draws } from '../../support/process/draws.js';
import { noLease } from '../../support/stores/memory-leadership.js';
import { type MemoryContent, MemoryStore, noContent } from '../../support/stores/memory-store.js';
import { quiet, VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';

export const LEASE_MS = 1_000;
/** How long a call takes to the store, and as long its answer back. */
const WAY_MS = 1;
/** Time until a call that gets no answer is given up. */
const CALL_MAX_MS = 100;
/** A condition that is not met by then never will be. */
const PATIENCE_MS = 60_000;

export type CallName = keyof Leadership | 'append' | 'log read';

export class Cluster {
  readonly time = new VirtualTime();
  readonly content: MemoryContent = noContent(noLease(() => this.time.elapsedMs()));
  readonly #processes: Process[] = [];
  readonly #draws: Draws;

  /** @param seed of the order in which what is due at once happens */
  constructor(seed = 1) {
    this.#draws = new Draws(seed);
  }

  /** Starts a process, which joins the world and looks for its role. */
  start(name: string, options: Partial<ReplicatedWorldParts> & { readonly wallAheadMs?: number } = {}): Process {
    const process = new Process(name, this, options);
    this.#processes.push(process);
    return process;
  }

  /** Lets time pass. */
  async run(forMs: number): Promise<void> {
    const endMs = this.time.elapsedMs() + forMs;
    await this.until(() => false, endMs);
  }

  /** Lets time pass until a condition is met. @returns whether it is */
  async until(isMet: () => boolean, endMs = this.time.elapsedMs() + PATIENCE_MS): Promise<boolean> {
    for (;;) {
      await quiet();
      if (isMet()) return true;
      const running = this.#processes.filter(({ isRunning }) => isRunning).map(({ scheduler }) => scheduler);
      const ready = running.filter(({ isIdle }) => !isIdle);
      if (ready.length > 0) {
        this.#draws.pick(ready).run(this.#draws);
        continue;
      }
      const nextMs = Math.min(...running.map(({ nextDueMs }) => nextDueMs));
      if (nextMs > endMs) {
        this.time.moveTo(endMs);
        return false;
      }
      this.time.moveTo(nextMs);
    }
  }
}

export class Process {
  readonly scheduler: VirtualScheduler;
  readonly events: RoleEvent[] = [];
  /** Calls whose answers are lost, though the store does what they ask for. */
  readonly mute = new Set<CallName>();
  /** Calls that the store never sees. */
  readonly cut = new Set<CallName>();
  /** Whether no call reaches the store. */
  isCut = false;
  /** What ended it. */
  fatal: Error | null = null;
  #world: ReplicatedWorld | undefined;
  #isStopped = false;
  #isKilled = false;
  hasRole = false;
  /** How far the clock of its machine is ahead. */
  wallAheadMs: number;

  constructor(
    readonly name: string,
    cluster: Cluster,
    { wallAheadMs = 0, ...options }: Partial<ReplicatedWorldParts> & { readonly wallAheadMs?: number },
  ) {
    const { time, content } = cluster;
    this.scheduler = new VirtualScheduler(time);
    const store = new MemoryStore(content);
    this.wallAheadMs = wallAheadMs;
    const source = { elapsedMs: () => time.elapsedMs(), wallMs: () => time.wallMs() + this.wallAheadMs };
    const opened = ReplicatedWorld.open({
      leadership: distantLeadership(store.leadership as Leadership, this),
      snapshots: store.snapshots,
      taker: null,
      origin: null,
      id: name,
      version: '1.2.3',
      leaseMs: LEASE_MS,
      scheduler: this.scheduler,
      source,
      onRoleEvent: (event) => this.events.push(event),
      onFatal: (error) => {
        this.fatal = error;
        this.kill();
      },
      ...options,
    });
    opened.then(
      async (world) => {
        this.#world = world;
        this.hasRole = await world.enter(`http://${name}`);
      },
      (error: Error) => {
        this.fatal = error;
        this.kill();
      },
    );
  }

  get world(): ReplicatedWorld {
    if (this.#world === undefined) throw new Error(`${this.name} has not recovered yet`);
    return this.#world;
  }

  get isOpen(): boolean {
    return this.#world !== undefined;
  }

  get leads(): boolean {
    return this.#world?.replica.role === 'leader' && this.#world.sequencer.availability() === 'open';
  }

  get isRunning(): boolean {
    return !this.#isStopped && !this.#isKilled;
  }

  /** Acts as SIGSTOP does: the process runs nothing until continue(), and then finds that time has passed. */
  stop(): void {
    this.#isStopped = true;
  }

  continue(): void {
    this.#isStopped = false;
  }

  /** Acts as SIGKILL does. */
  kill(): void {
    this.#isKilled = true;
    this.scheduler.end();
  }

  /** Submits a command. @returns where its reply is noted */
  create(name: string): { isSent: boolean } {
    const reply = { isSent: false };
    const { sequencer } = this.world;
    sequencer.submit({ type: 'create_player', name, isBot: true, keyHash: null, nameKey: name });
    sequencer.holdUntilDurable(sequencer.lastSeq, {
      durable: () => {
        reply.isSent = true;
      },
    });
    return reply;
  }

  get playerNames(): string[] {
    return [...this.world.engine.world.players.values()].map(({ name }) => name);
  }

  /** Carries a call to the store and its answer back. */
  async carry<T>(name: CallName, call: () => Promise<T>, lost: () => Error): Promise<T> {
    await this.scheduler.device(WAY_MS);
    const isLost = this.isCut || this.cut.has(name);
    const answer = isLost
      ? null
      : call().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
    const answered = await answer;
    await this.scheduler.device(WAY_MS);
    if (answered === null || this.isCut || this.mute.has(name)) {
      await this.scheduler.device(CALL_MAX_MS);
      throw lost();
    }
    if ('error' in answered) throw answered.error;
    return answered.value;
  }
}

const unreachable = (): Error => new StoreUnreachable('the store does not answer');

/** The lease as a process reaches it. */
function distantLeadership(inner: Leadership, process: Process): Leadership {
  return around(inner, (name, call) => {
    if (name === 'close') return Promise.resolve();
    if (name !== 'openShared') return process.carry(name, call, unreachable);
    return inner.openShared().then((held) => ({ ...held, log: distantLog(held.log, process) }));
  });
}

/** The log as a process reaches it; what only takes place under the lease needs no fault of its own. */
function distantLog(inner: CommandLog, process: Process): CommandLog {
  const read = <T>(call: () => Promise<T>): Promise<T> => process.carry('log read', call, unreachable);
  return altered(inner, {
    append(append) {
      const lost = (): Error => new UnknownOutcome(append.expectedSeq + 1, 'the connection broke');
      return process.carry('append', () => inner.append(append), lost);
    },
    currentEpoch: () => read(() => inner.currentEpoch()),
    last: () => read(() => inner.last()),
    refresh: () => read(() => inner.refresh()),
    async *read(fromSeq) {
      await read(async () => {});
      yield* inner.read(fromSeq);
    },
    async *follow(afterSeq, signal) {
      await read(async () => {});
      for await (const stored of inner.follow(afterSeq, signal)) {
        await read(async () => {});
        if (signal.aborted) return;
        yield stored;
      }
    },
  });
}
