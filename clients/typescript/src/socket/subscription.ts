// The events of one receiver as an async iterator: each once, in order, even if the connection is lost. It knows its position;
// shared-socket.ts delivers the events.
import { EventsExpired } from '../errors.js';
import type { GameEvent, Resync } from '../events.js';
import { BUFFERED_EVENTS_MAX } from '../limits.js';
import type { Receiver } from './frames.js';

/** What a subscription needs of the socket. */
export interface SubscriptionHost {
  /** From now on the subscription gets its events. @throws RangeError if another one has the same receiver */
  add(subscription: AnySubscription): void;
  /** Its buffer has room again. */
  resume(subscription: AnySubscription): void;
  remove(subscription: AnySubscription): void;
}

export interface SubscriptionOptions<State> {
  readonly receiver: Receiver;
  /** The last event that the reader knows; null to begin after the newest. */
  readonly since: number | null;
  readonly signal: AbortSignal | undefined;
  /** Finds where to go on if events have expired; null to report it as an error. */
  readonly resync: ((expired: EventsExpired) => Promise<Resync<State>>) | null;
}

/** The socket's view of a subscription. */
export interface AnySubscription {
  readonly receiver: Receiver;
  /** The last event taken over; null before the server has said where it begins. */
  readonly position: number | null;
  /** Whether it takes no more events until the reader has read some. */
  readonly isFull: boolean;
  begin(lastSeq: number): void;
  take(event: GameEvent): void;
  fail(error: unknown): void;
}

export class Subscription<State> implements AnySubscription, AsyncIterableIterator<GameEvent | Resync<State>> {
  readonly #host: SubscriptionHost;
  readonly #options: SubscriptionOptions<State>;
  #position: number | null;
  #events: GameEvent[] = [];
  /** Number of `#events` that are read. */
  #readCount = 0;
  #failure: { readonly error: unknown } | null = null;
  #wake: () => void = () => {};
  #state: 'new' | 'open' | 'ended' = 'new';
  /** Settles when all previous calls of next() have settled. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(host: SubscriptionHost, options: SubscriptionOptions<State>) {
    this.#host = host;
    this.#options = options;
    this.#position = options.since;
  }

  get receiver(): Receiver {
    return this.#options.receiver;
  }

  get position(): number | null {
    return this.#position;
  }

  get isFull(): boolean {
    return this.#events.length - this.#readCount >= BUFFERED_EVENTS_MAX;
  }

  /** The server has said where it begins. */
  begin(lastSeq: number): void {
    this.#position ??= lastSeq;
  }

  /** An event has come. A repeated one is dropped; a gap is an error of the server. */
  take(event: GameEvent): void {
    const due = (this.#position ?? 0) + 1;
    if (event.seq < due) return;
    if (event.seq > due) {
      this.fail(new Error(`event ${event.seq} of ${nameOf(this.receiver)} came before event ${due}`));
      return;
    }
    this.#position = event.seq;
    this.#events.push(event);
    this.#wake();
  }

  /** The reader gets this error after the events before it. */
  fail(error: unknown): void {
    this.#host.remove(this);
    this.#failure = { error };
    this.#wake();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * The next event. It waits until there is one.
   *
   * @throws EventsExpired, unless it resyncs; GalaxydProblem if the server refuses; NoReply if the server is gone for long
   * @throws the reason of the signal if that is aborted
   */
  next(): Promise<IteratorResult<GameEvent | Resync<State>, undefined>> {
    const result = this.#turn.then(() => this.#next());
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Ends it, also while next() waits. `break` in a `for await` calls it. */
  async return(): Promise<IteratorResult<GameEvent | Resync<State>, undefined>> {
    this.#end();
    return { done: true, value: undefined };
  }

  async #next(): Promise<IteratorResult<GameEvent | Resync<State>, undefined>> {
    try {
      if (this.#state === 'new') this.#begin();
      for (;;) {
        if (this.#state === 'ended') return { done: true, value: undefined };
        this.#options.signal?.throwIfAborted();
        const event = this.#shift();
        if (event !== undefined) return { done: false, value: event };
        if (this.#failure !== null) return { done: false, value: await this.#recover(this.#failure.error) };
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  #begin(): void {
    this.#options.signal?.addEventListener('abort', this.#onAbort);
    this.#host.add(this);
    this.#state = 'open';
  }

  /** Continues after the events that have expired. @throws the error, if it is another one */
  async #recover(error: unknown): Promise<Resync<State>> {
    if (!(error instanceof EventsExpired) || this.#options.resync === null) throw error;
    const resync = await this.#options.resync(error);
    this.#failure = null;
    this.#position = resync.seq;
    if (this.#state === 'open') this.#host.add(this);
    return resync;
  }

  #shift(): GameEvent | undefined {
    const event = this.#events[this.#readCount];
    if (event === undefined) return undefined;
    this.#readCount += 1;
    if (this.#readCount === this.#events.length) {
      this.#events = [];
      this.#readCount = 0;
      if (this.#failure === null) this.#host.resume(this);
    }
    return event;
  }

  #end(): void {
    if (this.#state === 'open') {
      this.#options.signal?.removeEventListener('abort', this.#onAbort);
      this.#host.remove(this);
    }
    this.#state = 'ended';
    this.#events = [];
    this.#readCount = 0;
    this.#wake();
  }

  readonly #onAbort = (): void => this.#wake();
}

export function nameOf(receiver: Receiver): string {
  return 'topic' in receiver ? `topic ${receiver.topic}` : receiver.playerId;
}
