// The plan of a planet as plain objects, and the steps of a request as the engine has them.

import { type PlannedLane, planOf } from '../../engine/queries/plan.js';
import type { Rules } from '../../engine/rules/rules.js';
import { planetId } from '../../engine/terms/ids.js';
import type { PackedStep, PlanStep } from '../../engine/terms/plan-step.js';
import { LANES, packStep } from '../../engine/terms/plan-step.js';
import { REFUSALS, type Refusal } from '../../engine/terms/rejections.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../../engine/world/state.js';
import type { WorldRules } from '../checks/world-rules.js';
import { isoText, isoTextOrNull } from '../exchange/iso-time.js';
import type { PlanBody, PlanLaneBody, PlanStepBody } from '../schemas/planning.js';

/** @param nowMs world time in milliseconds */
export function planBody(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): PlanBody {
  const { isSkipping, steps, lanes } = planOf(world, planet, nowMs);
  return {
    planetId: planetId(world.universe, planet.key),
    onBlocked: isSkipping ? 'skip' : 'wait',
    steps: steps.map((step) => stepBody(world.rules, step)),
    lanes: lanes.map((lane) => laneBody(lane, nowMs)),
  };
}

/** The plan of a planet that has none, because nobody owns it. */
export function noPlanBody(planetId: string): PlanBody {
  const lanes = LANES.map((lane) => ({ lane, stepsLeft: 0, state: 'empty' as const, startsAt: null }));
  return { planetId, onBlocked: 'wait', steps: [], lanes };
}

/** A step with the names of the rules. */
export function stepBody({ buildings, ships, research }: Rules, step: PlanStep): PlanStepBody {
  switch (step.action) {
    case 'build_ships':
      return { action: step.action, shipType: nameOf(ships, step.shipType), count: step.count };
    case 'research':
      return { action: step.action, researchType: nameOf(research, step.researchType) };
    default:
      return { action: step.action, buildingType: nameOf(buildings, step.buildingType) };
  }
}

/** A step as the command has it. */
export function packedStep(rules: WorldRules, step: PlanStepBody): PackedStep {
  switch (step.action) {
    case 'build_ships':
      return packStep({ action: step.action, shipType: rules.shipNumber(step.shipType), count: step.count });
    case 'research':
      return packStep({ action: step.action, researchType: rules.researchNumber(step.researchType) });
    default:
      return packStep({ action: step.action, buildingType: rules.buildingNumber(step.buildingType) });
  }
}

/** A step that can start has started before anybody can look, so `ready` shows only while other rules take over. */
export function laneBody({ lane, stepsLeft, state, nextMs, refusal }: PlannedLane, nowMs: number): PlanLaneBody {
  const isReady = state === 'ready';
  return {
    lane,
    stepsLeft,
    state: isReady ? 'waiting' : state,
    startsAt: isoTextOrNull(isReady ? nowMs : nextMs),
    ...(refusal === null ? {} : { reason: { ...reasonBody(refusal), ...scarcest(refusal) } }),
  };
}

/** Why something cannot start. */
export function reasonBody({ code, facts }: Refusal) {
  const { reason = REFUSALS[code].title, inProgress } = facts;
  return { code, detail: reason, ...(inProgress === undefined ? {} : { until: isoText(inProgress.finishAtMs) }) };
}

/** It stays the same until the planet changes, unlike the units that are missing, so a reply that is kept stays correct. */
function scarcest({ facts: { scarcest: resource } }: Refusal) {
  return resource === undefined ? {} : { resource };
}

function nameOf(list: readonly { readonly type: string }[], position: number): string {
  const rule = list[position];
  if (rule === undefined) throw new Error(`a plan has a step of type ${position}, which the rules do not have`);
  return rule.type;
}
