// Counts what a swarm does. The command line shows it. A refusal is an answer by a rule of the game; an error is a fault of the swarm,
// of a bot or of the server.
import type { Operation, Result } from '../galaxyd-client.js';
import { ERROR_WORDS_MAX, TIME_STEPS_PER_OCTAVE } from '../limits.js';

/** What a swarm reports at its end. */
export interface SwarmSummary {
  readonly bots: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly transport: 'websocket' | 'http';
  readonly seconds: number;
  /** Commands that were answered, including refused ones. */
  readonly commands: number;
  readonly commandsPerSecond: number;
  readonly reads: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly wakes: number;
  /** Commands and reads refused by a rule of the game, by code. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Time from sending a command to its answer. */
  readonly latencyMs: Percentiles;
  /** Time from the instant at which a bot wanted to be woken to its wake. */
  readonly lateMs: Percentiles;
  /** Wakes that ended because the server was unreachable or overloaded. The bots continued later. */
  readonly interruptions: number;
  readonly errors: number;
  /** Messages of the first errors. */
  readonly errorWords: readonly string[];
}

/** HTTP statuses of refusals. All others are faults of the client or of the server. */
const RULE_STATUSES = new Set([403, 404, 409, 422]);
/** Codes with such a status that do not come from the rules of the game. */
const NO_RULES = new Set([
  'forbidden',
  'read_only',
  'registration_closed',
  'route_not_found',
  'idempotency_key_in_flight',
  'idempotency_key_reused',
]);
/** HTTP statuses of a server that is overloaded or stops. */
const PASSING_STATUSES = new Set([429, 503]);

export class Measures {
  #beganAtMs = performance.now();
  readonly refusals = new Map<string, number>();
  readonly errorWords: string[] = [];
  readonly #latency = new DurationHistogram();
  readonly #late = new DurationHistogram();
  commands = 0;
  reads = 0;
  events = 0;
  wakes = 0;
  interruptions = 0;
  errors = 0;

  /** Starts the time. Called before the first bot plays. */
  begin(): void {
    this.#beganAtMs = performance.now();
  }

  /** Counts an answered operation. */
  answered({ method, path }: Operation, result: Result<unknown>, durationMs: number): void {
    if (method === 'GET' || path === SIMULATE) this.reads += 1;
    else {
      this.commands += 1;
      this.#latency.add(durationMs);
    }
    if (!result.ok) this.#refused(method, path, result);
  }

  woken(lateMs: number): void {
    this.wakes += 1;
    this.#late.add(lateMs);
  }

  error(words: string): void {
    this.errors += 1;
    if (this.errorWords.length < ERROR_WORDS_MAX && !this.errorWords.includes(words)) this.errorWords.push(words);
  }

  /** Whether a refusal follows from a rule of the game. */
  static isRule(status: number, code: string): boolean {
    return RULE_STATUSES.has(status) && !NO_RULES.has(code);
  }

  static isPassing(status: number): boolean {
    return PASSING_STATUSES.has(status);
  }

  get latencyMs(): Percentiles {
    return this.#latency.percentiles;
  }

  get lateMs(): Percentiles {
    return this.#late.percentiles;
  }

  get seconds(): number {
    return (performance.now() - this.#beganAtMs) / 1_000;
  }

  #refused(method: string, path: string, { status, code, problem }: Extract<Result<unknown>, { ok: false }>): void {
    if (Measures.isRule(status, code)) this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    else if (!PASSING_STATUSES.has(status)) {
      this.error(`${method} ${path} was answered with ${status} ${code}: ${problem?.detail ?? ''}`);
    }
  }
}

const SIMULATE = '/api/fleet/simulate';

/** Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

const MICROSECONDS = 1_000;
const OCTAVES = 40;

/** Counts durations in steps of 9 %, so that millions of them take a few kilobytes. */
export class DurationHistogram {
  readonly #counts = new Float64Array(OCTAVES * TIME_STEPS_PER_OCTAVE);
  #count = 0;
  #maxMs = 0;

  add(durationMs: number): void {
    const octaves = Math.log2(Math.max(1, durationMs * MICROSECONDS));
    const step = Math.min(this.#counts.length - 1, Math.floor(octaves * TIME_STEPS_PER_OCTAVE));
    this.#counts[step] = (this.#counts[step] ?? 0) + 1;
    this.#count += 1;
    this.#maxMs = Math.max(this.#maxMs, durationMs);
  }

  /** All 0 if nothing was measured. */
  get percentiles(): Percentiles {
    return { p50: this.#share(0.5), p90: this.#share(0.9), p99: this.#share(0.99), max: rounded(this.#maxMs) };
  }

  /** The upper end of the step up to which a share of the durations lies. */
  #share(share: number): number {
    let left = Math.ceil(share * this.#count);
    if (left === 0) return 0;
    for (const [step, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return rounded(Math.min(this.#maxMs, 2 ** ((step + 1) / TIME_STEPS_PER_OCTAVE) / MICROSECONDS));
    }
    return rounded(this.#maxMs);
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
