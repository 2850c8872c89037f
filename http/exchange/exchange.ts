// A request and its reply, as handlers see them. The subclasses send the reply: server/wire-exchange.ts that of a request
// on a connection, pipeline/batch.ts that of an operation of a batch.
import type { DurabilityWaiter, ServedSequencer } from '../../persistence/writer/sequencer.js';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';
export const EVENT_STREAM_TYPE = 'text/event-stream';

/**
 * The methods of the API. Routing, bodies, Idempotency-Keys, preflights, schemas, metrics, documents and tests follow this list. HEAD
 * comes with GET; PUT replaces what its path names.
 */
export const METHOD_NAMES = ['GET', 'POST', 'PUT'] as const;

/** A method of a route. */
export type Method = (typeof METHOD_NAMES)[number];

/** A method as a request may have it and be routed. */
export type RoutedMethod = Method | 'HEAD';

/** The methods of a set of routes that have a path in common, as `Allow` lists them (RFC 9110, section 10.2.1). */
export function methodList(methods: Iterable<Method>): string {
  const names = new Set<RoutedMethod>(methods);
  if (names.has('GET')) names.add('HEAD');
  return [...names].sort().join(', ');
}

/** Whether a request has a body, may change the world and may carry an Idempotency-Key. */
export function isWrite(method: Method): boolean {
  return method !== 'GET';
}

/** Alternating names and values, besides the headers that every reply carries. */
export type ExtraHeaders = readonly string[];

/**
 * What a request needs of the world. `none`: nothing, or only documents. `report`: it reports on this process, which it may always
 * do. `state`: what the world is now. `command`: to change it.
 */
export type WorldUse = 'none' | 'report' | 'state' | 'command';

/** Called with every exception of a handler: it is a bug, and the client got 500. */
export type BugReport = (error: unknown, requestId: string) => void;

/** Sees each request, and how it is answered. */
export interface RequestTrace {
  /**
   * A request begins, or a part of a batch, or a call.
   *
   * @param target path and query
   * @param body its bytes, or its value if it is parsed already; undefined if it has none
   */
  begin(exchange: Exchange, method: string, target: string, body: unknown): void;
}

/** Tells when a reply may be sent. */
export type Durability = Pick<ServedSequencer, 'holdUntilDurable'>;

/** Receives the events of a stream; implemented by the code that writes it. */
export interface StreamListener {
  /** The client has taken what was written; called only after write() returned false. */
  drained(): void;
  /** The stream has ended, from either side. Called once. */
  closed(): void;
}

/** A reply that is written in pieces. The head is sent with the first piece. Either side can end it. */
export interface ReplyStream {
  /**
   * Writes a piece. A stream whose client lags by more than STREAM_UNSENT_BYTES_MAX is closed.
   *
   * @returns false if the client lags: write no more before drained()
   */
  write(piece: string | Uint8Array): boolean;
  /** Ends the reply as a complete one. Further calls do nothing. */
  end(): void;
}

/** Lends the bytes of replies. */
export interface Lender {
  /** The bytes that were lent last must not be overwritten any more. */
  giveAway(): void;
}

/** Something other than the disk that a request waits for. */
export interface Waiting {
  /** The server stops: the request must be answered now. */
  hurry(): void;
  /** The request is answered, or its client is gone. Called once. */
  over(): void;
}

export abstract class Exchange implements DurabilityWaiter {
  abstract readonly requestId: string;
  /** IP address of the peer, as text; '' once the connection is closed. */
  abstract readonly peerAddress: string;

  /** An instant of performance.now(); 0 for an operation of a batch. */
  readonly arrivedAtMs: number = 0;

  // The request; filled by the server before a handler sees the exchange.
  /** Path parameters in the order of the path, percent-decoded. */
  parameters: readonly string[] = NO_PARAMETERS;
  /** The part after the question mark; '' if there is none. */
  query = '';
  /** Values of the query parameters of the route, in its order; null for one that was not sent. Empty without a query. */
  queryValues: readonly (string | null)[] = NO_VALUES;
  authorization = '';
  contentType = '';
  /** Content-Encoding as received. */
  contentEncoding = '';
  /** Accept-Encoding as received; null if there is none. */
  acceptEncoding: string | null = null;
  /** X-Forwarded-For as received; to be trusted only from a trusted proxy. */
  forwardedFor = '';
  /** If-Match as received; '' for none. */
  ifMatch = '';
  ifNoneMatch = '';
  /** Last-Event-ID as received (HTML standard, section 9.2). */
  lastEventId = '';
  /** The Prefer header (RFC 7240). */
  prefer = '';
  /** The field x-min-seq as received; '' for none. */
  minSeq = '';
  /** Null if there is none. Operations of a batch have none. */
  idempotencyKey: string | null = null;
  /** True if a page of a host that is not allowed sends it; see server/cors.ts. */
  isFromForeignPage = false;
  /** Null on GET and HEAD. Only valid while the handler runs. */
  body: Buffer | null = null;
  /** Hash of the key in the Authorization header, '' if there is none; null until somebody asks who the caller is. */
  keyHash: string | null = null;
  /** Tokens of its rate limit that it has taken. */
  paid = 0;
  /** The address or network of its client; '' until somebody asks. */
  network = '';
  /** Number of the player whose valid key it carries, 0 for none; negative until somebody asks. */
  holderNumber = -1;
  /** Commands that were accepted for it. */
  commandCount = 0;
  /** True on the operator's own paths. Set by the layer above. */
  isOperators = false;
  /** Called once when it is answered, before the reply leaves, with the status; with null if its client is gone before. */
  onAnswered: ((status: number | null) => void) | null = null;
  /** Number of the player whose key the request carries; 0 for none. Set by the layer above. */
  callerNumber = 0;
  /** Name of the key of an operator that the request was allowed for; '' if it was for another reason. Set by the layer above. */
  operatorName = '';
  /** True if the operator reads with it what is a player's. Set by the layer above. */
  readsForOperator = false;
  /** What it needs of the world; set only if several processes serve the world, by their gate. */
  worldUse: WorldUse = 'none';
  /** Path of its route, with names of parameters; set with worldUse. */
  routePath = '';

  // The reply, as send() writes it.
  status = 200;
  replyType = JSON_TYPE;
  /** Text, or bytes that are never overwritten; see lender. */
  reply: string | Uint8Array = '';
  /**
   * The cache that the bytes of the reply belong to, if they stay unchanged only until send() returns: a reply that waits must copy
   * them. Null for bytes that nobody overwrites.
   */
  lender: Lender | null = null;
  /** Renders only the statuses of a batch, to be kept if its reply is too long; null if it is no batch. */
  statusesReply: (() => string) | null = null;
  /** World time of the reply; '' means the time at which it is sent. */
  worldTime = '';
  /** Value of the x-world-seq field; negative for none. */
  worldSeq = -1;
  entityTag = '';
  /** Code of the problem if the reply is one, else ''. */
  problemCode = '';
  extraHeaders: ExtraHeaders = NO_HEADERS;
  /** False if the reply does not show the rate limit. */
  readonly showsRateLimit: boolean = true;
  /** Value of the RateLimit-Policy field; '' if requests are not limited. */
  rateLimitPolicy = '';
  /** Value of the RateLimit field. */
  rateLimit = '';
  /** Lets a page of another origin read the reply; empty if no page asks. */
  originHeaders: ExtraHeaders = NO_HEADERS;
  closesConnection = false;
  /** True while its reply is a refusal that waits: a further request on its connection closes it. */
  isHeldBack = false;
  /** True while it waits for events, or streams them: its connection may be silent, and carries no further request. */
  awaitsEvents = false;
  /** True if 200 is sent as 304: the client has this version already, and the reply only supplies its length. */
  isNotModified = false;
  /** True for an operation of a batch. */
  readonly isPart: boolean = false;
  /** Limits the shape errors in the reply; null means SHAPE_ERRORS_SHOWN_MAX. */
  readonly shapeErrors: ShapeErrorBudget | null = null;
  /** True if the short form of a reply to a command is preferred (Prefer: return=minimal). */
  isMinimal = false;
  /** False if a body that has no short form is not wanted, so that it need not be rendered. */
  wantsBody = true;

  /** Queues the remaining work, while the handler runs in a turn of the work queue; null elsewhere. */
  takeTurns: ((step: () => boolean) => void) | null = null;

  /** True once the request is answered or abandoned. */
  isDone = false;

  /** True if its reply is the short one, perhaps a repeated one. */
  get isAnsweredBriefly(): boolean {
    return this.extraHeaders === MINIMAL_HEADERS || this.extraHeaders.includes('preference-applied');
  }

  /** False if even a reply without its body must be rendered, for its length. */
  get mayOmitReply(): boolean {
    return true;
  }

  /** A command was accepted for it. */
  countCommand(): void {
    this.commandCount += 1;
  }

  /** Sends the prepared reply; further calls do nothing. Handlers cannot call it: their replies wait for the disk. */
  protected abstract send(): void;

  /** Sends the prepared reply once the entry `seq` is durable. */
  abstract sendWhenDurable(durability: Durability, seq: number): void;

  /**
   * Starts a reply in pieces, which either side can end. The current status and headers are sent with the first piece.
   * For HEAD only the head is sent, and the stream ends. A stopping server ends its streams without waiting.
   */
  abstract stream(listener: StreamListener): ReplyStream;

  /** Whether its reply may wait for events: that of a batch or a call may not. */
  get mayWait(): boolean {
    return false;
  }

  /**
   * Lets the request wait for events. It is answered later like any other.
   *
   * @returns false if it must be answered at once: it may not wait, is HEAD, or the server stops
   */
  keepWaiting(_waiting: Waiting): boolean {
    return false;
  }

  /**
   * Lets the request wait before it is handled, whatever it is: for the process to catch up, or for a leader.
   *
   * @returns false if it is answered already or may not wait, since the server stops or it belongs to a batch
   */
  hold(_waiting: Waiting): boolean {
    return false;
  }

  /** Ends what hold() began; Waiting.over() is called. */
  resume(): void {}

  /** Bytes that it keeps while it waits, about. */
  get heldBytes(): number {
    return this.body?.length ?? 0;
  }

  /** Tells that the reply is on its way, or that there will be none. */
  protected tellAnswered(status: number | null): void {
    const { onAnswered } = this;
    this.onAnswered = null;
    onAnswered?.(status);
  }

  /** Called by persistence once the state that a held reply depends on is durable. */
  durable(): void {
    this.send();
  }
}

/** Marks a reply as the short one that `Prefer: return=minimal` asked for (RFC 7240, section 3). */
export const MINIMAL_HEADERS: ExtraHeaders = Object.freeze(['preference-applied', 'return=minimal']);

const NO_PARAMETERS: readonly string[] = Object.freeze([]);
const NO_HEADERS: ExtraHeaders = Object.freeze([]);

const NO_VALUES: readonly (string | null)[] = [];

export class ShapeErrorBudget {
  constructor(private left: number) {}

  /** Errors that the next operation may list: at least one, so that every refusal has a reason. */
  get next(): number {
    return Math.max(1, this.left);
  }

  spend(count: number): void {
    this.left -= count;
  }
}
