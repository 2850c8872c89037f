// The named schemas of the OpenAPI document. A schema is recognised wherever it is nested, and so is a copy of it: the
// library copies the schema of an optional field.
import type { TSchema } from 'typebox';
import * as ruleSet from '../../persistence/rules/rule-set-schema.js';
import * as diplomacy from './diplomacy.js';
import * as events from './events.js';
import * as map from './map.js';
import * as market from './market.js';
import * as minimal from './minimal.js';
import * as pacts from './pacts.js';
import * as planet from './planet.js';
import * as planning from './planning.js';
import * as player from './player.js';
import * as planStep from './primitives.js';
import * as primitives from './primitives.js';
import * as replay from './replay.js';
import * as requests from './requests.js';
import * as ruleParts from './rule-parts.js';
import * as shocks from './shocks.js';
import * as tournament from './tournament.js';
import * as turns from './turns.js';
import * as limits from './world.js';
import * as world from './world.js';

/** Indexed by name. */
export const COMPONENTS: ReadonlyMap<string, TSchema> = new Map<string, TSchema>(
  Object.entries({
    BuildingType: primitives.buildingType,
    ShipType: primitives.shipType,
    DriveName: primitives.driveType,
    ResearchType: primitives.researchType,
    ResourceName: primitives.resourceName,
    Mission: primitives.mission,
    FlightType: primitives.flightType,
    ErrorCode: primitives.errorCode,
    ...schemasOf(primitives),
    PactKind: pacts.pactKind,
    ...schemasOf(pacts),
    ShockEffect: shocks.shock.effect,
    ...schemasOf(shocks),
    ...schemasOf(planet),
    ...schemasOf(market),
    ...schemasOf(minimal),
    ...schemasOf(planStep),
    ...schemasOf(planning),
    ...schemasOf(player),
    ...schemasOf(diplomacy),
    ...schemasOf(world),
    ...events.EVENT_SCHEMAS,
    ...schemasOf(events),
    ...schemasOf(limits),
    ...schemasOf(map),
    ...schemasOf(requests),
    ...schemasOf(replay),
    ...schemasOf(ruleParts),
    ...schemasOf(ruleSet),
    ...schemasOf(tournament),
    ...schemasOf(turns),
  }),
);

const NAMES = new Map<TSchema, string>([...COMPONENTS].map(([name, schema]) => [schema, name]));
const NAMES_BY_CONTENT = new Map<string, string>([...COMPONENTS].map(([name, schema]) => [contentOf(schema), name]));

/** The name of a schema, if it has one. */
export function componentName(schema: object): string | undefined {
  return NAMES.get(schema as TSchema) ?? NAMES_BY_CONTENT.get(contentOf(schema));
}

function contentOf(schema: object): string {
  return JSON.stringify(schema);
}

/** The exports of a schema file whose names are those of types. */
function schemasOf(file: object): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(file).filter(([name]) => /^[A-Z][a-z]/.test(name)));
}
