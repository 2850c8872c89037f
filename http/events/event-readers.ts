// Readers of events over HTTP: long polls and streams, of a player or of a topic. Each occupies a connection, so the limits of
// connections bound them; the readers of one player have a limit of their own.
import { isTopic } from '../../engine/events/kinds.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { Admission } from '../admission/admission.js';
import type { BugReport, Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Access } from '../game/access.js';
import { ReaderPlaces } from '../game/held-request.js';
import type { Replies } from '../game/replies.js';
import { EVENT_READERS_PER_PLAYER_MAX } from '../limits.js';
import type { Gate } from '../replica/gate.js';
import type { Traffic } from '../server/traffic.js';
import type { EventHub } from './event-hub.js';
import { EventStream, StreamClock } from './event-stream.js';
import { LongPoll, type LongPollQuery } from './long-poll.js';
import type { ReaderCounts } from './reader-counts.js';

export interface EventReadersParts {
  readonly world: ReadonlyWorld;
  readonly sequencer: ServedSequencer;
  readonly hub: EventHub;
  readonly access: Access;
  readonly replies: Replies;
  readonly gate: Pick<Gate, 'passAfterEvent'>;
  readonly traffic: Traffic;
  readonly counts: ReaderCounts;
  /** Finds the client whose turns a stream that catches up uses, and counts what each is sent. */
  readonly admission: Pick<Admission, 'ownerOf' | 'opened' | 'sent'>;
  /** Called with an exception of a reader that was woken. */
  readonly onBug: BugReport;
}

export class EventReaders {
  /** Long polls that wait, and streams, by player. */
  readonly #places = new ReaderPlaces(
    'event_readers',
    EVENT_READERS_PER_PLAYER_MAX,
    'The events of this player have too many readers.',
  );
  readonly #clock = new StreamClock();

  constructor(private readonly parts: EventReadersParts) {}

  /**
   * Answers with events, at once or as soon as there are some.
   *
   * @param receiver exists, and the caller may read its events
   */
  poll(exchange: Exchange, receiver: number, query: LongPollQuery): void {
    this.#afterEvent(exchange, receiver, query.sinceSeq, () => this.#poll(exchange, receiver, query));
  }

  #poll(exchange: Exchange, receiver: number, query: LongPollQuery): void {
    const poll = new LongPoll(this.parts, exchange, receiver, query);
    if (!poll.waits) {
      poll.answer();
      return;
    }
    if (!this.#takePlace(exchange, receiver)) return;
    if (!poll.wait(() => this.#givePlace(receiver))) {
      this.#givePlace(receiver);
      poll.answer();
    }
  }

  /**
   * Answers with a stream of events.
   *
   * @param receiver exists, and the caller may read its events
   * @param sinceSeq seq after which it begins; null: after the last event
   */
  stream(exchange: Exchange, receiver: number, sinceSeq: number | null): void {
    this.#afterEvent(exchange, receiver, sinceSeq, () => this.#stream(exchange, receiver, sinceSeq));
  }

  #stream(exchange: Exchange, receiver: number, sinceSeq: number | null): void {
    const { hub, replies, sequencer, traffic, world } = this.parts;
    const { oldestSeq, lastSeq } = hub.span(receiver);
    const position = sinceSeq === null ? lastSeq : hub.positionOf(receiver, sinceSeq);
    if (traffic.isDraining) sendProblem(exchange, 'shutting_down');
    else if (position === null) replies.refuse(exchange, 'events_expired', { oldestSeq });
    else if (this.#takePlace(exchange, receiver)) {
      const begin = (): void => {
        if (exchange.isDone) this.#givePlace(receiver);
        else
          new EventStream(this.parts, exchange, receiver, position).begin(this.#clock, () => this.#givePlace(receiver));
      };
      // The player itself may not be durable yet.
      const seq = replies.prepareStream(exchange, world.players.get(receiver)?.changedSeq ?? 0);
      if (sequencer.holdUntilDurable(seq, { durable: begin })) return;
      this.#givePlace(receiver);
      sendProblem(exchange, 'overloaded');
    }
  }

  /** Another process may have sent an event that this one has not applied yet. */
  #afterEvent(exchange: Exchange, receiver: number, sinceSeq: number | null, read: () => void): void {
    const { gate, hub, replies } = this.parts;
    if (sinceSeq === null || exchange.isPart) read();
    else
      gate.passAfterEvent(
        exchange,
        sinceSeq,
        () => hub.seqs(receiver),
        () => replies.run(exchange, read),
      );
  }

  /** Readers of a topic are not limited. @returns false if the player has too many; the exchange is answered then */
  #takePlace(exchange: Exchange, receiver: number): boolean {
    return isTopic(receiver) || this.#places.take(exchange, receiver);
  }

  #givePlace(receiver: number): void {
    if (!isTopic(receiver)) this.#places.give(receiver);
  }
}
