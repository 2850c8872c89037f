// One run against one server: cases from a seed on several connections at once, then the storms, beside an innocent
// client, and at the end the checks of the server.
import { drawCase, type TortureCase } from './cases.js';
import { deliver, type Verdict } from './delivery.js';
import { InnocentClient, type InnocentFigures } from './innocent-client.js';
import { type ServerPlan, ServerUnderTest } from './server-under-test.js';
import { type StormFigures, type StormSizes, Storms } from './storms.js';
import { TRANSPORTS } from './transports.js';

export interface RunPlan extends ServerPlan {
  readonly seed: number;
  /** Minimum number of requests; the last case is completed. */
  readonly requests: number;
  /** Only the cases of these numbers, instead. */
  readonly only?: readonly number[];
  /** None if omitted. */
  readonly storms?: StormSizes;
  /** Whether memory is measured; a short run ends before it settles. */
  readonly isMemoryJudged: boolean;
}

export interface FailedCase {
  readonly torture: TortureCase;
  readonly faults: readonly string[];
}

export interface RunFigures {
  readonly seed: number;
  readonly transport: string;
  readonly auth: string;
  readonly requests: number;
  readonly connections: number;
  readonly seconds: number;
  /** How often each status came. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly innocent: InnocentFigures;
  /** Mebibytes of the server's own memory; null if not measured. */
  readonly memoryMib: { readonly afterWarmUp: number; readonly atEnd: number } | null;
  readonly storms: StormFigures | null;
}

export interface RunResult {
  readonly figures: RunFigures;
  readonly failedCases: readonly FailedCase[];
  /** Faults that do not belong to a case. */
  readonly faults: readonly string[];
  /** The cases that were under way when the server ended; none if it did not. */
  readonly lastCases: readonly TortureCase[];
}

/** Reports the progress of a run. */
export type ReportProgress = (share: number, what: string) => void;

/** Number of concurrent connections. */
const LANES = 16;
/** Failed cases after which the run stops. */
const FAILED_CASES_MAX = 5;
/** Share of the requests after which the memory of a server that keeps nothing no longer grows. */
const WARM_UP_SHARE = 0.3;
/** Growth after the warm-up that is attributed to the garbage collector. A leak of 1 KiB per request would be more. */
export const MEMORY_GROWTH_BYTES_MAX = 96 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

export async function torture(plan: RunPlan, tell: ReportProgress = () => {}): Promise<RunResult> {
  const server = await ServerUnderTest.start(plan);
  return await new Run(plan, server, tell).result();
}

class Run {
  readonly #startMs = performance.now();
  readonly #innocent: InnocentClient;
  readonly #failedCases: FailedCase[] = [];
  readonly #faults: string[] = [];
  readonly #statuses: Record<string, number> = {};
  #next = 0;
  #requests = 0;
  #connections = 0;
  #warmMemoryBytes: number | null = null;
  readonly #lastCases: TortureCase[] = [];

  constructor(
    private readonly plan: RunPlan,
    private readonly server: ServerUnderTest,
    private readonly tell: ReportProgress,
  ) {
    this.#innocent = new InnocentClient(server.url, server.world);
  }

  async result(): Promise<RunResult> {
    await Promise.all(Array.from({ length: LANES }, () => this.#lane()));
    const memoryMib = await this.#memory();
    const storms = this.server.hasEnded ? null : await this.#storms();
    await this.#innocent.leave();
    // Missing answers are not faults of their own once the server is gone.
    if (!this.server.hasEnded) this.#faults.push(...this.#innocent.faults);
    this.#faults.push(...(await this.server.finish()));
    const { seed, transport, auth } = this.plan;
    const figures = {
      seed,
      transport,
      auth,
      requests: this.#requests,
      connections: this.#connections,
      seconds: Math.round((performance.now() - this.#startMs) / 100) / 10,
      statuses: this.#statuses,
      innocent: this.#innocent.figures,
      memoryMib,
      storms,
    };
    return { figures, failedCases: this.#failedCases, faults: this.#faults, lastCases: this.#lastCases };
  }

  async #lane(): Promise<void> {
    for (let torture = this.#nextCase(); torture !== null; torture = this.#nextCase()) {
      const verdict = await deliver(torture, this.server.address, TRANSPORTS[this.plan.transport]);
      await this.#note(torture, verdict);
      await this.#measureWarm();
    }
  }

  /** @returns null if it is enough */
  #nextCase(): TortureCase | null {
    const { seed, requests, only } = this.plan;
    const isEnough = only === undefined ? this.#requests >= requests : this.#next >= only.length;
    if (isEnough || this.server.hasEnded || this.#failedCases.length >= FAILED_CASES_MAX) return null;
    const torture = drawCase(seed, only?.[this.#next] ?? this.#next, this.server.world);
    this.#next += 1;
    this.#connections += 1;
    return torture;
  }

  async #note(torture: TortureCase, { faults, statuses, sentShare, error }: Verdict): Promise<void> {
    this.#requests += Math.ceil(torture.requests.length * sentShare);
    const share = Math.min(this.#requests / this.plan.requests, 1);
    this.tell(share, `${this.#requests} requests, ${this.#failedCases.length} failed`);
    for (const [status, count] of statuses) this.#statuses[status] = (this.#statuses[status] ?? 0) + count;
    if (faults.length === 0 && error === null) return;
    // All missing answers of a server that is gone have the same cause.
    if (!(await this.server.isAlive())) this.#lastCases.push(torture);
    else if (faults.length > 0) this.#failedCases.push({ torture, faults });
  }

  async #measureWarm(): Promise<void> {
    if (!this.plan.isMemoryJudged || this.#warmMemoryBytes !== null) return;
    if (this.#requests < this.plan.requests * WARM_UP_SHARE) return;
    this.#warmMemoryBytes = 0;
    this.#warmMemoryBytes = await this.server.memoryBytes();
  }

  async #memory(): Promise<RunFigures['memoryMib']> {
    if (this.#warmMemoryBytes === null || this.server.hasEnded) return null;
    const endBytes = await this.server.memoryBytes();
    if (endBytes === null) return null;
    const afterWarmUp = Math.round(this.#warmMemoryBytes / MEBIBYTE);
    const atEnd = Math.round(endBytes / MEBIBYTE);
    if (endBytes - this.#warmMemoryBytes > MEMORY_GROWTH_BYTES_MAX) {
      this.#faults.push(`the server's memory grew from ${afterWarmUp} to ${atEnd} MiB after the warm-up`);
    }
    return { afterWarmUp, atEnd };
  }

  async #storms(): Promise<StormFigures | null> {
    const { storms: sizes, seed, transport } = this.plan;
    if (sizes === undefined || this.#failedCases.length > 0) return null;
    const storms = new Storms(seed, this.server, TRANSPORTS[transport], this.#innocent);
    const figures = await storms.run(sizes, (storm) => {
      this.tell(1, storm);
    });
    this.#faults.push(...storms.faults);
    return figures;
  }
}
