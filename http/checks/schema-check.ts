// Compiles the schemas of requests, with the names of the types of a world, and refuses one that would let anything through: for an
// unknown format, the library accepts every value.
import type { TSchema } from 'typebox';
import type { Rules } from '../../engine/rules/rules.js';
import { Compile, Format } from '../../persistence/typebox.js';
import type { ShapeError } from '../exchange/problems.js';
import { SHAPE_ERRORS_SHOWN_MAX } from '../limits.js';
import { type PlainBodyReader, plainBodyReader } from './plain-body.js';
import { type SchemaNode, ShapeErrors, shapeJudge } from './shape-errors.js';

export interface RequestCheck {
  accepts(value: unknown): boolean;
  /** Reads what is accepted from text; null if the schema is not flat. */
  readonly readPlain: PlainBodyReader | null;
  /** The errors of a value that is not accepted, at most `shownMax`; SHAPE_ERRORS_SHOWN_MAX by default. */
  errors(value: unknown, shownMax?: number): ShapeError[];
}

/** @throws Error naming the place, if a request schema is open or unbounded, or a format is unknown */
export function compileRequestCheck(schema: TSchema, name: string): RequestCheck {
  requireBounds(schema, name);
  const validator = Compile(schema);
  const judge = shapeJudge(schema as SchemaNode);
  return {
    accepts: (value) => validator.Check(value),
    readPlain: plainBodyReader(schema),
    errors: (value, shownMax = SHAPE_ERRORS_SHOWN_MAX) => {
      const errors = new ShapeErrors(shownMax);
      judge(value, '', errors);
      return errors.list;
    },
  };
}

/** @throws Error at the first node that is open or unbounded */
export function requireBounds(schema: TSchema, name: string): void {
  visit(schema as SchemaNode, name);
}

function visit(node: SchemaNode, place: string): void {
  if (node.format !== undefined && !Format.Has(node.format)) throw new Error(`${place}: unknown format ${node.format}`);
  if (node['x-checked-by'] !== undefined) return;
  if (node.enum !== undefined || node.const !== undefined || node.type === 'boolean' || node.type === 'null') return;
  if (node.anyOf !== undefined) {
    for (const [index, branch] of node.anyOf.entries()) visit(branch, `${place}/anyOf/${index}`);
    return;
  }
  switch (node.type) {
    case 'string':
      if (node.maxLength === undefined) throw new Error(`${place}: a string needs maxLength`);
      return;
    case 'integer':
    case 'number':
      if (node.minimum === undefined || node.maximum === undefined)
        throw new Error(`${place}: a number needs minimum and maximum`);
      return;
    case 'array':
      if (node.maxItems === undefined || node.items === undefined)
        throw new Error(`${place}: a list needs items and maxItems`);
      visit(node.items, `${place}/items`);
      return;
    case 'object':
      if (node.additionalProperties !== false) throw new Error(`${place}: an object needs additionalProperties: false`);
      for (const [key, property] of Object.entries(node.properties ?? {})) visit(property, `${place}/${key}`);
      return;
    default:
      throw new Error(`${place}: schemas of this kind are not used in requests`);
  }
}

/**
 * A check is shared by all worlds of a process that play by the same rules: a replay that jumps and a process that serves many worlds would
 * otherwise compile it for each.
 */
interface Compiled {
  readonly rules: Rules;
  readonly check: RequestCheck;
}

/** The last one of each schema. A process rarely knows two rule sets. */
const COMPILED = new WeakMap<TSchema, Compiled>();

/**
 * The check of a request by the types of some rules.
 *
 * @param name of the operation, for the error
 * @throws Error if the schema accepts values that nothing checks
 */
export function requestCheckOf(schema: TSchema, rules: Rules, name: string): RequestCheck {
  const last = COMPILED.get(schema);
  if (last !== undefined && (last.rules === rules || last.rules.text === rules.text)) return last.check;
  const check = compileRequestCheck(withTypeNames(schema, rules), name);
  COMPILED.set(schema, { rules, check });
  return check;
}

/** The lists of a rule set whose types have names in the API. A schema says which list a name belongs to. */
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
