// One request and its reply, as handlers see it: what was asked, who asks, and the reply being prepared. How the reply
// leaves is the business of its kinds: wire-exchange.ts for a request of its own, batch-part.ts for a part of a batch.
import type { DurabilityWaiter, Sequencer } from '../../persistence/writer/sequencer.js';
import type { ReplyStream, StreamListener } from '../transport/wire.js';
import type { ShapeErrorBudget } from './shape-error-budget.js';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/** Names and values by turns, beside those that every reply carries. */
export type ExtraHeaders = readonly string[];

export abstract class Exchange implements DurabilityWaiter {
  abstract readonly requestId: string;
  /** IP address of the other side of the connection, as text; '' once it is closed. */
  abstract readonly peerAddress: string;

  // The request; filled by the server before a handler sees the exchange.
  /** Path parameters in the order of the path, percent-decoded. */
  parameters: readonly string[] = NO_PARAMETERS;
  /** What follows the question mark; '' where nothing does. */
  query = '';
  /** Of the query parameters of the route, in its order; null for one that was not sent. Empty without a query. */
  queryValues: readonly (string | null)[] = NO_VALUES;
  authorization = '';
  contentType = '';
  /** X-Forwarded-For as it came; only to be believed of a trusted proxy. */
  forwardedFor = '';
  ifNoneMatch = '';
  /** The Prefer header (RFC 7240). */
  prefer = '';
  /** Of a POST of its own; null where there is none. */
  idempotencyKey: string | null = null;
  /** Null on GET and HEAD. Only valid while the handler runs. */
  body: Buffer | null = null;
  /** Number of the player whose key the request carries; 0 for nobody. Set by the layer above. */
  callerNumber = 0;

  // The reply, as send() takes it.
  status = 200;
  replyType = JSON_TYPE;
  /** Text, or bytes that nobody writes over; see isReplyLent. */
  reply: string | Uint8Array = '';
  /** True where the reply's bytes belong to a cache and stay unchanged only until send() returns: to wait, it needs its own. */
  isReplyLent = false;
  /** Makes a shorter form of the reply, to be kept where the whole one is too long for that; null where there is none. */
  minimalReply: (() => string) | null = null;
  /** World time of the reply; '' means: ask when it is sent. */
  worldTime = '';
  entityTag = '';
  /** Code of the problem that the reply is; '' where it is none. */
  problemCode = '';
  extraHeaders: ExtraHeaders = NO_HEADERS;
  closesConnection = false;
  /** True where 200 means 304: the client has this version already, and the reply only tells its length. */
  isNotModified = false;
  /** True for an operation of a batch. */
  readonly isPart: boolean = false;
  /** Bounds the shape errors in the reply; null: SHAPE_ERRORS_SHOWN_MAX. */
  readonly shapeErrors: ShapeErrorBudget | null = null;
  /** False where nobody will look at the body of a reply to a command, so that it need not be rendered. */
  wantsBody = true;

  /** Takes the work that is left, while the handler runs in a turn of the work queue; null elsewhere. */
  takeTurns: ((step: () => boolean) => void) | null = null;

  /** Answered, or given up by the client. */
  isDone = false;

  /** False where even a reply that is not sent has to be rendered, for its length. */
  get mayOmitReply(): boolean {
    return true;
  }

  /** Lets the prepared reply go; more than once does nothing. Handlers cannot call it: their replies wait for the disk. */
  protected abstract send(): void;

  /** Lets the prepared reply go once the entry `seq` is on disk. */
  abstract sendWhenDurable(sequencer: Sequencer, seq: number): void;

  /**
   * Replies in pieces, for as long as both sides want. The status and headers that are set now are sent with the first
   * piece. To HEAD the head alone is sent, and the stream ends. A server that stops ends its streams and does not wait.
   */
  abstract stream(listener: StreamListener): ReplyStream;

  /** What the reply rests on is on disk: persistence calls this for a held reply. */
  durable(): void {
    this.send();
  }
}

const NO_PARAMETERS: readonly string[] = Object.freeze([]);
const NO_HEADERS: ExtraHeaders = Object.freeze([]);

const NO_VALUES: readonly (string | null)[] = [];
