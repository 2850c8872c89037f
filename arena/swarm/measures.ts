// What a swarm has done: counted here, shown by the command line. A refusal is an answer by a rule of the game; an error is a fault of
// the swarm, of a bot or of the server.
import type { Operation, Result } from '../galaxyd-client.js';
import { ERROR_WORDS_MAX } from '../limits.js';
import { type Percentiles, Times } from './times.js';

/** What a swarm reports, once and at the end. */
export interface SwarmSummary {
  readonly bots: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly transport: 'websocket' | 'http';
  readonly seconds: number;
  /** Commands that were answered, the refused ones included. */
  readonly commands: number;
  readonly commandsPerSecond: number;
  readonly reads: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly wakes: number;
  /** Commands and reads refused by a rule of the game, by code. */
  readonly refusals: Readonly<Record<string, number>>;
  /** From sending a command to its answer. */
  readonly latencyMs: Percentiles;
  /** From the instant that a bot wanted to be woken at to its wake. */
  readonly lateMs: Percentiles;
  /** Wakes that ended because the server was gone or overloaded; the bots went on later. */
  readonly interruptions: number;
  readonly errors: number;
  /** The first errors, in words. */
  readonly errorWords: readonly string[];
}

/** The rest of the statuses are faults of who asked, or of the server. */
const RULE_STATUSES = new Set([403, 404, 409, 422]);
/** Refusals with such a status that are no rule of the game. */
const NO_RULES = new Set([
  'forbidden',
  'read_only',
  'registration_closed',
  'route_not_found',
  'idempotency_key_in_flight',
  'idempotency_key_reused',
]);
/** The server had no time, or was about to stop. */
const PASSING_STATUSES = new Set([429, 503]);

export class Measures {
  #beganAtMs = performance.now();
  readonly refusals = new Map<string, number>();
  readonly errorWords: string[] = [];
  readonly #latency = new Times();
  readonly #late = new Times();
  commands = 0;
  reads = 0;
  events = 0;
  wakes = 0;
  interruptions = 0;
  errors = 0;

  /** The first bot is about to play: from now on time counts. */
  begin(): void {
    this.#beganAtMs = performance.now();
  }

  /** An operation was answered. */
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

  /** Whether a refusal with a status and a code is a rule of the game. */
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
