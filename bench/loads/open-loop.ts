// The open loop: requests are due at a fixed rate, whatever the server does, and a latency is counted from the instant at
// which its request was due. So a server that stalls is charged for every request that could not even be sent meanwhile
// (no coordinated omission). It runs in a process of its own, since it takes a whole core.
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LATENCY_MAX_US, OPEN_LOOP_GRACE_MS } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import type { LoadRequest } from '../servers/game-client.js';
import {
  type Failures,
  failureText,
  type Latencies,
  type LoadPlan,
  type RequestSource,
  requestSource,
} from './load.js';
import { LoadConnection, type OnReply, type Reply, renderRequest } from './load-connection.js';

const NAP_MS = 0.2;
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

/** Something that carries one request at a time. */
export interface Sender {
  send(request: LoadRequest, onReply: OnReply): void;
}

export interface OpenPace {
  readonly ratePerSecond: number;
  /** Requests in all. */
  readonly count: number;
  /** Requests that are due in one window of the result. */
  readonly windowCount: number;
}

export interface OpenLoopResult extends Latencies, Failures {
  /** Replies of any kind. */
  readonly answered: number;
  /** By the clock: a request belongs to the window in which its reply came. */
  readonly windows: readonly OpenWindow[];
}

export interface OpenWindow extends Latencies {
  readonly answered: number;
}

const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;

export interface OpenLoad extends LoadPlan {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Length of the windows in the result; that of the whole run for a single one. */
  readonly windowSeconds: number;
}

export interface OpenRunResult extends OpenLoopResult {
  /** Longest time in which the loader itself did not get to send: above a millisecond, it is part of what it measured. */
  readonly loaderPauseMaxMs: number;
}

export async function measure(load: OpenLoad): Promise<OpenRunResult> {
  const { ratePerSecond } = load;
  const connections = await openConnections(load);
  const pace = {
    ratePerSecond,
    count: Math.max(1, Math.round(ratePerSecond * load.seconds)),
    windowCount: Math.max(1, Math.round(ratePerSecond * load.windowSeconds)),
  };
  const loop = new OpenLoop(pace, connections, requestSource(load), () => performance.now() * 1_000);
  const loaderPauseMaxMs = await spin(loop);
  const result = loop.result();
  for (const connection of connections) connection.close();
  return { loaderPauseMaxMs, ...result };
}

/** Opens the connections of a load, whose requests are rendered before it begins. */
export async function openConnections({ url, connections, requests }: LoadPlan): Promise<LoadConnection[]> {
  const { host } = new URL(url);
  const rendered = new Map(requests.map((request) => [request, renderRequest(request, host)]));
  const opened = Array.from({ length: connections }, () => new LoadConnection(url, rendered));
  await Promise.all(opened.map((connection) => connection.ready()));
  return opened;
}

/** Runs an open loop in a child process. */
export function measureOpenLoop(load: OpenLoad): Promise<OpenRunResult> {
  return measureInChild(new URL(import.meta.url), load);
}

/**
 * Gives the loop its turn all the time: a timer would send whole milliseconds of requests at once. After a turn with
 * little to do it sleeps for a moment, since a process that never does is made to wait for milliseconds by the system
 * when anyone else needs the core, and takes it from the server meanwhile.
 *
 * @returns the longest time in which the loop did not get its turn, in milliseconds
 */
export async function spin(loop: Pick<DueLoop<unknown>, 'step' | 'isOver' | 'isAllDue'>): Promise<number> {
  let lastMs = performance.now();
  let graceEndMs = Number.POSITIVE_INFINITY;
  let pauseMaxMs = 0;
  while (!loop.isOver && lastMs < graceEndMs) {
    loop.step();
    await nextTurn();
    const nowMs = performance.now();
    pauseMaxMs = Math.max(pauseMaxMs, nowMs - lastMs);
    if (nowMs - lastMs < NAP_MS) Atomics.wait(NEVER_WOKEN, 0, 0, NAP_MS);
    lastMs = nowMs;
    if (graceEndMs === Number.POSITIVE_INFINITY && loop.isAllDue) graceEndMs = nowMs + OPEN_LOOP_GRACE_MS;
  }
  return pauseMaxMs;
}

/** What is due when, which carriers are free to send it, and how long it took. It knows no clock of its own. */
export abstract class DueLoop<Carrier> {
  protected readonly latencies = latencyHistogram();
  readonly #pace: Pick<OpenPace, 'ratePerSecond' | 'count'>;
  /** A ring, so that all carriers take turns: those that are free stand between the two counts. */
  readonly #free: Carrier[];
  #sent = 0;
  #finished = 0;
  readonly #startUs: number;

  /** The first request is due at once. @param nowUs a clock in microseconds that only ever grows */
  constructor(
    pace: Pick<OpenPace, 'ratePerSecond' | 'count'>,
    carriers: readonly Carrier[],
    protected readonly nowUs: () => number,
  ) {
    this.#pace = pace;
    this.#free = [...carriers];
    this.#startUs = nowUs();
  }

  protected abstract send(carrier: Carrier, dueUs: number): void;

  /** Everything that was due has been sent, and answered or given up. */
  get isOver(): boolean {
    return this.#finished >= this.#pace.count;
  }

  /** The last request is due, or was. */
  get isAllDue(): boolean {
    return this.nowUs() >= this.dueUs(this.#pace.count - 1);
  }

  /** Sends what is due by now, as far as carriers are free. To be called all the time. */
  step(): void {
    const nowUs = this.nowUs();
    const { count } = this.#pace;
    while (this.#sent < count && this.dueUs(this.#sent) <= nowUs && this.#sent - this.#finished < this.#free.length) {
      this.#sent += 1;
      this.send(this.#free[(this.#sent - 1) % this.#free.length] as Carrier, this.dueUs(this.#sent - 1));
    }
  }

  /** A carrier is free again. */
  protected finish(carrier: Carrier, dueUs: number): void {
    this.#free[this.#finished % this.#free.length] = carrier;
    this.#finished += 1;
    this.record(this.nowUs() - dueUs);
  }

  /** Requests without a reply count as if they took until now. @returns how many there are */
  protected giveUp(): number {
    const nowUs = this.nowUs();
    const lost = Math.max(0, this.#pace.count - this.#finished);
    for (let index = this.#pace.count - lost; index < this.#pace.count; index += 1)
      this.record(nowUs - Math.min(this.dueUs(index), nowUs));
    return lost;
  }

  protected dueUs(index: number): number {
    return this.#startUs + (index * US_PER_SECOND) / this.#pace.ratePerSecond;
  }

  protected record(latencyUs: number): void {
    this.latencies.record(countedUs(latencyUs));
  }
}

function countedUs(latencyUs: number): number {
  return Math.min(Math.max(Math.round(latencyUs), 1), LATENCY_MAX_US);
}

/** Requests over connections. */
export class OpenLoop extends DueLoop<Sender> {
  readonly #pace: OpenPace;
  readonly #source: RequestSource;
  readonly #windows: OpenWindow[] = [];
  readonly #windowLatencies = latencyHistogram();
  #failures = 0;
  #firstFailure: string | undefined;
  #answered = 0;
  #windowAnswered = 0;

  constructor(pace: OpenPace, senders: readonly Sender[], source: RequestSource, nowUs: () => number) {
    super(pace, senders, nowUs);
    this.#pace = pace;
    this.#source = source;
  }

  override step(): void {
    const { windowCount, count } = this.#pace;
    // Windows end at the instants at which their last requests are due.
    for (let next = this.#windows.length + 1; next * windowCount < count; next += 1) {
      if (this.nowUs() < this.dueUs(next * windowCount)) break;
      this.#endWindow();
    }
    super.step();
  }

  /** What was measured. Requests without a reply count as failures that took until now. */
  result(): OpenLoopResult {
    for (let lost = this.giveUp(); lost > 0; lost -= 1) this.#failed('a request was not answered');
    this.#endWindow();
    const counts = { answered: this.#answered, failures: this.#failures, firstFailure: this.#firstFailure };
    return { ...latenciesOf(this.latencies), ...counts, windows: this.#windows };
  }

  protected override send(sender: Sender, dueUs: number): void {
    const request = this.#source.next();
    sender.send(request, (reply, fault) => {
      if (reply !== undefined) {
        this.#answered += 1;
        this.#windowAnswered += 1;
      }
      this.#check(request, reply, fault);
      this.finish(sender, dueUs);
      // The next one may have been waiting for this sender.
      this.step();
    });
  }

  #check(request: LoadRequest, reply: Reply | undefined, fault: string): void {
    const isSuccess = reply !== undefined && reply.status >= 200 && reply.status <= 299;
    const body = reply !== undefined && this.#source.readsBodies ? reply.body.toString() : '';
    const isRight = this.#source.answered(request, body, isSuccess);
    if (reply === undefined) this.#failed(fault);
    else if (!isSuccess || !isRight) this.#failed(failureText(reply.status, reply.body.toString()));
  }

  #failed(text: string): void {
    this.#failures += 1;
    this.#firstFailure ??= text;
  }

  protected override record(latencyUs: number): void {
    super.record(latencyUs);
    this.#windowLatencies.record(countedUs(latencyUs));
  }

  #endWindow(): void {
    this.#windows.push({ answered: this.#windowAnswered, ...latenciesOf(this.#windowLatencies) });
    this.#windowAnswered = 0;
    this.#windowLatencies.reset();
  }
}

export function latencyHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: LATENCY_MAX_US, figures: 3 });
}

export function latenciesOf(histogram: RecordableHistogram): Latencies {
  const atMs = (percent: number) => (histogram.count === 0 ? 0 : histogram.percentile(percent) / US_PER_MS);
  return {
    p50Ms: atMs(50),
    p99Ms: atMs(99),
    p999Ms: atMs(99.9),
    maxMs: histogram.count === 0 ? 0 : histogram.max / US_PER_MS,
  };
}
