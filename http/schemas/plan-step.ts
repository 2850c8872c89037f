// A step of a plan, as requests, replies and events have it: the action, and the fields of the request that does the same.
import { SHIPS_PER_ORDER_MAX } from '../../engine/rules/limits.js';
import { Type } from '../../persistence/typebox.js';
import { buildingType, researchType, shipType } from './primitives.js';

export const PlanStep = Type.Union(
  [
    Type.Object({ action: Type.Enum(['upgrade', 'construct']), buildingType }),
    Type.Object({
      action: Type.Literal('build_ships'),
      shipType,
      count: Type.Integer({ minimum: 1, maximum: SHIPS_PER_ORDER_MAX, description: 'Number of ships.' }),
    }),
    Type.Object({ action: Type.Literal('research'), researchType }),
  ],
  { description: 'A step of a plan.' },
);
