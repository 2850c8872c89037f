// A player with a small client: it sends one request at a time and, if the outcome is unknown, repeats it with the same
// key until there is an answer.
import type { WorldCommand } from '../../engine/commands/table.js';
import type { Answer } from './request-handler.js';

export interface PlayerRequest {
  /** Unique in a run. */
  readonly number: number;
  /** Its idempotency key: its own, or one that others use too. */
  readonly key: string;
  /** More than one: a batch, all of it or nothing on disk. */
  readonly commands: readonly WorldCommand[];
  /** How far the operator first moves a manual clock; 0 for not at all. */
  readonly advanceMs: number;
  /** Undefined as long as its client knows of none. */
  answer: Answer | undefined;
}

export class PlayerBot {
  #pending: PlayerRequest | undefined;
  #isWaiting = false;

  constructor(readonly number: number) {}

  /** Whether the request is on its way, as far as the client knows. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** The request whose outcome it wants to know. */
  get pending(): PlayerRequest | undefined {
    return this.#pending;
  }

  /** Repeats the request of unknown outcome, or else sends a new one. */
  send(next: () => PlayerRequest): PlayerRequest {
    this.#pending ??= next();
    this.#isWaiting = true;
    return this.#pending;
  }

  /** A reply arrived: to this request, or a late one to a request that was answered already. */
  hear(request: PlayerRequest, answer: Answer): void {
    if (request !== this.#pending) return;
    this.#isWaiting = false;
    if (answer.kind === 'turned away') return;
    request.answer = answer;
    this.#pending = undefined;
  }

  /** The connection broke: it is unknown whether the request has taken effect. */
  loseConnection(): void {
    this.#isWaiting = false;
  }
}
