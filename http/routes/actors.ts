// For whom a POST acts, as the routes name it: whose Idempotency-Keys count. None of it checks anything; a player that
// does not exist (NOBODY) has kept nothing, and the handler refuses what concerns it.
import { parsePlanetId, parsePlayerId } from '../../engine/ids.js';
import { PUBLIC_SCOPE, WORLD_SCOPE } from '../../engine/kept-replies.js';
import { existingPlayer } from '../../engine/queries/lookup.js';
import type { Exchange } from '../exchange.js';
import type { Game } from '../game.js';
import { bearerKey } from '../identity.js';

/** @param body as the schema of the route says it is */
type Actor<Body = unknown> = (game: Game, exchange: Exchange, body: Body) => number;

const NOBODY = PUBLIC_SCOPE - 1;

export const operator: Actor = () => WORLD_SCOPE;

/** With keys whoever sends the batch, where that is a player; else everybody. */
export const batchActor: Actor = (game, { authorization }) => {
  const number = game.settings.auth === 'key' ? game.keys.playerNumber(bearerKey(authorization)) : 0;
  return number > 0 ? number : PUBLIC_SCOPE;
};

export const playerOfBody: Actor<{ readonly playerId: string }> = (_game, _exchange, { playerId }) =>
  parsePlayerId(playerId);

export const playerOfPath: Actor = (_game, { parameters }) => parsePlayerId(parameters[0] as string);

/** Nobody before it is created; the reply to its creation is its first. */
export const playerOfName: Actor<{ readonly name: string; readonly isBot?: boolean }> = (
  game,
  _exchange,
  { name, isBot = false },
) => existingPlayer(game.world, name, isBot)?.number ?? NOBODY;

export const planetOwner: Actor<{ readonly planetId: string }> = (game, _exchange, { planetId }) =>
  ownerOf(game, planetId);

export const originOwner: Actor<{ readonly originPlanetId: string }> = (game, _exchange, { originPlanetId }) =>
  ownerOf(game, originPlanetId);

function ownerOf(game: Game, planetId: string): number {
  const key = parsePlanetId(game.world.universe, planetId);
  return key < 0 ? NOBODY : (game.planet(key)?.ownerNumber ?? NOBODY);
}
