// The open loop: requests are due at a fixed rate, whatever the server does, and a latency is counted from the instant at
// which its request was due. So a server that stalls is charged for every request that could not even be sent meanwhile
// (no coordinated omission). It knows no clock and no socket of its own.
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { LATENCY_MAX_US } from '../limits.js';
import type { LoadRequest } from '../servers/game-client.js';
import { failureText, type Latencies, type RequestSource } from './load.js';
import type { Reply } from './reply-reader.js';

/** Something that carries one request at a time. */
export interface Sender {
  /** @param onReply called with the reply, or with undefined if the connection broke */
  send(request: LoadRequest, onReply: (reply: Reply | undefined) => void): void;
}

export interface OpenPace {
  readonly ratePerSecond: number;
  /** Requests in all. */
  readonly count: number;
  /** Requests that are due in one window of the result. */
  readonly windowCount: number;
}

export interface OpenWindow extends Latencies {
  /** Replies that came in this window, by the clock. */
  readonly answered: number;
}

export interface OpenLoopResult extends OpenWindow {
  /** From the first due instant to the last reply. */
  readonly elapsedMs: number;
  /** Replies with another status than 2xx or about something else, broken connections, and requests without a reply. */
  readonly failures: number;
  /** What is known of the first one. */
  readonly firstFailure?: string;
  readonly windows: readonly OpenWindow[];
}

const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;

export class OpenLoop {
  readonly #pace: OpenPace;
  readonly #idle: Sender[];
  readonly #source: RequestSource;
  readonly #nowUs: () => number;
  readonly #startUs: number;
  readonly #latencies = latencyHistogram();
  readonly #windowLatencies = latencyHistogram();
  readonly #windows: OpenWindow[] = [];
  #sent = 0;
  #finished = 0;
  #failures = 0;
  #firstFailure: string | undefined;
  #answered = 0;
  #windowAnswered = 0;
  #lastReplyUs: number;

  /** The first request is due at once. @param nowUs a clock in microseconds that only ever grows */
  constructor(pace: OpenPace, senders: readonly Sender[], source: RequestSource, nowUs: () => number) {
    this.#pace = pace;
    this.#idle = [...senders];
    this.#source = source;
    this.#nowUs = nowUs;
    this.#startUs = nowUs();
    this.#lastReplyUs = this.#startUs;
  }

  /** Everything that was due has been sent, and answered or given up. */
  get isOver(): boolean {
    return this.#finished === this.#pace.count;
  }

  /** The last request is due, or was. */
  get isAllDue(): boolean {
    return this.#nowUs() >= this.#dueUs(this.#pace.count - 1);
  }

  /** Sends what is due by now, as far as senders are free. To be called all the time. */
  step(): void {
    const nowUs = this.#nowUs();
    this.#closeWindows(nowUs);
    while (this.#sent < this.#pace.count && this.#dueUs(this.#sent) <= nowUs) {
      const sender = this.#idle.pop();
      if (sender === undefined) return;
      this.#send(sender, this.#dueUs(this.#sent));
      this.#sent += 1;
    }
  }

  /** What was measured. Requests without a reply count as failures that took until now. */
  result(): OpenLoopResult {
    const nowUs = this.#nowUs();
    for (let index = this.#finished; index < this.#pace.count; index += 1) {
      this.#failed('a request was not answered');
      this.#record(nowUs - Math.min(this.#dueUs(index), nowUs));
    }
    if (this.#windowLatencies.count > 0) this.#endWindow();
    return {
      ...latenciesOf(this.#latencies),
      answered: this.#answered,
      elapsedMs: (this.#lastReplyUs - this.#startUs) / US_PER_MS,
      failures: this.#failures,
      ...(this.#firstFailure === undefined ? {} : { firstFailure: this.#firstFailure }),
      windows: this.#windows,
    };
  }

  #send(sender: Sender, dueUs: number): void {
    const request = this.#source.next();
    sender.send(request, (reply) => {
      const nowUs = this.#nowUs();
      this.#finished += 1;
      this.#lastReplyUs = nowUs;
      this.#record(nowUs - dueUs);
      if (reply !== undefined) {
        this.#answered += 1;
        this.#windowAnswered += 1;
      }
      this.#check(request, reply);
      this.#idle.push(sender);
      // The next one may have been waiting for this sender.
      this.step();
    });
  }

  #check(request: LoadRequest, reply: Reply | undefined): void {
    const isSuccess = reply !== undefined && reply.status >= 200 && reply.status <= 299;
    const body = reply !== undefined && this.#source.readsBodies ? reply.body.toString() : '';
    const isRight = this.#source.answered(request, body, isSuccess);
    if (reply === undefined) this.#failed('a connection broke');
    else if (!isSuccess || !isRight) this.#failed(failureText(reply.status, reply.body.toString()));
  }

  #failed(text: string): void {
    this.#failures += 1;
    this.#firstFailure ??= text;
  }

  #record(latencyUs: number): void {
    const counted = Math.min(Math.max(Math.round(latencyUs), 1), LATENCY_MAX_US);
    this.#latencies.record(counted);
    this.#windowLatencies.record(counted);
  }

  /** Windows end at the instants at which their last requests are due. */
  #closeWindows(nowUs: number): void {
    const { windowCount, count } = this.#pace;
    while ((this.#windows.length + 1) * windowCount < count) {
      if (nowUs < this.#dueUs((this.#windows.length + 1) * windowCount)) return;
      this.#endWindow();
    }
  }

  #endWindow(): void {
    this.#windows.push({ answered: this.#windowAnswered, ...latenciesOf(this.#windowLatencies) });
    this.#windowAnswered = 0;
    this.#windowLatencies.reset();
  }

  #dueUs(index: number): number {
    return this.#startUs + (index * US_PER_SECOND) / this.#pace.ratePerSecond;
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
