// Lists what is wrong with a value that its schema does not accept, for the client. It stops once the list is full, and
// skips the items of a list that is too long: reporting must not cost more than accepting.
import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { Compile } from '../../persistence/typebox.js';
import type { ShapeError } from '../exchange/problems.js';
import { FORMATS } from './player-names.js';

/** A list of shape errors of limited length. */
export class ShapeErrors {
  readonly list: ShapeError[] = [];

  constructor(private readonly shownMax: number) {}

  get isFull(): boolean {
    return this.list.length >= this.shownMax;
  }

  add(path: string, message: string): void {
    if (!this.isFull) this.list.push({ path, message });
  }
}

/** Adds the errors of a value at a path until the list is full; adds nothing if the value is valid. */
export type ShapeJudge = (value: unknown, path: string, errors: ShapeErrors) => void;

/** The JSON Schema keywords that are used. */
export interface SchemaNode {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  /** Says what checks a value that this schema leaves open. */
  readonly 'x-checked-by'?: string;
}

/** @param node a schema that requireBounds() accepts */
export function shapeJudge(node: SchemaNode): ShapeJudge {
  if (node.anyOf?.some(({ properties }) => properties !== undefined)) return judgeOfChoice(node.anyOf);
  if (node.properties !== undefined) return judgeOfObject(node, node.properties);
  if (node.items !== undefined) return judgeOfList(node, node.items);
  return judgeOfSingle(node);
}

function judgeOfObject(node: SchemaNode, properties: Readonly<Record<string, SchemaNode>>): ShapeJudge {
  const judges = new Map(Object.entries(properties).map(([key, property]) => [key, shapeJudge(property)]));
  const required = new Set(node.required ?? []);
  const unknown =
    judges.size === 0
      ? 'is not a known field: there are none'
      : `is not a known field: there are ${[...judges.keys()].join(', ')}`;
  return (value, path, errors) => {
    if (!isObject(value)) {
      errors.add(path, typeFault('object', value));
      return;
    }
    for (const [key, judge] of judges) {
      if (Object.hasOwn(value, key)) judge(value[key], `${path}/${pointerToken(key)}`, errors);
      else if (required.has(key)) errors.add(`${path}/${pointerToken(key)}`, 'is required');
      if (errors.isFull) return;
    }
    for (const key in value) {
      if (!judges.has(key)) errors.add(`${path}/${pointerToken(key)}`, unknown);
      if (errors.isFull) return;
    }
  };
}

function judgeOfList({ minItems = 0, maxItems = 0 }: SchemaNode, items: SchemaNode): ShapeJudge {
  const judge = shapeJudge(items);
  return (value, path, errors) => {
    if (!Array.isArray(value)) errors.add(path, typeFault('array', value));
    else if (value.length < minItems) errors.add(path, `must not have fewer than ${minItems} items`);
    else if (value.length > maxItems) errors.add(path, `must not have more than ${maxItems} items`);
    else {
      for (let index = 0; index < value.length && !errors.isFull; index += 1) {
        judge(value[index], `${path}/${index}`, errors);
      }
    }
  };
}

/** Reports the errors of the intended branch: the first that has a field of the value. */
function judgeOfChoice(branches: readonly SchemaNode[]): ShapeJudge {
  const judges = branches.map(shapeJudge);
  const all = branches.map(({ properties }) => Object.keys(properties ?? {}));
  // What all branches have distinguishes none of them.
  const own = all.map((keys) => keys.filter((key) => !all.every((others) => others.includes(key))));
  const names = own.flat();
  const named = discriminatorOf(branches);
  if (named !== null) return judgeOfNamed(named, judges);
  return (value, path, errors) => {
    const meant = own.findIndex((keys) => isObject(value) && keys.some((key) => Object.hasOwn(value, key)));
    if (meant === -1) errors.add(path, `must be an object with one of ${names.join(', ')}`);
    else judges[meant]?.(value, path, errors);
  };
}

/** A field that all branches have, each with values of its own: it says which branch is meant. */
interface Discriminator {
  readonly field: string;
  /** Indexed by branch. */
  readonly values: readonly (readonly unknown[])[];
}

function discriminatorOf(branches: readonly SchemaNode[]): Discriminator | null {
  for (const field of Object.keys(branches[0]?.properties ?? {})) {
    const values = branches.map(({ properties }) => valuesOf(properties?.[field]));
    const all = values.flat();
    if (values.every(({ length }) => length > 0) && new Set(all).size === all.length) return { field, values };
  }
  return null;
}

/** The values that a node lists; none if it takes others. */
function valuesOf(node: SchemaNode | undefined): readonly unknown[] {
  if (node?.anyOf !== undefined) {
    const lists = node.anyOf.map(valuesOf);
    return lists.every(({ length }) => length > 0) ? lists.flat() : [];
  }
  return node?.enum ?? (node?.const === undefined ? [] : [node.const]);
}

function judgeOfNamed({ field, values }: Discriminator, judges: readonly ShapeJudge[]): ShapeJudge {
  return (value, path, errors) => {
    if (!isObject(value)) {
      errors.add(path, typeFault('object', value));
      return;
    }
    const meant = values.findIndex((known) => Object.hasOwn(value, field) && known.includes(value[field]));
    if (meant >= 0) judges[meant]?.(value, path, errors);
    else if (Object.hasOwn(value, field)) errors.add(`${path}/${field}`, `must be one of ${values.flat().join(', ')}`);
    else errors.add(`${path}/${field}`, 'is required');
  };
}

/** Strings, numbers and other single values, with the library's messages. */
function judgeOfSingle(node: SchemaNode): ShapeJudge {
  if (node['x-checked-by'] !== undefined) return () => {};
  const validator: Validator = Compile(node as TSchema);
  return (value, path, errors) => {
    if (validator.Check(value)) return;
    for (const error of validator.Errors(value)) errors.add(path, messageOf(error, node, value));
  };
}

/** The part of a validator's error that is used. */
interface ValidatorError {
  readonly keyword: string;
  readonly params: object;
  readonly message: string;
}

function messageOf(
  { keyword, params, message }: ValidatorError,
  { format = '', type = '', minimum, maximum }: SchemaNode,
  value: unknown,
): string {
  switch (keyword) {
    case 'format':
      return FORMATS[format]?.faultOf(String(value)) ?? message;
    case 'enum':
      return `must be one of ${(params as { allowedValues?: readonly unknown[] }).allowedValues?.join(', ')}`;
    case 'const':
      return `must be ${String((params as { allowedValue?: unknown }).allowedValue)}`;
    case 'type':
      return typeFault(type, value);
    case 'minimum':
      return `must be at least ${minimum}`;
    case 'maximum':
      return `must be at most ${maximum}`;
    case 'minLength':
      return value === '' ? 'must not be empty' : message;
    default:
      return message;
  }
}

/** @param type of JSON Schema */
function typeFault(type: string, value: unknown): string {
  return `must be ${TYPE_WORDS[type] ?? type}, and is ${TYPE_WORDS[typeOf(value)]}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The types of JSON Schema, with the article that they have in a sentence. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key as a token of a JSON pointer (RFC 6901), cut since keys come from the request. */
function pointerToken(key: string): string {
  return key.slice(0, KEY_SHOWN_LENGTH_MAX).replaceAll('~', '~0').replaceAll('/', '~1');
}

const KEY_SHOWN_LENGTH_MAX = 64;
