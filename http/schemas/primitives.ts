// The small schemas that all others are built from.
import { FLIGHT_TYPES } from '../../engine/map/universe.js';
import {
  GALAXY_COUNT,
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

/** An identifier in a request. It is opaque and looked up as it is; an unknown one is a 404, not a 400. */
export const id = (description: string) => Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX, description });

/** An identifier in a reply. */
export const shownId = (description: string) => Type.String({ description });

/** ISO 8601, UTC. */
export const timestamp = (description: string) => Type.String({ format: 'date-time', description });

export const timestampOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

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
export const methodOf = (description: string) => Type.Enum([...METHOD_NAMES], { type: 'string', description });
export const mission = Type.Enum([...MISSIONS], { type: 'string', description: 'What the fleet does at the target.' });
export const flightType = Type.Enum([...FLIGHT_TYPES], {
  type: 'string',
  description: 'Within a system, between systems or between galaxies.',
});

export const resourceName = Type.Enum([...RESOURCES], { type: 'string', description: 'A resource.' });
export const errorCode = Type.Enum([...PROBLEMS.keys()], {
  type: 'string',
  description: 'Stable identifier of an error, for programs; see GET /api/errors.',
});

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

/** A number of ships of one type, as shown in planets and shipyards. */
export const ShipCount = Type.Object({ shipType, count: count('Number of ships.') });

const CLOSED = { additionalProperties: false } as const;
const action = 'What is done, as in the options of a planet.';

export const PlanStep = Type.Union(
  [
    Type.Object(
      { action: Type.Enum(['upgrade', 'construct'], { type: 'string', description: action }), buildingType },
      CLOSED,
    ),
    Type.Object(
      {
        action: Type.Literal('build_ships', { description: action }),
        shipType,
        count: boundedInteger(1, SHIPS_PER_ORDER_MAX, 'Number of ships.'),
      },
      CLOSED,
    ),
    Type.Object({ action: Type.Literal('research', { description: action }), researchType }, CLOSED),
  ],
  { description: 'A step of a plan.' },
);
