// A step of a plan, as requests, replies and events have it: the action, and the fields of the request that does the same.
import { SHIPS_PER_ORDER_MAX } from '../../engine/rules/limits.js';
import { Type } from '../../persistence/typebox.js';
import { boundedInteger, buildingType, researchType, shipType } from './primitives.js';

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
