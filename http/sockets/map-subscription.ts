// The subscription of one connection to the topic `map`. It pulls one frame at a time from its position. If its client must fetch the
// map anew, it ends with an error.

import type { Owner } from '../admission/owners.js';
import { problemText, sendProblem } from '../exchange/problems.js';
import type { MapViewer } from '../spectators/map-feed.js';
import type { Connection } from './connection.js';
import { type FrameExchange, idField } from './frame-exchange.js';
import type { Sockets } from './sockets.js';

export class MapSubscription implements MapViewer {
  /** True if there may be a frame. */
  isReady = false;
  /** Seq up to which the client has got everything. */
  #position = 0;
  /** Removes it from the feed; null while the client has not subscribed. */
  #stop: (() => void) | null = null;
  /** The client among whose subscriptions it counts. */
  #owner: Owner = '';
  /** Checks whether it may still be sent frames. */
  #reader: FrameExchange | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly sockets: Sockets,
  ) {}

  /** @param since position of the client; undefined for the present */
  subscribe(exchange: FrameExchange, since: number | undefined): void {
    const { gate, feed } = this.sockets;
    if (since === undefined) this.#subscribe(exchange, since);
    else
      gate.passAfterEvent(
        exchange,
        since,
        () => feed.seqs(),
        () => this.#subscribe(exchange, since),
      );
  }

  #subscribe(exchange: FrameExchange, since: number | undefined): void {
    const { access, feed, replies } = this.sockets;
    replies.run(exchange, () => {
      exchange.keyHash = this.#keyHash;
      if (!access.identifies(exchange, 'observer', true)) return;
      const span = feed.span();
      const position = since === undefined ? span.lastSeq : feed.positionOf(since);
      if (this.#stop !== null) {
        sendProblem(exchange, 'invalid_request', { detail: 'This connection has such a subscription already.' });
      } else if (!this.sockets.subscriptionPlaces.hasRoom(this.connection.owner)) {
        this.sockets.refuseSubscription(exchange);
      } else if (position === null) {
        replies.refuse(exchange, 'events_expired', { oldestSeq: span.oldestSeq });
      } else {
        this.connection.write(`{"op":"subscribed"${idField(exchange.id)},"topic":"map","lastSeq":${span.lastSeq}}`);
        this.#begin(position);
      }
    });
  }

  unsubscribe(exchange: FrameExchange): void {
    this.end();
    this.connection.write(`{"op":"unsubscribed"${idField(exchange.id)},"topic":"map"}`);
  }

  wake(): void {
    if (this.isReady || this.#stop === null) return;
    this.isReady = true;
    this.connection.wake();
  }

  /** Adds the next frame, if there is one, to the frames that are about to be written. */
  addFrame(frames: string[]): void {
    this.isReady = false;
    if (this.#stop === null) return;
    const { access, feed, readers } = this.sockets;
    this.#reader ??= this.connection.exchange('');
    this.#reader.keyHash = this.#keyHash;
    if (!access.mayStillObserve(this.#reader)) {
      const problem = problemText(this.connection.nextRequestId(), 'unauthenticated');
      frames.push(`{"op":"error","topic":"map","problem":${problem}}`);
      readers.cutOff.unauthenticated += 1;
      this.end();
      return;
    }
    const frame = feed.frameAfter(this, this.#position);
    if (frame === 'expired') {
      const problem = problemText(this.connection.nextRequestId(), 'events_expired', feed.span());
      frames.push(`{"op":"error","topic":"map","problem":${problem}}`);
      readers.cutOff.expired += 1;
      this.end();
    } else if (frame !== null) {
      frames.push(frame.text);
      this.#position = frame.seq;
      readers.mapFramesDelivered += 1;
      readers.mapCharactersDelivered += frame.text.length;
      // One that has missed a frame may get the next one at once.
      this.wake();
    }
  }

  end(): void {
    if (this.#stop === null) return;
    this.#stop();
    this.#stop = null;
    this.sockets.readers.subscriptions -= 1;
    this.sockets.subscriptionPlaces.give(this.#owner);
    this.sockets.readers.mapViewers -= 1;
  }

  get #keyHash(): string {
    const { keys } = this.connection;
    return keys.of(SHARED_KEY) ?? keys.latest;
  }

  #begin(position: number): void {
    const { feed, readers } = this.sockets;
    this.#position = position;
    this.#stop = feed.add(this, position);
    readers.subscriptions += 1;
    this.#owner = this.connection.owner;
    this.sockets.subscriptionPlaces.takeAnyway(this.#owner);
    readers.mapViewers += 1;
    this.wake();
  }
}

/** The number that a key ring gives to keys that belong to no player. */
const SHARED_KEY = 0;
