// One long poll: answers with the events after a seq, and waits if there are none yet.
import type { Exchange } from '../exchange/exchange.js';
import { HeldRequest } from '../game/held-request.js';
import type { EventReadersParts } from './event-readers.js';

export interface LongPollQuery {
  /** Events after this seq; null: none. */
  readonly sinceSeq: number | null;
  /** How long it may wait if there are none; 0: it does not wait. */
  readonly waitMs: number;
  /** Number of events, at most. */
  readonly limit: number;
}

export class LongPoll {
  constructor(
    private readonly parts: EventReadersParts,
    private readonly exchange: Exchange,
    private readonly receiver: number,
    private readonly query: LongPollQuery,
  ) {}

  /** Whether it must wait: it asks for events that do not exist yet. */
  get waits(): boolean {
    const { hub } = this.parts;
    return this.query.waitMs > 0 && this.#position === hub.span(this.receiver).lastSeq;
  }

  /**
   * Waits for an event.
   *
   * @param ended called once when it no longer waits
   * @returns false if the request cannot wait: answer it at once
   */
  wait(ended: () => void): boolean {
    const { hub, counts } = this.parts;
    const held = new HeldRequest(this.parts.replies, this.exchange, () => this.#answerLate());
    return held.wait(this.query.waitMs, ended, () => {
      const { end } = hub.listen(this.receiver, held);
      counts.longPollsHeld += 1;
      return () => {
        counts.longPollsHeld -= 1;
        end();
      };
    });
  }

  answer(): void {
    const { hub, replies, world } = this.parts;
    const { exchange, receiver } = this;
    const { sinceSeq, limit } = this.query;
    const position = this.#position;
    const { oldestSeq, lastSeq } = hub.span(receiver);
    if (sinceSeq !== null && position === null) {
      replies.refuse(exchange, 'events_expired', { oldestSeq });
      return;
    }
    // A player without a durable event may not be durable itself.
    const seq = lastSeq < oldestSeq ? (world.players.get(receiver)?.changedSeq ?? 0) : 0;
    const tag = replies.tagOf(`events-${oldestSeq.toString(36)}-${lastSeq.toString(36)}`);
    if (replies.answersWithoutBody(exchange, seq, tag)) return;
    const events = position === null ? [] : (hub.read(receiver, position, limit) ?? []);
    this.parts.counts.delivered.long_poll += events.length;
    replies.answer(exchange, seq, `{"events":[${events.join(',')}],"lastSeq":${lastSeq},"oldestSeq":${oldestSeq}}`);
  }

  /** Null if it asks for no events, or for those after a seq that it cannot continue from. */
  get #position(): number | null {
    const { sinceSeq } = this.query;
    return sinceSeq === null ? null : this.parts.hub.positionOf(this.receiver, sinceSeq);
  }

  /** It has waited, so the caller may have lost its key, or the player may be gone. */
  #answerLate(): void {
    const { access, replies } = this.parts;
    const fault = access.faultOfReader(this.exchange, this.receiver);
    if (fault === null) this.answer();
    else replies.refuse(this.exchange, fault);
  }
}
