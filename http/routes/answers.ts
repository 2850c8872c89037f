// Replies that more than one route gives.
import type { ReadonlyPlanet } from '../../engine/state.js';
import type { Exchange } from '../exchange.js';
import type { Game } from '../game.js';

/** Answers a command with the planet it changed. */
export function answerPlanet(game: Game, exchange: Exchange, planet: ReadonlyPlanet, status = 200): void {
  game.answerLatest(exchange, exchange.wantsBody ? game.planets.text(planet, game.nowMs) : '', status);
}
