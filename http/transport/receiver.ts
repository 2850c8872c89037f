// The way of a request from its head to its endpoint, the same for both transports: is the head sound, which endpoint is it
// for, does its body fit, and is it handled at once or in a turn of its own. It knows nothing of the game.

import { Seats } from '../admission/seats.js';
import { QUEUE_IS_FULL, type Work, type WorkQueue } from '../admission/work-queue.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import { INLINE_BODY_BYTES_MAX, QUEUED_REQUESTS_MAX, SEATS_MAX, SEATS_PER_OWNER_MAX } from '../limits.js';
import { type RequestCounts, RouteCounts } from '../pipeline/request-counts.js';
import { allowedMethods, RouteIndex } from '../pipeline/route-index.js';
import type { Owner } from './body-budget.js';
import { RequestHead } from './request-head.js';
import type { Traffic } from './traffic.js';
import type { Wire } from './wire.js';
import { WireExchange } from './wire-exchange.js';

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  /** Longest body it takes; a longer one gets 413 and the connection is closed. */
  readonly bodyBytesMax: number;
  /** True if it costs more than a moment, so that a request always waits for its turn. */
  readonly isHeavy: boolean;
  /** True if a request keeps much memory while it is worked on in turns, so that only some are begun at a time. */
  readonly takesSeat: boolean;
  readonly counts: RouteCounts;
  /** Answers at once, or keeps the exchange and answers later. What it throws is answered with 500. */
  handle(exchange: Exchange): void;
}

/** Called with every exception out of a handler: it is a bug, and its client got 500. */
export type BugReport = (error: unknown, requestId: string) => void;

/** Knows whose share and whose turn a request takes. */
export interface Gatekeeper {
  ownerOf(exchange: Exchange): Owner;
}

/** The body of a request. An object, so that a request without a body costs no closure. */
export interface BodySource {
  /** Calls `take` with each piece. A piece is only valid during the call. */
  onData(take: (piece: ArrayBuffer | Uint8Array, isLast: boolean) => void): unknown;
}

export class Receiver {
  /** What led to no endpoint. */
  readonly unrouted: RouteCounts = new RouteCounts('unrouted');
  /** The head that is being read; a head is read and judged within one synchronous call. */
  readonly head: RequestHead = new RequestHead();
  readonly #index: RouteIndex<Endpoint>;
  readonly #seats = new Seats({
    seatsMax: SEATS_MAX,
    seatsPerOwnerMax: SEATS_PER_OWNER_MAX,
    waitingMax: QUEUED_REQUESTS_MAX,
  });
  readonly #ownerOf: (exchange: Exchange) => Owner;

  constructor(
    readonly endpoints: readonly Endpoint[],
    private readonly traffic: Traffic,
    private readonly work: WorkQueue,
    gatekeeper: Gatekeeper,
    private readonly onBug: BugReport,
  ) {
    this.#index = new RouteIndex(endpoints);
    this.#ownerOf = (exchange) => gatekeeper.ownerOf(exchange);
  }

  /** A request has begun. Its header fields are to be handed to `head` next. */
  open(wire: Wire, isHead: boolean, counts: RequestCounts): WireExchange {
    this.head.clear();
    return new WireExchange(wire, this.traffic, isHead, counts);
  }

  /** Finds the endpoint by method and path, for what a transport has not routed by itself. The head is read. */
  route(exchange: WireExchange, method: string, path: string, body: BodySource): void {
    const matches = this.#index.match(path);
    const routed = matches.find(
      ({ endpoint }) => endpoint.method === method || (endpoint.method === 'GET' && exchange.isHead),
    );
    if (routed !== undefined) {
      exchange.parameters = routed.parameters;
      exchange.counts = routed.endpoint.counts.of(method);
      this.receive(exchange, routed.endpoint, body);
    } else if (this.#isSound(exchange)) {
      if (matches.length === 0) sendProblem(exchange, 'route_not_found');
      else sendProblem(exchange, 'method_not_allowed', { allow: allowedMethods(matches) });
    }
  }

  /** The head is read, and parameters and query of the exchange are set. */
  receive(exchange: WireExchange, endpoint: Endpoint, body: BodySource): void {
    const { head } = this;
    if (!this.#isSound(exchange)) return;
    exchange.authorization = head.authorization;
    exchange.contentType = head.contentType;
    exchange.forwardedFor = head.forwardedFor;
    exchange.ifNoneMatch = head.ifNoneMatch;
    exchange.prefer = head.prefer;
    if (endpoint.method === 'GET') {
      if (head.announcesBody) refuseAndClose(exchange, 'invalid_request', 'This method takes no body.');
      else this.#handle(exchange, endpoint, endpoint.isHeavy || this.traffic.isTurnSpent);
    } else if (Number(head.contentLength) > endpoint.bodyBytesMax) {
      refuseTooLarge(exchange, endpoint);
    } else {
      exchange.idempotencyKey = head.idempotencyKey;
      // The native server hands over no end of a body of zero bytes if the head came in pieces.
      // It is listened for all the same: only then does the library stop counting the client's silence.
      const isEmpty = head.contentLength !== '' && !head.announcesBody;
      if (isEmpty) {
        body.onData(ignore);
        this.#receivePiece(exchange, endpoint, NOTHING, true);
      } else {
        body.onData((piece, isLast) => this.#receivePiece(exchange, endpoint, piece, isLast));
      }
    }
  }

  /** An exception must not reach a transport, which would end the process. */
  answerBug(exchange: Exchange, error: unknown): void {
    this.onBug(error, exchange.requestId);
    exchange.worldTime = this.traffic.lastWorldTime();
    sendProblem(exchange, 'internal_error');
  }

  /** Takes a piece of the body, in a callback of its own. */
  #receivePiece(exchange: WireExchange, endpoint: Endpoint, piece: ArrayBuffer | Uint8Array, isLast: boolean): void {
    if (exchange.isDone) return;
    exchange.isLate = false;
    const { bodyBytesMax } = endpoint;
    let waits = false;
    try {
      this.traffic.arrival();
      waits = isLast && (endpoint.isHeavy || piece.byteLength > INLINE_BODY_BYTES_MAX || this.traffic.isTurnSpent);
      const body = exchange.takeBody(piece, isLast, bodyBytesMax, waits, this.#ownerOf);
      if (body === 'too_large') refuseTooLarge(exchange, endpoint);
      else if (body === 'overloaded') refuseAndClose(exchange, 'overloaded', 'Too many bodies are on their way.');
      else if (body !== null) {
        exchange.body = body;
        this.#handle(exchange, endpoint, waits);
      }
    } catch (error) {
      this.answerBug(exchange, error);
    }
    exchange.isLate = true;
    if (exchange.isDone || (isLast && !waits)) exchange.releaseBody();
  }

  #handle(exchange: WireExchange, endpoint: Endpoint, waits: boolean): void {
    if (!waits) {
      endpoint.handle(exchange);
      return;
    }
    const owner = this.#ownerOf(exchange);
    const work = new HandlerWork(exchange, endpoint, this);
    const begin = (): boolean => this.work.add(owner, work);
    const isQueued = endpoint.takesSeat ? this.#beginWithSeat(exchange, owner, begin) : begin();
    if (!isQueued) sendProblem(exchange, 'overloaded', QUEUE_IS_FULL);
  }

  /** Begins at once, or as soon as there is a seat. @returns false if too many wait already */
  #beginWithSeat(exchange: WireExchange, owner: Owner, begin: () => boolean): boolean {
    const seats = this.#seats;
    return seats.ask(owner, {
      get isDone() {
        return exchange.isDone;
      },
      seated() {
        exchange.keepSeat(() => seats.give(owner));
        if (!begin()) sendProblem(exchange, 'overloaded', QUEUE_IS_FULL);
      },
    });
  }

  /** False if the head is refused: by silence if even the end of the request is in doubt. */
  #isSound(exchange: WireExchange): boolean {
    const { fault } = this.head;
    exchange.closesConnection = this.head.closesConnection;
    if (fault === null) return true;
    if (fault === 'framing') exchange.drop();
    else refuseAndClose(exchange, 'invalid_request', 'A header field that must come once came twice.');
    return false;
  }
}

/** A request whose handler waits for a turn, and may go on in more of them. */
class HandlerWork implements Work {
  #rest: (() => boolean) | null = null;

  constructor(
    private readonly exchange: WireExchange,
    private readonly endpoint: Endpoint,
    private readonly receiver: Receiver,
  ) {}

  get isDone(): boolean {
    return this.exchange.isDone;
  }

  step(): boolean {
    if (this.#rest !== null) return this.#goOn(this.#rest);
    const { exchange } = this;
    exchange.takeTurns = (rest) => {
      this.#rest = rest;
    };
    this.endpoint.handle(exchange);
    exchange.takeTurns = null;
    // A batch that goes on in turns holds what was made of its body: it keeps its share until it is answered.
    if (exchange.isDone) exchange.releaseBody();
    if (this.#rest === null) exchange.leaveSeat();
    return this.#rest === null;
  }

  /**
   * A work that waited is in the old generation of the garbage collector by now. What it refers to would survive the collections of
   * the young generation even if both are garbage, so it drops its reference (ADR 25).
   */
  #goOn(rest: () => boolean): boolean {
    const isOver = rest();
    if (isOver) this.#rest = null;
    return isOver;
  }

  failed(error: unknown): void {
    this.#rest = null;
    this.receiver.answerBug(this.exchange, error);
    this.exchange.releaseBody();
  }
}

const NOTHING = new Uint8Array(0);

function refuseTooLarge(exchange: Exchange, { bodyBytesMax }: Endpoint): void {
  refuseAndClose(exchange, 'body_too_large', `A body of this path is at most ${bodyBytesMax} bytes long.`);
}

/** Nothing that came behind the request is looked at. */
function refuseAndClose(
  exchange: Exchange,
  code: 'invalid_request' | 'body_too_large' | 'overloaded',
  detail: string,
): void {
  exchange.closesConnection = true;
  sendProblem(exchange, code, { detail });
}

function ignore(): void {}
