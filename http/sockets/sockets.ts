// The WebSockets of a server: opens connections, and holds what they share. The protocol is in connection.ts.

import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { Admission, ClientPlace } from '../admission/admission.js';
import { type Owner, SharedBudget } from '../admission/owners.js';
import type { WorkQueue } from '../admission/work-queue.js';
import type { EventHub } from '../events/event-hub.js';
import type { ReaderCounts } from '../events/reader-counts.js';
import type { BugReport, Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Access } from '../game/access.js';
import type { Replies } from '../game/replies.js';
import {
  INLINE_TURN_MS,
  READER_STALL_POLL_MS,
  SOCKET_BACKLOG_LENGTH_MAX,
  SOCKETS_SHARE,
  SUBSCRIPTIONS_MAX,
  WORK_SLICE_MS,
} from '../limits.js';
import type { Operation } from '../pipeline/operation.js';
import type { Gate } from '../replica/gate.js';
import { UNSENT_REPLIES } from '../server/body-budget.js';
import type { RouteCounts } from '../server/request-counts.js';
import type { RouteIndex } from '../server/route-index.js';
import type { Traffic } from '../server/traffic.js';
import type { ConnectionLimits } from '../server/transport.js';
import {
  CLOSE_CODES,
  type FrameListener,
  type FrameSocket,
  type SocketHost,
  type SocketOpening,
} from '../server/web-socket.js';
import type { MapFeed } from '../spectators/map-feed.js';
import { FrameReader } from './client-frame.js';
import { Connection } from './connection.js';
import { Outbox } from './outbox.js';

export interface SocketsParts {
  readonly world: ReadonlyWorld;
  readonly sequencer: ServedSequencer;
  readonly admission: Admission;
  readonly access: Access;
  readonly replies: Replies;
  readonly gate: Gate;
  readonly hub: EventHub;
  /** Frames of the map. */
  readonly feed: MapFeed;
  /** Counts of what the connections read. */
  readonly readers: ReaderCounts;
  /** Called with an exception while frames are handled. */
  readonly onBug: BugReport;
  /** Those that a call may run: the same as in a batch. */
  readonly operations: RouteIndex<Operation>;
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  /** Limits of the server: over all clients, and of one of them. */
  readonly connectionLimits: ConnectionLimits;
  /** Counts of the calls to paths that do not exist. */
  readonly unroutedCalls: RouteCounts;
}

export class Sockets implements SocketHost {
  readonly world: SocketsParts['world'];
  readonly sequencer: SocketsParts['sequencer'];
  readonly admission: SocketsParts['admission'];
  readonly access: SocketsParts['access'];
  readonly replies: SocketsParts['replies'];
  readonly gate: SocketsParts['gate'];
  readonly hub: SocketsParts['hub'];
  readonly feed: SocketsParts['feed'];
  readonly readers: SocketsParts['readers'];
  readonly onBug: SocketsParts['onBug'];
  readonly frames: FrameReader;
  readonly traffic: SocketsParts['traffic'];
  readonly work: SocketsParts['work'];
  readonly unroutedCalls: SocketsParts['unroutedCalls'];
  readonly outbox = new Outbox();
  /** Characters of frames that wait for their turn. */
  readonly backlog = new SharedBudget(SOCKET_BACKLOG_LENGTH_MAX);
  readonly connections: Set<Connection> = new Set();
  readonly places: SharedBudget;
  /** The places of subscriptions. */
  readonly subscriptionPlaces = new SharedBudget(SUBSCRIPTIONS_MAX);
  /** The connections whose clients lag. */
  readonly lagging: Set<Connection> = new Set();
  /** performance.now() when the frames came that are handled now: read once for all of a turn of the event loop. */
  arrivedAtMs = 0;
  /** The connections that got frames in this turn of the event loop. */
  #arrivals: Connection[] = [];
  #stallWatch: NodeJS.Timeout | null = null;

  constructor(parts: SocketsParts) {
    this.world = parts.world;
    this.sequencer = parts.sequencer;
    this.admission = parts.admission;
    this.access = parts.access;
    this.replies = parts.replies;
    this.gate = parts.gate;
    this.hub = parts.hub;
    this.feed = parts.feed;
    this.readers = parts.readers;
    this.onBug = parts.onBug;
    this.frames = new FrameReader(parts.operations);
    this.traffic = parts.traffic;
    this.work = parts.work;
    this.unroutedCalls = parts.unroutedCalls;
    const { connectionsMax, connectionsPerAddressMax } = parts.connectionLimits;
    this.places = new SharedBudget(Math.floor(connectionsMax * SOCKETS_SHARE), connectionsPerAddressMax);
  }

  admit(exchange: Exchange): Owner | null {
    const owner = this.admission.ownerOf(exchange);
    if (this.places.hasRoom(owner)) return owner;
    this.refusePlace(exchange);
    return null;
  }

  refusePlace(exchange: Exchange): void {
    sendProblem(exchange, 'rate_limited', {
      limit: { name: 'sockets_per_client', maximum: this.places.shareMax },
      detail: 'This client has too many WebSockets.',
    });
  }

  refuseSubscription(exchange: Exchange): void {
    sendProblem(exchange, 'rate_limited', {
      limit: { name: 'subscriptions_per_client', maximum: this.subscriptionPlaces.shareMax },
      detail: 'This client has too many subscriptions.',
    });
  }

  open(socket: FrameSocket, opening: SocketOpening): FrameListener {
    return new Connection(socket, opening, this);
  }

  /**
   * Takes room for a frame that has to wait. If its client has none left, its connection with the most is closed, so that clients
   * that send and do not read harm only themselves.
   *
   * @returns false if the connection itself has the most
   */
  takesBacklog(connection: Connection, length: number): boolean {
    const { owner } = connection;
    while (!this.backlog.take(owner, length)) {
      let largest = connection;
      for (const other of this.connections) {
        if (other.owner === owner && other.waitingLength > largest.waitingLength) largest = other;
      }
      if (largest.waitingLength <= connection.waitingLength + length) return false;
      largest.giveWay();
    }
    return true;
  }

  /**
   * Takes room for unread bytes. If its client has none left, its connection with the most is closed, so that clients that do not
   * read harm only themselves.
   *
   * @returns false if the connection itself would have the most
   */
  takesUnsent(connection: Connection, bytes: number): boolean {
    const { owner } = connection;
    while (!UNSENT_REPLIES.take(owner, bytes)) {
      let largest = connection;
      let mostBytes = bytes;
      for (const other of this.lagging) {
        if (other === connection || other.owner !== owner || other.unreadBytes <= mostBytes) continue;
        largest = other;
        mostBytes = other.unreadBytes;
      }
      if (largest === connection) return false;
      largest.leaveUnread();
    }
    return true;
  }

  /**
   * Has the frames of a connection handled at the end of this turn of the event loop. All frames of a turn share one
   * instant and are one unit: then the clock and the timers of the world are looked at once, not for each frame.
   */
  arrived(connection: Connection): void {
    if (this.#arrivals.push(connection) > 1) return;
    this.arrivedAtMs = performance.now();
    setImmediate(this.#handleArrivals);
  }

  readonly #handleArrivals = (): void => {
    const connections = this.#arrivals;
    this.#arrivals = [];
    try {
      // Reading the frames is a part of the turn: it takes as long as its clients like.
      const endMs = Math.max(this.arrivedAtMs + INLINE_TURN_MS, performance.now() + WORK_SLICE_MS);
      this.sequencer.run(() => {
        for (const connection of connections) connection.handleWaiting(endMs);
      });
    } catch (error) {
      // The clock's own tick has failed: the world is dead already.
      this.onBug(error, '');
    }
  };

  /** Closes the connections of some clients. */
  cutBlocked(isBlocked: (client: ClientPlace) => boolean): void {
    for (const connection of [...this.connections]) {
      const { address: peerAddress, forwardedFor } = connection;
      if (isBlocked({ peerAddress, forwardedFor }))
        connection.cut('misbehaved', CLOSE_CODES.policyViolation, 'address_blocked');
    }
  }

  /** Watches a connection whose client lags, until it has read everything or is cut off. */
  watch(connection: Connection): void {
    this.lagging.add(connection);
    if (this.#stallWatch !== null) return;
    this.#stallWatch = setInterval(() => this.#checkLagging(), READER_STALL_POLL_MS);
    this.#stallWatch.unref();
  }

  #checkLagging(): void {
    for (const connection of this.lagging) connection.checkStall();
    if (this.lagging.size > 0 || this.#stallWatch === null) return;
    clearInterval(this.#stallWatch);
    this.#stallWatch = null;
  }
}
