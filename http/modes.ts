// The modes of a server: an ordinary world, a world of turns, and a replay. A mode is the set of routes that it has, and what it
// changes of the others. The routes of the other modes exist too, and answer 403.
import type { Engine } from '../engine/engine.js';
import type { ReplayedWorld } from '../persistence/history/replayed-world.js';
import type { ServedSequencer } from '../persistence/writer/sequencer.js';
import type { Exchange } from './exchange/exchange.js';
import { sendProblem } from './exchange/problems.js';
import { type GamePorts, type Restrictions, restrictionsOf } from './game/game-ports.js';
import { NO_REPLIES, type ReplyStore, WorldReplies } from './pipeline/keyed-execution.js';
import { bound, refused } from './pipeline/operation.js';
import { type BoundRoute, type HandledRoute, isRefusedInReplay } from './pipeline/route.js';
import { NO_GAMES, type ReplayedTournament } from './replay/replayed-tournament.js';
import { REPLAY_ROUTES, TOURNAMENT_ROUTES } from './routes/replay.js';
import { TURN_ROUTES } from './routes/turns.js';
import type { Traffic } from './server/traffic.js';
import { inTurn, TurnRestrictions } from './turns/in-turn.js';
import { TurnReaders } from './turns/turn-readers.js';
import type { TraceLines } from './turns/turn-trace.js';
import { type TurnClocks, Turns } from './turns/turns.js';

/** A game of turns. */
export interface TurnsOptions extends TurnClocks {
  /** Where the traces of the entrants go; nothing is traced by default. */
  readonly traces?: TraceLines;
}

/** What decides on the mode. */
export interface ModeParts {
  readonly world: {
    readonly engine: Pick<Engine, 'world' | 'nextDeadlineMs'>;
    readonly sequencer: ServedSequencer;
    readonly clockKind: 'real' | 'manual';
    /** The replay that shows it; none by default. */
    readonly replay?: ReplayedWorld | null;
  };
  /** Whether anybody may create a player, or only the operator. */
  readonly registration: 'open' | 'closed';
  /** Null unless games of turns move the clock, which is a manual one then. */
  readonly turns: TurnsOptions | null;
  /** The tournament whose game the replay shows; null for none. */
  readonly tournament: ReplayedTournament | null;
}

export interface Mode {
  readonly restrictions: Restrictions;
  /** Where replies to requests with an Idempotency-Key are kept. */
  readonly keptReplies: ReplyStore;
  /** The turns of the entrants; null in the other modes. */
  readonly turns: Turns | null;
  /** The routes of the modes: its own, and refusals of those of the others. */
  readonly routes: readonly BoundRoute[];
  /** Changes a route that all modes have. */
  adapt(route: BoundRoute): BoundRoute;
}

export function modeOf(parts: ModeParts, traffic: Traffic, game: GamePorts): Mode {
  const { world, turns } = parts;
  if (world.replay !== undefined && world.replay !== null) return replayMode(parts, world.replay, game);
  return turns === null ? worldMode(parts, game) : turnsMode(parts, turns, traffic, game);
}

/** A world that players change. */
function worldMode({ world, registration }: ModeParts, game: GamePorts): Mode {
  return {
    restrictions: restrictionsOf(world.clockKind, registration),
    keptReplies: new WorldReplies(game.world, world.sequencer),
    turns: null,
    routes: [
      ...forbidden(TURN_ROUTES, game, NO_TURNS),
      ...forbidden(REPLAY_ROUTES, game, NO_REPLAY),
      ...forbidden(TOURNAMENT_ROUTES, game, NO_TOURNAMENT),
    ],
    adapt: (route) => route,
  };
}

/** A world whose clock is moved by games of turns. */
function turnsMode({ world, registration }: ModeParts, clocks: TurnsOptions, traffic: Traffic, game: GamePorts): Mode {
  const { engine, sequencer } = world;
  const turns = new Turns({ engine, sequencer, traffic, ...clocks });
  return {
    restrictions: new TurnRestrictions(turns, restrictionsOf('turns', registration)),
    keptReplies: turns.replies,
    turns,
    routes: [
      ...bound(TURN_ROUTES, { ...game, turns, turnReaders: new TurnReaders(game) }),
      ...forbidden(REPLAY_ROUTES, game, NO_REPLAY),
      ...forbidden(TOURNAMENT_ROUTES, game, NO_TOURNAMENT),
    ],
    adapt: (route) => inTurn(turns, route),
  };
}

/** The past of a world, which takes no commands. With a key, all of its paths below /api need it. */
function replayMode({ world, registration, tournament }: ModeParts, replay: ReplayedWorld, game: GamePorts): Mode {
  const adapt = ({ route, ...rest }: BoundRoute): BoundRoute => ({
    ...rest,
    ...(isRefusedInReplay(route) ? { handle: refuseReadOnly } : {}),
    route: route.access === 'public' && route.path.startsWith('/api/') ? { ...route, access: 'spectator' } : route,
  });
  return {
    restrictions: restrictionsOf(world.clockKind, registration),
    keptReplies: NO_REPLIES,
    turns: null,
    routes: [
      ...forbidden(TURN_ROUTES, game, NO_TURNS),
      ...bound(REPLAY_ROUTES, { ...game, replay, games: tournament ?? NO_GAMES }),
      ...(tournament === null
        ? forbidden(TOURNAMENT_ROUTES, game, NO_TOURNAMENT)
        : bound(TOURNAMENT_ROUTES, { ...game, tournament })),
    ],
    adapt,
  };
}

const NO_TURNS = 'The clock of this world is not that of turns.';
const NO_REPLAY = 'This world is not a replay.';
const NO_TOURNAMENT = 'This server shows no tournament.';

/** Routes of another mode. @param detail why they are refused, in a sentence */
function forbidden<Needed>(
  routes: readonly HandledRoute<Needed>[],
  game: GamePorts,
  detail: string,
): readonly BoundRoute[] {
  return refused(routes, game, (exchange) => game.replies.refuse(exchange, 'forbidden', { detail }));
}

function refuseReadOnly(exchange: Exchange): void {
  sendProblem(exchange, 'read_only');
}
