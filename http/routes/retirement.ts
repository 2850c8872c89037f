// Retiring players: the operator removes players from the world, by name of one or all who have been inactive for long.

import { endedWith, type RetiredPlayer } from '../../engine/players/retirement.js';
import { inactivePlayers } from '../../engine/queries/players.js';
import { RETIRED_PLAYERS_MAX } from '../../engine/rules/record-limits.js';
import { parsePlayerId, playerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import type { GamePorts } from '../game/game-ports.js';
import { commandRoute, type HandledRoute, writeRoute } from '../pipeline/route.js';
import { EmptyRequest, RetireInactiveRequest } from '../schemas/requests.js';
import {
  type RetiredPlayerBody,
  RetiredPlayer as RetiredPlayerSchema,
  Retirement,
  type RetirementBody,
} from '../schemas/world.js';
import { operator, PLAYER_PARAMETER } from './route-parts.js';

const EFFECTS =
  'Its planets belong to nobody again, its fleets end with all ships and cargo, its key is invalid, and its name is free. Its id ' +
  'is never used again.';

const retirePlayer = commandRoute({
  operationId: 'retirePlayer',
  path: '/api/admin/player/:playerId/retire',
  tag: 'administration',
  summary: 'Removes a player from the world.',
  description: EFFECTS,
  access: 'admin',
  parameters: [PLAYER_PARAMETER],
  actor: operator,
  body: { schema: EmptyRequest, isOptional: true },
  replies: [{ status: 200, description: 'What was retired.', schema: RetiredPlayerSchema }],
  errors: ['player_not_found'],
  command: ({ world }, { parameters }) => ({
    type: 'retire_players',
    playerNumbers: [parsePlayerId(world, parameters[0] as string)],
  }),
  reply: ({ world }, retired) => JSON.stringify(retired.map((player) => retiredPlayerBody(world, player))[0]),
});

const retireInactivePlayers = writeRoute({
  operationId: 'retireInactivePlayers',
  path: '/api/admin/players/retire',
  tag: 'administration',
  summary: 'Removes the players who have done nothing for a while.',
  description:
    'A player is active when a command of its own is accepted, or it is created, or its key is rotated; reads do not count. ' +
    `Players are retired in the order of their ids, ${RETIRED_PLAYERS_MAX} at most in one request; \`remaining\` says how many are ` +
    `left. With dryRun nothing changes. ${EFFECTS}`,
  access: 'admin',
  actor: operator,
  body: { schema: RetireInactiveRequest },
  replies: [{ status: 200, description: 'Who was retired.', schema: Retirement }],
  isHeavy: true,
  handle(
    { world, time, commands, replies },
    exchange,
    { inactiveForSeconds, atMost = RETIRED_PLAYERS_MAX, dryRun = false },
  ) {
    const inactive = inactivePlayers(world, time.nowMs - inactiveForSeconds * 1000);
    const chosen = inactive.slice(0, atMost);
    const body = (retired: readonly RetiredPlayer[]): RetirementBody => {
      const players = retired.map((player) => retiredPlayerBody(world, player));
      return { players, remaining: inactive.length - retired.length, dryRun };
    };
    if (dryRun || chosen.length === 0) {
      replies.answerLatest(exchange, JSON.stringify(body(chosen.map((player) => endedWith(player)))));
      return;
    }
    const playerNumbers = chosen.map(({ number }) => number);
    const retired = commands.submit(exchange, { type: 'retire_players', playerNumbers });
    if (retired !== null) replies.answerLatest(exchange, JSON.stringify(body(retired)));
  },
});

export const RETIREMENT_ROUTES: readonly HandledRoute<GamePorts>[] = [retirePlayer, retireInactivePlayers];

function retiredPlayerBody(world: ReadonlyWorld, retired: RetiredPlayer): RetiredPlayerBody {
  const { number, name, isBot, lastActiveMs, planetCount: planets, fleetCount: fleets } = retired;
  return { id: playerId(world, number), name, isBot, lastActiveAt: isoText(lastActiveMs), planets, fleets };
}
