// A closed loop of calls: every slot sends its next call when it has the reply to the previous one. It runs in a process of its own,
// and reports the processor time of that process.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Latencies } from '../end-to-end/load.js';
import { latenciesOf, latencyHistogram } from '../end-to-end/open-loop.js';
import { CALL_GRACE_MS, CALL_WARM_UP_MS } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import { CallClient, type CallSlot, type CallTask } from './call-client.js';

export interface ClosedCallTask extends CallTask {
  readonly seconds: number;
  /** How long it waits for replies at its end; CALL_GRACE_MS by default. */
  readonly graceMs?: number;
}

export interface CallMeasurement extends Latencies {
  readonly commandsPerSecond: number;
  /** Replies other than 2xx, lost ones, broken connections. */
  readonly failures: number;
  /** Text of the first one. */
  readonly firstFailure?: string;
  /** Replies in all, and those of them that were 2xx. */
  readonly commandCount: number;
  readonly accepted: number;
  /** Those that were counted, after the warm-up. */
  readonly answered: number;
  /** Processor time of the loader's process meanwhile. */
  readonly loaderSeconds: number;
}

/** The latencies of one slot in this many are recorded: recording takes as long as counting a few replies. */
const RECORDED_ONE_IN = 8;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;

/** Runs a closed loop of calls in a child process. */
export function measureCalls(task: ClosedCallTask): Promise<CallMeasurement> {
  return measureInChild(new URL(import.meta.url), task);
}

export async function measure(task: ClosedCallTask): Promise<CallMeasurement> {
  const client = await CallClient.open(task);
  const loop = new CallLoop(client);
  loop.start();
  await sleep(CALL_WARM_UP_MS);
  const startedMs = performance.now();
  const usedBefore = process.cpuUsage();
  loop.beginCounting();
  await sleep(task.seconds * 1000);
  const elapsedMs = performance.now() - startedMs;
  const used = process.cpuUsage(usedBefore);
  const counted = loop.endCounting();
  await loop.finish(task.graceMs ?? CALL_GRACE_MS);
  client.close();
  const { failures, firstFailure } = client;
  return {
    ...counted,
    commandCount: loop.commandCount,
    accepted: loop.accepted,
    commandsPerSecond: (counted.answered * 1000) / elapsedMs,
    loaderSeconds: (used.user + used.system) / US_PER_SECOND,
    failures,
    ...(firstFailure === undefined ? {} : { firstFailure }),
  };
}

class CallLoop {
  readonly #client: CallClient;
  readonly #latencies = latencyHistogram();
  readonly #recorded: ReadonlySet<CallSlot>;
  commandCount = 0;
  accepted = 0;
  #countedFrom = 0;
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

  beginCounting(): void {
    this.#countedFrom = this.commandCount;
    this.#latencies.reset();
  }

  endCounting(): Latencies & { readonly answered: number } {
    return { answered: this.commandCount - this.#countedFrom, ...latenciesOf(this.#latencies) };
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
    if (this.#recorded.has(slot)) this.#record(this.#nowMs - slot.sinceMs);
    if (this.#isEnding && !slot.isBegun) this.#waiting -= 1;
    else slot.connection.send(slot, this.#nowMs);
  };

  #record(latencyMs: number): void {
    this.#latencies.record(Math.max(1, Math.round(latencyMs * US_PER_MS)));
  }
}
