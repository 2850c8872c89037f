// Routes for planners: what can be started, what it costs and gains, the situation in a page of text, and plans, which a planet carries
// out by itself.

import { hasStarterLeft } from '../../engine/planets/planets.js';
import { fieldsNear } from '../../engine/queries/fields-near.js';
import { LEADERBOARD_ENTRIES_MAX } from '../../engine/rules/limits.js';
import { parsePlanetId, parsePlayerId } from '../../engine/terms/ids.js';
import { Type } from '../../persistence/typebox.js';
import { contentVersion, listsStrongTag, strongTag } from '../exchange/entity-tags.js';
import type { GamePorts } from '../game/game-ports.js';
import { BRIEF_LENGTH_MAX, FIELDS_NEAR_MAX } from '../limits.js';
import { commandRoute, type HandledRoute, readRoute } from '../pipeline/route.js';
import { StocksAfter } from '../schemas/minimal.js';
import { Fields, type FieldsBody, KnownPlanets, Plan, PlanetOptions } from '../schemas/planning.js';
import { PutPlanRequest } from '../schemas/requests.js';
import { briefText, briefVersionOfOthers } from '../views/brief-view.js';
import {
  answerBodies,
  fieldBody,
  freePlanetBodies,
  knownPlanetsBody,
  noPlanBody,
  optionsBody,
  packedPlan,
  planBody,
} from '../views/plan-view.js';
import { versionOf } from '../views/planet-view.js';
import { PLANET_PARAMETER, PLAYER_PARAMETER, planetOwnerOfPath, playerNumberOf, stocksReply } from './route-parts.js';

const getOptions = readRoute({
  operationId: 'getOptions',
  path: '/api/game/options/:planetId',
  tag: 'planning',
  summary:
    'Returns what can be started on a planet: upgrades, constructions, ships and research, and the free second planet.',
  description:
    'Each option has its cost, duration and gain, when it is affordable, what else is in the way, and the request ' +
    'that starts it. Ships are listed one at a time, if the planet has a shipyard. What has reached its highest ' +
    'level is not listed. Research is the same for all planets of a player; so is `second_starter`, which is listed ' +
    'first until the player has as many starter planets as the rules give. `answers` has what others wait for. A planet that nobody owns has no options.',
  access: 'player',
  cost: 3,
  parameters: [PLANET_PARAMETER],
  replies: [{ status: 200, description: 'The options.', schema: PlanetOptions }],
  errors: ['not_owner', 'planet_not_found'],
  handle({ world, time, access, replies, views }, exchange) {
    const key = parsePlanetId(world.universe, exchange.parameters[0] as string);
    const planet = access.ownPlanet(exchange, key);
    if (planet === null) return;
    if (planet === undefined) {
      const seq = world.planets.removedSeq;
      if (replies.answersWithoutBody(exchange, seq, replies.tagOf('no-owner'))) return;
      replies.answer(
        exchange,
        seq,
        JSON.stringify({ planetId: exchange.parameters[0], nextTimerAt: null, options: [] }),
      );
      return;
    }
    const { owner } = planet;
    const hasStarter = hasStarterLeft(world, owner);
    const freePlanets = freePlanetBodies(world, planet);
    const answers = answerBodies(world, planet, time.nowMs);
    // Research is in the way on all planets of the player. Whether a starter planet is free, or any other, and what can be answered, depends on
    // all players; what can be taken also depends on the stocks of now.
    const seq = hasStarter || freePlanets !== null || answers !== null ? time.lastSeq : owner.changedSeq;
    const isFull = hasStarter && world.starters.nextKey() < 0;
    const ofOthers = [
      ...(isFull ? ['full'] : []),
      ...[freePlanets, answers].filter((part) => part !== null).map((part) => contentVersion(JSON.stringify(part))),
    ];
    const tag =
      ofOthers.length === 0
        ? views.states.tag(owner)
        : replies.tagOf([...ofOthers, versionOf(owner.changedSeq)].join('-'));
    if (replies.answersWithoutBody(exchange, seq, tag)) return;
    replies.answer(exchange, seq, JSON.stringify(optionsBody(world, planet, freePlanets, answers, time.nowMs)));
  },
});

const getKnownPlanets = readRoute({
  operationId: 'getKnownPlanets',
  path: '/api/game/richness/:playerId',
  tag: 'planning',
  summary: 'Returns the planets whose richness a player knows, with their owners.',
  description:
    'All planets of the systems in which it has a planet, those in reach of its sensors, as for flights in sight, and those of its reports ' +
    'of scouts, as long as they are kept. No other player sees that. The richness of a planet never changes.',
  access: 'player',
  cost: 3,
  parameters: [PLAYER_PARAMETER],
  replies: [{ status: 200, description: 'The planets.', schema: KnownPlanets }],
  errors: ['not_owner', 'player_not_found'],
  handle({ world, time, access, replies }, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player === null) return;
    replies.answerContent(exchange, time.lastSeq, JSON.stringify(knownPlanetsBody(world, player)));
  },
});

const getFields = readRoute({
  operationId: 'getFields',
  path: '/api/game/fields/:planetId',
  tag: 'planning',
  summary: 'Returns what lies in space near a planet, for the mission `harvest`: asteroids, and wrecks of battles.',
  description:
    `The nearest first, at most ${FIELDS_NEAR_MAX}, in the galaxy of the planet. The first fleet to arrive takes as much as its ships can hold. ` +
    'There is nothing if the rules of the world have no fields.',
  access: 'public',
  cost: 3,
  parameters: [PLANET_PARAMETER],
  query: [
    {
      name: 'limit',
      description: 'How many of the nearest are returned; all by default.',
      example: 5,
      minimum: 1,
      maximum: FIELDS_NEAR_MAX,
    },
  ],
  replies: [{ status: 200, description: 'The fields.', schema: Fields }],
  errors: ['planet_not_found'],
  handle({ world, time, replies }, exchange) {
    const id = exchange.parameters[0] as string;
    const key = parsePlanetId(world.universe, id);
    if (key < 0) {
      replies.refuse(exchange, 'planet_not_found');
      return;
    }
    const [limit = null] = exchange.queryValues;
    const countMax = limit === null ? FIELDS_NEAR_MAX : Number(limit);
    const body: FieldsBody = {
      planetId: id,
      fields: fieldsNear(world, key, countMax).map((near) => fieldBody(world, near)),
    };
    replies.answerContent(exchange, time.lastSeq, JSON.stringify(body));
  },
});

const BRIEF_TYPE = 'text/markdown; charset=utf-8';

const getBrief = readRoute({
  operationId: 'getBrief',
  path: '/api/brief/player/:playerId',
  tag: 'planning',
  summary: 'Returns the whole situation of a player as short Markdown, for a language model.',
  description:
    `At most ${BRIEF_LENGTH_MAX} characters; what does not fit is counted. Names that other players chose are quoted ` +
    'and marked. Not available in a batch.',
  access: 'player',
  cost: 5,
  parameters: [PLAYER_PARAMETER],
  replies: [{ status: 200, description: 'The situation.', schema: Type.String(), contentType: BRIEF_TYPE }],
  errors: ['not_owner', 'player_not_found'],
  isHeavy: true,
  handle({ access, replies, time, world }, exchange) {
    const player = access.ownPlayer(exchange, parsePlayerId(world, exchange.parameters[0] as string));
    if (player === null) return;
    const rank = world.leaderboard.first(LEADERBOARD_ENTRIES_MAX).indexOf(player.number) + 1;
    const others = briefVersionOfOthers(world, player, rank, time.nowMs);
    const tag = replies.tagOf(`${versionOf(player.changedSeq)}-${others}`);
    if (replies.answersWithoutBody(exchange, time.lastSeq, tag)) return;
    exchange.replyType = BRIEF_TYPE;
    replies.answer(exchange, time.lastSeq, briefText(world, player, rank, time.nowMs));
  },
});

export const PLANNING_ROUTES: readonly HandledRoute<GamePorts>[] = [getOptions, getKnownPlanets, getFields, getBrief];

const getPlan = readRoute({
  operationId: 'getPlan',
  path: '/api/plan/planet/:planetId',
  tag: 'planning',
  summary: 'Returns what the plan of a planet still has to do, and what each of its lanes waits for.',
  description:
    'A planet without a plan has one without steps; so has every planet if the rules of the world have no plans, or nobody owns it.',
  access: 'player',
  parameters: [PLANET_PARAMETER],
  replies: [{ status: 200, description: 'The plan.', schema: Plan }],
  errors: ['not_owner', 'planet_not_found'],
  handle({ world, time, access, replies }, exchange) {
    const id = exchange.parameters[0] as string;
    const planet = access.ownPlanet(exchange, parsePlanetId(world.universe, id));
    if (planet === null) return;
    // What the research lane waits for is the same on all planets of the player.
    const seq = planet?.owner.changedSeq ?? world.planets.removedSeq;
    const body = planet === undefined ? noPlanBody(id) : planBody(world, planet, time.nowMs);
    if (!replies.answersWithoutBody(exchange, seq, strongTag(body.version)))
      replies.answer(exchange, seq, JSON.stringify(body));
  },
});

const putPlan = commandRoute({
  operationId: 'putPlan',
  method: 'PUT',
  path: '/api/plan/planet/:planetId',
  tag: 'planning',
  summary: 'Gives a planet a plan in place of the one that it has.',
  description:
    'The steps are in four lanes: buildings, ships, research, and launches of fleets. Each lane starts its steps in order, each as soon as what it needs ' +
    'is idle and the stocks cover it; the lanes share the stocks, in this order. A launch waits for its ships, too. What can start at once has started ' +
    'in the reply. A step is blocked if it cannot start before something else happens; then `onBlocked` decides, and ' +
    '`longerThanSeconds` whether it is also blocked if the stocks cover it only after a longer time. ' +
    'An empty list removes the plan. What is in progress goes on. With `If-Match` the plan is replaced only if nothing about it has ' +
    'changed since it was read; a repeated request gets its first reply whatever has changed since.',
  access: 'player',
  parameters: [PLANET_PARAMETER],
  actor: planetOwnerOfPath,
  body: { schema: PutPlanRequest },
  replies: [{ status: 200, description: 'The plan, without what has started.', schema: Plan }],
  errors: [
    'player_not_found',
    'planet_not_found',
    'not_owner',
    'limit_reached',
    'plans_not_in_rules',
    'precondition_failed',
  ],
  command({ world, time, access, replies, rules }, exchange, { playerId, onBlocked, longerThanSeconds, steps }) {
    const isSkipping = onBlocked === 'skip';
    if (longerThanSeconds !== undefined && !isSkipping) {
      const errors = [{ path: '/longerThanSeconds', message: 'is possible only with onBlocked skip' }];
      replies.refuse(exchange, 'invalid_request', { errors });
      return null;
    }
    const planetKey = parsePlanetId(world.universe, exchange.parameters[0] as string);
    if (!access.authorizes(exchange, { actorNumber: playerNumberOf(world, playerId), planetKey })) return null;
    const planet = world.planets.get(planetKey);
    if (exchange.ifMatch !== '' && planet !== undefined) {
      const { version } = planBody(world, planet, time.nowMs);
      if (!listsStrongTag(exchange.ifMatch, strongTag(version))) {
        replies.refuse(exchange, 'precondition_failed');
        return null;
      }
    }
    const longerThanMs = longerThanSeconds === undefined ? null : longerThanSeconds * 1000;
    const packed = packedPlan(world, rules, steps);
    if (packed === null) {
      replies.refuse(exchange, 'planet_not_found', { detail: 'There is no planet with the id of a target.' });
      return null;
    }
    return { type: 'put_plan', planetKey, isSkipping, longerThanMs, ...packed };
  },
  reply: ({ world, time }, planet) => JSON.stringify(planBody(world, planet, time.nowMs)),
  minimal: { schema: StocksAfter, reply: (ports, planet) => stocksReply(ports, planet) },
});

export const PLAN_ROUTES: readonly HandledRoute<GamePorts>[] = [getPlan, putPlan];
