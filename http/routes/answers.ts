// Replies that several routes share.
import type { ReadonlyPlanet, ReadonlyPlayer } from '../../engine/world/state.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Game } from '../game/game.js';
import { contentVersion } from '../views/content-version.js';
import { planetVersion } from '../views/planet-view.js';

/** Answers a command with the planet it changed. */
export function answerPlanet(game: Game, exchange: Exchange, planet: ReadonlyPlanet, status = 200): void {
  game.replies.answerLatest(exchange, exchange.wantsBody ? game.views.planets.text(planet, game.nowMs) : '', status);
}

/**
 * Answers a read of a planet that shows how often it has changed, if no body is needed.
 *
 * @param planet undefined if nobody owns it
 * @returns false if the caller must answer
 */
export function answersUnchangedPlanet(game: Game, exchange: Exchange, planet: ReadonlyPlanet | undefined): boolean {
  const seq = planet?.changedSeq ?? game.world.planets.removedSeq;
  return game.replies.answersWithoutBody(exchange, seq, game.replies.tagOf(planetVersion(planet)));
}

/** Answers with a player's state. */
export function answerState(game: Game, exchange: Exchange, player: ReadonlyPlayer): void {
  // StateView lends the bytes: it writes the next state over them.
  exchange.isReplyLent = true;
  game.replies.answer(exchange, player.changedSeq, game.views.states.bytes(player, game.nowMs));
}

/**
 * Answers with a text that may still have to be made. Requests that waited for it are answered in turns, not all at
 * once. A failure to make it is a bug, and must not end the process.
 */
export function answerSoon(game: Game, exchange: Exchange, contentType: string, reply: string | Promise<string>): void {
  const send = (text: string): void => {
    exchange.replyType = contentType;
    if (!game.replies.answersWithoutBody(exchange, 0, game.replies.tagOf(contentVersion(text))))
      game.replies.answer(exchange, 0, text);
  };
  if (typeof reply === 'string') {
    send(reply);
    return;
  }
  const sendInTurn = (text: string): void =>
    game.replies.answerInTurns(exchange, () => {
      send(text);
      return true;
    });
  reply.then(sendInTurn).catch((error: unknown) => {
    game.services.onBug(error, exchange.requestId);
    sendProblem(exchange, 'internal_error');
  });
}
