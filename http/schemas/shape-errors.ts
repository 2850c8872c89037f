// What is wrong with a value that its schema does not accept, for the one who sent it. It stops when enough is told, and
// looks at no item of a list that is too long: telling must not cost more than accepting would have.
import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { Compile } from '../../persistence/typebox.js';
import type { ShapeError } from '../exchange/problems.js';

/** What is wrong with a value, up to a number. */
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

/** Adds what is wrong with a value at a path until the list is full; adds nothing where the value is right. */
export type ShapeJudge = (value: unknown, path: string, told: ShapeErrors) => void;

/** The keywords of JSON Schema that are looked at. */
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
  /** Names who checks a value that this schema leaves open. */
  readonly 'x-checked-by'?: string;
}

/** @param node of a kind that requireBounds() lets pass */
export function shapeJudge(node: SchemaNode): ShapeJudge {
  if (node.anyOf?.some(({ properties }) => properties !== undefined)) return judgeOfChoice(node.anyOf);
  if (node.properties !== undefined) return judgeOfObject(node, node.properties);
  if (node.items !== undefined) return judgeOfList(node, node.items);
  return judgeOfSingle(node);
}

function judgeOfObject(node: SchemaNode, properties: Readonly<Record<string, SchemaNode>>): ShapeJudge {
  const judges = new Map(Object.entries(properties).map(([key, property]) => [key, shapeJudge(property)]));
  const required = new Set(node.required ?? []);
  return (value, path, told) => {
    if (!isObject(value)) {
      told.add(path, 'must be object');
      return;
    }
    for (const [key, judge] of judges) {
      if (Object.hasOwn(value, key)) judge(value[key], `${path}/${pointerToken(key)}`, told);
      else if (required.has(key)) told.add(`${path}/${pointerToken(key)}`, 'is required');
      if (told.isFull) return;
    }
    for (const key in value) {
      if (!judges.has(key)) told.add(`${path}/${pointerToken(key)}`, 'is not a known field');
      if (told.isFull) return;
    }
  };
}

function judgeOfList({ minItems = 0, maxItems = 0 }: SchemaNode, items: SchemaNode): ShapeJudge {
  const judge = shapeJudge(items);
  return (value, path, told) => {
    if (!Array.isArray(value)) told.add(path, 'must be array');
    else if (value.length < minItems) told.add(path, `must not have fewer than ${minItems} items`);
    else if (value.length > maxItems) told.add(path, `must not have more than ${maxItems} items`);
    else {
      for (let index = 0; index < value.length && !told.isFull; index += 1) {
        judge(value[index], `${path}/${index}`, told);
      }
    }
  };
}

/** Judges by the branch that was meant: the first that has a field of the value. */
function judgeOfChoice(branches: readonly SchemaNode[]): ShapeJudge {
  const judges = branches.map(shapeJudge);
  const names = branches.flatMap(({ properties }) => Object.keys(properties ?? {}));
  return (value, path, told) => {
    const meant = branches.findIndex(
      ({ properties = {} }) => isObject(value) && Object.keys(properties).some((key) => Object.hasOwn(value, key)),
    );
    if (meant === -1) told.add(path, `must be an object with one of ${names.join(', ')}`);
    else judges[meant]?.(value, path, told);
  };
}

/** Text, numbers and the like, in the words of the library. */
function judgeOfSingle(node: SchemaNode): ShapeJudge {
  if (node['x-checked-by'] !== undefined) return () => {};
  const validator: Validator = Compile(node as TSchema);
  return (value, path, told) => {
    if (validator.Check(value)) return;
    for (const error of validator.Errors(value)) told.add(path, messageOf(error));
  };
}

/** The part of a validator's error that is told on. */
interface ValidatorError {
  readonly keyword: string;
  readonly params: object;
  readonly message: string;
}

function messageOf({ keyword, params, message }: ValidatorError): string {
  if (keyword === 'enum') {
    const { allowedValues = [] } = params as { allowedValues?: readonly unknown[] };
    return `must be one of ${allowedValues.join(', ')}`;
  }
  if (keyword === 'const') return `must be ${String((params as { allowedValue?: unknown }).allowedValue)}`;
  return message;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key as one step of a JSON pointer (RFC 6901); keys come from the request, hence the cut. */
function pointerToken(key: string): string {
  return key.slice(0, KEY_SHOWN_LENGTH_MAX).replaceAll('~', '~0').replaceAll('/', '~1');
}

const KEY_SHOWN_LENGTH_MAX = 64;
