// Titles for schemas that are written inside others, so that generators of code have names for all of them. A title follows from
// where its schema is.
import type { Json, JsonObject } from './openapi-schemas.js';

const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;

/**
 * @param name title of the schema: generators make a type of this name
 * @returns the same schema with a title in it, and in each object, union and enumeration inside it; a reference as it is
 */
export function titled(schema: Json, name: string): Json {
  if (!isObject(schema) || '$ref' in schema) return schema;
  const copy: Record<string, Json> = { ...schema };
  if (isType(schema)) copy['title'] = name;
  const { properties, items } = schema;
  if (isObject(properties)) {
    const entries = Object.entries(properties);
    copy['properties'] = Object.fromEntries(entries.map(([key, part]) => [key, titled(part, name + pascalCase(key))]));
  }
  if (items !== undefined) copy['items'] = titled(items, `${name}Entry`);
  for (const kind of UNIONS) {
    const branches = schema[kind];
    if (Array.isArray(branches)) {
      copy[kind] = branches.map((branch) => titled(branch, name + distinction(branch, branches)));
    }
  }
  return copy;
}

/** @param words separated by hyphens, underscores or capital letters, such as `building_started` */
export function pascalCase(words: string): string {
  return words.replace(/(?:^|[-_])(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** Whether generators make a type of a schema, and not only use one of the language. */
function isType(schema: JsonObject): boolean {
  return 'properties' in schema || 'enum' in schema || UNIONS.some((kind) => kind in schema);
}

/** What one branch of a union requires and no other one has, as an ending of its title. */
function distinction(branch: Json, branches: readonly Json[]): string {
  const others = new Set(branches.filter((other) => other !== branch).flatMap(propertiesOf));
  const own = propertiesOf(branch).find((key) => !others.has(key));
  return own === undefined ? '' : `With${pascalCase(own)}`;
}

function propertiesOf(schema: Json): string[] {
  return isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
