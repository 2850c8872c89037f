// Plain objects for planners: the plan of a planet, its options, each with the request that starts it, and the steps of a request as the
// engine has them.
import { busyUntil } from '../../engine/plans/standing.js';
import {
  type AnswerableProposal,
  answerableProposals,
  type TakeableOffer,
  takeableOffers,
} from '../../engine/queries/answers.js';
import type { NearField } from '../../engine/queries/fields-near.js';
import { bestFreePlanets, knownPlanets } from '../../engine/queries/known-planets.js';
import { optionsOf, type PlanetOption } from '../../engine/queries/options.js';
import { type PlannedLane, planOf } from '../../engine/queries/plan.js';
import { nextTimerOf } from '../../engine/queries/players.js';
import { CARGO_RESOURCE_COUNT } from '../../engine/rules/resources.js';
import type { Rules } from '../../engine/rules/rules.js';
import { parsePlanetId, planetId, playerId } from '../../engine/terms/ids.js';
import { MISSIONS, type MissionName } from '../../engine/terms/missions.js';
import {
  BUILDINGS_LANE,
  LANES,
  type Lane,
  type PackedStep,
  packOrders,
  packStep,
  RESEARCH_LANE,
  SHIPS_LANE,
  type WholeStep,
} from '../../engine/terms/plan-step.js';
import { REFUSALS, type Refusal } from '../../engine/terms/rejections.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { missionNumber, type WorldRules } from '../checks/world-rules.js';
import { contentVersion } from '../exchange/entity-tags.js';
import { isoText, isoTextOrNull, shownInstantOrNull } from '../exchange/iso-time.js';
import { FREE_PLANETS_SHOWN_MAX, OPTION_OFFERS_MAX, OPTION_OFFERS_READ_MAX } from '../limits.js';
import type {
  AnswerBody,
  FieldBody,
  FreePlanetBody,
  KnownPlanetsBody,
  OptionBody,
  PlanBody,
  PlanetOptionsBody,
  PlanLaneBody,
  PlanStepBody,
} from '../schemas/planning.js';
import { offerBody } from './market-view.js';
import { pactBody } from './pact-view.js';
import { amountsInOrder, cargoAmounts, resourceAmounts, shipCounts } from './ships.js';

/** @param nowMs world time in milliseconds */
export function planBody(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): PlanBody {
  const { isSkipping, longerThanMs, steps, lanes } = planOf(world, planet, nowMs);
  return withVersion({
    planetId: planetId(world.universe, planet.key),
    onBlocked: isSkipping ? 'skip' : 'wait',
    ...(longerThanMs === null ? {} : { longerThanSeconds: longerThanMs / 1000 }),
    steps: steps.map((step) => stepBody(world, step)),
    lanes: lanes.map((lane) => laneBody(lane, nowMs)),
  });
}

/** The plan of a planet that has none, because nobody owns it. */
export function noPlanBody(planetId: string): PlanBody {
  const lanes = LANES.map((lane) => ({ lane, stepsLeft: 0, state: 'empty' as const, startsAt: null }));
  return withVersion({ planetId, onBlocked: 'wait', steps: [], lanes });
}

/** Only its content decides: restarts, replicas and forks show the same version. */
function withVersion(plan: Omit<PlanBody, 'version'>): PlanBody {
  return { ...plan, version: contentVersion(JSON.stringify(plan)) };
}

export function fieldBody({ universe }: ReadonlyWorld, { key, distance, found }: NearField): FieldBody {
  return { planetId: planetId(universe, key), distance, resources: cargoAmounts(found) };
}

/** What the names in a step are looked up in. */
type StepNames = Pick<ReadonlyWorld, 'rules' | 'universe'>;

/** A step with the names of the rules. */
export function stepBody({ rules, universe }: StepNames, step: WholeStep): PlanStepBody {
  const { buildings, ships, research, drives } = rules;
  switch (step.action) {
    case 'launch': {
      const { action, targetKey, mission, cargo, drive } = step;
      return {
        ...{ action, targetPlanetId: planetId(universe, targetKey), mission: MISSIONS[mission] as MissionName },
        ...{ ships: shipCounts(rules, step.ships), resources: cargoAmounts(cargo) },
        ...(drive === null ? {} : { drive: nameOf(drives, drive) }),
      };
    }
    case 'build_ships':
      return { action: step.action, shipType: nameOf(ships, step.shipType), count: step.count };
    case 'research':
      return { action: step.action, researchType: nameOf(research, step.researchType) };
    default:
      return { action: step.action, buildingType: nameOf(buildings, step.buildingType) };
  }
}

/** The steps of a request as the command has them. */
export interface PackedPlan {
  readonly steps: readonly PackedStep[];
  readonly launches: readonly number[];
}

/** @returns null if a launch flies to a planet that the universe does not have */
export function packedPlan(
  world: ReadonlyWorld,
  rules: WorldRules,
  bodies: readonly PlanStepBody[],
): PackedPlan | null {
  const launches = bodies.filter((step) => step.action === 'launch');
  const { universe } = world;
  if (launches.some(({ targetPlanetId }) => !universe.holds(parsePlanetId(universe, targetPlanetId)))) return null;
  const orders = launches.map(({ ships, resources, drive }) => ({
    ships: rules.shipsByType(ships),
    cargo: amountsInOrder(resources ?? {}, CARGO_RESOURCE_COUNT),
    drive: drive === undefined ? null : rules.driveNumber(drive),
  }));
  const steps = bodies.map((step) => packedStep(universe, rules, step));
  return { steps, launches: packOrders(world.rules.ships.length, orders) };
}

function packedStep(universe: ReadonlyWorld['universe'], rules: WorldRules, step: PlanStepBody): PackedStep {
  switch (step.action) {
    case 'launch': {
      const targetKey = parsePlanetId(universe, step.targetPlanetId);
      return packStep({ action: step.action, targetKey, mission: missionNumber(step.mission) });
    }
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

/**
 * @param freePlanets see freePlanetBodies()
 * @param answers see answerBodies()
 * @param nowMs world time in milliseconds
 */
export function optionsBody(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  freePlanets: readonly FreePlanetBody[] | null,
  answers: readonly AnswerBody[] | null,
  nowMs: number,
): PlanetOptionsBody {
  const options = optionsOf(world, planet).map((option) => optionBody(world, planet, option));
  return {
    planetId: planetId(world.universe, planet.key),
    nextTimerAt: isoTextOrNull(nextTimerOf(world, planet.owner)),
    ...protectionMember(world, planet.owner),
    ...planMember(world, planet, nowMs),
    ...(freePlanets === null ? {} : { freePlanets: [...freePlanets] }),
    ...(answers === null ? {} : { answers: [...answers] }),
    options,
  };
}

/** What the owner of a planet can answer to others, and take with the planet; null under rules in which nobody asks. */
export function answerBodies(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): AnswerBody[] | null {
  const { pacts, market } = world.rules;
  if (pacts === null && market === null) return null;
  const proposals = answerableProposals(world, planet.ownerNumber).flatMap((proposal) => pactAnswers(world, proposal));
  const counts = { most: OPTION_OFFERS_MAX, lookedAtMax: OPTION_OFFERS_READ_MAX };
  const offers = takeableOffers(world, planet, nowMs, counts).map((takeable) => takeAnswer(world, planet, takeable));
  return [...proposals, ...offers];
}

function pactAnswers(world: ReadonlyWorld, { pact, canAccept }: AnswerableProposal): AnswerBody[] {
  const { id, kind, proposerId, partnerId, durationSeconds, endsAt } = pactBody(world, pact);
  const fields = { pactId: id, kind, proposerId, durationSeconds, until: endsAt };
  const requestTo = (verb: string) =>
    ({ method: 'POST', path: `/api/pact/${id}/${verb}`, body: { playerId: partnerId } }) as const;
  return [
    ...(canAccept ? [{ action: 'accept_pact', ...fields, request: requestTo('accept') } as const] : []),
    { action: 'decline_pact', ...fields, request: requestTo('decline') },
  ];
}

function takeAnswer(world: ReadonlyWorld, planet: ReadonlyPlanet, { offer, legs }: TakeableOffer): AnswerBody {
  const { id, playerId: makerId, give, want } = offerBody(world, offer);
  const body = { playerId: playerId(world, planet.ownerNumber), planetId: planetId(world.universe, planet.key) };
  return {
    ...{ action: 'take_offer', offerId: id, makerId, give, want },
    ...{ h2Cost: legs.ofTaker.h2Cost, seconds: legs.ofMaker.flightMs / 1000 },
    request: { method: 'POST', path: `/api/market/offer/${id}/take`, body },
  };
}

/** The richest planets that the owner of a planet knows and could colonize; null under rules without richness. */
export function freePlanetBodies(world: ReadonlyWorld, planet: ReadonlyPlanet): FreePlanetBody[] | null {
  if (world.rules.richness === null) return null;
  return bestFreePlanets(world, planet.owner, planet.key, FREE_PLANETS_SHOWN_MAX).map((free) => ({
    planetId: planetId(world.universe, free.key),
    richness: cargoAmounts(free.richness),
    distance: free.distance,
  }));
}

export function knownPlanetsBody(world: ReadonlyWorld, player: ReadonlyPlayer): KnownPlanetsBody {
  const planets = knownPlanets(world, player).map(({ key, ownerNumber, richness }) => ({
    planetId: planetId(world.universe, key),
    ownerId: ownerNumber === 0 ? null : playerId(world, ownerNumber),
    richness: cargoAmounts(richness),
  }));
  return { planets };
}

function optionBody(world: ReadonlyWorld, planet: ReadonlyPlanet, option: PlanetOption): OptionBody {
  const { rules, universe } = world;
  const { action, type, level, points } = option;
  const planetName = planetId(universe, planet.key);
  const owner = playerId(world, planet.ownerNumber);
  const common = { ...commonFields(option), ...startMember(world, planet, option) };
  switch (action) {
    case 'second_starter': {
      const gain = { points, production: hourlyUnits(option) };
      const request = { method: 'POST', path: `/api/game/planet/starter/${owner}`, body: { playerId: owner } } as const;
      return { action, ...common, gain, request };
    }
    case 'upgrade':
    case 'construct': {
      const buildingType = named(rules.buildings[type]);
      const fields = { buildingType, level, ...common, gain: { points, ...productionGain(option) } };
      const body = { planetId: planetName, buildingType };
      return action === 'upgrade'
        ? { action, ...fields, request: { method: 'POST', path: '/api/building/upgrade', body } }
        : { action, ...fields, request: { method: 'POST', path: '/api/building/construct', body } };
    }
    case 'build_ships': {
      const shipType = named(rules.ships[type]);
      const body = { planetId: planetName, shipType, count: 1 };
      const request = { method: 'POST', path: '/api/shipyard/build', body } as const;
      return { action, shipType, count: 1, ...common, gain: { points }, request };
    }
    case 'research': {
      const researchType = named(rules.research[type]);
      const body = { playerId: owner, researchType };
      const request = { method: 'POST', path: '/api/research/start', body } as const;
      const unlocked = level === 1 ? rules.drives.find(({ research }) => research === type) : undefined;
      const gain = {
        points,
        ...(unlocked === undefined ? {} : { unlocks: unlocked.type }),
        ...effectMember(rules, type),
      };
      return { action, researchType, level, ...common, gain, request };
    }
  }
}

function protectionMember({ rules }: ReadonlyWorld, { protectedUntilMs }: ReadonlyPlayer) {
  return rules.war === null ? {} : { protectedUntil: isoTextOrNull(protectedUntilMs === 0 ? null : protectedUntilMs) };
}

function planMember(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): Pick<PlanetOptionsBody, 'plan'> {
  const { plans } = world.rules.set;
  if (plans === undefined) return {};
  const { steps, lanes } = planOf(world, planet, nowMs);
  const laneBodies = lanes.map((lane) => laneBody(lane, nowMs));
  return { plan: { stepsLeft: steps.length, stepsMax: plans.stepsMax, lanes: laneBodies } };
}

/** What a research does besides unlocking a drive. */
function effectMember({ set, colonies, sight }: Rules, type: number): { effect?: string } {
  const rule = set.research[type];
  const isOfPart = colonies?.research === type || sight?.research === type;
  return rule?.effect === undefined && !isOfPart ? {} : { effect: rule?.unlocks ?? '' };
}

/** When a plan would start an option. What is in progress is waited for; anything else that is in the way blocks it. */
function startMember(
  { rules }: ReadonlyWorld,
  planet: ReadonlyPlanet,
  option: PlanetOption,
): { startsAt?: string | null } {
  if (rules.set.plans === undefined) return {};
  const { action, affordableFromMs, refusal } = option;
  if (action === 'second_starter') return {};
  if (affordableFromMs === null || (refusal !== null && refusal.facts.inProgress === undefined))
    return { startsAt: null };
  const freeMs = busyUntil(planet, LANE_OF_ACTION[action]) ?? affordableFromMs;
  return { startsAt: shownInstantOrNull(Math.max(affordableFromMs, freeMs)) };
}

const LANE_OF_ACTION: Readonly<Record<Exclude<PlanetOption['action'], 'second_starter'>, Lane>> = {
  upgrade: BUILDINGS_LANE,
  construct: BUILDINGS_LANE,
  build_ships: SHIPS_LANE,
  research: RESEARCH_LANE,
};

function commonFields({ cost, durationMs, affordableFromMs, refusal }: PlanetOption) {
  return {
    cost: resourceAmounts(cost),
    seconds: durationMs / 1000,
    affordableAt: shownInstantOrNull(affordableFromMs),
    ...(refusal === null ? {} : { reason: reasonBody(refusal) }),
  };
}

function productionGain(option: PlanetOption) {
  const isProducer = option.hourlyGain.some((thousandths) => thousandths !== 0);
  return isProducer ? { production: hourlyUnits(option) } : {};
}

function hourlyUnits({ hourlyGain }: PlanetOption) {
  return resourceAmounts(hourlyGain.map((thousandths) => thousandths / 1000));
}

function named(rule: { readonly type: string } | undefined): string {
  if (rule === undefined) throw new Error('an option of a type without a name');
  return rule.type;
}
