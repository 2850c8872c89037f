// Writes the generated modules of clients/python from the OpenAPI document: a TypedDict for each shape, and a function
// for each operation. Everything else in that package is written by hand.
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { openApiDocument } from '../../http/documents/openapi.js';
import type { Json } from '../../http/documents/openapi-schemas.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Content {
  readonly schema: Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | Schema)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

const SOURCE = 'Generated from the OpenAPI document by `npm run documents`; do not edit by hand.';
const JSON_TYPE = 'application/json';
const LINE_LENGTH_MAX = 120;
/** A request body with more members is passed as one mapping. */
const SPREAD_MEMBERS_MAX = 8;
/** The clients have methods for it, and for streams. */
const BY_HAND = new Set(['runBatch']);
const STREAM_TYPE = 'text/event-stream';
/** A shape with such a member cannot be written as a class. */
const KEYWORDS = new Set(
  'and as class def del from global if import in is lambda not or pass raise return with'.split(' '),
);
const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
};

/** The texts of the generated modules, by their path in the repository. */
export function pythonModules(): Readonly<Record<string, string>> {
  const document = openApiDocument(STANDARD_1_RULES) as unknown as OpenApi;
  return {
    'clients/python/src/galaxyd/shapes.py': shapesModule(document),
    'clients/python/src/galaxyd/operations.py': operationsModule(document),
  };
}

function shapesModule({ components }: OpenApi): string {
  const shapes = new Shapes();
  for (const [name, schema] of Object.entries(components.schemas)) shapes.define(pascal(name), schema);
  return [
    `"""The shapes of requests and replies as types.\n\n${SOURCE}\n`,
    'At runtime a shape is a plain dict. Names from the rules of a world, such as building types, are those of the',
    'standard rules or any other string.',
    '"""\n',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final\n',
    'Timestamp: TypeAlias = str',
    '"""ISO 8601 in UTC; galaxyd.parse_instant reads it."""\n',
    ...shapes.definitions,
  ].join('\n');
}

/** Collects the definitions of named shapes, and of the objects nested in them under derived names. */
class Shapes {
  readonly #enumerations: string[] = [];
  readonly #objects: string[] = [];
  readonly #unions: string[] = [];

  /** The lines of all definitions; a union comes after the objects that it names. */
  get definitions(): string[] {
    return [...this.#enumerations, ...this.#objects, ...this.#unions];
  }

  define(name: string, schema: Schema): void {
    if (schema.properties !== undefined) {
      this.#defineObject(name, schema);
      return;
    }
    const isEnumeration = schema.enum !== undefined;
    (isEnumeration ? this.#enumerations : this.#unions).push(
      '',
      fitted(`${name}: TypeAlias = `, `${this.typeOf(schema, name)}${isEnumeration ? ' | str' : ''}`),
      ...(schema.description === undefined ? [] : docstring('', schema.description)),
      '',
    );
  }

  /** The type expression of a schema; nested objects get the name. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return referenced(schema.$ref);
    if (schema.type === 'null') return 'None';
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) return unionOf(variants.map((one, index) => this.typeOf(one, `${name}${index + 1}`)));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    if (Array.isArray(schema.type)) {
      return unionOf((schema.type as string[]).map((type) => this.typeOf({ ...schema, type }, name)));
    }
    if (schema.items !== undefined) return `list[${this.typeOf(schema.items, `${name}Item`)}]`;
    if (schema.properties !== undefined) {
      this.#defineObject(name, schema);
      return name;
    }
    const [values] = Object.values(schema.patternProperties ?? {});
    const others =
      values ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
    if (others !== undefined) return `dict[str, ${this.typeOf(others, `${name}Value`)}]`;
    if (schema.type === 'object') return 'dict[str, Any]';
    if (schema.format === 'date-time') return 'Timestamp';
    return SCALARS[String(schema.type)] ?? 'Any';
  }

  #defineObject(name: string, { properties = {}, required = [], description }: Schema): void {
    const members = Object.entries(properties).map(([member, schema]): Member => {
      if (!/^[A-Za-z_]\w*$/.test(member)) throw new Error(`${name}.${member} is not a name in Python`);
      const type = quoted(this.typeOf(schema, name + pascal(member)));
      const isRequired = required.includes(member);
      return { name: member, type: isRequired ? type : `NotRequired[${type}]`, description: schema.description };
    });
    const isClass = !members.some((member) => KEYWORDS.has(member.name));
    this.#objects.push('', ...(isClass ? classLines(name, members, description) : callLines(name, members)), '');
  }
}

interface Member {
  readonly name: string;
  readonly type: string;
  readonly description: string | undefined;
}

function classLines(name: string, members: readonly Member[], description: string | undefined): string[] {
  const lines = members.flatMap((member) => [
    fitted(`    ${member.name}: `, member.type),
    ...(member.description === undefined ? [] : docstring('    ', member.description)),
  ]);
  return [
    '@final',
    `class ${name}(TypedDict):`,
    ...(description === undefined ? [] : [...docstring('    ', description), '']),
    ...(members.length === 0 && description === undefined ? ['    pass'] : lines),
  ];
}

function callLines(name: string, members: readonly Member[]): string[] {
  return [
    `${name} = TypedDict(`,
    `    "${name}",`,
    '    {',
    ...members.map((member) => `        "${member.name}": ${member.type},`),
    '    },',
    ')',
  ];
}

function operationsModule(document: OpenApi): string {
  const functions = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId !== undefined && !isByHand(operation))
      .map(([method, operation]) => operationFunction(document, method.toUpperCase(), path, operation)),
  );
  return [
    `"""The operations of the API as functions that make calls.\n\n${SOURCE}\n`,
    'A call is sent by Client.call, AsyncClient.call or as a part of a batch.',
    '"""\n',
    'from __future__ import annotations\n',
    'from typing import Any, Literal\n',
    'from . import shapes',
    'from .calls import Call, Command, path_of, present, with_query',
    ...functions,
    '',
  ].join('\n');
}

function isByHand({ operationId, responses }: Operation): boolean {
  return BY_HAND.has(operationId) || STREAM_TYPE in (responses['200']?.content ?? {});
}

function operationFunction(document: OpenApi, method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map((one) => parameterOf(document, one));
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const body = bodyOf(document, operation, new Set(inPath.map(({ name }) => name)));
  const keywords = [...body.keywords, ...inQuery.map((one) => optional(one.name, argumentType(one.schema)))];
  const taken = [
    ...inPath.map(({ name, schema }) => `${snake(name)}: ${argumentType(schema)}`),
    ...body.positional,
    ...(keywords.length === 0 ? [] : ['*', ...keywords.toSorted(requiredFirst)]),
  ];
  const template = `"${path.replace(/\{(\w+)\}/g, (_, name: string) => `{${snake(name)}}`)}"`;
  const names = inPath.map(({ name }) => `${snake(name)}=${snake(name)}`);
  const filled = inPath.length === 0 ? template : `path_of(${[template, ...names].join(', ')})`;
  const query = inQuery.map(({ name }) => `${name}=${snake(name)}`);
  const target = inQuery.length === 0 ? filled : `with_query(${[filled, ...query].join(', ')})`;
  const sent = [`"${method}"`, target, ...(method === 'GET' ? [] : [body.sent])];
  return [
    '\n',
    listed(`def ${snake(operation.operationId)}(`, taken, `) -> ${callType(operation)}:`, ''),
    ...docstring('    ', operation.summary),
    listed(`    return ${takesPreference(operation) ? 'Command' : 'Call'}(`, sent, ')', '    '),
  ].join('\n');
}

interface BodyArguments {
  readonly positional: readonly string[];
  readonly keywords: readonly string[];
  /** The expression that the call gets. */
  readonly sent: string;
}

/**
 * How a function takes the body of its operation, and how it passes it on.
 *
 * @param inPath names that the path already has; the body may repeat them, and a function takes each once
 */
function bodyOf(document: OpenApi, { requestBody }: Operation, inPath: ReadonlySet<string>): BodyArguments {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (schema === undefined) return { positional: [], keywords: [], sent: '{}' };
  const name = schema.$ref === undefined ? '' : referenced(schema.$ref);
  const shape = schema.$ref === undefined ? schema : document.components.schemas[name];
  const members = Object.entries(shape?.properties ?? {}).filter(([member]) => !inPath.has(member));
  if (shape?.properties === undefined || members.length > SPREAD_MEMBERS_MAX) {
    return { positional: [`body: ${name === '' ? 'Any' : `shapes.${name}`}`], keywords: [], sent: 'body' };
  }
  if (members.length === 0) return { positional: [], keywords: [], sent: '{}' };
  const keywords = members.map(([member, type]) => {
    const expression = argumentType(type, `shapes.${name}${pascal(member)}`);
    return shape.required?.includes(member) ? `${snake(member)}: ${expression}` : optional(member, expression);
  });
  const passed = members.map(([member]) => `${member}=${snake(member)}`);
  return { positional: [], keywords, sent: listed('present(', passed, ')', '        ') };
}

function parameterOf({ components }: OpenApi, parameter: Parameter | Schema): Parameter {
  if (!('$ref' in parameter) || parameter.$ref === undefined) return parameter as Parameter;
  const found = components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`there is no ${parameter.$ref}`);
  return found;
}

function callType(operation: Operation): string {
  const replies = successes(operation);
  if (!takesPreference(operation)) return `Call[${typesOf(replies)}]`;
  return `Command[${[0, 1].map((form) => typesOf(replies.map((schema) => schema.anyOf?.[form] ?? schema))).join(', ')}]`;
}

/** Whether it has a reply with `Prefer: return=minimal`. */
function takesPreference({ parameters = [] }: Operation): boolean {
  return parameters.some((one) => '$ref' in one && one.$ref?.endsWith('/Prefer'));
}

/** The schemas of the replies to a success. */
function successes({ responses }: Operation): Schema[] {
  const replies = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return replies.map(([, { content = {} }]) => content[JSON_TYPE]?.schema ?? { type: 'string' });
}

function typesOf(schemas: readonly Schema[]): string {
  return unionOf(schemas.map((schema) => argumentType(schema, 'dict[str, Any]')));
}

/** A type expression outside shapes.py. @param nested the name under which shapes.py has a nested object */
function argumentType(schema: Schema, nested = 'Any'): string {
  const shapes = new Shapes();
  const expression = shapes.typeOf(schema, nested);
  return expression.replace(/(?<![\w.'"])(?!(?:Any|Literal|None)\b)[A-Z]\w*(?!\w*['"])/g, 'shapes.$&');
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].sort((one, other) => Number(one === 'None') - Number(other === 'None')).join(' | ');
}

function optional(name: string, type: string): string {
  return `${snake(name)}: ${type.endsWith('None') ? type : `${type} | None`} = None`;
}

function requiredFirst(one: string, other: string): number {
  return Number(one.includes(' = ')) - Number(other.includes(' = '));
}

/** A name may be defined further down, so an expression with one is a string. */
function quoted(expression: string): string {
  const names = expression.replace(/Literal\[[^\]]*\]|\b(Any|None|Timestamp)\b/g, '');
  return /\b[A-Z]/.test(names) ? `"${expression.replaceAll('"', "'")}"` : expression;
}

/** Breaks a long line at the members of its Literal, or leaves it. */
function fitted(start: string, expression: string): string {
  const line = start + expression;
  const [all, names] = /Literal\[([^\]]*)\]/.exec(expression) ?? [];
  if (line.length <= LINE_LENGTH_MAX || all === undefined || names === undefined) return line;
  const indent = ' '.repeat(start.length - start.trimStart().length);
  const [before = '', after = ''] = expression.split(all);
  if (before !== '' || after === '') {
    return start + before + listed('Literal[', names.split(', '), ']', indent) + after;
  }
  return `${start}(\n${indent}    ${listed('Literal[', names.split(', '), ']', `${indent}    `)}\n${indent}    ${after.trimStart()}\n${indent})`;
}

/** A list of arguments on one line, or one a line. */
function listed(start: string, items: readonly string[], end: string, indent: string): string {
  const line = `${start}${items.join(', ')}${end}`;
  if (line.length <= LINE_LENGTH_MAX && !line.includes('\n')) return line;
  return [start, ...items.map((item) => `${indent}    ${item},`), `${indent}${end}`].join('\n');
}

function literal(value: Json): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

const referenced = (reference: string): string => pascal(reference.split('/').at(-1) ?? '');

/** A docstring, its lines not too long. */
function docstring(indent: string, text: string): string[] {
  const words = `"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""`.split(' ');
  const lines = [indent + words[0]];
  for (const word of words.slice(1)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= LINE_LENGTH_MAX) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines;
}

const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

const pascal = (name: string): string =>
  name
    .split('_')
    .map((part) => {
      const word = name.includes('_') && part === part.toUpperCase() ? part.toLowerCase() : part;
      return word.charAt(0).toUpperCase() + word.slice(1);
    })
    .join('');
