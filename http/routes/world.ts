// What the world reports about itself: rules, errors, reports and status.

import { announcementAt, nextTimerOfWorld } from '../../engine/queries/players.js';
import { REPORTS_PER_PLAYER_MAX } from '../../engine/rules/limits.js';
import { parsePlayerId, parseReportId } from '../../engine/terms/ids.js';
import { refuse } from '../../engine/terms/rejections.js';
import type { Replica } from '../../persistence/replication/replica-view.js';
import { Type } from '../../persistence/typebox.js';
import type { SnapshotKeeper } from '../../persistence/upkeep/snapshot-keeper.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import { contentVersion } from '../exchange/entity-tags.js';
import { isoText, isoTextOrNull } from '../exchange/iso-time.js';
import { PROBLEMS, problemType } from '../exchange/problems.js';
import type { GamePorts } from '../game/game-ports.js';
import type { LimitsPage } from '../pages/limits-page.js';
import { type HandledRoute, readRoute } from '../pipeline/route.js';
import { Report } from '../schemas/player.js';
import { Shocks } from '../schemas/shocks.js';
import { Catalog, ErrorTable, Limits, Status, type StatusBody } from '../schemas/world.js';
import { javascriptServerHint } from '../server/native/native-library.js';
import type { TransportKind } from '../server/transport.js';
import { BUILD } from '../version.js';
import { reportBodies } from '../views/player-view.js';
import { announcementBody, replicaBody, replicaVersion, snapshotBody } from '../views/process-view.js';
import { shocksBody } from '../views/shock-view.js';
import { PLAYER_PARAMETER } from './route-parts.js';
import type { DocumentPorts } from './service.js';

/** How this process serves the world, as GET /api/status shows it. */
export interface ProcessStatus
  extends Pick<
    StatusBody,
    'clock' | 'durability' | 'registration' | 'development' | 'rateLimits' | 'origin' | 'isReplay'
  > {
  readonly sequencer: Pick<ServedSequencer, 'lastSeq' | 'durableSeq'>;
  readonly snapshots: Pick<SnapshotKeeper, 'report'>;
  /** Null if no other process can serve the world. */
  readonly replica: Replica | null;
  readonly transport: TransportKind;
  readonly startedAtMs: number;
}

interface StatusPorts extends GamePorts {
  readonly status: ProcessStatus;
}

const getCatalog = readRoute({
  operationId: 'getCatalog',
  path: '/api/catalog',
  tag: 'world',
  summary: 'Returns the rules as data: costs, times, outputs, ships, drives and constants.',
  description: 'Formulas that depend on a level are given as tables by level.',
  access: 'public',
  cost: 5,
  replies: [
    {
      status: 200,
      description: 'The catalogue. It changes only if the operator switches the rules or changes the speed.',
      schema: Catalog,
    },
  ],
  handle({ documents, replies }: DocumentPorts, exchange) {
    const { present } = documents;
    if (!replies.answersWithoutBody(exchange, present.sinceSeq, replies.tagOf(`catalog-${present.version}`)))
      replies.answer(exchange, present.sinceSeq, present.catalogText);
  },
});

const getErrors = readRoute({
  operationId: 'getErrors',
  path: '/api/errors',
  tag: 'world',
  worldUse: 'none',
  summary: 'Returns every error code with its status and meaning.',
  description: 'Codes never change their meaning. Programs should decide by `code`, not by `title` or `detail`.',
  access: 'public',
  cost: 2,
  replies: [{ status: 200, description: 'The table of errors.', schema: ErrorTable }],
  handle({ replies }, exchange) {
    if (!replies.answersWithoutBody(exchange, 0, replies.tagOf('errors'))) replies.answer(exchange, 0, ERRORS_TEXT);
  },
});

const ERRORS_TEXT = Buffer.from(
  JSON.stringify({
    errors: [...PROBLEMS].map(([code, { status, title, remedy }]) => {
      return { code, status, type: problemType(code), title, remedy };
    }),
  }),
);

const getStatus = readRoute({
  operationId: 'getStatus',
  path: '/api/status',
  tag: 'world',
  worldUse: 'report',
  summary: 'Returns version, settings, time and size of the world.',
  description:
    'This is the only read that does not wait for the disk. It may include changes that are not durable yet: ' +
    'see seq and durableSeq. A process that is not sure whether it still leads the world answers it, too: see replica.',
  access: 'public',
  replies: [{ status: 200, description: 'The status.', schema: Status }],
  handle(ports: StatusPorts, exchange) {
    const { replies, status, time, world } = ports;
    const isAnnouncing = announcementAt(world, time.nowMs) !== null;
    if (!replies.answersWithoutBody(exchange, 0, replies.tagOf(statusVersion(status, isAnnouncing))))
      replies.answer(exchange, 0, JSON.stringify(statusBody(ports)));
  },
});

const getReports = readRoute({
  operationId: 'getReports',
  path: '/api/report/player/:playerId',
  tag: 'world',
  summary: 'Returns combat and espionage reports of a player, the newest first.',
  description: 'Only the newest reports are kept; see REPORTS_PER_PLAYER_MAX in the catalogue.',
  access: 'player',
  parameters: [PLAYER_PARAMETER],
  query: [
    {
      name: 'since',
      description: 'Id of a report: only newer ones are returned.',
      example: 'report-7',
      form: { pattern: /^report-\d{1,15}$/, words: 'the id of a report, such as report-7' },
    },
    {
      name: 'limit',
      description: 'How many of the newest are returned; all by default.',
      example: 10,
      minimum: 1,
      maximum: REPORTS_PER_PLAYER_MAX,
    },
  ],
  replies: [{ status: 200, description: 'The reports.', schema: Type.Array(Report) }],
  errors: ['not_owner', 'player_not_found'],
  handle({ world, access, replies, rules }, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player === null) return;
    // Reports change only with the rules, which say how rich a planet is, and the oldest is dropped only for a newer one.
    const tag = replies.tagOf(`reports-${rules.identity.digest}-${player.newestReport?.number ?? 0}`);
    if (replies.answersWithoutBody(exchange, player.changedSeq, tag)) return;
    const [since = null, limit = null] = exchange.queryValues;
    const range = {
      afterNumber: since === null ? 0 : parseReportId(since),
      limit: limit === null ? REPORTS_PER_PLAYER_MAX : Number(limit),
    };
    replies.answer(exchange, player.changedSeq, JSON.stringify(reportBodies(world, player, range)));
  },
});

const getShocks = readRoute({
  operationId: 'getShocks',
  path: '/api/game/shocks',
  tag: 'world',
  summary: 'Returns the shocks that are announced or have begun, and when the next ones are announced.',
  description: 'At each announcement a shock is drawn for every galaxy that has planets with owners.',
  access: 'public',
  replies: [{ status: 200, description: 'The shocks.', schema: Shocks }],
  errors: ['shocks_not_in_rules'],
  handle({ world, replies, time }, exchange) {
    if (world.rules.shocks === null) replies.refuseAs(exchange, refuse('shocks_not_in_rules'));
    else replies.answerContent(exchange, time.lastSeq, JSON.stringify(shocksBody(world)));
  },
});

type WorldPorts = DocumentPorts & StatusPorts;

export const WORLD_ROUTES: readonly HandledRoute<WorldPorts>[] = [
  getCatalog,
  getErrors,
  getStatus,
  getReports,
  getShocks,
];

/** Differs whenever the status differs by more than its two clocks. */
function statusVersion({ replica, sequencer, snapshots }: ProcessStatus, isAnnouncing: boolean): string {
  const { newest, history } = snapshots.report;
  const version = `${sequencer.lastSeq}-${isAnnouncing ? 'a' : ''}${sequencer.durableSeq}-${newest?.seq ?? 0}-${history?.coveredFromSeq ?? 0}`;
  return replica === null ? version : `${version}-${contentVersion(Buffer.from(replicaVersion(replica)))}`;
}

function statusBody({ access, rules, status, time, world }: StatusPorts): StatusBody {
  const { settings } = world;
  const { sequencer, snapshots } = status;
  return {
    name: 'galaxyd',
    version: BUILD,
    isReplay: status.isReplay,
    rulesVersion: settings.rulesVersion,
    rules: rules.identity,
    speed: settings.speedThousandths / 1000,
    systemsPerGalaxy: settings.systemsPerGalaxy,
    clock: status.clock,
    worldTime: isoText(time.nowMs),
    pausedAt: isoTextOrNull(world.pausedAtMs),
    announcement: announcementBody(announcementAt(world, time.nowMs)),
    startedAt: isoText(settings.startMs),
    nextTimerAt: isoTextOrNull(nextTimerOfWorld(world)),
    players: world.playerCount,
    planets: world.planets.size,
    fleets: world.fleets.size,
    seq: sequencer.lastSeq,
    durableSeq: sequencer.durableSeq,
    durability: status.durability,
    snapshot: snapshotBody(snapshots.report.newest),
    history: snapshots.report.history,
    origin: status.origin,
    replica: replicaBody(status.replica),
    auth: access.hasKeys ? 'key' : 'none',
    registration: status.registration,
    development: status.development,
    rateLimits: status.rateLimits,
    http: status.transport,
    ...(status.transport === 'native' ? {} : { hint: javascriptServerHint() }),
    node: process.version,
    uptimeSeconds: Math.floor((Date.now() - status.startedAtMs) / 1000),
  };
}

interface LimitPorts extends GamePorts {
  readonly limits: Pick<LimitsPage, 'of'>;
}

const getLimits = readRoute({
  operationId: 'getLimits',
  path: '/api/limits',
  tag: 'world',
  worldUse: 'none',
  summary: 'Returns the limits of this server, the cost of each operation and what the caller has left.',
  description: 'It takes nothing from the rate limit, so it is answered even if nothing is left.',
  access: 'public',
  cost: 0,
  replies: [{ status: 200, description: 'The limits.', schema: Limits }],
  handle({ limits, replies }: LimitPorts, exchange) {
    const { version, text } = limits.of(exchange);
    if (!replies.answersWithoutBody(exchange, 0, replies.tagOf(`limits-${version}`))) replies.answer(exchange, 0, text);
  },
});

export const LIMIT_ROUTES: readonly HandledRoute<LimitPorts>[] = [getLimits];
