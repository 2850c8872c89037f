// Requests that ask for the state of a game of turns, and may wait: a player for its turn, the operator for the end of the game.
import type { Exchange } from '../exchange/exchange.js';
import type { Access } from '../game/access.js';
import { HeldRequest, ReaderPlaces } from '../game/held-request.js';
import type { Replies } from '../game/replies.js';
import { TURN_READERS_MAX } from '../limits.js';
import { OPERATOR, type Turns } from './turns.js';

export interface TurnReadersParts {
  readonly access: Access;
  readonly replies: Replies;
}

export class TurnReaders {
  readonly #places = new ReaderPlaces(
    'turn_readers',
    TURN_READERS_MAX,
    'Too many requests of this caller wait for a turn.',
  );

  constructor(private readonly parts: TurnReadersParts) {}

  /**
   * Answers at once, or when the state that is waited for is reached.
   *
   * @param reader number of the player, or OPERATOR
   * @param waitMs how long it may wait
   * @param waits whether it must wait; looked at once
   * @param answer answers the exchange with the state at that time
   */
  poll(turns: Turns, exchange: Exchange, reader: number, waitMs: number, waits: boolean, answer: () => void): void {
    if (waitMs === 0 || !waits) {
      answer();
      return;
    }
    if (!this.#places.take(exchange, reader)) return;
    const { access, replies } = this.parts;
    const held = new HeldRequest(replies, exchange, () => {
      const fault = reader === OPERATOR ? null : access.faultOfReader(exchange, reader);
      if (fault === null) answer();
      else replies.refuse(exchange, fault);
    });
    const give = (): void => this.#places.give(reader);
    if (held.wait(waitMs, give, () => turns.listen(reader, held))) return;
    give();
    answer();
  }
}
