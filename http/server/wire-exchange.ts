// A request on a connection, from the moment its head is read until it is answered or its client is gone. It writes a
// reply exactly once, and never uses the connection after that.
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { Owner } from '../admission/owners.js';
import type { ReplyStream, StreamListener } from '../exchange/exchange.js';
import { Exchange, type Waiting } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import { asBuffer, BodyReader, type TakenBody } from './body-budget.js';
import { ABORTED, DROPPED, type RequestCounts } from './request-counts.js';
import type { Traffic } from './traffic.js';
import type { ReplyHead, Wire } from './transport.js';

/** Who sends requests, and how much. */
export interface RequestClients {
  ownerOf(exchange: Exchange): Owner;
  answered(exchange: Exchange, bytesIn: number, bytesOut: number): void;
}

export class WireExchange extends Exchange implements ReplyHead {
  override readonly requestId: string;
  override readonly arrivedAtMs: number;
  /**
   * True once the server's callback has returned: from then on the server itself cuts off what follows on the
   * connection.
   */
  isLate = false;
  /** False once the reply is written, or the request is abandoned. */
  #isOwed = true;
  /** Assembles a body that comes in pieces. */
  #bodyReader: BodyReader | null = null;
  #peerAddress: string | null = null;
  /** True if the length of the omitted body is unknown. */
  #isWithoutLength = false;
  /** Releases its seat; null if it has none. */
  #giveSeat: (() => void) | null = null;
  /** What it waits for, besides the disk. */
  #waiting: Waiting | null = null;
  readonly #wire: Wire;
  readonly #traffic: Traffic;

  constructor(
    wire: Wire,
    traffic: Traffic,
    readonly isHead: boolean,
    /** The counters of its route; set once the route is known. */
    public counts: RequestCounts,
    private readonly clients: RequestClients,
  ) {
    super();
    this.#wire = wire;
    this.#traffic = traffic;
    this.arrivedAtMs = traffic.arrival();
    this.requestId = traffic.nextRequestId();
    traffic.inFlight += 1;
  }

  override get peerAddress(): string {
    this.#peerAddress ??= this.#wire.address;
    return this.#peerAddress;
  }

  get owner(): Owner {
    return this.clients.ownerOf(this);
  }

  /** True once the server need not report any more that the client is gone. */
  get isOver(): boolean {
    return this.#wire.isOver;
  }

  /**
   * Takes the next piece of the body. A body in one piece is copied only if it must be kept.
   *
   * @param ownerOf returns the owner of its memory; called once
   */
  takeBody(
    piece: ArrayBuffer | Uint8Array,
    isLast: boolean,
    bytesMax: number,
    keepsIt: boolean,
    ownerOf: (exchange: WireExchange) => Owner,
  ): TakenBody {
    if (isLast && this.#bodyReader === null && !keepsIt)
      return piece.byteLength > bytesMax ? 'too_large' : asBuffer(piece);
    this.#bodyReader ??= new BodyReader(ownerOf(this), bytesMax, () => this.#refuseEvicted());
    return this.#bodyReader.take(piece, isLast);
  }

  /** Releases the memory of the body, which has been used or never will be. */
  releaseBody(): void {
    this.#bodyReader?.release();
  }

  /** Holds a seat until the exchange ends. */
  keepSeat(give: () => void): void {
    this.#giveSeat = give;
  }

  /** Releases the seat: the work is over, or does not continue in turns. */
  leaveSeat(): void {
    const give = this.#giveSeat;
    this.#giveSeat = null;
    give?.();
  }

  /** The connection is closed; nothing more may be written. */
  abort(): void {
    this.#wire.gone();
    this.releaseBody();
    this.#giveUp(ABORTED);
  }

  /** Closes the connection without a reply. */
  drop(): void {
    this.#giveUp(DROPPED);
    this.#wire.close();
  }

  /** Its connection is a WebSocket from now on: nothing is written as a reply. */
  switched(): void {
    this.isDone = true;
    this.#isOwed = false;
    this.counts.answered(SWITCHING_PROTOCOLS, performance.now() - this.arrivedAtMs);
    this.#traffic.ended();
  }

  override get mayOmitReply(): boolean {
    return !(this.closesConnection || this.#traffic.isDraining || this.#wire.needsLength);
  }

  /** Writes the prepared reply, unless the client is gone. */
  protected override send(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.leaveSeat();
    this.#endWaiting();
    if (!this.isLate && (this.isHead || this.closesConnection) && this.#cutsByWaiting()) this.#leaveLater();
    else this.#leave();
  }

  override sendWhenDurable(sequencer: ServedSequencer, seq: number): void {
    // Only the wait for the disk is left. Others may work meanwhile, and their records go to disk together.
    this.leaveSeat();
    if (!sequencer.holdUntilDurable(seq, this)) sendProblem(this, 'overloaded');
    if (!this.isDone) this.#keepReply();
  }

  override stream(listener: StreamListener): ReplyStream {
    if (this.isDone) throw new Error('an answered exchange cannot be streamed');
    if (this.isHead) return this.#sendStreamHead(listener);
    this.isDone = true;
    this.#isOwed = false;
    this.awaitsEvents = true;
    this.#settleHead();
    this.clients.answered(this, 0, 0);
    const streams = this.#traffic.streams;
    const stream = this.#wire.stream(this, {
      drained: () => listener.drained(),
      closed: () => {
        this.awaitsEvents = false;
        streams.delete(stream);
        listener.closed();
      },
    });
    streams.set(stream, this);
    this.counts.answered(this.status, performance.now() - this.arrivedAtMs);
    this.#traffic.ended();
    return stream;
  }

  override get mayWait(): boolean {
    return true;
  }

  override keepWaiting(waiting: Waiting): boolean {
    return !this.isHead && this.hold(waiting);
  }

  override hold(waiting: Waiting): boolean {
    if (this.isDone || this.#traffic.isDraining) return false;
    this.#waiting = waiting;
    this.awaitsEvents = true;
    this.#traffic.waiting.add(waiting);
    return true;
  }

  /** It no longer waits, and is handled now. */
  override resume(): void {
    this.#endWaiting();
  }

  #endWaiting(): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    this.awaitsEvents = false;
    this.#traffic.waiting.delete(waiting);
    waiting.over();
  }

  #sendStreamHead(listener: StreamListener): ReplyStream {
    this.#isWithoutLength = true;
    this.send();
    // Not before the caller has the stream.
    setImmediate(() => listener.closed());
    return ENDED_STREAM;
  }

  #refuseEvicted(): void {
    this.closesConnection = true;
    sendProblem(this, 'overloaded', {
      detail: 'The body came so slowly that another one of this client replaced it.',
    });
  }

  /**
   * After a reply that closes the connection, no further request on it may be carried out. And a reply to HEAD is so
   * small compared to its cost that there is no backpressure on a client that pipelines many: it must wait for each.
   *
   * @returns true if the reply must therefore stay open for this turn of the event loop
   */
  #cutsByWaiting(): boolean {
    const isCut = this.closesConnection && this.#wire.cutWhatFollows();
    return this.isHead || !isCut;
  }

  #leaveLater(): void {
    this.#keepReply();
    setImmediate(() => this.#leave());
  }

  /** Copies the reply if it must wait and its bytes may be overwritten. */
  #keepReply(): void {
    if (this.lender === null || typeof this.reply === 'string') return;
    this.reply = Buffer.from(this.reply);
    this.lender = null;
  }

  #leave(): void {
    if (!this.#isOwed) return;
    this.#isOwed = false;
    // Before the reply is written: then the connection has no address any more.
    this.clients.answered(this, this.body?.length ?? 0, this.#bodyLength);
    this.tellAnswered(this.status);
    if (this.#wire.keepsBytes) this.#keepReply();
    // Within its callback the native server batches the writes itself, until they are too many for its buffer.
    if (this.isLate || this.#traffic.isTurnLong) {
      corked = this;
      this.#wire.cork(writeCorked);
    } else {
      this.write();
    }
    this.releaseBody();
    // The exchange may be in the old generation of the garbage collector by now; see HandlerWork. The reply stays, as
    // it may have to be kept for a key.
    this.body = null;
    this.counts.answered(this.status, performance.now() - this.arrivedAtMs);
    this.#traffic.ended();
  }

  #giveUp(outcome: typeof ABORTED | typeof DROPPED): void {
    this.isDone = true;
    this.leaveSeat();
    this.#endWaiting();
    if (!this.#isOwed) return;
    this.#isOwed = false;
    this.clients.answered(this, this.body?.length ?? 0, 0);
    // A command may have been carried out all the same.
    this.tellAnswered(this.reply === '' ? null : this.status);
    this.counts.unanswered(outcome);
    this.#traffic.ended();
  }

  /** Length of the body that is about to be written. */
  get #bodyLength(): number {
    const isLeftOut = this.isHead || this.isNotModified || this.status === 304 || this.status === 204;
    return isLeftOut ? 0 : this.reply.length;
  }

  private write(): void {
    if (this.isNotModified && this.status === 200) this.status = 304;
    const closes = this.closesConnection || this.#traffic.isDraining;
    this.#settleHead();
    if (this.isHead || this.status === 304 || this.status === 204) {
      // A 204 has no length, and a 304 omits it if the body of the 200 is not at hand (RFC 9110, section 8.6).
      const hasLength = this.status === 304 ? this.isNotModified : this.status !== 204;
      const isLengthKnown = hasLength && !this.#isWithoutLength;
      this.#wire.endWithoutBody(this, isLengthKnown ? Buffer.byteLength(this.reply) : null, closes);
    } else {
      this.#wire.end(this, this.reply, closes);
      if (this.lender !== null && this.#wire.keepsBytes) this.lender.giveAway();
    }
  }

  #settleHead(): void {
    if (this.worldTime === '') this.worldTime = this.#traffic.worldTime();
    if (this.status === 304) this.replyType = '';
    if (this.extraHeaders.length > 0) this.extraHeaders = this.extraHeaders.map(singleLine);
  }

  static writeCorked(): void {
    corked?.write();
    corked = null;
  }
}

/** The exchange whose reply is being corked; a variable instead of a closure for every late reply. */
let corked: WireExchange | null = null;
const writeCorked = WireExchange.writeCorked;

const SWITCHING_PROTOCOLS = 101;
const ENDED_STREAM: ReplyStream = { write: () => false, end() {} };

/** Replaces line breaks, so that a value cannot begin another header. */
function singleLine(value: string): string {
  return /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, ' ') : value;
}
