// Two loops of calls, each in a process of its own. Closed: every slot sends its next call when it has the reply to the previous one.
// Offered: calls are due at a fixed rate, whatever the server does, and latencies count from when a call was due (see open-loop.ts).
import { setTimeout as sleep } from 'node:timers/promises';
import { CALL_GRACE_MS, CALL_WARM_UP_MS, LATENCY_MAX_US } from '../limits.js';
import type { Failures, Latencies } from '../loads/load.js';
import { DueLoop, latenciesOf, latencyHistogram, spin } from '../loads/open-loop.js';
import { measureInChild, sharedNowMs } from '../processes/child-measurement.js';
import { CallClient, type CallConnection, type CallSlot, type CallTask } from './call-client.js';

export interface ClosedCallTask extends CallTask {
  readonly seconds: number;
  /** How long it waits for replies at its end; CALL_GRACE_MS by default. */
  readonly graceMs?: number;
}

export interface CallMeasurement extends Latencies, Failures {
  readonly commandsPerSecond: number;
  /** Replies in all, and those of them that were 2xx. */
  readonly commandCount: number;
  readonly accepted: number;
  /** Processor time of the loader's process for a command. */
  readonly loaderUs: number;
}

export interface OfferedCallTask extends CallTask {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** The commands of one planet in this many are kept. */
  readonly keptOneIn: number;
}

/** Instants of one planet's commands or events, in order. */
export interface PlanetInstants {
  readonly planetIndex: number;
  readonly atMs: readonly number[];
}

export interface OfferedCallResult extends Latencies, Failures {
  readonly answeredPerSecond: number;
  /** Commands that were accepted, those included that only undid what was left begun. */
  readonly accepted: number;
  /** See OpenRunResult. */
  readonly loaderPauseMaxMs: number;
  /** When accepted commands were due, and when their replies came, by the shared clock. */
  readonly dues: readonly PlanetInstants[];
  readonly replies: readonly PlanetInstants[];
}

/** The latencies of one slot in this many are recorded: recording takes as long as counting a few replies. */
const RECORDED_ONE_IN = 8;
const US_PER_MS = 1_000;

/** Runs a closed loop of calls in a child process. */
export function measureCalls(task: ClosedCallTask): Promise<CallMeasurement> {
  return measureInChild(new URL(import.meta.url), task);
}

/** Offers calls from a child process. */
export function measureOfferedCalls(task: OfferedCallTask): Promise<OfferedCallResult> {
  return measureInChild(new URL(import.meta.url), task);
}

export async function measure(task: ClosedCallTask | OfferedCallTask): Promise<CallMeasurement | OfferedCallResult> {
  const client = await CallClient.open(task);
  const measured = await ('ratePerSecond' in task ? offer(client, task) : repeat(client, task));
  client.close();
  const { failures, firstFailure } = client;
  return { ...measured, failures, firstFailure };
}

async function repeat(client: CallClient, { seconds, graceMs = CALL_GRACE_MS }: ClosedCallTask) {
  const loop = new ClosedCalls(client);
  loop.start();
  await sleep(CALL_WARM_UP_MS);
  const startedMs = performance.now();
  const usedBefore = process.cpuUsage();
  const countBefore = loop.commandCount;
  loop.latencies.reset();
  await sleep(seconds * 1000);
  const elapsedMs = performance.now() - startedMs;
  const used = process.cpuUsage(usedBefore);
  const answered = loop.commandCount - countBefore;
  const latencies = latenciesOf(loop.latencies);
  await loop.finish(graceMs);
  const { commandCount, accepted } = loop;
  const loaderUs = (used.user + used.system) / answered;
  return { ...latencies, commandCount, accepted, commandsPerSecond: (answered * 1000) / elapsedMs, loaderUs };
}

async function offer(client: CallClient, task: OfferedCallTask) {
  const loop = new OfferedCalls(client, task);
  const loaderPauseMaxMs = await spin(loop);
  const measured = loop.result();
  await loop.finishAll();
  const { accepted, dues, replies } = loop;
  return { ...measured, accepted, dues: instantsIn(dues), replies: instantsIn(replies), loaderPauseMaxMs };
}

class ClosedCalls {
  readonly latencies = latencyHistogram();
  commandCount = 0;
  accepted = 0;
  readonly #client: CallClient;
  readonly #recorded: ReadonlySet<CallSlot>;
  #waiting = 0;
  #nowMs = 0;
  #isEnding = false;

  constructor(client: CallClient) {
    this.#client = client;
    this.#recorded = new Set(client.slots.filter((_, index) => index % RECORDED_ONE_IN === 0));
    client.onAnswer = this.#onAnswer;
    client.onRead = () => {
      this.#nowMs = 0;
    };
  }

  start(): void {
    const nowMs = performance.now();
    for (const slot of this.#client.slots) slot.connection.send(slot, nowMs);
    this.#waiting = this.#client.slots.length;
    for (const connection of this.#client.connections) connection.flush();
  }

  /** Undoes what is begun. What is still unanswered after the grace counts as failures. */
  async finish(graceMs: number): Promise<void> {
    this.#isEnding = true;
    const deadlineMs = performance.now() + graceMs;
    while (this.#waiting > 0 && performance.now() < deadlineMs) await sleep(1);
    for (let lost = 0; lost < this.#waiting; lost += 1) this.#client.failed('a call was not answered');
  }

  readonly #onAnswer = (slot: CallSlot, _planetIndex: number, isSuccess: boolean): void => {
    // The clock is read once for all replies of a read.
    if (this.#nowMs === 0) this.#nowMs = performance.now();
    this.commandCount += 1;
    if (isSuccess) this.accepted += 1;
    if (this.#recorded.has(slot)) this.latencies.record(recordable(this.#nowMs - slot.sinceMs));
    if (this.#isEnding && !slot.isBegun) this.#waiting -= 1;
    else slot.connection.send(slot, this.#nowMs);
  };
}

class OfferedCalls extends DueLoop<CallSlot> {
  accepted = 0;
  readonly dues = new Map<number, number[]>();
  readonly replies = new Map<number, number[]>();
  readonly #client: CallClient;
  readonly #keptOneIn: number;
  readonly #unflushed = new Set<CallConnection>();
  readonly #startMs = sharedNowMs();
  #answered = 0;
  #lastReplyMs = this.#startMs;

  constructor(client: CallClient, { ratePerSecond, seconds, keptOneIn }: OfferedCallTask) {
    const count = Math.max(1, Math.round(ratePerSecond * seconds));
    super({ ratePerSecond, count }, client.slots, () => sharedNowMs() * US_PER_MS);
    this.#client = client;
    this.#keptOneIn = keptOneIn;
    client.onAnswer = this.#onAnswer;
  }

  override step(): void {
    super.step();
    for (const connection of this.#unflushed) connection.flush();
    this.#unflushed.clear();
  }

  protected override send(slot: CallSlot, dueUs: number): void {
    slot.connection.send(slot, dueUs / US_PER_MS);
    this.#unflushed.add(slot.connection);
  }

  /** Calls without a reply count as failures. */
  result(): Latencies & { readonly answeredPerSecond: number } {
    for (let lost = this.giveUp(); lost > 0; lost -= 1) this.#client.failed('a call was not answered');
    const elapsedMs = Math.max(this.#lastReplyMs - this.#startMs, 1);
    return { ...latenciesOf(this.latencies), answeredPerSecond: (this.#answered * 1_000) / elapsedMs };
  }

  /** Undoes what is begun, which is not measured. */
  async finishAll(): Promise<void> {
    const { slots, connections } = this.#client;
    for (const slot of slots) if (slot.isBegun && !slot.isWaiting) slot.connection.send(slot, sharedNowMs());
    for (const connection of connections) connection.flush();
    const deadlineMs = sharedNowMs() + CALL_GRACE_MS;
    while (slots.some(({ isWaiting }) => isWaiting) && sharedNowMs() < deadlineMs) await sleep(1);
    if (slots.some(({ isBegun }) => isBegun)) this.#client.failed('not everything could be undone');
  }

  readonly #onAnswer = (slot: CallSlot, planetIndex: number, isSuccess: boolean): void => {
    const nowMs = sharedNowMs();
    if (isSuccess) {
      this.accepted += 1;
      if (planetIndex % this.#keptOneIn === 0) {
        listOf(this.dues, planetIndex).push(slot.sinceMs);
        listOf(this.replies, planetIndex).push(nowMs);
      }
    }
    if (this.isOver) return;
    this.#answered += 1;
    this.#lastReplyMs = nowMs;
    this.finish(slot, slot.sinceMs * US_PER_MS);
  };
}

/** Converts a latency to whole microseconds. */
function recordable(latencyMs: number): number {
  return Math.min(Math.max(1, Math.round(latencyMs * US_PER_MS)), LATENCY_MAX_US);
}

export function listOf(lists: Map<number, number[]>, key: number): number[] {
  const known = lists.get(key) ?? [];
  if (known.length === 0) lists.set(key, known);
  return known;
}

export function instantsIn(lists: ReadonlyMap<number, number[]>): PlanetInstants[] {
  return [...lists].map(([planetIndex, atMs]) => ({ planetIndex, atMs }));
}
