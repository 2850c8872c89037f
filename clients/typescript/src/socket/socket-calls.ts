// Calls over the WebSocket that have no reply yet: in flight as many as the server accepts, the others in a queue. If the connection is
// lost, all of them wait for the next one, in the same order.
import { WAITING_CALLS_MAX } from '../limits.js';
import type { CallFrame, ReplyFrame } from './frames.js';

interface OpenCall {
  readonly frame: CallFrame;
  settle(reply: ReplyFrame): void;
  fail(error: unknown): void;
}

export class SocketCalls {
  readonly #changed: () => void;
  #waiting = new Map<number, OpenCall>();
  #inFlight = new Map<number, OpenCall>();
  /** Null while there is no connection. */
  #send: ((frame: CallFrame) => void) | null = null;
  #callsMax = 0;
  #lastId = 0;

  /** @param changed is called after the number of open calls has changed */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get count(): number {
    return this.#waiting.size + this.#inFlight.size;
  }

  /**
   * Sends a call as soon as there is a connection that takes it.
   *
   * @returns its reply
   * @throws RangeError if too many are waiting
   * @throws the reason of the signal if that is aborted first
   */
  async reply(call: Omit<CallFrame, 'op' | 'id'>, signal: AbortSignal): Promise<ReplyFrame> {
    signal.throwIfAborted();
    if (this.#waiting.size >= WAITING_CALLS_MAX) {
      throw new RangeError(`${WAITING_CALLS_MAX} calls are waiting already; await some of them first`);
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const onAbort = (): void => this.#take(id)?.fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise((settle, fail) => {
        this.#waiting.set(id, { frame: { op: 'call', id, ...call }, settle, fail });
        this.#sendMore();
        this.#changed();
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** There is a connection. @param callsMax calls that it accepts at a time */
  connected(send: (frame: CallFrame) => void, callsMax: number): void {
    this.#send = send;
    this.#callsMax = callsMax;
    this.#sendMore();
  }

  /** The connection is lost. What was in flight is sent again over the next one, before the others. */
  disconnected(): void {
    this.#send = null;
    this.#waiting = new Map([...this.#inFlight, ...this.#waiting]);
    this.#inFlight = new Map();
  }

  /** A reply has come; that to a call that was given up is ignored. */
  replied(reply: ReplyFrame): void {
    this.#take(reply.id)?.settle(reply);
  }

  failAll(error: unknown): void {
    for (const id of [...this.#inFlight.keys(), ...this.#waiting.keys()]) this.#take(id)?.fail(error);
  }

  #take(id: number): OpenCall | undefined {
    const call = this.#inFlight.get(id) ?? this.#waiting.get(id);
    this.#inFlight.delete(id);
    this.#waiting.delete(id);
    this.#sendMore();
    this.#changed();
    return call;
  }

  #sendMore(): void {
    for (const [id, call] of this.#waiting) {
      if (this.#send === null || this.#inFlight.size >= this.#callsMax) return;
      this.#waiting.delete(id);
      this.#inFlight.set(id, call);
      this.#send(call.frame);
    }
  }
}
