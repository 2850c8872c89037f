// API keys of players: rotation and revocation, by the player and by the operator. A key is shown once, in the reply to its
// rotation.
import type { Static } from 'typebox';
import { refuseSuspended } from '../../engine/planets/planets.js';
import { parsePlayerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { newApiKey } from '../admission/identity.js';
import type { Exchange } from '../exchange/exchange.js';
import { isoTextOrNull } from '../exchange/iso-time.js';
import type { GamePorts, Restrictions } from '../game/game-ports.js';
import { OLD_KEY_VALID_SECONDS } from '../limits.js';
import { commandRoute, type HandledRoute, writeRoute } from '../pipeline/route.js';
import { PlayerKey, type PlayerKeyBody } from '../schemas/player.js';
import { EmptyRequest, RotateKeyRequest } from '../schemas/requests.js';
import { Success } from '../schemas/world.js';
import { operator, PLAYER_PARAMETER, playerOfPath, successReply } from './route-parts.js';

interface KeyPorts extends GamePorts {
  readonly restrictions: Pick<Restrictions, 'keyFault'>;
}

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
  minimal: PlayerKey,
  errors: ['player_not_found', 'forbidden', 'not_owner'],
  handle(ports: KeyPorts, exchange, body) {
    if (mayChangeOwnKeys(ports, exchange)) rotate(ports, exchange, body, OLD_KEY_VALID_SECONDS);
  },
});

const revokeOwnKeys = commandRoute({
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
  command: (ports: KeyPorts, exchange) =>
    mayChangeOwnKeys(ports, exchange) ? revokeCommand(ports.world, exchange) : null,
  reply: successReply,
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
  minimal: PlayerKey,
  errors: ['player_not_found', 'forbidden'],
  handle(ports: KeyPorts, exchange, body) {
    if (hasKeys(ports, exchange)) rotate(ports, exchange, body, 0);
  },
});

const revokeKeysOfPlayer = commandRoute({
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
  command: (ports: KeyPorts, exchange) => (hasKeys(ports, exchange) ? revokeCommand(ports.world, exchange) : null),
  reply: successReply,
});

export const KEY_ROUTES: readonly HandledRoute<KeyPorts>[] = [
  rotateOwnKey,
  revokeOwnKeys,
  rotateKeyOfPlayer,
  revokeKeysOfPlayer,
];

/** False if players have no keys; the exchange is answered then. */
function hasKeys({ access, replies }: KeyPorts, exchange: Exchange): boolean {
  if (access.hasKeys) return true;
  replies.refuse(exchange, 'forbidden', { detail: 'Players of this world have no keys: it runs with --auth none.' });
  return false;
}

function mayChangeOwnKeys(ports: KeyPorts, exchange: Exchange): boolean {
  if (!hasKeys(ports, exchange)) return false;
  const { access, replies, restrictions, world } = ports;
  if (restrictions.keyFault !== null) {
    replies.refuse(exchange, 'forbidden', { detail: restrictions.keyFault });
    return false;
  }
  const playerNumber = numberOfPath(world, exchange);
  if (!access.authorizes(exchange, { playerNumber })) return false;
  const suspended = refuseSuspended(world, playerNumber);
  if (suspended === null) return access.mayChangeKeys(exchange);
  replies.refuseAs(exchange, suspended);
  return false;
}

function rotate(
  { commands, replies, world }: KeyPorts,
  exchange: Exchange,
  { expiresInSeconds, oldKeyValidSeconds }: Static<typeof RotateKeyRequest>,
  oldKeyValidSecondsDefault: number,
): void {
  const { key: apiKey, hash: keyHash } = newApiKey();
  const player = commands.submit(exchange, {
    type: 'rotate_key',
    playerNumber: numberOfPath(world, exchange),
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
  // A reply without the key would lose it.
  if (exchange.isMinimal) replies.answerMinimal(exchange, JSON.stringify(body), 201);
  else replies.answerLatest(exchange, JSON.stringify(body), 201);
}

function revokeCommand(world: ReadonlyWorld, exchange: Exchange) {
  return { type: 'revoke_keys', playerNumber: numberOfPath(world, exchange) } as const;
}

function numberOfPath(world: ReadonlyWorld, { parameters }: Exchange): number {
  return parsePlayerId(world, parameters[0] as string);
}
