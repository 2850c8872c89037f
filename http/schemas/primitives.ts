// The small schemas that all others are built from.
import type { TProperties, TSchema } from 'typebox';
import { FLIGHT_TYPES } from '../../engine/map/universe.js';
import {
  GALAXY_COUNT,
  RESOURCE_UNITS_MAX,
  SHIP_ENTRIES_MAX,
  SHIPS_PER_ENTRY_MAX,
  SHIPS_PER_ORDER_MAX,
  SLOTS_PER_SYSTEM,
  TYPE_NAME_LENGTH_MAX,
} from '../../engine/rules/limits.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import { MISSIONS } from '../../engine/terms/missions.js';
import { Type } from '../../persistence/typebox.js';
import type { TypeList } from '../checks/schema-check.js';
import { METHOD_NAMES } from '../exchange/exchange.js';
import { PROBLEMS } from '../exchange/problems.js';
import { ID_LENGTH_MAX } from '../limits.js';

/** An object in a request: it has no other members. */
export const closed = <Properties extends TProperties>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });

/** One of some names. */
export const oneOf = <Names extends string[]>(names: readonly [...Names], description: string) =>
  Type.Enum<Names>(names, { type: 'string', description });

export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const listOf = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Array(schema, { description });

export const text = (description: string) => Type.String({ description });

export const flag = (description: string) => Type.Boolean({ description });

/** An identifier in a request. It is opaque and looked up as it is; an unknown one is a 404, not a 400. */
export const id = (description: string) => Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX, description });

/** An identifier in a reply. */
export const shownId = text;

/** ISO 8601, UTC. */
export const timestamp = (description: string) => Type.String({ format: 'date-time', description });

export const timestampOrNull = (description: string) => orNull(Type.String({ format: 'date-time' }), description);

/** A non-negative integer. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** An integer in a request, with both limits. */
export const boundedInteger = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

/** Galaxies and slots are counted from 1. */
export const galaxyIndex = Type.Integer({ minimum: 1, maximum: GALAXY_COUNT });
export const slot = Type.Integer({ minimum: 1, maximum: SLOTS_PER_SYSTEM });

/** The name of a type in a list of the rules. The names depend on the world; see withTypeNames(). */
function typeOf(list: TypeList, description: string) {
  return Type.String({ maxLength: TYPE_NAME_LENGTH_MAX, 'x-type-of': list, description });
}

export const buildingType = typeOf('buildings', 'Building type; see GET /api/catalog.');
export const shipType = typeOf('ships', 'Ship type; see GET /api/catalog.');
export const researchType = typeOf('research', 'Research type; see GET /api/catalog.');
export const driveType = typeOf('drives', 'Drive type; see GET /api/catalog.');
/** @param description of what has the method */
export const methodOf = (description: string) => oneOf(METHOD_NAMES, description);
export const mission = oneOf([...MISSIONS], 'What the fleet does at the target.');
export const flightType = oneOf([...FLIGHT_TYPES], 'Within a system, between systems or between galaxies.');

export const resourceName = oneOf([...RESOURCES], 'A resource.');
export const errorCode = oneOf(
  [...PROBLEMS.keys()],
  'Stable identifier of an error, for programs; see GET /api/errors.',
);

/** Whole units of everything that can be shipped or looted. */
export const CargoAmounts = Type.Object({
  iron: count('Iron.'),
  silver: count('Silver.'),
  ember: count('Ember.'),
  h2: count('H2.'),
});

/** Whole units of every resource. */
export const ResourceAmounts = Type.Object({
  iron: count('Iron.'),
  silver: count('Silver.'),
  ember: count('Ember.'),
  h2: count('H2.'),
  energy: count('Energy.'),
});

/** A number of ships of one type, as shown everywhere but in fleets. */
export const ShipCount = Type.Object({ shipType, count: count('Number of ships.') });

/** The interface specification names the type so in fleets, and otherwise as above (section 2). */
export const FleetShips = Type.Object(
  { type: shipType, count: count('Number of ships.') },
  { description: 'Ships of one type in a fleet. Everywhere else the field with their type is `shipType`.' },
);

const action = 'What is done, as in the options of a planet.';

const BuildingStep = closed({ action: oneOf(['upgrade', 'construct'], action), buildingType });
const ShipsStep = closed({
  action: Type.Literal('build_ships', { description: action }),
  shipType,
  count: boundedInteger(1, SHIPS_PER_ORDER_MAX, 'Number of ships.'),
});
const ResearchStep = closed({ action: Type.Literal('research', { description: action }), researchType });

const carried = (name: string) =>
  Type.Optional(boundedInteger(0, RESOURCE_UNITS_MAX, `${name} to carry; 0 by default.`));

/** The fields of a launch, without its origin and its player. */
const LaunchStep = closed({
  action: Type.Literal('launch', { description: 'A fleet is launched from the planet.' }),
  targetPlanetId: id('Planet id.'),
  mission,
  ships: Type.Array(closed({ shipType, count: boundedInteger(1, SHIPS_PER_ENTRY_MAX, 'Number of ships.') }), {
    minItems: 1,
    maxItems: SHIP_ENTRIES_MAX,
    description: 'Ships to send; entries of the same type are added up.',
  }),
  resources: Type.Optional(
    closed(
      { iron: carried('Iron'), silver: carried('Silver'), ember: carried('Ember'), h2: carried('H2') },
      'Units to carry. The step waits until the stocks cover them and the h2 of the flight.',
    ),
  ),
  drive: Type.Optional(driveType),
});

export const PlanStep = Type.Union([BuildingStep, ShipsStep, ResearchStep, LaunchStep], {
  description: 'A step of a plan.',
});

/** What events say of a launch: the event `fleet_launched` has the rest. */
const LaunchOfEvent = closed({
  action: Type.Literal('launch', { description: 'A fleet is launched from the planet.' }),
  targetPlanetId: shownId('Planet id.'),
  mission,
});

export const StepOfEvent = Type.Union([BuildingStep, ShipsStep, ResearchStep, LaunchOfEvent], {
  description: 'A step of a plan, in an event.',
});
