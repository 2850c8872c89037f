// Replies that several routes share.
import type { ReadonlyPlanet } from '../../engine/state.js';
import type { Exchange } from '../exchange/exchange.js';
import { refuse } from '../exchange/problems.js';
import type { Game } from '../game/game.js';

/** Answers a command with the planet it changed. */
export function answerPlanet(game: Game, exchange: Exchange, planet: ReadonlyPlanet, status = 200): void {
  game.answerLatest(exchange, exchange.wantsBody ? game.planets.text(planet, game.nowMs) : '', status);
}

/**
 * Answers with a text that may still have to be made. Requests that waited for it are answered in turns, not all at
 * once. A failure to make it is a bug, and must not end the process.
 */
export function answerSoon(game: Game, exchange: Exchange, contentType: string, reply: string | Promise<string>): void {
  const send = (text: string): void => {
    exchange.replyType = contentType;
    game.answer(exchange, 0, text);
  };
  if (typeof reply === 'string') {
    send(reply);
    return;
  }
  const sendInTurn = (text: string): void =>
    game.answerInTurns(exchange, () => {
      send(text);
      return true;
    });
  reply.then(sendInTurn).catch((error: unknown) => {
    game.services.onBug(error, exchange.requestId);
    refuse(exchange, 'internal_error');
  });
}
