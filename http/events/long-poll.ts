// One long poll: answers with the events after a seq, and waits if there are none yet. While it waits it occupies neither a seat nor a
// place in the work queue.
import type { Exchange, Waiting } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import { type EventListener, isExpired } from './event-hub.js';
import type { EventReadersParts } from './event-readers.js';

export interface LongPollQuery {
  /** Events after this seq; null: none. */
  readonly sinceSeq: number | null;
  /** How long it may wait if there are none; 0: it does not wait. */
  readonly waitMs: number;
  /** Number of events, at most. */
  readonly limit: number;
}

export class LongPoll implements Waiting, EventListener {
  #ends: (() => void)[] = [];

  constructor(
    private readonly parts: EventReadersParts,
    private readonly exchange: Exchange,
    private readonly receiver: number,
    private readonly query: LongPollQuery,
  ) {}

  /** Whether it must wait: it asks for events that do not exist yet. */
  get waits(): boolean {
    const { sinceSeq, waitMs } = this.query;
    return waitMs > 0 && sinceSeq !== null && sinceSeq === this.parts.hub.span(this.receiver).lastSeq;
  }

  /**
   * Waits for an event.
   *
   * @param ended called once when it no longer waits
   * @returns false if the request cannot wait: answer it at once
   */
  wait(ended: () => void): boolean {
    const { hub, counts } = this.parts;
    if (!this.exchange.keepWaiting(this)) return false;
    const timer = setTimeout(() => this.#answerNow(), this.query.waitMs);
    const unlisten = hub.listen(this.receiver, this);
    counts.longPollsHeld += 1;
    this.#ends = [
      () => clearTimeout(timer),
      unlisten,
      () => {
        counts.longPollsHeld -= 1;
      },
      ended,
    ];
    return true;
  }

  answer(): void {
    const { hub, replies, world } = this.parts;
    const { exchange, receiver } = this;
    const { sinceSeq, limit } = this.query;
    const span = hub.span(receiver);
    const { oldestSeq, lastSeq } = span;
    if (sinceSeq !== null && isExpired(span, sinceSeq)) {
      replies.refuse(exchange, 'events_expired', { oldestSeq });
      return;
    }
    // A player without a durable event may not be durable itself.
    const seq = lastSeq === 0 ? (world.players[receiver]?.changedSeq ?? 0) : 0;
    const tag = replies.tagOf(`events-${oldestSeq.toString(36)}-${lastSeq.toString(36)}`);
    if (replies.answersWithoutBody(exchange, seq, tag)) return;
    const events = sinceSeq === null ? [] : (hub.read(receiver, sinceSeq, limit) ?? []);
    this.parts.counts.delivered.long_poll += events.length;
    replies.answer(exchange, seq, `{"events":[${events.join(',')}],"lastSeq":${lastSeq},"oldestSeq":${oldestSeq}}`);
  }

  /** There are events. */
  wake(): void {
    this.#answerNow();
  }

  hurry(): void {
    this.#answerNow();
  }

  over(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /** It has waited, so the caller may have lost its key, or the player may be gone. */
  #answerNow(): void {
    const { access, replies, onBug } = this.parts;
    const { exchange } = this;
    this.over();
    try {
      replies.atOneInstant(exchange, () => {
        const fault = access.faultOfReader(exchange, this.receiver);
        if (fault === null) this.answer();
        else replies.refuse(exchange, fault);
      });
    } catch (error) {
      onBug(error, exchange.requestId);
      sendProblem(exchange, 'internal_error');
    }
  }
}
