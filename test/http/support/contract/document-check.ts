// Checks replies against the OpenAPI document that the server itself serves, with a validator of JSON Schema: the status
// and the headers are declared, and the body has the shape of its schema and no field that the schema does not name.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { CheckedReply } from '../reply-check.js';

type Node = Readonly<Record<string, unknown>>;

interface Response {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Node; readonly examples?: Node }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Node;
    readonly headers: Readonly<Record<string, { readonly required: boolean; readonly schema: Node }>>;
  };
}

/** Header fields of the transport, which say nothing about the game. */
const OF_THE_TRANSPORT = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'uwebsockets',
]);

/** The id of the document's named schemas, which are compiled once however many replies refer to them. */
const DOCUMENT = 'openapi.json';

/** Keywords of OpenAPI and of ours, which no validator knows. */
export const VOCABULARY = ['components', 'discriminator', 'x-checked-by'];

export class DocumentCheck {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly #ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  readonly #document: Document;
  readonly #validators = new Map<Node, ValidateFunction>();

  constructor(document: Document) {
    formats.default(this.#ajv);
    this.#ajv.addVocabulary(VOCABULARY);
    this.#ajv.addSchema({ components: { schemas: closed(document.components.schemas) } }, DOCUMENT);
    this.#document = document;
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    this.operations = new Map(operations.map((operation) => [operation.operationId, operation]));
  }

  /** What is documented: each success as `getState 200`, each error as `getState not_owner`. */
  documented(): string[] {
    return [...this.operations.values()].flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) => {
        const codes = Object.keys(content['application/problem+json']?.examples ?? {});
        return Number(status) < 400 ? [`${operationId} ${status}`] : codes.map((code) => `${operationId} ${code}`);
      }),
    );
  }

  /** How a reply differs from the document. */
  faultsOf(operationId: string, { status, headers, text }: CheckedReply): string[] {
    const response = this.operations.get(operationId)?.responses[String(status)];
    if (response === undefined) return [`the status ${status} is not documented`];
    const faults = this.#headerFaults(response, headers);
    if (response.content === undefined) return text === '' ? faults : [...faults, 'a body is not documented'];
    const media = response.content[headers['content-type'] ?? ''];
    if (media === undefined) return [...faults, `the type ${headers['content-type']} is not documented`];
    const isJson = /json$/.test(headers['content-type'] ?? '');
    return [...faults, ...this.#valueFaults(media.schema, isJson ? JSON.parse(text) : text)];
  }

  #headerFaults({ headers: declared = {} }: Response, sent: Readonly<Record<string, string>>): string[] {
    const rules = Object.entries(declared).map(([name, { $ref }]) => {
      const header = this.#document.components.headers[$ref.slice('#/components/headers/'.length)];
      return { name: name.toLowerCase(), ...header };
    });
    const known = new Set(rules.map(({ name }) => name));
    const undeclared = Object.keys(sent).filter((name) => !known.has(name) && !OF_THE_TRANSPORT.has(name));
    return [
      ...undeclared.map((name) => `the header ${name} is not declared`),
      ...rules.flatMap(({ name, required, schema }) => {
        const value = sent[name];
        if (value === undefined) return required === true ? [`the header ${name} is missing`] : [];
        const typed = schema?.['type'] === 'integer' ? Number(value) : value;
        return this.#valueFaults(schema ?? {}, typed).map((fault) => `the header ${name}: ${fault}`);
      }),
    ];
  }

  #valueFaults(schema: Node, value: unknown): string[] {
    const validator = this.#validatorOf(schema);
    if (validator(value)) return [];
    return (validator.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  #validatorOf(schema: Node): ValidateFunction {
    let validator = this.#validators.get(schema);
    if (validator === undefined) {
      const text = JSON.stringify(closed(schema)).replaceAll('"#/', `"${DOCUMENT}#/`);
      validator = this.#ajv.compile(JSON.parse(text));
      this.#validators.set(schema, validator);
    }
    return validator;
  }
}

/** The same schema, in which no object has properties that it does not name. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}
