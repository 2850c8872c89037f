// The operator's routes; they do not exist without an admin key. Their changes to the world are in the log like those
// of any command.
import type { Static } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { existingPlayer, refuseTaken } from '../../engine/players/players.js';
import { nextTimerOfWorld } from '../../engine/queries/players.js';
import { WORLD_TIME_MS_MAX } from '../../engine/rules/limits.js';
import { RULE_SET_BYTES_MAX } from '../../engine/rules/record-limits.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import { ruleSetText } from '../../engine/rules/rule-set.js';
import { ruleSetFaults } from '../../engine/rules/soundness.js';
import { parsePlanetId } from '../../engine/terms/ids.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { asError } from '../../persistence/fatal.js';
import { RuleSet } from '../../persistence/rules/rule-set-schema.js';
import type { SnapshotKeeper } from '../../persistence/upkeep/snapshot-keeper.js';
import { derivedApiKey, type NewApiKey, newApiKey } from '../admission/identity.js';
import { nameKey } from '../checks/player-names.js';
import type { Exchange } from '../exchange/exchange.js';
import { isoText, isoTextOrNull } from '../exchange/iso-time.js';
import { sendProblem } from '../exchange/problems.js';
import type { Access } from '../game/access.js';
import type { GamePorts, Restrictions, WorldTime } from '../game/game-ports.js';
import { SHAPE_ERRORS_SHOWN_MAX } from '../limits.js';
import { commandRoute, type HandledRoute, readRoute, writeRoute } from '../pipeline/route.js';
import { StocksAfter } from '../schemas/minimal.js';
import { Planet } from '../schemas/planet.js';
import {
  AdvanceClockRequest,
  BulkPlayersRequest,
  EmptyRequest,
  GrantRequest,
  type NamedPlayers,
  type NumberedPlayers,
  SpeedRequest,
} from '../schemas/requests.js';
import {
  BulkPlayers,
  type BulkPlayersBody,
  ClockPosition,
  type ClockPositionBody,
  RulesIdentity,
  Snapshot,
  StateHash,
  WorldClock,
  type WorldClockBody,
  WorldSpeed,
} from '../schemas/world.js';
import { bulkPlayerBody } from '../views/player-view.js';
import { snapshotBody } from '../views/process-view.js';
import { amountsInOrder } from '../views/ships.js';
import { operator, PLANET_PARAMETER, planetReply, stocksReply } from './route-parts.js';

interface ClockPorts extends GamePorts {
  readonly restrictions: Pick<Restrictions, 'clockFault' | 'pauseFault'>;
}

interface SnapshotPorts extends GamePorts {
  readonly snapshots: Pick<SnapshotKeeper, 'take'>;
}

interface HashPorts extends GamePorts {
  readonly engine: Pick<Engine, 'stateHash'>;
}

const advanceClock = writeRoute({
  operationId: 'advanceClock',
  path: '/api/admin/clock/advance',
  tag: 'administration',
  summary: 'Advances a manual clock: by seconds, to an instant or to the next timer.',
  description:
    'Timers that fall due fire at their own instants, before the reply. A real clock cannot be advanced, nor any while a game of turns ' +
    'runs: 403.',
  access: 'admin',
  actor: operator,
  body: { schema: AdvanceClockRequest },
  replies: [{ status: 200, description: 'The new position of the clock.', schema: ClockPosition }],
  errors: ['forbidden'],
  handle({ commands, replies, restrictions, time, world }: ClockPorts, exchange, request) {
    const beforeMs = time.nowMs;
    const targetMs = advanceTarget(world, time.nowMs, request);
    if (restrictions.clockFault !== null) {
      replies.refuse(exchange, 'forbidden', { detail: restrictions.clockFault });
    } else if (!(targetMs >= beforeMs && targetMs <= WORLD_TIME_MS_MAX)) {
      const message = Number.isNaN(targetMs)
        ? 'must be a valid date and time'
        : `must lead to a time from ${isoText(beforeMs)} to ${isoText(WORLD_TIME_MS_MAX)}, the end of world time`;
      replies.refuse(exchange, 'invalid_request', { errors: [{ path: `/${Object.keys(request)[0]}`, message }] });
    } else if (commands.admits(exchange)) {
      commands.advanceTo(targetMs);
      replies.answerLatest(exchange, JSON.stringify(clockPosition(world, time, beforeMs)));
    }
  },
});

const pauseClock = clockRoute(
  'pause',
  'World time stands: nothing falls due, and nothing is produced. Commands of players get 503 world_paused; reads, streams of events and the ' +
    'operator go on. The clock stands through restarts, until it is resumed. It may be paused already. A clock that is not real cannot be ' +
    'paused: 403.',
);

const resumeClock = clockRoute(
  'resume',
  'World time goes on from where it stands, so nothing is lost and nothing falls due at once. From then on it is behind the clock of the ' +
    'machine, also after restarts. The clock may run already. A clock that is not real cannot be resumed: 403.',
);

function clockRoute(verb: 'pause' | 'resume', description: string): HandledRoute<ClockPorts> {
  const isPause = verb === 'pause';
  return writeRoute({
    operationId: `${verb}Clock`,
    path: `/api/admin/clock/${verb}`,
    tag: 'administration',
    summary: `${isPause ? 'Pauses' : 'Resumes'} the clock of the world.`,
    description,
    access: 'admin',
    actor: operator,
    body: { schema: EmptyRequest, isOptional: true },
    replies: [{ status: 200, description: 'The clock.', schema: WorldClock }],
    errors: ['forbidden'],
    handle({ commands, replies, restrictions, time, world }: ClockPorts, exchange) {
      if (!commands.admits(exchange)) return;
      if (restrictions.pauseFault !== null) {
        replies.refuse(exchange, 'forbidden', { detail: restrictions.pauseFault });
        return;
      }
      const isPaused = world.pausedAtMs !== null;
      if (isPause && !isPaused) commands.pauseClock();
      if (!isPause && isPaused) commands.resumeClock();
      const clock: WorldClockBody = {
        worldTime: isoText(time.nowMs),
        pausedAt: isoTextOrNull(world.pausedAtMs),
        lagMs: world.clockLagMs,
      };
      replies.answerLatest(exchange, JSON.stringify(clock));
    },
  });
}

const setSpeed = commandRoute({
  operationId: 'setSpeed',
  path: '/api/admin/clock/speed',
  tag: 'administration',
  summary: 'Changes the speed of the world.',
  description:
    'What was produced until now stays, and whatever is in progress ends at its planned time. Production, and durations that begin from now ' +
    'on, follow the new speed. All other requests wait while planets are rewritten. `GET /api/catalog` and `GET /api/status` show the speed.',
  access: 'admin',
  actor: operator,
  body: { schema: SpeedRequest },
  replies: [{ status: 200, description: 'The speed.', schema: WorldSpeed }],
  isHeavy: true,
  command: (_ports, _exchange, { speed }) => ({ type: 'set_speed', speedThousandths: Math.round(speed * 1_000) }),
  reply: ({ time }, speedThousandths) =>
    JSON.stringify({ speed: speedThousandths / 1_000, worldTime: isoText(time.nowMs) }),
});

type AdvanceRequest = Static<typeof AdvanceClockRequest>;

/** World time in milliseconds; NaN for a date that does not exist. If no timer is pending, the target is now. */
function advanceTarget(world: ReadonlyWorld, nowMs: number, request: AdvanceRequest): number {
  if ('seconds' in request) return nowMs + request.seconds * 1000;
  if ('to' in request) return Date.parse(request.to);
  return nextTimerOfWorld(world) ?? nowMs;
}

function clockPosition(world: ReadonlyWorld, time: WorldTime, beforeMs: number): ClockPositionBody {
  return {
    worldTime: isoText(time.nowMs),
    advancedMs: time.nowMs - beforeMs,
    nextTimerAt: isoTextOrNull(nextTimerOfWorld(world)),
    seq: time.lastSeq,
  };
}

const createPlayers = writeRoute({
  operationId: 'createPlayers',
  path: '/api/admin/players',
  tag: 'administration',
  summary: 'Creates bots in bulk: with given names, or named prefix-1, prefix-2 and so on.',
  description:
    'Existing bots are listed unchanged, without a key. If the universe is full, bots that find no place are left out. Keys are random ' +
    'unless they are derived from `keySecret`: the same secret and names give the same keys in any world.',
  access: 'admin',
  isReplySecret: true,
  actor: operator,
  body: { schema: BulkPlayersRequest },
  replies: [{ status: 201, description: 'The bots in order.', schema: BulkPlayers }],
  errors: ['name_taken', 'universe_full'],
  handle(ports, exchange, body) {
    if ('names' in body) createNamed(ports, exchange, body);
    else createNumbered(ports, exchange, body);
  },
});

function createNumbered(ports: GamePorts, exchange: Exchange, body: Static<typeof NumberedPlayers>): void {
  const { count, namePrefix, keySecret } = body;
  const names = Array.from({ length: count }, (_, index) => `${namePrefix}-${index + 1}`);
  const apiKeys = apiKeysOf(ports.access, names, keySecret);
  const keyHashes = apiKeys.map(({ hash }) => hash);
  const outcome = ports.commands.submit(exchange, {
    type: 'create_players',
    count,
    namePrefix,
    keyHashes,
    namePrefixKey: nameKey(namePrefix),
  });
  if (outcome === null) return;
  const players = outcome.players.map((player, index) => ({ player, isNew: outcome.created[index] === true }));
  answerPlayers(ports, exchange, players, apiKeys);
}

/** All of them are in one record of the log, as all changes of a request. */
function createNamed(ports: GamePorts, exchange: Exchange, { names, keySecret }: Static<typeof NamedPlayers>): void {
  const { access, commands, replies, world } = ports;
  const keys = names.map(nameKey);
  const twice = keys.findIndex((key, index) => keys.indexOf(key) < index);
  if (twice >= 0) {
    const errors = [{ path: `/names/${twice}`, message: 'is a name that was given before, or looks like one' }];
    sendProblem(exchange, 'invalid_request', { errors });
    return;
  }
  const bots = names.map((name, index) => ({ name, nameKey: keys[index] as string, isBot: true }));
  const taken = bots.map((bot) => refuseTaken(world, bot)).find((refusal) => refusal !== undefined);
  if (taken !== undefined) {
    replies.refuseAs(exchange, taken);
    return;
  }
  if (!commands.admits(exchange)) return;
  const apiKeys = apiKeysOf(access, names, keySecret);
  const players: ListedPlayer[] = [];
  for (const [index, bot] of bots.entries()) {
    const existing = existingPlayer(world, bot);
    const keyHash = apiKeys[index]?.hash ?? null;
    const player = existing ?? commands.attempt({ type: 'create_player', ...bot, keyHash });
    if (isRefusal(player)) break;
    players.push({ player, isNew: existing === undefined });
  }
  if (players.length === 0) replies.refuse(exchange, 'universe_full');
  else answerPlayers(ports, exchange, players, apiKeys);
}

interface ListedPlayer {
  readonly player: ReadonlyPlayer;
  readonly isNew: boolean;
}

/** @returns one key for each name; none if players have no keys */
function apiKeysOf(access: Access, names: readonly string[], keySecret: string | undefined): readonly NewApiKey[] {
  if (!access.givesKeys) return [];
  return names.map((name) => (keySecret === undefined ? newApiKey() : derivedApiKey(keySecret, name)));
}

function answerPlayers(
  { replies, world }: GamePorts,
  exchange: Exchange,
  listed: readonly ListedPlayer[],
  apiKeys: readonly NewApiKey[],
): void {
  const players: BulkPlayersBody['players'] = listed.map(({ player, isNew }, index) =>
    bulkPlayerBody(world, player, isNew, isNew ? apiKeys[index]?.key : undefined),
  );
  replies.answerLatest(exchange, JSON.stringify({ players }), 201);
}

const grantResources = commandRoute({
  operationId: 'grantResources',
  path: '/api/admin/planet/:planetId/grant',
  tag: 'administration',
  summary: 'Adds whole units of resources to a planet that has an owner.',
  description: 'An omitted resource is 0. The grant is in the log, like any change.',
  access: 'admin',
  parameters: [PLANET_PARAMETER],
  actor: operator,
  body: { schema: GrantRequest },
  replies: [{ status: 200, description: 'The planet.', schema: Planet }],
  errors: ['planet_not_found', 'not_owner'],
  command({ world }, exchange, body) {
    const planetKey = parsePlanetId(world.universe, exchange.parameters[0] as string);
    return { type: 'grant_resources', planetKey, amounts: amountsInOrder(body, RESOURCES.length) };
  },
  reply: (ports, planet) => planetReply(ports, planet),
  minimal: { schema: StocksAfter, reply: (ports, planet) => stocksReply(ports, planet) },
});

const takeSnapshot = writeRoute({
  operationId: 'takeSnapshot',
  path: '/api/admin/snapshot',
  tag: 'administration',
  summary: 'Takes a snapshot, and replies once it is on disk and verified.',
  description:
    'The world keeps running meanwhile. If a snapshot is already in progress, the request waits for that one. A ' +
    'world in memory has no snapshots: 403.',
  access: 'admin',
  actor: operator,
  isCommand: false,
  body: { schema: EmptyRequest, isOptional: true },
  replies: [{ status: 201, description: 'The snapshot.', schema: Snapshot }],
  errors: ['forbidden', 'read_only', 'snapshot_failed', 'not_leader', 'storage_unavailable', 'shutting_down'],
  handle({ commands, replies, snapshots }: SnapshotPorts, exchange) {
    if (!commands.admits(exchange)) return;
    snapshots.take().then(
      ({ manifest }) => replies.answer(exchange, manifest.seq, JSON.stringify(snapshotBody(manifest)), 201),
      (error: unknown) => sendProblem(exchange, 'snapshot_failed', { detail: `${asError(error).message}.` }),
    );
  },
});

const getStateHash = readRoute({
  operationId: 'getStateHash',
  path: '/api/admin/state-hash',
  tag: 'administration',
  summary: 'Returns the hash of the whole state, to compare with a replay.',
  description: 'It reads every row of the world; all other requests wait meanwhile.',
  access: 'admin',
  replies: [{ status: 200, description: 'The seq and the hash.', schema: StateHash }],
  handle({ engine, replies, time }: HashPorts, exchange) {
    const hash = engine.stateHash();
    const tag = replies.tagOf(`${time.lastSeq}-${hash}`);
    if (replies.answersWithoutBody(exchange, time.lastSeq, tag)) return;
    replies.answerLatest(exchange, JSON.stringify({ seq: time.lastSeq, hash }));
  },
});

const switchRules = commandRoute({
  operationId: 'switchRules',
  path: '/api/admin/rules',
  tag: 'administration',
  summary: 'Switches the world to another rule set.',
  description:
    'The types of the current rules keep their positions in the lists; new ones are appended. Whatever is in ' +
    'progress ends at its planned time. From now on, costs and outputs are those of the new rules; refunds are what was ' +
    'paid. All other requests wait while planets are rewritten.',
  access: 'admin',
  actor: operator,
  body: { schema: RuleSet, bytesMax: RULE_SET_BYTES_MAX },
  replies: [{ status: 200, description: 'The new rules.', schema: RulesIdentity }],
  errors: ['rules_not_compatible'],
  isHeavy: true,
  command(_, exchange, body) {
    const faults = ruleSetFaults(body);
    if (faults.length === 0) return { type: 'switch_rules', rules: ruleSetText(body) };
    sendProblem(exchange, 'invalid_request', { errors: faults.slice(0, SHAPE_ERRORS_SHOWN_MAX) });
    return null;
  },
  reply: ({ rules }) => JSON.stringify(rules.identity),
});

type AdministrationPorts = ClockPorts & HashPorts;

export const ADMINISTRATION_ROUTES: readonly HandledRoute<AdministrationPorts>[] = [
  advanceClock,
  pauseClock,
  resumeClock,
  setSpeed,
  createPlayers,
  grantResources,
  getStateHash,
  switchRules,
];

/** Routes of a world that is kept on disk. */
export const SNAPSHOT_ROUTES: readonly HandledRoute<SnapshotPorts>[] = [takeSnapshot];
