// API keys of players: rotation and revocation, by the player and by the operator. A key is shown once, in the reply to its
// rotation.
import type { Static } from 'typebox';
import { parsePlayerId } from '../../engine/terms/ids.js';
import { newApiKey } from '../admission/identity.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Game } from '../game/game.js';
import { OLD_KEY_VALID_SECONDS } from '../limits.js';
import { type Route, writeRoute } from '../pipeline/route.js';
import { PlayerKey, type PlayerKeyBody } from '../schemas/player.js';
import { EmptyRequest, RotateKeyRequest } from '../schemas/requests.js';
import { Success } from '../schemas/world.js';
import { isoTextOrNull } from '../views/iso-time.js';
import { operator, playerOfPath } from './actors.js';
import { PLAYER_PARAMETER } from './parameters.js';

const rotateOwnKey = writeRoute({
  operationId: 'rotateKey',
  path: '/api/game/player/:playerId/key',
  tag: 'game',
  summary: 'Gives the caller a new API key.',
  description:
    `The key of the request stays valid for oldKeyValidSeconds, ${OLD_KEY_VALID_SECONDS} by default. If the reply is lost, repeat ` +
    'the request with the old key and the same Idempotency-Key: it returns the same new key. A key that has been replaced ' +
    'cannot change keys any more. All durations are in world time. Without --auth key: 403.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  actor: playerOfPath,
  isReplySecret: true,
  body: { schema: RotateKeyRequest, isOptional: true },
  replies: [{ status: 201, description: 'The new key.', schema: PlayerKey }],
  errors: ['player_not_found', 'forbidden', 'not_owner'],
  handle(game, exchange, body) {
    if (mayChangeOwnKeys(game, exchange)) rotate(game, exchange, body, OLD_KEY_VALID_SECONDS);
  },
});

const revokeOwnKeys = writeRoute({
  operationId: 'revokeKeys',
  path: '/api/game/player/:playerId/key/revoke',
  tag: 'game',
  summary: 'Makes all API keys of the caller invalid at once.',
  description: 'Only the operator can give the player a key again. Without --auth key: 403.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  actor: playerOfPath,
  body: { schema: EmptyRequest, isOptional: true },
  replies: [{ status: 200, description: 'The keys are invalid.', schema: Success }],
  errors: ['player_not_found', 'forbidden', 'not_owner'],
  handle(game, exchange) {
    if (mayChangeOwnKeys(game, exchange)) revoke(game, exchange);
  },
});

const rotateKeyOfPlayer = writeRoute({
  operationId: 'rotateKeyOfPlayer',
  path: '/api/admin/player/:playerId/key',
  tag: 'administration',
  summary: 'Gives a player a new API key, also if the present one is lost, revoked or expired.',
  description: 'The present key is invalid at once, unless oldKeyValidSeconds says otherwise. Without --auth key: 403.',
  access: 'admin',
  parameters: [PLAYER_PARAMETER],
  actor: operator,
  isReplySecret: true,
  body: { schema: RotateKeyRequest, isOptional: true },
  replies: [{ status: 201, description: 'The new key.', schema: PlayerKey }],
  errors: ['player_not_found', 'forbidden'],
  handle(game, exchange, body) {
    if (hasKeys(game, exchange)) rotate(game, exchange, body, 0);
  },
});

const revokeKeysOfPlayer = writeRoute({
  operationId: 'revokeKeysOfPlayer',
  path: '/api/admin/player/:playerId/key/revoke',
  tag: 'administration',
  summary: 'Makes all API keys of a player invalid at once.',
  description: 'What the player has begun goes on. Without --auth key: 403.',
  access: 'admin',
  parameters: [PLAYER_PARAMETER],
  actor: operator,
  body: { schema: EmptyRequest, isOptional: true },
  replies: [{ status: 200, description: 'The keys are invalid.', schema: Success }],
  errors: ['player_not_found', 'forbidden'],
  handle(game, exchange) {
    if (hasKeys(game, exchange)) revoke(game, exchange);
  },
});

export const KEY_ROUTES: readonly Route[] = [rotateOwnKey, revokeOwnKeys, rotateKeyOfPlayer, revokeKeysOfPlayer];

/** False if players have no keys; the exchange is answered then. */
function hasKeys(game: Game, exchange: Exchange): boolean {
  if (game.access.hasKeys) return true;
  game.replies.refuse(exchange, 'forbidden', {
    detail: 'Players of this world have no keys: it runs with --auth none.',
  });
  return false;
}

function mayChangeOwnKeys(game: Game, exchange: Exchange): boolean {
  if (!hasKeys(game, exchange)) return false;
  if (game.turns?.isRunning === true) {
    // New keys are random, so the world would differ from that of the same game played again.
    game.replies.refuse(exchange, 'forbidden', { detail: 'Players cannot change their keys in a game of turns.' });
    return false;
  }
  const playerNumber = numberOfPath(game, exchange);
  return game.access.authorizes(exchange, { playerNumber }) && game.access.mayChangeKeys(exchange);
}

function rotate(
  game: Game,
  exchange: Exchange,
  { expiresInSeconds, oldKeyValidSeconds }: Static<typeof RotateKeyRequest>,
  oldKeyValidSecondsDefault: number,
): void {
  const { key: apiKey, hash: keyHash } = newApiKey();
  const player = game.submit(exchange, {
    type: 'rotate_key',
    playerNumber: numberOfPath(game, exchange),
    keyHash,
    validMs: expiresInSeconds === undefined ? null : expiresInSeconds * 1000,
    oldKeyValidMs: (oldKeyValidSeconds ?? oldKeyValidSecondsDefault) * 1000,
  });
  if (player === null) return;
  const body: PlayerKeyBody = {
    playerId: exchange.parameters[0] as string,
    apiKey,
    expiresAt: isoTextOrNull(player.keyExpiresAtMs),
  };
  game.replies.answerLatest(exchange, JSON.stringify(body), 201);
}

function revoke(game: Game, exchange: Exchange): void {
  const player = game.submit(exchange, { type: 'revoke_keys', playerNumber: numberOfPath(game, exchange) });
  if (player !== null) game.replies.answerLatest(exchange, '{"success":true}');
}

function numberOfPath({ world }: Game, { parameters }: Exchange): number {
  return parsePlayerId(world, parameters[0] as string);
}
