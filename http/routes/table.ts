// The table of all routes. A route that is not in it does not exist in the server, the documents or the tests.
import type { Route } from '../pipeline/route.js';
import { ADMINISTRATION_ROUTES, SNAPSHOT_ROUTES } from './administration.js';
import { BATCH_ROUTES } from './batch.js';
import { BUILDING_ROUTES, RESEARCH_ROUTES, SHIPYARD_ROUTES } from './building.js';
import { DIPLOMACY_ROUTES } from './diplomacy.js';
import { EVENT_ROUTES } from './events.js';
import { FLEET_ROUTES } from './fleet.js';
import { KEY_ROUTES } from './keys.js';
import { MARKET_ROUTES } from './market.js';
import { MODERATION_ROUTES } from './moderation.js';
import { OPERATOR_RECORD_ROUTES } from './operator-records.js';
import { PACT_ROUTES } from './pacts.js';
import { PLAN_ROUTES, PLANNING_ROUTES } from './planning.js';
import { PLAYER_LIST_ROUTES } from './player-list.js';
import { PLAYER_AND_PLANET_ROUTES } from './players-and-planets.js';
import { RANKING_ROUTES } from './rankings.js';
import { REPLAY_ROUTES, TOURNAMENT_ROUTES } from './replay.js';
import { RETIREMENT_ROUTES } from './retirement.js';
import { DOCUMENT_ROUTES, METRICS_ROUTES, SERVICE_ROUTES } from './service.js';
import { SPECTATOR_ROUTES } from './spectators.js';
import { TURN_ROUTES } from './turns.js';
import { WATCHING_ROUTES } from './watching.js';
import { LIMIT_ROUTES, WORLD_ROUTES } from './world.js';

export const ROUTES: readonly Route[] = [
  ...PLAYER_AND_PLANET_ROUTES,
  ...FLEET_ROUTES,
  ...MARKET_ROUTES,
  ...BUILDING_ROUTES,
  ...SHIPYARD_ROUTES,
  ...RESEARCH_ROUTES,
  ...PLANNING_ROUTES,
  ...PLAN_ROUTES,
  ...DIPLOMACY_ROUTES,
  ...PACT_ROUTES,
  ...EVENT_ROUTES,
  ...BATCH_ROUTES,
  ...WORLD_ROUTES,
  ...RANKING_ROUTES,
  ...SPECTATOR_ROUTES,
  ...LIMIT_ROUTES,
  ...DOCUMENT_ROUTES,
  ...SERVICE_ROUTES,
  ...METRICS_ROUTES,
  ...WATCHING_ROUTES,
  ...REPLAY_ROUTES,
  ...TOURNAMENT_ROUTES,
  ...TURN_ROUTES,
  ...ADMINISTRATION_ROUTES,
  ...PLAYER_LIST_ROUTES,
  ...SNAPSHOT_ROUTES,
  ...KEY_ROUTES,
  ...RETIREMENT_ROUTES,
  ...MODERATION_ROUTES,
  ...OPERATOR_RECORD_ROUTES,
];
