// The orders that `galaxyd worlds` takes on standard input, one JSON object a line, and the lines with which it answers.
import type { Static } from 'typebox';
import { SPEED_THOUSANDTHS_MAX, SPEED_THOUSANDTHS_MIN, SYSTEMS_PER_GALAXY_MAX } from '../engine/rules/limits.js';
import { Compile, Type } from '../persistence/typebox.js';

const CLOSED = { additionalProperties: false };
/** Of the order; its answer has the same. */
const id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** Number of the world, from an earlier answer. */
const world = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const Order = Type.Union([
  Type.Object(
    {
      id,
      action: Type.Literal('open'),
      seed: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      speed: Type.Optional(
        Type.Number({ minimum: SPEED_THOUSANDTHS_MIN / 1000, maximum: SPEED_THOUSANDTHS_MAX / 1000 }),
      ),
      systemsPerGalaxy: Type.Optional(Type.Integer({ minimum: 1, maximum: SYSTEMS_PER_GALAXY_MAX })),
      /** Name of a built-in rule set, or a file. */
      rules: Type.Optional(Type.String({ minLength: 1 })),
      /** Seed of the instance of the rules. */
      vary: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    },
    CLOSED,
  ),
  Type.Object({ id, action: Type.Literal('fork'), world }, CLOSED),
  Type.Object({ id, action: Type.Literal('close'), world }, CLOSED),
]);
export type WorldOrder = Static<typeof Order>;

const orders = Compile(Order);

/** The line is not an order. */
export class NotAnOrder extends Error {
  override readonly name = 'NotAnOrder';

  /** @param id of the order, null if the line has none */
  constructor(
    readonly id: number | null,
    message: string,
  ) {
    super(message);
  }
}

/** @throws NotAnOrder */
export function orderOf(line: string): WorldOrder {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new NotAnOrder(null, 'the line is not JSON');
  }
  if (orders.Check(value)) return value;
  const known = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  const [fault] = orders.Errors(value);
  const where = fault === undefined ? '' : `: ${fault.instancePath || '/'} ${fault.message}`;
  throw new NotAnOrder(typeof known === 'number' ? known : null, `the line is not an order${where}`);
}
