// Compiles the schemas of requests once, at the start of the process, and refuses to start with one that would let
// anything through: a library that meets an unknown format accepts every value.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import Format from 'typebox/format';
import { SHAPE_ERRORS_SHOWN_MAX } from './limits.js';
import type { ShapeError } from './problems.js';

export interface RequestCheck {
  accepts(value: unknown): boolean;
  /** What is wrong with a value that is not accepted, at most SHAPE_ERRORS_SHOWN_MAX of it. */
  errors(value: unknown): ShapeError[];
}

/** @throws Error naming the place, where a request schema is open or unbounded, or a format is not known */
export function compileRequestCheck(schema: TSchema, name: string): RequestCheck {
  requireBounds(schema, name);
  const validator = Compile(schema);
  return {
    accepts: (value) => validator.Check(value),
    errors: (value) => validator.Errors(value).flatMap(shapeErrors).slice(0, SHAPE_ERRORS_SHOWN_MAX),
  };
}

/** The keywords of JSON Schema that are looked at. */
interface SchemaNode {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  /** Names who checks a value that this schema leaves open. */
  readonly 'x-checked-by'?: string;
}

/** @throws Error at the first node that is open or unbounded */
export function requireBounds(schema: TSchema, name: string): void {
  visit(schema as SchemaNode, name);
}

function visit(node: SchemaNode, place: string): void {
  if (node.format !== undefined && !Format.Has(node.format))
    throw new Error(`${place}: the format ${node.format} is not known`);
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

/** The part of a validator's error that is told on. */
interface ValidatorError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

function shapeErrors(error: ValidatorError): ShapeError[] {
  const { keyword, instancePath, params } = error;
  if (keyword === 'boolean') return []; // told by additionalProperties as well
  if (keyword === 'additionalProperties') {
    const { additionalProperties = [] } = params as { additionalProperties?: readonly string[] };
    return additionalProperties.map((key) => ({
      path: `${instancePath}/${pointerToken(key)}`,
      message: 'is not a known field',
    }));
  }
  if (keyword === 'required') {
    const { requiredProperties = [] } = params as { requiredProperties?: readonly string[] };
    return requiredProperties.map((key) => ({ path: `${instancePath}/${pointerToken(key)}`, message: 'is required' }));
  }
  if (keyword === 'enum') {
    const { allowedValues = [] } = params as { allowedValues?: readonly unknown[] };
    return [{ path: instancePath, message: `must be one of ${allowedValues.join(', ')}` }];
  }
  return [{ path: instancePath, message: error.message }];
}

/** A key as one step of a JSON pointer (RFC 6901); keys come from the request, hence the cut. */
function pointerToken(key: string): string {
  return key.slice(0, KEY_SHOWN_LENGTH_MAX).replaceAll('~', '~0').replaceAll('/', '~1');
}

const KEY_SHOWN_LENGTH_MAX = 64;
