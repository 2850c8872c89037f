// Makes a collection of an OpenAPI document, and lets newman send all its requests but those of streams, which do not end. Each
// reply must have a status that the document has for its operation.
import { readFile } from 'node:fs/promises';
import { imported } from './imported.js';

interface Item {
  readonly item?: readonly Item[];
  readonly request: { readonly url: { readonly path: readonly string[] }; header: Header[] };
}

interface Header {
  readonly key: string;
  value: string;
}

interface Collection {
  item: readonly Item[];
}

interface Converter {
  readonly convert: (
    input: { readonly type: 'string'; readonly data: string },
    options: object,
    done: (error: Error | null, converted: Converted) => void,
  ) => void;
}

interface Converted {
  readonly result: boolean;
  readonly reason?: string;
  readonly output: readonly { readonly data: Collection }[];
}

interface Execution {
  readonly item: { readonly name: string; readonly responses: { readonly all: () => readonly { code: number }[] } };
  readonly response?: { readonly code: number };
  readonly requestError?: Error;
}

interface Newman {
  readonly run: (
    options: object,
    done: (error: Error | null, summary: { readonly run: { readonly executions: readonly Execution[] } }) => void,
  ) => void;
}

const REQUEST_MS = 10_000;
/** Values of requests are those that the document has as examples. */
const OPTIONS = { parametersResolution: 'Example', requestParametersResolution: 'Example' };

const [newmanFolder = '', converterFolder = '', document = '', url = '', adminKey = ''] = process.argv.slice(2);
const { default: newman } = await imported<{ default: Newman }>(newmanFolder, 'newman');
const { default: converter } = await imported<{ default: Converter }>(converterFolder, 'openapi-to-postmanv2');

const data = await readFile(document, 'utf8');
const collection = await new Promise<Collection>((resolve, reject) => {
  converter.convert({ type: 'string', data }, OPTIONS, (error, { result, reason, output }) => {
    const made = output?.[0]?.data;
    if (error !== null || !result || made === undefined) reject(error ?? new Error(reason));
    else resolve(made);
  });
});

const requests = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => (item.item === undefined ? [item] : requests(item.item)));
collection.item = requests(collection.item).filter(({ request }) => !request.url.path.includes('stream'));
for (const { request } of collection.item) {
  // All have the same example, and a key serves one request.
  for (const header of request.header) if (header.key === 'Idempotency-Key') header.value = '{{$guid}}';
}

const executions = await new Promise<readonly Execution[]>((resolve, reject) => {
  const envVar = [
    { key: 'baseUrl', value: url },
    { key: 'bearerToken', value: adminKey },
  ];
  newman.run({ collection, envVar, reporters: [], timeoutRequest: REQUEST_MS }, (error, summary) => {
    if (error === null) resolve(summary.run.executions);
    else reject(error);
  });
});

const faults = executions.flatMap(({ item, response, requestError }) => {
  if (response === undefined) return [`${item.name} ${requestError}`];
  return item.responses.all().some(({ code }) => code === response.code) ? [] : [`${item.name} ${response.code}`];
});
const successes = executions.filter(({ response }) => (response?.code ?? 500) < 300).length;
if (faults.length > 0) throw new Error(faults.join('; '));
console.log(`${executions.length} requests, ${successes} with success`);
