// Compiles the request schemas once, when the process starts, and refuses to start with one that would let anything
// through: for an unknown format, the library accepts every value.
import type { TSchema } from 'typebox';
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
