// What the operator does to a single player: suspends and resumes it, and gives it another name; and what it announces to all of them.

import { parsePlayerId } from '../../engine/terms/ids.js';
import type { ReadonlyPlayer } from '../../engine/world/state.js';
import { nameKey } from '../checks/player-names.js';
import type { GamePorts } from '../game/game-ports.js';
import { commandRoute, type HandledRoute, writeRoute } from '../pipeline/route.js';
import { AnnounceRequest, EmptyRequest, RenamePlayerRequest } from '../schemas/requests.js';
import { AnnouncementOrNull, ModeratedPlayer } from '../schemas/world.js';
import { moderatedPlayerBody } from '../views/player-view.js';
import { announcementBody } from '../views/process-view.js';
import { operator, PLAYER_PARAMETER } from './route-parts.js';

const suspendPlayer = suspensionRoute(
  'suspend',
  'Its commands get 403 player_suspended, and its plans wait. What it has begun goes on, it produces, and it can be attacked; all reads ' +
    'stay possible. The player gets the event player_suspended; nobody else is told. A player that is suspended already stays so.',
);

const resumePlayer = suspensionRoute(
  'resume',
  'Its commands are taken again, and its plans go on at once. The player gets the event player_resumed. It may not be suspended.',
);

function suspensionRoute(verb: 'suspend' | 'resume', description: string): HandledRoute<GamePorts> {
  const isSuspension = verb === 'suspend';
  return writeRoute({
    operationId: `${verb}Player`,
    path: `/api/admin/player/:playerId/${verb}`,
    tag: 'administration',
    summary: isSuspension ? 'Suspends a player.' : 'Lets a suspended player go on.',
    description,
    access: 'admin',
    parameters: [PLAYER_PARAMETER],
    actor: operator,
    body: { schema: EmptyRequest, isOptional: true },
    replies: [{ status: 200, description: 'The player.', schema: ModeratedPlayer }],
    errors: ['player_not_found'],
    handle(ports, exchange) {
      const { commands, replies, world } = ports;
      const playerNumber = parsePlayerId(world, exchange.parameters[0] as string);
      const isThere = world.players.has(playerNumber) && world.players.isSuspended(playerNumber) === isSuspension;
      // Nothing is logged if nothing changes.
      const player = isThere
        ? commands.admits(exchange) && world.players.get(playerNumber)
        : commands.submit(exchange, { type: isSuspension ? 'suspend_player' : 'resume_player', playerNumber });
      if (player) replies.answerLatest(exchange, bodyOf(ports, player));
    },
  });
}

const renamePlayer = commandRoute({
  operationId: 'renamePlayer',
  path: '/api/admin/player/:playerId/rename',
  tag: 'administration',
  summary: 'Gives a player another name.',
  description:
    'The name before stays its own: nobody else gets it, and a request that creates a bot of that name still finds the player. Everybody ' +
    'gets the event player_renamed. A name that looks like that of another player, now or before, is refused.',
  access: 'admin',
  parameters: [PLAYER_PARAMETER],
  actor: operator,
  body: { schema: RenamePlayerRequest },
  replies: [{ status: 200, description: 'The player.', schema: ModeratedPlayer }],
  errors: ['player_not_found', 'name_taken', 'limit_reached'],
  command: ({ world }, { parameters }, { name }) => ({
    type: 'rename_player',
    playerNumber: parsePlayerId(world, parameters[0] as string),
    name,
    nameKey: nameKey(name),
  }),
  reply: (ports, player) => bodyOf(ports, player),
});

const announce = commandRoute({
  operationId: 'announce',
  path: '/api/admin/announce',
  tag: 'administration',
  summary: 'Announces something to everybody, in place of the announcement before.',
  description:
    'Everybody gets the public event announcement. As long as it lasts it is in `GET /api/status`, in briefs, and at the head of the ' +
    'dashboard. The text null withdraws the present announcement, without an event.',
  access: 'admin',
  actor: operator,
  body: { schema: AnnounceRequest },
  replies: [{ status: 200, description: 'What is announced.', schema: AnnouncementOrNull }],
  command: (_ports, _exchange, { text, untilSeconds }) => ({
    type: 'announce',
    text,
    lastsMs: untilSeconds === undefined ? null : untilSeconds * 1000,
  }),
  reply: (_ports, { announcement }) => JSON.stringify({ announcement: announcementBody(announcement) }),
});

export const MODERATION_ROUTES: readonly HandledRoute<GamePorts>[] = [
  suspendPlayer,
  resumePlayer,
  renamePlayer,
  announce,
];

function bodyOf({ world }: GamePorts, player: ReadonlyPlayer): string {
  return JSON.stringify(moderatedPlayerBody(world, player));
}
