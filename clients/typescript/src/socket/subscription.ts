// The events of one receiver, or the frames of the map, as an async iterator: in order, without a gap, even if the connection is lost.
// It knows its position; shared-socket.ts delivers them.
import { EventsExpired } from '../errors.js';
import type { GameEvent, Resync } from '../events.js';
import { LINEAGE_GAP_MIN } from '../limits.js';
import type { MapFrame } from '../map.js';
import type { Receiver } from './frames.js';

/** What a subscription needs of the socket. */
export interface SubscriptionHost {
  /** From now on the subscription gets its events. @throws RangeError if another one has the same receiver */
  add(subscription: AnySubscription): void;
  /** Its buffer has room again. */
  resume(subscription: AnySubscription): void;
  remove(subscription: AnySubscription): void;
}

export interface SubscriptionOptions<Skip> {
  readonly receiver: Receiver;
  /** The last event that the reader knows; null to begin after the newest. */
  readonly since: number | null;
  readonly signal: AbortSignal | undefined;
  /** How many it keeps for a reader that is slow. */
  readonly bufferedMax: number;
  /** Finds where to go on if events have expired; null to report it as an error. */
  readonly resync: ((expired: EventsExpired) => Promise<Skip>) | null;
}

/** The socket's view of a subscription. */
export interface AnySubscription {
  readonly receiver: Receiver;
  /** The last event taken over; null before the server has said where it begins. */
  readonly position: number | null;
  /** Whether it takes no more events until the reader has read some. */
  readonly isFull: boolean;
  begin(lastSeq: number): void;
  /** @param since the item has everything from there to its own seq */
  take(item: GameEvent | MapFrame, since: number): void;
  fail(error: unknown): void;
}

export class Subscription<Item extends GameEvent | MapFrame, Skip extends Resync<unknown> = never>
  implements AnySubscription, AsyncIterableIterator<Item | Skip>
{
  readonly #host: SubscriptionHost;
  readonly #options: SubscriptionOptions<Skip>;
  #position: number | null;
  #items: Item[] = [];
  /** Number of `#items` that are read. */
  #readCount = 0;
  #failure: { readonly error: unknown } | null = null;
  #wake: () => void = () => {};
  #state: 'new' | 'open' | 'ended' = 'new';
  /** Settles when all previous calls of next() have settled. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(host: SubscriptionHost, options: SubscriptionOptions<Skip>) {
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
    return this.#items.length - this.#readCount >= this.#options.bufferedMax;
  }

  /** The server has said where it begins. */
  begin(lastSeq: number): void {
    this.#position ??= lastSeq;
  }

  /** An item has come. A repeated one is dropped; a gap is an error of the server, unless its world was restored. */
  take(item: GameEvent | MapFrame, since: number): void {
    const position = this.#position ?? 0;
    if (item.seq <= position) return;
    if (since > position && since - position < LINEAGE_GAP_MIN) {
      this.fail(new Error(`seq ${item.seq} of ${nameOf(this.receiver)} came before seq ${position + 1}`));
      return;
    }
    this.#position = item.seq;
    // The receiver decides which of the two come.
    this.#items.push(item as Item);
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
   * The next event or frame. It waits until there is one.
   *
   * @throws EventsExpired, unless it resyncs; GalaxydProblem if the server refuses; NoReply if the server is gone for long
   * @throws the reason of the signal if that is aborted
   */
  next(): Promise<IteratorResult<Item | Skip, undefined>> {
    const result = this.#turn.then(() => this.#next());
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Ends it, also while next() waits. `break` in a `for await` calls it. */
  async return(): Promise<IteratorResult<Item | Skip, undefined>> {
    this.#end();
    return { done: true, value: undefined };
  }

  async #next(): Promise<IteratorResult<Item | Skip, undefined>> {
    try {
      if (this.#state === 'new') this.#begin();
      for (;;) {
        if (this.#state === 'ended') return { done: true, value: undefined };
        this.#options.signal?.throwIfAborted();
        const item = this.#shift();
        if (item !== undefined) return { done: false, value: item };
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
  async #recover(error: unknown): Promise<Skip> {
    if (!(error instanceof EventsExpired) || this.#options.resync === null) throw error;
    const resync = await this.#options.resync(error);
    this.#failure = null;
    this.#position = resync.seq;
    if (this.#state === 'open') this.#host.add(this);
    return resync;
  }

  #shift(): Item | undefined {
    const item = this.#items[this.#readCount];
    if (item === undefined) return undefined;
    this.#readCount += 1;
    if (this.#readCount === this.#items.length) {
      this.#items = [];
      this.#readCount = 0;
      if (this.#failure === null) this.#host.resume(this);
    }
    return item;
  }

  #end(): void {
    if (this.#state === 'open') {
      this.#options.signal?.removeEventListener('abort', this.#onAbort);
      this.#host.remove(this);
    }
    this.#state = 'ended';
    this.#items = [];
    this.#readCount = 0;
    this.#wake();
  }

  readonly #onAbort = (): void => this.#wake();
}

export function nameOf(receiver: Receiver): string {
  return 'topic' in receiver ? `topic ${receiver.topic}` : receiver.playerId;
}
