// The list of players for the operator: what everybody may know of them, and when they were active, and whether they have a key.
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { sendProblem } from '../exchange/problems.js';
import { orderOfNumbers, type PlayerQuery, PlayerSearch } from '../game/player-search.js';
import type { RankedPlayers } from '../game/ranking.js';
import { PLAYERS_EXAMINED_MAX, PLAYERS_PER_REPLY_MAX } from '../limits.js';
import { type HandledRoute, oneOf, readRoute } from '../pipeline/route.js';
import { ListedPlayers, type ListedPlayersBody } from '../schemas/world.js';
import { listedPlayerBody } from '../views/player-view.js';
import { answerPage, inSteps, LIMIT, NAME, playersOf, type RankingPorts, ranksOf } from './player-pages.js';
import { cursorForm } from './route-parts.js';

/** A position in the order of numbers; or the value and the number of the player after which an order by values goes on. */
const CURSOR = cursorForm(/^\d{1,8}$|^\d{1,16}-\d{1,8}$/);

const listPlayers = readRoute({
  operationId: 'listPlayers',
  path: '/api/admin/players',
  tag: 'administration',
  summary: 'Lists players, also with when they were active and whether they have a key.',
  description:
    'By `points` and `activity` the highest and the latest come first. By `number`, the default, players come by age, and the one with ' +
    `exactly the name before all others. A request looks at ${PLAYERS_EXAMINED_MAX} players at most: there may be further ones if ` +
    '`nextCursor` is not null, even after an empty reply.',
  access: 'admin',
  cost: 10,
  query: [
    NAME,
    {
      name: 'sort',
      description: '`number` (the default), `points` or `activity`.',
      example: 'activity',
      form: oneOf('number', 'points', 'activity'),
    },
    {
      name: 'cursor',
      description: 'The `nextCursor` of the reply before, with the same `sort`.',
      example: '2000000000000-1',
      form: CURSOR,
    },
    LIMIT,
  ],
  replies: [{ status: 200, description: 'The players.', schema: ListedPlayers }],
  handle(ports: RankingPorts, exchange) {
    const { rankings, time, world } = ports;
    const [name = null, sort = null, cursor = null, limit = null] = exchange.queryValues;
    const wanted = { name: name ?? '', limit: Number(limit ?? PLAYERS_PER_REPLY_MAX) };
    const ranking = sort === 'points' || sort === 'activity' ? rankings[sort] : null;
    if (cursor !== null && cursor.includes('-') !== (ranking !== null)) {
      sendProblem(exchange, 'invalid_request', FOREIGN_CURSOR);
      return;
    }
    let ranked: RankedPlayers | null = null;
    let search = ranking === null ? new PlayerSearch(world, { ...wanted, ...byNumber(world, cursor) }) : null;
    inSteps(ports, exchange, () => {
      if (search === null) {
        ranked = ranking?.step() ?? null;
        if (ranked === null) return false;
        search = new PlayerSearch(world, { ...wanted, ...byValue(ranked, cursor) });
      }
      if (!search.step()) return false;
      const ranks = ranksOf(ports, exchange, search.found);
      if (ranks === null) return false;
      const { found, next } = search;
      answerPage<ListedPlayersBody>(ports, exchange, (ranked ?? ranks).asOfMs, {
        players: playersOf(world, found).map((player) => ({
          rank: ranks.rankOf(player.number),
          ...listedPlayerBody(world, player, time.nowMs),
        })),
        nextCursor: next === null ? null : cursorOf(ranked, next),
      });
      return true;
    });
  },
});

export const PLAYER_LIST_ROUTES: readonly HandledRoute<RankingPorts>[] = [listPlayers];

const FOREIGN_CURSOR = {
  errors: [{ path: 'cursor', message: 'must be the nextCursor of a reply with the same sort' }],
};

type Beginning = Pick<PlayerQuery, 'order' | 'from' | 'holder'>;

function byNumber(world: ReadonlyWorld, cursor: string | null): Beginning {
  return {
    order: orderOfNumbers(world),
    from: Number(cursor ?? 0),
    holder: cursor === null ? 'first' : 'left out',
  };
}

function byValue(ranked: RankedPlayers, cursor: string | null): Beginning {
  const [value = 0, playerNumber = 0] = (cursor ?? '').split('-').map(Number);
  return { order: ranked, from: cursor === null ? 0 : ranked.positionAfter(value, playerNumber), holder: 'in order' };
}

/** @param next position at which the next reply begins, at least 1 in an order by values: it may be another order by then */
function cursorOf(ranked: RankedPlayers | null, next: number): string {
  if (ranked === null) return String(next);
  const last = ranked.numberAt(next - 1);
  return `${ranked.valueFor(last)}-${last}`;
}
