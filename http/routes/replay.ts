// The routes of a replay, which shows the past of a world. All who look at it share its position.
import type { Static } from 'typebox';
import { OutsideHistory, type ReplayedWorld } from '../../persistence/history/replayed-world.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Game } from '../game/game.js';
import { type Route, readRoute, writeRoute } from '../pipeline/route.js';
import { ReplayPosition, ReplayRequest, Timeline } from '../schemas/replay.js';
import { contentVersion } from '../views/content-version.js';
import { isoText } from '../views/iso-time.js';
import { replayPositionBody, timelineBody } from '../views/replay-view.js';
import { operator } from './actors.js';

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
  handle: (game, exchange) => answerOf(game, exchange, (replay) => positionText(replay)),
});

const moveReplay = writeRoute({
  operationId: 'moveReplay',
  path: '/api/replay',
  tag: 'replay',
  summary: 'Moves a replay to a seq, an instant, the next event or battle, or lets it play.',
  description:
    `The reply comes once the position is reached. All who look at the replay share its position. If that is not one that the ` +
    'present world leads to, streams and WebSockets end as at a restart of the server. The past that is kept begins with `first` ' +
    `and ends with \`last\`; what lies outside is refused. ${ABOUT}`,
  access: 'spectator',
  isCommand: false,
  actor: operator,
  body: { schema: ReplayRequest },
  replies: [{ status: 200, description: 'The position that was reached.', schema: ReplayPosition }],
  errors: ['forbidden'],
  handle(game, exchange, request) {
    const moved = async (replay: ReplayedWorld): Promise<string> => {
      await move(replay, request);
      return positionText(replay);
    };
    answerOf(game, exchange, moved, false);
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
  handle(game, exchange) {
    answerOf(game, exchange, async (replay) =>
      JSON.stringify(timelineBody(game.world, await replay.state(), replay.timeline.latest)),
    );
  },
});

export const REPLAY_ROUTES: readonly Route[] = [getReplay, moveReplay, getTimeline];

async function move(replay: ReplayedWorld, request: Static<typeof ReplayRequest>): Promise<void> {
  if ('seq' in request) await replay.move({ seq: request.seq });
  else if ('to' in request) await replay.move({ atMs: Date.parse(request.to) });
  else if ('step' in request) await replay.step(request.step, request.direction ?? 1);
  else if (request.isPlaying) replay.play(request.speed);
  else replay.pause(request.speed);
}

async function positionText(replay: ReplayedWorld): Promise<string> {
  return JSON.stringify(replayPositionBody(await replay.state(), replay.timeline.latest));
}

/** Answers with a text that has to be waited for. */
function answerOf(
  game: Game,
  exchange: Exchange,
  makeText: (replay: ReplayedWorld) => Promise<string>,
  isRead = true,
): void {
  const { replay, replies, services } = game;
  const send = (text: string): void => {
    const tag = isRead ? replies.tagOf(contentVersion(text)) : '';
    if (!replies.answersWithoutBody(exchange, 0, tag)) replies.answer(exchange, 0, text);
  };
  if (replay === null) {
    replies.refuse(exchange, 'forbidden', { detail: 'This world is not a replay.' });
    return;
  }
  makeText(replay).then(
    (text) => {
      if (exchange.isDone) return;
      exchange.worldTime = isoText(replay.sequencer.readNow());
      send(text);
    },
    (error: unknown) => {
      if (error instanceof OutsideHistory) refuseOutside(exchange, error);
      else {
        services.onBug(error, exchange.requestId);
        sendProblem(exchange, 'internal_error');
      }
    },
  );
}

function refuseOutside(exchange: Exchange, { message }: OutsideHistory): void {
  sendProblem(exchange, 'invalid_request', { errors: [{ path: '', message: `is outside: ${message}` }] });
}
