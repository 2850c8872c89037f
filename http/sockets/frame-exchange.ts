// The exchanges of frames: a call, which is answered with a reply, and any other frame, which is answered by its own kind
// or with an error. Handlers and refusals see them as any other exchange.
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { ReplyStream } from '../exchange/exchange.js';
import { Exchange, type Waiting } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { RequestCounts } from '../server/request-counts.js';

/** What an exchange needs of its connection. */
export interface FrameConnection {
  /** IP address of the peer, as text. */
  readonly address: string;
  /** X-Forwarded-For of the request that opened the connection. */
  readonly forwardedFor: string;
  /** Address or network of the client. */
  readonly network: string;
  nextRequestId(): string;
  /** Keeps an exchange that waits before it is handled. @returns false if the connection ends */
  hold(exchange: FrameExchange): boolean;
  /** It no longer waits. */
  release(exchange: FrameExchange): void;
  /** Sends the answer of a frame. */
  answered(exchange: FrameExchange): void;
  /** Sends the reply of a call, which is no longer in flight. */
  replied(call: CallExchange): void;
}

/** Stands for the Authorization header if there is a key: only its hash is kept with a connection. */
const WITH_KEY = 'Bearer';

export class FrameExchange extends Exchange {
  /** Frames have no header fields. */
  override readonly showsRateLimit = false;
  #requestId = '';
  /** What it waits for before it is handled. */
  #waiting: Waiting | null = null;

  /**
   * @param id JSON text of the id of the frame; '' if it has none
   * @param ownKeyHash hash of the key that it is sent with; '' if there is none
   */
  constructor(
    protected readonly connection: FrameConnection,
    readonly id: string,
    ownKeyHash: string,
    override readonly arrivedAtMs: number,
  ) {
    super();
    this.keyHash = ownKeyHash;
    if (ownKeyHash !== '') this.authorization = WITH_KEY;
    this.forwardedFor = connection.forwardedFor;
    this.network = connection.network;
  }

  override get requestId(): string {
    if (this.#requestId === '') this.#requestId = this.connection.nextRequestId();
    return this.#requestId;
  }

  override get peerAddress(): string {
    return this.connection.address;
  }

  /** Further frames may depend on it. */
  override get mayWait(): boolean {
    return false;
  }

  override hold(waiting: Waiting): boolean {
    if (this.isDone || !this.connection.hold(this)) return false;
    this.#waiting = waiting;
    return true;
  }

  override resume(): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    this.connection.release(this);
    waiting.over();
  }

  /** The server stops: it must be handled now. */
  hurry(): void {
    this.#waiting?.hurry();
  }

  /** Its connection is closed while it waits. */
  abandon(): void {
    this.resume();
    this.isDone = true;
  }

  override sendWhenDurable(sequencer: ServedSequencer, seq: number): void {
    if (!sequencer.holdUntilDurable(seq, this)) sendProblem(this, 'overloaded');
    // The bytes may belong to a cache, which soon writes over them.
    if (!this.isDone && typeof this.reply !== 'string') this.reply = textOf(this.reply);
  }

  override stream(): ReplyStream {
    throw new Error('a frame cannot be answered with a stream');
  }

  /** The frame that answers; the reply is that frame already, unless it is a problem. */
  get answer(): string {
    const reply = textOf(this.reply);
    return this.problemCode === '' ? reply : `{"op":"error"${idField(this.id)},"problem":${reply}}`;
  }

  protected override send(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.connection.answered(this);
  }
}

/** A call. */
export class CallExchange extends FrameExchange {
  /** @param isMinimal true if the short form of the reply is preferred; a problem is only its code then */
  constructor(
    connection: FrameConnection,
    id: string,
    ownKeyHash: string,
    arrivedAtMs: number,
    readonly counts: RequestCounts,
    isMinimal: boolean,
    /** Length of the frame in characters. */
    readonly length: number,
  ) {
    super(connection, id, ownKeyHash, arrivedAtMs);
    this.isMinimal = isMinimal;
    this.wantsBody = !isMinimal;
  }

  /** Concatenated instead of stringified: the parts are JSON already. */
  override get answer(): string {
    const { status, problemCode } = this;
    let text = `{"op":"reply"${idField(this.id)},"status":${status}`;
    if (this.worldSeq >= 0) text += `,"worldSeq":${this.worldSeq}`;
    if (this.isReplayed) text += ',"replayed":true';
    if (this.extraHeaders[0] === 'location') text += `,"location":${JSON.stringify(this.extraHeaders[1])}`;
    if (this.isMinimal && problemCode !== '') return `${text},"code":"${problemCode}"}`;
    const isBodyLeftOut = this.isMinimal && !this.isAnsweredBriefly;
    return isBodyLeftOut || this.reply.length === 0 ? `${text}}` : `${text},"body":${textOf(this.reply)}}`;
  }

  protected override send(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.tellAnswered(this.status);
    this.connection.replied(this);
  }

  override get heldBytes(): number {
    return this.length;
  }

  override abandon(): void {
    super.abandon();
    this.connection.replied(this);
  }

  /** True if it is the reply to an earlier call with the same key. */
  private get isReplayed(): boolean {
    return this.extraHeaders.length > 0 && this.extraHeaders[0] === 'idempotency-replayed';
  }
}

/** @param id JSON text; '' for none */
export function idField(id: string): string {
  return id === '' ? '' : `,"id":${id}`;
}

function textOf(reply: string | Uint8Array): string {
  return typeof reply === 'string' ? reply : Buffer.from(reply.buffer, reply.byteOffset, reply.length).toString();
}
