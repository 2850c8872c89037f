// What a planner reads: what can be started on a planet, and what it costs and gains.
import type { Static } from 'typebox';
import { RESOURCES } from '../../engine/rules/resources.js';
import { LANES } from '../../engine/terms/plan-step.js';
import { Type } from '../../persistence/typebox.js';
import { FREE_PLANETS_SHOWN_MAX, OPTION_OFFERS_MAX, OPTION_OFFERS_READ_MAX } from '../limits.js';
import { Lot } from './market.js';
import { pactKind } from './pacts.js';
import { Production, Richness } from './planet.js';
import {
  buildingType,
  CargoAmounts,
  count,
  driveType,
  errorCode,
  listOf,
  oneOf,
  orNull,
  PlanStep,
  ResourceAmounts,
  researchType,
  shipType,
  shownId,
  text,
  timestamp,
  timestampOrNull,
} from './primitives.js';
import {
  BuildingRequest,
  BuildShipsRequest,
  PactRequest,
  SecondStarterRequest,
  StartResearchRequest,
  TakeOfferRequest,
} from './requests.js';

export const Field = Type.Object({
  planetId: shownId('The planet beside which it lies: the target of `harvest`.'),
  distance: count('Distance from the planet that was asked about, in the units of flights.'),
  resources: CargoAmounts,
});

export const Fields = Type.Object({
  planetId: shownId('The planet that was asked about.'),
  fields: listOf(Field, 'The nearest first.'),
});

export type FieldBody = Static<typeof Field>;
export type FieldsBody = Static<typeof Fields>;

export const OptionReason = Type.Object(
  {
    code: errorCode,
    detail: text('The reason in a sentence.'),
    until: Type.Optional(timestamp('When what is in the way is complete.')),
    resource: Type.Optional(
      oneOf([...RESOURCES], 'In a plan: the resource whose production covers the cost last, or never.'),
    ),
  },
  { description: 'Why it cannot be started even with full stocks.' },
);

const common = {
  cost: ResourceAmounts,
  seconds: Type.Number({ minimum: 0, description: 'How long it takes.' }),
  affordableAt: timestampOrNull(
    'When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. ' +
      'Null: they never do by themselves.',
  ),
  reason: Type.Optional(OptionReason),
  startsAt: Type.Optional(
    timestampOrNull(
      'Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At or before ' +
        'x-world-time: at once. Null: it would be blocked.',
    ),
  ),
};

const points = count('Points that the owner gets.');
const level = count('The level that is reached.');

const buildingFields = {
  buildingType,
  level,
  ...common,
  gain: Type.Object({ points, production: Type.Optional(Production) }),
};

export const SecondStarterOption = Type.Object({
  action: Type.Literal('second_starter'),
  ...common,
  gain: Type.Object({ points, production: Production }),
  request: Type.Object({
    method: Type.Literal('POST'),
    path: text('The path of the operation, with the id of the player.'),
    body: SecondStarterRequest,
  }),
});

export const UpgradeOption = Type.Object({
  action: Type.Literal('upgrade'),
  ...buildingFields,
  request: Type.Object({
    method: Type.Literal('POST'),
    path: Type.Literal('/api/building/upgrade'),
    body: BuildingRequest,
  }),
});

export const ConstructOption = Type.Object({
  action: Type.Literal('construct'),
  ...buildingFields,
  request: Type.Object({
    method: Type.Literal('POST'),
    path: Type.Literal('/api/building/construct'),
    body: BuildingRequest,
  }),
});

export const ShipsOption = Type.Object({
  action: Type.Literal('build_ships'),
  shipType,
  count: count('Number of ships that cost, time and gain are for.'),
  ...common,
  gain: Type.Object({ points }),
  request: Type.Object({
    method: Type.Literal('POST'),
    path: Type.Literal('/api/shipyard/build'),
    body: BuildShipsRequest,
  }),
});

export const ResearchOption = Type.Object({
  action: Type.Literal('research'),
  researchType,
  level,
  ...common,
  gain: Type.Object({
    points,
    unlocks: Type.Optional(driveType),
    effect: Type.Optional(text('What each level does, in words.')),
  }),
  request: Type.Object({
    method: Type.Literal('POST'),
    path: Type.Literal('/api/research/start'),
    body: StartResearchRequest,
  }),
});

export const Option = Type.Union([SecondStarterOption, UpgradeOption, ConstructOption, ShipsOption, ResearchOption], {
  description: 'Something that can be started. `request` can be sent as it is, alone or in a batch.',
});

const pactAnswer = <const Action extends string, const Verb extends string>(action: Action, verb: Verb) =>
  Type.Object({
    action: Type.Literal(action),
    pactId: shownId('Pact id.'),
    kind: pactKind,
    proposerId: shownId('Player id of who proposed it.'),
    durationSeconds: count('World time for which it would be in force.'),
    until: timestamp('When the proposal expires.'),
    request: Type.Object({
      method: Type.Literal('POST'),
      path: text(`The path of the operation, which ends with \`/${verb}\`.`),
      body: PactRequest,
    }),
  });

export const AcceptPactAnswer = pactAnswer('accept_pact', 'accept');
export const DeclinePactAnswer = pactAnswer('decline_pact', 'decline');

export const TakeOfferAnswer = Type.Object({
  action: Type.Literal('take_offer'),
  offerId: shownId('Offer id.'),
  makerId: shownId('Player id of who made it.'),
  give: Lot,
  want: Lot,
  h2Cost: count('Units of h2 that the planet would pay for the way of what it sends, besides what the offer wants.'),
  seconds: Type.Number({ minimum: 0, description: 'How long what the offer gives would be on its way.' }),
  request: Type.Object({
    method: Type.Literal('POST'),
    path: text('The path of the operation, with the id of the offer.'),
    body: TakeOfferRequest,
  }),
});

export const Answer = Type.Union([AcceptPactAnswer, DeclinePactAnswer, TakeOfferAnswer], {
  description: 'What another player waits for, or offers. `request` can be sent as it is, alone or in a batch.',
});

export const PlanLane = Type.Object({
  lane: oneOf([...LANES], 'Which steps are in it: buildings, ships, research, or launches of fleets.'),
  stepsLeft: count('Steps of the lane that have not started.'),
  state: oneOf(
    ['busy', 'waiting', 'blocked', 'empty'],
    'busy: what is in progress comes first. waiting: the stocks will cover the first step, or a building that is in progress or ' +
      'planned may help it, or a launch waits for ships, or for a fleet to come home. blocked: it cannot start before something else happens. empty: no step is left.',
  ),
  startsAt: timestampOrNull(
    'Start of the first step: when what is in progress has ended and the stocks cover it by production alone. Null if that is not ' +
      'known, or no step is left.',
  ),
  reason: Type.Optional(OptionReason),
});

export const Plan = Type.Object(
  {
    planetId: shownId('Planet id.'),
    onBlocked: oneOf(['wait', 'skip'], 'What becomes of a step that is blocked.'),
    longerThanSeconds: Type.Optional(
      count('Only if it was put: a step that the stocks cover only after more world time than this is skipped, too.'),
    ),
    steps: listOf(PlanStep, 'Those that have not started, in the order in which they were put.'),
    lanes: listOf(PlanLane, 'All four, in the order in which they take from the stocks.'),
    version: text(
      'Differs whenever anything else in here differs. In double quotes it is the entity tag, for If-Match.',
    ),
  },
  { description: 'What a planet does by itself.' },
);

export const FreePlanet = Type.Object({
  planetId: shownId('Planet id.'),
  richness: Richness,
  distance: count('Distance units from the planet that is asked about.'),
});

export const KnownPlanets = Type.Object({
  planets: listOf(
    Type.Object({
      planetId: shownId('Planet id.'),
      ownerId: orNull(shownId('Player id.'), 'Null if nobody owns it.'),
      richness: Richness,
    }),
    'By galaxy, system and slot; none if the rules have no richness.',
  ),
});

export const PlanetOptions = Type.Object({
  planetId: shownId('Planet id.'),
  nextTimerAt: timestampOrNull(
    'When the next upgrade, ship order, research or flight of the owner ends; null if there is none. Until then the ' +
      'options stay as they are, except for what other players do.',
  ),
  protectedUntil: Type.Optional(
    timestampOrNull(
      'Only if the rules have war: until then attacks on the owner turn round, unless it launches one itself; in the past: that is over. ' +
        'Null: it is not protected.',
    ),
  ),
  plan: Type.Optional(
    Type.Object(
      {
        stepsLeft: count('Steps that have not started.'),
        stepsMax: count('Steps that a plan may have.'),
        lanes: Type.Array(PlanLane),
      },
      {
        description:
          'Only if the rules have plans: how the plan of the planet stands; see GET /api/plan/planet/{planetId}.',
      },
    ),
  ),
  freePlanets: Type.Optional(
    listOf(
      FreePlanet,
      `Only if the rules have richness: the ${FREE_PLANETS_SHOWN_MAX} richest planets that the owner knows and nobody owns, those first that ` +
        'produce the most with one level of each building.',
    ),
  ),
  answers: Type.Optional(
    listOf(
      Answer,
      'Only if the rules have pacts or a market: proposals of pacts that the owner can answer now, then offers that the planet can take now and can ' +
        `pay for: at most ${OPTION_OFFERS_MAX} of the first ${OPTION_OFFERS_READ_MAX} that are to the owner alone or to everybody in its galaxy, ` +
        'the most value for the price first.',
    ),
  ),
  options: listOf(Option, 'Those without a reason first, and of these the soonest affordable first.'),
});

export type AnswerBody = Static<typeof Answer>;
export type OptionBody = Static<typeof Option>;
export type FreePlanetBody = Static<typeof FreePlanet>;
export type KnownPlanetsBody = Static<typeof KnownPlanets>;
export type PlanetOptionsBody = Static<typeof PlanetOptions>;
export type PlanStepBody = Static<typeof PlanStep>;
export type PlanLaneBody = Static<typeof PlanLane>;
export type PlanBody = Static<typeof Plan>;
