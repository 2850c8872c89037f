// Calls over the WebSocket that have no reply yet: in flight as many as the server accepts, the others in a queue. If the connection is
// lost, all of them wait for the next one, in the same order; only one that must not be sent twice fails. A swarm makes thousands of
// calls a second, so a call has neither a timer nor a signal of its own: one timer watches the oldest.

import type { CallFrame, ReplyFrame } from './connection.js';
import { NoReply } from './errors.js';
import { SOCKET_CALLS_MAX, TIMER_MS_MAX } from './limits.js';
import { isPassing, isTemporary, pauseMsBefore, type Refusal } from './retries.js';

/** A handover refers each call several times. */
const REFERRALS_PER_ATTEMPT = 4;

export type CallRequest = Omit<CallFrame, 'op' | 'id'>;

export interface CallLimits {
  /** Times that a refused call is sent. */
  readonly attempts: number;
  /** Time that a call may take. */
  readonly deadlineMs: number;
}

/** How one call is made. */
export interface CallTerms {
  /** False if it takes effect each time that it arrives: then it is not sent again once its outcome is unknown. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A call without a reply: it waits, is in flight, or pauses until it is sent again. */
interface OpenCall {
  readonly frame: CallFrame;
  readonly terms: CallTerms;
  readonly deadlineAtMs: number;
  refusals: number;
  /** An instant of performance.now(). */
  sentAtMs: number;
  /** Sends it again after a refusal. */
  pause: ReturnType<typeof setTimeout> | undefined;
  readonly onAbort: (() => void) | null;
  readonly settle: (reply: ReplyFrame) => void;
  readonly fail: (error: unknown) => void;
}

export class SocketCalls {
  readonly #limits: CallLimits;
  readonly #changed: () => void;
  /** All of them, the oldest first; so is the first deadline. */
  readonly #open = new Map<number, OpenCall>();
  #waiting = new Map<number, OpenCall>();
  #inFlight = new Map<number, OpenCall>();
  #deadlineTimer: ReturnType<typeof setTimeout> | undefined;
  /** Called once nothing is in flight; set while the calls wait for another server. */
  #drained: (() => void) | null = null;
  /** Null while there is no connection. */
  #send: ((frame: CallFrame) => void) | null = null;
  #callsMax = 0;
  #lastId = 0;
  /** Why a connection was lost since the first of the open calls, and since the last reply; '' if none was. */
  #lossReason = '';

  /** @param changed is called after the first call and after the last reply */
  constructor(limits: CallLimits, changed: () => void) {
    this.#limits = limits;
    this.#changed = changed;
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * Sends a call as soon as there is a connection that takes it.
   *
   * @returns its reply
   * @throws RangeError if too many have no reply; NoReply at the deadline; the reason of the signal if that is aborted
   */
  reply(request: CallRequest, terms: CallTerms): Promise<ReplyFrame> {
    const { signal } = terms;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#open.size >= SOCKET_CALLS_MAX) {
      return Promise.reject(new RangeError(`${SOCKET_CALLS_MAX} calls have no reply yet; await some of them first`));
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const frame: CallFrame = { op: 'call', id, ...request };
    return new Promise((settle, fail) => {
      const onAbort = signal === undefined ? null : (): void => this.#take(id)?.fail(signal.reason);
      if (onAbort !== null) signal?.addEventListener('abort', onAbort, { once: true });
      const deadlineAtMs = performance.now() + this.#limits.deadlineMs;
      const call: OpenCall = {
        frame,
        terms,
        deadlineAtMs,
        refusals: 0,
        sentAtMs: 0,
        pause: undefined,
        onAbort,
        settle,
        fail,
      };
      this.#open.set(id, call);
      this.#waiting.set(id, call);
      this.#sendMore();
      if (this.#open.size > 1) return;
      this.#lossReason = '';
      this.#watch(this.#limits.deadlineMs);
      this.#changed();
    });
  }

  /** There is a connection. @param callsMax calls that it accepts at a time */
  connected(send: (frame: CallFrame) => void, callsMax: number): void {
    this.#send = send;
    this.#callsMax = callsMax;
    this.#sendMore();
  }

  /** The connection is lost. What was in flight is sent again over the next one, before the others. */
  disconnected(reason: string): void {
    this.#send = null;
    this.#drained = null;
    this.#lossReason = reason;
    const inFlight = this.#inFlight;
    this.#inFlight = new Map();
    const again = new Map<number, OpenCall>();
    for (const [id, call] of inFlight) {
      if (call.terms.isRepeatable) again.set(id, call);
      else this.#failUnknown(id, 'the connection was lost before the reply');
    }
    for (const [id, call] of this.#waiting) again.set(id, call);
    // Those that were referred to another server have waited behind later ones.
    this.#waiting = new Map([...again].sort(([one], [other]) => one - other));
  }

  /** A reply has come; that to a call that was given up is ignored. */
  replied(reply: ReplyFrame): void {
    const call = this.#inFlight.get(reply.id);
    if (call === undefined) return;
    this.#lossReason = '';
    if (reply.status < 400 || !this.#pauses(reply.id, call, reply)) this.#take(reply.id)?.settle(reply);
    this.#checkDrained();
  }

  /** How long the oldest call in flight has been without a reply; 0 if there is none. */
  get silenceMs(): number {
    for (const { sentAtMs } of this.#inFlight.values()) return performance.now() - sentAtMs;
    return 0;
  }

  /** The path of a call in flight. */
  pathOf(id: number): string | undefined {
    return this.#inFlight.get(id)?.frame.path;
  }

  /**
   * The server does not take a call, and another one may: from now on calls wait. What is in flight is still answered.
   *
   * @param isCounted false if only the deadline ends it
   * @param drained called once nothing is in flight
   * @returns false if the call was sent too often: its refusal is its result
   */
  referred(id: number, isCounted: boolean, drained: () => void): boolean {
    const call = this.#inFlight.get(id);
    if (call === undefined) return true;
    if (isCounted) call.refusals += 1;
    if (call.refusals >= this.#limits.attempts * REFERRALS_PER_ATTEMPT) return false;
    this.#inFlight.delete(id);
    this.#waiting.set(id, call);
    this.whenDrained(drained);
    return true;
  }

  /** Calls wait from now on. @param drained called once nothing is in flight */
  whenDrained(drained: () => void): void {
    this.#drained ??= drained;
    this.#checkDrained();
  }

  #checkDrained(): void {
    if (this.#inFlight.size > 0) return;
    const drained = this.#drained;
    this.#drained = null;
    drained?.();
  }

  failAll(error: unknown): void {
    for (const id of [...this.#open.keys()]) this.#take(id)?.fail(error);
  }

  /** Fails all calls: it is not known whether they took effect. */
  failUnknown(reason: string): void {
    for (const id of [...this.#open.keys()]) this.#failUnknown(id, reason);
  }

  /** Fails the calls of a player. */
  failOf(playerId: string, error: unknown): void {
    for (const [id, { frame }] of [...this.#open]) if (frame.playerId === playerId) this.#take(id)?.fail(error);
  }

  /** A refused call is sent again if the refusal passes. @returns false if the refusal is its result */
  #pauses(id: number, call: OpenCall, reply: ReplyFrame): boolean {
    const refusal = refusalIn(reply);
    // Only the deadline ends what passes as soon as a leader is known.
    if (!isPassing(refusal)) call.refusals += 1;
    if (!isTemporary(refusal) || call.refusals >= this.#limits.attempts) return false;
    const pauseMs = pauseMsBefore(Math.max(1, call.refusals), refusal.retryAfterMs);
    // The next attempt would come after the deadline, so the call fails now.
    if (performance.now() + pauseMs > call.deadlineAtMs) return false;
    this.#inFlight.delete(id);
    call.pause = setTimeout(() => {
      call.pause = undefined;
      this.#waiting.set(id, call);
      this.#sendMore();
    }, pauseMs);
    this.#sendMore();
    return true;
  }

  #take(id: number): OpenCall | undefined {
    const call = this.#open.get(id);
    if (call === undefined) return undefined;
    this.#open.delete(id);
    if (!this.#inFlight.delete(id)) this.#waiting.delete(id);
    if (call.pause !== undefined) clearTimeout(call.pause);
    if (call.onAbort !== null) call.terms.signal?.removeEventListener('abort', call.onAbort);
    if (this.#waiting.size > 0) this.#sendMore();
    if (this.#drained !== null) this.#checkDrained();
    if (this.#open.size === 0) {
      clearTimeout(this.#deadlineTimer);
      this.#changed();
    }
    return call;
  }

  #sendMore(): void {
    if (this.#send === null || this.#drained !== null) return;
    const nowMs = performance.now();
    for (const [id, call] of this.#waiting) {
      if (this.#inFlight.size >= this.#callsMax) return;
      call.sentAtMs = nowMs;
      this.#waiting.delete(id);
      this.#inFlight.set(id, call);
      this.#send(call.frame);
    }
  }

  #watch(delayMs: number): void {
    this.#deadlineTimer = setTimeout(() => this.#failLate(), Math.min(Math.max(delayMs, 0), TIMER_MS_MAX));
  }

  #failLate(): void {
    const nowMs = performance.now();
    for (const [id, { deadlineAtMs }] of this.#open) {
      if (deadlineAtMs > nowMs) {
        this.#watch(Math.ceil(deadlineAtMs - nowMs));
        return;
      }
      const reason = this.#lossReason === '' ? '' : `: ${this.#lossReason}`;
      this.#failUnknown(id, `no reply in ${this.#limits.deadlineMs} ms${reason}`);
    }
  }

  #failUnknown(id: number, reason: string): void {
    const call = this.#take(id);
    if (call === undefined) return;
    const { method, path, idempotencyKey = null } = call.frame;
    call.fail(new NoReply(`${method} ${path}: ${reason}`, idempotencyKey));
  }
}

/** Why a call was refused. The frame has the problem, or only its code. */
export function refusalIn({ status, body, code }: ReplyFrame): Refusal {
  const members: Partial<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {};
  return {
    status,
    code: typeof members['code'] === 'string' ? members['code'] : code,
    retryAfterMs: typeof members['retryAfterMs'] === 'number' ? members['retryAfterMs'] : undefined,
  };
}
