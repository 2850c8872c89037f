// The WebSockets of a server: opens connections, and holds what they share. The protocol is in connection.ts.

import type { WorkQueue } from '../admission/work-queue.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Game } from '../game/game.js';
import {
  INLINE_TURN_MS,
  READER_STALL_POLL_MS,
  SOCKET_BACKLOG_LENGTH_MAX,
  SOCKETS_SHARE,
  SUBSCRIPTIONS_MAX,
} from '../limits.js';
import type { OperationIndex } from '../pipeline/operation-index.js';
import { RouteCounts } from '../pipeline/request-counts.js';
import type { Owner } from '../transport/body-budget.js';
import { ByteBudget, UNSENT_REPLIES } from '../transport/byte-budget.js';
import type { Traffic } from '../transport/traffic.js';
import type { ConnectionLimits } from '../transport/transport.js';
import type { FrameListener, FrameSocket, SocketHost, SocketOpening } from '../transport/web-socket.js';
import { FrameReader } from './client-frame.js';
import { Connection } from './connection.js';
import { Outbox } from './outbox.js';
import { SocketPlaces } from './socket-places.js';

export interface SocketParts {
  readonly game: Game;
  /** Those that a call may run: the same as in a batch. */
  readonly operations: OperationIndex;
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  /** Of the server: over all clients, and of one of them. */
  readonly connections: ConnectionLimits;
}

export class Sockets implements SocketHost {
  readonly game: Game;
  readonly frames: FrameReader;
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  readonly outbox = new Outbox();
  /** Counts of the calls to paths that do not exist. */
  readonly unroutedCalls = new RouteCounts('unrouted');
  /** Characters of frames that wait for their turn. */
  readonly backlog = new ByteBudget(SOCKET_BACKLOG_LENGTH_MAX);
  readonly connections: Set<Connection> = new Set();
  readonly places: SocketPlaces;
  /** Of subscriptions. */
  readonly subscriptionPlaces = new SocketPlaces(SUBSCRIPTIONS_MAX, SUBSCRIPTIONS_MAX);
  /** The connections whose clients lag. */
  readonly lagging: Set<Connection> = new Set();
  /** performance.now() when the frames came that are handled now: read once for all of a turn of the event loop. */
  arrivedAtMs = 0;
  /** The connections that got frames in this turn of the event loop. */
  #arrivals: Connection[] = [];
  #stallWatch: NodeJS.Timeout | null = null;

  constructor({ game, operations, traffic, work, connections }: SocketParts) {
    this.game = game;
    this.frames = new FrameReader(operations);
    this.traffic = traffic;
    this.work = work;
    const { connectionsMax, connectionsPerAddressMax } = connections;
    this.places = new SocketPlaces(Math.floor(connectionsMax * SOCKETS_SHARE), connectionsPerAddressMax);
  }

  admit(exchange: Exchange): Owner | null {
    const owner = this.game.admission.ownerOf(exchange);
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
   * instant: then the clock and the timers of the world are looked at once, not for each frame.
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
      const endMs = performance.now() + INLINE_TURN_MS;
      this.game.sequencer.atOneInstant(() => {
        for (const connection of connections) connection.handleWaiting(endMs);
      });
    } catch (error) {
      // The clock's own tick has failed: the world is dead already.
      this.game.services.onBug(error, '');
    }
  };

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
