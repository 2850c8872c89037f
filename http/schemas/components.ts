// The named schemas of the OpenAPI document. A schema is recognised by object identity, wherever it is nested.
import type { TSchema } from 'typebox';
import * as planet from './planet.js';
import * as player from './player.js';
import { CargoAmounts, ResourceAmounts, ShipCount } from './primitives.js';
import * as requests from './requests.js';
import * as ruleSet from './rule-set.js';
import * as world from './world.js';

export const COMPONENTS: ReadonlyMap<TSchema, string> = new Map<TSchema, string>(
  Object.entries({
    CargoAmounts,
    ResourceAmounts,
    ShipCount,
    ...schemasOf(planet),
    ...schemasOf(player),
    ...schemasOf(world),
    ...schemasOf(requests),
    ...schemasOf(ruleSet),
  }).map(([name, schema]) => [schema, name]),
);

/** Every runtime export of a schema file is a schema. */
function schemasOf(file: object): Record<string, TSchema> {
  return { ...file } as Record<string, TSchema>;
}
