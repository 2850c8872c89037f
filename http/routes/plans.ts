// Plans: what a planet is to do by itself, one step after the other.

import { parsePlanetId } from '../../engine/ids.js';
import type { GamePorts } from '../game/game-ports.js';
import { commandRoute, type HandledRoute, readRoute } from '../pipeline/route.js';
import { Plan } from '../schemas/planning.js';
import { PutPlanRequest } from '../schemas/requests.js';
import { noPlanBody, packedStep, planBody } from '../views/plan-view.js';
import { planetOwnerOfPath, playerNumberOf } from './actors.js';
import { PLANET_PARAMETER } from './parameters.js';

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
  handle({ world, time, access, replies, views }, exchange) {
    const id = exchange.parameters[0] as string;
    const planet = access.ownPlanet(exchange, parsePlanetId(world.universe, id));
    if (planet === null) return;
    // What the research lane waits for is the same on all planets of the player.
    const seq = planet?.owner.changedSeq ?? world.planets.removedSeq;
    const tag = planet === undefined ? replies.tagOf('no-owner') : views.states.tag(planet.owner);
    if (replies.answersWithoutBody(exchange, seq, tag)) return;
    const body = planet === undefined ? noPlanBody(id) : planBody(world, planet, time.nowMs);
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
    'The steps are in three lanes: buildings, ships and research. Each lane starts its steps in order, each as soon as what it needs ' +
    'is idle and the stocks cover it; the lanes share the stocks, buildings first and then ships. What can start at once has started ' +
    'in the reply. A step is blocked if it cannot start before something else happens; then `onBlocked` decides. ' +
    'An empty list removes the plan. What is in progress goes on.',
  access: 'player',
  parameters: [PLANET_PARAMETER],
  actor: planetOwnerOfPath,
  body: { schema: PutPlanRequest },
  replies: [{ status: 200, description: 'The plan, without what has started.', schema: Plan }],
  errors: ['player_not_found', 'planet_not_found', 'not_owner', 'limit_reached', 'plans_not_in_rules'],
  command({ world, access, rules }, exchange, { playerId, onBlocked, steps }) {
    const planetKey = parsePlanetId(world.universe, exchange.parameters[0] as string);
    if (!access.authorizes(exchange, { actorNumber: playerNumberOf(world, playerId), planetKey })) return null;
    const isSkipping = onBlocked === 'skip';
    return { type: 'put_plan', planetKey, isSkipping, steps: steps.map((step) => packedStep(rules, step)) };
  },
  reply: ({ world, time }, planet) => JSON.stringify(planBody(world, planet, time.nowMs)),
});

export const PLAN_ROUTES: readonly HandledRoute<GamePorts>[] = [getPlan, putPlan];
