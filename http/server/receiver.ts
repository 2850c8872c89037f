// The path of a request from its head to its endpoint, the same for both transports: it checks the head, finds the
// endpoint, limits the body, and handles the request at once or queues it. It knows nothing of the game.

import type { Owner } from '../admission/owners.js';

import { Seats } from '../admission/seats.js';
import { QUEUE_IS_FULL, type Work, type WorkQueue } from '../admission/work-queue.js';
import {
  type BugReport,
  type Exchange,
  isWrite,
  METHOD_NAMES,
  type Method,
  methodList,
  type RequestTrace,
} from '../exchange/exchange.js';
import { prepareProblem, sendProblem } from '../exchange/problems.js';
import {
  INLINE_BODY_BYTES_MAX,
  QUEUED_REQUESTS_MAX,
  SEATS_MAX,
  SEATS_PER_OWNER_MAX,
  UNROUTED_COST,
} from '../limits.js';
import { type CrossOrigin, isForeignPage } from './cors.js';
import type { HostNames } from './host-names.js';
import type { RequestCounts, RouteCounts, ServerCounts } from './request-counts.js';
import { type RequestFault, RequestHead } from './request-head.js';
import { allowedMethods, RouteIndex } from './route-index.js';
import type { Traffic } from './traffic.js';
import type { Wire } from './transport.js';
import { offersSubprotocol, SOCKET_PATH, type SocketHost, type SocketOpening, SUBPROTOCOL } from './web-socket.js';
import { WireExchange } from './wire-exchange.js';

export interface Endpoint {
  readonly method: Method;
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  /** Maximum length of a body; a longer one gets 413 and the connection is closed. */
  readonly bodyBytesMax: number;
  /** True if its requests are costly, and so always queued. */
  readonly isHeavy: boolean;
  /**
   * True if a request keeps much memory while it is processed in turns, so that only a few are in progress at a time.
   */
  readonly takesSeat: boolean;
  /** Tokens that a request takes from the rate limit of its client. */
  readonly cost: number;
  readonly counts: RouteCounts;
  /** Answers at once, or keeps the exchange and answers later. An exception is answered with 500. */
  serve(exchange: Exchange): void;
}

export interface Gatekeeper {
  /** Finds the owner of a request, whose share of memory and whose turns it uses. */
  ownerOf(exchange: Exchange): Owner;
  /** Takes tokens from the rate limit of its client. @returns false if there are too few; the exchange is answered then */
  admits(exchange: Exchange, cost: number): boolean;
  /** Counts a request that is about to be answered, or whose client is gone, and the bytes of its body and its reply. */
  answered(exchange: Exchange, bytesIn: number, bytesOut: number): void;
}

/** The body of a request. An object, so that a request without a body costs no closure. */
export interface BodySource {
  /** Calls `take` with each piece. A piece is only valid during the call. */
  onData(take: (piece: ArrayBuffer | Uint8Array, isLast: boolean) => void): unknown;
}

export interface ReceiverParts {
  readonly endpoints: readonly Endpoint[];
  readonly counts: Pick<ServerCounts, 'upgrades' | 'unrouted' | 'connections'>;
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  readonly gatekeeper: Gatekeeper;
  /** The names of the server. */
  readonly hostNames: HostNames;
  /** Null if no page of another origin may read replies. */
  readonly crossOrigin: CrossOrigin | null;
  /** Takes the WebSockets. */
  readonly sockets: SocketHost;
  /** Sees requests without an endpoint; none by default. */
  readonly trace?: RequestTrace | null;
  readonly onBug: BugReport;
}

export class Receiver {
  /** The head that is being read; a head is read and checked within one synchronous call. */
  readonly head: RequestHead = new RequestHead();
  readonly #index: RouteIndex<Endpoint>;
  readonly #seats = new Seats({
    seatsMax: SEATS_MAX,
    seatsPerOwnerMax: SEATS_PER_OWNER_MAX,
    waitingMax: QUEUED_REQUESTS_MAX,
  });
  readonly #ownerOf: (exchange: Exchange) => Owner;
  readonly endpoints: readonly Endpoint[];
  readonly counts: ReceiverParts['counts'];
  readonly sockets: SocketHost;
  private readonly traffic: Traffic;
  readonly work: WorkQueue;
  private readonly gatekeeper: Gatekeeper;
  private readonly hostNames: HostNames;
  private readonly crossOrigin: CrossOrigin | null;
  private readonly trace: RequestTrace | null;
  private readonly onBug: BugReport;

  constructor(parts: ReceiverParts) {
    this.endpoints = parts.endpoints;
    this.counts = parts.counts;
    this.sockets = parts.sockets;
    this.traffic = parts.traffic;
    this.work = parts.work;
    this.gatekeeper = parts.gatekeeper;
    this.hostNames = parts.hostNames;
    this.crossOrigin = parts.crossOrigin;
    this.trace = parts.trace ?? null;
    this.onBug = parts.onBug;
    this.#index = new RouteIndex(parts.endpoints);
    this.#ownerOf = (exchange) => parts.gatekeeper.ownerOf(exchange);
  }

  /** Begins a request. The transport must pass its header fields to `head` next. */
  open(wire: Wire, isHead: boolean, counts: RequestCounts): WireExchange {
    this.head.clear();
    return new WireExchange(wire, this.traffic, isHead, counts, this.gatekeeper);
  }

  /**
   * Finds the endpoint by method and target, for a request that the transport has not routed. The head must be read.
   *
   * @param target path and query
   */
  route(exchange: WireExchange, method: string, target: string, body: BodySource): void {
    const { matches, match, query } = this.#index.find(exchange.isHead ? 'GET' : method, target);
    exchange.query = query;
    if (match !== undefined) {
      exchange.parameters = match.parameters;
      exchange.counts = match.endpoint.counts.of(method);
      this.receive(exchange, match.endpoint, body);
    } else if (this.#isSound(exchange)) {
      this.trace?.begin(exchange, method, target, undefined);
      if (method === 'OPTIONS' && this.#isPreflight) this.#answerPreflight(exchange);
      else if (!this.gatekeeper.admits(exchange, UNROUTED_COST)) return;
      else if (method === 'OPTIONS' && target === WHOLE_SERVER) this.#answerCapabilities(exchange);
      else if (method === 'GET' && target.split('?')[0] === SOCKET_PATH) refuseHandshake(exchange);
      else if (matches.length === 0) sendProblem(exchange, 'route_not_found');
      else sendProblem(exchange, 'method_not_allowed', { headers: ['allow', allowedMethods(matches)] });
    }
  }

  /** Receives a request whose head is read, and whose parameters and query are set. */
  receive(exchange: WireExchange, endpoint: Endpoint, body: BodySource): void {
    const { head } = this;
    if (!this.#isSound(exchange) || !this.gatekeeper.admits(exchange, endpoint.cost)) return;
    exchange.contentType = head.contentType;
    exchange.contentEncoding = head.contentEncoding;
    exchange.acceptEncoding = head.acceptEncoding;
    exchange.ifMatch = head.ifMatch;
    exchange.ifNoneMatch = head.ifNoneMatch;
    exchange.prefer = head.prefer;
    exchange.lastEventId = head.lastEventId;
    exchange.minSeq = head.minSeq;
    if (!isWrite(endpoint.method)) {
      if (head.announcesBody) refuseAndClose(exchange, 'invalid_request', 'This method takes no body.');
      else this.#dispatch(exchange, endpoint, endpoint.isHeavy || this.traffic.isTurnSpent);
    } else if (Number(head.contentLength) > endpoint.bodyBytesMax) {
      refuseTooLarge(exchange, endpoint);
    } else {
      exchange.idempotencyKey = head.idempotencyKey;
      exchange.isFromForeignPage = this.#isFromForeignPage;
      // The native server does not report the end of an empty body if the head came in pieces. The handler is set all
      // the same: otherwise the library's timeout for a silent client keeps running.
      const isEmpty = head.contentLength !== '' && !head.announcesBody;
      if (isEmpty) {
        body.onData(ignore);
        this.#receivePiece(exchange, endpoint, NOTHING, true);
      } else {
        body.onData((piece, isLast) => this.#receivePiece(exchange, endpoint, piece, isLast));
      }
    }
  }

  /**
   * Admits a request that opens a WebSocket, whose head is read.
   *
   * @returns null if it is refused; the exchange is answered then
   */
  admitSocket(exchange: WireExchange): SocketOpening | null {
    const { head } = this;
    if (!this.#isSound(exchange) || !this.gatekeeper.admits(exchange, UNROUTED_COST)) return null;
    // What follows such a request is not HTTP, whatever the answer.
    exchange.closesConnection = true;
    if (this.traffic.isDraining) sendProblem(exchange, 'shutting_down');
    else if (this.#isFromForeignPage) {
      prepareProblem(exchange, 'forbidden', { detail: 'Pages of this origin may not open a WebSocket.' });
      exchange.durable();
    } else if (head.announcesBody || head.webSocketVersion !== SOCKET_VERSION) {
      refuseHandshake(exchange);
    } else if (head.webSocketProtocols !== '' && !offersSubprotocol(head.webSocketProtocols)) {
      sendProblem(exchange, 'invalid_request', { detail: `The subprotocol is ${SUBPROTOCOL}.` });
    } else {
      const owner = this.sockets.admit(exchange);
      if (owner === null) return null;
      const { authorization, forwardedFor, peerAddress } = exchange;
      exchange.switched();
      return { authorization, forwardedFor, address: peerAddress, owner };
    }
    return null;
  }

  /** Answers an exception with 500. It must not reach a transport, where it would end the process. */
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
      else if (body === 'overloaded') refuseAndClose(exchange, 'overloaded', 'Too many bodies are being received.');
      else if (body !== null) {
        exchange.body = body;
        this.#dispatch(exchange, endpoint, waits);
      }
    } catch (error) {
      this.answerBug(exchange, error);
    }
    exchange.isLate = true;
    if (exchange.isDone || (isLast && !waits)) exchange.releaseBody();
  }

  #dispatch(exchange: WireExchange, endpoint: Endpoint, waits: boolean): void {
    if (!waits) {
      endpoint.serve(exchange);
      return;
    }
    const owner = this.#ownerOf(exchange);
    const work = new HandlerWork(exchange, endpoint, this);
    const begin = (): boolean => this.work.add(owner, work);
    const isQueued = endpoint.takesSeat ? this.#beginWithSeat(exchange, owner, begin) : begin();
    if (!isQueued) sendProblem(exchange, 'overloaded', QUEUE_IS_FULL);
  }

  /** Begins at once, or as soon as a seat is free. @returns false if too many wait already */
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

  /**
   * Refuses a request that is not sound, and all behind it if its end or its meaning is in doubt. Whose key it brings is in doubt, too, so
   * its address pays.
   */
  refuse(exchange: WireExchange, { code, detail, keepsConnection }: RequestFault): void {
    if (keepsConnection !== true) exchange.closesConnection = true;
    if (this.gatekeeper.admits(exchange, UNROUTED_COST)) sendProblem(exchange, code, { detail });
  }

  /** Returns false if the head is refused. */
  #isSound(exchange: WireExchange): boolean {
    const { head, crossOrigin } = this;
    const fault = head.fault ?? this.#hostFault;
    exchange.closesConnection = head.closesConnection;
    exchange.forwardedFor = head.forwardedFor;
    if (crossOrigin !== null) exchange.originHeaders = crossOrigin.replyHeaders(head.origin);
    if (fault !== null) {
      this.refuse(exchange, fault);
      return false;
    }
    exchange.authorization = head.authorization;
    return true;
  }

  get #hostFault(): RequestFault | null {
    const detail = this.head.hasHost ? this.hostNames.faultOf(this.head.host) : null;
    return detail === null ? null : { code: 'invalid_request', detail, keepsConnection: true };
  }

  get #isFromForeignPage(): boolean {
    const { origin, host } = this.head;
    return origin !== '' && isForeignPage(origin, host, this.crossOrigin);
  }

  /** True if a browser asks whether a page may send a request. */
  get #isPreflight(): boolean {
    return this.crossOrigin !== null && this.head.origin !== '' && this.head.requestedMethod !== '';
  }

  /** The same for every path: the request itself then learns whether the path exists. It takes no token. */
  #answerPreflight(exchange: WireExchange): void {
    if (!this.gatekeeper.admits(exchange, 0)) return;
    exchange.status = 204;
    exchange.replyType = '';
    exchange.extraHeaders = this.crossOrigin?.preflightHeaders ?? [];
    exchange.durable();
  }

  /** A client asks whether the server is there, and what it can do at all (RFC 9110, section 9.3.7). */
  #answerCapabilities(exchange: WireExchange): void {
    exchange.status = 204;
    exchange.replyType = '';
    exchange.extraHeaders = ['allow', methodList(METHOD_NAMES)];
    exchange.durable();
  }
}

/** A queued request, whose handler may continue in further turns. */
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
    if (this.#rest !== null) return this.#continue(this.#rest);
    const { exchange } = this;
    exchange.takeTurns = (rest) => {
      this.#rest = rest;
    };
    this.endpoint.serve(exchange);
    exchange.takeTurns = null;
    // A batch that continues in further turns holds its parsed body, so it keeps its share until it is answered.
    if (exchange.isDone) exchange.releaseBody();
    if (this.#rest === null) exchange.leaveSeat();
    return this.#rest === null;
  }

  /**
   * Work that waited is in the old generation of the garbage collector by now. What it refers to would survive the
   * collections of the young generation even if both are garbage, so it drops its reference (decision 14).
   */
  #continue(rest: () => boolean): boolean {
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
  refuseAndClose(exchange, 'body_too_large', `The body may be at most ${bodyBytesMax} bytes long.`);
}

/** Ignores everything behind the request on its connection. */
function refuseAndClose(
  exchange: Exchange,
  code: 'invalid_request' | 'body_too_large' | 'overloaded',
  detail: string,
): void {
  exchange.closesConnection = true;
  sendProblem(exchange, code, { detail });
}

/** A request for the path of WebSockets that does not open one, or none that the server knows (RFC 6455, section 4.4). */
function refuseHandshake(exchange: Exchange): void {
  sendProblem(exchange, 'invalid_request', {
    detail: `A WebSocket is opened as RFC 6455 says, with version ${SOCKET_VERSION}, without a body.`,
    headers: ['sec-websocket-version', SOCKET_VERSION],
  });
}

const SOCKET_VERSION = '13';
/** The target of OPTIONS that means no resource (RFC 9112, section 3.2.4). */
const WHOLE_SERVER = '*';

function ignore(): void {}
