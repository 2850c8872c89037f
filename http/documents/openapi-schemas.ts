// Schemas as the OpenAPI document shows them, in the forms that generators of clients read best: names, discriminators,
// and records and nullable types in their short forms.
import type { TSchema } from 'typebox';
import { COMPONENTS, componentName } from '../schemas/components.js';

/** Plain JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** The JSON Schema keywords that are rewritten. */
interface SchemaNode {
  readonly type?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The named schemas of the document. */
export function schemaComponents(): JsonObject {
  return Object.fromEntries([...COMPONENTS].map(([name, schema]) => [name, written(schema as SchemaNode)]));
}

/** A schema as shown in an operation: a reference if it has a name. */
export function referenced(schema: TSchema): Json {
  return shown(schema as SchemaNode);
}

function shown(node: SchemaNode): Json {
  const name = componentName(node);
  return name === undefined ? written(node) : reference(name);
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema written out, with references to the named schemas in it. */
function written(node: SchemaNode): JsonObject {
  const { anyOf, patternProperties, ...rest } = node;
  if (anyOf !== undefined) return { ...plain(rest), ...choice(anyOf) };
  const values = patternProperties?.[ANY_NAME];
  if (values !== undefined) return { ...plain(rest), additionalProperties: shown(values) };
  return isLong(node) ? { ...plain(node), format: 'int64' } : plain(node);
}

/** A schema of integers in a range. */
export function integersFrom(minimum: number, maximum: number): JsonObject {
  return written({ type: 'integer', minimum, maximum });
}

/** Whether an integer may need more than 32 bits, which generators of Go and C# take for granted. */
function isLong({
  type,
  const: only,
  enum: some,
  minimum = 0,
  maximum = Number.MAX_SAFE_INTEGER,
}: SchemaNode): boolean {
  return (
    type === 'integer' && only === undefined && some === undefined && (maximum > INT32_MAX || minimum < -INT32_MAX)
  );
}

const INT32_MAX = 2 ** 31 - 1;

/** How the library writes a record with any names. */
const ANY_NAME = '^.*$';

function plain(node: object): JsonObject {
  return Object.fromEntries(Object.entries(node).map(([keyword, value]) => [keyword, nested(value)]));
}

function nested(value: unknown): Json {
  if (Array.isArray(value)) return value.map(nested);
  if (typeof value === 'object' && value !== null) return shown(value as SchemaNode);
  return value as Json;
}

function choice(branches: readonly SchemaNode[]): JsonObject {
  const [first, second, ...others] = branches;
  if (first?.type !== undefined && componentName(first) === undefined && second?.type === 'null' && others.length === 0)
    return { ...written(first), type: [first.type, 'null'] };
  const all = branches.map(shown);
  const discriminator = discriminatorOf(branches);
  if (discriminator !== null) return { oneOf: all, discriminator };
  return areExclusive(branches) ? { oneOf: all } : { anyOf: all };
}

/** The property whose value determines the branch, if all branches are named and have one in common. */
function discriminatorOf(branches: readonly SchemaNode[]): JsonObject | null {
  const names = branches.map(componentName);
  for (const propertyName of Object.keys(branches[0]?.properties ?? {})) {
    const entries = branches.flatMap((branch, index) =>
      valuesOf(branch, propertyName).map((value): [Json, string] => [value, `#/components/schemas/${names[index]}`]),
    );
    const determines =
      branches.every((branch) => valuesOf(branch, propertyName).length > 0) &&
      new Set(entries.map(([value]) => value)).size === entries.length;
    if (determines && !names.includes(undefined)) return { propertyName, mapping: Object.fromEntries(entries) };
  }
  return null;
}

/** The values that a required property may have, if it names them. */
function valuesOf({ properties = {}, required = [] }: SchemaNode, propertyName: string): readonly Json[] {
  const property = properties[propertyName];
  if (property === undefined || !required.includes(propertyName)) return [];
  return property.const === undefined ? (property.enum ?? []) : [property.const];
}

/** Whether each branch requires a field that no other accepts. */
function areExclusive(branches: readonly SchemaNode[]): boolean {
  return branches.every((branch) => {
    const others = branches.filter((other) => other !== branch);
    return branch.required?.some((name) =>
      others.every(
        ({ additionalProperties, properties = {} }) => additionalProperties === false && !(name in properties),
      ),
    );
  });
}
