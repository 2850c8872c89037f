// Schemas in a short notation for readers with little room: `{id, slot: int, owner: Owner|null, planets: [Planet]}`. A field
// without a type is a string.
import type { TSchema } from 'typebox';
import type { Route } from '../pipeline/route.js';
import { COMPONENTS, componentName } from '../schemas/components.js';

/** The JSON Schema keywords that are shown. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly 'x-type-of'?: string;
}

/** The type of a value: a name if the schema has one. */
export function typeNotation(schema: TSchema): string {
  return notation(schema as SchemaNode);
}

/** The fields of a request, written out. */
export function requestNotation(schema: TSchema): string {
  return written(schema as SchemaNode);
}

/** A line for each named shape in the replies of the routes, and for those within them. */
export function shapeNotations(routes: readonly Route[]): string[] {
  const shown = new Set<string>();
  for (const { replies } of routes) for (const { schema } of replies) collect(schema, shown);
  return [...COMPONENTS]
    .filter(([name]) => shown.has(name))
    .map(([name, schema]) => `- ${name}: \`${written(schema as SchemaNode)}\``);
}

/** Adds the names of the named shapes in a schema, at any depth. */
function collect(value: unknown, shown: Set<string>): void {
  if (typeof value !== 'object' || value === null || isText(value)) return;
  const name = componentName(value);
  if (name !== undefined) {
    if (shown.has(name)) return;
    shown.add(name);
  }
  for (const part of Object.values(value)) collect(part, shown);
}

function notation(node: SchemaNode): string {
  return isText(node) ? 'string' : (componentName(node) ?? written(node));
}

/** Names of types are in the tables of the rules, error codes in a table of their own. */
function isText(node: SchemaNode): boolean {
  return node['x-type-of'] !== undefined || (node.enum ?? []).length > ENUM_VALUES_SHOWN_MAX;
}

const ENUM_VALUES_SHOWN_MAX = 12;

function written(node: SchemaNode): string {
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map(String).join('|');
  if (node.anyOf !== undefined) return node.anyOf.map(notation).join('|');
  if (node.items !== undefined) return `[${notation(node.items)}]`;
  if (node.properties !== undefined) return `{${Object.entries(node.properties).map(fieldOf(node)).join(', ')}}`;
  const [values] = Object.values(node.patternProperties ?? {});
  if (values !== undefined) return `{NAME: ${notation(values)}}`;
  if (node.format === 'date-time') return 'time';
  return SHORT_TYPES[node.type ?? ''] ?? node.type ?? 'any';
}

const SHORT_TYPES: Readonly<Record<string, string>> = { integer: 'int', boolean: 'bool' };

const fieldOf =
  ({ required }: SchemaNode) =>
  ([name, node]: [string, SchemaNode]): string => {
    const key = `${name}${required?.includes(name) === true ? '' : '?'}`;
    const type = notation(node);
    return type === 'string' ? key : `${key}: ${type}`;
  };
