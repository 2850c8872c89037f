// What a row of the route table is made of. Routing, checks, the OpenAPI document, docs/api.md and tests derive from it.
import type { Static, TSchema } from 'typebox';
import { WORLD_SCOPE } from '../../engine/world/kept-replies.js';
import { EVENT_STREAM_TYPE, type Exchange } from '../exchange/exchange.js';
import { PROBLEMS, type ProblemCode } from '../exchange/problems.js';
import type { Game } from '../game/game.js';
import { isWrite, type Method } from '../methods.js';
import type { WorldUse } from '../replica/standing.js';
import { isTakenInTurn } from '../turns/in-turn.js';

/**
 * Who may ask. `public`: anybody. `player`: with --auth key, a player by its key. `spectator`: with --auth key, any player, the holder of
 * the spectator key and the operator. `observer`: the same without players. `development`: with --auth key, only the operator; with
 * --development off the path does not exist. `admin`: the operator; without an admin key the path does not exist.
 */
export type Audience = 'public' | 'player' | 'spectator' | 'observer' | 'development' | 'admin';

export type Tag =
  | 'game'
  | 'fleet'
  | 'building'
  | 'shipyard'
  | 'research'
  | 'planning'
  | 'events'
  | 'batch'
  | 'world'
  | 'service'
  | 'replay'
  | 'turns'
  | 'administration';

export interface ParameterRule {
  readonly name: string;
  readonly description: string;
  /** Of a query parameter. Those of path parameters are recorded, like the examples of bodies and replies. */
  readonly example?: string | number;
  /** Both bounds make it an integer; without, it is an identifier. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Of an identifier that is refused if it has another form; by default one that names nothing is not found. */
  readonly pattern?: RegExp;
}

export interface BodyRule<S extends TSchema = TSchema> {
  readonly schema: S;
  /** Longest body in bytes; BODY_BYTES_MAX by default. */
  readonly bytesMax?: number;
  /** True if the documents say that the body may be left out. No body means the same as `{}` on every path. */
  readonly isOptional?: boolean;
}

export interface ReplyRule {
  readonly status: number;
  readonly description: string;
  readonly schema: TSchema;
  /** JSON by default. */
  readonly contentType?: string;
}

export interface Route {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly access: Audience;
  /** In the order of the path. */
  readonly parameters: readonly ParameterRule[];
  /** Query parameters, all optional. Others are ignored: caches and proxies add theirs. */
  readonly query: readonly ParameterRule[];
  readonly body: BodyRule | null;
  readonly replies: readonly ReplyRule[];
  /** Errors of its own; see errorsOf() for all of them. */
  readonly errors: readonly ProblemCode[];
  /** Tokens that a request takes from the rate limit of its client; see RATE_PER_SECOND. Of a batch, its operations. */
  readonly cost: number;
  /** True if it costs more than a moment, so that it waits for a turn (work-queue.ts). */
  readonly isHeavy: boolean;
  /** True if it may change the world: it is refused while the disk is nearly full. */
  readonly isCommand: boolean;
  /** Whether a body makes it a command although isCommand is false. */
  hasCommands(game: Game, body: unknown): boolean;
  /**
   * What it needs of the world if it is no command; `state` by default. A process that does not know whether it leads answers no
   * `state`.
   */
  readonly worldUse: Exclude<WorldUse, 'command'>;
  /** True if, with --auth key, the reply can hold an API key, which must not be stored as it is. */
  readonly isReplySecret: boolean;
  /** True if `Prefer: return=minimal` shortens the reply. */
  readonly takesPreference: boolean;
  /**
   * Whose Idempotency-Key a request brings, if its access does not say it: the number of the player it acts for, or
   * WORLD_SCOPE. A player that does not exist has no kept replies.
   */
  actor(game: Game, exchange: Exchange, body: unknown): number;
  /** Answers through the game, at once or later. The shape is checked, and who asks is known. */
  handle(game: Game, exchange: Exchange, body: unknown): void;
}

type Defaults =
  | 'hasCommands'
  | 'worldUse'
  | 'parameters'
  | 'query'
  | 'takesPreference'
  | 'errors'
  | 'isReplySecret'
  | 'isHeavy'
  | 'cost';
type Fixed = 'method' | 'body' | 'isCommand' | 'actor';

type ReadDefinition = Omit<Route, Defaults | Fixed> & Partial<Pick<Route, Exclude<Defaults, 'isReplySecret'>>>;

/** A GET; HEAD comes with it. Its reply carries an entity tag, unless it is a stream. */
export function readRoute(definition: ReadDefinition): Route {
  return ofOneShape({
    ...DEFAULTS,
    ...definition,
    method: 'GET',
    body: null,
    isCommand: false,
    actor: () => WORLD_SCOPE,
  });
}

type WriteDefinition<S extends TSchema> = Omit<Route, Defaults | Fixed | 'handle'> &
  Partial<Pick<Route, Exclude<Defaults, 'hasCommands'> | 'isCommand'>> & {
    hasCommands?(game: Game, body: Static<S>): boolean;
    readonly body: BodyRule<S>;
    /** POST by default. */
    readonly method?: 'PUT';
    actor(game: Game, exchange: Exchange, body: Static<S>): number;
    handle(game: Game, exchange: Exchange, body: Static<S>): void;
  };

/** A POST, or a PUT, whose handler gets a body of the shape of its schema. */
export function writeRoute<S extends TSchema>(definition: WriteDefinition<S>): Route {
  return ofOneShape({ ...DEFAULTS, isCommand: true, method: 'POST', ...definition });
}

/** The same row with its fields in one order for all rows: V8 reads fields of objects of one shape without a lookup. */
function ofOneShape(row: Route): Route {
  return {
    operationId: row.operationId,
    method: row.method,
    path: row.path,
    tag: row.tag,
    summary: row.summary,
    description: row.description,
    access: row.access,
    parameters: row.parameters,
    query: row.query,
    body: row.body,
    replies: row.replies,
    errors: row.errors,
    cost: row.cost,
    isHeavy: row.isHeavy,
    isCommand: row.isCommand,
    hasCommands: row.hasCommands,
    worldUse: row.worldUse,
    isReplySecret: row.isReplySecret,
    takesPreference: row.takesPreference,
    actor: row.actor,
    handle: row.handle,
  };
}

const DEFAULTS: Pick<Route, Defaults> = {
  hasCommands: () => false,
  worldUse: 'state',
  parameters: [],
  query: [],
  errors: [],
  takesPreference: false,
  isReplySecret: false,
  isHeavy: false,
  cost: 1,
};

/** Whether it can be an operation of a batch, which holds the replies of its parts as JSON, and waits for none of them. */
export function isBatchable({ access, tag, replies }: Route): boolean {
  return (
    access !== 'admin' &&
    tag !== 'batch' &&
    tag !== 'replay' &&
    replies.every(({ contentType }) => contentType === undefined)
  );
}

/** Whether its reply is a stream of events, which has no entity tag. */
export function isStream({ replies }: Route): boolean {
  return replies.some(({ contentType }) => contentType === EVENT_STREAM_TYPE);
}

/** Whether it is refused where the past of a world is shown. The operations of a batch are refused one by one. */
export function isRefusedInReplay({ isCommand, tag }: Route): boolean {
  return isCommand && tag !== 'batch';
}

/** Every error an operation can answer with, in the order of the table of problems. */
export function errorsOf(route: Route): ProblemCode[] {
  const codes = new Set<ProblemCode>(['invalid_request', 'internal_error', ...route.errors]);
  if (route.cost > 0) codes.add('rate_limited');
  if (isWrite(route.method)) for (const code of WRITE_ERRORS) codes.add(code);
  if (route.isCommand) for (const code of COMMAND_ERRORS) codes.add(code);
  if (isRefusedInReplay(route)) codes.add('read_only');
  if (route.isCommand) for (const code of LEADER_ERRORS) codes.add(code);
  if (route.worldUse === 'state') codes.add('no_leader');
  if (route.worldUse !== 'none') codes.add('replica_behind');
  if (isTakenInTurn(route)) for (const code of TURN_ERRORS) codes.add(code);
  for (const code of ACCESS_ERRORS[route.access]) codes.add(code);
  return [...PROBLEMS.keys()].filter((code) => codes.has(code));
}

const WRITE_ERRORS: readonly ProblemCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'overloaded',
  'idempotency_key_in_flight',
  'idempotency_key_reused',
];
const COMMAND_ERRORS: readonly ProblemCode[] = ['storage_unavailable', 'shutting_down'];
/** If several processes serve the world. */
const LEADER_ERRORS: readonly ProblemCode[] = ['not_leader', 'no_leader', 'replica_behind'];
const TURN_ERRORS: readonly ProblemCode[] = ['not_your_turn', 'command_budget_spent'];
const ACCESS_ERRORS: Readonly<Record<Audience, readonly ProblemCode[]>> = {
  public: [],
  player: ['unauthenticated'],
  spectator: ['unauthenticated'],
  observer: ['unauthenticated', 'forbidden'],
  development: ['unauthenticated', 'forbidden', 'route_not_found'],
  admin: ['unauthenticated', 'route_not_found'],
};
