// What the world reports about itself: rules, errors, ranking, reports and status.

import { rankPlayers } from '../../engine/queries/players.js';
import { LEADERBOARD_ENTRIES_MAX, REPORTS_PER_PLAYER_MAX } from '../../engine/rules/limits.js';
import { parsePlayerId, parseReportId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import { NO_SNAPSHOTS } from '../../persistence/upkeep/snapshot-keeper.js';
import { PROBLEMS, problemType } from '../exchange/problems.js';
import type { Game } from '../game/game.js';
import { JAVASCRIPT_SERVER_HINT } from '../hints.js';
import { type Route, readRoute } from '../pipeline/route.js';
import { Report } from '../schemas/player.js';
import { Catalog, ErrorTable, Leaderboard, Status, type StatusBody } from '../schemas/world.js';
import { VERSION } from '../version.js';
import { contentVersion } from '../views/content-version.js';
import { isoText, isoTextOrNull } from '../views/iso-time.js';
import { leaderboardBody } from '../views/player-view.js';
import { replicaBody, replicaVersion } from '../views/replica-view.js';
import { reportBodies } from '../views/report-view.js';
import { snapshotBody } from '../views/snapshot-view.js';
import { PLAYER_PARAMETER } from './parameters.js';

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
      description: 'The catalogue. It changes only if the operator switches the rules.',
      schema: Catalog,
    },
  ],
  handle(game, exchange) {
    const { rules } = game;
    const tag = game.replies.tagOf(`catalog-${rules.identity.digest}`);
    if (!game.replies.answersWithoutBody(exchange, rules.sinceSeq, tag))
      game.replies.answer(exchange, rules.sinceSeq, rules.catalogText);
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
  handle(game, exchange) {
    if (!game.replies.answersWithoutBody(exchange, 0, game.replies.tagOf('errors')))
      game.replies.answer(exchange, 0, ERRORS_TEXT);
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
  handle(game, exchange) {
    if (!game.replies.answersWithoutBody(exchange, 0, game.replies.tagOf(statusVersion(game))))
      game.replies.answer(exchange, 0, JSON.stringify(statusBody(game)));
  },
});

const getLeaderboard = readRoute({
  operationId: 'getLeaderboard',
  path: '/api/leaderboard',
  tag: 'world',
  summary: `Returns the first ${LEADERBOARD_ENTRIES_MAX} players by points.`,
  description: 'Points are the units of resources in buildings and ships. Players with equal points rank by age.',
  access: 'public',
  cost: 10,
  replies: [{ status: 200, description: 'The ranking.', schema: Leaderboard }],
  handle(game, exchange) {
    const { leaderboard, playerCount } = game.world;
    const tag = game.replies.tagOf(`${leaderboard.version}-${playerCount}`);
    if (game.replies.answersWithoutBody(exchange, game.sequencer.lastSeq, tag)) return;
    const ranked = rankPlayers(game.world, LEADERBOARD_ENTRIES_MAX);
    game.replies.answerLatest(exchange, JSON.stringify(leaderboardBody(game.world, ranked)));
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
      pattern: /^report-\d{1,15}$/,
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
  handle(game, exchange) {
    const player = game.access.ownPlayer(exchange, parsePlayerId(game.world, exchange.parameters[0] as string));
    if (player === null) return;
    // Reports never change, and the oldest is dropped only for a newer one.
    const tag = game.replies.tagOf(`reports-${player.reports.at(-1)?.number ?? 0}`);
    if (game.replies.answersWithoutBody(exchange, player.changedSeq, tag)) return;
    const [since = null, limit = null] = exchange.queryValues;
    const range = {
      afterNumber: since === null ? 0 : parseReportId(since),
      limit: limit === null ? REPORTS_PER_PLAYER_MAX : Number(limit),
    };
    game.replies.answer(exchange, player.changedSeq, JSON.stringify(reportBodies(game.world, player, range)));
  },
});

export const WORLD_ROUTES: readonly Route[] = [getCatalog, getErrors, getStatus, getLeaderboard, getReports];

/** Differs whenever the status differs by more than its two clocks. */
function statusVersion({ gate, sequencer, snapshots }: Game): string {
  const { newest, history } = snapshots?.report ?? NO_SNAPSHOTS;
  const version = `${sequencer.lastSeq}-${sequencer.durableSeq}-${newest?.seq ?? 0}-${history?.coveredFromSeq ?? 0}`;
  return gate === null ? version : `${version}-${contentVersion(Buffer.from(replicaVersion(gate.replica)))}`;
}

function statusBody(game: Game): StatusBody {
  const { world, sequencer, settings } = game;
  return {
    name: 'galaxyd',
    version: VERSION,
    isReplay: game.replay !== null,
    rulesVersion: world.settings.rulesVersion,
    rules: game.rules.identity,
    seed: world.settings.seed,
    speed: world.settings.speedThousandths / 1000,
    systemsPerGalaxy: world.settings.systemsPerGalaxy,
    clock: settings.clock,
    worldTime: isoText(game.nowMs),
    startedAt: isoText(world.settings.startMs),
    nextTimerAt: isoTextOrNull(game.nextTimerMs),
    players: world.playerCount,
    planets: world.planets.size,
    fleets: world.fleets.size,
    seq: sequencer.lastSeq,
    durableSeq: sequencer.durableSeq,
    durability: settings.durability,
    snapshot: snapshotBody(game.snapshots?.report.newest ?? null),
    history: game.snapshots?.report.history ?? null,
    origin: game.origin,
    replica: replicaBody(game.gate?.replica ?? null),
    auth: game.access.hasKeys ? 'key' : 'none',
    registration: settings.registration,
    development: settings.development,
    rateLimits: settings.admission.rateLimits,
    http: settings.transport,
    ...(settings.transport === 'native' ? {} : { hint: JAVASCRIPT_SERVER_HINT }),
    node: process.version,
    uptimeSeconds: Math.floor((Date.now() - game.startedAtMs) / 1000),
  };
}
