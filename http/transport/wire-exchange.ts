// A request of its own on a connection, from the moment its head is read until it is answered or its client is gone. It
// writes a reply exactly once, and never touches the connection after that.
import type { Sequencer } from '../../persistence/writer/sequencer.js';
import { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import { ABORTED, DROPPED, type RequestCounts } from '../pipeline/request-counts.js';
import type { Owner } from './body-budget.js';
import { BodyReader, type TakenBody, wholeBody } from './body-reader.js';
import type { Traffic } from './traffic.js';
import type { ReplyHead, ReplyStream, StreamListener, Wire } from './wire.js';

export class WireExchange extends Exchange implements ReplyHead {
  override readonly requestId: string;
  readonly arrivedAtMs: number;
  /** True once the server's callback has returned: what follows the request on its connection is cut by itself then. */
  isLate = false;
  /** False once the reply is written, or the connection given up. */
  #isOwed = true;
  /** What gathers a body that comes in pieces. */
  #bodyReader: BodyReader | null = null;
  #peerAddress: string | null = null;
  /** True if nobody knows how long the body would have been. */
  #isWithoutLength = false;
  /** Gives back its seat; null if it has none. */
  #giveSeat: (() => void) | null = null;
  readonly #wire: Wire;
  readonly #traffic: Traffic;

  constructor(
    wire: Wire,
    traffic: Traffic,
    readonly isHead: boolean,
    /** Where it is counted; settled once the route is known. */
    public counts: RequestCounts,
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

  /** True once the server need not report any more that the client is gone. */
  get isOver(): boolean {
    return this.#wire.isOver;
  }

  /**
   * Takes the next piece of the body. One that comes in one piece is not copied, unless it has to be kept.
   *
   * @param ownerOf whose share the memory for it is; asked once
   */
  takeBody(
    piece: ArrayBuffer | Uint8Array,
    isLast: boolean,
    bytesMax: number,
    keepsIt: boolean,
    ownerOf: (exchange: WireExchange) => Owner,
  ): TakenBody {
    if (isLast && this.#bodyReader === null && !keepsIt) return wholeBody(piece, bytesMax);
    this.#bodyReader ??= new BodyReader(ownerOf(this), bytesMax, () => this.#refuseEvicted());
    return this.#bodyReader.take(piece, isLast);
  }

  /** The body has been used, or never will be. */
  releaseBody(): void {
    this.#bodyReader?.release();
  }

  /** It has a seat until it ends. */
  keepSeat(give: () => void): void {
    this.#giveSeat = give;
  }

  /** The work on it does not go on in turns, or is over. */
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

  /** Drops the connection unanswered, so that nothing that was sent along is read as another request. */
  drop(): void {
    this.#giveUp(DROPPED);
    this.#wire.close();
  }

  override get mayOmitReply(): boolean {
    return !(this.closesConnection || this.#traffic.isDraining || this.#wire.needsLength);
  }

  /** Writes the prepared reply, unless the client is gone. */
  protected override send(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.leaveSeat();
    if (!this.isLate && (this.isHead || this.closesConnection) && this.#cutsByWaiting()) this.#leaveLater();
    else this.#leave();
  }

  override sendWhenDurable(sequencer: Sequencer, seq: number): void {
    // All that is left to do is to wait for the disk. Others may work meanwhile, and their records go to disk together.
    this.leaveSeat();
    if (!sequencer.holdUntilDurable(seq, this)) sendProblem(this, 'overloaded');
    if (!this.isDone) this.#keepReply();
  }

  override stream(listener: StreamListener): ReplyStream {
    if (this.isDone) throw new Error('an exchange that is answered cannot be streamed');
    if (this.isHead) return this.#sendStreamHead(listener);
    this.isDone = true;
    this.#isOwed = false;
    this.#settleHead();
    const streams = this.#traffic.streams;
    const stream = this.#wire.stream(this, {
      drained: () => listener.drained(),
      closed: () => {
        streams.delete(stream);
        listener.closed();
      },
    });
    streams.add(stream);
    this.counts.answered(this.status, performance.now() - this.arrivedAtMs);
    this.#traffic.ended();
    return stream;
  }

  #sendStreamHead(listener: StreamListener): ReplyStream {
    this.#isWithoutLength = true;
    this.send();
    // Not before its caller has the stream.
    setImmediate(() => listener.closed());
    return ENDED_STREAM;
  }

  #refuseEvicted(): void {
    this.closesConnection = true;
    sendProblem(this, 'overloaded', {
      detail: 'The body came so slowly that another one of this client took its place.',
    });
  }

  /**
   * Behind a reply that closes, nothing of what came along may be carried out. And a reply to HEAD is so small beside its
   * cost that nothing would slow down a client that sends many at once: it has to wait for each.
   *
   * @returns true if that requires that the reply stays open for this turn of the event loop
   */
  #cutsByWaiting(): boolean {
    const isCut = this.closesConnection && this.#wire.cutWhatFollows();
    return this.isHead || !isCut;
  }

  #leaveLater(): void {
    this.#keepReply();
    setImmediate(() => this.#leave());
  }

  /** A reply that waits needs bytes that nobody writes over. */
  #keepReply(): void {
    if (!this.isReplyLent || typeof this.reply === 'string') return;
    this.reply = Buffer.from(this.reply);
    this.isReplyLent = false;
  }

  #leave(): void {
    if (!this.#isOwed) return;
    this.#isOwed = false;
    if (this.#wire.keepsBytes) this.#keepReply();
    // At once, the server gathers the writes by itself, until there are too many for its buffer.
    if (this.isLate || this.#traffic.isTurnLong) {
      corked = this;
      this.#wire.cork(writeCorked);
    } else {
      this.write();
    }
    this.releaseBody();
    // It may be in the old generation of the garbage collector by now; see HandlerWork. The reply may still have to be kept for a key.
    this.body = null;
    this.counts.answered(this.status, performance.now() - this.arrivedAtMs);
    this.#traffic.ended();
  }

  #giveUp(outcome: typeof ABORTED | typeof DROPPED): void {
    this.isDone = true;
    this.leaveSeat();
    if (!this.#isOwed) return;
    this.#isOwed = false;
    this.counts.unanswered(outcome);
    this.#traffic.ended();
  }

  private write(): void {
    if (this.isNotModified && this.status === 200) this.status = 304;
    const closes = this.closesConnection || this.#traffic.isDraining;
    this.#settleHead();
    if (this.isHead || this.status === 304) {
      // Without the body of 200 at hand, 304 does not tell its length (RFC 9110, section 8.6).
      const isLengthKnown = !this.#isWithoutLength && (this.status !== 304 || this.isNotModified);
      this.#wire.endWithoutBody(this, isLengthKnown ? Buffer.byteLength(this.reply) : null, closes);
    } else {
      this.#wire.end(this, this.reply, closes);
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

const ENDED_STREAM: ReplyStream = { write: () => false, end() {} };

/** A header value cannot open another header. */
function singleLine(value: string): string {
  return /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, ' ') : value;
}
