// What a row of the route table is made of. Routing, checks, the OpenAPI document, docs/api.md and tests derive from it.
import type { Static, TSchema } from 'typebox';
import type { CommandResult, WorldCommand } from '../../engine/commands/table.js';
import { WORLD_SCOPE } from '../../engine/world/kept-replies.js';
import { EVENT_STREAM_TYPE, type Exchange, isWrite, type Method, type WorldUse } from '../exchange/exchange.js';
import { PROBLEMS, type ProblemCode } from '../exchange/problems.js';
import type { Audience } from '../game/access.js';
import type { GamePorts } from '../game/game-ports.js';

/** The groups of operations: chapters of docs/api.md, and tags of the OpenAPI document. */
export const CHAPTERS = {
  game: { title: 'Players, planets and the galaxy', about: 'Creating a player; reading players, planets and systems.' },
  fleet: { title: 'Fleets', about: 'Simulating, launching and recalling fleets.' },
  market: { title: 'Market', about: 'Trading resources: making, taking and withdrawing offers; prices.' },
  building: { title: 'Buildings', about: 'Constructing and upgrading buildings; one of a planet at a time.' },
  shipyard: { title: 'Shipyard', about: 'Ordering ships; one type of a planet at a time.' },
  research: { title: 'Research', about: 'Researching drives; one type of a player at a time.' },
  planning: {
    title: 'Planning',
    about: 'What can be started, what it costs and gains, and the whole situation as text.',
  },
  diplomacy: { title: 'Diplomacy', about: 'What players say to each other, and the pacts that they make.' },
  events: {
    title: 'Events',
    about: 'What has happened to a player, and in public: read with a long poll, or as a stream of server-sent events.',
  },
  batch: { title: 'Batch', about: 'Many operations in one request and one write to disk.' },
  world: { title: 'The world', about: 'Rules, errors, status, ranking and reports.' },
  service: { title: 'Service', about: 'For supervisors, monitoring and generators of clients.' },
  replay: { title: 'Replay', about: 'Moving through the past of a world; only with `galaxyd replay`.' },
  turns: { title: 'Turns', about: 'Games in which players act one after another; only with `--clock turns`.' },
  administration: { title: 'Administration', about: 'For the operator, with the admin key.' },
} as const satisfies Record<string, { readonly title: string; readonly about: string }>;

export type Tag = keyof typeof CHAPTERS;

export interface ParameterRule {
  readonly name: string;
  readonly description: string;
  /** Example of a query parameter. Those of path parameters are recorded, like the examples of bodies and replies. */
  readonly example?: string | number;
  /** Both bounds make it an integer; without, it is an identifier. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Form of an identifier that is refused if it has another one; by default one that names nothing is not found. */
  readonly form?: ParameterForm;
}

/** The form that a parameter has: for programs, and in words that follow `must be`. */
export interface ParameterForm {
  readonly pattern: RegExp;
  readonly words: string;
}

/** @param names letters only */
export function oneOf(...names: readonly string[]): ParameterForm {
  return { pattern: new RegExp(`^(?:${names.join('|')})$`), words: names.join(' or ') };
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

/** What the documents say of an operation, and what decides which of its requests reach its handler. */
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
  /**
   * What it needs of the world if it is not a command; `state` by default. A process that does not know whether it leads answers no
   * `state`.
   */
  readonly worldUse: Exclude<WorldUse, 'command'>;
  /** True if, with --auth key, the reply can hold an API key, which must not be stored as it is. */
  readonly isReplySecret: boolean;
  /** Schema of the reply to a success with `Prefer: return=minimal`; null if the preference is ignored. */
  readonly minimal: TSchema | null;
}

/** A row with what runs it. */
export interface HandledRoute<Ports> extends Route {
  readonly handler: Handler<Ports> | CommandHandler<Ports>;
}

/** What finds the player that a request acts for. */
export type ActorPorts = Pick<GamePorts, 'world' | 'access'>;

interface AnyHandler<Ports> {
  /**
   * Whose Idempotency-Key a request brings, if its access does not say it: the number of the player it acts for, or
   * WORLD_SCOPE. A player that does not exist has no kept replies.
   */
  actor(ports: ActorPorts, exchange: Exchange, body: unknown): number;
  /** Whether a body makes it a command although isCommand is false. */
  hasCommands?(ports: Ports, body: unknown): boolean;
}

export interface Handler<Ports> extends AnyHandler<Ports> {
  /** Answers, at once or later. The shape is checked, and who asks is known. */
  handle(ports: Ports, exchange: Exchange, body: unknown): void;
}

/** The handler of an operation that is one command: it only computes. The pipeline carries out the command and answers. */
export interface CommandHandler<Ports> extends AnyHandler<Ports> {
  /** The command that a request stands for; null if it is refused: the exchange is answered then. */
  command(ports: Ports, exchange: Exchange, body: unknown): WorldCommand | null;
  /** Renders the result; called only if somebody will look at it. */
  reply(ports: Ports, outcome: unknown, body: unknown): string | Uint8Array;
  /** Renders the reply with `Prefer: return=minimal`; null if there is none, since the whole one is hardly longer. */
  readonly minimalReply: ((ports: Ports, outcome: unknown, body: unknown) => Uint8Array) | null;
}

/** A route that a process serves, with what its handler works with. What is bound is not part of it. */
export interface BoundRoute {
  readonly route: Route;
  /** See AnyHandler. */
  readonly actor: (exchange: Exchange, body: unknown) => number;
  readonly hasCommands: (body: unknown) => boolean;
  /** Answers, at once or later. */
  readonly handle: (exchange: Exchange, body: unknown) => void;
}

const DEFAULTS = {
  worldUse: 'state',
  parameters: [],
  query: [],
  errors: [],
  minimal: null,
  isReplySecret: false,
  isHeavy: false,
  cost: 1,
} as const satisfies Partial<Route>;

type Defaulted = keyof typeof DEFAULTS;
type Given = Omit<Route, Defaulted | 'method' | 'body' | 'isCommand'> & Partial<Pick<Route, Defaulted>>;

type ReadDefinition<Ports> = Omit<Given, 'isReplySecret'> & Pick<Handler<Ports>, 'handle'>;

/** A GET; HEAD comes with it. Its reply carries an entity tag, unless it is a stream. */
export function readRoute<Ports = GamePorts>({ handle, ...row }: ReadDefinition<Ports>): HandledRoute<Ports> {
  const handler = { handle, actor: () => WORLD_SCOPE };
  return { ...DEFAULTS, ...row, method: 'GET', body: null, isCommand: false, handler };
}

interface Written<S extends TSchema> {
  readonly body: BodyRule<S>;
  /** POST by default. */
  readonly method?: 'PUT';
  actor(ports: ActorPorts, exchange: Exchange, body: Static<S>): number;
}

type WriteDefinition<S extends TSchema, Ports> = Given &
  Written<S> & {
    /** True by default. */
    readonly isCommand?: boolean;
    hasCommands?(ports: Ports, body: Static<S>): boolean;
    handle(ports: Ports, exchange: Exchange, body: Static<S>): void;
  };

/** A POST, or a PUT, whose handler gets a body of the shape of its schema. */
export function writeRoute<S extends TSchema, Ports = GamePorts>({
  actor,
  hasCommands,
  handle,
  ...row
}: WriteDefinition<S, Ports>): HandledRoute<Ports> {
  const handler: Handler<Ports> = { actor, handle, ...(hasCommands === undefined ? {} : { hasCommands }) };
  return { ...DEFAULTS, isCommand: true, method: 'POST', ...row, handler };
}

type CommandDefinition<S extends TSchema, C extends WorldCommand, Ports> = Omit<Given, 'minimal'> &
  Written<S> & {
    command(ports: Ports, exchange: Exchange, body: Static<S>): C | null;
    reply(ports: Ports, outcome: CommandResult<C>, body: Static<S>): string | Uint8Array;
    /** The reply with `Prefer: return=minimal`: its schema, and what renders it. */
    readonly minimal?: {
      readonly schema: TSchema;
      reply(ports: Ports, outcome: CommandResult<C>, body: Static<S>): Uint8Array;
    };
  };

/** The same for an operation that is one command. */
export function commandRoute<S extends TSchema, C extends WorldCommand, Ports = GamePorts>({
  actor,
  command,
  reply,
  minimal,
  ...row
}: CommandDefinition<S, C, Ports>): HandledRoute<Ports> {
  const handler = { actor, command, reply, minimalReply: minimal?.reply ?? null } as CommandHandler<Ports>;
  return { ...DEFAULTS, isCommand: true, method: 'POST', ...row, minimal: minimal?.schema ?? null, handler };
}

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

/** Whether a game of turns takes it only from the player whose turn it is. */
export function isTakenInTurn({ isCommand, access }: Pick<Route, 'isCommand' | 'access'>): boolean {
  return isCommand && access === 'player';
}

/** Whether a suspended player may not do it. The end of a turn changes nothing of the player, and others wait for it. */
function isOfPlayer({ isCommand, access, tag }: Route): boolean {
  return isCommand && (access === 'player' || access === 'development') && tag !== 'turns';
}

const EVERYWHERE: readonly ProblemCode[] = ['invalid_request', 'internal_error', 'recovering', 'address_blocked'];

/** Every error an operation can answer with, in the order of the table of problems. */
export function errorsOf(route: Route): ProblemCode[] {
  const codes = new Set<ProblemCode>([...EVERYWHERE, ...route.errors]);
  if (route.cost > 0) codes.add('rate_limited');
  if (isWrite(route.method)) for (const code of WRITE_ERRORS) codes.add(code);
  if (route.isCommand) for (const code of COMMAND_ERRORS) codes.add(code);
  if (route.isCommand && route.access !== 'admin') codes.add('world_paused');
  if (isOfPlayer(route)) codes.add('player_suspended');
  if (isRefusedInReplay(route)) codes.add('read_only');
  if (route.isCommand) for (const code of LEADER_ERRORS) codes.add(code);
  if (route.worldUse === 'state') codes.add('no_leader');
  if (route.worldUse !== 'none') codes.add('replica_behind');
  if (isTakenInTurn(route)) for (const code of TURN_ERRORS) codes.add(code);
  for (const code of ACCESS_ERRORS[route.access]) codes.add(code);
  if (isWrite(route.method) && TAKES_ADMIN_KEYS.includes(route.access)) codes.add('admin_key_is_read_only');
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
/** Audiences whose commands an operator gives with its own key. */
const TAKES_ADMIN_KEYS: readonly Audience[] = ['development', 'admin'];
const ACCESS_ERRORS: Readonly<Record<Audience, readonly ProblemCode[]>> = {
  public: [],
  player: ['unauthenticated'],
  spectator: ['unauthenticated'],
  observer: ['unauthenticated', 'forbidden'],
  development: ['unauthenticated', 'forbidden', 'route_not_found'],
  admin: ['unauthenticated', 'route_not_found'],
};
