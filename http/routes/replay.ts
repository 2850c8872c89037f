// The routes of a replay, which shows the past of a world. All who look at it share its position.
import type { Static } from 'typebox';
import { OutsideHistory, type ReplayedWorld } from '../../persistence/history/replayed-world.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Game } from '../game/game.js';
import { type Route, readRoute, writeRoute } from '../pipeline/route.js';
import { NoSuchGame } from '../replay/replayed-tournament.js';
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
  handle(game, exchange, request) {
    const moved = async (replay: ReplayedWorld): Promise<string> => {
      await move(game, replay, request);
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

async function move(game: Game, replay: ReplayedWorld, request: Static<typeof ReplayRequest>): Promise<void> {
  if ('game' in request) await openGame(game, request.game, request.atSeq);
  else if ('seq' in request) await replay.move({ seq: request.seq });
  else if ('to' in request) await replay.move({ atMs: Date.parse(request.to) });
  else if ('step' in request) await replay.step(request.step, request.direction ?? 1);
  else if (request.isPlaying) replay.play(request.speed);
  else replay.pause(request.speed);
}

async function openGame({ tournament }: Game, number: number, atSeq: number | undefined): Promise<void> {
  if (tournament === null) throw new NoSuchGame('this server shows no tournament');
  await tournament.openGame(number, atSeq);
}

async function positionText(replay: ReplayedWorld): Promise<string> {
  return JSON.stringify(replayPositionBody(await replay.state(), replay.timeline.latest));
}

/** Answers with a text of the replay, if there is one. */
function answerOf(
  game: Game,
  exchange: Exchange,
  makeText: (replay: ReplayedWorld) => Promise<string>,
  isRead = true,
): void {
  const { replay } = game;
  if (replay === null) {
    game.replies.refuse(exchange, 'forbidden', { detail: 'This world is not a replay.' });
    return;
  }
  const make = async (): Promise<MadeText> => {
    const text = await makeText(replay);
    return { text, version: isRead ? contentVersion(text) : null };
  };
  answerInReplay(game, exchange, replay, make());
}

/** A text that had to be waited for. The version is for its entity tag; null for none. */
export interface MadeText {
  readonly text: string;
  readonly version: string | null;
}

/** Answers with a text once it is made. */
export function answerInReplay(
  { replies, services }: Game,
  exchange: Exchange,
  replay: ReplayedWorld,
  made: Promise<MadeText>,
): void {
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
      else {
        services.onBug(error, exchange.requestId);
        sendProblem(exchange, 'internal_error');
      }
    },
  );
}

/** @param fault what is wrong with the value at the path */
function refuse(exchange: Exchange, { message }: Error, fault: string, path = ''): void {
  const detail = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  sendProblem(exchange, 'invalid_request', { detail, errors: [{ path, message: `${fault}: ${message}` }] });
}
