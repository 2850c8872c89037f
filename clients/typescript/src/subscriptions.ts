// The subscriptions of a WebSocket: subscribes each from its position on, again over each new connection, and delivers its events. If a
// reader is slow, its subscription is suspended until it has caught up, so that events accumulate neither here nor at the server.
import type { ClientFrame, ErrorFrame, EventFrame, MapFrameFrame, Receiver } from './connection.js';
import { EventsExpired, problemError } from './errors.js';
import type { GameEvent, MapFrame, Resync } from './events.js';
import { LINEAGE_GAP_MIN, SUBSCRIBING_MAX } from './limits.js';
import { isTemporary, pauseMsBefore } from './retries.js';

/** A standby that is behind refuses a subscription so often, a second each; then another server may be asked. */
const REFUSALS_BEFORE_LEAVING = 2;

interface Entry {
  readonly subscription: AnySubscription;
  /** `idle`: it waits for a connection, or for its turn. `asked`: the server has not answered yet. `suspended`: until the reader has caught up. */
  state: 'idle' | 'asked' | 'open' | 'suspended';
  /** Id of the last `subscribe` frame. */
  id: number;
  refusals: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Subscriptions {
  readonly #changed: () => void;
  readonly #leave: () => void;
  readonly #entries = new Map<string, Entry>();
  /** Indexed by the id of their last `subscribe` frame, until that is answered; SUBSCRIBING_MAX at most. */
  #asked = new Map<number, Entry>();
  /** Those that are to be asked for as soon as others are answered. */
  readonly #waiting = new Set<Entry>();
  /** Null while there is no connection. */
  #send: ((frame: ClientFrame) => void) | null = null;
  /** Ids below zero, since calls have the others. */
  #lastId = 0;

  /**
   * @param changed is called after the number of subscriptions has changed
   * @param leave asks for another server: this one does not catch up
   */
  constructor(changed: () => void, leave: () => void) {
    this.#changed = changed;
    this.#leave = leave;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Adds a subscription, which then gets its events. @throws RangeError if another one has the same receiver */
  add(subscription: AnySubscription): void {
    const name = nameOf(subscription.receiver);
    if (this.#entries.has(name)) throw new RangeError(`this client reads the events of ${name} already`);
    const entry: Entry = { subscription, state: 'idle', id: 0, refusals: 0, timer: undefined };
    this.#entries.set(name, entry);
    this.#subscribe(entry);
    this.#changed();
  }

  /** The buffer of the subscription has room again. */
  resume(subscription: AnySubscription): void {
    const entry = this.#entries.get(nameOf(subscription.receiver));
    if (entry?.state === 'suspended') this.#subscribe(entry);
  }

  remove(subscription: AnySubscription): void {
    const name = nameOf(subscription.receiver);
    const entry = this.#entries.get(name);
    if (entry?.subscription !== subscription) return;
    this.#entries.delete(name);
    this.#waiting.delete(entry);
    clearTimeout(entry.timer);
    if (entry.state === 'asked' || entry.state === 'open') this.#unsubscribe(entry);
    this.#changed();
  }

  connected(send: (frame: ClientFrame) => void): void {
    this.#send = send;
    for (const entry of this.#entries.values()) if (entry.state === 'idle') this.#subscribe(entry);
  }

  disconnected(): void {
    this.#send = null;
    this.#asked = new Map();
    this.#waiting.clear();
    for (const entry of this.#entries.values()) {
      clearTimeout(entry.timer);
      if (entry.state !== 'suspended') entry.state = 'idle';
    }
  }

  failAll(error: unknown): void {
    for (const { subscription } of [...this.#entries.values()]) subscription.fail(error);
  }

  /** Fails the subscription of a player. */
  failOf(playerId: string, error: unknown): void {
    this.#entries.get(nameOf({ playerId }))?.subscription.fail(error);
  }

  /** The server has answered a `subscribe` frame; the events after `since` follow. */
  subscribed(id: number, lastSeq: number): void {
    const entry = this.#answered(id);
    if (entry === undefined) return;
    entry.state = 'open';
    entry.refusals = 0;
    entry.subscription.begin(lastSeq);
  }

  /** An event has come. It is dropped if its subscription is no longer open. */
  happened(frame: EventFrame): void {
    const { op: _, topic, ...event } = frame;
    const receiver = topic === undefined ? { playerId: event.playerId ?? '' } : { topic };
    this.#take(nameOf(receiver), event as GameEvent, event.seq - 1);
  }

  /** A frame of the map has come. */
  changed({ op: _, topic, ...frame }: MapFrameFrame): void {
    this.#take(nameOf({ topic }), frame, frame.since);
  }

  #take(name: string, item: GameEvent | MapFrame, since: number): void {
    const entry = this.#entries.get(name);
    if (entry?.state !== 'open') return;
    entry.subscription.take(item, since);
    if (!entry.subscription.isFull || this.#entries.get(name) !== entry) return;
    entry.state = 'suspended';
    this.#unsubscribe(entry);
  }

  /** The server has refused or ended a subscription. */
  refused({ id, playerId, topic, problem }: ErrorFrame): void {
    const named = topic === undefined ? (playerId ?? '') : nameOf({ topic });
    const entry = typeof id === 'number' ? this.#answered(id) : this.#entries.get(named);
    if (entry === undefined) return;
    entry.state = 'idle';
    if (!isTemporary(problem)) {
      entry.subscription.fail(problemError(problem));
      return;
    }
    entry.refusals += 1;
    if (problem.code === 'replica_behind' && entry.refusals % REFUSALS_BEFORE_LEAVING === 0) {
      this.#leave();
      return;
    }
    entry.timer = setTimeout(() => this.#subscribe(entry), pauseMsBefore(entry.refusals, problem.retryAfterMs));
  }

  #answered(id: number): Entry | undefined {
    const entry = this.#asked.get(id);
    if (!this.#asked.delete(id)) return undefined;
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      this.#subscribe(next);
      break;
    }
    return entry?.id === id && entry.state === 'asked' ? entry : undefined;
  }

  #subscribe(entry: Entry): void {
    if (this.#send === null || this.#asked.size >= SUBSCRIBING_MAX) {
      entry.state = 'idle';
      if (this.#send !== null) this.#waiting.add(entry);
      return;
    }
    this.#lastId -= 1;
    entry.id = this.#lastId;
    entry.state = 'asked';
    this.#asked.set(entry.id, entry);
    const { receiver, position } = entry.subscription;
    this.#send({ op: 'subscribe', id: entry.id, ...receiver, ...(position === null ? {} : { since: position }) });
  }

  #unsubscribe({ subscription }: Entry): void {
    this.#lastId -= 1;
    this.#send?.({ op: 'unsubscribe', id: this.#lastId, ...subscription.receiver });
  }
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

/** The socket's view of a subscription, whatever its items are. */
type AnySubscription = Pick<Subscription<GameEvent>, 'receiver' | 'position' | 'isFull' | 'begin' | 'take' | 'fail'>;

/**
 * The events of one receiver, or the frames of the map, as an async iterator: in order, without a gap, even if the connection is lost.
 * It knows its position.
 */
export class Subscription<Item extends GameEvent | MapFrame, Skip extends Resync<unknown> = never>
  implements AsyncIterableIterator<Item | Skip>
{
  readonly #host: Subscriptions;
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

  constructor(host: Subscriptions, options: SubscriptionOptions<Skip>) {
    this.#host = host;
    this.#options = options;
    this.#position = options.since;
  }

  get receiver(): Receiver {
    return this.#options.receiver;
  }

  /** The last event taken over; null before the server has said where it begins. */
  get position(): number | null {
    return this.#position;
  }

  /** Whether it takes no more events until the reader has read some. */
  get isFull(): boolean {
    return this.#items.length - this.#readCount >= this.#options.bufferedMax;
  }

  /** The server has said where it begins. */
  begin(lastSeq: number): void {
    this.#position ??= lastSeq;
  }

  /**
   * An item has come. A repeated one is dropped; a gap is an error of the server, unless its world was restored.
   *
   * @param since the item has everything from there to its own seq
   */
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

function nameOf(receiver: Receiver): string {
  return 'topic' in receiver ? `topic ${receiver.topic}` : receiver.playerId;
}
