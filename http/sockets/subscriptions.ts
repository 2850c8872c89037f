// The subscriptions of one connection. Each has the position of its client in a sequence of events and pulls from there; no events
// are queued for a client that lags. If its key is no longer valid or its player is retired, a subscription ends with an error. If the
// events that it should send are no longer kept, the connection is closed.
import { parsePlayerId, playerId } from '../../engine/terms/ids.js';
import type { Owner } from '../admission/owners.js';
import type { EventListener } from '../events/event-hub.js';
import { ReaderPosition } from '../events/late-readers.js';
import { problemText, sendProblem } from '../exchange/problems.js';
import { EVENT_PART_LENGTH_MAX, SOCKET_EVENTS_PER_TURN, SUBSCRIPTIONS_PER_SOCKET_MAX } from '../limits.js';
import { CLOSE_CODES } from '../server/web-socket.js';
import type { ClientFrame } from './client-frame.js';
import type { Connection } from './connection.js';
import { type FrameExchange, idField } from './frame-exchange.js';
import { MapSubscription } from './map-subscription.js';
import type { Sockets } from './sockets.js';

type SubscribeFrame = Extract<ClientFrame, { op: 'subscribe' }>;
type UnsubscribeFrame = Extract<ClientFrame, { op: 'unsubscribe' }>;

export class Subscriptions {
  readonly #byReceiver = new Map<number, Subscription>();
  readonly #map: MapSubscription;
  /** Receivers whose subscription waits for the event after which it begins. */
  readonly #waiting = new Set<number>();
  /** Those that may have more events. */
  #ready: Subscription[] = [];
  /** Subscriptions that catch up. */
  #catchingUpCount = 0;
  /** Checks whether a key is still valid. */
  #reader: FrameExchange | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly sockets: Sockets,
  ) {
    this.#map = new MapSubscription(connection, sockets);
  }

  /** True if events may be written. */
  get hasReady(): boolean {
    return this.#ready.length > 0 || this.#map.isReady;
  }

  /** True if one of them does: the connection has one turn for all. */
  get isCatchingUp(): boolean {
    return this.#catchingUpCount > 0;
  }

  subscribe(exchange: FrameExchange, frame: SubscribeFrame): void {
    if ('topic' in frame && frame.topic === 'map') {
      this.#map.subscribe(exchange, frame.since);
      return;
    }
    const { access, hub, gate, replies, sequencer, world } = this.sockets;
    const { since } = frame;
    const receiver = this.#receiverOf(frame);
    replies.run(exchange, () => {
      exchange.keyHash = this.#keyHashFor(receiver);
      if (!access.identifies(exchange, 'playerId' in frame ? 'player' : 'spectator', true)) return;
      if ('playerId' in frame && access.ownPlayer(exchange, receiver) === null) return;
      const begin = (): void => {
        if (since === undefined) {
          this.#begin(exchange, frame, receiver);
          return;
        }
        this.#waiting.add(receiver);
        gate.passAfterEvent(
          exchange,
          since,
          () => hub.seqs(receiver),
          () => {
            if (this.#waiting.delete(receiver)) this.#begin(exchange, frame, receiver);
          },
        );
      };
      // The player itself may not be durable yet.
      const seq = world.players.get(receiver)?.changedSeq ?? 0;
      if (!sequencer.holdUntilDurable(seq, { durable: begin })) sendProblem(exchange, 'overloaded');
    });
  }

  unsubscribe(exchange: FrameExchange, frame: UnsubscribeFrame): void {
    if ('topic' in frame && frame.topic === 'map') {
      this.#map.unsubscribe(exchange);
      return;
    }
    const receiver = this.#receiverOf(frame);
    const subscription = this.#byReceiver.get(receiver);
    this.#waiting.delete(receiver);
    if (subscription !== undefined) this.#end(subscription);
    this.connection.write(`{"op":"unsubscribed"${idField(exchange.id)},${this.#fieldOf(receiver)}}`);
  }

  /** Adds the next events to the frames that are about to be written. */
  addEvents(frames: string[]): void {
    let room = SOCKET_EVENTS_PER_TURN;
    const ready = this.#ready;
    this.#ready = [];
    let count = 0;
    for (const subscription of ready) {
      if (room === 0) break;
      count += 1;
      subscription.isReady = false;
      if (!subscription.hasEnded) room -= this.#addEventsOf(subscription, frames, room);
    }
    // Those that had no room come before those that have used it up and have more.
    if (count < ready.length) this.#ready = [...ready.slice(count), ...this.#ready];
    if (this.#map.isReady) this.#map.addFrame(frames);
  }

  /** Called by a subscription that may have more events. */
  ready(subscription: Subscription): void {
    this.#ready.push(subscription);
    this.connection.wake();
  }

  /** Called when the client reads again after a pause. */
  resume(): void {
    for (const { hasEnded, position, receiver } of this.#ready) {
      if (hasEnded) continue;
      if (position.isCatchingUp) this.#catchingUpCount -= 1;
      position.resume(this.sockets.hub.span(receiver).lastSeq);
      if (position.isCatchingUp) this.#catchingUpCount += 1;
    }
  }

  endAll(): void {
    this.#map.end();
    for (const subscription of this.#byReceiver.values()) this.#end(subscription);
  }

  #receiverOf(frame: SubscribeFrame | UnsubscribeFrame): number {
    if (!('playerId' in frame)) return this.sockets.access.worldTopic;
    const number = parsePlayerId(this.sockets.world, frame.playerId);
    return number > 0 ? number : NOBODY;
  }

  #keyHashFor(receiver: number): string {
    const { keys } = this.connection;
    return (receiver > 0 ? keys.of(receiver) : undefined) ?? keys.latest;
  }

  #begin(exchange: FrameExchange, { since }: SubscribeFrame, receiver: number): void {
    const { connection } = this;
    const { subscriptionPlaces } = this.sockets;
    const { hub, readers, replies } = this.sockets;
    if (connection.isDone) return;
    const { oldestSeq, lastSeq } = hub.span(receiver);
    const begin = since === undefined ? lastSeq : hub.positionOf(receiver, since);
    if (this.#byReceiver.has(receiver)) {
      sendProblem(exchange, 'invalid_request', { detail: 'This connection has such a subscription already.' });
    } else if (this.#byReceiver.size >= SUBSCRIPTIONS_PER_SOCKET_MAX) {
      const limit = { name: 'subscriptions_per_socket', maximum: SUBSCRIPTIONS_PER_SOCKET_MAX };
      sendProblem(exchange, 'rate_limited', { limit, detail: 'This connection has too many subscriptions.' });
    } else if (!subscriptionPlaces.hasRoom(connection.owner)) {
      this.sockets.refuseSubscription(exchange);
    } else if (begin === null) {
      replies.refuse(exchange, 'events_expired', { oldestSeq });
    } else {
      connection.write(`{"op":"subscribed"${idField(exchange.id)},${this.#fieldOf(receiver)},"lastSeq":${lastSeq}}`);
      const position = new ReaderPosition(begin, lastSeq);
      const subscription = new Subscription(this, receiver, position, connection.owner);
      subscription.stopListening = hub.listen(receiver, subscription).end;
      this.#byReceiver.set(receiver, subscription);
      readers.subscriptions += 1;
      subscriptionPlaces.takeAnyway(subscription.owner);
      if (position.isCatchingUp) {
        this.#catchingUpCount += 1;
        subscription.wake();
      }
    }
  }

  #end(subscription: Subscription): void {
    subscription.hasEnded = true;
    if (subscription.position.isCatchingUp) this.#catchingUpCount -= 1;
    subscription.stopListening();
    this.#byReceiver.delete(subscription.receiver);
    this.sockets.readers.subscriptions -= 1;
    this.sockets.subscriptionPlaces.give(subscription.owner);
  }

  #fieldOf(receiver: number): string {
    return receiver > 0 ? `"playerId":"${playerId(this.sockets.world, receiver)}"` : '"topic":"world"';
  }

  /** @returns how many were added */
  #addEventsOf(subscription: Subscription, frames: string[], limit: number): number {
    const { receiver, position } = subscription;
    const { access, hub, readers } = this.sockets;
    this.#reader ??= this.connection.exchange('');
    this.#reader.keyHash = this.#keyHashFor(receiver);
    const fault = access.faultOfReader(this.#reader, receiver);
    if (fault !== null) {
      const problem = problemText(this.connection.nextRequestId(), fault);
      frames.push(`{"op":"error",${this.#fieldOf(receiver)},"problem":${problem}}`);
      readers.cutOff[fault === 'unauthenticated' ? 'unauthenticated' : 'retired'] += 1;
      this.#end(subscription);
      return 0;
    }
    const texts = hub.read(receiver, position.seq, limit, EVENT_PART_LENGTH_MAX);
    if (texts === null) {
      const { oldestSeq } = hub.span(receiver);
      this.connection.cut('expired', CLOSE_CODES.tryAgainLater, 'events_expired', { oldestSeq });
      return 0;
    }
    const start = receiver > 0 ? PLAYER_EVENT : WORLD_EVENT;
    for (const text of texts) frames.push(start + text.slice(1));
    const wasCatchingUp = position.isCatchingUp;
    position.seq += texts.length;
    if (wasCatchingUp && !position.isCatchingUp) this.#catchingUpCount -= 1;
    readers.delivered.socket += texts.length;
    if (position.seq < hub.span(receiver).lastSeq) subscription.wake();
    return texts.length;
  }
}

class Subscription implements EventListener {
  /** Stops listening to the hub; set by the owner once it listens. */
  stopListening: () => void = () => {};
  isReady = false;
  hasEnded = false;

  constructor(
    private readonly subscriptions: Subscriptions,
    readonly receiver: number,
    readonly position: ReaderPosition,
    /** The client among whose subscriptions it counts. */
    readonly owner: Owner,
  ) {}

  wake(): void {
    if (this.isReady || this.hasEnded) return;
    this.isReady = true;
    this.subscriptions.ready(this);
  }
}

/** Number of no player, and of no topic. */
const NOBODY = Number.MIN_SAFE_INTEGER;

/** How an event frame begins, before the fields of the event. */
const PLAYER_EVENT = '{"op":"event",';
const WORLD_EVENT = '{"op":"event","topic":"world",';
