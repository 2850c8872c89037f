// How handlers answer. No reply is sent before everything that it depends on is durable.
import type { Refusal } from '../../engine/terms/rejections.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { Admission } from '../admission/admission.js';
import { QUEUE_IS_FULL, type WorkQueue } from '../admission/work-queue.js';
import { contentVersion, listsTag } from '../exchange/entity-tags.js';
import { type BugReport, type Exchange, MINIMAL_HEADERS } from '../exchange/exchange.js';
import {
  factsOfRefusal,
  type ProblemCode,
  type ProblemFacts,
  prepareProblem,
  sendProblem,
} from '../exchange/problems.js';
import type { Gate } from '../replica/gate.js';
import type { Traffic } from '../server/traffic.js';

export interface RepliesParts {
  readonly sequencer: ServedSequencer;
  readonly traffic: Traffic;
  readonly work: WorkQueue;
  readonly admission: Admission;
  readonly gate: Pick<Gate, 'stamp'>;
  /** Called with what a handler threw, or the promise of one was rejected with. */
  readonly onBug: BugReport;
}

export class Replies {
  readonly #sequencer: ServedSequencer;
  readonly #traffic: Traffic;
  readonly #work: WorkQueue;
  readonly #admission: Admission;
  readonly #gate: RepliesParts['gate'];
  readonly #onBug: BugReport;

  constructor({ sequencer, traffic, work, admission, gate, onBug }: RepliesParts) {
    this.#sequencer = sequencer;
    this.#traffic = traffic;
    this.#work = work;
    this.#admission = admission;
    this.#gate = gate;
    this.#onBug = onBug;
  }

  /** Handles a request, or a slice of it, at one instant and as one unit; see Sequencer.run(). */
  run<T>(exchange: Exchange, work: () => T): T {
    return this.#sequencer.run(() => {
      this.#stamp(exchange);
      return work();
    });
  }

  /**
   * Joins the instant of what is being handled, as a unit of its own: otherwise one client could fill the unit of all others. A part
   * of a batch belongs to the unit of its batch.
   *
   * @returns false if there is none: run() begins one
   */
  joinsRun(exchange: Exchange): boolean {
    if (!this.#sequencer.isRunning) return false;
    if (!exchange.isPart) this.#sequencer.beginUnit();
    this.#stamp(exchange);
    return true;
  }

  /**
   * Answers a read.
   *
   * @param seq of the last change to anything in the reply
   * @param reply JSON; nobody may write over its bytes
   */
  answer(exchange: Exchange, seq: number, reply: string | Uint8Array, status = 200): void {
    exchange.status = status;
    exchange.reply = reply;
    this.send(exchange, seq);
  }

  /** Answers what depends on the whole state, such as the outcome of a command. */
  answerLatest(exchange: Exchange, reply: string | Uint8Array, status = 200): void {
    this.#stamp(exchange);
    this.answer(exchange, this.#sequencer.lastSeq, reply, status);
  }

  /** The same with the short form of the reply. */
  answerMinimal(exchange: Exchange, reply: string | Uint8Array, status = 200): void {
    exchange.extraHeaders = MINIMAL_HEADERS;
    this.answerLatest(exchange, reply, status);
  }

  /** Answers with a problem that depends on state, once that state is durable. */
  refuse(exchange: Exchange, code: ProblemCode, facts?: ProblemFacts): void {
    prepareProblem(exchange, code, facts);
    this.send(exchange, this.#sequencer.lastSeq);
  }

  /** Sends the prepared reply. @param seq of the last change to anything in it, which must be durable first */
  send(exchange: Exchange, seq: number): void {
    exchange.sendWhenDurable(this.#sequencer, this.#gate.stamp(exchange, seq));
  }

  /**
   * Prepares the head of a stream, which shows durable events only.
   *
   * @param seq of the last change to the player whose events it shows
   * @returns the entry that must be durable before it begins
   */
  prepareStream(exchange: Exchange, seq: number): number {
    return this.#gate.stamp(exchange, seq);
  }

  /** Answers with a refusal of the engine. */
  refuseAs(exchange: Exchange, refusal: Refusal): void {
    this.refuse(exchange, refusal.code, factsOfRefusal(refusal));
  }

  /**
   * Answers in slices, between which others have their turn: for what costs more than a moment. A part of a batch is answered at
   * once, because its batch is sliced.
   *
   * @param step does a slice, of about WORK_SLICE_MS at most. @returns true once the exchange is answered
   */
  answerInTurns(exchange: Exchange, step: () => boolean): void {
    if (exchange.isPart) {
      while (!step());
      return;
    }
    const stepNow = (): boolean => this.run(exchange, step);
    if (exchange.takeTurns !== null) exchange.takeTurns(stepNow);
    else this.#queue(exchange, stepNow);
  }

  /**
   * The entity tag of a version of a reply.
   *
   * @param version differs whenever the reply differs by more than the passing of time, hence a weak tag (RFC 9110)
   */
  readonly tagOf = (version: string): string => `W/"${this.#traffic.bootTag}-${version}"`;

  /**
   * Answers a read that needs no body, so that none is rendered: if nobody will look at it, and with 304 if the client has this
   * version already, unless the length of the body must be sent.
   *
   * @param seq of the last change to anything in the reply: "not modified" is sent only once that is durable
   * @param tag the reply's entity tag; '' if it carries none
   * @returns false if the caller must answer
   */
  answersWithoutBody(exchange: Exchange, seq: number, tag = ''): boolean {
    if (!exchange.wantsBody) {
      this.answer(exchange, seq, '');
      return true;
    }
    if (tag === '') return false;
    exchange.entityTag = tag;
    if (exchange.ifNoneMatch === '' || !listsTag(exchange.ifNoneMatch, tag)) return false;
    if (!exchange.mayOmitReply) {
      exchange.isNotModified = true;
      return false;
    }
    exchange.status = 304;
    this.send(exchange, seq);
    return true;
  }

  /**
   * Answers a read of what no counter of changes covers: its tag is that of its content.
   *
   * @param seq of the last change to anything in the reply
   */
  answerContent(exchange: Exchange, seq: number, text: string): void {
    if (!this.answersWithoutBody(exchange, seq, this.tagOf(contentVersion(text)))) this.answer(exchange, seq, text);
  }

  /**
   * Answers with a text that may still have to be made. Requests that waited for it are answered in turns, not all at
   * once. A failure to make it is a bug, and must not end the process.
   */
  answerSoon(exchange: Exchange, contentType: string, reply: string | Promise<string>): void {
    const send = (text: string): void => {
      exchange.replyType = contentType;
      this.answerContent(exchange, 0, text);
    };
    if (typeof reply === 'string') {
      send(reply);
      return;
    }
    const sendInTurn = (text: string): void =>
      this.answerInTurns(exchange, () => {
        send(text);
        return true;
      });
    reply.then(sendInTurn).catch((error: unknown) => this.answerBug(exchange, error));
  }

  /** Answers an exception of a handler that has returned already. */
  answerBug(exchange: Exchange, error: unknown): void {
    this.#onBug(error, exchange.requestId);
    sendProblem(exchange, 'internal_error');
  }

  #stamp(exchange: Exchange): void {
    exchange.worldTime = this.#traffic.worldTimeAt(this.#sequencer.nowMs);
  }

  #queue(exchange: Exchange, step: () => boolean): void {
    const isQueued = this.#work.add(this.#admission.ownerOf(exchange), {
      get isDone() {
        return exchange.isDone;
      },
      step,
      failed: (error) => this.answerBug(exchange, error),
    });
    if (!isQueued) sendProblem(exchange, 'overloaded', QUEUE_IS_FULL);
  }
}
