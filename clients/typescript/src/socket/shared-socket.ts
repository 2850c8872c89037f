// The WebSocket of a client: one connection for all its calls and subscriptions, open while there are any. If it is lost, the next
// one continues where it ended.
import type { Operation, Result } from '../batch.js';
import { resultOf } from '../batch.js';
import { NoReply, problemError } from '../errors.js';
import { LINGER_MS } from '../limits.js';
import { isTemporary, pauseMsBefore, refusalOf } from '../retries.js';
import { Deadline, pause } from '../waiting.js';
import { Connection, type ConnectionOptions, type Loss } from './connection.js';
import type { CallFrame, ClientFrame, ReplyFrame, ServerFrame } from './frames.js';
import { SocketCalls } from './socket-calls.js';
import { Subscriptions } from './subscriptions.js';

export interface SocketOptions extends ConnectionOptions {
  /** Times that a refused call is sent. */
  readonly attempts: number;
  /** Time that a call may take, and the first connection. */
  readonly deadlineMs: number;
  /** Time without a connection after which subscriptions fail. */
  readonly outageMsMax: number;
}

export interface SocketCallOptions {
  /** Operations with the same key take effect once together; a random one by default. */
  readonly idempotencyKey?: string | undefined;
  /** Asks for a reply without a body; then a refusal has only its code. */
  readonly isMinimal?: boolean | undefined;
  /** Ends the call, which throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls over the WebSocket. */
export interface GalaxydSocket {
  /**
   * Sends an operation without waiting for the replies to those before it: call it many times, then await the replies. They may
   * come in any order. If the connection is lost before the reply, the operation is sent again over the next one with the same
   * idempotency key, so that it takes effect once.
   *
   * @param operation made by operation.get() and operation.post(), or taken from options
   * @returns its result, as in a batch
   * @throws NoReply if there is no reply in time, GalaxydProblem if the server refuses the connection
   */
  call<Body>(operation: Operation<Body>, options?: SocketCallOptions): Promise<Result<Body>>;
}

type Call = Omit<CallFrame, 'op' | 'id'>;

export class SharedSocket implements GalaxydSocket {
  readonly subscriptions = new Subscriptions(() => this.#changed());
  readonly #calls = new SocketCalls(() => this.#changed());
  readonly #options: SocketOptions;
  #connection: Connection | null = null;
  /** Connections lost since the last one that worked. */
  #failures = 0;
  /** Why the last connection was lost; '' if there is one. */
  #lossReason = '';
  /** When the last connection was lost, or the first one was asked for. */
  #outageSinceMs: number | null = null;
  #wasConnected = false;
  /** Opens the next connection, or closes the present one because it is unused. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SocketOptions) {
    this.#options = options;
  }

  async call<Body>(
    { method, path, body }: Operation<Body>,
    { idempotencyKey, isMinimal = false, signal }: SocketCallOptions = {},
  ): Promise<Result<Body>> {
    const key = method === 'POST' ? (idempotencyKey ?? crypto.randomUUID()) : null;
    const call: Call = {
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(key === null ? {} : { idempotencyKey: key }),
      ...(isMinimal ? { prefer: 'return=minimal' } : {}),
    };
    const deadline = new Deadline(this.#options.deadlineMs, signal ?? new AbortController().signal);
    try {
      const { status, body: replied, code } = await this.#insist(call, deadline);
      return resultOf({
        status,
        ...(replied === undefined ? {} : { body: replied }),
        ...(code === undefined ? {} : { code }),
      }) as Result<Body>;
    } catch (error) {
      if (!deadline.isOver) throw error;
      const reason = this.#lossReason === '' ? '' : `: ${this.#lossReason}`;
      throw new NoReply(`${method} ${path}: no reply in ${deadline.lengthMs} ms${reason}`, key, error);
    } finally {
      deadline.clear();
    }
  }

  async #insist(call: Call, deadline: Deadline): Promise<ReplyFrame> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#calls.reply(call, deadline.signal);
      const refusal = refusalIn(reply);
      if (refusal === null || attempt >= this.#options.attempts || !isTemporary(refusal)) return reply;
      const pauseMs = pauseMsBefore(attempt, refusal.retryAfterMs);
      if (pauseMs > deadline.remainingMs) return reply;
      await pause(pauseMs, deadline.signal);
    }
  }

  /** The number of calls or subscriptions has changed. */
  #changed(): void {
    const isUsed = this.#calls.count + this.subscriptions.count > 0;
    if (this.#connection === null) {
      if (!isUsed) this.#rest();
      else if (this.#timer === undefined) this.#connect();
    } else if (isUsed) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else {
      this.#timer ??= setTimeout(() => this.#rest(), LINGER_MS);
    }
  }

  /** Closes the connection, which is unused. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#outageSinceMs = null;
    this.#connection?.close();
    this.#connection = null;
    this.#calls.disconnected();
    this.subscriptions.disconnected();
  }

  #connect(): void {
    this.#timer = undefined;
    this.#outageSinceMs ??= performance.now();
    let isWelcome = false;
    const connection = new Connection(this.#options, {
      welcomed: ({ callsMax }) => {
        isWelcome = true;
        this.#wasConnected = true;
        this.#outageSinceMs = null;
        this.#lossReason = '';
        const send = (frame: ClientFrame): void => connection.send(frame);
        this.subscriptions.connected(send);
        this.#calls.connected(send, callsMax);
      },
      received: (frame) => this.#received(frame),
      lost: (loss) => this.#lost(loss, isWelcome),
    });
    this.#connection = connection;
  }

  #received(frame: ServerFrame): void {
    this.#failures = 0;
    if (frame.op === 'event') this.subscriptions.happened(frame);
    else if (frame.op === 'frame') this.subscriptions.changed(frame);
    else if (frame.op === 'reply') this.#calls.replied(frame);
    else if (frame.op === 'subscribed') this.subscriptions.subscribed(frame.id, frame.lastSeq);
    else if (frame.op === 'error') this.#refused(frame);
  }

  /** A frame was refused: a call, whose ids are above zero, or a subscription. */
  #refused({ id, problem, ...receiver }: Extract<ServerFrame, { op: 'error' }>): void {
    if (id !== undefined && id > 0) this.#calls.replied({ op: 'reply', id, status: problem.status, body: problem });
    else this.subscriptions.refused({ problem, ...(id === undefined ? {} : { id }), ...receiver });
  }

  #lost({ reason, problem }: Loss, wasWelcome: boolean): void {
    clearTimeout(this.#timer);
    this.#connection = null;
    this.#lossReason = reason;
    this.#outageSinceMs ??= performance.now();
    this.#calls.disconnected();
    this.subscriptions.disconnected();
    this.#failures += 1;
    this.#timer = setTimeout(() => this.#connect(), pauseMsBefore(this.#failures, problem?.retryAfterMs));
    if (!wasWelcome && problem !== null && !isTemporary(problem)) {
      this.#calls.failAll(problemError(problem));
      this.subscriptions.failAll(problemError(problem));
      return;
    }
    const outageMs = performance.now() - this.#outageSinceMs;
    if (outageMs > (this.#wasConnected ? this.#options.outageMsMax : this.#options.deadlineMs)) {
      const message = `${this.#options.url}: no connection in ${Math.round(outageMs)} ms: ${reason}`;
      this.subscriptions.failAll(new NoReply(message, null));
    }
    this.#changed();
  }
}

/** @returns null if the reply is none */
function refusalIn({ status, body, code }: ReplyFrame) {
  if (status < 400) return null;
  const refusal = refusalOf(status, new Headers(), JSON.stringify(body ?? {}));
  return { ...refusal, code: refusal.code ?? code };
}
