// The actor of each POST, as the routes name it: the scope of its Idempotency-Key. Nothing is checked here; see
// key-scopes.ts.
import { parsePlanetId, parsePlayerId } from '../../engine/ids.js';
import { PUBLIC_SCOPE, WORLD_SCOPE } from '../../engine/kept-replies.js';
import type { ReadonlyWorld } from '../../engine/state.js';
import type { Exchange } from '../exchange/exchange.js';
import { nameScope, ownerScope } from '../idempotency/key-scopes.js';
import type { ActorPorts } from '../pipeline/route.js';

/** @param body matches the schema of the route */
type Actor<Body = unknown> = (ports: ActorPorts, exchange: Exchange, body: Body) => number;

/** Returns the player that a body names, or undefined if it names none. */
export const playerNumberOf = (world: ReadonlyWorld, playerId: string | undefined): number | undefined =>
  playerId === undefined ? undefined : parsePlayerId(world, playerId);

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
