// Schemas as Markdown tables, for docs/api.md: the name, type and limits of each field.
import type { TSchema } from 'typebox';
import type { SchemaNode } from '../../http/documents/language-model-text.js';
import { componentName } from '../../http/schemas/components.js';

/**
 * The fields of an object, nested ones with their path; links to the branches of a choice; the values of an enumeration.
 * '' if there are none.
 */
export function fieldTable(schema: TSchema): string {
  const node = schema as SchemaNode;
  if (node['x-type-of'] !== undefined) return '';
  if (node.anyOf !== undefined || node.type === 'string') return valueText(node);
  const rows = fieldRows(node, '');
  return rows.length === 0 ? '' : ['| field | type | |', '|---|---|---|', ...rows].join('\n');
}

/** A schema in a few words, with a link if it has a section of its own. */
export function shapeText(schema: TSchema): string {
  return typeText(schema as SchemaNode, '');
}

function fieldRows(node: SchemaNode, prefix: string): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, property]) => {
    const path = `${prefix}${key}`;
    const optional = node.required?.includes(key) === true ? '' : ', optional';
    const row = `| \`${path}\` | ${typeText(property, boundsText(property))}${optional} | ${property.description ?? ''} |`;
    return [row, ...nestedRows(property, path)];
  });
}

/** Unnamed objects are described in place. */
function nestedRows(property: SchemaNode, path: string): string[] {
  if (componentName(property) !== undefined) return [];
  if (property.type === 'object') return fieldRows(property, `${path}.`);
  return property.items === undefined ? [] : nestedRows(property.items, `${path}[]`);
}

function typeText(node: SchemaNode, bounds: string): string {
  const name = componentName(node);
  return name === undefined ? valueText(node, bounds) : linkTo(name);
}

function valueText(node: SchemaNode, bounds = ''): string {
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum !== undefined) return node.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (node.anyOf !== undefined) return node.anyOf.map(branchText).join(' or ');
  if (node.items !== undefined) return `list of ${typeText(node.items, '')}${bounds}`;
  if (node.patternProperties !== undefined) return 'object by name';
  if (node['x-type-of'] !== undefined) return `type of the catalogue's ${node['x-type-of']}`;
  if (node.format === 'date-time') return 'timestamp';
  return `${node.type}${bounds}`;
}

/** An unnamed object among others is told from them by its fields. */
function branchText(branch: SchemaNode): string {
  const fields = Object.keys(branch.properties ?? {});
  return fields.length === 0 || componentName(branch) !== undefined
    ? typeText(branch, '')
    : `\`{${fields.join(', ')}}\``;
}

function boundsText(node: SchemaNode): string {
  const { minimum = node.minLength ?? node.minItems, maximum = node.maxLength ?? node.maxItems } = node;
  const isNamed = node.enum !== undefined || node.format !== undefined || node['x-type-of'] !== undefined;
  if (isNamed || maximum === undefined) return '';
  const unit = node.type === 'string' ? ' characters' : node.type === 'array' ? ' entries' : '';
  return ` (${minimum ?? 0} to ${maximum}${unit})`;
}

function linkTo(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}
