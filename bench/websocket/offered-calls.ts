// Calls at a fixed rate, whatever the server does: latencies count from when a call was due (see open-loop.ts). It runs in a
// process of its own, and keeps when some commands were answered, to be compared with when their events arrived elsewhere.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Latencies } from '../end-to-end/load.js';
import { latenciesOf, latencyHistogram } from '../end-to-end/open-loop.js';
import { spin } from '../end-to-end/open-loop-run.js';
import { CALL_GRACE_MS, LATENCY_MAX_US } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import { CallClient, type CallConnection, type CallSlot, type CallTask } from './call-client.js';
import { sharedNowMs } from './shared-clock.js';

export interface OfferedCallTask extends CallTask {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** The commands of one planet in so many are kept. */
  readonly keptOneIn: number;
}

/** Instants of one planet's commands or events, in order. */
export interface PlanetInstants {
  readonly planetIndex: number;
  readonly atMs: readonly number[];
}

export interface OfferedCallResult extends Latencies {
  readonly answeredPerSecond: number;
  /** Commands that were accepted, those included that only undid what was left begun. */
  readonly accepted: number;
  readonly failures: number;
  readonly firstFailure?: string;
  /** See OpenRunResult. */
  readonly loaderPauseMaxMs: number;
  /** When accepted commands were due, and when their replies came, by the shared clock. */
  readonly dues: readonly PlanetInstants[];
  readonly replies: readonly PlanetInstants[];
}

/** Runs it in a child process. */
export function measureOfferedCalls(task: OfferedCallTask): Promise<OfferedCallResult> {
  return measureInChild(new URL(import.meta.url), task);
}

export async function measure(task: OfferedCallTask): Promise<OfferedCallResult> {
  const client = await CallClient.open(task);
  const loop = new OfferedCalls(client, task);
  const loaderPauseMaxMs = await spin(loop);
  const measured = loop.result();
  await loop.finish();
  client.close();
  const { failures, firstFailure } = client;
  return {
    ...measured,
    ...loop.kept(),
    accepted: loop.accepted,
    failures,
    ...(firstFailure === undefined ? {} : { firstFailure }),
    loaderPauseMaxMs,
  };
}

class OfferedCalls {
  accepted = 0;
  readonly #client: CallClient;
  readonly #msPerCall: number;
  readonly #count: number;
  readonly #keptOneIn: number;
  readonly #startMs = sharedNowMs();
  readonly #latencies = latencyHistogram();
  /** A ring of the slots that wait for nothing, so that all planets take turns. */
  readonly #idle: CallSlot[];
  #taken = 0;
  #returned: number;
  readonly #unflushed = new Set<CallConnection>();
  #sent = 0;
  #answered = 0;
  #lastReplyMs = this.#startMs;
  readonly #dues = new Map<number, number[]>();
  readonly #replies = new Map<number, number[]>();

  constructor(client: CallClient, { ratePerSecond, seconds, keptOneIn }: OfferedCallTask) {
    this.#client = client;
    this.#msPerCall = 1_000 / ratePerSecond;
    this.#count = Math.max(1, Math.round(ratePerSecond * seconds));
    this.#keptOneIn = keptOneIn;
    this.#idle = [...client.slots];
    this.#returned = this.#idle.length;
    client.onAnswer = this.#onAnswer;
  }

  get isOver(): boolean {
    return this.#answered >= this.#count;
  }

  get isAllDue(): boolean {
    return sharedNowMs() >= this.#dueMs(this.#count - 1);
  }

  /** Sends what is due by now, as far as slots are idle. */
  step(): void {
    const nowMs = sharedNowMs();
    while (this.#sent < this.#count && this.#dueMs(this.#sent) <= nowMs && this.#taken < this.#returned) {
      const slot = this.#idle[this.#taken % this.#idle.length] as CallSlot;
      this.#taken += 1;
      slot.connection.send(slot, this.#dueMs(this.#sent));
      this.#unflushed.add(slot.connection);
      this.#sent += 1;
    }
    for (const connection of this.#unflushed) connection.flush();
    this.#unflushed.clear();
  }

  /** Calls without a reply count as failures that took until now. */
  result(): Latencies & { readonly answeredPerSecond: number } {
    const nowMs = sharedNowMs();
    for (let lost = this.#answered; lost < this.#count; lost += 1) {
      this.#client.failed('a call was not answered');
      this.#record(nowMs - Math.min(this.#dueMs(lost), nowMs));
    }
    const elapsedMs = Math.max(this.#lastReplyMs - this.#startMs, 1);
    return { ...latenciesOf(this.#latencies), answeredPerSecond: (this.#answered * 1_000) / elapsedMs };
  }

  /** Undoes what is begun, which is not measured. */
  async finish(): Promise<void> {
    const begun = this.#client.slots.filter(({ isBegun, isWaiting }) => isBegun && !isWaiting);
    for (const slot of begun) slot.connection.send(slot, sharedNowMs());
    for (const connection of this.#client.connections) connection.flush();
    const deadlineMs = sharedNowMs() + CALL_GRACE_MS;
    while (this.#client.slots.some(({ isWaiting }) => isWaiting) && sharedNowMs() < deadlineMs) await sleep(1);
    if (this.#client.slots.some(({ isBegun }) => isBegun)) this.#client.failed('not everything could be undone');
  }

  kept(): Pick<OfferedCallResult, 'dues' | 'replies'> {
    const list = (instants: ReadonlyMap<number, number[]>) =>
      [...instants].map(([planetIndex, atMs]) => ({ planetIndex, atMs }));
    return { dues: list(this.#dues), replies: list(this.#replies) };
  }

  readonly #onAnswer = (slot: CallSlot, planetIndex: number, isSuccess: boolean): void => {
    const nowMs = sharedNowMs();
    if (isSuccess) {
      this.accepted += 1;
      if (planetIndex % this.#keptOneIn === 0) {
        listOf(this.#dues, planetIndex).push(slot.sinceMs);
        listOf(this.#replies, planetIndex).push(nowMs);
      }
    }
    if (this.#answered === this.#count) return;
    this.#answered += 1;
    this.#lastReplyMs = nowMs;
    this.#record(nowMs - slot.sinceMs);
    this.#idle[this.#returned % this.#idle.length] = slot;
    this.#returned += 1;
  };

  #record(latencyMs: number): void {
    this.#latencies.record(Math.min(Math.max(1, Math.round(latencyMs * 1_000)), LATENCY_MAX_US));
  }

  #dueMs(index: number): number {
    return this.#startMs + index * this.#msPerCall;
  }
}

export function listOf(lists: Map<number, number[]>, key: number): number[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const added: number[] = [];
  lists.set(key, added);
  return added;
}
