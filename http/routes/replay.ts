// The routes of a replay, which shows the past of a world, and of the tournament whose games it shows (decision 22). All who look at it
// share its position.
import type { Static } from 'typebox';
import { NAME_LENGTH_MAX } from '../../engine/rules/limits.js';
import { OutsideHistory, type ReplayedWorld } from '../../persistence/history/replayed-world.js';
import { contentVersion } from '../exchange/entity-tags.js';
import type { Exchange, Waiting } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import { sendProblem } from '../exchange/problems.js';
import type { GamePorts } from '../game/game-ports.js';
import type { Replies } from '../game/replies.js';
import { TOURNAMENT_GAMES_MAX, TRACE_BYTES_MAX, TRACE_LINES_PER_REPLY_MAX } from '../limits.js';
import { type HandledRoute, readRoute, writeRoute } from '../pipeline/route.js';
import { replayPositionBody, timelineBody } from '../replay/replay-view.js';
import { NoSuchGame, type ReplayedTournament } from '../replay/replayed-tournament.js';
import { ReplayPosition, ReplayRequest, Timeline } from '../schemas/replay.js';
import { Tournament, TournamentTrace } from '../schemas/tournament.js';
import { operator } from './route-parts.js';

interface ReplayPorts extends GamePorts {
  readonly replay: ReplayedWorld;
  /** The games of the tournament that is shown. @throws NoSuchGame if it has no such game, or none is shown */
  readonly games: Pick<ReplayedTournament, 'openGame'>;
}

const ABOUT = 'A server that was not started with `galaxyd replay` answers 403.';

const getReplay = readRoute({
  operationId: 'getReplay',
  path: '/api/replay',
  tag: 'replay',
  summary: 'Returns where a replay stands, and what it can be moved to.',
  description: ABOUT,
  access: 'spectator',
  replies: [{ status: 200, description: 'The position.', schema: ReplayPosition }],
  errors: ['forbidden'],
  handle: ({ replay, replies }: ReplayPorts, exchange) => answerText(replies, exchange, replay, positionText(replay)),
});

const moveReplay = writeRoute({
  operationId: 'moveReplay',
  path: '/api/replay',
  tag: 'replay',
  summary: 'Moves a replay to a seq, an instant, the next event or battle or another game, or lets it play.',
  description:
    `The reply comes once the position is reached. All who look at the replay share its position. If that is not one that the ` +
    'present world leads to, streams and WebSockets end as at a restart of the server. The past that is kept begins with `first` ' +
    `and ends with \`last\`; what lies outside is refused. \`game\` shows the world of ` +
    `another game of a tournament. ${ABOUT}`,
  access: 'spectator',
  isCommand: false,
  actor: operator,
  body: { schema: ReplayRequest },
  replies: [{ status: 200, description: 'The position that was reached.', schema: ReplayPosition }],
  errors: ['forbidden'],
  handle({ games, replay, replies }: ReplayPorts, exchange, request) {
    if (!replay.mayMove) {
      sendProblem(exchange, 'overloaded', { detail: 'Too many movements of the replay have not ended.' });
      return;
    }
    const moved = move(games, replay, request).then(() => positionText(replay));
    answerInReplay(
      replies,
      exchange,
      replay,
      moved.then((text) => ({ text, version: null })),
    );
  },
});

const getTimeline = readRoute({
  operationId: 'getTimeline',
  path: '/api/replay/timeline',
  tag: 'replay',
  summary: 'Returns how much happened when, and the largest battles.',
  description:
    'A process beside the server reads the whole history for it, from its beginning. Until `indexedShare` is 1 the rest is ' +
    `missing. ${ABOUT}`,
  access: 'spectator',
  cost: 5,
  replies: [{ status: 200, description: 'The timeline.', schema: Timeline }],
  errors: ['forbidden'],
  handle({ replay, replies, world }: ReplayPorts, exchange) {
    const text = replay.state().then((state) => JSON.stringify(timelineBody(world, state, replay.timeline.latest)));
    answerText(replies, exchange, replay, text);
  },
});

export const REPLAY_ROUTES: readonly HandledRoute<ReplayPorts>[] = [getReplay, moveReplay, getTimeline];

async function move(
  games: ReplayPorts['games'],
  replay: ReplayedWorld,
  request: Static<typeof ReplayRequest>,
): Promise<void> {
  if ('game' in request) await games.openGame(request.game, request.atSeq);
  else if ('seq' in request) await replay.move({ seq: request.seq });
  else if ('to' in request) await replay.move({ atMs: Date.parse(request.to) });
  else if ('step' in request) await replay.step(request.step, request.direction ?? 1);
  else if (request.isPlaying) replay.play(request.speed);
  else replay.pause(request.speed);
}

async function positionText(replay: ReplayedWorld): Promise<string> {
  return JSON.stringify(replayPositionBody(await replay.state(), replay.timeline.latest));
}

/** Answers a read with a text, once it is made. */
function answerText(replies: Replies, exchange: Exchange, replay: ReplayedWorld, made: Promise<string>): void {
  answerInReplay(
    replies,
    exchange,
    replay,
    made.then((text) => ({ text, version: contentVersion(text) })),
  );
}

/** Nothing makes a movement faster. */
const UNHURRIED: Waiting = { hurry() {}, over() {} };

/** A text that had to be waited for. The version is for its entity tag; null for none. */
interface MadeText {
  readonly text: string;
  readonly version: string | null;
}

/** Answers with a text once it is made. What is pipelined behind the request meanwhile closes its connection, on both servers. */
function answerInReplay(replies: Replies, exchange: Exchange, replay: ReplayedWorld, made: Promise<MadeText>): void {
  exchange.hold(UNHURRIED);
  made.then(
    ({ text, version }) => {
      if (exchange.isDone) return;
      exchange.worldTime = isoText(replay.sequencer.readNow());
      const tag = version === null ? '' : replies.tagOf(version);
      if (!replies.answersWithoutBody(exchange, 0, tag)) replies.answer(exchange, 0, text);
    },
    (error: unknown) => {
      if (error instanceof OutsideHistory) refuse(exchange, error, 'is outside');
      else if (error instanceof NoSuchGame) refuse(exchange, error, 'names no game', '/game');
      else replies.answerBug(exchange, error);
    },
  );
}

/** @param fault what is wrong with the value at the path */
function refuse(exchange: Exchange, { message }: Error, fault: string, path = ''): void {
  const detail = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  sendProblem(exchange, 'invalid_request', { detail, errors: [{ path, message: `${fault}: ${message}` }] });
}

const ABOUT_TOURNAMENT =
  'A server that was not started with `galaxyd replay` and the folder of a tournament answers 403.';

interface TournamentPorts extends GamePorts {
  readonly tournament: ReplayedTournament;
}

const getTournament = readRoute({
  operationId: 'getTournament',
  path: '/api/tournament',
  tag: 'replay',
  summary: 'Returns the result of a tournament: standings, settings and games.',
  description:
    'While the tournament runs, the games that are over are in it, and its key secret is null. POST /api/replay with `game` shows the ' +
    `world of one of them. ${ABOUT_TOURNAMENT}`,
  access: 'spectator',
  cost: 5,
  replies: [{ status: 200, description: 'The result.', schema: Tournament }],
  errors: ['forbidden'],
  handle({ replies, tournament }: TournamentPorts, exchange) {
    answerInReplay(replies, exchange, tournament.replay, tournament.result());
  },
});

const getTournamentTrace = readRoute({
  operationId: 'getTournamentTrace',
  path: '/api/tournament/trace',
  tag: 'replay',
  summary: 'Returns what an entrant did in a game: its requests with their answers, and what it printed.',
  description: `Durations differ from run to run, so nothing is computed from a trace. ${ABOUT_TOURNAMENT}`,
  access: 'spectator',
  cost: 5,
  query: [
    {
      name: 'game',
      description: 'Number of a game that is over; 1 by default.',
      example: 1,
      minimum: 1,
      maximum: TOURNAMENT_GAMES_MAX,
    },
    {
      name: 'entrant',
      description: 'Its label.',
      example: 'greedy',
      form: { pattern: new RegExp(`^[\\s\\S]{1,${NAME_LENGTH_MAX}}$`), words: 'the label of an entrant' },
    },
    {
      name: 'offset',
      description: `How many of the first lines are left out; 0 by default. A reply has ${TRACE_LINES_PER_REPLY_MAX} lines at most.`,
      example: 0,
      minimum: 0,
      maximum: TRACE_BYTES_MAX,
    },
    {
      name: 'only',
      description: '`refused` leaves out, and does not count, what was accepted.',
      example: 'refused',
      form: { pattern: /^refused$/, words: 'refused, or left out' },
    },
  ],
  replies: [{ status: 200, description: 'The trace.', schema: TournamentTrace }],
  errors: ['forbidden'],
  handle({ replies, tournament }: TournamentPorts, exchange) {
    const [game = null, label = null, offset = null, only = null] = exchange.queryValues;
    const trace = tournament.trace(Number(game ?? 1), label ?? '', Number(offset ?? 0), only === 'refused');
    answerText(
      replies,
      exchange,
      tournament.replay,
      trace.then((body) => JSON.stringify(body)),
    );
  },
});

export const TOURNAMENT_ROUTES: readonly HandledRoute<TournamentPorts>[] = [getTournament, getTournamentTrace];
