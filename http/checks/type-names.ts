// Type names in schemas. A schema says which list a name belongs to. The names depend on the rules that a world plays
// by, so they are filled in once there is a world.
import type { Rules } from '../../engine/rules/rules.js';

/** The lists of a rule set whose types have names in the API. */
export type TypeList = 'buildings' | 'ships' | 'drives' | 'research';

/**
 * Returns a JSON Schema, or any other JSON, with the names of a world's types filled in.
 *
 * @param schema its nodes with `x-type-of` become enumerations of the names of that list
 * @returns the same object if it names no types
 */
export function withTypeNames<T>(schema: T, rules: Rules): T {
  return filled(schema, rules) as T;
}

function filled(node: unknown, rules: Rules): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) {
    const items = node.map((item) => filled(item, rules));
    return items.every((item, index) => item === node[index]) ? node : items;
  }
  if ('x-type-of' in node) return enumeration(node as TypeNameNode, rules);
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => [key, filled(value, rules)]);
  const isSame = entries.every(([key, value]) => value === (node as Record<string, unknown>)[key]);
  return isSame ? node : Object.fromEntries(entries);
}

interface TypeNameNode {
  readonly 'x-type-of': TypeList;
  readonly description: string;
}

function enumeration({ 'x-type-of': list, description }: TypeNameNode, rules: Rules): object {
  return { type: 'string', enum: rules[list].map(({ type }) => type), description };
}
