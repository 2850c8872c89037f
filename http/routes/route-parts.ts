// Parts of routes that several of them share: path parameters, the actors whose Idempotency-Keys requests bring, and replies.
import type { PlanetKey } from '../../engine/map/universe.js';
import { existingPlayer } from '../../engine/players/players.js';
import { GALAXY_COUNT } from '../../engine/rules/limits.js';
import { parsePlanetId, parsePlayerId } from '../../engine/terms/ids.js';
import { PUBLIC_SCOPE, WORLD_SCOPE } from '../../engine/world/kept-replies.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { nameKey } from '../checks/player-names.js';
import type { Exchange } from '../exchange/exchange.js';
import type { GamePorts } from '../game/game-ports.js';
import type { ActorPorts, ParameterForm, ParameterRule } from '../pipeline/route.js';
import { planetVersion } from '../views/planet-view.js';

export const PLAYER_PARAMETER: ParameterRule = { name: 'playerId', description: 'Player id.' };
export const PLANET_PARAMETER: ParameterRule = {
  name: 'planetId',
  description: 'Planet id.',
};
export const FLEET_PARAMETER: ParameterRule = { name: 'fleetId', description: 'Fleet id.' };

export const GALAXY_PARAMETER: ParameterRule = {
  name: 'galaxy',
  description: 'Galaxy, 1 to 100.',
  example: 1,
  minimum: 1,
  maximum: GALAXY_COUNT,
};

/** The form of a cursor of pages. */
export const cursorForm = (pattern: RegExp): ParameterForm => ({
  pattern,
  words: 'the nextCursor of the reply before',
});

/** @param body matches the schema of the route */
type Actor<Body = unknown> = (ports: ActorPorts, exchange: Exchange, body: Body) => number;

/** Returns the player that a body names, or undefined if it names none. */
export const playerNumberOf = (world: ReadonlyWorld, playerId: string | undefined): number | undefined =>
  playerId === undefined ? undefined : parsePlayerId(world, playerId);

/** A scope in which nothing is kept: what a request names may not exist, and then its handler refuses it. */
export const NOBODY_SCOPE = PUBLIC_SCOPE - 1;

export const operator: Actor = () => WORLD_SCOPE;

/**
 * With API keys, the player that sends the batch; otherwise everybody. Who that is is remembered: the batch may end the key that it
 * came with, and what is kept for a player must not be kept for everybody then.
 */
export const batchActor: Actor = ({ access }, exchange) => {
  if (exchange.callerNumber === 0) exchange.callerNumber = access.keyHolder(exchange);
  return exchange.callerNumber > 0 ? exchange.callerNumber : PUBLIC_SCOPE;
};

export const playerOfBody: Actor<{ readonly playerId: string }> = ({ world }, _exchange, { playerId }) =>
  parsePlayerId(world, playerId);

export const playerOfPath: Actor = ({ world }, { parameters }) => parsePlayerId(world, parameters[0] as string);

export const playerOfName: Actor<{ readonly name: string; readonly isBot?: boolean }> = (
  { world },
  _exchange,
  { name, isBot = false },
) => nameScope(world, name, isBot);

export const planetOwner: Actor<{ readonly planetId: string }> = ({ world }, _exchange, { planetId }) =>
  ownerScope(world, parsePlanetId(world.universe, planetId));

export const planetOwnerOfPath: Actor = ({ world }, { parameters }) =>
  ownerScope(world, parsePlanetId(world.universe, parameters[0] as string));

export const originOwner: Actor<{ readonly originPlanetId: string }> = ({ world }, _exchange, { originPlanetId }) =>
  ownerScope(world, parsePlanetId(world.universe, originPlanetId));

/** @param key negative if the planet does not exist */
export function ownerScope(world: ReadonlyWorld, key: PlanetKey): number {
  return key < 0 ? NOBODY_SCOPE : (world.planets.get(key)?.ownerNumber ?? NOBODY_SCOPE);
}

/** NOBODY_SCOPE before the player is created. The reply to its creation is the first that it keeps. */
export function nameScope(world: ReadonlyWorld, name: string, isBot: boolean): number {
  return existingPlayer(world, { name, nameKey: nameKey(name), isBot })?.number ?? NOBODY_SCOPE;
}

/** The reply to a command: the planet that it changed. */
export function planetReply({ views, time }: GamePorts, planet: ReadonlyPlanet): string | Uint8Array {
  return views.planets.text(planet, time.nowMs);
}

/** The minimal reply to a command that creates nothing: what is left on the planet that it changed. */
export function stocksReply({ views, time }: GamePorts, planet: ReadonlyPlanet): Uint8Array {
  return views.minimal.stocks(planet, time.nowMs);
}

/** The planet that a command has just changed. @throws Error if it has no owner */
export function planetWithOwner(world: ReadonlyWorld, key: PlanetKey): ReadonlyPlanet {
  const planet = world.planets.get(key);
  if (planet === undefined) throw new Error('a planet without an owner was changed');
  return planet;
}

/** The reply to a command of which there is nothing to show. */
export const successReply = (): string => '{"success":true}';

/**
 * Answers a read of a planet that shows how often it has changed, if no body is needed.
 *
 * @param planet undefined if nobody owns it
 * @returns false if the caller must answer
 */
export function answersUnchangedPlanet(
  { replies, world }: GamePorts,
  exchange: Exchange,
  planet: ReadonlyPlanet | undefined,
): boolean {
  const seq = planet?.changedSeq ?? world.planets.removedSeq;
  return replies.answersWithoutBody(exchange, seq, replies.tagOf(planetVersion(planet)));
}

/** Answers with a player's state. */
export function answerState({ replies, views, time }: GamePorts, exchange: Exchange, player: ReadonlyPlayer): void {
  // StateView lends the bytes: it writes the next state over them.
  exchange.lender = views.states;
  replies.answer(exchange, player.changedSeq, views.states.bytes(player, time.nowMs));
}
