// Games of turns: the entrants wait for their turns and end them, the operator begins a game and follows it (decision 24).

import { WORLD_TIME_MS_MAX } from '../../engine/rules/limits.js';
import { parsePlayerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { Exchange } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import { type ShapeError, sendProblem } from '../exchange/problems.js';
import type { GamePorts } from '../game/game-ports.js';
import {
  EVENT_WAIT_SECONDS_MAX,
  WAKES_BY_OTHERS_APART_MS,
  WAKES_OF_SENDER_APART_MS,
  WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT,
} from '../limits.js';
import { type HandledRoute, type ParameterRule, readRoute, writeRoute } from '../pipeline/route.js';
import {
  type BeginTurnsBody,
  BeginTurnsRequest,
  type EndTurnBody,
  EndTurnRequest,
  Turn,
  type TurnBody,
  Turns as TurnsSchema,
  WithdrawRequest,
} from '../schemas/turns.js';
import type { EntrantBudget, Wish } from '../turns/turn-game.js';
import type { TurnReaders } from '../turns/turn-readers.js';
import { idleTurnBody, turnBody, turnState, turnsBody } from '../turns/turn-view.js';
import { OPERATOR, type Turns } from '../turns/turns.js';
import { NOBODY_SCOPE, operator } from './route-parts.js';

interface TurnPorts extends GamePorts {
  readonly turns: Turns;
  readonly turnReaders: TurnReaders;
}

const ABOUT = 'A server that was not started with `--clock turns` answers 403.';

const wait = (description: string): ParameterRule => ({
  name: 'wait',
  description: `${description} 0 by default. Not in a batch or a call.`,
  example: 0,
  minimum: 0,
  maximum: EVENT_WAIT_SECONDS_MAX,
});

const getTurn = readRoute({
  operationId: 'getTurn',
  path: '/api/turn',
  tag: 'turns',
  summary: "Returns whether it is the caller's turn, and waits for it.",
  description:
    'Entrants act one after another. While a player has its turn, world time stands still; outside of it, its commands are refused with ' +
    `409 not_your_turn. Reads are always possible. The reply comes at once if it is the caller's turn or the game is over. ${ABOUT}`,
  access: 'player',
  query: [wait('Seconds that the reply may wait for a turn.')],
  replies: [{ status: 200, description: 'The turn.', schema: Turn }],
  errors: ['forbidden'],
  handle(ports: TurnPorts, exchange) {
    const { replies, time, turns, turnReaders } = ports;
    const waitMs = waitOf(exchange);
    if (waitMs === null || !isEntrant(ports, exchange)) return;
    const waits = stateOf(turns, exchange.callerNumber) === 'waiting';
    const answer = (): void => {
      // A game may have begun without the caller while it waited.
      if (!isEntrant(ports, exchange)) return;
      const tag = replies.tagOf(`turn-${turns.version}-${exchange.callerNumber}`);
      if (replies.answersWithoutBody(exchange, time.lastSeq, tag)) return;
      answerTurn(ports, exchange);
    };
    turnReaders.poll(turns, exchange, exchange.callerNumber, waitMs, waits, answer);
  },
});

const endTurn = writeRoute({
  operationId: 'endTurn',
  path: '/api/turn/end',
  tag: 'turns',
  summary: "Ends the caller's turn, and says when the next one begins.",
  description:
    'Time moves on once everybody who is awake has ended the turn. The next turn begins at `wakeAt`, or at the first event of a type in ' +
    '`wakeOn` after this turn, whichever is earlier; without a body at any event, or a day later. If the caller has no turn left that ' +
    'day, it begins with the next day. Turns by events that other players cause have a budget of their own: at most one in ' +
    `${WAKES_BY_OTHERS_APART_MS / 60_000} minutes of world time, and one by each of them in ${WAKES_OF_SENDER_APART_MS / 3_600_000} hours; an earlier event waits until then. ${ABOUT}`,
  access: 'player',
  isCommand: false,
  actor: () => NOBODY_SCOPE,
  body: { schema: EndTurnRequest, isOptional: true },
  replies: [{ status: 200, description: 'The turn has ended.', schema: Turn }],
  errors: ['forbidden', 'not_your_turn'],
  handle(ports: TurnPorts, exchange, body) {
    const { time, turns } = ports;
    if (!isEntrant(ports, exchange)) return;
    const wish = wishOf(body, time.nowMs);
    if (typeof wish === 'string') refuseField(exchange, '/wakeAt', wish);
    else if (turns.end(exchange.callerNumber, wish)) answerTurn(ports, exchange);
    else sendProblem(exchange, 'not_your_turn');
  },
});

const getTurns = readRoute({
  operationId: 'getTurns',
  path: '/api/admin/turns',
  tag: 'turns',
  summary: 'Returns the state of a game of turns, and waits for its end.',
  description: `It shows the last game that has begun since the server was started. ${ABOUT}`,
  access: 'admin',
  query: [wait('Seconds that the reply may wait for the end of the game.')],
  replies: [{ status: 200, description: 'The game.', schema: TurnsSchema }],
  errors: ['forbidden'],
  handle(ports: TurnPorts, exchange) {
    const { replies, time, turns, turnReaders } = ports;
    const waitMs = waitOf(exchange);
    if (waitMs === null) return;
    const answer = (): void => {
      const tag = replies.tagOf(`turns-${turns.version}`);
      if (replies.answersWithoutBody(exchange, time.lastSeq, tag)) return;
      answerTurns(ports, exchange);
    };
    turnReaders.poll(turns, exchange, OPERATOR, waitMs, turns.isRunning, answer);
  },
});

const beginTurns = writeRoute({
  operationId: 'beginTurns',
  path: '/api/admin/turns',
  tag: 'turns',
  summary: 'Begins a game of turns, in which all entrants are awake now.',
  description:
    'From now on the game moves the clock, from one instant to the next at which an entrant wants to act, until it is over. Entrants who ' +
    'are awake at the same instant act one after another, in an order that follows from `orderSeed` and the number of the turn. ' +
    'Budgets are for days of the game, which are counted from now. While it runs, nobody can register, and players cannot change their ' +
    `keys. The game is not part of the world: a restart of the server forgets it. ${ABOUT}`,
  access: 'admin',
  isCommand: false,
  actor: operator,
  body: { schema: BeginTurnsRequest },
  replies: [{ status: 201, description: 'The game has begun.', schema: TurnsSchema }],
  errors: ['forbidden', 'player_not_found', 'turns_running'],
  handle(ports: TurnPorts, exchange, body) {
    const { replies, time, turns, world } = ports;
    const entrants = body.entrants.map((entrant) => budgetOf(world, entrant, body));
    const untilMs = Date.parse(body.until);
    const fault = faultOf(entrants, untilMs, time.nowMs);
    if (fault !== null) sendProblem(exchange, 'invalid_request', { errors: [fault] });
    else if (entrants.some(({ playerNumber }) => !world.players.has(playerNumber)))
      replies.refuse(exchange, 'player_not_found');
    else if (turns.isRunning) sendProblem(exchange, 'turns_running');
    else {
      const { orderSeed, wakeupsByOthersPerDay = WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT, wallSecondsPerTurn } = body;
      const wallMsPerTurn = wallSecondsPerTurn * 1_000;
      turns.begin({ entrants, untilMs, orderSeed, wakeupsByOthersPerDay, wallMsPerTurn });
      answerTurns(ports, exchange, 201);
    }
  },
});

const withdrawEntrant = writeRoute({
  operationId: 'withdrawEntrant',
  path: '/api/admin/turns/withdraw',
  tag: 'turns',
  summary: 'Gives an entrant of a game of turns no further turn.',
  description:
    'If it has its turn, the turn ends; a turn without a command is not counted then. Otherwise this takes effect where the next turn of ' +
    'the entrant would begin, so that the game does not depend on when it is noticed that an entrant is gone; until then the entrant ' +
    `is shown as not withdrawn. ${ABOUT}`,
  access: 'admin',
  isCommand: false,
  actor: operator,
  body: { schema: WithdrawRequest },
  replies: [{ status: 200, description: 'The entrant gets no further turn.', schema: TurnsSchema }],
  errors: ['forbidden', 'player_not_found'],
  handle(ports: TurnPorts, exchange, { playerId }) {
    const { replies, turns, world } = ports;
    if (turns.withdraw(parsePlayerId(world, playerId))) answerTurns(ports, exchange);
    else replies.refuse(exchange, 'player_not_found', { detail: 'There is no such player in the game.' });
  },
});

export const TURN_ROUTES: readonly HandledRoute<TurnPorts>[] = [
  getTurn,
  endTurn,
  beginTurns,
  getTurns,
  withdrawEntrant,
];

/** @returns milliseconds; null if the request may not wait: it is answered then */
function waitOf(exchange: Exchange): number | null {
  const [seconds = null] = exchange.queryValues;
  const waitMs = Number(seconds ?? 0) * 1_000;
  if (waitMs === 0 || exchange.mayWait) return waitMs;
  sendProblem(exchange, 'invalid_request', { errors: [{ path: 'wait', message: 'must be 0 in a batch or a call' }] });
  return null;
}

/** Before the first game anybody may become an entrant. @returns false if the exchange is answered */
function isEntrant({ replies, turns: { game } }: TurnPorts, exchange: Exchange): boolean {
  if (game === null || game.entrant(exchange.callerNumber) !== undefined) return true;
  replies.refuse(exchange, 'forbidden', { detail: 'The caller is not an entrant of the game.' });
  return false;
}

function stateOf({ game }: Turns, playerNumber: number): TurnBody['state'] {
  const entrant = game?.entrant(playerNumber);
  return game === null || entrant === undefined ? 'waiting' : turnState(game, entrant);
}

function answerTurn({ replies, time, turns, world }: TurnPorts, exchange: Exchange): void {
  const entrant = turns.game?.entrant(exchange.callerNumber);
  const body =
    turns.game === null || entrant === undefined
      ? idleTurnBody(time.nowMs)
      : turnBody(world, turns, turns.game, entrant, time.nowMs);
  replies.answerLatest(exchange, JSON.stringify(body));
}

function answerTurns({ replies, time, turns, world }: TurnPorts, exchange: Exchange, status = 200): void {
  replies.answerLatest(exchange, JSON.stringify(turnsBody(world, turns, time.nowMs)), status);
}

/** @returns the wish, null if there is none, or what is wrong with wakeAt */
function wishOf({ wakeAt, wakeOn }: EndTurnBody, nowMs: number): Wish | string | null {
  if (wakeAt === undefined && wakeOn === undefined) return null;
  const atMs = typeof wakeAt === 'string' ? Date.parse(wakeAt) : null;
  if (Number.isNaN(atMs)) return 'must be a valid date and time';
  if (atMs !== null && atMs <= nowMs) return `must be later than the present world time ${isoText(nowMs)}`;
  return { atMs, on: new Set(wakeOn) };
}

function budgetOf(
  world: ReadonlyWorld,
  entrant: BeginTurnsBody['entrants'][number],
  game: BeginTurnsBody,
): EntrantBudget {
  const { playerId, commandsPerDay = game.commandsPerDay, wakeupsPerDay = game.wakeupsPerDay } = entrant;
  return { playerNumber: parsePlayerId(world, playerId), commandsPerDay, wakeupsPerDay };
}

function faultOf(entrants: readonly EntrantBudget[], untilMs: number, nowMs: number): ShapeError | null {
  const numbers = entrants.map(({ playerNumber }) => playerNumber);
  const twice = numbers.findIndex((number, index) => numbers.indexOf(number) < index);
  if (twice >= 0) return { path: `/entrants/${twice}/playerId`, message: 'names a player who is an entrant already' };
  if (Number.isNaN(untilMs)) return { path: '/until', message: 'must be a valid date and time' };
  if (untilMs > nowMs && untilMs <= WORLD_TIME_MS_MAX) return null;
  const message = `must be later than the present world time ${isoText(nowMs)}, and at most ${isoText(WORLD_TIME_MS_MAX)}`;
  return { path: '/until', message };
}

function refuseField(exchange: Exchange, path: string, message: string): void {
  sendProblem(exchange, 'invalid_request', { errors: [{ path, message }] });
}
