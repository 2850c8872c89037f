// Who plays in the world: the leaderboard from any rank on, and a search for players by name. Public facts only.
import { rankPlayers } from '../../engine/queries/players.js';
import { LEADERBOARD_ENTRIES_MAX } from '../../engine/rules/limits.js';
import { PLAYER_NUMBER_MAX } from '../../engine/rules/record-limits.js';
import { parsePlayerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { Exchange } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import { sendProblem } from '../exchange/problems.js';
import { orderOfNumbers, PlayerSearch } from '../game/player-search.js';
import type { RankedPlayers } from '../game/ranking.js';
import { PLAYERS_EXAMINED_MAX, PLAYERS_PER_REPLY_MAX } from '../limits.js';
import { type HandledRoute, readRoute } from '../pipeline/route.js';
import { FoundPlayers, type FoundPlayersBody, Leaderboard, type LeaderboardBody } from '../schemas/world.js';
import { publicPlayerBody } from '../views/player-view.js';
import {
  answerPage,
  IDS,
  inSteps,
  LIMIT,
  NAME,
  playersOf,
  type RankingPorts,
  rankedFor,
  ranksOf,
} from './player-pages.js';
import { cursorForm } from './route-parts.js';

const getLeaderboard = readRoute({
  operationId: 'getLeaderboard',
  path: '/api/leaderboard',
  tag: 'world',
  summary: `Returns players by points: the first ${LEADERBOARD_ENTRIES_MAX}, or those after an offset.`,
  description:
    'Points are the units of resources in buildings and ships. Players with equal points rank by age. The first ' +
    `${LEADERBOARD_ENTRIES_MAX} are always those of now; see \`asOf\` for others.`,
  access: 'public',
  cost: 10,
  query: [
    {
      name: 'offset',
      description: 'How many of the first players are left out; 0 by default.',
      example: 0,
      minimum: 0,
      maximum: PLAYER_NUMBER_MAX,
    },
    LIMIT,
  ],
  replies: [{ status: 200, description: 'The ranking.', schema: Leaderboard }],
  handle(ports: RankingPorts, exchange) {
    const [offset = null, limit = null] = exchange.queryValues;
    const first = Number(offset ?? 0);
    const end = first + Number(limit ?? PLAYERS_PER_REPLY_MAX);
    if (end <= LEADERBOARD_ENTRIES_MAX) answerFirst(ports, exchange, first, end);
    else answerLater(ports, exchange, first, end);
  },
});

function answerFirst({ replies, time, world }: RankingPorts, exchange: Exchange, first: number, end: number): void {
  const { leaderboard, playerCount } = world;
  const tag = replies.tagOf(`${leaderboard.version}-${playerCount}`);
  if (replies.answersWithoutBody(exchange, time.lastSeq, tag)) return;
  const players = rankPlayers(world, end)
    .slice(first)
    .map((player, index) => ({ rank: first + index + 1, ...publicPlayerBody(world, player) }));
  const body: LeaderboardBody = { playerCount, asOf: isoText(time.nowMs), players };
  replies.answerLatest(exchange, JSON.stringify(body));
}

function answerLater(ports: RankingPorts, exchange: Exchange, first: number, end: number): void {
  const { rankings, world } = ports;
  inSteps(ports, exchange, () => {
    const ranked = rankedFor(rankings.points, exchange);
    if (ranked === null) {
      if (exchange.isPart) sendProblem(exchange, 'invalid_request', NOT_RANKED_YET);
      return exchange.isPart;
    }
    const players = laterBodies(world, ranked, first, Math.min(end, ranked.count));
    answerPage<LeaderboardBody>(ports, exchange, ranked.asOfMs, { playerCount: world.playerCount, players });
    return true;
  });
}

const NOT_RANKED_YET = {
  errors: [
    {
      path: 'offset',
      message: `must end within the first ${LEADERBOARD_ENTRIES_MAX} in a batch, or be asked alone first`,
    },
  ],
};

/** Without those who have been retired since. */
function laterBodies(
  world: ReadonlyWorld,
  ranked: RankedPlayers,
  first: number,
  end: number,
): LeaderboardBody['players'] {
  const bodies: LeaderboardBody['players'] = [];
  for (let position = first; position < end; position += 1) {
    const number = ranked.numberAt(position);
    const player = world.players.get(number);
    if (player === undefined) continue;
    bodies.push({ rank: position + 1, ...publicPlayerBody(world, player), points: ranked.valueFor(number) });
  }
  return bodies;
}

const findPlayers = readRoute({
  operationId: 'findPlayers',
  path: '/api/player',
  tag: 'world',
  summary: 'Finds players by the beginning of their names, or by their ids.',
  description:
    'The player with exactly this name comes first, the others follow by age. A request looks at ' +
    `${PLAYERS_EXAMINED_MAX} players at most: there may be further ones if \`nextCursor\` is not null, even after an empty reply. ` +
    'Without a name all players are listed. With `ids` only those players are returned, as far as they exist. In a batch ranks may be null.',
  access: 'public',
  cost: 10,
  query: [
    NAME,
    {
      name: 'cursor',
      description: 'The `nextCursor` of the reply before.',
      example: '0',
      form: cursorForm(/^\d{1,8}$/),
    },
    LIMIT,
    IDS,
  ],
  replies: [{ status: 200, description: 'The players that were found.', schema: FoundPlayers }],
  handle(ports: RankingPorts, exchange) {
    const { world } = ports;
    const [name = null, cursor = null, limit = null, ids = null] = exchange.queryValues;
    if (ids !== null) {
      answerIds(ports, exchange, ids);
      return;
    }
    const search = new PlayerSearch(world, {
      name: name ?? '',
      order: orderOfNumbers(world),
      from: Number(cursor ?? 0),
      limit: Number(limit ?? PLAYERS_PER_REPLY_MAX),
      holder: cursor === null ? 'first' : 'left out',
    });
    inSteps(ports, exchange, () => {
      if (!search.step()) return false;
      return answerFound(ports, exchange, search.found, search.next);
    });
  },
});

function answerIds(ports: RankingPorts, exchange: Exchange, ids: string): void {
  const numbers = new Set(ids.split(',').map((id) => parsePlayerId(ports.world, id)));
  const found = [...numbers].filter((number) => ports.world.players.has(number));
  inSteps(ports, exchange, () => answerFound(ports, exchange, found, null));
}

/** @returns false if their ranks are not known yet */
function answerFound(
  ports: RankingPorts,
  exchange: Exchange,
  numbers: readonly number[],
  next: number | null,
): boolean {
  const { world } = ports;
  const ranks = ranksOf(ports, exchange, numbers);
  if (ranks === null) return false;
  answerPage<FoundPlayersBody>(ports, exchange, ranks.asOfMs, {
    players: playersOf(world, numbers).map((player) => ({
      rank: ranks.rankOf(player.number),
      ...publicPlayerBody(world, player),
    })),
    nextCursor: next === null ? null : String(next),
  });
  return true;
}

export const RANKING_ROUTES: readonly HandledRoute<RankingPorts>[] = [getLeaderboard, findPlayers];
