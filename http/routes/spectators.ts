// What people who watch the world read: the map, the fleets in flight, the course of the leaderboard (decision 22).
import { playerId } from '../../engine/terms/ids.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Game } from '../game/game.js';
import { LEADERBOARD_COURSES_MAX, MAP_FLEETS_MAX } from '../limits.js';
import { type Route, readRoute } from '../pipeline/route.js';
import { LeaderboardCourses, type LeaderboardCoursesBody, MapFleets, MapOverview } from '../schemas/map.js';
import { leaderboardCourses, leaderboardSample } from '../spectators/leaderboard-history.js';
import type { SharedReply } from '../spectators/map-document.js';
import { isoText } from '../views/iso-time.js';

const getMap = readRoute({
  operationId: 'getMap',
  path: '/api/map',
  tag: 'world',
  summary: 'Returns who owns how much in all galaxies.',
  description:
    'It is rendered at most once a second. Frames of the WebSocket, topic `map`, report what changes after it. With --auth key it needs ' +
    'the key of any player, the spectator key or the admin key.',
  access: 'spectator',
  cost: 20,
  replies: [{ status: 200, description: 'The map.', schema: MapOverview }],
  isHeavy: true,
  handle(game, exchange) {
    answerInSlices(game, exchange, () => game.spectators.map.step());
  },
});

const getMapFleets = readRoute({
  operationId: 'getMapFleets',
  path: '/api/map/fleets',
  tag: 'world',
  summary: `Returns the fleets in flight, at most ${MAP_FLEETS_MAX}.`,
  description:
    'It is rendered at most once a second. Frames of the WebSocket, topic `map`, report what changes after it. With --auth key it needs ' +
    'the spectator key or the admin key: players do not see the fleets of others.',
  access: 'observer',
  cost: 20,
  replies: [{ status: 200, description: 'The fleets.', schema: MapFleets }],
  isHeavy: true,
  handle(game, exchange) {
    answerInSlices(game, exchange, () => game.spectators.fleets.step());
  },
});

const getLeaderboardHistory = readRoute({
  operationId: 'getLeaderboardHistory',
  path: '/api/leaderboard/history',
  tag: 'world',
  summary: `Returns the course of the points of the first ${LEADERBOARD_COURSES_MAX} players.`,
  description:
    'A server takes samples from its start on and keeps them in memory: the course begins anew after a restart. As it gets longer, the ' +
    'interval between samples doubles. A replay returns the whole course.',
  access: 'public',
  cost: 10,
  replies: [{ status: 200, description: 'The course.', schema: LeaderboardCourses }],
  handle(game, exchange) {
    const { history } = game.spectators;
    const tag = game.replies.tagOf(`course-${history.version}-${game.world.leaderboard.version}`);
    if (game.replies.answersWithoutBody(exchange, game.sequencer.lastSeq, tag)) return;
    game.replies.answerLatest(exchange, JSON.stringify(coursesBody(game)));
  },
});

export const SPECTATOR_ROUTES: readonly Route[] = [getMap, getMapFleets, getLeaderboardHistory];

/** @param step does a slice of the work; null if there is more to do */
function answerInSlices(game: Game, exchange: Exchange, step: () => SharedReply | null): void {
  const answered = (): boolean => {
    const reply = step();
    if (reply === null) return false;
    const { body, tag, seq } = reply;
    if (!game.replies.answersWithoutBody(exchange, seq, tag)) game.replies.answer(exchange, seq, body);
    return true;
  };
  if (!answered()) game.replies.answerInTurns(exchange, answered);
}

function coursesBody({ spectators, world, nowMs }: Game): LeaderboardCoursesBody {
  const present = leaderboardSample(world, nowMs);
  const samples = [...spectators.history.samples.filter(({ atMs }) => atMs < nowMs), present];
  const times = samples.map(({ atMs }) => isoText(atMs));
  return {
    from: times[0] as string,
    to: isoText(nowMs),
    samples: times,
    players: leaderboardCourses(samples).map(({ playerNumber, points }) => {
      const player = world.players[playerNumber];
      return {
        id: playerId(world, playerNumber),
        name: player?.name ?? '',
        isBot: player?.isBot ?? false,
        points: [...points],
      };
    }),
  };
}
