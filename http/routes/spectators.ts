// What people who watch the world read: the map, the fleets in flight, the course of the leaderboard (decision 22).

import { LEADERBOARD_ENTRIES_MAX } from '../../engine/rules/limits.js';
import { parsePlayerId, playerId } from '../../engine/terms/ids.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import type { Exchange } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import type { GamePorts } from '../game/game-ports.js';
import type { Replies } from '../game/replies.js';
import { LEADERBOARD_COURSES_MAX, MAP_FLEETS_MAX } from '../limits.js';
import { type HandledRoute, readRoute } from '../pipeline/route.js';
import { LeaderboardCourses, type LeaderboardCoursesBody, MapFleets, MapOverview } from '../schemas/map.js';
import {
  type LeaderboardCourse,
  type LeaderboardHistory,
  type LeaderboardSample,
  leaderboardCourse,
  leaderboardCourses,
  leaderboardSample,
} from '../spectators/leaderboard-history.js';
import type { SharedReply } from '../spectators/map-document.js';
import type { Spectators } from '../spectators/spectators.js';

interface SpectatorPorts extends GamePorts {
  readonly spectators: Pick<Spectators, 'map' | 'fleets' | 'history'>;
}

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
  handle({ replies, spectators }: SpectatorPorts, exchange) {
    answerInSlices(replies, exchange, () => spectators.map.step());
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
  handle({ replies, spectators }: SpectatorPorts, exchange) {
    answerInSlices(replies, exchange, () => spectators.fleets.step());
  },
});

const getLeaderboardHistory = readRoute({
  operationId: 'getLeaderboardHistory',
  path: '/api/leaderboard/history',
  tag: 'world',
  summary: `Returns the course of the points of the first ${LEADERBOARD_COURSES_MAX} players, or of one player.`,
  description:
    'A server takes samples from its start on and keeps them in memory: the course begins anew after a restart. As it gets longer, the ' +
    'interval between samples doubles. A replay returns the whole course. Samples have the points of the first ' +
    `${LEADERBOARD_ENTRIES_MAX} players of their instant.`,
  access: 'public',
  cost: 10,
  query: [
    {
      name: 'playerId',
      description: 'The player whose course is returned, instead of those of the first ones.',
      example: 'player-1',
      form: { pattern: /^player-\d{1,15}$/, words: 'the id of a player, such as player-1' },
    },
  ],
  replies: [{ status: 200, description: 'The course.', schema: LeaderboardCourses }],
  errors: ['player_not_found'],
  handle({ replies, spectators, time, world }: SpectatorPorts, exchange) {
    const { history } = spectators;
    const [wanted = null] = exchange.queryValues;
    const number = wanted === null ? null : parsePlayerId(world, wanted);
    const player = number === null ? null : world.players.get(number);
    if (player === undefined) {
      replies.refuse(exchange, 'player_not_found');
      return;
    }
    const owner = player === null ? world.leaderboard.version : `${number}-${player.points}-${player.name}`;
    const tag = replies.tagOf(`course-${history.version}-${owner}`);
    if (replies.answersWithoutBody(exchange, time.lastSeq, tag)) return;
    const samples = presentSamples(history, world, time.nowMs);
    const courses = player === null ? leaderboardCourses(samples) : [courseOf(samples, player)];
    replies.answerLatest(exchange, JSON.stringify(coursesBody(world, samples, courses)));
  },
});

export const SPECTATOR_ROUTES: readonly HandledRoute<SpectatorPorts>[] = [getMap, getMapFleets, getLeaderboardHistory];

/** @param step does a slice of the work; null if there is more to do */
function answerInSlices(replies: Replies, exchange: Exchange, step: () => SharedReply | null): void {
  const answered = (): boolean => {
    const reply = step();
    if (reply === null) return false;
    const { body, tag, seq } = reply;
    if (!replies.answersWithoutBody(exchange, seq, tag)) replies.answer(exchange, seq, body);
    return true;
  };
  if (!answered()) replies.answerInTurns(exchange, answered);
}

/** The samples of the past, and the present. */
function presentSamples(history: LeaderboardHistory, world: ReadonlyWorld, nowMs: number): LeaderboardSample[] {
  return [...history.samples.filter(({ atMs }) => atMs < nowMs), leaderboardSample(world, nowMs)];
}

/** The course of a player, who need not be among the first at present. */
function courseOf(samples: readonly LeaderboardSample[], { number, points }: ReadonlyPlayer): LeaderboardCourse {
  const course = leaderboardCourse(samples, number);
  return { ...course, points: [...course.points.slice(0, -1), points] };
}

/** @param samples at least the present */
function coursesBody(
  world: ReadonlyWorld,
  samples: readonly LeaderboardSample[],
  courses: readonly LeaderboardCourse[],
): LeaderboardCoursesBody {
  const times = samples.map(({ atMs }) => isoText(atMs));
  return {
    from: times[0] as string,
    to: times.at(-1) as string,
    samples: times,
    players: courses.map(({ playerNumber, points }) => {
      const player = world.players.get(playerNumber);
      return {
        id: playerId(world, playerNumber),
        name: player?.name ?? '',
        isBot: player?.isBot ?? false,
        points: [...points],
      };
    }),
  };
}
