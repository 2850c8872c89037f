// The gate of commands in worlds of turns: one of a player is handled only if it is the player's turn and its budget has a command left.
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Game } from '../game/game.js';
import type { Route } from '../pipeline/route.js';
import { isoText } from '../views/iso-time.js';
import type { Turns } from './turns.js';

/** Whether a game of turns takes it only from the player whose turn it is. */
export function isTakenInTurn({ isCommand, access }: Pick<Route, 'isCommand' | 'access'>): boolean {
  return isCommand && access === 'player';
}

/** Runs the handler of a request whose caller is known, unless it is a command and not the caller's turn. */
export function handleInTurn(game: Game, route: Route, exchange: Exchange, body: unknown): void {
  const { turns } = game;
  if (turns === null || !isTakenInTurn(route)) route.handle(game, exchange, body);
  else if (takesCommand(turns, exchange)) {
    route.handle(game, exchange, body);
    const { callerNumber, problemCode, status } = exchange;
    if (problemCode !== '') turns.commandRefused(callerNumber, problemCode, status >= 500);
  }
}

/** @returns false if it is refused; the exchange is answered then */
function takesCommand(turns: Turns, exchange: Exchange): boolean {
  const refusal = turns.takeCommand(exchange.callerNumber);
  if (refusal === null) return true;
  const dayEndMs = turns.game?.dayEndMs ?? 0;
  if (refusal === 'not_your_turn') sendProblem(exchange, refusal);
  else
    sendProblem(exchange, refusal, {
      detail: `No commands are left until the next day begins at ${isoText(dayEndMs)}.`,
    });
  return false;
}
