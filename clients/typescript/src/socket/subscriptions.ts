// The subscriptions of a WebSocket: subscribes each from its position on, again over each new connection, and delivers its events. If a
// reader is slow, its subscription is suspended until it has caught up, so that events accumulate neither here nor at the server.
import { problemError } from '../errors.js';
import type { GameEvent } from '../events.js';
import { SUBSCRIBING_MAX } from '../limits.js';
import type { MapFrame } from '../map.js';
import { isTemporary, pauseMsBefore } from '../retries.js';
import type { ClientFrame, ErrorFrame, EventFrame, MapFrameFrame } from './frames.js';
import { type AnySubscription, nameOf, type SubscriptionHost } from './subscription.js';

/** A standby that is behind refuses a subscription so often, a second each; then another server may be asked. */
const REFUSALS_BEFORE_LEAVING = 2;

interface Entry {
  readonly subscription: AnySubscription;
  /** `idle`: it waits for a connection, or for its turn. `asked`: the server has not answered yet. `suspended`: until the reader has caught up. */
  state: 'idle' | 'asked' | 'open' | 'suspended';
  /** Of the last `subscribe` frame. */
  id: number;
  refusals: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Subscriptions implements SubscriptionHost {
  readonly #changed: () => void;
  readonly #leave: () => void;
  readonly #entries = new Map<string, Entry>();
  /** By the id of their last `subscribe` frame, until that is answered; SUBSCRIBING_MAX at most. */
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

  add(subscription: AnySubscription): void {
    const name = nameOf(subscription.receiver);
    if (this.#entries.has(name)) throw new RangeError(`this client reads the events of ${name} already`);
    const entry: Entry = { subscription, state: 'idle', id: 0, refusals: 0, timer: undefined };
    this.#entries.set(name, entry);
    this.#subscribe(entry);
    this.#changed();
  }

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
    const name = nameOf(topic === undefined ? { playerId: event.playerId } : { topic });
    this.#take(name, event as GameEvent, event.seq - 1);
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
